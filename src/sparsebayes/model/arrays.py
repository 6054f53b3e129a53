"""Arrays of many rows: products, roots, functions mapped over blocks, and no warnings of NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import numpy as np

NOT_FINITE = (
    "the columns of the model are infinite or NaN at these inputs X. Expected finite values: "
    "please check X for extreme values, and the kernel function if it is your own."
)
# A product with a triangle of this many rows or more skips the zeros, a panel at a time.
MANY_ROWS, PANELS = 256, 4


def finite(values: np.ndarray) -> np.ndarray:
    """The values, or an error if one of them is not finite."""
    if not np.isfinite(values).all():
        raise ValueError(NOT_FINITE)
    return values


def squared_lengths(rows: np.ndarray) -> np.ndarray:
    """The squared length of each row (n,)."""
    return np.einsum("nm,nm->n", rows, rows)


def symmetric_root(matrix: np.ndarray) -> np.ndarray:
    """The symmetric square root of matrices (..., k, k): it varies smoothly with the matrix."""
    values, vectors = np.linalg.eigh(matrix)
    scaled = vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :]
    return scaled @ np.swapaxes(vectors, -1, -2)


def times_lower_transposed(values: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """values L' for a lower triangle L (m, m), of shape (n, m); zeros are not multiplied.

    By products of NumPy, which let other threads work meanwhile.
    """
    size = len(lower)
    if size < MANY_ROWS:
        return values @ lower.T
    product = np.empty((len(values), size))
    step = -(-size // PANELS)
    for start in range(0, size, step):
        stop = min(start + step, size)
        np.matmul(values[:, :stop], lower[start:stop, :stop].T, out=product[:, start:stop])
    return product


def side_by_side(designs: Sequence[np.ndarray], n_rows: int) -> np.ndarray:
    """Columns of several formulas as one array of doubles (n_rows, m); there may be none."""
    if len(designs) > 1:
        return np.concatenate(designs, axis=1, dtype=np.float64)
    return np.asarray(designs[0], dtype=np.float64) if designs else np.empty((n_rows, 0))


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
    size = max(1, block_numbers // max(1, numbers_per_row))
    if size >= n_rows:
        return function(slice(0, n_rows))
    starts = range(0, n_rows, size)
    blocks = [function(slice(start, min(start + size, n_rows))) for start in starts]
    return tuple(np.concatenate(parts) for parts in zip(*blocks, strict=True))


Function = TypeVar("Function", bound=Callable[..., Any])


def without_numpy_errors(function: Function) -> Function:
    """The function, in which NumPy neither raises nor warns, whatever the user has told it.

    An exponential that vanishes far from the data is no error. Results that must be finite are
    checked.
    """

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return called  # type: ignore[return-value]
