"""A kept column for one that is like it: what additions and deletions alone do not find.

Where columns are alike, as those of neighbouring wavelengths or angles, a search takes one beside
the right one early on, then another on the other side of it; neither can go, and the right one
would gain little next to both. In the place of one of them, or of both, it gains a lot. Or one
stands for two that it lies between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sparsebayes.evidence import candidate_relevance
from sparsebayes.inference.addition import (
    BlockSize,
    CandidateBlock,
    KnownProducts,
    choose_block,
    choose_group,
    extend,
    survey,
)
from sparsebayes.inference.deletion import all_pay, without, worth
from sparsebayes.inference.phases import climb_by_newton
from sparsebayes.inference.prices import Prices
from sparsebayes.posterior import Posterior


@dataclass(frozen=True)
class SwapRule:
    """When a swap is looked for.

    Attributes
    ----------
    alike : cosine between columns from which on one can stand for the other. Of columns of noise,
        those of some hundred rows are never so alike
    work : rows times columns times kept columns up to which it is affordable
    """

    alike: float = 0.5
    work: float = 3e9


SWAP_RULE = SwapRule()
ONE = BlockSize(shortlist=1, most=1)
# Newton steps after a swap, which is then judged, and the derivative that is near enough to zero.
N_STEPS, CLOSE = 5, 1e-3


class Exchange(NamedTuple):
    """A model after a swap, and the inner products that are known then."""

    posterior: Posterior
    products: KnownProducts


def best_swap(
    posterior: Posterior,
    products: KnownProducts,
    prices: Prices,
    tol: float,
    rule: SwapRule = SWAP_RULE,
) -> Exchange | None:
    """The swap that raises evidence less price most, if any does by more than `tol`.

    Precisions are fitted anew before it is judged: those of columns that were alike change most.
    All columns have to be worth their price then.
    """
    problem, size = posterior.problem, len(posterior.active)
    if len(problem.data.target) * problem.n_columns * size > rule.work:
        return None
    best, highest = None, worth(posterior, prices) + tol
    for unit in exchangeable(posterior, products, rule.alike):
        for found in _exchanges(without(posterior, unit), posterior.active[unit], products):
            value = worth(found.posterior, prices)
            if value > highest and all_pay(found.posterior, prices):
                best, highest = found, value
    return best


def _exchanges(rest: Posterior, gone: np.ndarray, products: KnownProducts) -> Iterator[Exchange]:
    """A model with the best other column or group in place of some, and with the two best."""
    at = Exchange(rest, products)
    for _ in range(2):
        block = _best_other(at, gone)
        if not len(block.candidates):
            return
        known = at.products.with_more(rest.problem, block.candidates)
        grown = extend(at.posterior, block, known)
        at = Exchange(climb_by_newton(grown, CLOSE, N_STEPS, np.inf).refreshed(), known)
        yield at


def _best_other(at: Exchange, gone: np.ndarray) -> CandidateBlock:
    """What gains most, but for what is gone; whether it is worth its price is seen later."""
    least_gain = np.zeros(len(at.products.energy))
    least_gain[gone] = np.inf
    every = survey(at.posterior, at.products)
    if at.posterior.problem.labels is not None:
        return choose_group(at.posterior, every, least_gain)
    relevance = candidate_relevance(at.posterior, every)
    return choose_block(at.posterior, relevance, every, least_gain, ONE)


def exchangeable(posterior: Posterior, products: KnownProducts, alike: float) -> list[np.ndarray]:
    """Positions of each kept column or group that another is like, and of two that are alike.

    Where the curvature varies, inner products are not known: any may be, and no two are tried.
    """
    active, labels = posterior.active, posterior.problem.labels
    names = np.arange(len(active)) if labels is None else labels[active]
    units = [np.flatnonzero(names == name) for name in np.unique(names)]
    if not posterior.problem.likelihood.constant_curvature:
        return units
    likeness = cosines(products, active)
    outside = np.delete(likeness, active, axis=0).max(axis=0, initial=0.0)
    found = [unit for unit in units if outside[unit].max() >= alike]
    inside = likeness[active]
    pairs = combinations(found, 2)
    return found + [np.append(a, b) for a, b in pairs if inside[np.ix_(a, b)].max() >= alike]


def cosines(products: KnownProducts, active: np.ndarray) -> np.ndarray:
    """Cosines between all candidates and the active ones, without their sign (M, m)."""
    length = np.sqrt(products.energy)
    scale = np.outer(length, length[active])
    inner = np.abs(products.inner[:, products.positions(active)])
    return np.divide(inner, scale, out=np.zeros_like(inner), where=scale > 0.0)
