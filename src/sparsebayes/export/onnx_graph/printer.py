"""A graph of a model as nodes of ONNX, for many rows at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from sparsebayes.export.onnx_graph.fusing import arranged, fused
from sparsebayes.export.onnx_graph.graph import Tensor
from sparsebayes.export.onnx_graph.roots import symmetric_root
from sparsebayes.model.graph import LOWERED, Node, for_floats, in_order, lowered

OPERATORS = {
    "square": "Mul",
    "sub": "Sub",
    "mul": "Mul",
    "div": "Div",
    "neg": "Neg",
    "greater": "Greater",
    "power": "Pow",
    "exp": "Exp",
    "sqrt": "Sqrt",
    "abs": "Abs",
    "sin": "Sin",
    "tanh": "Tanh",
    "min": "Min",
    "max": "Max",
    "where": "Where",
}
# Runtimes leave out sums with a constant that is tiny, but not by another operator.
TINY = 1e-3


def tensors(outputs: Mapping[str, Node], inputs: Tensor) -> dict[str, Tensor]:
    """The outputs by name (n, *axes), at inputs (n, d), whose graph they are added to."""
    outputs = lowered(outputs, LOWERED)
    if inputs.graph.dtype == np.float32:
        outputs = for_floats(outputs)
    outputs = fused(outputs)
    nodes = in_order(outputs.values())
    printer = OnnxPrinter(inputs, _places(nodes))
    for node in nodes:
        if not node.is_table:
            printer.values[node] = printer.value(node)
    return {name: printer.of_each_row(node, node.names) for name, node in outputs.items()}


@dataclass(frozen=True)
class Value:
    """What a node became.

    Parameters
    ----------
    tensor : its numbers
    axes : its axes, in the order of those of the tensor
    of_row : whether an axis for rows is before them
    """

    tensor: Tensor
    axes: tuple[str, ...]
    of_row: bool

    def place(self, axis: str) -> int:
        """The number of an axis of the tensor."""
        return self.axes.index(axis) + self.of_row


def _places(nodes: list[Node]) -> dict[Node, tuple[str, bool]]:
    """For each node that a fold needs, the axis of the fold, and whether that is to be the last."""
    found: dict[Node, tuple[str, bool]] = {}
    for node in reversed(nodes):
        place = found.get(node)
        if node.kind == "fold" and node.name != "softmax":
            place = node.axis, "sum" in node.name
        if place:
            found |= {each: place for each in node.args if each not in found}
    return found


class OnnxPrinter:
    """Adds nodes of ONNX for nodes of a graph, whose arguments are known.

    Parameters
    ----------
    inputs : (n, d)
    places : an axis of nodes, and whether it is to be the last or the first of a tensor
    """

    def __init__(self, inputs: Tensor, places: Mapping[Node, tuple[str, bool]]) -> None:
        self.inputs, self.graph, self.places = inputs, inputs.graph, places
        self.values: dict[Node, Value] = {}
        self._aligned: dict[tuple[Node, tuple[str, ...]], Tensor] = {}

    def value(self, node: Node) -> Value:
        """A node as a tensor."""
        if node.kind == "leaf":
            return Value(self.inputs, node.names, True)
        if node.kind == "map":
            return self._map(node)
        if node.kind == "take":
            return self._take(node)
        return self._root(node) if node.kind == "root" else self._fold(node)

    def along(self, node: Node, axes: tuple[str, ...]) -> Any:
        """Numbers with these axes in this order; those that the node lacks have length 1."""
        if node.is_table:
            lacks = next((k for k, axis in enumerate(axes) if axis in node.names), len(axes))
            return arranged(node, axes[lacks:])
        if (node, axes) not in self._aligned:
            self._aligned[node, axes] = self._align(self.values[node], axes)
        return self._aligned[node, axes]

    def of_each_row(self, node: Node, axes: tuple[str, ...]) -> Tensor:
        """The numbers of a node (n, *axes)."""
        tensor = self.along(node, axes)
        if self._of_row(node):
            return tensor
        n_rows = self.inputs.apply("Shape").take([0], axis=0)
        lengths = np.array([node.length(axis) for axis in axes], dtype=np.int64)
        return self.graph.node("Expand", tensor, self.graph.node("Concat", n_rows, lengths, axis=0))

    def _of_row(self, *nodes: Node) -> bool:
        """Whether one of these depends on the row."""
        return any(not each.is_table and self.values[each].of_row for each in nodes)

    def _align(self, value: Value, axes: tuple[str, ...]) -> Tensor:
        tensor, first = value.tensor, int(value.of_row)
        order = [value.place(axis) for axis in axes if axis in value.axes]
        if order != sorted(order):
            tensor = tensor.transpose(*range(first), *order)
        lacks = [first + k for k, axis in enumerate(axes) if axis not in value.axes]
        return tensor.with_axes(lacks) if lacks else tensor

    def _axes(self, node: Node) -> tuple[str, ...]:
        """The axes of an argument in the order that they have."""
        return node.names if node.is_table else self.values[node].axes

    def _map(self, node: Node) -> Value:
        widest = max(map(self._axes, node.args), key=len)
        axes = (*widest, *(axis for axis in node.names if axis not in widest))
        axis, last = self.places.get(node, ("", True))
        axes = tuple(sorted(axes, key=lambda each: (each == axis) == last))
        args = [self.along(each, axes) for each in node.args]
        if node.name == "square":
            args *= 2
        return Value(self.graph.node(_operator(node), *args), axes, self._of_row(*node.args))

    def _take(self, node: Node) -> Value:
        value, numbers = self.values[node.args[0]], node.data
        axes = tuple(node.name if axis == node.axis else axis for axis in value.axes)
        assert numbers is not None, "there are no numbers to take"
        if np.array_equal(numbers, np.arange(node.args[0].length(node.axis))):
            return Value(value.tensor, axes, value.of_row)
        return Value(value.tensor.take(numbers, value.place(node.axis)), axes, value.of_row)

    def _root(self, node: Node) -> Value:
        axes = (node.axis, node.name)
        matrix = self.of_each_row(node.args[0], axes)
        return Value(symmetric_root(matrix, node.length(node.axis)), axes, True)

    def _fold(self, node: Node) -> Value:
        if node.name == "product sum":
            return self._product_sum(node)
        value = self.values[node.args[0]]
        place, left = value.place(node.axis), tuple(a for a in value.axes if a != node.axis)
        if node.name == "softmax":
            return Value(value.tensor.softmax(place), value.axes, value.of_row)
        if node.name == "sum":
            return Value(value.tensor.total(place), left, value.of_row)
        # Products and largest numbers have operators whose form depends on the opset.
        numbers = range(node.args[0].length(node.axis))
        parts = [value.tensor.take(k, place) for k in numbers]
        operator = {"product": "Mul", "largest": "Max"}[node.name]
        found = reduce(lambda a, b: self.graph.node(operator, a, b), parts)
        return Value(found, left, value.of_row)

    def _product_sum(self, node: Node) -> Value:
        """A matrix product; what depends on the row is on the left."""
        left, right = node.args
        first = self._of_row(left)
        own = tuple(axis for axis in self._axes(left) if axis != node.axis)
        others = tuple(axis for axis in right.names if axis != node.axis)
        matrix = self.along(right, (node.axis, *others))
        if len(others) != 1:
            # A runtime refuses a vector where there are no rows.
            matrix = matrix.reshape(len(matrix), -1)
        found = self.along(left, (*own, node.axis)) @ matrix
        if not others:
            found = self.graph.node("Squeeze", found, np.array([first + len(own)]))
        elif len(others) > 1:
            found = found.reshape(*[0] * first, *map(node.length, (*own, *others)))
        return Value(found, (*own, *others), first)


def _operator(node: Node) -> str:
    """The operator of a map."""
    if node.name == "add":
        constants = [each.data for each in node.args if each.data is not None and each.is_table]
        return "Sum" if any(np.abs(each).min() < TINY for each in constants) else "Add"
    return OPERATORS[node.name]
