"""The rows in an order of their own, equal ones as one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns import dense_if_small, own_order
from sparsebayes.columns.order import differs, row_order
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
