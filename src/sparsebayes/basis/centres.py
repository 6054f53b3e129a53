"""Which training rows are candidates for a centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns import Inputs


@dataclass(frozen=True)
class CentreBudget:
    """How many distinct training rows are centres where the user leaves it open.

    Parameters
    ----------
    all_rows : up to this many rows, all are centres: their kernel matrix takes 128 MB
    kernel_values : with more rows, the kernel matrix holds this many values: 0.8 GB
    fewest : the number of centres stays above this, since too few cannot follow the data
    most : the number of centres stays below this, since the work grows with its square
    """

    all_rows: int = 4000
    kernel_values: int = 10**8
    fewest: int = 1000
    most: int = 2000


DEFAULT_BUDGET = CentreBudget()


def distinct_rows(inputs: Inputs, weight: np.ndarray) -> np.ndarray:
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


def automatic_number(n_rows: int, budget: CentreBudget = DEFAULT_BUDGET) -> int:
    """The number of rows that serve as centres by default, of `n_rows` distinct ones."""
    if n_rows <= budget.all_rows:
        return n_rows
    return int(np.clip(budget.kernel_values // n_rows, budget.fewest, budget.most))


def _row_keys(rows: Any) -> list[tuple[bytes, bytes]]:
    rows = rows.tocsr().copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return [
        (rows.indices[start:stop].tobytes(), rows.data[start:stop].tobytes())
        for start, stop in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
    ]


def _first_of_each(keys: list[tuple[bytes, bytes]]) -> np.ndarray:
    first: dict[tuple[bytes, bytes], int] = {}
    for i, key in enumerate(keys):
        first.setdefault(key, i)
    return np.array([first[key] for key in sorted(first)], dtype=np.intp)
