"""Values of nodes as texts, within loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
