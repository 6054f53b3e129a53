"""The settings of a dense model at given scales: its precisions, at a maximum of the evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.climber import Ascent, climb
from sparsebayes.dense.labels.labels import learning_model
from sparsebayes.dense.model import LEAST_NOISES, DenseModel
from sparsebayes.dense.parts import Part
from sparsebayes.dense.rows import BUDGET, Budget, DenseRows
from sparsebayes.problem import Problem


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


class FoundSettings(NamedTuple):
    """Settings of a dense model, and whether the noise was held at the least that it may be."""

    settings: np.ndarray
    noise_vanished: bool


def find_settings(
    problem: Problem, budget: Budget = BUDGET, search: SettingSearch = SETTING_SEARCH
) -> FoundSettings:
    """Settings at a maximum of the evidence of the dense model."""
    columns, start = problem.columns, None
    rows = DenseRows.of(problem.data, problem.likelihood)
    model = learning_model(columns, rows.some(budget.rows), budget)
    if problem.likelihood.leader is not None and problem.likelihood.n_free:
        lead = problem.changed(likelihood=problem.likelihood.leader)
        start = model.led(find_settings(lead, budget, search).settings)[None]
    found = settings_at(model, columns.log_scales, start, search)
    found, _ = model.best_of([(found, columns.log_scales)], scales_too=False)
    return known_settings(problem, found[0])


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
    for least_noise in model.least_noises:
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


def known_settings(problem: Problem, settings: np.ndarray) -> FoundSettings:
    """Settings that were found, and whether their noise is the least that it may be."""
    if not problem.noise.estimated:
        return FoundSettings(settings, False)
    return FoundSettings(settings, is_least(-settings[-1] - 2.0 * np.log(problem.target_scale)))


def is_least(log_variance: float) -> bool:
    """Whether a variance of noise, relative to the target's, is the least there may be.

    A step of settings more counts as the least, too.
    """
    return bool(log_variance <= np.log(LEAST_NOISES[-1]) + SETTING_SEARCH.step)
