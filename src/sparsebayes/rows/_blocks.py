"""Blocks of rows: how many at a time, their columns evaluated and checked, results added up."""

from __future__ import annotations

from functools import reduce

import numpy as np

# Rows are taken in blocks of about this many numbers.
BLOCK_NUMBERS = 2**22


def row_slices(n_rows: int, n_columns: int, numbers: float = BLOCK_NUMBERS):
    """Slices of consecutive rows with about `numbers` numbers each, but at least one row."""
    size = max(1, int(numbers / max(1, n_columns)))
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def add_up(results):
    """The sum, entry by entry, of tuples of numbers and arrays."""
    return reduce(
        lambda left, right: tuple(a + b for a, b in zip(left, right, strict=True)), results
    )


def evaluate_finite(columns, inputs, active=None) -> np.ndarray:
    """The columns on the inputs, or an error if one of them is not finite."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        design = columns.evaluate(inputs, active)
    if np.isfinite(design).all():
        return design
    raise ValueError(
        "the basis gave infinite or NaN values on these inputs. Expected finite columns: please "
        "scale the inputs (for instance with StandardScaler) or check the kernel function."
    )
