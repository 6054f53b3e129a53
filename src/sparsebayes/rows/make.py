"""Where to keep rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes.rows.chunked import ChunkedRows
from sparsebayes.rows.in_memory import InMemoryRows
from sparsebayes.rows.rows import BLOCK_NUMBERS, Data, Rows

# A chunk has no fewer numbers than this, however small the cache.
FEWEST_NUMBERS = 2**14


def make_rows(columns: Any, data: Data, cache_size: float) -> Rows:
    """Rows in memory if all columns fit into `cache_size` megabytes, else in chunks."""
    numbers = cache_size * 1e6 / 8.0
    if len(data.target) * columns.n_columns <= numbers:
        return InMemoryRows.evaluated(columns, data)
    return ChunkedRows(columns, data, float(np.clip(numbers, FEWEST_NUMBERS, BLOCK_NUMBERS)))
