"""A dense model first, and then a sparse fit to what it says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from sparsebayes.dense import DenseFit, fit_dense, fit_dense_classes
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.parameters import at_dense_parameters, one_by_one
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.projection import (
    Pursued,
    carry_over,
    common_goal,
    follow,
    goal_problem,
    part_of_common,
    pursue,
)


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

    choice: Choosing
    of_classes: Choosing

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


@dataclass(frozen=True)
class Choosing(ABC):
    """A way to choose columns.

    Parameters
    ----------
    fidelity : how closely columns follow the dense models
    """

    fidelity: float

    @abstractmethod
    def __call__(
        self, problem: Problem, denses: Sequence[DenseFit], report: Report, known: Known = NOTHING
    ) -> list[Pursued]:
        """A fit to the mean of each dense model, and whether it is near enough.

        Parameters
        ----------
        problem : over whose rows and columns the dense models are followed
        """

    def goals(self, problem: Problem, denses: Sequence[DenseFit]) -> list[Problem]:
        """The mean of each dense model as targets."""
        return [goal_problem(problem, dense, self.fidelity) for dense in denses]


@dataclass(frozen=True)
class Searched(Choosing):
    """An inference chooses, as though the means had been observed.

    Parameters
    ----------
    inner : the fit to a mean, or to several at once
    trusted : whether the fit is near enough whatever it says, as where columns have a price
    """

    inner: Procedure
    trusted: bool = False

    def __call__(
        self, problem: Problem, denses: Sequence[DenseFit], report: Report, known: Known = NOTHING
    ) -> list[Pursued]:
        """One fit by `inner`, whose columns serve all dense models."""
        goals = self.goals(problem, denses)
        if len(goals) == 1:
            return [Pursued(fit, self.trusted) for fit in self.inner.fit(goals[0], report, known)]
        (shared,) = self.inner.fit(common_goal(problem, denses, self.fidelity), report, known)
        parts = [part_of_common(shared, goal, k) for k, goal in enumerate(goals)]
        return [Pursued(part, self.trusted) for part in parts]


@dataclass(frozen=True)
class Followed(Choosing):
    """The next column is always the one that lowers most what is missed of all means."""

    def __call__(
        self, problem: Problem, denses: Sequence[DenseFit], report: Report, known: Known = NOTHING
    ) -> list[Pursued]:
        """Fits by `projection.follow`."""
        found = follow(self.goals(problem, denses), denses, self.fidelity)
        report.note(f"{len(found[0].fit.active)} columns follow the dense model")
        return found


@dataclass(frozen=True)
class PursuedClasses(Choosing):
    """Columns are picked in turn until the probabilities of a softmax are near enough."""

    def __call__(
        self, problem: Problem, denses: Sequence[DenseFit], report: Report, known: Known = NOTHING
    ) -> list[Pursued]:
        """The fit by `projection.pursue`, of one dense model of all classes."""
        (dense,) = denses
        found = pursue(problem, dense, self.fidelity)
        report.iteration(found.fit.history[-1])
        return [found]
