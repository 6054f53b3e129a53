"""A dense model first, and then few columns that say the same: three ways to choose them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sparsebayes.dense import DenseFit, fit_dense, fit_dense_classes, with_doubt
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import (
    NOTHING,
    Known,
    Procedure,
    at_dense_parameters,
    one_by_one,
)
from sparsebayes.projection import (
    Pursued,
    carry_over,
    common_goal,
    follow,
    goal_problem,
    part_of_common,
    pursue,
)

# (problem, dense models of it, fidelity, report, known) -> a fit to the mean of each dense model,
# all over the same columns, and whether it is near enough.
Choosing = Callable[..., list[Pursued]]


@dataclass(frozen=True)
class Projected(Procedure):
    """Fit a dense model, let few columns follow its mean, and carry its posterior over.

    Several outputs share their columns: a dense model of each, and one choice for all. So do the
    classes of a softmax, which have one dense model.

    Parameters
    ----------
    choose : `Searched`, `followed` or `pursued`: the columns that follow dense models of values
    choose_for_classes : the columns that follow the dense model of a softmax
    fidelity : how closely columns follow the dense model
    """

    choose: Choosing
    choose_for_classes: Choosing
    fidelity: float

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """Fits of all outputs, or the one of all classes."""
        _ = problem.rows  # evaluates the columns, and says so if they are not finite
        problem, known = at_dense_parameters(problem, known)
        if not problem.layout.single and not problem.noise.profiled:
            together = problem.changed(likelihood=problem.likelihood.together())
            dense = noted(fit_dense_classes(together, known.of(0)[0]), report)
            found = self.choose_for_classes(together, [dense], self.fidelity, report, known)
            return carried([together], [dense], found, self.fidelity)
        problems = one_by_one(problem)
        denses = [noted(fit_dense(each, *known.of(k)), report) for k, each in enumerate(problems)]
        if known.doubt is not None:
            denses = [with_doubt(problem, denses[0], *known.doubt)]
        found = self.choose(problem, denses, self.fidelity, report, known)
        return carried(problems, denses, found, self.fidelity)


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


@dataclass(frozen=True)
class Searched:
    """Columns are chosen by an inference, as though the means had been observed.

    Parameters
    ----------
    inner : the fit to a mean, or to several at once
    trusted : whether the fit is near enough whatever it says, as where columns have a price
    """

    inner: Procedure
    trusted: bool = False

    def __call__(
        self,
        problem: Problem,
        denses: Sequence[DenseFit],
        fidelity: float,
        report: Report,
        known: Known = NOTHING,
    ) -> list[Pursued]:
        """One fit by `inner`, whose columns serve all dense models."""
        goals = [goal_problem(problem, dense, fidelity) for dense in denses]
        if len(goals) == 1:
            return [Pursued(fit, self.trusted) for fit in self.inner.fit(goals[0], report, known)]
        (shared,) = self.inner.fit(common_goal(problem, denses, fidelity), report, known)
        parts = [part_of_common(shared, goal, k) for k, goal in enumerate(goals)]
        return [Pursued(part, self.trusted) for part in parts]


def followed(
    problem: Problem,
    denses: Sequence[DenseFit],
    fidelity: float,
    report: Report,
    known: Known = NOTHING,
) -> list[Pursued]:
    """Columns are chosen in turn, always that which lowers most what is missed of all means."""
    found = follow([goal_problem(problem, each, fidelity) for each in denses], denses, fidelity)
    report.note(f"{len(found[0].fit.active)} columns follow the dense model")
    return found


def pursued(
    problem: Problem,
    denses: Sequence[DenseFit],
    fidelity: float,
    report: Report,
    known: Known = NOTHING,
) -> list[Pursued]:
    """Columns are chosen in turn, until the probabilities of one softmax are near enough."""
    (dense,) = denses
    found = pursue(problem, dense, fidelity)
    report.iteration(found.fit.history[-1])
    return [found]
