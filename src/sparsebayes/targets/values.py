"""Values of y, and numbers of rows beside them: their checks."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import column_or_1d

from sparsebayes._parameters import LARGEST, SMALLEST
from sparsebayes.model.given import first_wrong
from sparsebayes.problem import LEAST_SPREAD


def numbers_of_rows(name: str, values: Any, n_rows: int, otherwise: str = "") -> np.ndarray:
    """Numbers that `fit` was given for each row (n_rows,).

    Parameters
    ----------
    name : of the argument
    otherwise : what to do instead, for the error
    """
    found = np.asarray(values, dtype=np.float64)
    if found.shape != (n_rows,):
        raise ValueError(
            f"{name} of fit must be an array of shape ({n_rows},), one number for each row of X, "
            f"got the shape {found.shape}.{otherwise}"
        )
    return found


def numeric_target(name: str, y: Any) -> Any:
    """y as floats where it holds numbers or booleans; an error where it holds other words."""
    values = np.asarray(y)
    if values.dtype.kind not in "USOmM" or y is None:
        return y if values.dtype.kind != "b" else values.astype(np.float64)
    try:
        if values.dtype.kind in "mM":
            raise TypeError(values.dtype)
        return values.astype(np.float64)
    except (TypeError, ValueError) as error:
        found = first_wrong(values.ravel()) or (0, values.ravel()[0])
        raise ValueError(
            f"y of {name} must hold numbers, got '{found[1]}' among others; a "
            "classifier takes class labels."
        ) from error


def check_target_size(y: np.ndarray) -> None:
    """An error where the squares of the targets would not be representable."""
    sizes = np.atleast_1d(np.abs(y).max(axis=0))
    for size in sizes[sizes > 0.0]:
        if not SMALLEST < size < LARGEST:
            raise ValueError(
                f"y must be zero or of a size between {SMALLEST} and {LARGEST}, got values up to "
                f"{size}. Please rescale y."
            )


def checked_exposure(exposure: Any, n_rows: int) -> np.ndarray:
    """Logarithms of positive numbers (n_rows,)."""
    values = numbers_of_rows("exposure", exposure, n_rows)
    wrong = np.flatnonzero(~((values > 1e-100) & (values < 1e100)))
    if len(wrong):
        raise ValueError(
            f"exposure of fit must hold positive finite numbers, got {values[wrong[0]]} in row "
            f"{wrong[0]}. Leave out rows without exposure."
        )
    return np.log(values)


def is_constant(y: np.ndarray) -> np.ndarray:
    """Whether each output is a constant that is not zero, up to rounding."""
    size = np.abs(y).max(axis=0)
    return np.ptp(y, axis=0) <= LEAST_SPREAD * size


def warn_of_column() -> None:
    """Warn as scikit-learn does of a target that is a column."""
    column_or_1d(np.zeros((2, 1)), warn=True)


def is_lazy(collection: Any) -> bool:
    """Whether this is an array or a frame of Dask. Dask is not imported to find out."""
    return type(collection).__module__.split(".")[0] in ("dask", "dask_expr")
