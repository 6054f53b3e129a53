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
    if issparse(inputs):
        mean = float((share @ inputs).sum()) / n_features
        square = float((share @ inputs.multiply(inputs)).sum()) / n_features
        variance = max(square - mean**2, 0.0)
    else:
        mean = float((share @ inputs).mean())
        variance = float((share @ (inputs - mean) ** 2).mean())
    return n_features * variance or 1.0


def positive(name: str, value: Any) -> float:
    """The value as a float, or an error that says what `name` may be."""
    if not isinstance(value, numbers.Real) or not 0.0 < float(value) < np.inf:
        raise ValueError(f"{name} must be 'scale', 'auto' or a positive number, got {value!r}.")
    return float(value)
