"""The phases of "fast": grow, close, and steady steps where Newton's do not come to an end.

    Growing --nothing to add--> Closing(1) -> ... -> Closing(10) -> Steady(1) -> ... -> Steady(50)
       ^---------something was added------------------------------------|

A phase says how a round climbs. A round that adds something begins to grow again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

from sparsebayes.inference.addition import BlockSize
from sparsebayes.inference.deletion import removable, without
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.newton import newton_step
from sparsebayes.inference.reestimation import mackay_update
from sparsebayes.posterior import Posterior


@dataclass(frozen=True)
class Schedule:
    """How long each phase of "fast" is.

    Attributes
    ----------
    start_steps : re-estimates at the start; more reach a slightly better optimum, and cost more
    known_steps : the same from candidates that are known to be good, where more gain nothing
    start_columns : the most candidates among which those to start with are chosen
    first_look : up to so many candidates, all are there at the start. Of more, such that span all
        are looked for among so many
    one_in : of these candidates one in so many is there at the start, besides the chosen ones. More
        cost more; without any, some sets of a thousand rows end in a worse optimum
    few_plain : up to so many plain columns beside a kernel are all there at the start
    start_refresh : steps with the curvature held, where it varies, before a mode is found anew
    start_work : rows times squared columns up to which a start with varying curvature is
        affordable
    poorly_at_start, poorly_when_growing : candidates are deleted only below this
        well-determinedness, at the start and while the model grows
    growing_steps : Newton steps of a round that grows; additions soon change their goal
    closing_steps : Newton steps of a round that closes, more than it ever takes
    closing_rounds : rounds with nothing to add before Newton's steps give way to MacKay's
    steady_steps : MacKay's steps in a round
    steady_rounds : such rounds after which a gradient above tol is put down to rounding
    idle_rounds : rounds without a rise of the evidence after which nothing more is added. Where
        the curvature varies, an addition can lower the evidence at the new mode, for ever
    priced_rounds : times that candidates below their price are deleted. Where the curvature
        varies, the same one can be deleted and added for ever
    swaps : times that a candidate is exchanged for another. Where the curvature varies, it could go
        on for ever
    least_swap : what a swap must raise the evidence by
    block : candidates looked at and added in one round
    """

    start_steps: int = 30
    known_steps: int = 15
    start_columns: int = 2048
    first_look: int = 512
    one_in: int = 8
    few_plain: int = 64
    start_refresh: int = 5
    start_work: float = 3e8
    poorly_at_start: float = 1e-3
    poorly_when_growing: float = 1e-2
    growing_steps: int = 2
    closing_steps: int = 100
    closing_rounds: int = 10
    steady_steps: int = 20
    steady_rounds: int = 50
    idle_rounds: int = 10
    priced_rounds: int = 10
    swaps: int = 100
    least_swap: float = 0.1
    block: BlockSize = field(default_factory=BlockSize)


class Phase(ABC):
    """How a round climbs, and what comes after it."""

    exhausted: bool = False

    @abstractmethod
    def climb(self, posterior: Posterior, tol: float) -> Posterior:
        """The posterior after the steps and deletions of a round."""

    @abstractmethod
    def after_no_addition(self) -> Phase:
        """The phase of the next round, where this one had nothing to add."""


@dataclass(frozen=True)
class Growing(Phase):
    """A few Newton steps; only candidates that hardly matter are deleted."""

    schedule: Schedule

    def climb(self, posterior: Posterior, tol: float) -> Posterior:
        """Climb as the class says."""
        schedule = self.schedule
        return climb_by_newton(posterior, tol, schedule.growing_steps, schedule.poorly_when_growing)

    def after_no_addition(self) -> Phase:
        """Closing."""
        return Closing(self.schedule, 1)


@dataclass(frozen=True)
class Closing(Phase):
    """Newton to convergence, and every deletion that does not lower the evidence."""

    schedule: Schedule
    number: int

    def climb(self, posterior: Posterior, tol: float) -> Posterior:
        """Climb as the class says."""
        return climb_by_newton(posterior, tol, self.schedule.closing_steps, np.inf)

    def after_no_addition(self) -> Phase:
        """Closing again, or steady steps."""
        if self.number < self.schedule.closing_rounds:
            return Closing(self.schedule, self.number + 1)
        return Steady(self.schedule, 1)


@dataclass(frozen=True)
class Steady(Phase):
    """MacKay's steps: Newton's, with the curvature held, can overshoot from mode to mode."""

    schedule: Schedule
    number: int

    @property
    def exhausted(self) -> bool:  # type: ignore[override]
        """Whether there have been enough of these."""
        return self.number > self.schedule.steady_rounds

    def climb(self, posterior: Posterior, tol: float) -> Posterior:
        """Climb as the class says."""
        return climb_steadily(posterior, tol, self.schedule.steady_steps)

    def after_no_addition(self) -> Phase:
        """Steady steps again."""
        return Steady(self.schedule, self.number + 1)


def climb_by_newton(posterior: Posterior, tol: float, max_steps: int, below: float) -> Posterior:
    """Newton steps, each with deletions among candidates less determined than `below`."""
    for _ in range(max_steps):
        if largest_gradient(posterior) <= tol or posterior.problem.work.exhausted:
            break
        moved = newton_step(posterior)
        if moved is posterior:
            break
        posterior = without(moved, removable(moved, below))
    return without(posterior, removable(posterior, below))


def climb_steadily(posterior: Posterior, tol: float, max_steps: int) -> Posterior:
    """MacKay's steps, each at a mode of its own, and then deletions."""
    for _ in range(max_steps):
        if largest_gradient(posterior) <= tol or posterior.problem.work.exhausted:
            break
        posterior = posterior.at(mackay_update(posterior)).refreshed()
    gone = removable(posterior)
    return without(posterior, gone).refreshed() if len(gone) else posterior
