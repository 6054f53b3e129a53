"""A graph as SQL: arrays of expressions, one for each entry of a node."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

import numpy as np

from sparsebayes.export.sql import lists
from sparsebayes.export.sql.chain import Chain
from sparsebayes.export.sql.dialects import ZERO, Dialect, most, product, total
from sparsebayes.export.sql.inputs import strict
from sparsebayes.export.sql.placement import along, by_sides, placed
from sparsebayes.model.graph import LOWERED, Node, lowered

ONE = "1.0e0"
# Factors of tables below this are 0 where a product of two small numbers is an error.
LEAST_FACTOR = 1e-100
# Larger powers are a function of their own.
MOST_FACTORS = 4


def add(a: str, b: str) -> str:
    """a + b."""
    return a if b == ZERO else b if a == ZERO else f"({a} + {b})"


def sub(a: str, b: str) -> str:
    """a - b."""
    return a if b == ZERO else f"({a} - {b})"


def mul(a: str, b: str) -> str:
    """a b."""
    if ZERO in (a, b):
        return ZERO
    return a if b == ONE else b if a == ONE else f"{a} * {b}"


def div(a: str, b: str) -> str:
    """a / b."""
    return a if b == ONE else f"{a} / {b}"


def power(a: str, b: str) -> str:
    """a^b, with b a literal of a whole number."""
    n = int(float(b))
    if n == 0:
        return ONE
    return " * ".join([a] * n) if a.isidentifier() and n <= MOST_FACTORS else f"pow({a}, {b})"


# What is divided by in brackets.
PRODUCTS = {"mul", "div", "square", "power"}
MAPS = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
    "power": power,
    "neg": "(-{})".format,
    "square": "{0} * {0}".format,
    "greater": "{} > {}".format,
    "where": "CASE WHEN {} THEN {} ELSE {} END".format,
}


def rows_of(values: np.ndarray, axes: Sequence[str], node: Node, last: str) -> np.ndarray:
    """Values along some axes as rows along the last, one for each entry of a node."""
    found = along(values, axes, (*node.names, last))
    shape = [length for _, length in node.axes]
    return np.broadcast_to(found, (*shape, found.shape[-1])).reshape(-1, found.shape[-1])


class SqlPrinter:
    """Writes nodes of a graph into a chain of SELECTs.

    Parameters
    ----------
    chain : the SELECTs, to which columns are added
    dialect : of the database
    inputs : expressions of the inputs of a row, by number
    """

    def __init__(self, chain: Chain, dialect: Dialect, inputs: Mapping[int, str]) -> None:
        self.chain, self.dialect, self.inputs = chain, dialect, inputs
        self._columns: dict[Node, np.ndarray] = {}
        self._sums: dict[Node, lists.VectorSum] = {}

    def write(
        self, outputs: Mapping[str, Node], asked: Sequence[str] = ()
    ) -> dict[str, np.ndarray]:
        """Expressions of outputs by name; names of columns for those that are asked for so."""
        outputs, columns = placed(self._written_with(outputs), asked)
        if self.dialect.lists:
            found = lists.sums(outputs.values())
            self._sums = {fold: own for fold, own in found.items() if own.vector in columns}
        vectors = {own.vector: fold.axis for fold, own in self._sums.items()}
        for _, group in groupby(columns.items(), key=lambda pair: pair[1]):
            nodes = [node for node, _ in group]
            self.chain.stage(_word(max(nodes, key=lambda node: bool(node.label))))
            for node in nodes:
                texts = self._computed(node)
                if node in vectors:
                    texts = np.moveaxis(texts, node.names.index(vectors[node]), -1)
                    texts = lists.written(texts)
                self._columns[node] = self._put(node, texts)
        return {name: self._text(node) for name, node in outputs.items()}

    def _written_with(self, outputs: Mapping[str, Node]) -> Mapping[str, Node]:
        """A graph of what the database has."""
        outputs = lowered(strict(outputs) if self.dialect.strict else outputs, LOWERED)
        return by_sides(lists.scaled(outputs) if self.dialect.lists else outputs)

    def _put(self, node: Node, texts: np.ndarray) -> np.ndarray:
        names = np.frompyfunc(lambda text: self.chain.put(_word(node), text), 1, 1)(texts)
        return np.asarray(names, dtype=object)

    def _text(self, node: Node) -> np.ndarray:
        """Names of columns, or expressions."""
        found = self._columns.get(node)
        return self._computed(node) if found is None else found

    def _computed(self, node: Node) -> np.ndarray:
        """Expressions of the entries."""
        return np.asarray(getattr(self, f"_{node.kind}")(node), dtype=object)

    def _leaf(self, node: Node) -> np.ndarray:
        if node.data is None:
            return np.array([self.inputs.get(k, "") for k in range(node.axes[0][1])], dtype=object)
        data = node.data
        if self.dialect.strict and data.ndim:
            data = np.where(np.abs(data) < LEAST_FACTOR, 0.0, data)
        return np.frompyfunc(self.dialect.number, 1, 1)(data)

    def _take(self, node: Node) -> np.ndarray:
        (body,) = node.args
        assert node.data is not None
        return self._text(body).take(node.data, axis=body.names.index(node.axis))

    def _map(self, node: Node) -> np.ndarray:
        texts = [along(self._text(arg), arg.names, node.names) for arg in node.args]
        if node.name == "div" and node.args[1].name in PRODUCTS:
            texts[1] = np.frompyfunc(lambda a: a if a.isidentifier() else f"({a})", 1, 1)(texts[1])
        return np.frompyfunc(self._function(node.name), len(texts), 1)(*texts)

    def _function(self, name: str) -> Callable[..., str]:
        if name in ("min", "max"):
            name = self.dialect.smallest if name == "min" else self.dialect.largest
            return (name + "({}, {})").format
        return MAPS.get(name) or (name + "({})").format

    def _fold(self, node: Node) -> np.ndarray:
        (body,), own = node.args, self._sums.get(node)
        if own is None:
            rows = rows_of(self._text(body), body.names, node, node.axis)
            texts = [self._folded(node.name, row.tolist()) for row in rows]
        else:
            texts = self._of_lists(node, own)
        found = np.empty(len(texts), dtype=object)
        found[:] = texts
        return found.reshape([length for _, length in node.axes])

    def _of_lists(self, node: Node, own: lists.VectorSum) -> list[str]:
        """The entries of a sum of a vector."""
        axes = [name for name in own.vector.names if name != node.axis] + [node.axis]
        names = rows_of(self._columns[own.vector], axes, node, node.axis)
        if own.constants is None:
            return list(map(lists.of_vector, names))
        assert own.constants.data is not None
        constants = rows_of(own.constants.data, own.constants.names, node, node.axis)
        pairs = zip(names, constants, strict=True)
        return [lists.of_constants(own.how, *pair, self.dialect) for pair in pairs]

    def _folded(self, how: str, terms: list[str]) -> str:
        if how == "sum":
            return total([each for each in terms if each != ZERO])
        if how == "product":
            return product([each for each in terms if each != ONE])
        return most(self.dialect, terms)


def _word(node: Node) -> str:
    """How the names of its columns begin."""
    return re.findall("[a-z]+", node.label or node.name)[-1]
