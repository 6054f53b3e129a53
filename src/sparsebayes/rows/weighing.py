"""How many observations the weights of rows stand for.

A row of weight w adds w times its log density. Of a target with Gaussian noise s that is

    w log N(t | f, s^2) = log N(t | f, s^2 / w) - (w - 1) log s + const,

and the last term has no bound as s falls: with more observations than different rows, the evidence
says that there is no noise. So weights are *scaled*, unless they count observations, to the number
of rows of equal weight that say as much (Kish's effective number),

    n_effective = (sum_n w_n)^2 / sum_n w_n^2  <=  the number of rows,

and while scales, noise and the variance of a process are learned, no row counts more than once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes.columns.order import differs
from sparsebayes.rows.merging import merged, sortable
from sparsebayes.rows.rows import Data


class Weighed(NamedTuple):
    """Different rows, and how often they count.

    Attributes
    ----------
    data : the rows, equal ones as one, whose weights are numbers of observations
    learning : how often each counts while scales are learned, where that is not its weight (n,)
    """

    data: Data
    learning: np.ndarray | None = None


def weighed(rows: Data, density: bool) -> Weighed:
    """The different rows of positive weight, with weights that are numbers of observations.

    Integers count observations of a target that has a probability, and where `observed_repeats`
    says that repeats are observations; a divisor of all of them is no count. All other weights are
    scaled.

    Parameters
    ----------
    rows : of positive weight, as given
    density : whether targets have a density, which has no bound, instead of a probability
    """
    data, counts = merged(rows), are_counts(rows.weight)
    if counts and (data.weight == 1.0).all():
        return Weighed(data)
    observed = not density or observed_repeats(data, counts)
    if counts and observed:
        return Weighed(data._replace(weight=data.weight / common_divisor(data.weight)))
    rows = rows if observed else data
    scaled, once = rows.weight * effective_factor(rows.weight), once_each(rows.weight)
    return Weighed(merged(rows._replace(weight=scaled)), merged(rows._replace(weight=once)).weight)


def common_divisor(counts: np.ndarray) -> float:
    """The largest number that divides all of these integers."""
    return float(np.gcd.reduce(counts.astype(np.int64)))


def are_counts(weight: np.ndarray) -> bool:
    """Whether all weights are integers, which count rows."""
    return bool((weight == np.floor(weight)).all())


def effective_factor(weight: np.ndarray) -> float:
    """What makes weights sum to (sum w)^2 / sum w^2, as many as rows of equal weight say as much.

    It is 1 for weights of one.
    """
    return factor_of_sums(float(weight.sum()), float(weight @ weight))


def factor_of_sums(weight: float, squared_weight: float) -> float:
    """The factor of weights that have these sums of w and w^2."""
    return weight / squared_weight


def once_each(weight: np.ndarray, part: float = 0.9) -> np.ndarray:
    """How often rows count where none may count more than once (n,).

    The heaviest rows, which together have most of the weight, count once. Lighter ones count less.

    Parameters
    ----------
    part : of all weight that is in rows which count once
    """
    falling = np.sort(weight)[::-1]
    enough = np.searchsorted(np.cumsum(falling), part * weight.sum() * (1.0 - 1e-12))
    return np.minimum(weight / falling[min(int(enough), len(falling) - 1)], 1.0)


def observed_repeats(data: Data, counts: bool, few: float = 0.5, mixed: float = 0.5) -> bool:
    """Whether rows that are equal, targets included, are observations and not copies.

    Targets that are continuous do not repeat by chance. Those of few levels do; then equal inputs
    also come with different targets. In a sample with replacement, or in rows that are repeated to
    weight them, they do not.

    Parameters
    ----------
    data : different rows, those with equal inputs side by side
    counts : whether their weights count rows
    few : targets of few levels have at most so many different values, as a part of the rows
    mixed : part of the inputs with more than one observation that have different targets
    """
    target = data.target.reshape(len(data.target), -1)
    if len(np.unique(target, axis=0)) > few * len(target):
        return False
    place = np.append(0, np.cumsum(differs(sortable(data.inputs, np.empty((0, len(target)))))))
    different = np.bincount(place)
    observed = np.bincount(place, data.weight) if counts else different
    repeated = observed > 1.0
    return bool(repeated.any() and np.mean(different[repeated] > 1) >= mixed)
