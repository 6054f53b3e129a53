"""Columns of a dense model: which have a precision in common, and those of a Gaussian process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes._linear_algebra import factorise
from sparsebayes.columns import NO_ROW, Columns


def groups(kinds: tuple[Columns, ...]) -> np.ndarray:
    """The group of each column (n_columns,): one for a kernel, one for each plain column."""
    starts = group_starts(kinds)
    own = [start + own_groups(kind) for start, kind in zip(starts, kinds, strict=True)]
    return np.concatenate(own)


def group_starts(kinds: tuple[Columns, ...]) -> np.ndarray:
    """The first group of each kind (n_kinds,)."""
    sizes = [max(int(np.sum(kind.centre_rows == NO_ROW)), 1) for kind in kinds]
    return np.cumsum([0, *sizes])[:-1]


def own_groups(kind: Columns) -> np.ndarray:
    """The group of each column within its kind: one for a kernel, one for each plain column."""
    plain = kind.centre_rows == NO_ROW
    return np.where(plain, np.cumsum(plain) - 1, 0)


def not_covariance(kinds: tuple[Columns, ...]) -> np.ndarray:
    """Which of the groups are kernels that are no covariance (n_groups,)."""
    flags: list[bool] = []
    for kind in kinds:
        plain = int(np.sum(kind.centre_rows == NO_ROW))
        flags += [False] * plain if plain else [not kind.positive_definite]
    return np.array(flags)


# Added to the diagonal of K_cc, relative to its mean: kernels are collinear to rounding.
NUGGET = 1e-8


@dataclass(frozen=True)
class WhitenedColumns:
    """V = Phi R', with K_cc^-1 = R'R; R is None where V = Phi."""

    kind: Columns
    whitener: np.ndarray | None

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return self.kind.n_columns

    def evaluate(self, inputs: Any, active: np.ndarray | None = None) -> np.ndarray:
        """The columns `active` (all by default) on `inputs`, of shape (n_samples, m)."""
        chosen = slice(None) if active is None else active
        if self.whitener is None:
            return self.kind.evaluate(inputs, active)
        return self.kind.evaluate(inputs) @ self.whitener[chosen].T


def whitened(kind: Columns) -> WhitenedColumns:
    """The whitened columns of a covariance; others as they are."""
    if not kind.positive_definite:
        return WhitenedColumns(kind, None)
    covariance = kind.evaluate(kind.items)
    mean_variance = np.trace(covariance) / len(covariance)
    if not mean_variance > 0.0:
        return WhitenedColumns(kind, None)
    covariance.flat[:: len(covariance) + 1] += NUGGET * mean_variance
    return WhitenedColumns(kind, factorise(covariance).whitener)
