"""Rows whose columns are evaluated once and kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from sparsebayes.rows.rows import Data, Rows, evaluate_finite, row_slices


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

    @classmethod
    def evaluated(cls, columns: Any, data: Data) -> Self:
        """The rows of `data` with these columns, evaluated block by block."""
        # Fortran order: a subset of the columns is then a copy of whole runs of memory.
        design = np.empty((len(data.target), columns.n_columns), order="F")
        for block in row_slices(*design.shape):
            design[block] = evaluate_finite(columns, data.inputs[block])
        return cls(design, data.target, data.weight)

    def _designs(self, chosen: np.ndarray | None) -> Iterator[tuple[slice, np.ndarray]]:
        n_columns = self._design.shape[1] if chosen is None else len(chosen)
        for block in row_slices(len(self.target), n_columns):
            yield block, self._design[block] if chosen is None else self._design[block, chosen]
