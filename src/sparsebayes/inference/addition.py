"""Which candidates to add: the best one, then the next given the first; or the best group.

Inner products of candidates that earlier rounds have formed are kept.

With S = Phi_g' C^-1 Phi_g and Q = Phi_g' C^-1 t of a group outside the model, s_k the eigenvalues
of S and q_k the entries of Q along its eigenvectors, the group adds to the log evidence, at the one
precision that all its columns have,

    1/2 sum_k sum_outputs [ log(alpha / (alpha + s_k)) + q_k^2 / (alpha + s_k) ]

which for a single column has its maximum at alpha = s^2 / (q^2 - s). [TF03] Here it is searched
for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes import statistics
from sparsebayes.evidence import ROUNDING, Relevance, in_units_of_noise
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
    """Some candidates of a gain above `least_gain`, one for all or of each, one after the other.

    Only those of the largest gains are looked at, with their inner products under C^-1.
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
    """The posterior with a block added, in ascending order; `gram` of all of them, if known."""
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


# Precisions that are tried first, in powers of ten of the largest eigenvalue, and how often the
# search then goes on between the neighbours of the best one.
POWERS, N_POWERS, N_ROUNDS = (-8.0, 4.0), 25, 6
# Groups are looked at together up to so many columns: each takes numbers for all precisions.
MOST_COLUMNS = 2**15


class GroupsOfOneSize(NamedTuple):
    """Groups with the same number of columns.

    Attributes
    ----------
    labels : of the groups (G,)
    members : the candidates of each (G, size)
    """

    labels: np.ndarray
    members: np.ndarray


def by_size(labels: np.ndarray, most: int = MOST_COLUMNS) -> list[GroupsOfOneSize]:
    """All groups, those of the same size together, but at most so many columns if not one group."""
    order = np.argsort(labels, kind="stable")
    names, counts = np.unique(labels, return_counts=True)
    starts = np.cumsum(counts) - counts
    found = []
    for size in np.unique(counts):
        alike = np.flatnonzero(counts == size)
        for own in np.array_split(alike, -(-len(alike) // max(1, most // int(size)))):
            members = order[starts[own][:, None] + np.arange(size)]
            found.append(GroupsOfOneSize(names[own], members))
    return found


class GroupGains(NamedTuple):
    """What each group would add at its best precision, and that (G,)."""

    gain: np.ndarray
    precision: np.ndarray


def best_gains(sparsity: np.ndarray, power: np.ndarray, n_outputs: int) -> GroupGains:
    """The largest gain over the precision, and where it is.

    Parameters
    ----------
    sparsity : s_k, not negative (G, size)
    power : q_k^2, summed over outputs (G, size)
    """
    largest = np.maximum(sparsity.max(axis=1), np.finfo(float).tiny)
    low, high = np.log(largest) + np.log(10.0) * np.array(POWERS)[:, None]
    rows = np.arange(len(sparsity))
    for _ in range(N_ROUNDS):
        grid = np.linspace(low, high, N_POWERS)
        alpha = np.exp(grid)[:, :, None]
        each = n_outputs * np.log(alpha / (alpha + sparsity)) + power / (alpha + sparsity)
        gain = 0.5 * each.sum(axis=2)
        best = np.argmax(gain, axis=0)
        low = grid[np.maximum(best - 1, 0), rows]
        high = grid[np.minimum(best + 1, N_POWERS - 1), rows]
    return GroupGains(np.maximum(gain[best, rows], 0.0), np.exp(grid[best, rows]))


def choose_group(
    posterior: Posterior, every: CandidateStatistics, least_gain: np.ndarray
) -> CandidateBlock:
    """The group that gains most beyond `least_gain`, that of the group of each candidate (M,)."""
    chosen, most, largest = NO_BLOCK, 0.0, 0.0
    labels = posterior.problem.group_labels
    inside = labels[posterior.active]
    for groups in by_size(labels):
        gains = _gains(posterior, every, groups.members)
        gain = np.where(np.isin(groups.labels, inside), 0.0, gains.gain)
        excess = gain - least_gain[groups.members[:, 0]]
        best, largest = int(np.argmax(excess)), max(largest, float(gain.max()))
        if excess[best] > most:
            members = groups.members[best]
            precision = np.full(len(members), gains.precision[best])
            chosen, most = CandidateBlock(members, precision, np.nan), float(excess[best])
    return chosen._replace(largest_gain=largest)


def _gains(posterior: Posterior, every: CandidateStatistics, members: np.ndarray) -> GroupGains:
    """The gain of each of several groups of the same size."""
    beta = posterior.noise_precision
    own = beta * statistics.group_grams(
        posterior.problem, members, posterior.active, posterior.mean
    )
    explained = posterior.factor.whitener @ (beta * every.cross_gram.T)
    part = explained[:, members].transpose(1, 2, 0)
    sparsity, axes = np.linalg.eigh(own - part @ part.transpose(0, 2, 1))
    floor = ROUNDING * np.trace(own, axis1=1, axis2=2)[:, None]
    quality = in_units_of_noise(posterior, beta * every.score)[members]
    along = np.einsum("gik,gil->gkl", axes, quality)
    power = np.where(sparsity > floor, np.einsum("gkl,gkl->gk", along, along), 0.0)
    return best_gains(np.maximum(sparsity, 0.0), power, posterior.n_outputs)
