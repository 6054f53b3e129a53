"""What a model is worth: its evidence, less the price of its columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sparsebayes.evidence import log_evidence
from sparsebayes.inference.deletion import below_price, without
from sparsebayes.inference.prices import Prices
from sparsebayes.posterior import Posterior


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
        if log_evidence(left) > log_evidence(posterior) - price[block].sum():
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
    return log_evidence(posterior) - prices.of(posterior.active)
