"""Scales at a maximum of the evidence of the dense model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsebayes.dense import BUDGET, Ascent, Budget, DenseModel, climb
from sparsebayes.inference.state import Report
from sparsebayes.problem import Problem
from sparsebayes.scales.prior import ScalePrior


@dataclass(frozen=True)
class ScaleSearch:
    """How scales are learned.

    Attributes
    ----------
    least_noise : the least variance of the noise, relative to the target's: scales are not to be
        learned from details below a hundredth of its standard deviation
    ascent : of the climb
    """

    least_noise: float = 1e-4
    ascent: Ascent = Ascent()


SEARCH = ScaleSearch()


class LearnedScales(NamedTuple):
    """Where a dense model ended.

    Attributes
    ----------
    log_scales : of the columns (n_scales,)
    settings : of the dense model of each target (k, n_settings)
    """

    log_scales: np.ndarray
    settings: np.ndarray


class StopLearningError(Exception):
    """The report asked to stop."""


def learn_scales(
    problem: Problem, report: Report, budget: Budget = BUDGET, search: ScaleSearch = SEARCH
) -> LearnedScales:
    """Scales at a maximum of the dense models' evidence, summed over targets, and their prior.

    Parameters
    ----------
    problem : its columns have scales that are free; its targets are one or more
    """
    model = DenseModel(problem.columns, problem.data, problem.likelihood, budget)
    prior = ScalePrior(problem.columns.kinds)
    log_spreads = problem.columns.log_spreads
    first, limits = model.first_settings(log_spreads, search.least_noise)
    last = np.concatenate([first.ravel(), log_spreads])

    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        nonlocal last
        settings, log_scales = np.split(point, [first.size])
        found = model.evaluate(settings.reshape(first.shape), log_scales)
        by_scale = found.by_scale + prior.gradient(log_scales)
        value = found.value + prior.log_density(log_scales)
        last = point
        if report.learning(value):
            raise StopLearningError
        return value, np.concatenate([found.by_setting.ravel(), by_scale])

    bounds = np.concatenate([limits.reshape(-1, 2), prior.limits])
    try:
        point, _ = climb(function, last, bounds, search.ascent)
    except StopLearningError:
        point = last
    settings, log_scales = np.split(point, [first.size])
    return LearnedScales(prior.rounded(prior.widest(log_scales)), settings.reshape(first.shape))
