"""The active-set maximiser of the evidence: top-down start, Newton steps, exact moves in blocks.

1. Start top-down: all columns (or a subset, where there are many) under a weak prior, and a few
   of MacKay's re-estimates with pruning. Columns of a wide kernel are useful only together, and a
   search that adds them one by one to an empty model stops before it has found any.
2. Rounds: a few Newton steps on the log precisions, deletions where the evidence does not fall by
   them, then one survey of all candidates and the addition of a block of them.
3. When no candidate gains more than `tol`: Newton to convergence, and a last survey. Settled means
   that every derivative is below `tol` and that no candidate gains more than `tol`.

Steps and deletions are made only if the evidence does not fall, and additions have exact gains,
so with a Gaussian likelihood it never falls from round to round. With others this holds for the
moves of a round, which hold the curvature, and not across the expansion at the new mode between
rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sparsebayes.evidence import candidate_relevance, log_evidence, objective
from sparsebayes.inference.addition import NO_BLOCK, Block, choose_block
from sparsebayes.inference.deletion import all_but, doubtful, weak, without
from sparsebayes.inference.loop import Start, State, largest_gradient
from sparsebayes.inference.memory import Memory, extend, learn, remember, survey
from sparsebayes.inference.newton import ascend
from sparsebayes.inference.reestimation import mackay
from sparsebayes.inference.start import empty, null_noise_precision, resume, weak_start
from sparsebayes.posterior import Posterior, refresh, revise
from sparsebayes.problem import Problem

# Re-estimates at the start. More of them reach a slightly better optimum, and cost more.
START_STEPS = 30
# Columns at the start. Each step factorises a matrix of this size.
START_COLUMNS = 2048
# The same where a stand-in for the likelihood takes the first steps.
STAND_IN_COLUMNS = 1024
# Rows times squared columns up to which a start with varying curvature is affordable.
START_WORK = 3e8
NEWTON_STEPS = 2
CLOSING_STEPS = 100
# Rounds with nothing to add before Newton's steps give way to MacKay's, how many of those a round
# takes, and after how many such rounds a gradient above tol is put down to rounding.
NEWTON_ROUNDS = 10
STEADY_STEPS = 20
STEADY_ROUNDS = 50
# Rounds without a rise of the evidence after which nothing more is added. Needed only where the
# curvature varies: there an addition can lower the evidence at the new mode, for ever.
IDLE_ROUNDS = 10
# Times that columns below their price are deleted. Without a limit, a likelihood of varying
# curvature can delete and add the same column for ever.
PRICED_ROUNDS = 10
# Columns are deleted only below this well-determinedness, at the start and until the last rounds.
POORLY_AT_START = 1e-3
POORLY_IN_ROUNDS = 1e-2


@dataclass(frozen=True)
class Fast:
    """The inference "fast".

    Parameters
    ----------
    tol : the largest derivative, and the largest gain of a candidate, at which it may stop
    start : precisions to start from, instead of top-down
    min_gain : what a column must add to the log evidence to be kept
    """

    tol: float
    start: Start | None = None
    min_gain: float = 0.0

    def init(self, problem: Problem) -> State:
        """A few re-estimates from a weak prior on all columns, or on an even subset of them."""
        flat = problem.weight_hyperprior.is_flat
        posterior = resume(problem, self.start) if self.start and flat else top_down(problem)
        return State(posterior, memory=remember(problem, posterior))

    def step(self, problem: Problem, state: State) -> State:
        """One round: climb, survey all candidates, add a block of them."""
        memory = state.memory
        posterior = self._climb_safely(problem, state.posterior, memory.closing)
        memory = memory.after(objective(problem, posterior), self.tol)
        block = self._choose(problem, posterior, memory)
        if len(block.columns):
            memory = learn(problem, memory, block.columns)
            grown = extend(problem, posterior, block, memory)
            return State(grown, largest_gain=block.largest_gain, memory=memory._replace(closing=0))
        memory = memory._replace(closing=memory.closing + 1)
        still = State(posterior, largest_gain=block.largest_gain, memory=memory)
        if largest_gradient(problem, posterior) > self.tol or len(doubtful(problem, posterior)):
            stalled = memory.closing > NEWTON_ROUNDS + STEADY_ROUNDS
            return replace(still, settled=stalled, stalled=stalled)
        return self._finish(problem, replace(still, settled=True))

    def _climb_safely(self, problem, posterior, closing: int) -> Posterior:
        """`_climb`, or MacKay's steps if the objective falls at the mode where that ends.

        It holds the curvature. Where classes are nearly separable, that can be far off.
        """
        climbed = refresh(problem, self._climb(problem, posterior, closing))
        if problem.likelihood.constant_curvature:
            return climbed
        if objective(problem, climbed) >= objective(problem, posterior) - self.tol:
            return climbed
        steady = self._climb_steadily(problem, posterior)
        return max(climbed, steady, key=lambda each: objective(problem, each))

    def _climb(self, problem, posterior, closing: int) -> Posterior:
        """Newton steps with deletions; to convergence where nothing was left to add."""
        if closing > NEWTON_ROUNDS:
            return self._climb_steadily(problem, posterior)
        below = np.inf if closing else POORLY_IN_ROUNDS
        for _ in range(CLOSING_STEPS if closing else NEWTON_STEPS):
            if largest_gradient(problem, posterior) <= self.tol:
                break
            moved = ascend(problem, posterior)
            if moved is posterior:
                break
            posterior = without(moved, doubtful(problem, moved, below))
        return without(posterior, doubtful(problem, posterior, below))

    def _climb_steadily(self, problem, posterior) -> Posterior:
        """MacKay's steps, each at a mode of its own.

        Newton's method with the curvature held can overshoot from mode to mode; these do not.
        """
        for _ in range(STEADY_STEPS):
            if largest_gradient(problem, posterior) <= self.tol:
                break
            revised = revise(posterior, *mackay(self.tol).update(problem, posterior))
            posterior = refresh(problem, revised)
        return without(posterior, doubtful(problem, posterior))

    def _finish(self, problem: Problem, state: State) -> State:
        """The settled state, or a next one: without columns below `min_gain`, or begun anew.

        A model that passes through the targets makes each of its columns look worth its price, and
        columns that cancel can end below a model of none. Then the search is begun anew from no
        column, and the better of the two ends is kept.
        """
        posterior, memory = state.posterior, state.memory
        if self.min_gain > 0.0 and memory.priced < PRICED_ROUNDS:
            gone = weak(posterior, self.min_gain)
            if len(gone):
                later = memory._replace(priced=memory.priced + 1)
                return State(without(posterior, gone), memory=later)
        if memory.rival is None:
            nothing = empty(problem, null_noise_precision(problem))
            if self.min_gain <= 0.0 and not self._prefers(problem, nothing, posterior):
                return state
            fresh = memory._replace(best=-np.inf, idle=0, closing=0, priced=0, rival=posterior)
            return State(nothing, memory=fresh)
        if not self._prefers(problem, memory.rival, posterior):
            return state
        return State(memory.rival, settled=True, memory=memory)

    def _prefers(self, problem: Problem, other: Posterior, posterior: Posterior) -> bool:
        """Whether another model is better; with a proper hyperprior all columns are to stay."""
        flat = problem.weight_hyperprior.is_flat
        return flat and self._worth(problem, other) > self._worth(problem, posterior)

    def _worth(self, problem: Problem, posterior: Posterior) -> float:
        """Log evidence less the price of the columns."""
        return log_evidence(problem, posterior) - self.min_gain * len(posterior.active)

    def _choose(self, problem, posterior, memory: Memory) -> Block:
        """The block to add; none while additions have not raised the evidence for long."""
        if not problem.weight_hyperprior.is_flat or memory.idle >= IDLE_ROUNDS:
            return NO_BLOCK
        every = survey(problem, posterior, memory)
        relevance = candidate_relevance(posterior, every)
        least_gain = max(self.tol, self.min_gain)
        return choose_block(problem, posterior, relevance, every, least_gain)


def top_down(problem: Problem) -> Posterior:
    """The posterior after a few re-estimates of many columns."""
    stand_in, most = problem, START_COLUMNS
    work = len(problem.rows.target) * min(problem.n_candidates, most) ** 2
    if not problem.likelihood.constant_curvature and work > START_WORK:
        stand_in, most = replace(problem, likelihood=problem.likelihood.frozen()), STAND_IN_COLUMNS
    if not problem.weight_hyperprior.is_flat:  # no column will ever leave or enter
        most = problem.n_candidates
    posterior = weak_start(stand_in, even_subset(problem.n_candidates, most))
    for _ in range(START_STEPS):
        weight_precision, noise_precision = mackay(0.0).update(stand_in, posterior)
        kept = all_but(posterior, doubtful(stand_in, posterior, POORLY_AT_START))
        posterior = revise(posterior, weight_precision[kept], noise_precision, kept)
        if not stand_in.likelihood.constant_curvature:
            posterior = refresh(stand_in, posterior)
    return refresh(problem, posterior)


def even_subset(total: int, most: int) -> np.ndarray:
    """At most `most` of `total` indices, evenly spaced."""
    return np.unique(np.linspace(0, total - 1, min(total, most)).round().astype(np.intp))
