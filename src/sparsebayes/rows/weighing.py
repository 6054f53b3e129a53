"""How many observations the weights of rows stand for.

A row of weight w adds w times its log density. Of a target with Gaussian noise s that is

    w log N(t | f, s^2) = log N(t | f, s^2 / w) - (w - 1) log s + const,

and the last term has no bound as s falls: with more observations than different rows, the evidence
says that there is no noise. So weights are *scaled*, unless they count observations, to the number
of rows of equal weight that say as much (Kish's effective number),

    n_effective = (sum_n w_n)^2 / sum_n w_n^2  <=  the number of rows,

and while scales, noise and the variance of a process are learned, no row counts more than once.

Noise that is known for each row is a matter of weights, too. With c_n the number of times that row
n counts, and sigma_n its noise, the density of all targets is that of rows with one noise s,
counted w_n times,

    w_n = c_n s^2 / sigma_n^2,  s^2 = sum_n c_n / sum_n (c_n / sigma_n^2),  sum_n w_n = sum_n c_n

up to the factor prod_n (s / sigma_n)^c_n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes.rows.merging import differs, merged, sortable
from sparsebayes.rows.rows import Data

# Part of the inputs with more than one observation that have different targets, if repeats are
# observations. Of numbers most do; classes may nearly always be the same.
MIXED_NUMBERS = 0.5
MIXED_CLASSES = 0.05


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

    Integers count observations where `observed_repeats` says that repeats are observations; a
    divisor of all of them is no count. One weight for all rows is none. All other weights are
    scaled.

    Parameters
    ----------
    rows : of positive weight, as given
    density : whether targets have a density, which has no bound, instead of a probability
    """
    rows = rows._replace(weight=one_for_equal(rows.weight))
    data, counts = merged(rows), are_counts(rows.weight)
    if counts and (data.weight == 1.0).all():
        return Weighed(data)
    observed = observed_repeats(data, counts, density)
    if counts and observed:
        return Weighed(data._replace(weight=data.weight / common_divisor(data.weight)))
    rows = rows if observed else data
    scaled, once = rows.weight * effective_factor(rows.weight), once_each(rows.weight)
    return Weighed(merged(rows._replace(weight=scaled)), merged(rows._replace(weight=once)).weight)


def one_for_equal(weight: np.ndarray) -> np.ndarray:
    """Ones in place of weights that are all equal, and so say nothing; others as they are."""
    return np.ones_like(weight) if (weight == weight[:1]).all() else weight


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


def observed_repeats(data: Data, counts: bool, density: bool) -> bool:
    """Whether rows that are equal, targets included, are observations and not copies.

    Observations of few levels have equal inputs with different targets, too. In a sample with
    replacement, or in rows that are repeated to weight them, inputs repeat only with their targets.
    Where targets are classes or counts and hardly ever differ, repeats are observations if as many
    are expected `by_chance`.

    Parameters
    ----------
    data : different rows, those with equal inputs side by side
    counts : whether their weights count rows
    density : whether targets have a density, instead of a probability
    """
    target = data.target.reshape(len(data.target), -1)
    keys = sortable(data.inputs, np.empty((0, len(target))))
    place = np.append(0, np.cumsum(differs(keys)))
    different = np.bincount(place)
    observed = np.bincount(place, data.weight) if counts else different.astype(np.float64)
    repeated = observed > 1.0
    if not repeated.any():
        return False
    mixed = float(np.mean(different[repeated] > 1))
    if density:
        return mixed >= MIXED_NUMBERS and of_few_levels(target)
    first = np.append(True, np.diff(place) > 0)
    return mixed >= MIXED_CLASSES or by_chance(keys[first], observed)


def of_few_levels(target: np.ndarray, part: float = 0.5) -> bool:
    """Whether targets (n, k) have at most so many different values, as a part of the rows."""
    return len(np.unique(target, axis=0)) <= part * len(target)


def by_chance(inputs: np.ndarray, observed: np.ndarray, part: float = 0.2) -> bool:
    """Whether as many pairs of equal rows are expected as there are.

    Two rows agree in all inputs with the product of the probabilities that they agree in one. These
    are those of pairs of different rows: 0 for an input that does not repeat but in copies.

    Parameters
    ----------
    inputs : that differ (k, d)
    observed : how often each was seen (k,)
    part : of the pairs that must be expected
    """
    n_different, n_rows = len(inputs), float(observed.sum())
    pairs = n_different * (n_different - 1) / 2.0
    if pairs == 0.0:
        return True
    expected = n_rows * (n_rows - 1.0) / 2.0
    for each in inputs.T:
        _, levels = np.unique(each, return_counts=True)
        expected *= float((levels * (levels - 1) / 2.0).sum()) / pairs
    return expected >= part * float((observed * (observed - 1.0) / 2.0).sum())


class KnownNoise(NamedTuple):
    """One noise for all rows, and how often each counts with it.

    Attributes
    ----------
    std : the noise s
    weight : w (n,)
    of_new : root mean square of the noise of rows, in units of s
    log_factor : what the log evidence of a target is short of
    """

    std: float
    weight: np.ndarray
    of_new: float
    log_factor: float


def known_noise(sigma: np.ndarray, counts: np.ndarray) -> KnownNoise:
    """The one noise s, and how often each row counts with it.

    Parameters
    ----------
    sigma : noise of each row (n,)
    counts : how often it counts (n,)
    """
    used = counts > 0
    largest, total = sigma[used].max(), counts.sum()
    relative = sigma / largest
    reference = (total / (counts @ relative**-2.0)) ** 0.5
    weight = counts * (reference / relative) ** 2
    log_factor = counts[used] @ np.log(reference / relative[used])
    of_new = (counts @ relative**2 / total) ** 0.5 / reference
    return KnownNoise(float(reference * largest), weight, float(of_new), float(log_factor))
