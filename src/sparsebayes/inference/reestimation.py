"""Re-estimation of all precisions at once, by MacKay's or by EM updates, with pruning.

It starts from all candidates and a weak prior. Candidates that become poorly determined are
deleted, in blocks, wherever the evidence does not fall by it. When the gradient has vanished,
deleted candidates are tried once more, and the best is re-admitted if it would raise the evidence.
[T01] section 2.3, appendices A and B.1
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes import statistics
from sparsebayes.evidence import candidate_relevance, objective
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference.addition import CandidateBlock, with_block
from sparsebayes.inference.deletion import removable, without
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.start import weak_start
from sparsebayes.inference.state import State
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Precisions, Problem

# Candidates are deleted only below this well-determinedness. [T01] B.1
POORLY_DETERMINED = 1e-3
# What the data say of a weight is rounding error below this part of it.
LEAST_DETERMINED = 1e-12
# Below this part of the rows, the degrees of freedom left for the noise are rounding error.
SCARCELY_FREE = 1e-3
# Beyond these multiples of what the data say of it, the precision of a column changes nothing.
LEAST_MULTIPLE, LARGEST_MULTIPLE = 1e-40, 1e14
# A stretched step changes no precision by more than exp of this.
LONGEST_LOG_STEP = 5.0


class Reestimation(Inference):
    """An inference that replaces every precision by its re-estimate, and prunes.

    Attributes
    ----------
    growth : by how much steps on log precisions are stretched more each time that one of them has
        raised the objective. The fixed points stay where they are
    """

    growth: float = 1.0

    @abstractmethod
    def update(self, posterior: Posterior) -> Precisions:
        """All precisions, re-estimated."""

    def init(self, problem: Problem, candidates: np.ndarray | None = None) -> State:
        """All columns that are not zero everywhere, with a weak prior."""
        return State(weak_start(problem))

    def step(self, problem: Problem, state: State, tol: float) -> State:
        """One deletion of a block, or one re-estimate of all precisions, or one admission."""
        posterior = state.posterior
        stationary = largest_gradient(posterior) <= tol
        gone = removable(posterior, np.inf if stationary else POORLY_DETERMINED)
        if len(gone):
            return State(without(posterior, gone).refreshed(), memory=state.memory)
        if not stationary:
            return self._reestimated(posterior, state.memory or 1.0)
        admitted, gain = admit_best(posterior, tol)
        return State(admitted, settled=admitted is posterior, largest_gain=gain)

    def _reestimated(self, posterior: Posterior, stretch: float) -> State:
        """All precisions re-estimated, by a longer step if that leads higher."""
        updated = self.update(posterior)
        if stretch > 1.0:
            bold = posterior.at(stretched(posterior, updated, stretch)).refreshed()
            if objective(bold) > objective(posterior):
                return State(bold, memory=self.growth * stretch)
        return State(posterior.at(updated).refreshed(), memory=self.growth)


@dataclass(repr=False)
class Mackay(Reestimation):
    """Re-estimate all precisions at once by MacKay's fixed point, as Tipping (2001) does.

    It fits the model of `Fast`, mostly for comparison with the papers. It begins with all columns,
    so its first steps are slow where rows are many. A step need not raise the evidence.

    Parameters
    ----------
    weight_hyperprior : Gamma, default=None
        Prior over the precisions of the weights; flat by default. With any other prior no precision
        becomes infinite, so all columns stay in the model, which takes O(N^3) for N rows, and the
        units of the columns matter.
    noise_hyperprior : Gamma, default=None
        Prior over the precision of the noise; flat by default.

    See Also
    --------
    Fast : Finds the same kind of model, sooner.
    EM : Smaller steps, which do not lower the evidence of Gaussian noise.

    Notes
    -----
    How it works: https://sparsebayes.example/theory/inference.html

    References
    ----------
    M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine, Journal of
    Machine Learning Research 1, 211-244, equations (16) to (18).

    Examples
    --------
    >>> from sparsebayes import RVR, Mackay
    >>> from sparsebayes.datasets import noisy_sinc
    >>> model = RVR(gamma=0.1, inference=Mackay()).fit(*noisy_sinc(60, random_state=0))
    >>> model.outcome_.name
    'CONVERGED'
    """

    weight_hyperprior: Gamma | None = None
    noise_hyperprior: Gamma | None = None

    def update(self, posterior: Posterior) -> Precisions:
        """The precisions of weights and noise, re-estimated by the fixed point."""
        return mackay_update(posterior)


@dataclass(repr=False)
class EM(Reestimation):
    """Re-estimate all precisions by expectation-maximisation: slow and steady.

    It fits the model of `Fast`, mostly for comparison with the papers. With a Gaussian likelihood
    the evidence never falls. Steps on log precisions are made longer as long as the evidence rises,
    since the precision of a column that should leave the model grows slowly otherwise.

    Parameters
    ----------
    weight_hyperprior : Gamma, default=None
        Prior over the precisions of the weights; flat by default, see `Mackay`.
    noise_hyperprior : Gamma, default=None
        Prior over the precision of the noise; flat by default.

    See Also
    --------
    Mackay : Larger steps.
    Fast : Finds the same kind of model, sooner.

    Notes
    -----
    How it works: https://sparsebayes.example/theory/inference.html

    References
    ----------
    M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine, Journal of
    Machine Learning Research 1, 211-244, equations (43), (48) and (50).

    Examples
    --------
    >>> from sparsebayes import EM, RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> model = RVR(gamma=0.1, inference=EM()).fit(*noisy_sinc(30, random_state=0))
    >>> model.outcome_.name
    'CONVERGED'
    """

    weight_hyperprior: Gamma | None = None
    noise_hyperprior: Gamma | None = None

    growth = 1.5

    def update(self, posterior: Posterior) -> Precisions:
        """The precisions of weights and noise that maximise the expected log joint density."""
        return em_update(posterior)


def stretched(posterior: Posterior, updated: Precisions, stretch: float) -> Precisions:
    """Precisions on the way to updated ones, and beyond: log precisions change `stretch` times."""
    problem, noise = posterior.problem, updated.noise
    if problem.noise.estimated:
        farther = beyond(posterior.noise_precision, noise, stretch, LONGEST_LOG_STEP)
        noise = min(farther, problem.noise_precision_ceiling)
    weight = beyond(posterior.weight_precision, updated.weight, stretch, LONGEST_LOG_STEP)
    return Precisions(weight, float(noise))


def beyond(before: Any, after: Any, stretch: float, longest: float) -> Any:
    """Numbers whose logarithms change `stretch` times as much, but by no more than `longest`."""
    return before * np.exp(np.clip(stretch * np.log(after / before), -longest, longest))


def mackay_update(posterior: Posterior) -> Precisions:
    """MacKay's re-estimates."""
    return Precisions(_mackay_weights(posterior), _mackay_noise(posterior))


