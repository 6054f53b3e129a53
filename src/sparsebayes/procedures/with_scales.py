"""Scales first, then a fit, then both together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sparsebayes.dense import BUDGET
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.direct import Direct
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.scales import CLIMB, joint_scales, learn_scales


def scaled(problem: Problem, report: Report) -> tuple[Problem, np.ndarray | None]:
    """The problem at scales learned from its targets, and the settings of the dense models there.

    The problem itself, and no settings, where no scale is free.
    """
    if not len(problem.columns.log_scales):
        return problem, None
    found = learn_scales(problem, report)
    columns = problem.columns.rescaled(found.log_scales)
    report.note(f"learned {len(found.log_scales)} scales")
    return replace(problem, columns=columns), found.settings


@dataclass(frozen=True)
class WithScales(Procedure):
    """Learn the scales that are free from a dense model, then fit by `inner` at these."""

    inner: Procedure

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> Fit:
        """See `Procedure`."""
        problem, settings = scaled(problem, report)
        if settings is not None:
            known = known._replace(settings=settings[0])
        return self.inner.fit(problem, report, known)


@dataclass(frozen=True)
class Refined(Procedure):
    """A fit by `inner`, then joint climbs of precisions and scales, each with a fit from its end.

    As long as they help, and only where columns are pruned and all rows served to learn scales.

    Parameters
    ----------
    inner : the fit
    max_climbs : few fits gain by a fourth
    """

    inner: Direct
    max_climbs: int = 3

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> Fit:
        """See `Procedure`."""
        fit = self.inner.fit(problem, report, known)
        anchor = problem.columns.log_scales
        for _ in range(self.max_climbs if self._can_refine(fit) else 0):
            if not fit.outcome.converged or fit.n_iter >= self.limits.max_iter:
                break
            moved, from_there = joint_scales(fit, anchor)
            left = replace(self.limits, max_iter=self.limits.max_iter - fit.n_iter)
            new = replace(self.inner, limits=left).fit(moved, report, Known(from_there))
            if tethered_evidence(new, anchor) - tethered_evidence(fit, anchor) <= self.limits.tol:
                break
            fit = replace(new, history=fit.history + new.history[1:])
        return fit

    @property
    def limits(self) -> Limits:
        """Those of the inner fit."""
        return self.inner.limits

    @staticmethod
    def _can_refine(fit: Fit) -> bool:
        problem = fit.problem
        free = len(problem.columns.log_scales) > 0
        all_rows = len(problem.data.target) <= BUDGET.rows
        return free and all_rows and problem.weight_hyperprior.is_flat


def tethered_evidence(fit: Fit, anchor: np.ndarray) -> float:
    """Log evidence, and the log prior that holds scales near `anchor`."""
    return fit.log_evidence + CLIMB.tether_log_prior(fit.problem.columns.log_scales, anchor)
