"""Which active columns can go, and what that does to the evidence."""

from __future__ import annotations

import numpy as np

from sparsebayes import evidence
from sparsebayes._linear_algebra import factorise
from sparsebayes.posterior import Posterior, revise
from sparsebayes.problem import Problem

# With a proper hyperprior no precision diverges; columns go where they have no effect at all.
UNDETERMINED = 1e-12


def doubtful(problem: Problem, posterior: Posterior, below: float = np.inf) -> np.ndarray:
    """Positions of columns that do not pay, among those less determined than `below`.

    With a flat hyperprior these are columns with q^2 <= s: a block of them if the evidence does
    not fall by deleting it, else the less determined half of the block, and so on.
    """
    if not problem.weight_hyperprior.is_flat:
        return np.flatnonzero(posterior.well_determined < UNDETERMINED)
    return unpaid(posterior, below)


def unpaid(posterior: Posterior, below: float = np.inf) -> np.ndarray:
    """Positions of columns that a flat hyperprior would delete together; see `doubtful`."""
    irrelevant = evidence.active_relevance(posterior).factor <= 0.0
    block = np.flatnonzero(irrelevant & (posterior.well_determined < below))
    order = np.argsort(posterior.well_determined[block], kind="stable")
    return largest_block(posterior, block[order], 0.0)


def pays(problem: Problem, posterior: Posterior) -> np.ndarray:
    """Which active columns are left when those that do not pay are deleted, block by block (m,).

    With a flat hyperprior that has been done. With another, all columns stay in the model; these
    are the ones that a flat hyperprior would keep, all precisions as they are. Both sides of the
    test q^2 > s have the same units, so neither units nor a threshold matter. Not all of those that
    fail it can go at once: of columns that stand in for each other some must stay.
    """
    active = posterior.active
    while not problem.weight_hyperprior.is_flat and len(gone := unpaid(posterior)):
        posterior = without(posterior, gone)
    return np.isin(active, posterior.active)


def weak(posterior: Posterior, least_gain: float) -> np.ndarray:
    """Positions of columns that raise the evidence by less than `least_gain` each."""
    loss = -single_deletion_gain(posterior)
    block = np.flatnonzero(loss < least_gain)
    return largest_block(posterior, block[np.argsort(loss[block], kind="stable")], least_gain)


def without(posterior: Posterior, gone: np.ndarray) -> Posterior:
    """The posterior with the columns at positions `gone` deleted; itself if there are none."""
    if not len(gone):
        return posterior
    kept = all_but(posterior, gone)
    return revise(posterior, posterior.weight_precision[kept], posterior.noise_precision, kept)


def all_but(posterior: Posterior, gone: np.ndarray) -> np.ndarray:
    """A mask of the active columns that is False at positions `gone`."""
    kept = np.ones(len(posterior.active), dtype=bool)
    kept[gone] = False
    return kept


def largest_block(posterior: Posterior, block: np.ndarray, price: float) -> np.ndarray:
    """The first part of `block`, halved until deleting it costs at most `price` per column."""
    while len(block) > 1 and deletion_gain(posterior, block) < -price * len(block):
        block = block[: len(block) // 2]
    return block


def deletion_gain(posterior: Posterior, block: np.ndarray) -> float:
    """What deleting several columns at once adds to the log evidence.

    -1/2 (log |A_b Sigma_bb| + mu_b' Sigma_bb^-1 mu_b), summed over outputs
    """
    root = np.sqrt(posterior.weight_precision[block])
    scaled = posterior.factor.whitener[:, block] * root
    factor = factorise(scaled.T @ scaled)
    white = factor.whitener @ (root * posterior.mean[block].T).T
    energy = np.sum(posterior.output_precision * white**2)
    return -0.5 * (posterior.n_outputs * factor.log_determinant + float(energy))


def single_deletion_gain(posterior: Posterior) -> np.ndarray:
    """`deletion_gain` of each column alone (m,)."""
    shrinkage = posterior.weight_precision * posterior.variance
    return -0.5 * (posterior.n_outputs * np.log(shrinkage) + posterior.power / posterior.variance)
