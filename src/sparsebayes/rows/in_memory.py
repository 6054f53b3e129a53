"""Rows whose columns are evaluated once and kept."""

from __future__ import annotations

import numpy as np

from sparsebayes.rows._finite import evaluate_finite


class InMemoryRows:
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
        self._design = np.asfortranarray(evaluate_finite(columns, inputs))

    def fold(self, function, active=None):
        """function(design, target, weight) on all rows at once."""
        design = self._design if active is None else self._design[:, active]
        return function(design, self.target, self.weight)
