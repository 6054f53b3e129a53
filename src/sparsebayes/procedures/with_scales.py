"""Scales first, then a fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.scales import LearnedScales, learn_scales


def scaled(problem: Problem, report: Report) -> tuple[Problem, LearnedScales | None]:
    """The problem at scales learned from its targets, and what was learned.

    The problem itself, and nothing, where no scale is free.
    """
    if not len(problem.columns.log_scales):
        return problem, None
    if not all(kind.formula.local for kind in problem.columns.kinds):
        _ = problem.rows  # evaluates the columns, and says so if they are not finite
    found = learn_scales(problem, report)
    columns = problem.columns.rescaled(found.log_scales)
    report.note(f"learned {len(found.log_scales)} scales")
    return replace(problem, columns=columns), found


@dataclass(frozen=True)
class WithScales(Procedure):
    """Learn the scales that are free from a dense model, then fit by `inner` at these."""

    inner: Procedure

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`."""
        problem, found = scaled(problem, report)
        if found is not None:
            joined = problem.layout.join(found.following, problem.n_columns)
            known = Known(found.settings, joined, found.latents)
        return self.inner.fit(problem, report, known)
