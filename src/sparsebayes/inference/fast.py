"""The active-set maximiser of the evidence: top-down start, Newton steps, exact moves in blocks.

1. Start top-down: many columns under a weak prior, and a few of MacKay's re-estimates with pruning.
   Columns of a wide kernel are useful only together, and a search that adds them one by one to an
   empty model stops before it has found any. The columns are those that follow a dense model, where
   there is one; or all; or, of many, such as span the others.
2. Grow: a few Newton steps on the log precisions, deletions where the evidence does not fall by
   them, then one survey of all candidates and the addition of a block of them.
3. Close: when no candidate gains more than `tol`, Newton to convergence, and a last survey.
   Settled means that every derivative is below `tol` and that no candidate gains more than `tol`.
4. Price: where columns have a price, those that are not worth it go, and the search is begun anew
   from no column, or from a part of a path of them (see `path`) where plain columns are many for
   the rows; the better of the two ends is kept.

5. Swap: of plain columns that are many, or of groups, one that is kept is exchanged for one that is
   like it, where that raises the evidence (see `swapping`).

Where plain columns are many and have a price by themselves (`min_gain="auto"`), that path is the
only start.

Steps and deletions are made only if the evidence does not fall, and additions have exact gains,
so with a Gaussian likelihood it never falls from round to round. With others this holds for the
moves of a round, which hold the curvature, and not across the expansion at the new mode between
rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.evidence import candidate_relevance, objective
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference.addition import (
    NO_BLOCK,
    CandidateBlock,
    KnownProducts,
    choose_block,
    choose_group,
    extend,
    first_products,
    survey,
)
from sparsebayes.inference.deletion import prefers, removable, without_the_dear
from sparsebayes.inference.inclusion import inclusion
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.path import anew
from sparsebayes.inference.phases import Phase, Schedule, climb_steadily, top_down
from sparsebayes.inference.prices import AUTO, Prices, check_min_gain, prices_of
from sparsebayes.inference.start import nothing_of
from sparsebayes.inference.state import Fit, State
from sparsebayes.inference.swapping import best_swap
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem


class SearchProgress(NamedTuple):
    """What the search remembers from round to round.

    Attributes
    ----------
    products : inner products that are known
    phase : of the next round
    prices : of the candidates
    best : the highest objective so far
    idle : how many rounds ago it was reached
    priced : how many times candidates were deleted that were not worth their price
    swaps : how many times a candidate was exchanged for another
    rival : where the search ended before it was begun anew
    """

    products: KnownProducts
    phase: Phase
    prices: Prices
    best: float = -np.inf
    idle: int = 0
    priced: int = 0
    swaps: int = 0
    rival: Posterior | None = None

    def after(self, value: float, tol: float) -> SearchProgress:
        """The progress after a round that ended at this objective."""
        if value > self.best + tol:
            return self._replace(best=value, idle=0)
        return self._replace(idle=self.idle + 1)


@dataclass(repr=False)
class Fast(Inference):
    """The relevance vector machine of the papers: few columns, each with a precision of its own.

    A column is a kernel on a training row, or any other function of the inputs. The search
    maximises the *evidence*, the probability of the targets with all weights averaged out. It adds
    and deletes columns in blocks and re-estimates the precisions of those in the model. This is the
    default of `SparseBayesRegressor` and `SparseBayesClassifier` for columns without a kernel.

    Parameters
    ----------
    min_gain : float or "auto", default="auto"
        What a column must add to the log evidence to be kept. "auto" is log(m) + 1 for a plain
        column, such as those of `Linear`, if it was chosen from m: itself and those that are not in
        the model. The evidence alone would keep many columns of pure noise. It is 0 for kernels,
        and for plain columns beside them unless these are more than a quarter of the rows. With 0
        the model is that of the papers.
    weight_hyperprior : Gamma, default=None
        Prior over the precisions of the weights; flat by default. With any other prior no precision
        becomes infinite, so all columns stay in the model, which takes O(N^3) for N rows, and the
        units of the columns matter.
    noise_hyperprior : Gamma, default=None
        Prior over the precision of the noise; flat by default.
    schedule : Schedule, default=Schedule()
        How long each phase of the search is, a ``sparsebayes.inference.phases.Schedule``. There
        should be no need to change it.

    See Also
    --------
    Projection : Follows a Gaussian process: better error bars, a few more vectors.
    Mackay : The fixed point of the paper, for comparison.

    Notes
    -----
    How it works: https://sparsebayes.example/theory/inference.html

    References
    ----------
    M. E. Tipping and A. C. Faul (2003), Fast Marginal Likelihood Maximisation for Sparse Bayesian
    Models, Ninth International Workshop on Artificial Intelligence and Statistics.

    Examples
    --------
    >>> from sparsebayes import RVR, Fast
    >>> from sparsebayes.datasets import noisy_sinc
    >>> X, y = noisy_sinc(100, random_state=0)
    >>> model = RVR(inference=Fast(min_gain=2.0)).fit(X, y)
    >>> len(model.relevance_) < 10
    True
    """

    min_gain: float | str = AUTO
    weight_hyperprior: Gamma | None = None
    noise_hyperprior: Gamma | None = None
    schedule: Schedule = Schedule()

    def check(self) -> None:
        """An error for a parameter that is out of its range."""
        super().check()
        check_min_gain(self.min_gain)
        if not isinstance(self.schedule, Schedule):
            raise ValueError(
                f"schedule must be a sparsebayes.inference.phases.Schedule, got {self.schedule!r}."
            )

    def init(self, problem: Problem, candidates: np.ndarray | None = None) -> State:
        """A few re-estimates from a weak prior on candidates that can say what all can say.

        Or the part of a path that pays, where plain columns are many.
        """
        prices = prices_of(self.min_gain, problem)
        if problem.labels is not None or (self.min_gain == AUTO and prices.many and prices.any):
            posterior, nothing = anew(problem, prices), nothing_of(problem)
        else:
            posterior, nothing = top_down(problem, self.schedule, candidates), None
        growing = Phase(self.schedule)
        progress = SearchProgress(first_products(posterior), growing, prices, rival=nothing)
        return State(posterior, memory=progress)

    @property
    def takes_groups(self) -> bool:  # type: ignore[override]
        """Unless a hyperprior makes all columns stay."""
        return self._lets_go

    def price(self, problem: Problem, active: np.ndarray) -> float:
        """The price of the columns of a model; see `prices`."""
        return prices_of(self.min_gain, problem).of(active)

    def doubts(self, problem: Problem) -> bool:
        """Where plain columns are so many that they have a price by themselves."""
        prices = prices_of(AUTO, problem)
        return self._lets_go and self.min_gain == AUTO and prices.many and prices.any

    def step(self, problem: Problem, state: State, tol: float) -> State:
        """One round: climb, survey all candidates, add a block of them."""
        progress = state.memory
        posterior = climb_safely(progress.phase, state.posterior, tol, self.schedule)
        progress = progress.after(objective(posterior), tol)
        block = self._choose(posterior, progress, tol)
        if len(block.candidates):
            return self._grown(posterior, block, progress)
        progress = progress._replace(phase=progress.phase.after_no_addition())
        still = State(posterior, largest_gain=block.largest_gain, memory=progress)
        if largest_gradient(posterior) > tol or len(removable(posterior)):
            stalled = progress.phase.exhausted
            return replace(still, settled=stalled, stalled=stalled)
        return self._priced(replace(still, settled=True))

    def inclusion(self, fit: Fit) -> np.ndarray | None:
        """How probable columns are; not known of groups, nor where all columns stay."""
        flat, alone = fit.problem.weight_hyperprior.is_flat, fit.problem.labels is None
        return inclusion(fit) if flat and alone else None

    @property
    def _lets_go(self) -> bool:
        """Whether no hyperprior makes all columns stay."""
        return self.weight_hyperprior is None or self.weight_hyperprior.is_flat

    def _choose(self, posterior: Posterior, progress: SearchProgress, tol: float) -> CandidateBlock:
        """The block to add; none while additions have not raised the evidence for long."""
        idle = progress.idle >= self.schedule.idle_rounds
        if idle or not posterior.problem.weight_hyperprior.is_flat:
            return NO_BLOCK
        every = survey(posterior, progress.products)
        least_gain = np.maximum(tol, progress.prices.beside(posterior.active))
        if posterior.problem.labels is not None:
            return choose_group(posterior, every, least_gain)
        relevance = candidate_relevance(posterior, every)
        return choose_block(posterior, relevance, every, least_gain, self.schedule.block)

    def _grown(
        self, posterior: Posterior, block: CandidateBlock, progress: SearchProgress
    ) -> State:
        """The state with a block added."""
        products = progress.products.with_more(posterior.problem, block.candidates)
        grown = extend(posterior, block, products)
        later = progress._replace(products=products, phase=Phase(self.schedule))
        return State(grown, largest_gain=block.largest_gain, memory=later)

    def _priced(self, state: State) -> State:
        """The settled state, or a next one: without candidates below their price, or begun anew.

        A model that passes through the targets makes each of its columns look worth its price, and
        columns that cancel can end below a model of none. Then the search is begun anew from few
        columns or none, and the better of the two ends is kept.
        """
        posterior, progress = state.posterior, state.memory
        prices = progress.prices
        if prices.any and progress.priced < self.schedule.priced_rounds:
            cheaper = without_the_dear(posterior, prices)
            if cheaper is not None:
                later = progress._replace(priced=progress.priced + 1)
                return State(cheaper, memory=later)
        if progress.swaps < self.schedule.swaps and (swapped := self._swapped(state)) is not None:
            return swapped
        if progress.rival is None:
            if not prices.any and not prefers(nothing_of(posterior.problem), posterior, prices):
                return state
            start, growing = anew(posterior.problem, prices), Phase(self.schedule)
            products = progress.products.with_more(posterior.problem, start.active)
            fresh = SearchProgress(products, growing, prices, rival=posterior)
            return State(start, memory=fresh)
        if not prefers(progress.rival, posterior, prices):
            return state
        return State(progress.rival, settled=True, memory=progress)

    def _swapped(self, state: State) -> State | None:
        """The next state with a kept column or group in exchange for another; None without one.

        Only of plain columns that are many, or of groups.
        """
        posterior, progress = state.posterior, state.memory
        prices, flat = progress.prices, state.posterior.problem.weight_hyperprior.is_flat
        plain = prices.many and prices.any and posterior.problem.layout.n_classes == 1
        if not flat or not (plain or posterior.problem.labels is not None):
            return None
        found = best_swap(posterior, progress.products, prices, self.schedule.least_swap)
        if found is None:
            return None
        growing = Phase(self.schedule)
        later = progress._replace(products=found.products, phase=growing, swaps=progress.swaps + 1)
        return State(found.posterior, memory=later)


def climb_safely(phase: Phase, posterior: Posterior, tol: float, schedule: Schedule) -> Posterior:
    """The climb of a phase, or MacKay's steps if the objective falls at the mode where that ends.

    It holds the curvature. Where classes are nearly separable, that can be far off.
    """
    climbed = phase.climb(posterior, tol).refreshed()
    if posterior.problem.likelihood.constant_curvature:
        return climbed
    if objective(climbed) >= objective(posterior) - tol:
        return climbed
    return max(climbed, climb_steadily(posterior, tol, schedule.steady_steps), key=objective)
