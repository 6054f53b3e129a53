"""The dense model of one target: its precisions, its posterior, what it expects at the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes._cached import cached_property
from sparsebayes._linear_algebra import Factor, factorise
from sparsebayes.columns import JoinedColumns
from sparsebayes.dense.ascent import Ascent, climb
from sparsebayes.dense.leaving_out import LeftOut
from sparsebayes.dense.matching import latents_of, matched, quadratic_factors, with_factors
from sparsebayes.dense.model import (
    BUDGET,
    LEAST_NOISE,
    Budget,
    DenseModel,
    precisions_of,
)
from sparsebayes.dense.parts import Part
from sparsebayes.dense.rows import DenseRows
from sparsebayes.dense.whitened import WhitenedColumns, group_starts, groups, whitened
from sparsebayes.evidence import log_evidence
from sparsebayes.inference.loop import interpolates
from sparsebayes.likelihoods import Likelihood
from sparsebayes.posterior import Posterior, find_posterior, precision_matrix
from sparsebayes.problem import Problem
from sparsebayes.rows import Data
from sparsebayes.statistics import expansion


@dataclass(frozen=True)
class SettingSearch:
    """How the precisions of a dense model are found at given scales.

    Attributes
    ----------
    step : what log precisions are rounded to. A climb ends where rounding errors let it; steps
        that are coarse against these, and fine against what data can tell, make its end the same
        in other units and other orders of rows
    weaker : log precisions of kernels are tried this much below the first. Most of what columns can
        do together may lie in directions of little energy, as those of a wide kernel; from a
        precision that goes with their whole energy, a climb may end with none of them
    ascent : of the climb
    """

    step: float = 0.05
    weaker: tuple[float, ...] = (0.0, 5.0, 10.0, 15.0, 20.0)
    ascent: Ascent = Ascent(least_rise=1e-4)


SETTING_SEARCH = SettingSearch()
# The variance of a process given its data may have errors of rounding of this part of the noise.
MOST_ROUNDING = 2e-3


@dataclass(frozen=True)
class DenseFit:
    """A dense model of one latent value, or of several that share precisions.

    Attributes
    ----------
    columns : its columns, whitened
    prior_variance : of the weights of each of them (n_columns,)
    posterior : over all of their weights
    latents : mean of the latent values at the training rows (n_samples, k)
    row_precision : what the target of each row adds to the precision of its latent value, counted
        with its weight (n_samples,)
    between : of several latent values their covariance, relative to the variance of one (k, k)
    energy : mean square of each column at the training rows (n_columns,)
    process_variance : mean variance of each kind of columns there, where it is a process (n_kinds,)
    log_evidence : of the targets
    noise_variance : what variances of the latent value are compared with
    noise_vanished : whether its noise was estimated, and is at its floor or no row is left to it
    left_out : of classes in a softmax, what their rows tell that are left out
    """

    columns: JoinedColumns
    prior_variance: np.ndarray
    posterior: Posterior
    latents: np.ndarray
    row_precision: np.ndarray
    between: np.ndarray | None
    energy: np.ndarray
    process_variance: np.ndarray
    log_evidence: float
    noise_variance: float
    noise_vanished: bool
    left_out: LeftOut | None = None

    @cached_property
    def precision(self) -> np.ndarray:
        """Of the weights given the targets, A + beta V' W V (n_columns, n_columns)."""
        return precision_matrix(self.posterior.gram, self.posterior.precisions)

    @property
    def spread_is_rounding(self) -> bool:
        """Whether too much of the error bars is rounding.

        What data leave of the variance of a process is a difference of numbers that are as large as
        its variance before there were data.
        """
        sizes = [part.n_columns for part in self.columns.parts]
        starts = np.cumsum([0, *sizes])[:-1]
        before = [
            self.prior_variance[start] * variance
            for start, size, variance in zip(starts, sizes, self.process_variance, strict=True)
            if size
        ]
        rounding = np.finfo(float).eps * max(before, default=0.0)
        return bool(rounding > MOST_ROUNDING * self.noise_variance)

    def restricted_to(self, kept: np.ndarray) -> Factor:
        """The factor of the precision of these weights alone, the other columns left out."""
        return factorise(self.precision[np.ix_(kept, kept)])


