"""An order of rows that depends on their values alone."""

from __future__ import annotations

import numpy as np


def own_order(
    rows: np.ndarray, n_last: int = 0, most: float = 3e5, most_inputs: int = 256
) -> np.ndarray:
    """The order of distinct rows by their values, whatever the order or the units of the inputs.

    The inputs come in an order of their own first. With r_ij the rank of a value among those of its
    input and s_i = sum_j r_ij, the keys of input j are sum_i r_ij, sum_i r_ij s_i and
    sum_i r_ij s_i^2. These are whole numbers, so that rounding does not matter.

    Parameters
    ----------
    n_last : columns at the end that are no inputs, and decide where inputs are equal
    most, most_inputs : of more numbers or inputs, ranks would take long, and the inputs count in
        the order that they have
    """
    if rows.size > most or rows.shape[1] - n_last > most_inputs:
        return row_order(rows)
    inputs, last = np.split(rows, [rows.shape[1] - n_last], axis=1)
    rank = dense_rank(inputs)
    total = rank.sum(axis=1)
    first = np.lexsort([total**power @ rank for power in (2, 1, 0)])
    return row_order(np.hstack([inputs[:, first], last]))


def dense_rank(values: np.ndarray) -> np.ndarray:
    """The rank of each value among the distinct ones of its column (n, k)."""
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    steps = np.zeros(values.shape, dtype=np.int64)
    np.cumsum(ordered[1:] != ordered[:-1], axis=0, out=steps[1:])
    rank = np.empty_like(steps)
    np.put_along_axis(rank, order, steps, axis=0)
    return rank


def row_order(keys: np.ndarray, few: int = 16) -> np.ndarray:
    """The order of rows by these columns; mostly the first few of them tell all rows apart."""
    order = np.lexsort(keys[:, :few].T[::-1])
    if differs(keys[order, :few]).all():
        return order
    return np.lexsort(keys.T[::-1])


def differs(keys: np.ndarray) -> np.ndarray:
    """Whether each row but the first differs from the one before (n - 1,)."""
    return (keys[1:] != keys[:-1]).any(axis=1)
