"""Kernel formulas: (inputs, centres) -> array of shape (n_samples, n_centres).

Where a formula only needs inner products, inputs and centres may each be dense or sparse.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist


def gaussian(inputs, centres, gamma):
    """exp(-sum_k gamma_k (x_k - c_k)^2). [T01] (30), (56) with gamma = r^-2"""
    return np.exp(-_squared_distance(inputs, centres, gamma))


def gaussian_slope(inputs, centres, gamma, sensitivity):
    """See `ScaledFormula.slope`. [T01] (57)"""
    return _distance_slope(inputs, centres, gamma, sensitivity * gaussian(inputs, centres, gamma))


def laplacian(inputs, centres, gamma):
    """exp(-sum_k gamma_k |x_k - c_k|)."""
    if np.ndim(gamma) == 0:
        return np.exp(-gamma * cdist(inputs, centres, "cityblock"))
    inputs, centres = _shifted(inputs, centres)
    return np.exp(-cdist(inputs * gamma, centres * gamma, "cityblock"))


def laplacian_slope(inputs, centres, gamma, sensitivity):
    """See `ScaledFormula.slope`."""
    weight = sensitivity * laplacian(inputs, centres, gamma)
    distances = (np.abs(x[:, None] - c) for x, c in zip(inputs.T, centres.T, strict=True))
    return -gamma * np.array([np.vdot(weight, distance) for distance in distances])


def cauchy(inputs, centres, gamma):
    """1 / (1 + sum_k gamma_k (x_k - c_k)^2)."""
    return 1.0 / (1.0 + _squared_distance(inputs, centres, gamma))


def cauchy_slope(inputs, centres, gamma, sensitivity):
    """See `ScaledFormula.slope`."""
    weight = sensitivity * cauchy(inputs, centres, gamma) ** 2
    return _distance_slope(inputs, centres, gamma, weight)


def linear(inputs, centres):
    """x'c."""
    product = inputs @ centres.T
    return product.toarray() if issparse(product) else product


def polynomial(inputs, centres, gamma, coef0, degree):
    """(sum_k gamma_k x_k c_k + coef0)^degree."""
    return (_scaled_product(inputs, centres, gamma) + coef0) ** degree


def polynomial_slope(inputs, centres, gamma, sensitivity, coef0, degree):
    """See `ScaledFormula.slope`."""
    outer = degree * polynomial(inputs, centres, gamma, coef0, degree - 1)
    return _product_slope(inputs, centres, gamma, sensitivity * outer)


def sigmoid(inputs, centres, gamma, coef0):
    """tanh(sum_k gamma_k x_k c_k + coef0): not a Mercer kernel, which is not asked for."""
    return np.tanh(_scaled_product(inputs, centres, gamma) + coef0)


def sigmoid_slope(inputs, centres, gamma, sensitivity, coef0):
    """See `ScaledFormula.slope`."""
    outer = 1.0 - sigmoid(inputs, centres, gamma, coef0) ** 2
    return _product_slope(inputs, centres, gamma, sensitivity * outer)


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


def scaled(inputs, factor):
    """Each input times a factor of its own."""
    return inputs.multiply(factor).tocsr() if issparse(inputs) else inputs * factor


def _shifted(inputs, centres):
    """Both seen from a centre, if they are dense: a large offset would cost digits."""
    if issparse(inputs) or issparse(centres) or not len(centres):
        return inputs, centres
    return inputs - centres[0], centres - centres[0]


def _scaled_product(inputs, centres, gamma):
    """sum_k gamma_k x_k c_k."""
    if np.ndim(gamma) == 0:
        return gamma * linear(inputs, centres)
    return linear(scaled(inputs, gamma), centres)


def _squared_distance(inputs, centres, gamma):
    """sum_k gamma_k (x_k - c_k)^2."""
    if np.ndim(gamma):
        root = np.sqrt(gamma)
        inputs, centres = _shifted(inputs, centres)
        inputs, centres, gamma = scaled(inputs, root), scaled(centres, root), 1.0
    if not issparse(inputs) and not issparse(centres):
        return gamma * cdist(inputs, centres, "sqeuclidean")
    cross = linear(inputs, centres)
    distance = _squared_norm(inputs)[:, None] + _squared_norm(centres) - 2.0 * cross
    return gamma * np.maximum(distance, 0.0, out=distance)


def _squared_norm(inputs):
    return np.asarray(_square(inputs).sum(axis=1)).ravel()


def _square(inputs):
    return inputs.multiply(inputs) if issparse(inputs) else inputs**2


def _distance_slope(inputs, centres, gamma, weight):
    """-gamma_k sum_nm weight_nm (x_nk - c_mk)^2 (n_features,)."""
    inputs, centres = _shifted(inputs, centres)
    squares = _square(inputs).T @ weight.sum(axis=1) + _square(centres).T @ weight.sum(axis=0)
    return -gamma * (squares - 2.0 * _cross(inputs, centres, weight))


def _product_slope(inputs, centres, gamma, weight):
    """gamma_k sum_nm weight_nm x_nk c_mk (n_features,)."""
    return gamma * _cross(inputs, centres, weight)


def _cross(inputs, centres, weight):
    """sum_nm weight_nm x_nk c_mk (n_features,)."""
    pulled = (centres.T @ weight.T).T
    products = inputs.multiply(pulled) if issparse(inputs) else inputs * pulled
    return np.asarray(products.sum(axis=0)).ravel()
