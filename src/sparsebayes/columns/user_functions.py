"""Functions that the user gave: they get copies of their arguments, and their results are checked.

A copy costs little beside the function, and one that writes to its arguments changes neither the
inputs of the user nor the centres of a model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes._cached import cached_property
from sparsebayes.columns.geometry import Inputs


def name_of(function: Callable, formula: str) -> str:
    """What errors call the function of a formula."""
    if formula in ("given", "given_some"):
        return f"the function {function!r} of GivenColumns"
    return f"the kernel function {function!r}"


def kernel_values(inputs: Inputs, centres: Inputs, function: Callable) -> np.ndarray:
    """function(inputs, centres), checked (n_samples, n_centres)."""
    name = name_of(function, "kernel_function")
    values = _real_array(_asked(name, function, inputs, centres), name)
    expected = (inputs.shape[0], centres.shape[0])
    if values.shape != expected:
        raise ValueError(
            f"{name} returned an array of shape {values.shape} for "
            f"{expected[0]} inputs and {expected[1]} centres; expected shape {expected}."
        )
    return _finite(values, name)


@dataclass(frozen=True)
class KernelTable:
    """Kernel values between all training rows (n, n), which a fit can look up.

    A row of the table says which training row it is. Of equal rows it does not matter which.
    """

    values: np.ndarray

    @cached_property
    def _index(self) -> dict[bytes, int]:
        return {row.tobytes(): i for i, row in enumerate(self.values)}

    def between(self, inputs: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Kernel values between training rows that are given by their rows of the table."""
        left, right = ([self._index[row.tobytes()] for row in rows] for rows in (inputs, others))
        return self.values[np.ix_(left, right)]


def column_values(inputs: Inputs, function: Callable, n_columns: int | None = None) -> np.ndarray:
    """function(inputs), checked; with `n_columns` None it may have any number but 0 of columns."""
    name = name_of(function, "given")
    columns = _real_array(_asked(name, function, inputs), name)
    n_rows = inputs.shape[0]
    right = columns.ndim == 2 and columns.shape[0] == n_rows and columns.shape[1]
    if not right or (n_columns is not None and columns.shape[1] != n_columns):
        expected = f"({n_rows}, {n_columns or 'n_columns of 1 or more'})"
        raise ValueError(
            f"{name} returned an array of shape {columns.shape} for {n_rows} inputs; "
            f"expected {expected}."
        )
    return _finite(columns, name)


def some_column_values(inputs: Inputs, items: np.ndarray, function: Callable) -> np.ndarray:
    """function(inputs, items), checked (n_samples, len(items))."""
    name = name_of(function, "given_some")
    columns = _real_array(_asked(name, function, inputs, items), name)
    expected = (inputs.shape[0], len(items))
    if columns.shape != expected:
        raise ValueError(
            f"{name} returned an array of shape {columns.shape} for {expected[0]} inputs and the "
            f"numbers of {expected[1]} columns; expected shape {expected}."
        )
    return _finite(columns, name)


def _asked(name: str, function: Callable, *arguments: Inputs) -> Any:
    """What the function returns; an error of its own gets a note that says where it is from."""
    try:
        return function(*map(_copy, arguments))
    except Exception as error:
        error.add_note(f"This was raised by {name}.")
        raise


def _finite(values: np.ndarray, source: str) -> np.ndarray:
    """The values, or an error that names the source of one that is not finite."""
    if np.isfinite(values).all():
        return values
    raise ValueError(
        f"{source} returned NaN or infinite values; expected finite ones. Please check the "
        "function, or scale the inputs (for instance with StandardScaler)."
    )


def _copy(inputs: Inputs) -> Inputs:
    """A copy with the same layout in memory."""
    return inputs.copy() if issparse(inputs) else np.array(inputs, order="K")


def _real_array(values: Any, source: str) -> np.ndarray:
    """The result as an array of doubles, or an error that names its source."""
    try:
        if not issparse(values) and not np.iscomplexobj(values):
            return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise ValueError(
        f"{source} returned {type(values).__name__}; expected a dense array of real numbers."
    )
