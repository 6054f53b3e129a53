"""Widths from the data: what "scale" and "auto" mean."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns import Inputs

# A variance below this has no reciprocal.
SMALLEST_VARIANCE = 1e-290


def squared_width(inputs: Inputs, weight: np.ndarray) -> float:
    """n_features times the variance of all inputs, as in gamma="scale" of SVC; 1 if that is 0.

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


def input_variances(inputs: Inputs, weight: np.ndarray) -> np.ndarray:
    """Variance of each input (n_features,), each row counted by its weight.

    A constant input has 0; if all inputs are constant, each has 1.
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
    variance = np.where(variance > np.maximum(rounding, SMALLEST_VARIANCE), variance, 0.0)
    return variance if variance.any() else np.ones_like(variance)
