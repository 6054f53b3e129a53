"""Blocks of rows: how many at a time, their columns evaluated and checked, results put together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import copy
from functools import reduce
from typing import Self

import numpy as np

# Rows are taken in blocks of about this many numbers.
BLOCK_NUMBERS = 2**22


class Rows(ABC):
    """Rows with a target and a weight each, whose columns are to be had in blocks.

    Attributes
    ----------
    target : array of shape (n_samples,), or (n_samples, k) where a likelihood wants more than one
    weight : array of shape (n_samples,)
    """

    target: np.ndarray
    weight: np.ndarray

    @abstractmethod
    def _designs(self, active) -> Iterator[tuple[slice, np.ndarray]]:
        """Slices of consecutive rows, and their columns `active` (all for None)."""

    def fold(self, function, active=None):
        """The sum of function(design, target, weight) over blocks of rows, in their order."""
        return add_up(
            function(design, self.target[rows], self.weight[rows])
            for rows, design in self._designs(active)
        )

    def map(self, function, active=None) -> np.ndarray:
        """function(design) of blocks of rows, one result per row (n_samples,)."""
        return np.concatenate([function(design) for _, design in self._designs(active)])

    def with_target(self, target: np.ndarray) -> Self:
        """The same rows with another target."""
        other = copy(self)
        other.target = target
        return other


def row_slices(n_rows: int, n_columns: int, numbers: float = BLOCK_NUMBERS):
    """Slices of consecutive rows with about `numbers` numbers each, but at least one row."""
    size = max(1, int(numbers / max(1, n_columns)))
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def add_up(results):
    """The sum, entry by entry, of tuples of numbers and arrays."""
    return reduce(
        lambda left, right: tuple(a + b for a, b in zip(left, right, strict=True)), results
    )


def evaluate_finite(columns, inputs, active=None) -> np.ndarray:
    """The columns on the inputs, or an error if one of them is not finite."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        design = columns.evaluate(inputs, active)
    if np.isfinite(design).all():
        return design
    raise ValueError(
        "the basis gave infinite or NaN values on these inputs. Expected finite columns: please "
        "scale the inputs (for instance with StandardScaler) or check the kernel function."
    )
