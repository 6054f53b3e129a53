"""Where to keep rows."""

from __future__ import annotations

import numpy as np

from sparsebayes.rows._blocks import BLOCK_NUMBERS
from sparsebayes.rows.chunked import ChunkedRows
from sparsebayes.rows.in_memory import InMemoryRows


def make_rows(columns, rows: tuple, cache_size: float) -> InMemoryRows | ChunkedRows:
    """Rows in memory if all columns fit into `cache_size` megabytes, else in chunks.

    Parameters
    ----------
    rows : inputs, target and weight
    """
    inputs, target, weight = rows
    numbers = cache_size * 1e6 / 8.0
    if len(target) * columns.n_columns <= numbers:
        return InMemoryRows(columns, inputs, target, weight)
    return ChunkedRows(columns, inputs, target, weight, np.clip(numbers, 2**14, BLOCK_NUMBERS))
