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
class InList:
    """One column that holds a list."""

    dialect: Dialect
    name: str

    def dot(self, factors: np.ndarray) -> str:
        """sum_i factor_i number_i."""
        return f"list_dot_product({self.name}, {self._list(factors)})"

    def squares(self) -> str:
        """sum_i number_i^2."""
        return f"list_dot_product({self.name}, {self.name})"

    def squared_distance(self, point: np.ndarray) -> str:
        """sum_i (number_i - point_i)^2."""
        distance = f"list_distance({self.name}, {self._list(point)})"
        return f"({distance} * {distance})"

    def _list(self, numbers: np.ndarray) -> str:
        return f"[{', '.join(map(self.dialect.number, numbers))}]"


def vector(chain: Chain, dialect: Dialect, stem: str, expressions: Sequence[str]) -> Vector:
    """Numbers that this SELECT of the chain computes."""
    if dialect.lists and expressions:
        return InList(dialect, chain.put(stem, f"[{', '.join(expressions)}]"))
    return Separate(dialect, tuple(chain.put(stem, each) for each in expressions))
