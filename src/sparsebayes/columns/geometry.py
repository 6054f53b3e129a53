"""Inner products and distances between rows, which may be dense or sparse.

`gamma` is a factor of each input: one number for all inputs, or an array (n_features,).
The slopes are sums over rows n and centres m, one for each input k (n_features,).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.spatial.distance import cdist

from sparsebayes.columns.sparse_inputs import (
    STORAGE,
    input_range,
    large_inputs,
    of_each_row,
    parts_as_arrays,
    sparse_moments,
    without,
)

# An array of shape (n_samples, n_features) or, where a formula allows it, a sparse one.
Inputs: TypeAlias = Any
# A number, or one number for each input (n_features,).
Scale: TypeAlias = Any

# Where inputs are copied for a moment, so many at a time are.
INPUTS_AT_ONCE = 4096


def scaled_inputs(inputs: Inputs, factor: np.ndarray) -> Inputs:
    """Each input times its own factor."""
    return inputs.multiply(factor).tocsr() if issparse(inputs) else inputs * factor


def inner_product(inputs: Inputs, centres: Inputs) -> np.ndarray:
    """x'c."""
    product = inputs @ centres.T
    return product.toarray() if issparse(product) else product


def scaled_product(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k x_k c_k."""
    if np.ndim(gamma) == 0:
        return gamma * inner_product(inputs, centres)
    return inner_product(scaled_inputs(inputs, gamma), centres)


def standard_product(
    inputs: Inputs, centres: Inputs, gamma: np.ndarray, middle: np.ndarray
) -> np.ndarray:
    """sum_k gamma_k (x_k - middle_k) (c_k - middle_k)."""
    if issparse(inputs) or issparse(centres):
        arguments = inputs, centres, gamma, middle
        return of_each_row(standard_product, _sparse_standard_product, *arguments)
    return reduce(np.add, _standard_products(inputs, centres, gamma, middle))


def _sparse_standard_product(
    inputs: Any, centres: Any, gamma: np.ndarray, middle: np.ndarray
) -> np.ndarray:
    """sum_k gamma_k (x_k - middle_k) (c_k - middle_k), of sparse inputs and centres."""
    large = large_inputs(np.sqrt(gamma), inputs, centres)
    others = without(gamma, large)
    shift = others * middle
    product = scaled_product(inputs, centres, others) + shift @ middle
    product -= (inputs @ shift)[:, None]
    product -= centres @ shift
    for part, rows, points in parts_as_arrays(large, inputs, centres):
        product += standard_product(rows, points, gamma[part], middle[part])
    return product


def _standard_products(
    inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, middle: np.ndarray
) -> Iterator[np.ndarray]:
    """sum_k gamma_k (x_k - middle_k) (c_k - middle_k), of some inputs at a time."""
    for part in input_slices(inputs.shape[1]):
        shifted = inputs[:, part] - middle[part]
        shifted *= np.sqrt(gamma[part])
        if inputs is centres:
            yield shifted @ shifted.T
        else:
            yield shifted @ ((centres[:, part] - middle[part]) * np.sqrt(gamma[part])).T


def input_slices(n_inputs: int) -> list[slice]:
    """Slices of consecutive inputs, some thousand each."""
    return [slice(i, i + INPUTS_AT_ONCE) for i in range(0, n_inputs, INPUTS_AT_ONCE)]


def input_moments(inputs: Inputs, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of each input (n_features,), rows counted by shares that add up to one.

    An input whose values are all equal has this mean, and the variance 0, exactly.
    """
    mean = np.asarray(share @ inputs).ravel()
    lowest, highest = input_range(inputs)
    mean = np.where(lowest == highest, lowest, mean)
    if issparse(inputs):
        variance = sparse_moments(inputs, share, mean)
    else:
        parts = input_slices(inputs.shape[1])
        variance = np.concatenate([share @ (inputs[:, k] - mean[k]) ** 2 for k in parts])
    return mean, np.where(lowest == highest, 0.0, variance)


def standard_length(inputs: Inputs, gamma: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """sum_k gamma_k (x_k - middle_k)^2 (n_samples,)."""
    if not issparse(inputs):
        parts = input_slices(inputs.shape[1])
        return sum((inputs[:, part] - middle[part]) ** 2 @ gamma[part] for part in parts)
    large = large_inputs(np.sqrt(gamma), inputs)
    others = without(gamma, large)
    shift = others * middle
    length = weighted_length(inputs, others) - 2.0 * (inputs @ shift) + shift @ middle
    length = np.maximum(length, 0.0)
    for part, array in parts_as_arrays(large, inputs):
        length += standard_length(array, gamma[part], middle[part])
    return length


def weighted_length(inputs: Inputs, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k x_k^2 (n_samples,)."""
    return np.asarray(_entries_squared(inputs) @ np.broadcast_to(gamma, inputs.shape[1])).ravel()


def product_slope(inputs: Inputs, centres: Inputs, gamma: Scale, factor: np.ndarray) -> np.ndarray:
    """gamma_k sum_nm factor_nm x_nk c_mk."""
    return gamma * _weighted_products(inputs, centres, factor)


def squared_distance(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k (x_k - c_k)^2, of arrays from differences, which offsets cost no digits."""
    if issparse(inputs) or issparse(centres):
        return of_each_row(squared_distance, _sparse_distance, inputs, centres, gamma)
    if np.ndim(gamma) == 0:
        distance = cdist(inputs, centres, "sqeuclidean")
        return np.multiply(distance, gamma, out=distance)
    if inputs.shape[1] >= MANY_INPUTS:
        near = [part * np.sqrt(gamma) for part in _seen_from_the_middle(inputs, centres)]
        norms = [_squared_norm(part) for part in near]
        if max(norm.max(initial=0.0) for norm in norms) < LARGEST_NORM:
            return _by_products(*near, *norms)
    return cdist(inputs, centres, "sqeuclidean", w=gamma)


def _sparse_distance(inputs: Any, centres: Any, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k (x_k - c_k)^2, of sparse inputs and centres."""
    gamma = np.broadcast_to(gamma, inputs.shape[1])
    root = np.sqrt(gamma)
    large = large_inputs(root, inputs, centres)
    others = without(root, large)
    near = scaled_inputs(inputs, others), scaled_inputs(centres, others)
    distance = _by_products(*near, *map(_squared_norm, near))
    for part, rows, points in parts_as_arrays(large, inputs, centres):
        distance += squared_distance(rows, points, gamma[part])
    return distance


# With so many inputs distances are found sooner by a product of matrices, which is as good as the
# sum of squares as long as no row is farther than this from the middle centre.
MANY_INPUTS = 16
LARGEST_NORM = 1e4


def _by_products(
    inputs: Inputs, centres: Inputs, of_inputs: np.ndarray, of_centres: np.ndarray
) -> np.ndarray:
    """|x - c|^2 = |x|^2 + |c|^2 - 2 x'c, from the squared norms."""
    distance = inner_product(inputs, centres)
    distance *= -2.0
    distance += of_inputs[:, None]
    distance += of_centres
    return np.maximum(distance, 0.0, out=distance)


def squared_distance_slope(
    inputs: Inputs, centres: Inputs, gamma: Scale, factor: np.ndarray
) -> np.ndarray:
    """-gamma_k sum_nm factor_nm (x_nk - c_mk)^2."""
    if issparse(inputs) or issparse(centres):
        return _sparse_distance_slope(csr_array(inputs), csr_array(centres), gamma, factor)
    inputs, centres = _seen_from_the_middle(inputs, centres)
    squares = _weighted_squares(inputs, centres, factor)
    for k in _far(inputs, gamma):  # what is left of squares of far rows would be rounding
        squares[k] = np.vdot(factor, (inputs[:, k, None] - centres[:, k]) ** 2)
    return -gamma * squares


def _sparse_distance_slope(
    inputs: Any, centres: Any, gamma: Scale, factor: np.ndarray
) -> np.ndarray:
    """-gamma_k sum_nm factor_nm (x_nk - c_mk)^2, of sparse inputs and centres."""
    gamma = np.broadcast_to(gamma, inputs.shape[1])
    slope = -gamma * _weighted_squares(inputs, centres, factor)
    large = large_inputs(np.sqrt(gamma), inputs, centres)
    for part, rows, points in parts_as_arrays(large, inputs, centres):
        slope[part] = squared_distance_slope(rows, points, gamma[part], factor)
    return slope


def _weighted_squares(inputs: Inputs, centres: Inputs, factor: np.ndarray) -> np.ndarray:
    """sum_nm factor_nm (x_nk - c_mk)^2, from products."""
    of_inputs = _entries_squared(inputs).T @ factor.sum(axis=1)
    of_centres = _entries_squared(centres).T @ factor.sum(axis=0)
    return of_inputs + of_centres - 2.0 * _weighted_products(inputs, centres, factor)


# A distance beyond which a difference of squares costs too many digits.
FAR_FOR_SQUARES = 1e4


def _far(inputs: np.ndarray, gamma: Scale) -> np.ndarray:
    """The inputs that have values this far away, measured by their scale."""
    if not inputs.size:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(np.sqrt(gamma) * np.abs(inputs).max(axis=0) > FAR_FOR_SQUARES)


def absolute_distance(inputs: np.ndarray, centres: np.ndarray, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k |x_k - c_k|."""
    if np.ndim(gamma) == 0:
        return gamma * cdist(inputs, centres, "cityblock")
    return cdist(inputs, centres, "cityblock", w=gamma)


def absolute_distance_slope(
    inputs: np.ndarray, centres: np.ndarray, gamma: Scale, factor: np.ndarray
) -> np.ndarray:
    """-gamma_k sum_nm factor_nm |x_nk - c_mk|."""
    distances = (np.abs(x[:, None] - c) for x, c in zip(inputs.T, centres.T, strict=True))
    return -gamma * np.array([np.vdot(factor, distance) for distance in distances])


def _seen_from_the_middle(inputs: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and centres less the middle centre: a large offset would cost digits.

    A centre that is far from all others would cost them, too.
    """
    if not len(centres):
        return inputs, centres
    middle = np.median(centres, axis=0)
    return inputs - middle, centres - middle


def _squared_norm(inputs: Inputs) -> np.ndarray:
    return np.asarray(_entries_squared(inputs).sum(axis=1)).ravel()


def _entries_squared(inputs: Inputs) -> Inputs:
    return inputs.multiply(inputs) if issparse(inputs) else inputs**2


def _weighted_products(inputs: Inputs, centres: Inputs, factor: np.ndarray) -> np.ndarray:
    """sum_nm factor_nm x_nk c_mk."""
    if not issparse(inputs):
        return np.asarray((inputs * (centres.T @ factor.T).T).sum(axis=0)).ravel()
    total = np.zeros(inputs.shape[1])
    step = max(1, STORAGE.at_once // max(1, inputs.shape[1]))
    for start in range(0, inputs.shape[0], step):  # of all rows it would be an array of all inputs
        rows = slice(start, start + step)
        pulled = (centres.T @ factor[rows].T).T
        total += np.asarray(inputs[rows].multiply(pulled).sum(axis=0)).ravel()
    return total
