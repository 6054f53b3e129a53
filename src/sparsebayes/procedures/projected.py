"""A dense model first, and then a sparse fit to what it says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.dense import fit_dense
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem, Start
from sparsebayes.procedures.procedure import Procedure
from sparsebayes.projection import carry_over, goal_problem


@dataclass(frozen=True)
class Projected(Procedure):
    """Fit a dense model, let `inner` fit what it expects, and carry its posterior over."""

    inner: Procedure
    fidelity: float

    def fit(
        self,
        problem: Problem,
        report: Report,
        start: Start | None = None,
        settings: np.ndarray | None = None,
    ) -> Fit:
        """See `Procedure`."""
        dense = fit_dense(problem, settings)
        size, evidence = dense.columns.n_columns, dense.log_evidence
        report.note(f"dense model: {size} columns, log evidence {evidence:.6g}")
        goal = goal_problem(problem, dense, self.fidelity)
        return carry_over(problem, dense, self.inner.fit(goal, report, start), self.fidelity)
