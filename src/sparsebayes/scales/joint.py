"""Precisions, noise and scales of the columns that were kept, climbed together. [T01] App. C"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.dense import Ascent, climb
from sparsebayes.evidence import objective, sensitivity
from sparsebayes.inference.state import Fit
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions, Problem, Start
from sparsebayes.scales.learning import ScalePrior


@dataclass(frozen=True)
class JointClimb:
    """How precisions and scales are climbed together.

    Attributes
    ----------
    tether_std : standard deviation of log scales about those of the dense model. Without it a
        dozen scales are fitted to the noise that the kept columns have been chosen by
    reach : how far log precisions may go from where they start
    ascent : of the climb
    """

    tether_std: float = 0.2
    reach: float = 30.0
    ascent: Ascent = Ascent(max_steps=200)

    def tether_log_prior(self, log_scales: np.ndarray, anchor: np.ndarray) -> float:
        """Log prior that holds log scales near `anchor`, up to a constant."""
        return -0.5 * float(np.sum(((log_scales - anchor) / self.tether_std) ** 2))


CLIMB = JointClimb()


class JointPoint(NamedTuple):
    """Log scales (n_scales,), and the precisions of the columns."""

    log_scales: np.ndarray
    precisions: Precisions


def joint_scales(fit: Fit, anchor: np.ndarray, how: JointClimb = CLIMB) -> tuple[Problem, Start]:
    """The problem at scales where a joint climb ended, and the precisions there.

    The climb is to a maximum of the objective over precisions, noise and scales, the active
    columns held.

    Parameters
    ----------
    fit : of a problem with one latent value
    anchor : where the scales are tethered (n_scales,)
    """
    model = JointObjective(fit.problem, fit.active, anchor, how)
    point, _ = climb(model, *model.start(fit.precisions), how.ascent)
    end = model.read(point)
    columns = fit.problem.columns
    moved = columns.rescaled(ScalePrior(columns.kinds).rounded(end.log_scales))
    return replace(fit.problem, columns=moved), Start(fit.active, end.precisions)


class JointObjective:
    """The objective of active columns at any precisions, noise and scales, and its gradient.

    A point holds log precisions, the log noise precision if it is estimated, and the log scales.
    """

    def __init__(
        self, problem: Problem, active: np.ndarray, anchor: np.ndarray, how: JointClimb = CLIMB
    ) -> None:
        self.problem, self.active, self.anchor, self.how = problem, active, anchor, how

    def start(self, precisions: Precisions) -> tuple[np.ndarray, np.ndarray]:
        """The point of these precisions, and limits to move in."""
        columns, reach = self.problem.columns, self.how.reach
        first = np.log(precisions.weight)
        limits = np.column_stack([first - reach, first + reach])
        if self.problem.noise.estimated:
            noise = np.log(precisions.noise)
            ceiling = max(noise, np.log(self.problem.noise_precision_ceiling))
            first = np.append(first, noise)
            limits = np.vstack([limits, [noise - reach, ceiling]])
        point = np.concatenate([first, columns.log_scales])
        return point, np.concatenate([limits, ScalePrior(columns.kinds).limits])

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Objective and log prior of the scales, and their gradient."""
        log_scales, precisions = self.read(point)
        inputs = self.problem.data.inputs
        columns = self.problem.columns.rescaled(log_scales)
        design = columns.evaluate(inputs, self.active)
        posterior = find_posterior(self._problem(design), np.arange(len(self.active)), precisions)
        found = sensitivity(posterior, design)
        by_setting = found.weight_precision
        if self.problem.noise.estimated:
            by_setting = np.append(by_setting, found.noise_precision)
        by_scale = columns.scale_gradient(inputs, found.columns, self.active)
        by_scale = by_scale - (log_scales - self.anchor) / self.how.tether_std**2
        value = objective(posterior) + self.how.tether_log_prior(log_scales, self.anchor)
        return value, np.concatenate([by_setting, by_scale])

    def read(self, point: np.ndarray) -> JointPoint:
        """The scales and precisions that a point holds."""
        settings, log_scales = np.split(point, [len(point) - len(self.anchor)])
        size = len(self.active)
        noise = self.problem.noise.settle(float(np.exp(settings[-1])) if len(settings) else 1.0)
        return JointPoint(log_scales, Precisions(np.exp(settings[:size]), noise))

    def _problem(self, design: np.ndarray) -> Problem:
        at_hand = Problem.of_design(design, self.problem.data, self.problem.likelihood)
        weight, noise = self.problem.weight_hyperprior, self.problem.noise_hyperprior
        return replace(at_hand, weight_hyperprior=weight, noise_hyperprior=noise)
