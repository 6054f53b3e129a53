"""Rows that a model can be asked at, made from the model alone."""

from __future__ import annotations

import numpy as np

from sparsebayes.export.given import plains_of
from sparsebayes.model import PortableModel

# Part of the standard deviation, or of a probability, that floats may lose without a warning.
MOST_LOST = 1e-3
# Rows that a model is asked at.
MOST_ROWS = 500
# How far beyond the vectors, as a part of their distance to their middle.
BEYOND = 0.5


def own_vectors(model: PortableModel) -> np.ndarray:
    """The points that kernels of the mean and of error bars stand on (n, d).

    A model without kernels has 0, a row of ones, and rows where one input is 1.
    """
    d = model.face.n_features
    parts = [(*each.columns, *(each.spread.columns or ())) for each in plains_of(model)]
    centres = [each.items for columns in parts for each in columns if each.has_centres]
    if not sum(map(len, centres)):
        return np.vstack([np.zeros(d), np.ones(d), np.eye(d)[:MOST_ROWS]])
    return np.unique(np.vstack(centres), axis=0)


def probe_rows(model: PortableModel) -> np.ndarray:
    """The model's own vectors, rows half way from each to the next, and rows beyond them."""
    vectors = own_vectors(model)
    between = 0.5 * (vectors[1:] + vectors[:-1])
    middle = vectors.mean(axis=0)
    beyond = vectors + BEYOND * (vectors - middle)
    rows = np.vstack([vectors, between, beyond])
    return rows[:: 1 + len(rows) // MOST_ROWS]
