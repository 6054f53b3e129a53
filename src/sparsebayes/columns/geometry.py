"""Inner products and distances between rows, which may be dense or sparse.

`gamma` is a factor of each input: one number for all inputs, or an array (n_features,).
The slopes are sums over rows n and centres m, one for each input k (n_features,).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist

# An array of shape (n_samples, n_features) or, where a formula allows it, a sparse one.
Inputs: TypeAlias = Any
# A number, or one number for each input (n_features,).
Scale: TypeAlias = Any


# A sparse matrix of at most so many numbers, zeros included, may be made dense.
DENSE_NUMBERS = 10**7
# Where inputs are copied for a moment, so many at a time are.
INPUTS_AT_ONCE = 4096


def dense_if_small(inputs: Inputs) -> Inputs:
    """The inputs as an array, unless they are a large sparse matrix."""
    small = issparse(inputs) and np.prod(inputs.shape) <= DENSE_NUMBERS
    return inputs.toarray() if small else inputs


def own_order(
    rows: np.ndarray, n_last: int = 0, most: float = 3e5, most_inputs: int = 256
) -> np.ndarray:
    """The order of distinct rows by their values, whatever the order or the units of the inputs.

    The inputs come in an order of their own first. With r_ij the rank of a value among those of its
    input and s_i = sum_j r_ij, the keys of input j are sum_i r_ij, sum_i r_ij s_i and
    sum_i r_ij s_i^2. These are whole numbers, so that rounding does not matter.

    Parameters
    ----------
    n_last : columns at the end that are no inputs, and decide where inputs are equal
    most, most_inputs : of more numbers or inputs, ranks would take long, and the inputs count in
        the order that they have
    """
    if rows.size > most or rows.shape[1] - n_last > most_inputs:
        return row_order(rows)
    inputs, last = np.split(rows, [rows.shape[1] - n_last], axis=1)
    rank = dense_rank(inputs)
    total = rank.sum(axis=1)
    first = np.lexsort([total**power @ rank for power in (2, 1, 0)])
    return row_order(np.hstack([inputs[:, first], last]))


def dense_rank(values: np.ndarray) -> np.ndarray:
    """The rank of each value among the distinct ones of its column (n, k)."""
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    steps = np.zeros(values.shape, dtype=np.int64)
    np.cumsum(ordered[1:] != ordered[:-1], axis=0, out=steps[1:])
    rank = np.empty_like(steps)
    np.put_along_axis(rank, order, steps, axis=0)
    return rank


def row_order(keys: np.ndarray, few: int = 16) -> np.ndarray:
    """The order of rows by these columns; mostly the first few of them tell all rows apart."""
    order = np.lexsort(keys[:, :few].T[::-1])
    if differs(keys[order, :few]).all():
        return order
    return np.lexsort(keys.T[::-1])


def differs(keys: np.ndarray) -> np.ndarray:
    """Whether each row but the first differs from the one before (n - 1,)."""
    return (keys[1:] != keys[:-1]).any(axis=1)


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
    if not issparse(inputs) and not issparse(centres):
        return reduce(np.add, _standard_products(inputs, centres, gamma, middle))
    shift = gamma * middle
    product = scaled_product(inputs, centres, gamma) + shift @ middle
    return product - (inputs @ shift)[:, None] - (centres @ shift)


def _standard_products(
    inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, middle: np.ndarray
) -> Iterator[np.ndarray]:
    """The same of some inputs at a time, of which there are copies."""
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
    """Mean and variance of each input (n_features,), rows counted by shares that add up to one."""
    mean = np.asarray(share @ inputs).ravel()
    if not issparse(inputs):
        parts = input_slices(inputs.shape[1])
        return mean, np.concatenate([share @ (inputs[:, k] - mean[k]) ** 2 for k in parts])
    stored = inputs.tocoo()
    n_features, columns = inputs.shape[1], stored.col
    deviation = share[stored.row] * (stored.data - mean[columns]) ** 2
    zeros = 1.0 - np.bincount(columns, share[stored.row], n_features)
    zeros = np.where(zeros > len(share) * np.finfo(float).eps, zeros, 0.0)
    return mean, np.bincount(columns, deviation, n_features) + zeros * mean**2


def standard_length(inputs: Inputs, gamma: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """sum_k gamma_k (x_k - middle_k)^2 (n_samples,)."""
    if not issparse(inputs):
        parts = input_slices(inputs.shape[1])
        return sum((inputs[:, part] - middle[part]) ** 2 @ gamma[part] for part in parts)
    shift = gamma * middle
    length = weighted_length(inputs, gamma) - 2.0 * (inputs @ shift) + shift @ middle
    return np.maximum(length, 0.0)


def weighted_length(inputs: Inputs, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k x_k^2 (n_samples,)."""
    return np.asarray(_entries_squared(inputs) @ np.broadcast_to(gamma, inputs.shape[1])).ravel()


