"""Few columns that follow dense models: three ways to choose them.

Each is a function (problem, dense models of it, report, known) of fits to the means of the dense
models, one for each of them over the same columns, and of whether each is near enough.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from sparsebayes.dense import DenseFit
from sparsebayes.inference.state import Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.projection import (
    Pursued,
    common_goal,
    follow,
    goal_problem,
    part_of_common,
    pursue,
)


@dataclass(frozen=True)
class Choice(ABC):
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
class Searched(Choice):
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
class Followed(Choice):
    """The next column is always the one that lowers most what is missed of all means."""

    def __call__(
        self, problem: Problem, denses: Sequence[DenseFit], report: Report, known: Known = NOTHING
    ) -> list[Pursued]:
        """Fits by `projection.follow`."""
        found = follow(self.goals(problem, denses), denses, self.fidelity)
        report.note(f"{len(found[0].fit.active)} columns follow the dense model")
        return found


@dataclass(frozen=True)
class PursuedClasses(Choice):
    """Columns are picked in turn until the probabilities of a softmax are near enough."""

    def __call__(
        self, problem: Problem, denses: Sequence[DenseFit], report: Report, known: Known = NOTHING
    ) -> list[Pursued]:
        """The fit by `projection.pursue`, of one dense model of all classes."""
        (dense,) = denses
        found = pursue(problem, dense, self.fidelity)
        report.iteration(found.fit.history[-1])
        return [found]
