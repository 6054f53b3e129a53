"""Where the values of an input usually are, so that a few codes such as -999 decide nothing."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, issparse

from sparsebayes.columns import Inputs
from sparsebayes.columns.sparse_inputs import Range, input_range, parts_as_arrays

# Values farther than this many interquartile ranges from the median are taken to be there.
FARTHEST = 5.0
# Seven in ten of the values that are not the median are nearer to it than some distance, and 6.5
# times that distance are five interquartile ranges of a Gaussian. Of up to three values the
# farthest counts: they cannot tell which of them is unusual.
NEARER = 0.7
TIMES = 6.5


def usual_inputs(inputs: Inputs, weight: np.ndarray) -> Inputs:
    """Inputs whose extreme values are moved inwards, so that a few codes do not set the spread.

    Each is moved to the end of its usual range.
    """
    least, most = usual_range(inputs, weight)
    if not issparse(inputs):
        return np.clip(inputs, least, most)
    stored = csr_array(inputs, copy=True)
    stored.eliminate_zeros()
    stored.data = np.clip(stored.data, least[stored.indices], most[stored.indices])
    zeros = np.clip(0.0, least, most)
    for few, array in parts_as_arrays(np.flatnonzero(zeros), inputs):
        row, column = np.nonzero(array == 0.0)
        moved = zeros[few][column], (row, few[column])
        stored = stored + csr_array(moved, shape=inputs.shape)
    return stored


def reach_of_extremes(inputs: Inputs, weight: np.ndarray) -> np.ndarray:
    """The reach of all values of an input that has unusual ones; 0 of others (n_features,)."""
    usual, whole = usual_range(inputs, weight), input_range(inputs)
    extreme = (whole.lowest < usual.lowest) | (whole.highest > usual.highest)
    return np.where(extreme, whole.highest - whole.lowest, 0.0)


def usual_range(inputs: Inputs, weight: np.ndarray) -> Range:
    """Where the values of each input usually are.

    The range is the median, plus and minus five interquartile ranges; no value of a Gaussian is so
    far away. Where many values are the same, as in counts, amounts and dummies, these ranges are
    small or nothing. Then another distance takes their place if it is larger: 6.5 times the
    distance from the median within which seven in ten of the other values are. So the ones of a
    dummy are usual, however few they are. A constant has no limits.
    """
    if not issparse(inputs):
        return _range_of_arrays(inputs, weight)
    stored = inputs.tocsc()
    part = weight @ (stored != 0.0) / weight.sum()
    low, high = _range_about_zero(stored, weight, part)
    for many, array in parts_as_arrays(np.flatnonzero(part >= 0.25 * (1.0 - 1e-9)), stored):
        low[many], high[many] = _range_of_arrays(array, weight)
    return Range(low, high)


def _range_of_arrays(inputs: np.ndarray, weight: np.ndarray) -> Range:
    lower, median, upper = (weighted_quantile(inputs, weight, part) for part in (0.25, 0.5, 0.75))
    reach = FARTHEST * (upper - lower)
    beyond = (inputs < median - reach) | (inputs > median + reach)
    doubtful = np.flatnonzero(beyond.any(axis=0))
    apart = np.abs(inputs[:, doubtful] - median[doubtful])
    same = weight @ (apart == 0.0) / weight.sum()
    others = weighted_quantile(apart, weight, same + NEARER * (1.0 - same))
    reach[doubtful] = np.maximum(reach[doubtful], TIMES * others)
    reach = np.where(reach > 0.0, reach, np.inf)
    return Range(median - reach, median + reach)


def _range_about_zero(inputs: Inputs, weight: np.ndarray, part: np.ndarray) -> Range:
    """The usual range of sparse inputs, as far as fewer than a quarter of their values are not 0.

    Parameters
    ----------
    part : of the rows in which an input is not 0 (n_features,)
    """
    stored = inputs.tocoo()
    order = np.lexsort([np.abs(stored.data), stored.col])
    size, column = np.abs(stored.data[order]), stored.col[order]
    own = np.where(size > 0.0, weight[stored.row[order]], 0.0)
    starts = np.searchsorted(column, np.arange(inputs.shape[1]))
    below = np.cumsum(own)
    below -= np.append(0.0, below)[starts][column]
    middle = below >= NEARER * (part * weight.sum())[column] * (1.0 - 1e-12)
    middle &= size > 0.0
    which, first = np.unique(column[middle], return_index=True)
    reach = np.full(inputs.shape[1], np.inf)
    reach[which] = TIMES * size[middle][first]
    return Range(-reach, reach)


def weighted_quantile(
    inputs: np.ndarray, weight: np.ndarray, part: float | np.ndarray
) -> np.ndarray:
    """The least value of each input that this part of the rows does not exceed (n_features,)."""
    order = np.argsort(inputs, axis=0, kind="stable")
    below = np.cumsum(weight[order], axis=0)
    first = np.argmax(below >= part * weight.sum() * (1.0 - 1e-12), axis=0)
    return np.take_along_axis(inputs, np.take_along_axis(order, first[None], axis=0), axis=0)[0]
