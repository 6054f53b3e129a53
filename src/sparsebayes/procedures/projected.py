"""A dense model first, and then a sparse fit to what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sparsebayes.dense import DenseFit, fit_dense, fit_dense_classes
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.choosing import Choice
from sparsebayes.procedures.parameters import at_dense_parameters, one_by_one
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.projection import Pursued, carry_over


@dataclass(frozen=True)
class Projected(Procedure):
    """Fit a dense model, let few columns follow its mean, and carry its posterior over.

    Several outputs share their columns: a dense model of each, and one choice for all. So do the
    classes of a softmax, which have one dense model.

    Parameters
    ----------
    choice : of the columns that follow dense models of values
    of_classes : of the columns that follow the dense model of a softmax
    """

    choice: Choice
    of_classes: Choice

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """Fits of all outputs, or the one of all classes."""
        _ = problem.rows  # evaluates the columns, and says so if they are not finite
        problem, known = at_dense_parameters(problem, known)
        if not problem.layout.single and not problem.noise.profiled:
            together = problem.changed(likelihood=problem.likelihood.together())
            dense = noted(fit_dense_classes(together, known.of(0)[0]), report)
            found = self.of_classes(together, [dense], report, known)
            return carried([together], [dense], found, self.of_classes.fidelity)
        problems = one_by_one(problem)
        denses = [noted(fit_dense(each, *known.of(k)), report) for k, each in enumerate(problems)]
        found = self.choice(problem, denses, report, known)
        return carried(problems, denses, found, self.choice.fidelity)


def carried(
    problems: Sequence[Problem],
    denses: Sequence[DenseFit],
    found: Sequence[Pursued],
    fidelity: float,
) -> list[Fit]:
    """The posterior of each dense model, carried over to the columns that follow it."""
    return [
        carry_over(problem, dense, fit, fidelity, guarded=not near)
        for problem, dense, (fit, near) in zip(problems, denses, found, strict=True)
    ]


def noted(dense: DenseFit, report: Report) -> DenseFit:
    """The dense model, with a note of it to the report."""
    size, evidence = dense.columns.n_columns, dense.log_evidence
    report.note(f"dense model: {size} columns, log evidence {evidence:.6g}")
    return dense
