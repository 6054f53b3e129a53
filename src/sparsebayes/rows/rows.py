"""Rows of data, taken in blocks: their columns evaluated and checked, results put together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import reduce
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import issparse

from sparsebayes._parameters import LARGEST, SMALLEST
from sparsebayes.columns.user_functions import name_of

# Rows are taken in blocks of about this many numbers, 32 MB.
BLOCK_NUMBERS = 2**22

Statistic = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple]


class Data(NamedTuple):
    """What is given of the rows.

    Attributes
    ----------
    inputs : array or sparse matrix (n_samples, n_features)
    target : (n_samples,), or (n_samples, k) where a likelihood wants more than one
    weight : how often each row counts (n_samples,)
    """

    inputs: Any
    target: np.ndarray
    weight: np.ndarray

    def counted(self) -> Data:
        """Only the rows of positive weight."""
        return self if (self.weight > 0.0).all() else self.take(np.flatnonzero(self.weight > 0.0))

    def take(self, chosen: np.ndarray) -> Data:
        """Only the rows `chosen`."""
        return Data(self.inputs[chosen], self.target[chosen], self.weight[chosen])


class Rows(ABC):
    """Rows with a target and a weight each, whose columns are evaluated in blocks.

    Attributes
    ----------
    target : array of shape (n_samples,) or (n_samples, k)
    weight : array of shape (n_samples,)
    evaluates : whether columns are evaluated anew at every pass
    """

    target: np.ndarray
    weight: np.ndarray
    evaluates: bool = False

    @abstractmethod
    def _designs(self, chosen: np.ndarray | None) -> Iterator[tuple[slice, np.ndarray]]:
        """Slices of consecutive rows, and their columns `chosen` (all for None)."""

    def fold(self, statistic: Statistic, chosen: np.ndarray | None = None) -> tuple:
        """The sum of statistic(design, target, weight) over blocks of rows, in their order."""
        return add_up(
            statistic(design, self.target[block], self.weight[block])
            for block, design in self._designs(chosen)
        )

    def map(
        self, function: Callable[[np.ndarray], np.ndarray], chosen: np.ndarray | None = None
    ) -> np.ndarray:
        """function(design) of blocks of rows, one result per row (n_samples,)."""
        return np.concatenate([function(design) for _, design in self._designs(chosen)])

    def relabelled(self, target: np.ndarray, weight: np.ndarray) -> Self:
        """The rows with other targets and weights."""
        other = copy(self)
        other.target, other.weight = target, weight
        return other


def row_slices(n_rows: int, n_columns: int, numbers: float = BLOCK_NUMBERS) -> list[slice]:
    """Slices of consecutive rows with about `numbers` numbers each, but at least one row."""
    size = max(1, int(numbers / max(1, n_columns)))
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def add_up(results: Iterable[tuple]) -> tuple:
    """The sum, entry by entry, of tuples of numbers and arrays."""
    return reduce(
        lambda left, right: tuple(a + b for a, b in zip(left, right, strict=True)), results
    )


def evaluate_finite(columns: Any, inputs: Any, chosen: np.ndarray | None = None) -> np.ndarray:
    """The columns on the inputs, or an error if one of them is not finite or cannot be squared."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        design = columns.evaluate(inputs, chosen)
    check_largest(largest_size(design), columns)
    return design


def check_largest(size: float, columns: Any) -> None:
    """An error where columns have values that are not finite or cannot be squared."""
    if not size < LARGEST:
        given = f"values up to {size:.3g}" if np.isfinite(size) else "infinite or NaN values"
        refuse_size(given, columns)


def largest_size(design: np.ndarray) -> float:
    """The largest absolute value; NaN if there is one."""
    return float(max(design.max(initial=0.0), -design.min(initial=0.0)))


def largest_values(inputs: Any) -> np.ndarray:
    """The largest absolute value of each input (n_features,)."""
    if issparse(inputs):
        return np.ravel(abs(inputs).max(axis=0).toarray())
    return np.maximum(inputs.max(axis=0), -inputs.min(axis=0))


def check_sizes(columns: Any, inputs: Any, most_rows: int = 32) -> None:
    """An error where the columns of some kind are not zero, but next to nothing.

    Kernels that fall off to zero are 1 at their centres, so they need no look.

    Parameters
    ----------
    most_rows : that are looked at
    """
    for kind in columns.kinds:
        if kind.n_columns and not kind.formula.definition.local:
            size = largest_size(evaluate_finite(kind, inputs[:most_rows]))
            if 0.0 < size < SMALLEST:
                refuse_size(f"no value above {size:.3g}", kind)


def refuse_size(given: str, columns: Any) -> None:
    """The error for columns whose squares are not representable; it names functions of the user."""
    formulas = [kind.formula for kind in getattr(columns, "kinds", ())]
    asked = [each for each in formulas if callable(getattr(each, "function", None))]
    named = " and ".join(name_of(each.function, each.name) for each in asked)
    check = f" or check {named}" if named else ""
    raise ValueError(
        f"the basis gave {given} on these inputs. Expected finite columns of a size between "
        f"{SMALLEST} and {LARGEST}: please scale the inputs (for instance with StandardScaler)"
        f"{check}."
    )