class DenseStart(NamedTuple):
    """What is known of a dense model before it is fitted.

    Attributes
    ----------
    settings : its precisions (n_settings,)
    latent : the mode of the latent value at the rows, or nearly (n_samples,)
    """

    settings: np.ndarray | None = None
    latent: np.ndarray | None = None


NOTHING_KNOWN = DenseStart()


class FoundSettings(NamedTuple):
    """Settings of a dense model, and whether the noise was held at the least that it may be."""

    settings: np.ndarray
    noise_vanished: bool


def fit_dense(
    problem: Problem, start: DenseStart = NOTHING_KNOWN, budget: Budget = BUDGET
) -> DenseFit:
    """The dense model of one latent value, at the scales that the columns have.

    Parameters
    ----------
    start : what is known
    """
    known = start.settings
    found = find_settings(problem, budget) if known is None else _known(problem, known)
    at_mode = dense_posterior(problem, found.settings, start.latent, budget)
    columns: Any = at_mode.problem.columns  # joined, of whitened kinds
    posterior = matched(at_mode)
    latents = latents_of(posterior)
    return DenseFit(
        columns,
        1.0 / at_mode.weight_precision,
        posterior,
        latents,
        row_precision(posterior, latents),
        None,
        *energies(at_mode.problem),
        log_evidence(at_mode),
        noise_variance(problem, found.settings),
        found.noise_vanished or interpolates(at_mode),
    )


