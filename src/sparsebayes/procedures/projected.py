"""A dense model first, and then a sparse fit to what it says."""

from __future__ import annotations

from dataclasses import dataclass

from sparsebayes.dense import DenseFit, fit_dense, fit_dense_classes
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.parameters import at_dense_parameters
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.projection import (
    carry_over,
    common_goal,
    goal_problem,
    part_of_common,
    pursue,
)


@dataclass(frozen=True)
class Projected(Procedure):
    """Fit a dense model, let `inner` fit its mean, and carry its posterior over.

    Parameters
    ----------
    inner : the fit to the mean
    fidelity : how often each row counts in it
    guarded : whether a fit that is too far from the dense model is given up for its covering rows
    """

    inner: Procedure
    fidelity: float
    guarded: bool = True

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`."""
        _ = problem.rows  # evaluates the columns, and says so if they are not finite
        problem, known = at_dense_parameters(problem, known)
        if problem.layout.single:
            return [self._one(problem, report, known)]
        if problem.noise.profiled:
            return self._outputs(problem, report, known)
        together = problem.changed(likelihood=problem.likelihood.together())
        return [self._classes(together, report, known)]

    def _one(self, problem: Problem, report: Report, known: Known) -> Fit:
        """One latent value."""
        dense = noted(fit_dense(problem, known.of(0)), report)
        (fit,) = self.inner.fit(goal_problem(problem, dense, self.fidelity), report, known)
        return self._carried(problem, dense, fit)

    def _outputs(self, problem: Problem, report: Report, known: Known) -> list[Fit]:
        """Outputs that share their vectors: a dense model each, and one search for all."""
        targets, likelihood = problem.likelihood.one_by_one(problem.data.target)
        problems = [
            problem.changed(data=problem.data._replace(target=each), likelihood=likelihood)
            for each in targets
        ]
        denses = [noted(fit_dense(each, known.of(k)), report) for k, each in enumerate(problems)]
        (shared,) = self.inner.fit(common_goal(problem, denses, self.fidelity), report, known)
        fits = []
        for k, (own, dense) in enumerate(zip(problems, denses, strict=True)):
            part = part_of_common(shared, goal_problem(own, dense, self.fidelity), k)
            fits.append(self._carried(own, dense, part))
        return fits

    def _classes(self, problem: Problem, report: Report, known: Known) -> Fit:
        """Classes of a softmax, which share their vectors; a search for these if they have a price.

        See `dense.fit_dense_classes`.
        """
        dense = noted(fit_dense_classes(problem, known.of(0).settings), report)
        if not self.guarded:
            (fit,) = self.inner.fit(goal_problem(problem, dense, self.fidelity), report, known)
            return self._carried(problem, dense, fit)
        fit, near = pursue(problem, dense, self.fidelity)
        report.iteration(fit.history[-1])
        return carry_over(problem, dense, fit, self.fidelity, guarded=not near)

    def _carried(self, problem: Problem, dense: DenseFit, fit: Fit) -> Fit:
        return carry_over(problem, dense, fit, self.fidelity, self.guarded)


def noted(dense: DenseFit, report: Report) -> DenseFit:
    """The same, with a note to the report."""
    size, evidence = dense.columns.n_columns, dense.log_evidence
    report.note(f"dense model: {size} columns, log evidence {evidence:.6g}")
    return dense
