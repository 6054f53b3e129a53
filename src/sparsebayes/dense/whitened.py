"""Columns of a dense model: which have a precision in common, and those of a Gaussian process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import lapack

from sparsebayes._linear_algebra import (
    pivoted_factor,
    squared_lengths,
    times_lower_transposed,
)
from sparsebayes.columns import NO_ROW, Columns


def groups(kinds: tuple[Columns, ...]) -> np.ndarray:
    """The group of each column (n_columns,): one for a kernel, one for each plain column."""
    starts = group_starts(kinds)
    own = [start + own_groups(kind) for start, kind in zip(starts, kinds, strict=True)]
    return np.concatenate(own)


def group_starts(kinds: tuple[Columns, ...]) -> np.ndarray:
    """The first group of each kind (n_kinds,)."""
    sizes = [own_groups(kind).max(initial=-1) + 1 for kind in kinds]
    return np.cumsum([0, *sizes])[:-1]


def own_groups(kind: Columns) -> np.ndarray:
    """The group of each column within its kind: one for a kernel, one for each plain column."""
    plain = kind.centre_rows == NO_ROW
    return np.where(plain, np.cumsum(plain) - 1, 0)


def kernel_groups(kinds: tuple[Columns, ...]) -> np.ndarray:
    """Which of the groups are those of a kernel (n_groups,)."""
    flags: list[bool] = []
    for kind in kinds:
        plain = int(np.sum(kind.centre_rows == NO_ROW))
        flags += [False] * plain if plain else [True] * bool(kind.n_columns)
    return np.array(flags, dtype=bool)


# What is left of a variance below this part of the largest is rounding.
LEAST_LEFT = 1e-14
# Rows that are equally good are taken in their order, and not by rounding: each counts as less than
# the one before, the last of them by this part.
TIES = 1e-4


@dataclass(frozen=True)
class WhitenedColumns:
    """V = Phi R', with K_cc^-1 = R'R and R lower triangular; R is None where V = Phi.

    The weights of V are independent where those of Phi have the covariance K_cc^-1. As R is
    triangular, the first columns of V are those of the first columns of Phi alone.
    """

    kind: Columns
    whitener: np.ndarray | None

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return self.kind.n_columns

    def check(self, n_features: int) -> None:
        """An error unless the whitener goes with the columns."""
        self.kind.check(n_features)
        if self.whitener is not None and self.whitener.shape != (self.n_columns,) * 2:
            raise ValueError("a whitener does not go with its columns.")

    @property
    def are_inputs(self) -> bool:
        """False."""
        return False

    @property
    def stay_sparse(self) -> bool:
        """False: each is a sum of many columns."""
        return False

    def evaluate(self, inputs: Any, active: np.ndarray | None = None) -> np.ndarray:
        """The columns `active` (all by default) on `inputs`, of shape (n_samples, m)."""
        if self.whitener is None:
            return self.kind.evaluate(inputs, active)
        if active is None:
            return times_lower_transposed(self.kind.evaluate(inputs), self.whitener)
        return self.kind.evaluate(inputs) @ self.whitener[active].T

    def gradient(self, features: np.ndarray) -> np.ndarray:
        """Of linear columns, their derivatives for the inputs `features` (n_inputs, m)."""
        gradient = self.kind.gradient(features)
        return gradient if self.whitener is None else gradient @ self.whitener.T

    def variance_left(self, inputs: Any, design: np.ndarray) -> np.ndarray:
        """k(x, x) - |v(x)|^2: what the columns of a covariance leave of its variance (n_samples,).

        Parameters
        ----------
        design : the columns on the inputs
        """
        return np.maximum(self.kind.variance(inputs) - squared_lengths(design), 0.0)

    def for_new_inputs(self) -> WhitenedColumns:
        """The same without what only a fit needs."""
        return replace(self, kind=self.kind.for_new_inputs())

    def first(self, size: int) -> WhitenedColumns:
        """The first columns."""
        if self.whitener is None:
            return self
        whitener = np.ascontiguousarray(self.whitener[:size, :size])
        return WhitenedColumns(self.kind.keep(np.arange(size)), whitener)


def whitened(kind: Columns, least: float = 0.0) -> WhitenedColumns:
    """The whitened columns of a covariance, by pivots; others as they are.

    Columns of a covariance come in an order in which the next is always the one whose variance
    those before explain least. Those that add nothing are left out.

    Parameters
    ----------
    least : it ends where the variance that is left at any centre is at most this
    """
    if not kind.positive_definite or not kind.n_columns:
        return WhitenedColumns(kind, None)
    covariance = kind.between_items()
    largest = float(np.diag(covariance).max())
    if not 0.0 < largest < np.inf:
        return WhitenedColumns(kind, None)
    length = 1.0 + TIES * np.linspace(0.0, 1.0, len(covariance))
    covariance /= length
    covariance /= length[:, None]
    rows, lower = pivoted_factor(covariance, max(least, LEAST_LEFT * largest))
    lower *= length[rows][:, None]
    return WhitenedColumns(kind.keep(rows), lapack.dtrtri(lower, lower=1)[0])
