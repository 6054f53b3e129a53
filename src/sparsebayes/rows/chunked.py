"""Rows whose columns are evaluated anew, a chunk at a time, whenever they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sparsebayes.rows.rows import BLOCK_NUMBERS, Data, Rows, evaluate_finite, row_slices


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
        self._columns = columns
        self._inputs = data.inputs
        self._numbers = numbers

    def _designs(self, chosen: np.ndarray | None) -> Iterator[tuple[slice, np.ndarray]]:
        n_columns = self._columns.n_columns if chosen is None else len(chosen)
        for block in row_slices(len(self.target), n_columns, self._numbers):
            yield block, evaluate_finite(self._columns, self._inputs[block], chosen)
