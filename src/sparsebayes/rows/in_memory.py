"""Rows whose columns are evaluated once and kept."""

from __future__ import annotations

import numpy as np

from sparsebayes.rows._blocks import Rows, evaluate_finite, row_slices


class InMemoryRows(Rows):
    """All columns of all rows as one array of n_samples x n_columns numbers.

    Parameters
    ----------
    columns : bound columns, with `evaluate`
    inputs : array of shape (n_samples, n_features)
    target, weight : arrays of shape (n_samples,)
    """

    def __init__(self, columns, inputs, target, weight):
        self.target = target
        self.weight = weight
        # Fortran order: a subset of the columns is then a copy of whole runs of memory.
        self._design = np.empty((len(target), columns.n_columns), order="F")
        for rows in row_slices(*self._design.shape):
            self._design[rows] = evaluate_finite(columns, inputs[rows])

    def _designs(self, active):
        n_columns = self._design.shape[1] if active is None else len(active)
        for rows in row_slices(len(self.target), n_columns):
            yield rows, self._design[rows] if active is None else self._design[rows, active]
