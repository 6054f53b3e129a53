"""How probable it is that a column has a part in the target, be it in the model or not.

The evidence keeps one of several columns that are nearly the same, and says nothing of the others.
After SuSiE (Wang et al. 2020), each kept column is a *slot*: one effect, of a size that is known,
in a column that is not. Column i is taken out of the model, and every column j is asked how well it
would stand in its place with a weight of the same prior energy, alpha_j = alpha_i e_j / e_i:

    log BF_ij = 1/2 sum_outputs [ log(alpha_j / (alpha_j + s_j)) + q_j^2 / (alpha_j + s_j) ]

with sparsity s and quality q in the model without i. Before the data the slot is as probably empty
as it is filled, by any of the M columns alike:

    p_ij = BF_ij / M / (1 + sum_j' BF_ij' / M)

One more slot is for an effect that was not found, of the size that the best candidate outside would
have. A column has a part in the target if it stands in any slot: 1 - prod_i (1 - p_ij).

It is cautious where many effects were not found: one slot stands for all of them. Figures:
https://sparsebayes.example/guide/columns.html
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sparsebayes import statistics
from sparsebayes._linear_algebra import squared_lengths
from sparsebayes.columns import constant_columns
from sparsebayes.evidence import ROUNDING, Relevance
from sparsebayes.inference.loop import VERDICT
from sparsebayes.inference.state import Fit

# Beyond so many candidates times slots, it would take more memory or time than the fit.
MOST_NUMBERS = 1e8


class Standing(NamedTuple):
    """How candidates stand to a model.

    Attributes
    ----------
    energy : phi_j' phi_j in units of the noise (M,)
    relevance : phi_j' C^-1 phi_j (M,) and phi_j' C^-1 t (M, n_outputs), of active candidates too
    eligible : which candidates may have an effect (M,); a constant, or one of zeros, may not
    """

    energy: np.ndarray
    relevance: Relevance
    eligible: np.ndarray

    def log_factors(self, like: int, precision: float) -> np.ndarray:
        """Log Bayes factors of one more effect (M,), of the size that `like` would have."""
        alpha = precision * self.energy[self.eligible] / self.energy[like]
        sparsity = self.relevance.sparsity[self.eligible]
        quality = self.relevance.quality[self.eligible]
        fit = np.einsum("ml,ml->m", quality, quality) / (alpha + sparsity)
        factors = np.full(len(self.energy), -np.inf)
        factors[self.eligible] = 0.5 * (fit - quality.shape[1] * np.log1p(sparsity / alpha))
        return factors


def inclusion(fit: Fit, most_numbers: float = MOST_NUMBERS) -> np.ndarray | None:
    """The probability that each column has a part in the target (n_columns,).

    It takes one pass over the rows. None where there are too many columns to look at, and where
    the model passes through the targets. Where the classes have weights of their own, a slot is a
    column and a class.
    """
    problem = fit.problem
    if float(problem.n_candidates) * (1 + len(fit.active)) > most_numbers or _interpolates(fit):
        return None
    every = statistics.candidates(problem, fit.active, fit.mean)
    columns = problem.place(np.arange(problem.n_candidates)).columns
    eligible = ~constant_columns(problem.columns)[columns] & (every.energy > 0.0)
    absent = np.ones(problem.n_columns)
    for factors in _slots(fit, every, eligible):
        share = _shares(factors)
        absent *= 1.0 - np.bincount(columns, share, problem.n_columns)
    return np.clip(1.0 - absent, 0.0, 1.0)


def _interpolates(fit: Fit) -> bool:
    """Whether hardly a row is left to the noise, in which case any column looks certain."""
    determined = 1.0 - fit.precisions.weight * squared_lengths(fit.root)
    n_rows = fit.problem.total_weight
    least = VERDICT.interpolates_below * n_rows
    return fit.problem.noise.inferred and n_rows - float(determined.sum()) < least


def _slots(
    fit: Fit, every: statistics.CandidateStatistics, eligible: np.ndarray
) -> Iterator[np.ndarray]:
    """Log Bayes factors of all candidates, for each slot."""
    half = fit.precisions.noise * every.cross_gram @ fit.root
    whole = _to_the_whole(fit, every, half, eligible)
    for i in map(int, np.flatnonzero(eligible[fit.active])):
        alone = _without(fit, whole, half @ fit.root[i], i)
        yield alone.log_factors(fit.active[i], fit.precisions.weight[i])
    relevance = whole.relevance
    outside = eligible & (relevance.sparsity > ROUNDING * whole.energy)
    outside[fit.active] = False
    gain = np.where(outside, relevance.gain, 0.0)
    best = int(np.argmax(gain))
    if gain[best] > 0.0:
        yield whole.log_factors(best, relevance.best_precision[best])


def _to_the_whole(
    fit: Fit, every: statistics.CandidateStatistics, half: np.ndarray, eligible: np.ndarray
) -> Standing:
    """How candidates stand to the whole model.

    Parameters
    ----------
    half : beta Phi_all'Phi root (M, m)
    """
    beta = fit.precisions.noise
    energy = beta * every.energy
    sparsity = np.maximum(energy - np.einsum("ij,ij->i", half, half), 0.0)
    quality = beta * every.score * fit.output_precision**0.5
    return Standing(energy, Relevance(sparsity, quality), eligible)


def _without(fit: Fit, whole: Standing, overlap: np.ndarray, i: int) -> Standing:
    """How candidates stand to the model without its i-th column.

    C^-1 changes by rank one. As C^-1 Phi = beta Phi Sigma A, and with T = beta Phi_all'Phi Sigma,

        s_j = S_j + T_ji^2 / Sigma_ii,  q_j = Q_j + T_ji mu_i / Sigma_ii

    Parameters
    ----------
    overlap : T_ji of all candidates (M,)
    """
    variance = float(fit.root[i] @ fit.root[i])
    mean = fit.mean[i] * fit.output_precision**0.5
    sparsity = whole.relevance.sparsity + overlap**2 / variance
    quality = whole.relevance.quality + np.outer(overlap, mean) / variance
    return whole._replace(relevance=Relevance(sparsity, quality))


def _shares(log_factors: np.ndarray) -> np.ndarray:
    """The probability of each candidate to stand in a slot, which may be empty (M,).

    Candidates that may not have a Bayes factor of zero.
    """
    log_share = log_factors - np.log(np.sum(log_factors > -np.inf))
    largest = max(float(log_share.max()), 0.0)
    share = np.exp(log_share - largest)
    return share / (np.exp(-largest) + share.sum())
