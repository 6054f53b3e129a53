"""Sparse inputs: which become arrays, what their columns hold, and parts of them as arrays.

Sums of products of stored values lose their digits where an input is large against its scale. Such
inputs are taken out of a sparse matrix a few at a time, and computed with as arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse

# A sparse matrix of at most so many numbers, zeros included, may be made dense.
DENSE_NUMBERS = 10**7


@dataclass(frozen=True)
class Storage:
    """Which sparse inputs are computed with as arrays, so that they give what arrays give.

    Attributes
    ----------
    few : up to so many numbers, zeros included, are an array
    many : up to so many are one if they are not very sparse
    part : of the numbers that has to be stored for that; with less, sparse products are faster
    at_once : of larger ones, so many numbers at a time are an array for a moment
    """

    few: int = 10**5
    many: int = DENSE_NUMBERS
    part: float = 0.1
    at_once: int = 2**20


STORAGE = Storage()


def dense_if_small(inputs: Any) -> Any:
    """The inputs as an array, unless they are a large sparse matrix."""
    small = issparse(inputs) and np.prod(inputs.shape) <= DENSE_NUMBERS
    return inputs.toarray() if small else inputs


def as_array(inputs: Any) -> np.ndarray:
    """The inputs as an array, however large."""
    return inputs.toarray() if issparse(inputs) else inputs


def as_stored(inputs: Any, storage: Storage = STORAGE) -> Any:
    """Inputs in the form in which they are computed with.

    A sparse matrix becomes an array, or a matrix in which each number is stored once.
    """
    if not issparse(inputs):
        return inputs
    size = np.prod(inputs.shape)
    if size <= (storage.many if inputs.nnz >= storage.part * size else storage.few):
        return inputs.toarray()
    return each_once(inputs.tocsr())


def each_once(inputs: Any) -> Any:
    """A sparse matrix in CSR form, in which each number is stored once."""
    if not inputs.has_canonical_format:
        inputs = inputs.copy()
        inputs.sum_duplicates()
    return inputs


class Range(NamedTuple):
    """The least and the largest value of each input, (n_features,) each."""

    lowest: np.ndarray
    highest: np.ndarray


def input_range(inputs: Any) -> Range:
    """The range of each input, zeros that are not stored included."""
    ends = inputs.min(axis=0), inputs.max(axis=0)
    return Range(*(np.ravel(end.toarray() if issparse(end) else end) for end in ends))


def sparse_moments(inputs: Any, share: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Mean square of the deviations from these means (n_features,), rows counted by shares."""
    stored, n_features = inputs.tocoo(), inputs.shape[1]
    deviation = share[stored.row] * (stored.data - mean[stored.col]) ** 2
    zeros = 1.0 - np.bincount(stored.col, share[stored.row], n_features)
    full = np.bincount(stored.col, minlength=n_features) == inputs.shape[0]
    zeros = np.where(full, 0.0, np.maximum(zeros, 0.0))
    return np.bincount(stored.col, deviation, n_features) + zeros * mean**2


def of_each_row(
    of_arrays: Callable[..., np.ndarray],
    of_sparse: Callable[..., np.ndarray],
    inputs: Any,
    centres: Any,
    *arguments: Any,
    storage: Storage = STORAGE,
) -> np.ndarray:
    """A function of each row and centre (n, m), of which one or both are sparse.

    Where the centres are an array, blocks of rows become arrays, too.
    """
    if issparse(centres):
        return of_sparse(csr_array(inputs), centres, *arguments)
    starts = range(0, inputs.shape[0] or 1, max(1, storage.at_once // max(1, inputs.shape[1])))
    blocks = (inputs[start : start + starts.step].toarray() for start in starts)
    return np.concatenate([of_arrays(block, centres, *arguments) for block in blocks])


# An input that is larger than this, measured by its scale, loses digits in sums of products.
LARGEST_SCALED = 10.0


def large_inputs(scale: np.ndarray, *matrices: Any) -> np.ndarray:
    """The inputs that have values so large, measured by their scales.

    Parameters
    ----------
    scale : factor of each input (n_features,)
    matrices : sparse, with these inputs
    """
    sizes = [np.abs(each.data).max(initial=0.0) for each in matrices]
    if max(sizes) * scale.max(initial=0.0) <= LARGEST_SCALED:
        return np.empty(0, dtype=np.intp)
    largest = [np.ravel(abs(each).max(axis=0).toarray()) for each in matrices]
    return np.flatnonzero(scale * np.maximum.reduce(largest) > LARGEST_SCALED)


def without(scale: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """The scales, 0 for these inputs (n_features,)."""
    others = np.array(scale, dtype=np.float64)
    others[inputs] = 0.0
    return others


def parts_as_arrays(
    inputs: np.ndarray, *matrices: Any, storage: Storage = STORAGE
) -> Iterator[tuple[Any, ...]]:
    """Some of the inputs at a time, and arrays of them: one array of a matrix that comes twice.

    Parameters
    ----------
    inputs : numbers of those that are wanted
    matrices : sparse, with the same inputs
    """
    most_rows = max(each.shape[0] for each in matrices)
    size = max(1, storage.at_once // max(1, most_rows))
    for start in range(0, len(inputs), size):
        part = inputs[start : start + size]
        arrays = {id(each): each[:, part].toarray() for each in matrices}
        yield part, *(arrays[id(each)] for each in matrices)