def product_slope(inputs: Inputs, centres: Inputs, gamma: Scale, factor: np.ndarray) -> np.ndarray:
    """gamma_k sum_nm factor_nm x_nk c_mk."""
    return gamma * _weighted_products(inputs, centres, factor)


def squared_distance(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k (x_k - c_k)^2."""
    if issparse(inputs) or issparse(centres):
        return _sparse_distance(inputs, centres, gamma)
    return _dense_distance(inputs, centres, gamma)


def _dense_distance(inputs: np.ndarray, centres: np.ndarray, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k (x_k - c_k)^2, from differences, which offsets cost no digits."""
    if np.ndim(gamma) == 0:
        distance = cdist(inputs, centres, "sqeuclidean")
        return np.multiply(distance, gamma, out=distance)
    if inputs.shape[1] >= MANY_INPUTS:
        near = [part * np.sqrt(gamma) for part in _seen_from_the_middle(inputs, centres)]
        norms = [_squared_norm(part) for part in near]
        if max(norm.max(initial=0.0) for norm in norms) < LARGEST_NORM:
            return _by_products(*near, *norms)
    return cdist(inputs, centres, "sqeuclidean", w=gamma)


def _sparse_distance(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """sum_k gamma_k (x_k - c_k)^2, where one of them is sparse."""
    if np.ndim(gamma):
        root = np.sqrt(gamma)
        inputs, centres, gamma = scaled_inputs(inputs, root), scaled_inputs(centres, root), 1.0
    return gamma * _by_products(inputs, centres, _squared_norm(inputs), _squared_norm(centres))


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
    inputs, centres = _seen_from_the_middle(inputs, centres)
    of_inputs = _entries_squared(inputs).T @ factor.sum(axis=1)
    of_centres = _entries_squared(centres).T @ factor.sum(axis=0)
    cross = _weighted_products(inputs, centres, factor)
    squares = of_inputs + of_centres - 2.0 * cross
    for k in _far(inputs, gamma):  # what is left of squares of far rows would be rounding
        squares[k] = np.vdot(factor, (inputs[:, k, None] - centres[:, k]) ** 2)
    return -gamma * squares


# A distance beyond which a difference of squares costs too many digits.
FAR = 1e4


def _far(inputs: Inputs, gamma: Scale) -> np.ndarray:
    """The inputs that have values this far away, measured by their scale, if they are dense."""
    if issparse(inputs) or not inputs.size:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(np.sqrt(gamma) * np.abs(inputs).max(axis=0) > FAR)


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


def _seen_from_the_middle(inputs: Inputs, centres: Inputs) -> tuple[Inputs, Inputs]:
    """Both minus the middle centre, if they are dense: a large offset would cost digits.

    A centre that is far from all others would cost them, too.
    """
    if issparse(inputs) or issparse(centres) or not len(centres):
        return inputs, centres
    middle = np.median(centres, axis=0)
    return inputs - middle, centres - middle


def _squared_norm(inputs: Inputs) -> np.ndarray:
    return np.asarray(_entries_squared(inputs).sum(axis=1)).ravel()


def _entries_squared(inputs: Inputs) -> Inputs:
    return inputs.multiply(inputs) if issparse(inputs) else inputs**2


def _weighted_products(inputs: Inputs, centres: Inputs, factor: np.ndarray) -> np.ndarray:
    """sum_nm factor_nm x_nk c_mk."""
    pulled = (centres.T @ factor.T).T
    products = inputs.multiply(pulled) if issparse(inputs) else inputs * pulled
    return np.asarray(products.sum(axis=0)).ravel()
