"""Kernel formulas: (inputs, centres) -> array of shape (n_samples, n_centres).

Where a formula only needs inner products, inputs and centres may each be dense or sparse.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist


def gaussian(inputs, centres, gamma):
    """exp(-gamma ||x - c||^2). [T01] (30) with gamma = r^-2"""
    return np.exp(-gamma * _squared_distance(inputs, centres))


def laplacian(inputs, centres, gamma):
    """exp(-gamma sum_k |x_k - c_k|)."""
    return np.exp(-gamma * cdist(inputs, centres, "cityblock"))


def cauchy(inputs, centres, gamma):
    """1 / (1 + gamma ||x - c||^2)."""
    return 1.0 / (1.0 + gamma * _squared_distance(inputs, centres))


def linear(inputs, centres):
    """x'c."""
    product = inputs @ centres.T
    return product.toarray() if issparse(product) else product


def polynomial(inputs, centres, gamma, coef0, degree):
    """(gamma x'c + coef0)^degree."""
    return (gamma * linear(inputs, centres) + coef0) ** degree


def sigmoid(inputs, centres, gamma, coef0):
    """tanh(gamma x'c + coef0): not a Mercer kernel, which the model does not ask for."""
    return np.tanh(gamma * linear(inputs, centres) + coef0)


def linear_spline(inputs, centres):
    """prod_k [1 + xc + xc min(x, c) - (x + c)/2 min(x, c)^2 + min(x, c)^3 / 3]. [T01] (29)"""
    product = np.ones((len(inputs), len(centres)))
    for x, c in zip(inputs.T[:, :, None], centres.T[:, None, :], strict=True):
        least = np.minimum(x, c)
        product *= 1.0 + x * c * (1.0 + least) - 0.5 * (x + c) * least**2 + least**3 / 3.0
    return product


def given(inputs, centres, function):
    """function(inputs, centres), checked."""
    values = real_array(function(inputs, centres), f"the kernel function {function!r}")
    expected = (inputs.shape[0], centres.shape[0])
    if values.shape != expected:
        raise ValueError(
            f"the kernel function {function!r} returned an array of shape {values.shape} for "
            f"{expected[0]} inputs and {expected[1]} centres; expected shape {expected}."
        )
    return values


def real_array(values, source: str) -> np.ndarray:
    """What a function of the user's returned, as an array of doubles, or an error naming it."""
    try:
        if not issparse(values) and not np.iscomplexobj(values):
            return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise ValueError(
        f"{source} returned {type(values).__name__}; expected a dense array of real numbers."
    )


def take(inputs, items):
    """The columns `items` of the inputs themselves."""
    chosen = inputs[:, items]
    return chosen.toarray() if issparse(chosen) else chosen


def _squared_distance(inputs, centres):
    if not issparse(inputs) and not issparse(centres):
        return cdist(inputs, centres, "sqeuclidean")
    cross = linear(inputs, centres)
    distance = _squared_norm(inputs)[:, None] + _squared_norm(centres) - 2.0 * cross
    return np.maximum(distance, 0.0, out=distance)


def _squared_norm(inputs):
    squares = inputs.multiply(inputs) if issparse(inputs) else inputs**2
    return np.asarray(squares.sum(axis=1)).ravel()
