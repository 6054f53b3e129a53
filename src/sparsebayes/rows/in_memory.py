"""Rows in this process: their columns kept in memory, or evaluated anew a chunk at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy.sparse import csc_array, hstack, issparse

from sparsebayes.columns import dense_if_small
from sparsebayes.rows.rows import (
    BLOCK_NUMBERS,
    Data,
    Rows,
    check_largest,
    evaluate_finite,
    largest_size,
    row_slices,
)

# Blocks of so many numbers, 2 MB, stay in the cache while they are turned into another order.
TURNED_NUMBERS = 2**18
# Inputs of more numbers, 80 MB, are their own columns; they are not copied.
MANY_NUMBERS = 10**7


class InMemoryRows(Rows):
    """All columns of all rows as one array.

    Parameters
    ----------
    design : the columns (n_samples, n_columns)
    target, weight : arrays of shape (n_samples,)
    """

    def __init__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray):
        self.target = target
        self.weight = weight
        self._design = design
        self._last: tuple[np.ndarray, np.ndarray] | None = None

    @classmethod
    def evaluated(cls, columns: Any, data: Data) -> Self:
        """The rows of `data` with these columns, evaluated block by block."""
        if are_many_inputs(columns, data):
            check_largest(largest_size(data.inputs), columns)
            return cls(data.inputs, data.target, data.weight)
        # Fortran order: a subset of the columns is then a copy of whole runs of memory.
        design = np.empty((len(data.target), columns.n_columns), order="F")
        for block in row_slices(len(design), columns.n_columns, TURNED_NUMBERS):
            design[block] = evaluate_finite(columns, data.inputs[block])
        return cls(design, data.target, data.weight)

    def _designs(self, chosen: np.ndarray | None) -> Iterator[tuple[slice, np.ndarray]]:
        if chosen is not None and self._is_large(chosen):
            for block in row_slices(len(self.target), len(chosen)):
                yield block, self._design[block][:, chosen]
            return
        design = self._design if chosen is None else self._subset(chosen)
        for block in row_slices(len(self.target), design.shape[1]):
            yield block, design[block]

    def _is_large(self, chosen: np.ndarray) -> bool:
        """Whether these are most columns of a design that is too large to be copied."""
        return self._design.size > MANY_NUMBERS and 2 * len(chosen) > self._design.shape[1]

    def _subset(self, chosen: np.ndarray) -> np.ndarray:
        """The columns `chosen`: a copy, unless they are all columns or those of the last time."""
        if self._last is None or not np.array_equal(self._last[0], chosen):
            every = np.array_equal(chosen, np.arange(self._design.shape[1]))
            self._last = chosen.copy(), self._design if every else self._design[:, chosen]
        return self._last[1]


def are_many_inputs(columns: Any, data: Data) -> bool:
    """Whether the columns are all inputs of an array that is too large to be copied."""
    return (
        isinstance(data.inputs, np.ndarray)
        and data.inputs.size > MANY_NUMBERS
        and data.inputs.shape[1] == columns.n_columns
        and columns.are_inputs
    )


class ChunkedRows(Rows):
    """Blocks of rows; memory is bounded by one block of the chosen columns.

    Parameters
    ----------
    columns : bound columns, with `evaluate`
    data : inputs (an array or a memory map), target and weight
    numbers : the size of a block: its rows times its columns, or one row if that is more
    """

    def __init__(self, columns: Any, data: Data, numbers: float = BLOCK_NUMBERS):
        self.target = data.target
        self.weight = data.weight
        self.evaluates = True
        self._columns = columns
        self._inputs = data.inputs
        self._numbers = numbers

    def _designs(self, chosen: np.ndarray | None) -> Iterator[tuple[slice, np.ndarray]]:
        n_columns = self._columns.n_columns if chosen is None else len(chosen)
        for block in row_slices(len(self.target), n_columns, self._numbers):
            yield block, evaluate_finite(self._columns, self._inputs[block], chosen)


class SparseRows(Rows):
    """All columns of all rows as one sparse matrix, for columns that are as sparse as the inputs.

    Parameters
    ----------
    design : the columns (n_samples, n_columns), in compressed columns
    target, weight : arrays of shape (n_samples,)
    """

    def __init__(self, design: Any, target: np.ndarray, weight: np.ndarray):
        self.target = target
        self.weight = weight
        self._design = design

    @classmethod
    def evaluated(cls, columns: Any, data: Data) -> Self:
        """The rows of `data` with these columns."""
        parts = [
            kind.formula.definition.sparse_values(data.inputs, kind.items) for kind in columns.kinds
        ]
        design = parts[0] if len(parts) == 1 else csc_array(hstack(parts))
        check_largest(largest_size(design.data), columns)
        return cls(design, data.target, data.weight)

    def _designs(self, chosen: np.ndarray | None) -> Iterator[tuple[slice, Any]]:
        """All columns are sparse; some of them are an array, in blocks if they are many."""
        n_rows = len(self.target)
        if chosen is None:
            yield slice(0, n_rows), self._design
            return
        blocks = row_slices(n_rows, len(chosen))
        some = self._design[:, chosen] if len(blocks) == 1 else self._design[:, chosen].tocsr()
        for block in blocks:
            yield block, some[block].toarray(order="F")


def stay_sparse(columns: Any, data: Data) -> bool:
    """Whether sparse inputs make columns that are as sparse, and too many numbers to be dense."""
    return columns.stay_sparse and issparse(dense_if_small(data.inputs))


# A chunk has no fewer numbers than this, however small the cache.
FEWEST_NUMBERS = 2**14


def make_rows(columns: Any, data: Data, cache_size: float) -> Rows:
    """Rows in memory if all columns fit into `cache_size` megabytes, else in chunks.

    Columns that are as sparse as the inputs stay so.
    """
    if stay_sparse(columns, data):
        return SparseRows.evaluated(columns, data)
    numbers = cache_size * 1e6 / 8.0
    if len(data.target) * columns.n_columns <= numbers:
        return InMemoryRows.evaluated(columns, data)
    return ChunkedRows(columns, data, float(np.clip(numbers, FEWEST_NUMBERS, BLOCK_NUMBERS)))