def energies(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """`energy` and `process_variance` of a `DenseFit`; the problem has its whitened columns."""
    columns: Any = problem.columns  # joined, of whitened kinds
    energy = problem.rows.fold(column_energy)[0] / problem.total_weight
    variance = [_mean_variance(white, problem.data) for white in columns.parts]
    return energy, np.array(variance)


def dense_posterior(
    problem: Problem,
    settings: np.ndarray,
    latent: np.ndarray | None = None,
    budget: Budget = BUDGET,
) -> Posterior:
    """The posterior of the dense model at these settings: Laplace's, unless it is exact.

    Parameters
    ----------
    latent : the mode of the latent value at the rows, or nearly, where that is known (n_samples,)
    """
    columns = JoinedColumns(chosen_columns(problem, settings, budget))
    kinds = tuple(white.kind for white in columns.parts)
    precisions = precisions_of(settings, groups(kinds), problem.noise)
    whole = Problem(problem.data, columns, problem.likelihood, cache_size=problem.cache_size)
    every = np.arange(columns.n_columns)
    if latent is None or problem.likelihood.constant_curvature:
        return find_posterior(whole, every, precisions)
    near = with_factors(whole, every, precisions, quadratic_factors(whole, latent[:, None]))
    there, nothing = (
        expansion(whole, every, mean).value - 0.5 * float(precisions.weight @ mean[:, 0] ** 2)
        for mean in (near.mean, whole.no_weights(len(every)))
    )
    return find_posterior(whole, every, precisions, near.mean if there >= nothing else None)


def row_precision(posterior: Posterior, latents: np.ndarray) -> np.ndarray:
    """Curvature of the log density of each row, times its weight and the noise precision (n,)."""
    problem = posterior.problem
    curvature = quadratic_factors(problem, latents).precision
    return posterior.noise_precision * problem.data.weight * curvature


def column_energy(design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
    """Sum over rows of the squares of each column."""
    return (weight @ design**2,)


def _mean_variance(white: WhitenedColumns, data: Data) -> float:
    """Mean variance of a process at the rows; 0 for other columns."""
    if white.whitener is None:
        return 0.0
    return float(data.weight @ white.kind.variance(data.inputs) / data.weight.sum())


def _known(problem: Problem, settings: np.ndarray) -> FoundSettings:
    """Settings that were found, and whether their noise is the least that it may be."""
    if not problem.noise.estimated:
        return FoundSettings(settings, False)
    relative = -settings[-1] - 2.0 * np.log(problem.target_scale)
    return FoundSettings(settings, bool(relative <= np.log(LEAST_NOISE[-1]) + SETTING_SEARCH.step))


def chosen_columns(
    problem: Problem, settings: np.ndarray, budget: Budget
) -> tuple[WhitenedColumns, ...]:
    """The columns of each kind that the dense model has.

    More of a covariance describe the same process in more detail, until what they leave of its
    variance is far below the noise. Columns that are none have a precision that goes with their
    number, so they must be those that it was found with.
    """
    unseen = budget.unseen * noise_variance(problem, settings)
    affordable = (budget.work / len(problem.data.target)) ** 0.5
    most = int(np.clip(affordable, budget.centres, budget.most_centres))
    kinds = problem.columns.kinds
    return tuple(
        whitened(
            kind.subset(most if kind.subset(1).positive_definite else budget.centres),
            unseen * float(np.exp(settings[min(group, len(settings) - 1)])),
        )
        for kind, group in zip(kinds, group_starts(kinds), strict=True)
    )


def noise_variance(problem: Problem, settings: np.ndarray) -> float:
    """What a variance of the latent value is compared with: that of the noise.

    That of classes is 1, as the logarithm of odds has about that scale.
    """
    noise = problem.noise.settle(float(np.exp(settings[-1])))
    return problem.likelihood.noise_scale**2 / noise


def find_settings(
    problem: Problem, budget: Budget = BUDGET, search: SettingSearch = SETTING_SEARCH
) -> FoundSettings:
    """Settings at a maximum of the evidence of the dense model."""
    columns, start = problem.columns, None
    if problem.likelihood.leader is not None and problem.likelihood.n_free:
        lead = problem.changed(likelihood=problem.likelihood.leader)
        start = led_settings(problem.likelihood, find_settings(lead, budget, search).settings)[None]
    rows = DenseRows.of(problem.data, problem.likelihood)
    model = DenseModel(columns, rows.some(budget.rows), budget)
    (found,) = settings_at(model, columns.log_scales, start, search)
    return _known(problem, found)


def led_settings(likelihood: Likelihood, settings: np.ndarray) -> np.ndarray:
    """Settings to start from (n_settings,), where those of the leader are known."""
    return np.append(settings[:-1], likelihood.led(float(settings[-1])))


def settings_at(
    model: DenseModel,
    log_scales: np.ndarray,
    start: np.ndarray | None = None,
    search: SettingSearch = SETTING_SEARCH,
) -> np.ndarray:
    """Settings of each target at a maximum of the evidence (k, n_settings), the scales given.

    Parameters
    ----------
    start : where to start, if they have been found nearby (k, n_settings)
    """
    parts, near = model.parts(log_scales), start
    for least_noise in LEAST_NOISE:
        first, limits = model.first_settings(log_scales, least_noise)
        found = np.array(
            [
                _settings_of(
                    model, k, own, limits[k], parts, near if near is None else near[k], search
                )
                for k, own in enumerate(first)
            ]
        )
        if not model.at_least_noise(found, limits):
            break
        near = found
    return found


def _settings_of(
    model: DenseModel,
    k: int,
    first: np.ndarray,
    limits: np.ndarray,
    parts: list[Part],
    start: np.ndarray | None,
    search: SettingSearch,
) -> np.ndarray:
    """The settings of target number k, in steps from the first."""

    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        found = model.evaluate_target(k, point, parts)
        return found.value, found.by_setting

    if start is None:
        firsts = [model.with_parameters(first, each) for each in model.parameter_starts(k)]
        starts = [best_start(function, each, model.kernels, search.weaker) for each in firsts]
    else:
        starts = [start]
    ends = [climb(function, each, limits, search.ascent) for each in starts]
    end = max(ends, key=lambda summit: summit.value)
    steps = np.round((end.point - first) / search.step)
    return np.clip(first + search.step * steps, *limits.T)


def best_start(
    function: Callable[[np.ndarray], tuple[float, Any]],
    first: np.ndarray,
    kernels: np.ndarray,
    weaker: tuple[float, ...],
) -> np.ndarray:
    """The settings to climb from: the best of several precisions of the kernels."""

    def value(settings: np.ndarray) -> float:
        try:
            return function(settings)[0]
        except FloatingPointError:
            return -np.inf

    moved = np.zeros(len(first))
    moved[: len(kernels)] = kernels
    steps = weaker if kernels.any() else weaker[:1]
    return max((first - step * moved for step in steps), key=value)
