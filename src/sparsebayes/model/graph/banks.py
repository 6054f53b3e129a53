"""Columns that the mean and the error bars share, each computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.graph.expression import Node, named, take
from sparsebayes.model.graph.formulas import Row, column_values


@dataclass
class Bank:
    """All columns of one formula: those of the mean first, each other one that error bars need."""

    columns: PlainColumns
    items: list[np.ndarray] = field(default_factory=list)

    def places(self, items: np.ndarray) -> np.ndarray:
        """Where columns with these items are; new ones are added."""
        known = {each.tobytes(): place for place, each in reversed(list(enumerate(self.items)))}
        found = []
        for each in map(np.asarray, items):
            found.append(known.setdefault(each.tobytes(), len(self.items)))
            if found[-1] == len(self.items):
                self.items.append(each)
        return np.array(found, dtype=np.int64)

    def has_formula_of(self, other: PlainColumns) -> bool:
        """Whether columns differ from those of the bank in their items only."""
        own = self.columns
        return own.formula == other.formula and all(
            np.array_equal(value, other.parameters[name]) for name, value in own.parameters.items()
        )


def shared_columns(
    row: Row, design: Sequence[PlainColumns], spread: Sequence[PlainColumns], stem: str
) -> tuple[list[Node | None], list[Node | None]]:
    """Columns of the mean and of the error bars by formula, taken from banks of both."""
    banks = [Bank(each, list(map(np.asarray, each.items))) for each in design]
    of_spread = []
    for each in spread:
        bank = next((one for one in banks if one.has_formula_of(each)), None)
        if bank is None:
            banks.append(bank := Bank(each))
        of_spread.append((bank, bank.places(each.items)))
    nodes = {
        id(bank): column_values(
            row, replace(bank.columns, items=np.array(bank.items)), f"{stem}column_{k}"
        )
        for k, bank in enumerate(banks)
        if bank.items
    }

    def some(bank: Bank, places: np.ndarray, name: str) -> Node | None:
        if not len(places):
            return None
        value = nodes[id(bank)]
        (axis,) = value.names
        every = np.array_equal(places, np.arange(value.length(axis)))
        if every:
            return value
        return named(f"{stem}places", take(value, axis, places, f"{stem}{name}"))

    of_mean = [
        some(bank, np.arange(each.n_columns), f"weight_{k}")
        for k, (bank, each) in enumerate(zip(banks, design, strict=False))
    ]
    return of_mean, [some(*each, f"cover_{g}") for g, each in enumerate(of_spread)]
