"""Widths from the data: what "scale" and "auto" mean."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from scipy.sparse import issparse


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


def is_word(value, word: str) -> bool:
    """Whether a parameter is this word; arrays are compared with nothing."""
    return isinstance(value, str) and value == word


def is_number(value) -> bool:
    """Whether a parameter is a real number; True and False are not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def positive(name: str, value: Any) -> float:
    """The value as a float, or an error that says what `name` may be."""
    if not is_number(value) or not 0.0 < float(value) < np.inf:
        raise ValueError(f"{name} must be 'scale', 'auto' or a positive number, got {value!r}.")
    return float(value)


def finite_number(name: str, value: Any) -> float:
    """The value as a float, or an error that says what `name` may be."""
    if not is_number(value) or not np.isfinite(float(value)):
        raise ValueError(f"{name} must be a finite number, got {value!r}.")
    return float(value)
