"""Precisions, noise and scales of the columns that were kept, climbed together. [T01] App. C"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sparsebayes.evidence import objective
from sparsebayes.posterior import Posterior, find
from sparsebayes.problem import Problem
from sparsebayes.scales.ascent import ascend
from sparsebayes.scales.dense import REACH
from sparsebayes.scales.design_rows import design_rows
from sparsebayes.scales.prior import ScalePrior
from sparsebayes.sensitivity import sensitivity

MAX_STEPS = 200
# Standard deviation of log scales about those of the dense model.
HELD_STD = 0.2


def held(log_scales: np.ndarray, middle: np.ndarray) -> float:
    """Log prior that holds log scales near `middle`, but for a constant."""
    return -0.5 * float(np.sum(((log_scales - middle) / HELD_STD) ** 2))


class Joint(NamedTuple):
    """Where a joint climb ended: log scales (n_scales,), and the precisions of the columns."""

    log_scales: np.ndarray
    weight_precision: np.ndarray
    noise_precision: float


def joint_scales(columns, inputs, problem: Problem, posterior: Posterior, middle) -> Joint:
    """A maximum of the objective over precisions, noise and scales, the active columns held.

    Parameters
    ----------
    columns : bound columns, at the scales of the posterior
    inputs : of the rows
    problem, posterior : of a fit with one output
    middle : where the scales are held (n_scales,)
    """
    model = JointModel(columns, inputs, problem, posterior.active, middle)
    point, _ = ascend(model, *model.start(posterior), MAX_STEPS)
    end = model.read(point)
    return end._replace(log_scales=model.prior.rounded(end.log_scales))


class JointModel:
    """The objective of active columns at any precisions, noise and scales, and its gradient.

    A point holds log precisions, the log noise precision if it is estimated, and the log scales.
    """

    def __init__(self, columns, inputs, problem: Problem, active: np.ndarray, middle: np.ndarray):
        self.columns, self.inputs, self.problem = columns, inputs, problem
        self.active, self.middle = active, middle
        self.noise_is_free = problem.likelihood.fixed_noise_precision is None

    def start(self, posterior: Posterior) -> tuple[np.ndarray, np.ndarray]:
        """The point of a posterior, and limits to move in."""
        first = np.log(posterior.weight_precision)
        limits = np.column_stack([first - REACH, first + REACH])
        if self.noise_is_free:
            noise = np.log(posterior.noise_precision)
            ceiling = max(noise, np.log(self.problem.noise_precision_ceiling))
            first = np.append(first, noise)
            limits = np.vstack([limits, [noise - REACH, ceiling]])
        point = np.concatenate([first, self.columns.log_scales])
        return point, np.concatenate([limits, self.prior.limits])

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Objective and log prior of the scales, and their gradient."""
        log_scales, weight_precision, noise_precision = self.read(point)
        columns = self.columns.rescaled(log_scales)
        design = columns.evaluate(self.inputs, self.active)
        problem = self._problem(design)
        everything = np.arange(len(self.active))
        nothing = np.zeros(len(self.active))
        posterior = find(problem, everything, weight_precision, noise_precision, nothing)
        found = sensitivity(problem, posterior, design)
        by_setting = found.weight_precision
        if self.noise_is_free:
            by_setting = np.append(by_setting, found.noise_precision)
        by_scale = columns.scale_gradient(self.inputs, found.columns, self.active)
        by_scale = by_scale - (log_scales - self.middle) / HELD_STD**2
        value = objective(problem, posterior) + held(log_scales, self.middle)
        return value, np.concatenate([by_setting, by_scale])

    def read(self, point: np.ndarray) -> Joint:
        """The scales and precisions that a point holds."""
        settings, log_scales = np.split(point, [len(point) - len(self.middle)])
        fixed = self.problem.likelihood.fixed_noise_precision
        noise_precision = float(np.exp(settings[-1])) if fixed is None else fixed
        return Joint(log_scales, np.exp(settings[: len(self.active)]), noise_precision)

    @property
    def prior(self) -> ScalePrior:
        """Of all scales; here only its limits and its rounding are asked for."""
        return ScalePrior(self.columns.kinds)

    def _problem(self, design: np.ndarray) -> Problem:
        rows = design_rows(design, self.problem.rows.target, self.problem.rows.weight)
        return replace(self.problem, rows=rows, n_columns=design.shape[1])
