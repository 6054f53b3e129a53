"""Rows in this process: their columns kept in memory, or evaluated anew a chunk at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from sparsebayes.rows.rows import (
    BLOCK_NUMBERS,
    Data,
    Rows,
    evaluate_finite,
    row_slices,
)

# Blocks of so many numbers, 2 MB, stay in the cache while they are turned into another order.
TURNED_NUMBERS = 2**18


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
        # Fortran order: a subset of the columns is then a copy of whole runs of memory.
        design = np.empty((len(data.target), columns.n_columns), order="F")
        for block in row_slices(len(design), columns.n_columns, TURNED_NUMBERS):
            design[block] = evaluate_finite(columns, data.inputs[block])
        return cls(design, data.target, data.weight)

    def _designs(self, chosen: np.ndarray | None) -> Iterator[tuple[slice, np.ndarray]]:
        design = self._design if chosen is None else self._subset(chosen)
        for block in row_slices(len(self.target), design.shape[1]):
            yield block, design[block]

    def _subset(self, chosen: np.ndarray) -> np.ndarray:
        """The columns `chosen`: a copy, unless they are all columns or those of the last time."""
        if self._last is None or not np.array_equal(self._last[0], chosen):
            every = np.array_equal(chosen, np.arange(self._design.shape[1]))
            self._last = chosen.copy(), self._design if every else self._design[:, chosen]
        return self._last[1]


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


# A chunk has no fewer numbers than this, however small the cache.
FEWEST_NUMBERS = 2**14


def make_rows(columns: Any, data: Data, cache_size: float) -> Rows:
    """Rows in memory if all columns fit into `cache_size` megabytes, else in chunks."""
    numbers = cache_size * 1e6 / 8.0
    if len(data.target) * columns.n_columns <= numbers:
        return InMemoryRows.evaluated(columns, data)
    return ChunkedRows(columns, data, float(np.clip(numbers, FEWEST_NUMBERS, BLOCK_NUMBERS)))
