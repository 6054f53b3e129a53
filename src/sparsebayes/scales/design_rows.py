"""Rows whose columns are at hand."""

from __future__ import annotations

import numpy as np

from sparsebayes.basis import Linear
from sparsebayes.rows import InMemoryRows


def design_rows(design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> InMemoryRows:
    """Rows with the columns of a matrix (n_samples, m)."""
    return InMemoryRows(Linear().bind(design, weight), design, target, weight)
