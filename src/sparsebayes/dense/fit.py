"""The dense model of one target: its precisions, its posterior, what it expects at the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import lapack

from sparsebayes.columns import Columns, JoinedColumns
from sparsebayes.dense.ascent import Ascent, climb
from sparsebayes.dense.model import BUDGET, Budget, DenseModel, DenseRows, precisions_of
from sparsebayes.dense.whitened import group_starts, groups, whitened
from sparsebayes.evidence import log_evidence
from sparsebayes.inference.loop import interpolates
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Problem


@dataclass(frozen=True)
class SettingSearch:
    """How the precisions of a dense model are found at given scales.

    Attributes
    ----------
    least_noise : the least variance of the noise, relative to the target's
    step : what log precisions are rounded to. A climb ends where rounding errors let it; steps
        that are coarse against these, and fine against what data can tell, make its end the same
        in other units and other orders of rows
    weaker : log precisions of kernels that are no covariance are tried this much below the first.
        Most of what such columns can do together may lie in directions of little energy; from a
        precision that goes with their whole energy, a climb may end with none of them
    ascent : of the climb
    """

    least_noise: float = 1e-6
    step: float = 0.05
    weaker: tuple[float, ...] = (0.0, 5.0, 10.0, 15.0, 20.0)
    ascent: Ascent = Ascent(least_rise=1e-4)


SETTING_SEARCH = SettingSearch()


@dataclass(frozen=True)
class DenseFit:
    """A dense model of one target.

    Attributes
    ----------
    columns : its columns, whitened
    posterior : over all of their weights
    latent : mean of the latent value at the training rows (n_samples,)
    log_evidence : of the targets
    noise_vanished : whether its noise was estimated, and is at its floor or no row is left to it
    """

    columns: JoinedColumns
    posterior: Posterior
    latent: np.ndarray
    log_evidence: float
    noise_vanished: bool


class FoundSettings(NamedTuple):
    """Settings of a dense model, and whether the noise was held at the least that it may be."""

    settings: np.ndarray
    noise_vanished: bool


def fit_dense(
    problem: Problem, settings: np.ndarray | None = None, budget: Budget = BUDGET
) -> DenseFit:
    """The dense model of a problem with one latent value, at the scales that its columns have.

    Parameters
    ----------
    settings : where the climb of the precisions starts, if they have been found nearby
    """
    found = find_settings(problem, settings, budget)
    kinds = chosen_columns(problem, found.settings, budget)
    white = JoinedColumns(tuple(map(whitened, kinds)))
    whole = Problem(problem.data, white, problem.likelihood, cache_size=problem.cache_size)
    precisions = precisions_of(found.settings, groups(kinds), problem.noise)
    posterior = find_posterior(whole, np.arange(white.n_columns), precisions)
    return DenseFit(
        white,
        posterior,
        whole.rows.map(lambda design: design @ posterior.mean[:, 0]),
        log_evidence(posterior),
        found.noise_vanished or interpolates(posterior),
    )


def chosen_columns(problem: Problem, settings: np.ndarray, budget: Budget) -> tuple[Columns, ...]:
    """The columns of each kind that the dense model has.

    More of a covariance describe the same process in more detail, until what they leave of its
    variance is far below the noise. Columns that are none have a precision that goes with their
    number, so they must be those that it was found with.
    """
    least = noise_variance(problem, settings)
    affordable = (budget.work / len(problem.data.target)) ** 0.5
    most = int(np.clip(affordable, budget.centres, budget.most_centres))
    kinds = problem.columns.kinds
    return tuple(
        _chosen_of(kind, budget, most, least * float(np.exp(settings[group])))
        for kind, group in zip(kinds, group_starts(kinds), strict=True)
    )


def _chosen_of(kind: Columns, budget: Budget, most: int, least: float) -> Columns:
    """The columns of one kind, with a unit variance and this variance of the noise."""
    few, many = kind.subset(budget.centres), kind.subset(most)
    if not few.positive_definite or many.n_columns <= budget.centres:
        return few
    return many.keep(covering(many.evaluate(many.items), budget.unseen * least))


def covering(covariance: np.ndarray, least: float) -> np.ndarray:
    """Positions of points that leave at most this variance to any other, by pivots (k,)."""
    _, pivots, rank, _ = lapack.dpstrf(covariance.T, tol=least, lower=1, overwrite_a=1)
    return np.sort(pivots[:rank] - 1)


def noise_variance(problem: Problem, settings: np.ndarray) -> float:
    """The least variance that the target of a row has about its latent value.

    For Gaussian noise its own; for others that of the quadratic of the log density at f = 0.
    """
    precision = problem.noise.settle(float(np.exp(settings[-1])))
    target = problem.data.target
    curvature = problem.likelihood.expand(target, np.zeros(len(target))).curvature
    return 1.0 / float(precision * np.max(curvature))


def find_settings(
    problem: Problem,
    settings: np.ndarray | None = None,
    budget: Budget = BUDGET,
    search: SettingSearch = SETTING_SEARCH,
) -> FoundSettings:
    """Settings at a maximum of the evidence of the dense model.

    Parameters
    ----------
    settings : where to start, if they have been found nearby
    """
    columns = problem.columns
    rows = DenseRows.of(problem.data, problem.likelihood)
    model = DenseModel(columns, rows.some(budget.rows), budget)
    first, limits = model.first_settings(columns.log_scales, search.least_noise)
    parts = model.parts(columns.log_scales)

    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        found = model.evaluate_at(point[None], parts)
        return found.value, found.by_setting[0]

    start = settings
    if start is None:
        start = best_start(function, first[0], model.not_covariance, search.weaker)
    end = climb(function, start, limits[0], search.ascent)
    steps = np.round((end.point - first[0]) / search.step)
    point = np.clip(first[0] + search.step * steps, *limits[0].T)
    at_limit = bool(point[-1] > limits[0, -1, 1] - search.step)
    return FoundSettings(point, problem.noise.estimated and at_limit)


def best_start(
    function: Callable[[np.ndarray], tuple[float, Any]],
    first: np.ndarray,
    not_covariance: np.ndarray,
    weaker: tuple[float, ...],
) -> np.ndarray:
    """The settings to climb from: the best of several precisions of kernels that need it."""

    def value(settings: np.ndarray) -> float:
        try:
            return function(settings)[0]
        except FloatingPointError:
            return -np.inf

    moved = np.zeros(len(first))
    moved[: len(not_covariance)] = not_covariance
    steps = weaker if not_covariance.any() else weaker[:1]
    return max((first - step * moved for step in steps), key=value)
