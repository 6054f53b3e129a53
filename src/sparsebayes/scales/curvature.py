"""What learned scales have to pay: by their curvature, and beside one width for all inputs.

The curvature about scales and settings also says how far data leave them open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsebayes.climber import Ascent, climb
from sparsebayes.dense import learning_model
from sparsebayes.scales.objective import ScaleObjective


@dataclass(frozen=True)
class CurvatureRule:
    """How the curvature about scales and settings is found.

    Attributes
    ----------
    many_rows : with so many rows for each scale, averaging over scales changes nothing
    rows : of more, these many stand for all
    most : scales and settings, of which more would take longer than to find them
    step : of the differences of gradients, in a logarithm
    least : curvatures below this are taken for it, since what is linear about the scales that were
        found holds no farther than some powers of e
    """

    many_rows: int = 20
    rows: int = 128
    most: int = 140
    step: float = 0.1
    least: float = 0.05


RULE = CurvatureRule()


class Curvature(NamedTuple):
    """The curvature of minus the log evidence and the log prior, in its principal directions.

    Attributes
    ----------
    values : in each direction (k,)
    vectors : the directions (k, k); settings first, then log scales
    of_prior : sum of the logarithms of the curvatures of the prior of log scales, where all inputs
        matter alike
    """

    values: np.ndarray
    vectors: np.ndarray
    of_prior: float

    @property
    def root(self) -> np.ndarray:
        """A root of the covariance of settings and log scales (k, k)."""
        return self.vectors / np.sqrt(self.values)

    @property
    def price(self) -> float:
        """What settings and scales cost that are fitted, in log evidence.

        Laplace's approximation to the integral over them has |H|^-1/2, and the prior of log scales
        |H_0|^1/2. What is the same for all kernels is left out.
        """
        return 0.5 * (float(np.log(self.values).sum()) - self.of_prior)


def curvature_about(
    objective: ScaleObjective, point: np.ndarray, rule: CurvatureRule = RULE
) -> Curvature | None:
    """The curvature about a point of an objective; None where it is not to be had.

    Where some rows stand for others, the evidence counts as that of all of them.
    """
    if len(point) > rule.most:
        return None
    model = objective.model
    some = learning_model(model.columns, model.rows.thinned(rule.rows))
    share = float(model.rows.weight.sum() / some.rows.weight.sum())
    near = ScaleObjective(some, objective.report, point, share=share)
    try:
        found = _falls(lambda each: near.measure(each)[1], point, rule.step)
        if not np.isfinite(found).all():
            return None
    except FloatingPointError:
        return None
    values, vectors = np.linalg.eigh(found)
    prior = objective.prior
    of_prior = np.linalg.eigvalsh(_falls(prior.gradient, prior.middle, rule.step))
    least = rule.least
    return Curvature(
        np.maximum(values, least), vectors, float(np.log(np.maximum(of_prior, least)).sum())
    )


def _falls(
    gradient: Callable[[np.ndarray], np.ndarray], point: np.ndarray, step: float
) -> np.ndarray:
    """How gradients fall with each coordinate (k, k), from differences."""
    base = gradient(point)
    rows = [(base - gradient(point + step * unit)) / step for unit in np.eye(len(point))]
    found = np.array(rows).reshape(len(point), len(point))
    return 0.5 * (found + found.T)


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
        cost = price(objective)
    except FloatingPointError:  # a step away rounding has the better of the evidence
        return objective.best
    return common if value >= objective.highest - cost else objective.best


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


def price(objective: ScaleObjective) -> float:
    """sum_k 1/2 log(1 + h_k / h_0), at least, from the mean curvature of the log evidence.

    The mean curvature is that along directions in which half of the scales grow and the others
    shrink. They are chosen by the order of the scales, so that the order of inputs does not matter.
    """
    settings, log_scales = objective.split(objective.best)
    if not len(log_scales):
        return 0.0
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
    mean = max(float(np.mean(bends)), 0.0) / len(order)
    return 0.5 * float(np.log1p(mean / objective.prior.curvature).sum())
