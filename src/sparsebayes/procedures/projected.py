"""A dense model first, and then a sparse fit to what it says."""

from __future__ import annotations

from dataclasses import dataclass

from sparsebayes.dense import fit_dense
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.projection import carry_over, goal_problem


@dataclass(frozen=True)
class Projected(Procedure):
    """Fit a dense model, let `inner` fit what it expects, and carry its posterior over."""

    inner: Procedure
    fidelity: float

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> Fit:
        """See `Procedure`."""
        dense = fit_dense(problem, known.settings)
        size, evidence = dense.columns.n_columns, dense.log_evidence
        report.note(f"dense model: {size} columns, log evidence {evidence:.6g}")
        goal = goal_problem(problem, dense, self.fidelity)
        return carry_over(problem, dense, self.inner.fit(goal, report, known), self.fidelity)
