"""Bound columns: functions of the inputs, one per column, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

NO_ROW = -1


@dataclass(frozen=True)
class Columns:
    """Columns of one kind.

    Parameters
    ----------
    formula : (inputs, items) -> array of shape (n_samples, len(items))
    items : what tells the columns apart, one entry per column: a centre, an index, exponents
    rows : the training row that each column is centred on, or `NO_ROW` (n_columns,)
    label : (item, row, feature_names) -> the name of a column
    """

    formula: Callable[[Any, Any], np.ndarray]
    items: Any
    rows: np.ndarray
    label: Callable[[Any, int, Sequence[str]], str]

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self.rows)

    def evaluate(self, inputs, active=None) -> np.ndarray:
        """The columns `active` (all by default) on `inputs`, of shape (n_samples, m)."""
        n_columns = self.n_columns if active is None else len(active)
        if not n_columns:
            return np.empty((inputs.shape[0], 0))
        return self.formula(inputs, self.items if active is None else self.items[active])

    def keep(self, active) -> Columns:
        """Only the columns `active`."""
        return replace(self, items=self.items[active], rows=self.rows[active])

    def order_by_row(self) -> np.ndarray:
        """The order of the columns in which the rows they are centred on ascend."""
        return np.argsort(self.rows, kind="stable")

    def names(self, feature_names: Sequence[str]) -> list[str]:
        """A name for each column."""
        return [
            self.label(self.items[i], int(row), feature_names) for i, row in enumerate(self.rows)
        ]


@dataclass(frozen=True)
class JoinedColumns:
    """Columns of several kinds, side by side."""

    parts: tuple[Columns | JoinedColumns, ...]

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return sum(part.n_columns for part in self.parts)

    @property
    def rows(self) -> np.ndarray:
        """The training row that each column is centred on, or `NO_ROW`."""
        return np.concatenate([part.rows for part in self.parts])

    def evaluate(self, inputs, active=None) -> np.ndarray:
        """The columns `active` (all by default, in any order) on `inputs`."""
        if active is None:
            return np.hstack([part.evaluate(inputs) for part in self.parts])
        design = np.empty((inputs.shape[0], len(active)), order="F")
        for part, here, within in self._split(active):
            design[:, here] = part.evaluate(inputs, within)
        return design

    def keep(self, active) -> JoinedColumns:
        """Only the columns `active`, part by part, within a part in the order given."""
        return JoinedColumns(tuple(part.keep(within) for part, _, within in self._split(active)))

    def order_by_row(self) -> np.ndarray:
        """The order of the columns in which, part by part, the rows ascend."""
        starts = np.cumsum([0, *(part.n_columns for part in self.parts)])
        orders = [part.order_by_row() for part in self.parts]
        return np.concatenate([start + o for start, o in zip(starts, orders, strict=False)])

    def names(self, feature_names: Sequence[str]) -> list[str]:
        """A name for each column."""
        return [name for part in self.parts for name in part.names(feature_names)]

    def _split(self, active):
        """Of each part: where its columns stand in `active`, and which of its own they are."""
        active = np.asarray(active, dtype=np.intp)
        start = 0
        for part in self.parts:
            here = np.flatnonzero((active >= start) & (active < start + part.n_columns))
            yield part, here, active[here] - start
            start += part.n_columns
