"""Numbers of one row, as a graph of five kinds of nodes with named axes.

    leaf    the inputs of the row, or a table of constants
    map     a function of numbers, entry by entry; axes of one name go together
    fold    the sum, the product or the largest along an axis
    take    entries of an axis by constant numbers, along a new axis
    root    the symmetric square root of a small matrix

An axis has a name and a length of one or more, and a name has one length throughout a graph. There
is no axis for rows. What a node shares with another is the same object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

Axes = tuple[tuple[str, int], ...]
Kind = Literal["leaf", "map", "fold", "take", "root"]


Operator = Callable[[Any, Any], "Node"]


def _operators(function: str) -> tuple[Operator, Operator]:
    """A function of a node and another or a number, and that with the node on the right."""
    return (
        lambda self, other: mapped(function, self, other),
        lambda self, other: mapped(function, other, self),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Node:
    """Numbers of a row, one for each place along its axes.

    Parameters
    ----------
    kind : which of the five
    name : of a map its function; of a fold "sum", "product" or "largest"; of a leaf "table", or how
        the inputs are called; of a take the axis that it adds, of a root the second axis
    args : the nodes that it is computed from
    axes : names and lengths
    axis : that a fold removes, that a take replaces, and the first of a root
    data : of a table its numbers, of a take the numbers of entries
    in_floats : of a table other numbers, for single precision; None where they are the same
    label : a few words on what it is
    """

    kind: Kind
    name: str
    args: tuple[Node, ...]
    axes: Axes
    axis: str = ""
    data: np.ndarray | None = None
    in_floats: np.ndarray | None = None
    label: str = ""

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} of {dict(self.axes)} {self.label}>"

    def length(self, axis: str) -> int:
        """How many places an axis has."""
        return dict(self.axes)[axis]

    @property
    def names(self) -> tuple[str, ...]:
        """The axes without their lengths."""
        return tuple(name for name, _ in self.axes)

    @property
    def is_table(self) -> bool:
        """Whether the numbers are constants that are written down."""
        return self.kind == "leaf" and self.data is not None

    def __neg__(self) -> Node:
        return mapped("neg", self)

    __add__, __radd__ = _operators("add")
    __sub__, __rsub__ = _operators("sub")
    __mul__, __rmul__ = _operators("mul")
    __truediv__, __rtruediv__ = _operators("div")
    __gt__, __pow__ = _operators("greater")[0], _operators("power")[0]


def given(name: str, axis: str, length: int) -> Node:
    """Numbers that are known of a row."""
    return Node("leaf", name, (), ((axis, length),))


def table(values: Any, *names: str, in_floats: Any = None) -> Node:
    """Constants along axes of these names; other ones for single precision, where they are said."""
    numbers = np.asarray(values, dtype=np.float64)
    others = None if in_floats is None else np.asarray(in_floats, dtype=np.float64)
    axes = tuple(zip(names, numbers.shape, strict=True))
    return Node("leaf", "table", (), axes, data=numbers, in_floats=others)


def node(value: Any) -> Node:
    """A node itself; a table for a number."""
    return value if isinstance(value, Node) else table(value)


def named(label: str, value: Node) -> Node:
    """A node that says what it is, in a few words of small letters; it may have said so before."""
    return value if value.label else replace(value, label=label)


# What is computed when a graph is made, where all numbers are constants.
ARITHMETIC = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
}


def mapped(function: str, *args: Any) -> Node:
    """A function of numbers, entry by entry; arithmetic of numbers without axes is a number."""
    nodes = tuple(map(node, args))
    known = [each.data for each in nodes if not each.axes and each.in_floats is None]
    if function in ARITHMETIC and len(known) == len(nodes) and all(k is not None for k in known):
        return table(ARITHMETIC[function](*known))
    axes: dict[str, int] = {}
    for name, length in (axis for each in nodes for axis in each.axes):
        assert axes.setdefault(name, length) == length, f"the axis {name} has two lengths"
    return Node("map", function, nodes, tuple(axes.items()))


FOLDS = {"sum": np.add, "product": np.multiply, "largest": np.maximum}


def folded(how: str, axis: str, body: Node) -> Node:
    """The sum, the product or the largest along an axis; that of a table is a table."""
    assert axis in body.names, f"there is no axis {axis}"
    axes = tuple(a for a in body.axes if a[0] != axis)
    if body.data is not None and body.is_table:
        numbers = FOLDS[how].reduce(body.data, axis=body.names.index(axis))
        return table(numbers, *(name for name, _ in axes))
    return Node("fold", how, (body,), axes, axis)


def take(body: Node, axis: str, numbers: Any, name: str) -> Node:
    """Entries of an axis by their numbers, along an axis with another name; a table of a table."""
    numbers = np.asarray(numbers, dtype=np.int64)
    assert axis in body.names, f"there is no axis {axis}"
    assert name not in body.names, f"there is an axis {name}"
    axes = tuple((name, len(numbers)) if a[0] == axis else a for a in body.axes)
    if body.data is not None and body.is_table:
        return table(body.data.take(numbers, axis=body.names.index(axis)), *dict(axes))
    return Node("take", name, (body,), axes, axis, numbers)


def renamed(body: Node, axis: str, name: str) -> Node:
    """All entries of an axis, along an axis with another name."""
    return take(body, axis, np.arange(body.length(axis)), name)


def symmetric_root(matrix: Node, first: str, second: str) -> Node:
    """S = S' with S S = the matrix that two axes make; negative eigenvalues count as 0."""
    assert matrix.length(first) == matrix.length(second), "the matrix is not square"
    return Node("root", second, (matrix,), matrix.axes, first)


square, exp, expm1, sqrt, sin, tanh, size = (
    partial(mapped, name) for name in ("square", "exp", "expm1", "sqrt", "sin", "tanh", "abs")
)
# The distribution function of the normal distribution.
ndtr = partial(mapped, "ndtr")
smaller, larger = partial(mapped, "min"), partial(mapped, "max")
# The first of two where a test holds, and the second elsewhere.
where = partial(mapped, "where")
# Along an axis, of a body.
total, product, largest = (
    partial(folded, "sum"),
    partial(folded, "product"),
    partial(folded, "largest"),
)


def expit(x: Node) -> Node:
    """1 / (1 + exp(-x))."""
    small = named("small", exp(-size(x)))
    return where(x > 0.0, 1.0, small) / (1.0 + small)


def softmax(axis: str, x: Node) -> Node:
    """exp(x), normalised along an axis."""
    powers = named("powers", exp(x - largest(axis, x)))
    return powers / total(axis, powers)


def first_largest(axis: str, x: Node) -> Node:
    """The number of the largest along an axis; of equal ones the first."""
    numbers = table(np.arange(x.length(axis)), axis)
    below = largest(axis, x) > x
    return -largest(axis, where(below, -float(x.length(axis)), -numbers))
