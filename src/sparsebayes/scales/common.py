"""Whether one width for all inputs will do."""

from __future__ import annotations

import numpy as np

from sparsebayes.climber import Ascent, climb
from sparsebayes.scales.objective import ScaleObjective

# A derivative is a difference over so much to both sides, in a log scale.
STEP = 0.1
# Signs of differences alternate after so many inputs, in the order of their scales.
PATTERNS = (1, 2)
# Scales whose log density is this far below that of equal ones are not asked: what they explain
# has to be worth it already.
FAR_APART = 10.0


def simpler(objective: ScaleObjective, ascent: Ascent) -> np.ndarray:
    """The highest point, or that with one width for the inputs of each kernel if it is more likely.

    Both are compared by Laplace's approximation to the integral over the scales. For each scale
    it has a factor (1 + h_k / h_0)^-1/2, with h_k the curvature of the log evidence and h_0 that of
    the prior: more scales have to pay for what they fit.

    Parameters
    ----------
    objective : with the scales of its highest point found
    ascent : how far the search for one width goes
    """
    _, log_scales = objective.split(objective.best)
    if objective.prior.unlikeness(log_scales) > FAR_APART:
        return objective.best
    common, value = one_width(objective, objective.prior.middle, ascent)
    try:
        price = _price(objective)
    except FloatingPointError:  # a step away rounding has the better of the evidence
        return objective.best
    return common if value >= objective.highest - price else objective.best


def in_common_units(objective: ScaleObjective, ascent: Ascent) -> np.ndarray:
    """The highest point with one width for all inputs of a kernel in the units that they have.

    In pixels or spectra an input of little spread does matter less, as inputs have a common unit.
    """
    return one_width(objective, np.zeros_like(objective.prior.middle), ascent)[0]


def one_width(
    objective: ScaleObjective, unit: np.ndarray, ascent: Ascent
) -> tuple[np.ndarray, float]:
    """The highest point with one width for the inputs of each kernel, and its value.

    Parameters
    ----------
    unit : log scale of each input that makes them alike (n_scales,)
    """
    prior = objective.prior
    n_settings = len(objective.best) - len(prior.middle)
    kernels, place = np.unique(prior.tie, return_inverse=True)
    relative = objective.best[n_settings:] - unit
    mean = np.bincount(place, relative) / np.bincount(place)

    def spread_out(tied: np.ndarray) -> np.ndarray:
        return np.concatenate([tied[:n_settings], unit + tied[n_settings:][place]])

    def tied_function(tied: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = objective.evaluate(spread_out(tied))
        own = np.bincount(place, gradient[n_settings:], len(kernels))
        return value, np.concatenate([gradient[:n_settings], own])

    relative_limits = prior.limits - unit[:, None]
    own_limits = np.column_stack(
        [np.bincount(place, end) / np.bincount(place) for end in relative_limits.T]
    )
    limits = np.concatenate([objective.limits[:n_settings], own_limits])
    start = np.concatenate([objective.best[:n_settings], mean])
    top = climb(tied_function, start, limits, ascent)
    return spread_out(top.point), top.value


def _price(objective: ScaleObjective) -> float:
    """sum_k 1/2 log(1 + h_k / h_0), at least, from the mean curvature of the log evidence.

    The mean curvature is that along directions in which half of the scales grow and the others
    shrink. They are chosen by the order of the scales, so that the order of inputs does not matter.
    """
    settings, log_scales = objective.split(objective.best)
    order = np.argsort(log_scales - objective.prior.middle, kind="stable")
    bends = []
    for pattern in PATTERNS:
        sign = np.empty(len(order))
        sign[order] = np.where(np.arange(len(order)) // pattern % 2, 1.0, -1.0)
        ahead, behind = (
            objective.model.evaluate(settings, log_scales + step * sign).by_scale
            for step in (STEP, -STEP)
        )
        bends.append(-(ahead - behind) @ sign / (2.0 * STEP))
    of_prior = 2.0 / objective.prior.beliefs.own_width**2
    mean = max(float(np.mean(bends)), 0.0) / len(order)
    return 0.5 * len(order) * float(np.log1p(mean / of_prior))
