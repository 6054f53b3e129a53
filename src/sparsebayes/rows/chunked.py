"""Rows whose columns are evaluated anew, a chunk at a time, whenever they are needed."""

from __future__ import annotations

from functools import reduce

from sparsebayes.rows._finite import evaluate_finite


class ChunkedRows:
    """Blocks of at most `chunk_rows` rows; memory is bounded by one block of the active columns.

    Parameters
    ----------
    columns : bound columns, with `evaluate`
    inputs : array of shape (n_samples, n_features), or a memory map
    target, weight : arrays of shape (n_samples,)
    chunk_rows : int
    """

    def __init__(self, columns, inputs, target, weight, chunk_rows):
        self.target = target
        self.weight = weight
        self._columns = columns
        self._inputs = inputs
        self._chunk_rows = chunk_rows

    def fold(self, function, active=None):
        """The sum of function(design, target, weight) over the blocks, in their order."""
        return reduce(_add, (function(*block) for block in self._blocks(active)))

    def _blocks(self, active):
        for start in range(0, len(self.target), self._chunk_rows):
            rows = slice(start, start + self._chunk_rows)
            design = evaluate_finite(self._columns, self._inputs[rows], active)
            yield design, self.target[rows], self.weight[rows]


def _add(left, right):
    return tuple(a + b for a, b in zip(left, right, strict=True))