def em_update(posterior: Posterior) -> Precisions:
    """EM's re-estimates."""
    return Precisions(_em_weights(posterior), _em_noise(posterior))


def _mackay_weights(posterior: Posterior) -> np.ndarray:
    """alpha = (gamma + 2a) / (mu^2 + 2b), gamma and mu^2 summed over outputs and groups. [T01] (44)

    As it is where the curvature of all rows that a column reaches has underflowed to zero, and
    where next to nothing is left of gamma but rounding: 0 / mu^2 would bring a column that is
    all but gone back with next to no prior.
    """
    problem, active = posterior.problem, posterior.active
    prior = problem.weight_hyperprior
    determined = problem.over_groups(active, posterior.well_determined)
    numerator = posterior.n_outputs * determined + 2.0 * prior.shape
    second_moment = problem.over_groups(active, posterior.power) + 2.0 * prior.rate
    precision = np.full_like(numerator, np.inf)
    np.divide(numerator, second_moment, out=precision, where=second_moment > 0.0)
    own = posterior.noise_precision * problem.over_groups(active, posterior.gram.diagonal())
    within = np.maximum(np.minimum(precision, LARGEST_MULTIPLE * own), LEAST_MULTIPLE * own)
    known = (within > 0.0) & (numerator > LEAST_DETERMINED)
    return np.where(known, within, posterior.weight_precision)


def _em_weights(posterior: Posterior) -> np.ndarray:
    """alpha = (1 + 2a) / (mu^2 + Sigma_ii + 2b), all but a and b summed over outputs. [T01] (48)"""
    prior, n_outputs = posterior.problem.weight_hyperprior, posterior.n_outputs
    second_moment = posterior.power + n_outputs * posterior.variance
    return (n_outputs + 2.0 * prior.shape) / (second_moment + 2.0 * prior.rate)


def _mackay_noise(posterior: Posterior) -> float:
    """sigma^2 = (||t - Phi mu||^2 + 2d) / (n - sum gamma + 2c). [T01] (46)

    Where hardly a degree of freedom is left for the noise this is 0 / 0, and EM's update is used.
    """
    problem = posterior.problem
    free = problem.total_weight - posterior.well_determined.sum()
    free += 2.0 * problem.noise_hyperprior.shape
    if free < SCARCELY_FREE * problem.total_weight:
        return _em_noise(posterior)
    return _noise_precision(posterior, free, posterior.residual_energy)


def _em_noise(posterior: Posterior) -> float:
    """sigma^2 = (||t - Phi mu||^2 + sigma^2 sum gamma + 2d) / (n + 2c). [T01] (50)"""
    problem = posterior.problem
    explained = posterior.well_determined.sum() / posterior.noise_precision
    n_rows = problem.total_weight + 2.0 * problem.noise_hyperprior.shape
    return _noise_precision(posterior, n_rows, posterior.residual_energy + explained)


def _noise_precision(posterior: Posterior, numerator: float, energy: float) -> float:
    """numerator / (energy + 2d), at most the ceiling; as it is where it is not estimated."""
    problem = posterior.problem
    if not problem.noise.estimated:
        return posterior.noise_precision
    energy = energy + 2.0 * problem.noise_hyperprior.rate
    ceiling = problem.noise_precision_ceiling
    return ceiling if numerator >= ceiling * energy else float(numerator / energy)


def admit_best(posterior: Posterior, least_gain: float) -> tuple[Posterior, float]:
    """The posterior with the candidate of the largest gain, or itself if it is too small; the gain.

    With a proper hyperprior no candidate was deleted for the evidence's sake, and none is tried.
    """
    problem = posterior.problem
    if not problem.weight_hyperprior.is_flat:
        return posterior, np.nan
    every = statistics.candidates(problem, posterior.active, posterior.mean)
    relevance = candidate_relevance(posterior, every)
    best = int(np.argmax(relevance.gain))
    gain = float(relevance.gain[best])
    if gain <= least_gain:
        return posterior, gain
    block = CandidateBlock(np.array([best]), relevance.best_precision[[best]], gain)
    return with_block(posterior, block), gain
