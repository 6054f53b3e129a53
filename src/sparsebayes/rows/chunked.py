"""Rows whose columns are evaluated anew, a chunk at a time, whenever they are needed."""

from __future__ import annotations

from sparsebayes.rows._blocks import BLOCK_NUMBERS, Rows, evaluate_finite, row_slices


class ChunkedRows(Rows):
    """Blocks of rows; memory is bounded by one block of the active columns.

    Parameters
    ----------
    columns : bound columns, with `evaluate`
    inputs : array of shape (n_samples, n_features), or a memory map
    target, weight : arrays of shape (n_samples,)
    numbers : the size of a block: its rows times its columns, or one row if that is more
    """

    def __init__(self, columns, inputs, target, weight, numbers=BLOCK_NUMBERS):
        self.target = target
        self.weight = weight
        self._columns = columns
        self._inputs = inputs
        self._numbers = numbers

    def _designs(self, active):
        n_columns = self._columns.n_columns if active is None else len(active)
        for rows in row_slices(len(self.target), n_columns, self._numbers):
            yield rows, evaluate_finite(self._columns, self._inputs[rows], active)
