"""Which group of candidates to add: what it gains at the one precision that all its columns have.

With S = Phi_g' C^-1 Phi_g and Q = Phi_g' C^-1 t of a group outside the model, s_k the eigenvalues
of S and q_k the entries of Q along its eigenvectors, the group adds to the log evidence

    1/2 sum_k sum_outputs [ log(alpha / (alpha + s_k)) + q_k^2 / (alpha + s_k) ]

which for a single column has its maximum at alpha = s^2 / (q^2 - s). [TF03] Here it is searched
for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes import statistics
from sparsebayes.evidence import ROUNDING, in_units_of_noise
from sparsebayes.inference.addition import NO_BLOCK, CandidateBlock
from sparsebayes.posterior import Posterior
from sparsebayes.statistics import CandidateStatistics

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
    """The group that gains most beyond what it has to, if any does.

    Parameters
    ----------
    least_gain : of the group of each candidate (M,)
    """
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
