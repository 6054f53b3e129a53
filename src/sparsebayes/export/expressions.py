"""Values of nodes as texts, within loops, and tables without their zeros.

A loop round such a table goes round the numbers between the first and the last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sparsebayes.model.graph import Node

if TYPE_CHECKING:
    from sparsebayes.export.loops import Loops

# How strongly names, and negative constants, bind.
ATOM, UNARY = 9, 5
# Places along axes that are no variables of loops.
Index = Mapping[str, str]


class Expressions:
    """What writes values.

    Parameters
    ----------
    loops : the program
    array_of : gives the name of the variable or the array of a node
    """

    def __init__(self, loops: Loops, array_of: Callable[[Node], str]) -> None:
        self.loops, self.language, self.placement = loops, loops.language, loops.placement
        self.array_of = array_of
        self.read_once: dict[Node, str] = {}

    def at(self, node: Node, index: Index, needed: int = 0) -> str:
        """The value of a node, in brackets if it binds less strongly than is needed."""
        text, strength = self._value(node, index)
        return text if strength >= needed else f"({text})"

    def _value(self, node: Node, index: Index) -> tuple[str, int]:
        if self.placement.stored(node):
            return self.variable(node, index), ATOM
        if node.kind == "take":
            return self._value(node.args[0], {**index, node.axis: self._entry(node, index)})
        if node.is_table:
            return self._constant(node, index)
        if node.kind == "leaf":
            return f"{self.array_of(node)}[{self.place(node.axes, index)}]", ATOM
        return self.map(node, index)

    def variable(self, node: Node, index: Index) -> str:
        """A variable, or an entry of an array."""
        free = self.placement.free(node)
        return f"{self.array_of(node)}[{self.place(free, index)}]" if free else self.array_of(node)

    def map(self, node: Node, index: Index) -> tuple[str, int]:
        """A function of numbers, unless it does nothing."""
        neutral = {"mul": 1.0, "add": 0.0}.get(node.name)
        for one, other in (node.args, node.args[::-1]) if neutral is not None else ():
            if one.is_table and np.all(one.data == neutral):
                return self._value(other, index)
        text, strength, needed = self.language.maps[node.name]
        floats = node.args[:1] if node.name == "power" else node.args
        args = [
            self.at(arg, index, needed[min(k, len(needed) - 1)]) for k, arg in enumerate(floats)
        ]
        args += [self._exponent(each, index) for each in node.args[len(floats) :]]
        return text.format(*args), strength

    def _exponent(self, table: Node, index: Index) -> str:
        """A whole number."""
        assert table.data is not None
        if not table.axes:
            return str(int(table.data))
        axes, values = self._laid(table)
        name = self.loops.table(table.label, values.astype(np.int64))
        return self.language.whole.format(f"{name}[{self.place(axes, index)}]")

    def _constant(self, table: Node, index: Index) -> tuple[str, int]:
        """A number, or an entry of a table; a table of equal numbers has one."""
        assert table.data is not None
        if table in self.read_once:
            return self.read_once[table], ATOM
        if (
            not table.label
            and table.data.size > 1
            and np.array_equal(table.data, np.arange(table.data.size))
        ):
            (axis,) = table.names
            return self.language.place.format(index.get(axis) or self.loops.variable(axis)), UNARY
        first = float(table.data.flat[0])
        if np.all(table.data == first) and not (table.label and table.axes):
            return self.language.number(first), UNARY if first < 0.0 else ATOM
        axes, values = self._laid(table)
        if np.all(values == first):
            axes, values = (), np.array([first])
        return f"{self.loops.table(table.label, values)}[{self.place(axes, index)}]", ATOM

    def _laid(self, table: Node) -> tuple[tuple[tuple[str, int], ...], np.ndarray]:
        """A table in the order of the loops in which it is read."""
        (path, *_) = self.placement.contexts[table]
        loops = [axis for _, axis in path if axis in table.names]
        order = loops + [axis for axis in table.names if axis not in loops]
        return tuple((axis, table.length(axis)) for axis in order), in_order_of(order, table)

    def _entry(self, take: Node, index: Index) -> str:
        """The place of an entry along the axis that a take replaces."""
        assert take.data is not None
        if len(set(take.data)) == 1:
            return str(take.data[0])
        place, first = index.get(take.name) or self.loops.variable(take.name), int(take.data[0])
        if np.array_equal(take.data, np.arange(first, first + len(take.data))):
            return f"{place} + {first}" if first else place
        return f"{self.loops.table(take.label or take.name, take.data)}[{place}]"

    def place(self, axes: tuple[tuple[str, int], ...], index: Index) -> str:
        """The place of an entry in an array with these axes."""
        text = ""
        for axis, length in axes:
            if length > 1:
                place = index.get(axis) or self.loops.variable(axis)
                before = f"({text})" if "+" in text else text
                text = f"{before} * {length} + {place}" if text else place
        return text or "0"


def in_order_of(axes: list[str], table: Node) -> np.ndarray:
    """The numbers of a table along its axes in this order."""
    assert table.data is not None
    return np.ascontiguousarray(table.data.transpose([table.names.index(axis) for axis in axes]))


# A loop has bounds of its own if they leave out this share of a table, less tables of bounds.
WORTH = 0.25


@dataclass(frozen=True)
class Span:
    """What is left of a table (..., n, m), row after row.

    Parameters
    ----------
    values : the numbers that are kept
    first, end : the bounds of the last axis. As texts they are of {at}, the place along the axis
        before it. As tables they have a number for each row, and the text is ""
    """

    values: np.ndarray
    first: str | np.ndarray
    end: str | np.ndarray


def span(values: np.ndarray) -> Span | None:
    """The bounds that leave out the most zeros; None where it is not worth it."""
    found = max([_from(values), _until(values), _by_rows(values)], key=lambda each: each[0])
    return found[1] if found[0] >= WORTH * values.size else None


def _from(values: np.ndarray) -> tuple[int, Span]:
    """The last axis begins at a distance from the axis before it."""
    n, m = values.shape[-2:]
    rows, columns = np.nonzero(values.reshape(-1, n, m).any(axis=0))
    least = int(np.min(columns - rows, initial=m))
    kept = np.arange(m) >= np.arange(n)[:, None] + least
    first = f"{{at}} > {-least} ? {{at}} - {-least} : 0" if least < 0 else "{at}"
    return _span(values, kept, first + f" + {least}" * (least > 0), str(m))


def _until(values: np.ndarray) -> tuple[int, Span]:
    """The last axis ends at a distance from the axis before it."""
    n, m = values.shape[-2:]
    rows, columns = np.nonzero(values.reshape(-1, n, m).any(axis=0))
    most = int(np.max(columns - rows, initial=-n)) + 1
    kept = np.arange(m) < np.arange(n)[:, None] + most
    end = f"{{at}} + {most}" if most >= 0 else f"{{at}} - {-most}"
    return _span(values, kept, "0", end if n - 1 + most <= m else f"({end} < {m} ? {end} : {m})")


def _by_rows(values: np.ndarray) -> tuple[int, Span]:
    """Each row has bounds, in tables."""
    m = values.shape[-1]
    rows = values.reshape(-1, m) != 0.0
    first = np.where(rows.any(axis=1), rows.argmax(axis=1), 0)
    end = np.where(rows.any(axis=1), m - rows[:, ::-1].argmax(axis=1), 0)
    places = np.arange(m)
    kept = ((places >= first[:, None]) & (places < end[:, None])).reshape(values.shape)
    left_out, found = _span(values, kept, "", "")
    return left_out - len(rows), Span(found.values, first, end)


def _span(values: np.ndarray, kept: np.ndarray, first: str, end: str) -> tuple[int, Span]:
    found = values[np.broadcast_to(kept, values.shape)]
    return values.size - found.size, Span(found, first, end)
