"""Which candidates to add: the best one, then the next given the first, and so on.

Inner products of candidates that earlier rounds have formed are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes import statistics
from sparsebayes.evidence import ROUNDING, Relevance
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Precisions, Problem
from sparsebayes.statistics import CandidateStatistics


@dataclass(frozen=True)
class BlockSize:
    """How many candidates are looked at, and how many are added in one round.

    Attributes
    ----------
    shortlist : candidates of the largest gains; their inner products are a matrix of this size
    most : additions in a round; more would rest on gains that the first ones have changed
    """

    shortlist: int = 128
    most: int = 32


class CandidateBlock(NamedTuple):
    """Candidates to be added, each with its best precision given the model and those before it.

    `largest_gain` is that of the best candidate, added or not; NaN if none was looked at.
    """

    candidates: np.ndarray
    weight_precision: np.ndarray
    largest_gain: float


NO_BLOCK = CandidateBlock(np.empty(0, dtype=np.intp), np.empty(0), np.nan)


def choose_block(
    posterior: Posterior,
    relevance: Relevance,
    every: CandidateStatistics,
    least_gain: Any,
    size: BlockSize,
) -> CandidateBlock:
    """Some candidates of a gain above `least_gain`, picked one after the other.

    Only those of the largest gains are looked at, with their inner products under C^-1.

    Parameters
    ----------
    least_gain : one for all, or of each candidate (M,)
    """
    gain = relevance.gain
    least_gain = np.broadcast_to(least_gain, gain.shape)
    short = np.argsort(least_gain - gain, kind="stable")[: size.shortlist]
    short = short[gain[short] > least_gain[short]]
    largest = float(gain.max(initial=0.0))
    if not len(short):
        return NO_BLOCK._replace(largest_gain=largest)
    inner = inner_products(posterior, short, every.cross_gram[short])
    floor = ROUNDING * posterior.noise_precision * every.energy[short]
    outside = Relevance(relevance.sparsity[short], relevance.quality[short])
    chosen, precisions = pick_greedily(outside, inner, floor, least_gain[short], size.most)
    return CandidateBlock(short[chosen], np.array(precisions), largest)


def pick_greedily(
    relevance: Relevance, inner: np.ndarray, floor: np.ndarray, least_gain: np.ndarray, most: int
) -> tuple[list[int], list[float]]:
    """Positions of up to `most` candidates, and their best precisions.

    Adding candidate i at its best precision changes the others by rank one, so that of near-copies
    only the first keeps its gain. [TF03]

        S_j -= Sigma_ii B_ij^2,  Q_j -= mu_i B_ij
        Sigma_ii = 1 / (alpha_i + S_i),  mu_i = Sigma_ii Q_i

    Parameters
    ----------
    inner : B, the inner products of the candidates under C^-1; it is overwritten
    floor : the sparsity below which a candidate lies in the span of the others
    least_gain : below which a candidate is not picked
    """
    sparsity, quality = relevance.sparsity.copy(), relevance.quality.copy()
    chosen: list[int] = []
    precisions: list[float] = []
    for _ in range(most):
        outside = sparsity > floor
        left = Relevance(np.where(outside, sparsity, 0.0), quality * outside[:, None])
        gains = left.gain
        gains[chosen] = 0.0
        best = int(np.argmax(gains - least_gain))
        if gains[best] <= least_gain[best]:
            break
        precision = left.best_precision[best]
        variance = 1.0 / (precision + sparsity[best])
        overlap = inner[:, best].copy()
        quality -= variance * np.outer(overlap, quality[best])
        sparsity -= variance * overlap**2
        inner -= variance * np.outer(overlap, overlap)
        chosen.append(best)
        precisions.append(precision)
    return chosen, precisions


def with_block(
    posterior: Posterior, block: CandidateBlock, gram: np.ndarray | None = None
) -> Posterior:
    """The posterior with the candidates of a block added, all of them in ascending order.

    Parameters
    ----------
    gram : of the candidates that are then active, where it is known
    """
    active = np.append(posterior.active, block.candidates)
    order = np.argsort(active)
    weight_precision = np.append(posterior.weight_precision, block.weight_precision)
    mean = [posterior.mean, posterior.problem.no_weights(len(block.candidates))]
    return find_posterior(
        posterior.problem,
        active[order],
        Precisions(weight_precision[order], posterior.noise_precision),
        np.concatenate(mean)[order],
        gram,
    )


def inner_products(
    posterior: Posterior, candidates: np.ndarray, cross_gram: np.ndarray
) -> np.ndarray:
    """phi_i' C^-1 phi_j of the candidates, where cross_gram holds theirs with the active ones."""
    beta = posterior.noise_precision
    explained = posterior.factor.whitener @ (beta * cross_gram.T)
    own = statistics.gram_of(posterior.problem, candidates, posterior.active, posterior.mean)
    return beta * own - explained.T @ explained


class KnownProducts(NamedTuple):
    """What need not be formed again, as long as the curvature is constant.

    Attributes
    ----------
    energy : phi_i'phi_i of every candidate (M,)
    known : candidates whose inner products with all are known (k,)
    inner : those inner products (M, k)
    """

    energy: np.ndarray
    known: np.ndarray
    inner: np.ndarray

    def with_more(self, problem: Problem, candidates: np.ndarray) -> KnownProducts:
        """Products with more candidates, where these do not change from mode to mode."""
        new = np.setdiff1d(candidates, self.known)
        if not problem.likelihood.constant_curvature or not len(new):
            return self
        inner = statistics.inner_products(problem, new)
        return KnownProducts(
            self.energy, np.append(self.known, new), np.hstack([self.inner, inner])
        )

    def positions(self, candidates: np.ndarray) -> np.ndarray:
        """Where candidates stand in `known`, which is in no order."""
        order = np.argsort(self.known)
        return order[np.searchsorted(self.known, candidates, sorter=order)]


def first_products(posterior: Posterior) -> KnownProducts:
    """The inner products with the candidates that are active at the start."""
    every = statistics.candidates(posterior.problem, posterior.active, posterior.mean)
    return KnownProducts(every.energy, posterior.active, every.cross_gram)


def survey(posterior: Posterior, products: KnownProducts) -> CandidateStatistics:
    """Statistics of all candidates, from known products where they cannot have changed."""
    problem, active, mean = posterior.problem, posterior.active, posterior.mean
    if not problem.likelihood.constant_curvature:
        return statistics.candidates(problem, active, mean)
    score = statistics.scores(problem, active, mean)
    return CandidateStatistics(
        score, products.energy, products.inner[:, products.positions(active)]
    )


def extend(posterior: Posterior, block: CandidateBlock, products: KnownProducts) -> Posterior:
    """The posterior with the candidates of a block added."""
    gram = None
    if posterior.problem.likelihood.constant_curvature:
        active = np.sort(np.append(posterior.active, block.candidates))
        gram = products.inner[np.ix_(active, products.positions(active))]
    return with_block(posterior, block, gram)
