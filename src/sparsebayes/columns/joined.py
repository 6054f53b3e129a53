"""Columns of several kinds, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from sparsebayes.columns.columns import Columns
from sparsebayes.columns.geometry import Inputs


@dataclass(frozen=True)
class JoinedColumns:
    """Columns of several kinds, side by side.

    Parameters
    ----------
    parts : of each kind
    rivals : other columns that may take their place, if they are more likely
    """

    parts: tuple[Any, ...]
    rivals: tuple[JoinedColumns, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[Any]) -> JoinedColumns:
        """Columns side by side; the rivals of one kind, beside the others, are rivals of all."""
        alone = tuple(replace(part, rivals=()) for part in parts)
        rivals = [
            cls((*alone[:k], rival, *alone[k + 1 :]))
            for k, part in enumerate(parts)
            for rival in part.rivals
        ]
        return cls(alone, tuple(rivals))

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return sum(part.n_columns for part in self.parts)

    @property
    def starts(self) -> np.ndarray:
        """Where the columns of each part begin (n_parts,)."""
        return np.cumsum([0, *(part.n_columns for part in self.parts)])[:-1]

    @property
    def centre_rows(self) -> np.ndarray:
        """The training row that each column is centred on, or `NO_ROW`."""
        return np.concatenate([part.centre_rows for part in self.parts])

    def evaluate(self, inputs: Inputs, active: np.ndarray | None = None) -> np.ndarray:
        """The columns `active` (all by default, in any order) on `inputs`."""
        if active is None:
            designs = [part.evaluate(inputs) for part in self.parts]
            return designs[0] if len(designs) == 1 else np.hstack(designs)
        design = np.empty((inputs.shape[0], len(active)), order="F")
        for part, here, within in self._split(active):
            design[:, here] = part.evaluate(inputs, within)
        return design

    @property
    def are_inputs(self) -> bool:
        """Whether the columns are all inputs, in their order."""
        return len(self.parts) == 1 and self.parts[0].are_inputs

    @property
    def stay_sparse(self) -> bool:
        """Whether sparse inputs make columns that are as sparse."""
        return all(part.stay_sparse for part in self.parts)

    @property
    def kinds(self) -> tuple[Columns, ...]:
        """The columns of each kind."""
        return tuple(kind for part in self.parts for kind in part.kinds)

    @property
    def log_scales(self) -> np.ndarray:
        """Logarithms of the scales that are to be learned, part after part (n_scales,)."""
        return np.concatenate([part.log_scales for part in self.parts])

    @property
    def log_spreads(self) -> np.ndarray:
        """Logarithms of the scales that the spread of the training inputs suggests (n_scales,)."""
        return np.concatenate([part.log_spreads for part in self.parts])

    @property
    def log_wholes(self) -> np.ndarray:
        """Logarithms of scales that the spread of all inputs suggests, extreme ones included."""
        return np.concatenate([part.log_wholes for part in self.parts])

    def rescaled(self, log_scales: np.ndarray) -> JoinedColumns:
        """The columns at other scales."""
        ends = np.cumsum([len(part.log_scales) for part in self.parts])
        shares = np.split(log_scales, ends[:-1])
        moved = [part.rescaled(own) for part, own in zip(self.parts, shares, strict=True)]
        return JoinedColumns(tuple(moved))

    def tested(self) -> JoinedColumns:
        """The columns, each kind tested."""
        return JoinedColumns(tuple(part.tested() for part in self.parts))

    def for_new_inputs(self) -> JoinedColumns:
        """The columns without what only a fit needs."""
        return JoinedColumns(tuple(part.for_new_inputs() for part in self.parts))

    def keep(self, active: np.ndarray) -> JoinedColumns:
        """Only the columns `active`, part by part, within a part in the order given."""
        return JoinedColumns(tuple(part.keep(within) for part, _, within in self._split(active)))

    def order_by_row(self) -> np.ndarray:
        """The order of the columns in which, part by part, the rows ascend."""
        pairs = zip(self.starts, self.parts, strict=True)
        return np.concatenate([start + part.order_by_row() for start, part in pairs])

    def names(self, feature_names: Sequence[str]) -> list[str]:
        """A name for each column."""
        return [name for part in self.parts for name in part.names(feature_names)]

    def _split(self, active: np.ndarray) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        """Each part, where its columns stand in `active`, and which of its own they are."""
        active = np.asarray(active, dtype=np.intp)
        for start, part in zip(self.starts, self.parts, strict=True):
            here = np.flatnonzero((active >= start) & (active < start + part.n_columns))
            yield part, here, active[here] - start


AnyColumns: TypeAlias = Columns | JoinedColumns


def without_bias(columns: AnyColumns) -> AnyColumns:
    """The columns without a constant, where all others fall off to zero far away.

    Such a model says zero where it knows nothing. With a constant it would say anything: next to
    wide kernels the data do not determine it.
    """
    others = [kind for kind in columns.kinds if not kind.formula.definition.constant]
    if not others or not all(kind.formula.definition.local for kind in others):
        return columns
    return columns.keep(np.flatnonzero(~constant_columns(columns)))


def constant_columns(columns: AnyColumns) -> np.ndarray:
    """Which of the columns are the same at all inputs (n_columns,)."""
    return np.concatenate(
        [np.full(k.n_columns, k.formula.definition.constant) for k in columns.kinds]
    )


def group_labels(columns: AnyColumns) -> np.ndarray | None:
    """The group of each column of all kinds (n_columns,), from 0 on; None if all are alone."""
    if all(kind.labels is None for kind in columns.kinds):
        return None
    found, start = [], 0
    for kind in columns.kinds:
        own = np.arange(kind.n_columns) if kind.labels is None else kind.labels
        found.append(start + np.unique(own, return_inverse=True)[1].ravel())
        start += len(np.unique(own))
    return np.concatenate(found)


# The input that a constant is.
NO_INPUT = -1


def is_linear(columns: AnyColumns) -> bool:
    """Whether any weights of these columns make a linear function of the inputs, and a constant."""
    return all(kind.formula.definition.gradient is not None for kind in columns.kinds)


def inputs_of(columns: AnyColumns) -> np.ndarray | None:
    """The input that each column is, `NO_INPUT` for a constant (n_columns,).

    None where a column is neither.
    """
    found = []
    for kind in columns.kinds:
        none = np.full(kind.n_columns, NO_INPUT) if kind.formula.definition.constant else None
        own = kind.formula.own_inputs(kind.items) if none is None else none
        if own is None:
            return None
        found.append(own)
    return np.concatenate(found)
