"""Re-estimation of all precisions at once, by MacKay's or by EM updates, with pruning.

It starts from all candidates and a weak prior. Columns that become poorly determined are deleted,
in blocks, wherever the evidence does not fall by it. When the gradient has vanished, deleted
columns are tried once more, and the best is re-admitted if it would raise the evidence.
[T01] section 2.3, appendices A and B.1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sparsebayes import statistics
from sparsebayes.evidence import candidate_relevance
from sparsebayes.inference.addition import Block, with_block
from sparsebayes.inference.deletion import doubtful, without
from sparsebayes.inference.loop import Start, State, largest_gradient
from sparsebayes.inference.start import resume, weak_start
from sparsebayes.posterior import Posterior, refresh, revise
from sparsebayes.problem import Problem

# Columns are deleted only below this well-determinedness. [T01] B.1
POORLY_DETERMINED = 1e-3
# Below this part of the rows, the degrees of freedom left for the noise are rounding error.
SCARCELY_FREE = 1e-3


@dataclass(frozen=True)
class Reestimation:
    """An inference that replaces every precision by its re-estimate, and prunes.

    Parameters
    ----------
    weight_update, noise_update : (problem, posterior) -> new precisions
    tol : the largest derivative of the objective for a log precision at which it may stop
    start : precisions to start from, instead of a weak prior on all columns
    """

    weight_update: Callable[[Problem, Posterior], np.ndarray]
    noise_update: Callable[[Problem, Posterior], float]
    tol: float
    start: Start | None = None

    def init(self, problem: Problem) -> State:
        """All columns that are not zero everywhere, with a weak prior."""
        flat = problem.weight_hyperprior.is_flat
        return State(resume(problem, self.start) if self.start and flat else weak_start(problem))

    def step(self, problem: Problem, state: State) -> State:
        """One deletion of a block, or one re-estimate of all precisions, or one admission."""
        posterior = state.posterior
        stationary = largest_gradient(problem, posterior) <= self.tol
        gone = doubtful(problem, posterior, np.inf if stationary else POORLY_DETERMINED)
        if len(gone):
            return State(refresh(problem, without(posterior, gone)))
        if not stationary:
            revised = revise(posterior, *self.update(problem, posterior))
            return State(refresh(problem, revised))
        admitted, gain = admit_best(problem, posterior, self.tol)
        return State(admitted, settled=admitted is posterior, largest_gain=gain)

    def update(self, problem: Problem, posterior: Posterior) -> tuple[np.ndarray, float]:
        """Weight precisions and noise precision, re-estimated."""
        return self.weight_update(problem, posterior), self.noise_update(problem, posterior)


def mackay(tol: float, start: Start | None = None) -> Reestimation:
    """MacKay's fixed point: fast, not always uphill. [T01] (16)-(18), (44), (46)"""
    return Reestimation(_mackay_weights, _mackay_noise, tol, start)


def em(tol: float, start: Start | None = None) -> Reestimation:
    """Expectation-maximisation: slower; with a Gaussian likelihood the objective never falls.

    [T01] (43), (48), (50)
    """
    return Reestimation(_em_weights, _em_noise, tol, start)


def _mackay_weights(problem: Problem, posterior: Posterior) -> np.ndarray:
    """alpha = (gamma + 2a) / (mu^2 + 2b), gamma and mu^2 summed over outputs. [T01] (44)"""
    prior = problem.weight_hyperprior
    numerator = posterior.n_outputs * posterior.well_determined + 2.0 * prior.shape
    second_moment = posterior.power + 2.0 * prior.rate
    precision = np.full_like(numerator, np.inf)
    np.divide(numerator, second_moment, out=precision, where=second_moment > 0.0)
    return _limit(posterior, precision)


def _em_weights(problem: Problem, posterior: Posterior) -> np.ndarray:
    """alpha = (1 + 2a) / (mu^2 + Sigma_ii + 2b), all but a and b summed over outputs. [T01] (48)"""
    prior, n_outputs = problem.weight_hyperprior, posterior.n_outputs
    second_moment = posterior.power + n_outputs * posterior.variance
    return (n_outputs + 2.0 * prior.shape) / (second_moment + 2.0 * prior.rate)


def _mackay_noise(problem: Problem, posterior: Posterior) -> float:
    """sigma^2 = (||t - Phi mu||^2 + 2d) / (n - sum gamma + 2c). [T01] (46)

    Where hardly a degree of freedom is left for the noise this is 0 / 0, and EM's update is used.
    """
    prior = problem.noise_hyperprior
    free = problem.total_weight - posterior.well_determined.sum() + 2.0 * prior.shape
    if free < SCARCELY_FREE * problem.total_weight:
        return _em_noise(problem, posterior)
    return _noise_precision(problem, posterior, free, posterior.residual_energy)


def _em_noise(problem: Problem, posterior: Posterior) -> float:
    """sigma^2 = (||t - Phi mu||^2 + sigma^2 sum gamma + 2d) / (n + 2c). [T01] (50)"""
    prior = problem.noise_hyperprior
    explained = posterior.well_determined.sum() / posterior.noise_precision
    rows = problem.total_weight + 2.0 * prior.shape
    return _noise_precision(problem, posterior, rows, posterior.residual_energy + explained)


def _noise_precision(problem, posterior, numerator, energy):
    if problem.likelihood.fixed_noise_precision is not None:
        return posterior.noise_precision
    energy = energy + 2.0 * problem.noise_hyperprior.rate
    ceiling = problem.noise_precision_ceiling
    return ceiling if numerator >= ceiling * energy else float(numerator / energy)


def _limit(posterior, weight_precision):
    """No precision beyond the range where its column still counts against the data's own."""
    own = posterior.noise_precision * np.diag(posterior.gram)
    return np.clip(weight_precision, 1e-40 * own, 1e14 * own)


def admit_best(
    problem: Problem, posterior: Posterior, least_gain: float
) -> tuple[Posterior, float]:
    """The posterior with the candidate of the largest gain, or itself if it is too small; the gain.

    With a proper hyperprior no column was deleted for the evidence's sake, and none is tried.
    """
    if not problem.weight_hyperprior.is_flat:
        return posterior, np.nan
    every = statistics.candidates(problem, posterior.active, posterior.mean)
    relevance = candidate_relevance(posterior, every)
    best = int(np.argmax(relevance.gain))
    gain = float(relevance.gain[best])
    if gain <= least_gain:
        return posterior, gain
    block = Block(np.array([best]), relevance.best_precision[[best]], gain)
    return with_block(problem, posterior, block), gain
