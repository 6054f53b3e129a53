"""Which training rows are candidates for a centre."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

ALL_ROWS = 4000
KERNEL_VALUES = 10**8
FEWEST_CENTRES, MOST_CENTRES = 1000, 2000


def distinct_rows(inputs, weight) -> np.ndarray:
    """Indices of the distinct rows of positive weight, ordered by the rows' values.

    A row that occurs twice would give two equal columns, each with a prior of its own, so that
    weighting a row would differ from repeating it.
    """
    candidates = np.flatnonzero(weight > 0)
    chosen = inputs[candidates]
    if issparse(chosen):
        first = _first_of_each(_row_keys(chosen))
    else:
        _, first = np.unique(chosen, axis=0, return_index=True)
    return candidates[first]


def automatic_number(n_rows: int) -> int:
    """How many rows serve as centres by default.

    All of them where that is quick; else as many as make 1e8 kernel values, between the bounds.
    """
    if n_rows <= ALL_ROWS:
        return n_rows
    return int(np.clip(KERNEL_VALUES // n_rows, FEWEST_CENTRES, MOST_CENTRES))


def spread(rows: np.ndarray, most: int) -> np.ndarray:
    """At most `most` of the rows, evenly spaced in their order."""
    if most >= len(rows):
        return rows
    return rows[np.linspace(0, len(rows) - 1, most).round().astype(np.intp)]


def _row_keys(rows):
    rows = rows.tocsr().copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return [
        (rows.indices[start:stop].tobytes(), rows.data[start:stop].tobytes())
        for start, stop in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
    ]


def _first_of_each(keys) -> np.ndarray:
    first: dict = {}
    for i, key in enumerate(keys):
        first.setdefault(key, i)
    return np.array([first[key] for key in sorted(first)], dtype=np.intp)
