"""The evidence for the precisions, its gradients, and what each candidate would add to it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes.posterior import Posterior
from sparsebayes.statistics import CandidateStatistics

# Sparsity is a difference of inner products; below this part of them it is rounding error.
ROUNDING = 1e-10


def log_evidence(posterior: Posterior) -> float:
    """log p(t | alpha, beta): exact for a Gaussian likelihood, Laplace's for others.

    n log_normaliser(beta) + log p(t | mu) - 1/2 mu' A mu + 1/2 log |A| - 1/2 log |A + beta gram|;
    for the Gaussian this is log N(t | 0, beta^-1 I + Phi A^-1 Phi').  [T01] (15), (36)-(41)
    """
    volume = np.log(posterior.weight_precision).sum() - posterior.factor.log_determinant
    return _fit(posterior) + 0.5 * posterior.n_outputs * float(volume)


def _fit(posterior: Posterior) -> float:
    """Log density of targets and weights at the mode, normalised.

    Where the noise of outputs is always at its best: n / 2 sum_l log(beta_l / (2 pi e)).
    """
    problem = posterior.problem
    if problem.noise.profiled:
        relative = posterior.output_precision / (2.0 * np.pi * np.e)
        return 0.5 * problem.total_weight * float(np.sum(np.log(relative)))
    normaliser = problem.likelihood.log_normaliser(posterior.noise_precision)
    return problem.total_weight * normaliser + posterior.log_density


def objective(posterior: Posterior) -> float:
    """Log evidence and log hyperpriors: what is maximised. [T01] (36)"""
    problem = posterior.problem
    weights = problem.weight_hyperprior.log_density(posterior.weight_precision)
    noise = problem.noise.log_density(problem.noise_hyperprior, posterior.noise_precision)
    return log_evidence(posterior) + weights + noise


def lower_bound(posterior: Posterior, pruned: float = 0.0) -> float:
    """Lower bound of log p(t), precisions and noise integrated out. [BT00] (39)-(46), (59)-(64)

    Of Q(w) Q(alpha) Q(beta) with Q(w) the posterior at the mean precisions, which are those of
    `posterior`. All that depends on them is then the `objective`; the rest are constants of the
    hyperpriors, which must be proper. The derivation:
    https://sparsebayes.example/theory/variational.html

    Parameters
    ----------
    pruned : log hyperpriors at the mean precisions of columns that are no longer active
    """
    problem = posterior.problem
    weights = problem.n_candidates * problem.weight_hyperprior.bound_constant(0.5)
    noise = problem.noise.bound_constant(problem.noise_hyperprior, problem.total_weight)
    return objective(posterior) + pruned + weights + noise


def weight_gradient(posterior: Posterior) -> np.ndarray:
    """Derivative of the objective for log alpha (m,). [T01] (42)

    1/2 (gamma_i - alpha_i mu_i^2) + a - b alpha_i, the first part summed over outputs. For a
    likelihood whose curvature varies, the curvature is held, as in [T01] section 3.
    """
    alpha = posterior.weight_precision
    fit = 0.5 * (posterior.n_outputs * posterior.well_determined - alpha * posterior.power)
    return fit + posterior.problem.weight_hyperprior.gradient(alpha)


def noise_gradient(posterior: Posterior) -> float:
    """Derivative of the objective for log beta; 0 where the noise is not estimated. [T01] (45)

    1/2 (n - sum_i gamma_i - beta ||t - Phi mu||^2) + c - d beta.
    """
    problem, beta = posterior.problem, posterior.noise_precision
    if not problem.noise.estimated:
        return 0.0
    free = problem.total_weight - posterior.well_determined.sum()
    fit = 0.5 * (free - beta * posterior.residual_energy)
    return float(fit + problem.noise_hyperprior.gradient(beta))


class Relevance(NamedTuple):
    """Sparsity s (m,) and quality q (m, n_outputs): overlap with the others, and with the target.

    Of a candidate in the model they are those it would have outside. [TF03] With several outputs
    there is a quality for each, and their mean square takes the place of q^2.
    """

    sparsity: np.ndarray
    quality: np.ndarray

    @property
    def power(self) -> np.ndarray:
        """q^2, its mean over outputs (m,)."""
        return np.einsum("ml,ml->m", self.quality, self.quality) / self.quality.shape[1]

    @property
    def excess(self) -> np.ndarray:
        """q^2 - s: the candidate belongs in the model if this is positive."""
        return self.power - self.sparsity

    @property
    def gain(self) -> np.ndarray:
        """What adding the candidate at its best precision adds to the log evidence.

        1/2 (x - 1 - log x) with x = q^2 / s, for each output, and 0 where x <= 1.
        """
        power = self.power
        inside = power > self.sparsity
        ratio = np.ones_like(self.sparsity)
        np.divide(power, self.sparsity, out=ratio, where=inside)
        return 0.5 * self.quality.shape[1] * (ratio - 1.0 - np.log(ratio))

    @property
    def best_precision(self) -> np.ndarray:
        """s^2 / (q^2 - s), or infinity where the candidate does not belong."""
        excess = self.excess
        best = np.full_like(self.sparsity, np.inf)
        np.divide(self.sparsity, excess, out=best, where=excess > 0.0)
        return best * np.where(excess > 0.0, self.sparsity, 1.0)  # the square could overflow


def active_relevance(posterior: Posterior) -> Relevance:
    """Relevance of the active candidates: s = gamma / Sigma_ii, q = mu / Sigma_ii."""
    quality = posterior.mean / posterior.variance[:, None]
    sparsity = posterior.well_determined / posterior.variance
    return Relevance(sparsity, in_units_of_noise(posterior, quality))


def in_units_of_noise(posterior: Posterior, quality: np.ndarray) -> np.ndarray:
    """Qualities in units of the noise of each output."""
    return quality * posterior.output_precision**0.5


def candidate_relevance(posterior: Posterior, every: CandidateStatistics) -> Relevance:
    """Relevance of all candidates (M,), as columns to be added; 0 for active ones.

    Q = beta Phi_j' slope,  S = beta Phi_j'Phi_j - beta^2 Phi_j'Phi Sigma Phi'Phi_j, with the
    likelihood's curvature in each inner product.  A sparsity below the rounding error of that
    difference counts as 0: the column lies in the span of the active ones.
    """
    beta = posterior.noise_precision
    explained = posterior.factor.whitener @ (beta * every.cross_gram.T)
    energy = beta * every.energy
    sparsity = energy - np.einsum("ij,ij->j", explained, explained)
    outside = sparsity > ROUNDING * energy
    outside[posterior.active] = False
    quality = np.where(outside[:, None], beta * every.score, 0.0)
    return Relevance(np.where(outside, sparsity, 0.0), in_units_of_noise(posterior, quality))
