"""A dense model first, and then a sparse fit to what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sparsebayes.dense import DenseFit, fit_dense, fit_dense_classes
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.projection import (
    blended,
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
        if problem.layout.single:
            return [self._one(problem, report, known)]
        if problem.noise.profiled:
            return self._outputs(problem, report, known)
        return self._classes(problem, report, known)

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

    def _classes(self, problem: Problem, report: Report, known: Known) -> list[Fit]:
        """Classes of a softmax, with vectors that they share or of their own."""
        together = problem.changed(likelihood=problem.likelihood.together())
        dense = noted(fit_dense_classes(together, known.of(0).settings), report)
        if problem.layout.n_classes == 1:
            return [self._shared_classes(problem, dense, report, known)]
        means = together.likelihood.latent_weights(dense.posterior.mean).T
        return [self._class(problem, dense, mean[:, None], report) for mean in means]

    def _shared_classes(
        self, problem: Problem, dense: DenseFit, report: Report, known: Known
    ) -> Fit:
        """Classes of a softmax that share their vectors; a search if these have a price."""
        if not self.guarded:
            (fit,) = self.inner.fit(goal_problem(problem, dense, self.fidelity), report, known)
            return self._carried(problem, dense, fit)
        fit, near = pursue(problem, dense, self.fidelity)
        report.iteration(fit.history[-1])
        found = carry_over(problem, dense, fit, self.fidelity, guarded=not near)
        blend = blended(problem, found.active, found.mean, dense.left_out)
        return replace(found, mean=blend.mean, log_evidence=blend.log_density)

    def _class(self, problem: Problem, dense: DenseFit, mean: np.ndarray, report: Report) -> Fit:
        """One class of a softmax, whose latent value has these weights in the dense model."""
        own = dense.with_mean(mean)
        (fit,) = self.inner.fit(goal_problem(problem, own, self.fidelity), report)
        share = dense.log_evidence / problem.layout.n_classes
        return replace(self._carried(problem, own, fit), log_evidence=share)

    def _carried(self, problem: Problem, dense: DenseFit, fit: Fit) -> Fit:
        return carry_over(problem, dense, fit, self.fidelity, self.guarded)


def noted(dense: DenseFit, report: Report) -> DenseFit:
    """The same, with a note to the report."""
    size, evidence = dense.columns.n_columns, dense.log_evidence
    report.note(f"dense model: {size} columns, log evidence {evidence:.6g}")
    return dense
