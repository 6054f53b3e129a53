"""Whitened columns of a covariance, whose weights are independent: those of a Gaussian process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import block_diag, lapack

from sparsebayes._linear_algebra import pivoted_factor, times_lower_transposed
from sparsebayes.columns.columns import Columns
from sparsebayes.columns.joined import JoinedColumns

# What is left of a variance below this part of the largest is rounding.
LEAST_LEFT = 1e-14
# Rows that are equally good are taken in their order, and not by rounding: each counts as less than
# the one before, the last of them by this part.
TIES = 1e-4


@dataclass(frozen=True)
class WhitenedColumns:
    """V = Phi R', with K_cc^-1 = R'R and R lower triangular; R is None where V = Phi.

    The weights of V are independent where those of Phi have the covariance K_cc^-1. As R is
    triangular, the first columns of V are those of the first columns of Phi alone. Columns that
    are no covariance are as they were, and no process.
    """

    kind: Columns
    whitener: np.ndarray | None

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return self.kind.n_columns

    @property
    def is_process(self) -> bool:
        """Whether the columns stand for a Gaussian process, of which they may leave something."""
        return self.whitener is not None

    @property
    def are_inputs(self) -> bool:
        """Whether the columns are all inputs, in their order: nothing asks that of a process."""
        return False

    @property
    def stay_sparse(self) -> bool:
        """Whether sparse inputs make sparse columns: no, each is a sum of many columns."""
        return False

    def evaluate(self, inputs: Any, active: np.ndarray | None = None) -> np.ndarray:
        """The columns `active` (all by default) on `inputs`, of shape (n_samples, m)."""
        if self.whitener is None:
            return self.kind.evaluate(inputs, active)
        if active is None:
            return times_lower_transposed(self.kind.evaluate(inputs), self.whitener)
        return self.kind.evaluate(inputs) @ self.whitener[active].T

    def process_variance(self, inputs: Any) -> np.ndarray:
        """The variance of the process at the inputs, before there are data; 0 where there is none.

        Of shape (n_samples,).
        """
        return self.kind.variance(inputs) if self.is_process else np.zeros(inputs.shape[0])

    def unwhitened(self, weights: np.ndarray) -> np.ndarray:
        """Weights of the columns as they are, R'w, from weights w of the whitened ones (m, k)."""
        return weights if self.whitener is None else self.whitener.T @ weights

    def whitened_score(self, score: np.ndarray) -> np.ndarray:
        """The gradient for the weights of V, R g, from the gradient g for those of Phi (m, k)."""
        return score if self.whitener is None else self.whitener @ score

    @property
    def colouring(self) -> np.ndarray:
        """L' with R = L^-1, so that Phi = V L' (m, m)."""
        if self.whitener is None:
            return np.eye(self.n_columns)
        return lapack.dtrtri(np.asfortranarray(self.whitener), lower=1)[0].T

    def for_new_inputs(self) -> WhitenedColumns:
        """The columns without what only a fit needs."""
        return replace(self, kind=self.kind.for_new_inputs())

    def first(self, size: int) -> WhitenedColumns:
        """The first columns, at most `size` of them; all where they are no process."""
        if self.whitener is None:
            return self
        whitener = np.ascontiguousarray(self.whitener[:size, :size])
        return WhitenedColumns(self.kind.keep(np.arange(len(whitener))), whitener)


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


def unwhitened(columns: JoinedColumns, weights: np.ndarray) -> np.ndarray:
    """Weights of the columns of all kinds as they are, from those of whitened ones (m, k)."""
    return np.concatenate([part.unwhitened(own) for part, own in _split(columns, weights)])


def whitened_score(columns: JoinedColumns, score: np.ndarray) -> np.ndarray:
    """The gradient for the weights of whitened columns, from that for those as they are (m, k)."""
    return np.concatenate([part.whitened_score(own) for part, own in _split(columns, score)])


def colouring(columns: JoinedColumns) -> np.ndarray:
    """L' of all kinds: the columns as they are are V L' (m, m)."""
    return block_diag(*(part.colouring for part in columns.parts))


def _split(columns: JoinedColumns, rows: np.ndarray) -> Iterator[tuple[Any, np.ndarray]]:
    """Each kind, and its share of rows that go with the columns."""
    return zip(columns.parts, np.split(rows, columns.starts[1:]), strict=True)


def first_of_each(columns: Any, most: int) -> np.ndarray:
    """Positions of the first whitened columns of each kind, and of all that are not whitened."""
    return first_columns(columns, [part.first(most).n_columns for part in columns.parts])


def first_columns(columns: JoinedColumns, sizes: Sequence[int]) -> np.ndarray:
    """Positions of the first columns of each kind, so many of each."""
    pairs = zip(columns.starts, sizes, strict=True)
    return np.concatenate([start + np.arange(size) for start, size in pairs])
