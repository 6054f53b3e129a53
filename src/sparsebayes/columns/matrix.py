"""Columns that are at hand as a matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MatrixColumns:
    """The inputs themselves are the columns."""

    n_columns: int

    def evaluate(self, inputs: np.ndarray, chosen: np.ndarray | None = None) -> np.ndarray:
        """The columns `chosen` (all by default)."""
        return inputs if chosen is None else inputs[:, chosen]
