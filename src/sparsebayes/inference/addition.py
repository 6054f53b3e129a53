"""Which candidate columns to add: the best one, then the next given the first, and so on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes import statistics
from sparsebayes.evidence import ROUNDING, Relevance
from sparsebayes.posterior import Posterior, find
from sparsebayes.problem import Problem

SHORTLIST = 128
BLOCK = 32


class Block(NamedTuple):
    """Columns to be added, each with its best precision given the model and those before it.

    `largest_gain` is that of the best candidate, added or not; NaN if none was looked at.
    """

    columns: np.ndarray
    weight_precision: np.ndarray
    largest_gain: float


NO_BLOCK = Block(np.empty(0, dtype=np.intp), np.empty(0), np.nan)


def choose_block(
    problem: Problem,
    posterior: Posterior,
    relevance: Relevance,
    every: statistics.CandidateStatistics,
    least_gain: float,
) -> Block:
    """Up to `BLOCK` columns of a gain above `least_gain` each, picked one after the other.

    Only the `SHORTLIST` columns of the largest gains are looked at. Their inner products under
    C^-1 are formed once; adding column i at its best precision then changes those of the others by
    rank one, so that of near-copies only the first keeps its gain. [TF03]

        S_j -= Sigma_ii B_ij^2,  Q_j -= mu_i B_ij
        Sigma_ii = 1 / (alpha_i + S_i),  mu_i = Sigma_ii Q_i
    """
    gain = relevance.gain
    short = np.argsort(-gain, kind="stable")[:SHORTLIST]
    short = short[gain[short] > least_gain]
    if not len(short):
        return NO_BLOCK._replace(largest_gain=float(gain.max(initial=0.0)))
    inner = _inner_products(problem, posterior, short, every.cross_gram[short])
    sparsity, quality = relevance.sparsity[short].copy(), relevance.quality[short].copy()
    floor = ROUNDING * posterior.noise_precision * every.energy[short]
    chosen: list[int] = []
    precisions: list[float] = []
    for _ in range(BLOCK):
        outside = sparsity > floor
        left = Relevance(np.where(outside, sparsity, 0.0), (quality.T * outside).T)
        gains = left.gain
        gains[chosen] = 0.0
        best = int(np.argmax(gains))
        if gains[best] <= least_gain:
            break
        precision = left.best_precision[best]
        variance = 1.0 / (precision + sparsity[best])
        overlap = inner[:, best].copy()
        quality -= variance * np.multiply.outer(overlap, quality[best])
        sparsity -= variance * overlap**2
        inner -= variance * np.outer(overlap, overlap)
        chosen.append(best)
        precisions.append(precision)
    return Block(short[chosen], np.array(precisions), float(gain.max()))


def with_block(
    problem: Problem, posterior: Posterior, block: Block, gram: np.ndarray | None = None
) -> Posterior:
    """The posterior with the columns of a block added, its columns in ascending order.

    Parameters
    ----------
    gram : of the columns that are then active, where it is known
    """
    active = np.append(posterior.active, block.columns)
    order = np.argsort(active)
    return find(
        problem,
        active[order],
        np.append(posterior.weight_precision, block.weight_precision)[order],
        posterior.noise_precision,
        np.concatenate([posterior.mean, problem.no_weights(len(block.columns))])[order],
        gram,
    )


def _inner_products(problem, posterior: Posterior, columns, cross_gram) -> np.ndarray:
    """phi_i' C^-1 phi_j of the columns, where cross_gram holds theirs with the active ones."""
    beta = posterior.noise_precision
    explained = posterior.factor.whitener @ (beta * cross_gram.T)
    own = statistics.gram_of(problem, columns, posterior.active, posterior.mean)
    return beta * own - explained.T @ explained
