"""A graph of ONNX, written down as formulas of NumPy are.

Only operators are used whose form is the same from opset 13 to 22, so that a graph can be a part of
one of another opset.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto


class Graph:
    """Nodes in the order in which they are computed, and the constants that they take.

    Parameters
    ----------
    dtype : of all numbers that are not whole, float32 or float64
    prefix : begins the name of each node and constant
    """

    def __init__(self, dtype: Any, prefix: str = "") -> None:
        self.dtype = np.dtype(dtype)
        self.prefix = prefix
        self.nodes: list[NodeProto] = []
        self.constants: dict[tuple, TensorProto] = {}

    @property
    def helper(self) -> Any:
        """What makes the parts of a graph."""
        return needed("onnx.helper")

    def named(self, name: str) -> Tensor:
        """The tensor of this name, which is an input or is made elsewhere."""
        return Tensor(self, name)

    def node(self, operator: str, *inputs: Any, **attributes: Any) -> Tensor:
        """What an operator makes of tensors, arrays and numbers."""
        name = f"{self.prefix}{operator}_{len(self.nodes)}"
        return self.node_to(name, operator, *inputs, **attributes)

    def node_to(self, name: str, operator: str, *inputs: Any, **attributes: Any) -> Tensor:
        """What an operator makes of tensors, arrays and numbers, by a name of its own."""
        names = [self.tensor(each).name for each in inputs]
        self.nodes.append(self.helper.make_node(operator, names, [name], name, **attributes))
        return Tensor(self, name)

    def loop(self, n_rounds: int, body: GraphProto, *carried: Tensor) -> list[Tensor]:
        """What a body makes of some tensors in so many rounds."""
        inputs = [self.tensor(np.array(n_rounds)), self.tensor(np.array(True)), *carried]
        name = f"{self.prefix}Loop_{len(self.nodes)}"
        outputs = [f"{name}_{k}" for k in range(len(carried))]
        names = [each.name for each in inputs]
        self.nodes.append(self.helper.make_node("Loop", names, outputs, name, body=body))
        return [Tensor(self, each) for each in outputs]

    def tensor(self, value: Any) -> Tensor:
        """A tensor itself; a constant for an array or a number."""
        if isinstance(value, Tensor):
            return value
        array = self.array(value)
        content = tuple(array.tolist()) if array.dtype.kind == "O" else array.tobytes()
        key = (array.dtype.str, array.shape, content)
        if key not in self.constants:
            name = f"{self.prefix}constant_{len(self.constants)}"
            self.constants[key] = needed("onnx.numpy_helper").from_array(array, name)
        return Tensor(self, self.constants[key].name)

    def array(self, value: Any) -> np.ndarray:
        """An array as the graph holds it: whole numbers and texts as they are."""
        array = np.asarray(value)
        return array.astype(self.dtype) if array.dtype.kind == "f" else array

    def value(self, name: str, shape: tuple, dtype: Any = None, about: str = "") -> ValueInfoProto:
        """The type of an input or of an output."""
        kind = self.helper.np_dtype_to_tensor_dtype(np.dtype(dtype or self.dtype))
        return self.helper.make_tensor_value_info(name, kind, shape, about)

    def within(self, name: str) -> Graph:
        """A graph for the body of a loop, whose constants are those of this one."""
        body = Graph(self.dtype, f"{self.prefix}{name}_")
        body.constants = self.constants
        return body

    def proto(self, name: str, inputs: list, outputs: list, *, constants: bool) -> GraphProto:
        """The graph as ONNX has it."""
        held = list(self.constants.values()) if constants else []
        return self.helper.make_graph(self.nodes, name, inputs, outputs, held)


def _operator(name: str, swapped: bool = False) -> Callable[[Any, Any], Tensor]:
    """What an operator makes of a tensor and another, an array or a number."""
    return lambda self, other: self.graph.node(name, *((other, self) if swapped else (self, other)))


class Tensor:
    """A value in a graph. Operators and methods add nodes, and broadcast as those of NumPy.

    Parameters
    ----------
    graph : that it is in
    name : of the value
    """

    # An array on the left of an operator leaves it to the tensor on the right.
    __array_ufunc__ = None

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph, self.name = graph, name

    def __neg__(self) -> Tensor:
        return self.apply("Neg")

    __add__ = __radd__ = _operator("Add")
    __mul__ = __rmul__ = _operator("Mul")
    __sub__, __gt__ = _operator("Sub"), _operator("Greater")
    __truediv__, __rtruediv__ = _operator("Div"), _operator("Div", swapped=True)
    # There is no matrix on the left: onnxruntime refuses it where a tensor has no rows.
    __matmul__ = _operator("MatMul")

    def apply(self, operator: str) -> Tensor:
        """What an operator of one tensor makes, such as "Exp"."""
        return self.graph.node(operator, self)

    def choose(self, where_true: Any, where_false: Any) -> Tensor:
        """The first of two where this is true, and the second elsewhere."""
        return self.graph.node("Where", self, where_true, where_false)

    def total(self, axis: int) -> Tensor:
        """The sum along an axis."""
        return self.graph.node("ReduceSum", self, np.array([axis]), keepdims=0)

    def softmax(self, axis: int) -> Tensor:
        """The softmax along an axis: exp of each value, divided by the sum."""
        return self.graph.node("Softmax", self, axis=axis)

    def largest(self) -> Tensor:
        """The number of the largest value of each row, the first of equal ones (n,)."""
        return self.graph.node("ArgMax", self, axis=1, keepdims=0)

    def take(self, items: Any, axis: int = 1) -> Tensor:
        """The entries with these numbers along an axis."""
        return self.graph.node("Gather", self, np.asarray(items, dtype=np.int64), axis=axis)

    def with_axes(self, places: list[int]) -> Tensor:
        """The values with more axes, of length 1, at these places of the result."""
        return self.graph.node("Unsqueeze", self, np.array(places))

    def beside(self, *others: Any) -> Tensor:
        """The tensor and others side by side, along axis 1."""
        return self.graph.node("Concat", self, *others, axis=1) if others else self

    def reshape(self, *shape: int) -> Tensor:
        """The numbers in another shape; 0 keeps the length of an axis."""
        return self.graph.node("Reshape", self, np.array(shape))

    def transpose(self, *order: int) -> Tensor:
        """The numbers with their axes in another order."""
        return self.graph.node("Transpose", self, perm=list(order))

    def cast(self, dtype: Any) -> Tensor:
        """The values as numbers of another type."""
        kind = self.graph.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.graph.node("Cast", self, to=kind)

    def repeat(self, row: np.ndarray) -> Tensor:
        """A row (k,) for each row of this tensor (n, k)."""
        n_rows = self.apply("Shape").take([0], axis=0)
        shape = self.graph.node("Concat", n_rows, np.array([len(row)]), axis=0)
        return self.graph.node("Expand", row[None], shape)


def needed(name: str) -> Any:
    """A module of the extra, or an error that says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(
            f"the export to ONNX needs {package}, which is not installed: "
            "pip install 'sparsebayes[onnx]'."
        ) from error
