"""The phases of "fast": a start from many columns, growing, closing, and steady steps.

Steady steps are for where Newton's do not come to an end.

top-down start -> growing --nothing to add--> closing, 10 rounds at most -> steady, 50 at most
                  ^---------something was added----------------------------|
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from sparsebayes import statistics
from sparsebayes.columns import NO_ROW, spread
from sparsebayes.evidence import objective
from sparsebayes.inference.addition import BlockSize
from sparsebayes.inference.deletion import all_but, removable, without
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.newton import newton_step
from sparsebayes.inference.reestimation import mackay_update
from sparsebayes.inference.start import spanning_columns, weak_start
from sparsebayes.likelihoods import Frozen
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem


@dataclass(frozen=True)
class Schedule:
    """How long each phase of "fast" is.

    Attributes
    ----------
    start_steps : re-estimates at the start; more reach a slightly better optimum, and cost more
    known_steps : re-estimates from candidates that are known to be good, where more gain nothing
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


@dataclass(frozen=True)
class Phase:
    """How a round climbs, by how many rounds before it had nothing to add.

    Without any it is *growing*: a few Newton steps, and only candidates that hardly matter are
    deleted. Then it is *closing*: Newton to convergence, and every deletion that does not lower the
    evidence. At last steps are *steady*, MacKay's: Newton's, with the curvature held, can overshoot
    from mode to mode.
    """

    schedule: Schedule
    number: int = 0

    @property
    def exhausted(self) -> bool:
        """Whether there have been enough steady rounds."""
        return self.number > self.schedule.closing_rounds + self.schedule.steady_rounds

    def climb(self, posterior: Posterior, tol: float) -> Posterior:
        """The posterior after the steps and deletions of a round."""
        how = self.schedule
        if not self.number:
            return climb_by_newton(posterior, tol, how.growing_steps, how.poorly_when_growing)
        if self.number <= how.closing_rounds:
            return climb_by_newton(posterior, tol, how.closing_steps, np.inf)
        return climb_steadily(posterior, tol, how.steady_steps)

    def after_no_addition(self) -> Phase:
        """The phase of the next round, where this one had nothing to add."""
        return Phase(self.schedule, self.number + 1)


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


def top_down(
    problem: Problem, schedule: Schedule, candidates: np.ndarray | None = None
) -> Posterior:
    """The posterior after a few re-estimates of many candidates.

    Where the curvature varies, the quadratic at f = 0 takes the place of the likelihood at first,
    and stays there for all these steps if rows and candidates are many. With the curvature held,
    steps can lose their way: of rows that are sure it is next to nothing, and so are then all
    weights. So the highest of the modes on the way is where they end.

    Parameters
    ----------
    candidates : that are known to follow the targets; if none are, such as span all others
    """
    varies = not problem.likelihood.constant_curvature
    first = problem.changed(likelihood=Frozen(problem.likelihood)) if varies else problem
    posterior = weak_start(first, start_candidates(first, schedule, candidates))
    if varies and len(problem.data.target) * len(posterior.active) ** 2 <= schedule.start_work:
        posterior = replace(posterior, problem=problem).refreshed()
    n_steps = schedule.start_steps if candidates is None else schedule.known_steps
    modes = []
    for number in range(n_steps):
        updated = mackay_update(posterior)
        gone = removable(posterior, schedule.poorly_at_start)
        kept = all_but(posterior, gone) if len(gone) else None
        posterior = posterior.at(updated if kept is None else updated.of(kept), kept)
        varies = not posterior.problem.likelihood.constant_curvature
        if varies and number % schedule.start_refresh == 0:
            posterior = posterior.refreshed()
            modes.append(posterior)
    modes.append(replace(posterior, problem=problem).refreshed())
    return max(reversed(modes), key=objective)


def start_candidates(
    problem: Problem, schedule: Schedule, known: np.ndarray | None
) -> np.ndarray | None:
    """Which candidates a fit starts with (k,); None for all of them.

    Those that are known to be good, or such as span all others; and some more, spread evenly. If
    no candidate will ever leave or enter, all of them.
    """
    few = known is None and problem.n_candidates <= schedule.first_look
    if few or not problem.weight_hyperprior.is_flat:
        return None
    chosen = spanning_candidates(problem, schedule) if known is None else known
    return np.union1d(chosen, some_of_each(problem, schedule))


def some_of_each(problem: Problem, schedule: Schedule) -> np.ndarray:
    """One in so many of the candidates of each kind of columns, evenly spaced.

    Of plain columns beside a kernel it is all, as long as they are few. Kinds are taken one by one,
    so that their order does not matter.
    """
    part = min(1.0, schedule.start_columns / problem.n_candidates) / schedule.one_in
    found, start, beside = [], 0, len(problem.columns.kinds) > 1
    for kind in problem.columns.kinds:
        own, plain = np.arange(start, start + kind.n_columns), kind.centre_rows == NO_ROW
        few = beside and plain.all() and len(own) <= schedule.few_plain
        found.append(own if few else spread(own, max(2, int(part * len(own)))))
        start += kind.n_columns
    columns = np.concatenate(found)
    classes = problem.n_columns * np.arange(problem.layout.n_classes)
    return np.add.outer(classes, columns).ravel()


def spanning_candidates(problem: Problem, schedule: Schedule) -> np.ndarray:
    """Candidates that span all others (k,), or as many as may start if it takes too many.

    They are looked for among few, evenly spaced. Unless these are at least twice as many as it
    takes, they may not say all that others can.
    """
    some = spread(np.arange(problem.n_candidates), schedule.first_look)
    gram = statistics.gram(problem, some, problem.no_weights(len(some)))
    spanning = some[spanning_columns(gram)]
    if 2 * len(spanning) <= len(some):
        return spanning
    return spread(np.arange(problem.n_candidates), schedule.start_columns)
