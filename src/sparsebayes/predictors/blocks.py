"""Blocks of rows that are predicted at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sparsebayes.rows import row_slices


def map_rows(
    function: Callable[[slice], tuple[np.ndarray, ...]],
    n_rows: int,
    numbers_per_row: int,
    block_numbers: int,
) -> tuple[np.ndarray, ...]:
    """The arrays that function(rows) returns, strung together over slices of the rows.

    Parameters
    ----------
    numbers_per_row : how many numbers the function computes for a row
    block_numbers : how many it may compute at a time
    """
    slices = row_slices(n_rows, numbers_per_row, block_numbers) or [slice(0, 0)]
    blocks = [function(rows) for rows in slices]
    if len(blocks) == 1:
        return blocks[0]
    return tuple(np.concatenate(parts) for parts in zip(*blocks, strict=True))
