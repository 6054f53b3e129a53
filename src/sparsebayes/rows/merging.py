"""The rows in an order that depends on their values alone, equal ones as one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns import dense_if_small
from sparsebayes.rows.rows import Data


class Groups(NamedTuple):
    """Rows that are equal, group by group, in an order of their own.

    Attributes
    ----------
    first : the first row of each group (k,)
    place : the group of each row (n,)
    """

    first: np.ndarray
    place: np.ndarray

    def total(self, weight: np.ndarray) -> np.ndarray:
        """The sum of the weights of each group (k,)."""
        return np.bincount(self.place, weight, len(self.first))


def merged(data: Data, most: int = 20_000, most_numbers: float = 2e7) -> Data:
    """The rows in an order of their own, equal ones as one with the sum of their weights.

    So neither the order of the rows matters, nor whether one occurs twice or has weight two, not
    even to rounding.

    Parameters
    ----------
    most : more rows are left as they are, since sorting them takes long; and so are the rows of a
        large sparse matrix, which are not compared input by input
    most_numbers : rows of more numbers than that are left as they are, since they would be copied
    """
    many = len(data.target) > most or np.prod(data.inputs.shape) > most_numbers
    if many or issparse(dense_if_small(data.inputs)):
        return data
    targets = data.target.reshape(len(data.target), -1)
    groups = equal_rows(data.inputs, targets.T)
    return Data(data.inputs[groups.first], data.target[groups.first], groups.total(data.weight))


def equal_rows(inputs: Any, targets: np.ndarray) -> Groups:
    """Which rows are equal in their inputs and targets (k, n)."""
    keys = sortable(inputs, targets)
    order = row_order(keys)
    new = np.append(True, differs(keys[order]))
    first = order[new]
    own = own_order(keys[first], len(targets))
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.argsort(own)[np.cumsum(new) - 1]
    return Groups(first[own], place)


def sortable(inputs: Any, targets: np.ndarray) -> np.ndarray:
    """What tells rows apart, the first column first: their inputs, then their targets (n, k).

    Instead of the inputs of a large sparse matrix, one sum of them, with factors that never repeat.
    """
    inputs = dense_if_small(inputs)
    if issparse(inputs):
        inputs = (inputs @ np.sin(np.arange(1.0, inputs.shape[1] + 1.0)))[:, None]
    return np.hstack([inputs, targets.T])


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
