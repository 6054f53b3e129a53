"""Widths from the data: what "scale" and "auto" mean."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from scipy.sparse import issparse

# A variance below this has no reciprocal.
SMALLEST = 1e-290


def squared_width(inputs, weight) -> float:
    """n_features times the variance of all inputs, as gamma="scale" of SVC has it; 1 if that is 0.

    Rows count by their weight, so that a weight of two equals the row twice.
    """
    share = weight / weight.sum()
    n_features = inputs.shape[1]
    mean = float((share @ inputs).sum()) / n_features
    if issparse(inputs):
        stored = inputs.tocoo()
        zeros = n_features - np.bincount(stored.row, minlength=inputs.shape[0])
        square = share[stored.row] @ (stored.data - mean) ** 2 + share @ zeros * mean**2
        variance = float(square) / n_features
    else:
        variance = float((share @ (inputs - mean) ** 2).mean())
    rounding = np.finfo(float).eps * abs(mean)
    return n_features * variance if variance > rounding**2 * n_features else 1.0


def input_variances(inputs, weight) -> np.ndarray:
    """Variance of each input (n_features,), rows counted by their weight.

    0 for an input that is constant; 1 if they all are.
    """
    share = weight / weight.sum()
    mean = np.asarray(share @ inputs).ravel()
    if issparse(inputs):
        stored = inputs.tocoo()
        n_features, columns = inputs.shape[1], stored.col
        deviation = share[stored.row] * (stored.data - mean[columns]) ** 2
        zeros = 1.0 - np.bincount(columns, share[stored.row], n_features)
        variance = np.bincount(columns, deviation, n_features) + zeros * mean**2
    else:
        variance = share @ (inputs - mean) ** 2
    rounding = (np.finfo(float).eps * np.abs(mean)) ** 2 * len(share)
    variance = np.where(variance > np.maximum(rounding, SMALLEST), variance, 0.0)
    return variance if variance.any() else np.ones_like(variance)


def per_input(name: str, values, n_features: int) -> np.ndarray:
    """A number for each input as an array, or an error that says what `name` may be."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    fine = array.shape == (n_features,) and np.isfinite(array).all() and (array >= 0.0).all()
    if fine and array.any():
        return array
    raise ValueError(
        f"{name}, if one for each input, must be an array of {n_features} finite numbers of 0 or "
        f"more, not all 0, as X has {n_features} features; got {values!r}."
    )


def is_several(value) -> bool:
    """Whether a parameter holds several values."""
    return isinstance(value, list | tuple | np.ndarray) and np.ndim(value) > 0


def is_word(value, word: str) -> bool:
    """Whether a parameter is this word; arrays are compared with nothing."""
    return isinstance(value, str) and value == word


def is_number(value) -> bool:
    """Whether a parameter is a real number; True and False are not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def positive(name: str, value: Any, words: str = "'scale', 'auto', 'learn'") -> float:
    """The value as a float, or an error that says what `name` may be."""
    if not is_number(value) or not 0.0 < float(value) < np.inf:
        raise ValueError(f"{name} must be {words} or a positive number, got {value!r}.")
    return float(value)


def finite_number(name: str, value: Any) -> float:
    """The value as a float, or an error that says what `name` may be."""
    if not is_number(value) or not np.isfinite(float(value)):
        raise ValueError(f"{name} must be a finite number, got {value!r}.")
    return float(value)
