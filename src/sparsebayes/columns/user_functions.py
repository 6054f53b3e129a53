"""Functions and kernel objects that the user gave.

Functions get copies of their arguments, and their results are checked. A copy costs little beside
the function, and one that writes to its arguments changes neither the inputs of the user nor the
centres of a model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

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


# Kernels that an object computes: its values at any parameters, and their slopes.

# A gradient of so many numbers is computed at once; more come in blocks of rows.
GRADIENT_NUMBERS = 2 * 10**7


@runtime_checkable
class ValuesByObject(Protocol):
    """What a recipe gives; gamma are the parameters of the object (n_parameters,)."""

    def values(self, inputs: np.ndarray, others: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """Between inputs and others (n, m)."""

    def variance(self, inputs: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """The value of the kernel of each input with itself (n,)."""

    def gradient(self, inputs: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """Derivatives of the values for the logarithms of gamma (n, n, n_parameters)."""

    def named(self, gamma: np.ndarray) -> tuple[str, Any, dict[str, Any]] | None:
        """Name, gamma and options of a formula of ours that has the same values, if any has."""

    def __str__(self) -> str:
        """The object, for people."""


def object_values(
    inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, function: ValuesByObject
) -> np.ndarray:
    """What the object says (n_samples, n_centres)."""
    return function.values(inputs, centres, gamma)


def object_variance(inputs: np.ndarray, gamma: np.ndarray, function: ValuesByObject) -> np.ndarray:
    """The value at each of the inputs, with its centre there (n_samples,)."""
    return function.variance(inputs, gamma)


def object_slope(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    values: np.ndarray,
    gamma: np.ndarray,
    function: ValuesByObject,
) -> np.ndarray:
    """The slope of a kernel object, which knows its gradient between rows and themselves."""
    if inputs is centres and len(inputs) ** 2 * len(gamma) <= GRADIENT_NUMBERS:
        return np.tensordot(sensitivity, function.gradient(inputs, gamma), 2)
    return slope_in_blocks(inputs, centres, sensitivity, gamma, function, GRADIENT_NUMBERS)


def slope_in_blocks(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    gamma: np.ndarray,
    function: ValuesByObject,
    most: int,
) -> np.ndarray:
    """The slope, from gradients of at most so many numbers."""
    step = max(1, int(np.sqrt(most / max(1, len(gamma))) / 2.0))
    total = np.zeros(len(gamma))
    for i in range(0, len(inputs), step):
        for j in range(0, len(centres), step):
            part = sensitivity[i : i + step, j : j + step]
            total += _block_slope(
                inputs[i : i + step], centres[j : j + step], part, gamma, function
            )
    return total


def _block_slope(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    gamma: np.ndarray,
    function: ValuesByObject,
) -> np.ndarray:
    """The slope of a block, from the gradient between the rows of both."""
    gradient = function.gradient(np.vstack([inputs, centres]), gamma)
    return np.tensordot(sensitivity, gradient[: len(inputs), len(inputs) :], 2)
