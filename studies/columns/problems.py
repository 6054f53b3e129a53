"""Dictionaries of columns, of which a few make the targets.

Columns have unit norm. The noise is a share of the root mean square of the targets without it.
Of a complex problem it is the root of the mean squared modulus, both parts together.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

# Neighbours: how columns are correlated with the next one, and how far apart active ones are.
CORRELATION, APART = 0.9, 5


class Size(NamedTuple):
    """Rows, columns, and how many of these are active."""

    rows: int
    columns: int
    active: int


class Problem(NamedTuple):
    """A dictionary, targets (n,) or (n, k), and the truth: weights (M,) or (M, k), and noise."""

    X: Any
    y: np.ndarray
    weights: np.ndarray
    noise: float
    groups: np.ndarray | None = None

    @property
    def support(self) -> np.ndarray:
        """Which columns are active."""
        return active(self.weights)

    @property
    def n_active(self) -> int:
        """The number of active columns."""
        return int(self.support.sum())


def active(weights: np.ndarray) -> np.ndarray:
    """Columns that have a weight other than zero in any output."""
    return np.any(np.reshape(weights, (len(weights), -1)) != 0, axis=1)


def gaussian(random, n_rows: int, n_columns: int, *, neighbours: bool = False) -> np.ndarray:
    """Independent columns, or a first-order autoregression along them; column after column."""
    rows = random.standard_normal((n_columns, n_rows))
    if neighbours:
        innovation = np.sqrt(1.0 - CORRELATION**2)
        for before, column in pairwise(rows):
            column *= innovation
            column += CORRELATION * before
    return unit_rows(rows).T


def complex_gaussian(random, n_rows: int, n_columns: int) -> np.ndarray:
    """Independent complex columns."""
    real, imaginary = random.standard_normal((2, n_columns, n_rows))
    return unit_rows(real + 1j * imaginary).T


def unit_rows(rows: np.ndarray) -> np.ndarray:
    """An array whose rows are divided by their norms, in place."""
    squares = np.einsum("ij,ij->i", rows, rows.conj()).real
    rows /= np.sqrt(squares)[:, None]
    return rows


def sparse_columns(random, n_rows: int, n_columns: int, density: float):
    """Columns in CSC, each with the same number of entries, one in each stretch of rows."""
    n_entries = max(1, round(density * n_rows))
    stretch = n_rows // n_entries
    within = random.integers(stretch, size=(n_columns, n_entries))
    rows = (np.arange(n_entries) * stretch + within).astype(np.int32)
    values = unit_rows(random.standard_normal((n_columns, n_entries)))
    starts = np.arange(0, rows.size + 1, n_entries)
    return sparse.csc_array((values.ravel(), rows.ravel(), starts), shape=(n_rows, n_columns))


def places(random, n_columns: int, n_active: int, apart: int = 1) -> np.ndarray:
    """Random columns, at least so far apart."""
    free = n_columns - (apart - 1) * (n_active - 1)
    return np.sort(random.choice(free, n_active, replace=False)) + (apart - 1) * np.arange(n_active)


def signed(random, shape) -> np.ndarray:
    """Weights of either sign between 0.5 and 1.5 in size."""
    return random.choice([-1.0, 1.0], shape) * random.uniform(0.5, 1.5, shape)


def equal(random, shape) -> np.ndarray:
    """Weights of either sign and of size one, which are hard for the greedy."""
    return random.choice([-1.0, 1.0], shape)


def turned(random, shape) -> np.ndarray:
    """Complex weights between 0.5 and 1.5 in modulus, of any phase."""
    return random.uniform(0.5, 1.5, shape) * np.exp(2j * np.pi * random.uniform(size=shape))


def problem(random, X, where, values, noise: float, groups=None) -> Problem:
    """Targets of the columns at these places with these weights, and a share of noise."""
    weights = np.zeros((X.shape[1], *np.shape(values)[1:]), np.result_type(values))
    weights[where] = values
    clean = X[:, where] @ values
    std = noise * float(np.sqrt(np.mean(np.abs(clean) ** 2)))
    error = random.standard_normal(clean.shape)
    if np.iscomplexobj(clean):
        error = (error + 1j * random.standard_normal(clean.shape)) / np.sqrt(2.0)
    return Problem(X, clean + std * error, weights, std, groups)


def plain(seed: int, size: Size, noise: float, *, neighbours=False, weights=signed) -> Problem:
    """A problem of one output and real columns."""
    random = np.random.default_rng(seed)
    X = gaussian(random, size.rows, size.columns, neighbours=neighbours)
    where = places(random, size.columns, size.active, APART if neighbours else 1)
    return problem(random, X, where, weights(random, size.active), noise)


def mostly_zero(seed: int, size: Size, noise: float, density: float) -> Problem:
    """A problem of one output and sparse columns."""
    random = np.random.default_rng(seed)
    X = sparse_columns(random, size.rows, size.columns, density)
    where = places(random, size.columns, size.active)
    return problem(random, X, where, signed(random, size.active), noise)


def shared(seed: int, size: Size, noise: float, n_outputs: int) -> Problem:
    """A problem of several outputs of the same columns, each with weights of its own."""
    random = np.random.default_rng(seed)
    X = gaussian(random, size.rows, size.columns)
    where = places(random, size.columns, size.active)
    return problem(random, X, where, signed(random, (size.active, n_outputs)), noise)


def grouped(seed: int, size: Size, noise: float, per_group: int) -> Problem:
    """Columns in groups of so many, one beside the other; `size.active` counts groups."""
    random = np.random.default_rng(seed)
    X = gaussian(random, size.rows, size.columns)
    groups = np.arange(size.columns) // per_group
    chosen = places(random, groups[-1] + 1, size.active)
    where = np.flatnonzero(np.isin(groups, chosen))
    values = random.standard_normal(len(where))
    return problem(random, X, where, values, noise, groups)


def turning(seed: int, size: Size, noise: float) -> Problem:
    """A problem of one output, complex columns and complex weights."""
    random = np.random.default_rng(seed)
    X = complex_gaussian(random, size.rows, size.columns)
    where = places(random, size.columns, size.active)
    return problem(random, X, where, turned(random, size.active), noise)
