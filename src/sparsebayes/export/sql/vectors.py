"""Several numbers of a row: columns of their own, or one column that holds a list.

DuckDB gives every operation of an expression its own memory. Sums of thousands of terms leave the
processor's cache there, and products of lists are about twice as fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sparsebayes.export.sql.chain import Chain
from sparsebayes.export.sql.dialects import ZERO, Dialect, total

# Matrices are triangular: lists that are shorter leave out more zeros, and cost more calls.
LENGTH = 32


class Vector(Protocol):
    """Numbers of a row."""

    def dot(self, factors: np.ndarray) -> str:
        """sum_i factor_i number_i."""

    def squares(self) -> str:
        """sum_i number_i^2."""

    def squared_distance(self, point: np.ndarray) -> str:
        """sum_i (number_i - point_i)^2."""


@dataclass(frozen=True)
class Separate:
    """Columns of their own."""

    dialect: Dialect
    names: tuple[str, ...]

    def dot(self, factors: np.ndarray) -> str:
        """sum_i factor_i number_i."""
        pairs = zip(self.names, map(self.dialect.number, factors), strict=True)
        return total([f"{factor} * {name}" for name, factor in pairs if factor != ZERO])

    def squares(self) -> str:
        """sum_i number_i^2."""
        return total([self.dialect.square(name) for name in self.names])

    def squared_distance(self, point: np.ndarray) -> str:
        """sum_i (number_i - point_i)^2."""
        pairs = zip(self.names, map(self.dialect.number, point), strict=True)
        apart = [f"({name} - {c})" for name, c in pairs]
        return total([f"{each} * {each}" for each in apart])


@dataclass(frozen=True)
class InLists:
    """Columns that hold lists, of LENGTH numbers each, the last of fewer."""

    dialect: Dialect
    names: tuple[str, ...]

    def dot(self, factors: np.ndarray) -> str:
        """sum_i factor_i number_i."""
        return total(
            [
                f"list_dot_product({name}, {self._list(some)})"
                for name, some in self._parts(factors)
                if some.any()
            ]
        )

    def squares(self) -> str:
        """sum_i number_i^2."""
        return total([f"list_dot_product({name}, {name})" for name in self.names])

    def squared_distance(self, point: np.ndarray) -> str:
        """sum_i (number_i - point_i)^2."""
        found = [f"list_distance({name}, {self._list(c)})" for name, c in self._parts(point)]
        return total([f"{each} * {each}" for each in found])

    def _parts(self, numbers: np.ndarray) -> list[tuple[str, np.ndarray]]:
        starts = range(0, len(numbers), LENGTH)
        parts = [numbers[start : start + LENGTH] for start in starts]
        return list(zip(self.names, parts, strict=True))

    def _list(self, numbers: np.ndarray) -> str:
        return f"[{', '.join(map(self.dialect.number, numbers))}]"


def vector(chain: Chain, dialect: Dialect, stem: str, expressions: Sequence[str]) -> Vector:
    """Numbers that this SELECT of the chain computes."""
    if not dialect.lists:
        return Separate(dialect, tuple(chain.put(stem, each) for each in expressions))
    starts = range(0, len(expressions), LENGTH)
    parts = [f"[{', '.join(expressions[start : start + LENGTH])}]" for start in starts]
    return InLists(dialect, tuple(chain.put(stem, part) for part in parts))
