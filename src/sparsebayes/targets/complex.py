"""Complex dictionaries and targets, as models of their real and imaginary parts.

With X = A + iB and w = u + iv, the target X w is

    [Re y]   [A  -B] [u]
    [Im y] = [B   A] [v]

and u_k and v_k have one precision: they are a group. Noise is circular: both parts have the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import bmat, issparse

from sparsebayes.targets.target import Given

# Standard deviation of a complex number whose parts each have one.
ROOT_2 = float(np.sqrt(2.0))


def is_complex(values: Any) -> bool:
    """Whether an array, a sparse matrix, a table or a list has complex numbers."""
    if hasattr(values, "dtypes"):
        return any(getattr(kind, "kind", "") == "c" for kind in np.atleast_1d(values.dtypes))
    kind = values.dtype if hasattr(values, "dtype") else np.asarray(values).dtype
    return getattr(kind, "kind", "") == "c"


def real_inputs(X: Any) -> Any:
    """[[Re, -Im], [Im, Re]] of rows and columns (2 n, 2 d)."""
    if issparse(X):
        return bmat([[X.real, -X.imag], [X.imag, X.real]], format="csr")
    X = np.asarray(X)
    return np.block([[X.real, -X.imag], [X.imag, X.real]])


def real_rows(y: Any) -> np.ndarray:
    """Real parts of all rows, then imaginary parts (2 n, ...)."""
    y = np.asarray(y)
    return np.concatenate([y.real, y.imag])


def halves(values: Any, axis: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """What is real, and what is imaginary."""
    first, second = np.split(np.asarray(values), 2, axis=axis)
    return first, second


def as_complex(real: np.ndarray, imaginary: np.ndarray) -> np.ndarray:
    """Complex numbers with these parts."""
    return real + 1j * imaginary


def joined_covariance(values: np.ndarray) -> np.ndarray:
    """E[e e^H] of complex numbers, from the covariance of their parts (n, n, ...)."""
    (real, across), (back, imaginary) = (halves(half, 1) for half in halves(values, 0))
    return real + imaginary + 1j * (back - across)


def parts_of(given: Given) -> Given:
    """The real parts of all rows, then their imaginary parts, with the weight and noise of each."""
    twice = [None if each is None else np.tile(each, 2) for each in (given.weight, given.noise_std)]
    X = given.X if issparse(given.X) else np.asarray(given.X)
    return given._replace(
        X=real_inputs(X), y=real_rows(given.y), weight=twice[0], noise_std=of_part(twice[1])
    )


def of_part(std: Any) -> Any:
    """Standard deviation of a part of complex numbers that have this one."""
    return None if std is None else std / ROOT_2


def explained(y: Any, predicted: np.ndarray, sample_weight: Any) -> float:
    """1 - sum |y - prediction|^2 / sum |y - mean of y|^2, averaged over several outputs."""
    y = np.asarray(y)
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
    spread = np.abs(y - np.average(y, axis=0, weights=weight)) ** 2
    return float(np.mean(1.0 - weight @ np.abs(y - predicted) ** 2 / (weight @ spread)))
