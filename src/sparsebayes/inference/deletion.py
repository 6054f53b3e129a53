"""Which active candidates can go, what that does to the evidence, and which cost too much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sparsebayes import evidence
from sparsebayes._linear_algebra import factorise
from sparsebayes.inference.prices import Prices
from sparsebayes.posterior import Posterior

# With a proper hyperprior no precision diverges; columns go where they have no effect at all.
UNDETERMINED = 1e-12


def removable(posterior: Posterior, below: float = np.inf) -> np.ndarray:
    """Positions of candidates that do not pay, among those less determined than `below`.

    With a flat hyperprior these are candidates with q^2 <= s: a block of them if the evidence does
    not fall by deleting it, else the less determined half of the block, and so on.
    """
    if not posterior.problem.weight_hyperprior.is_flat:
        return np.flatnonzero(posterior.well_determined < UNDETERMINED)
    if posterior.problem.labels is not None:
        return groups_below_price(posterior, np.zeros(len(posterior.active)))
    return removable_under_flat_prior(posterior, below)


def removable_under_flat_prior(posterior: Posterior, below: float = np.inf) -> np.ndarray:
    """Positions of candidates that a flat hyperprior would delete together; see `removable`."""
    irrelevant = evidence.active_relevance(posterior).excess <= 0.0
    block = np.flatnonzero(irrelevant & (posterior.well_determined < below))
    order = np.argsort(posterior.well_determined[block], kind="stable")
    return largest_block(posterior, block[order], np.zeros(len(posterior.active)))


def worth_keeping(posterior: Posterior) -> np.ndarray:
    """Which active candidates are left when those that do not pay are deleted, block by block (m,).

    With a flat hyperprior that has been done. With another, all columns stay in the model; these
    are the ones that a flat hyperprior would keep, all precisions as they are. Both sides of the
    test q^2 > s have the same units, so neither units nor a threshold matter. Not all of those that
    fail it can go at once: where columns can replace each other, some must stay.
    """
    active, flat = posterior.active, posterior.problem.weight_hyperprior.is_flat
    while not flat and len(gone := removable_under_flat_prior(posterior)):
        posterior = without(posterior, gone)
    return np.isin(active, posterior.active)


def below_price(posterior: Posterior, price: Any) -> np.ndarray:
    """Positions of candidates that raise the evidence by less than `price`, one or of each."""
    price = np.broadcast_to(price, posterior.active.shape)
    if posterior.problem.labels is not None:
        return groups_below_price(posterior, price)
    loss = -single_deletion_gain(posterior)
    block = np.flatnonzero(loss < price)
    order = np.argsort((loss - price)[block], kind="stable")
    return largest_block(posterior, block[order], price)


def groups_below_price(posterior: Posterior, price: np.ndarray) -> np.ndarray:
    """Positions of the candidates of the group that raises the evidence least, if by too little.

    Parameters
    ----------
    price : of the group of each active candidate (m,)
    """
    labels = posterior.problem.group_labels[posterior.active]
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    excess = [-deletion_gain(posterior, own) - price[own[0]] for own in groups]
    least = int(np.argmin(excess)) if groups else 0
    return groups[least] if groups and excess[least] <= 0.0 else np.empty(0, dtype=np.intp)


def without(posterior: Posterior, gone: np.ndarray) -> Posterior:
    """The posterior with the candidates at positions `gone` deleted; itself if there are none."""
    if not len(gone):
        return posterior
    kept = all_but(posterior, gone)
    return posterior.at(posterior.precisions.of(kept), kept)


def all_but(posterior: Posterior, gone: np.ndarray) -> np.ndarray:
    """A mask of the active candidates that is False at positions `gone`."""
    kept = np.ones(len(posterior.active), dtype=bool)
    kept[gone] = False
    return kept


def largest_block(posterior: Posterior, block: np.ndarray, price: np.ndarray) -> np.ndarray:
    """The first part of `block`, halved until deleting it costs at most the `price` of each."""
    while len(block) > 1 and deletion_gain(posterior, block) < -price[block].sum():
        block = block[: len(block) // 2]
    return block


def deletion_gain(posterior: Posterior, block: np.ndarray) -> float:
    """What deleting several candidates at once adds to the log evidence.

    -1/2 (log |A_b Sigma_bb| + mu_b' Sigma_bb^-1 mu_b), summed over outputs; minus infinity where
    precisions are so small that it cannot be told
    """
    root = np.sqrt(posterior.weight_precision[block])
    scaled = posterior.factor.whitener[:, block] * root
    try:
        factor = factorise(scaled.T @ scaled)
    except FloatingPointError:
        return -np.inf
    white = factor.whitener @ (root[:, None] * posterior.mean[block])
    energy = np.sum(posterior.output_precision * white**2)
    return -0.5 * (posterior.n_outputs * factor.log_determinant + float(energy))


def single_deletion_gain(posterior: Posterior) -> np.ndarray:
    """`deletion_gain` of each candidate alone (m,)."""
    shrinkage = posterior.weight_precision * posterior.variance
    return -0.5 * (posterior.n_outputs * np.log(shrinkage) + posterior.power / posterior.variance)


def prefers(other: Posterior, posterior: Posterior, prices: Prices) -> bool:
    """Whether another model is better; with a proper hyperprior all columns are to stay."""
    flat = posterior.problem.weight_hyperprior.is_flat
    return flat and worth(other, prices) > worth(posterior, prices)


def without_the_dear(posterior: Posterior, prices: Prices) -> Posterior | None:
    """The posterior without candidates that are not worth their price; None if all of them are.

    Where the curvature varies, what a deletion costs is told at the mode after it: the quadratic at
    the mode before says that a column that separates two classes is worth next to nothing.
    """
    gone = the_dear(posterior, prices)
    price = prices.beside(posterior.active)[posterior.active]
    if posterior.problem.likelihood.constant_curvature:
        return without(posterior, gone) if len(gone) else None
    for block in _blocks(gone, whole=posterior.problem.labels is not None):
        left = without(posterior, block).refreshed()
        if evidence.log_evidence(left) > evidence.log_evidence(posterior) - price[block].sum():
            return left
    return None


def _blocks(gone: np.ndarray, whole: bool) -> Iterator[np.ndarray]:
    """All of these, the first half, and so on to the first one; then each of the others."""
    size = len(gone)
    while size:
        yield gone[:size]
        size = 0 if whole else size // 2
    if not whole:
        yield from gone[1:, None]


def all_pay(posterior: Posterior, prices: Prices) -> bool:
    """Whether each candidate is worth its price beside the others."""
    return not len(the_dear(posterior, prices))


def the_dear(posterior: Posterior, prices: Prices) -> np.ndarray:
    """Positions of candidates that are not worth their price beside the others."""
    return below_price(posterior, prices.beside(posterior.active)[posterior.active])


def worth(posterior: Posterior, prices: Prices) -> float:
    """Log evidence less the price of the candidates."""
    return evidence.log_evidence(posterior) - prices.of(posterior.active)
