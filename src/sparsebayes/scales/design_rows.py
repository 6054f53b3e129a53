"""Rows whose columns are at hand."""

from __future__ import annotations

import numpy as np

from sparsebayes.columns import identity_columns
from sparsebayes.rows import InMemoryRows


def design_rows(design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> InMemoryRows:
    """Rows with the columns of a matrix (n_samples, m)."""
    return InMemoryRows(identity_columns(design.shape[1]), design, target, weight)
