"""How large and how small the numbers of a graph become, and what keeps them from the ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

import numpy as np

from sparsebayes.export.sql.inputs import InputLimits
from sparsebayes.export.sql.placement import along
from sparsebayes.model.graph import Node, changed, in_order, is_input
from sparsebayes.model.graph.expression import larger, size, smaller, where
from sparsebayes.model.graph.formulas import COLUMNS

# Numbers stay below 10^240, and inputs below 10^60.
MOST_DIGITS, MOST_DIGITS_OF_INPUTS = 240, 60
# Powers of inputs stay above 10^-200, where an underflow is an error.
MOST_SMALL_DIGITS = 200
# The exponential of a smaller exponent is next to nothing: 0 as a column, else that of this one.
LEAST_EXPONENT_OF_COLUMNS, LEAST_EXPONENT = -276.0, -650.0
# The distribution function of smaller numbers likewise.
LEAST_NORMAL = -35.0
# A product of smaller numbers may underflow.
SMALL = 1e-150

Outputs = Mapping[str, Node]


def _axes(outputs: Outputs) -> set[str]:
    """Axes of inputs and of columns, along which the sizes of inputs say how small numbers are."""
    nodes = in_order(outputs.values())
    found = [each for each in nodes if is_input(each) or each.label.endswith(COLUMNS)]
    return {name for each in found for name in each.names}


def strict(outputs: Outputs) -> dict[str, Node]:
    """A graph in which nothing underflows if inputs are not too small."""
    axes = _axes(outputs)

    def change(each: Node) -> Node:
        if each.kind != "map" or each.name not in STRICT:
            return each
        found = STRICT[each.name](each, not axes.isdisjoint(each.names))
        return replace(found, label=each.label)

    return changed(outputs, change)


def _exp(node: Node, inside: bool) -> Node:
    (x,) = node.args
    if inside:
        return where(x > LEAST_EXPONENT_OF_COLUMNS, node, 0.0)
    return replace(node, args=(larger(x, LEAST_EXPONENT),))


def _ndtr(node: Node, inside: bool) -> Node:
    (x,) = node.args
    return replace(node, args=(smaller(larger(x, LEAST_NORMAL), -LEAST_NORMAL),))


def _product(node: Node, inside: bool) -> Node:
    if inside or any(arg.is_table for arg in node.args):
        return node
    return where(reduce(smaller, map(size, node.args)) > SMALL, node, 0.0)


STRICT = {"exp": _exp, "ndtr": _ndtr, "mul": _product, "square": _product}


def limits_of(outputs: Outputs) -> InputLimits:
    """Sizes of inputs with which nothing overflows, and whose powers do not underflow."""
    largest = min(MOST_DIGITS_OF_INPUTS, MOST_DIGITS // _power(outputs, np.fmax))
    return InputLimits(10.0**largest, 10.0 ** -(MOST_SMALL_DIGITS // _power(outputs, np.fmin)))


def _power(outputs: Outputs, of_sum: np.ufunc) -> int:
    """The highest power of the inputs that a number is as large as, or as small as.

    That of 0 is NaN. A sum is as large as its largest term, and as small as its constants.
    """
    axes, found = _axes(outputs), dict[Node, np.ndarray]()
    joins = {"add": of_sum, "sub": of_sum, "sum": of_sum, "mul": np.add, "product": np.add}
    for each in in_order(outputs.values()):
        join, args = joins.get(each.name, np.fmax), [found[arg] for arg in each.args]
        if each.kind == "map":
            pairs = zip(args, each.args, strict=True)
            args = [along(powers, arg.names, each.names) for powers, arg in pairs]
            inside = of_sum is np.fmax or not axes.isdisjoint(each.names)
            found[each] = _of_map(each, args, join, inside)
        elif each.kind == "leaf":
            data = each.data
            found[each] = np.ones(each.axes[0][1]) if data is None else np.where(data, 0.0, np.nan)
        else:
            found[each] = _of_axis(each, args[0], join)
    return max(1, *(int(np.nan_to_num(each).max(initial=0.0)) for each in found.values()))


def _of_axis(node: Node, powers: np.ndarray, join: np.ufunc) -> np.ndarray:
    """The powers of a take, or of a fold."""
    axis = node.args[0].names.index(node.axis)
    if node.kind == "take" and node.data is not None:
        return powers.take(node.data, axis=axis)
    return join.reduce(powers, axis=axis)


def _of_map(node: Node, args: list[np.ndarray], join: np.ufunc, inside: bool) -> np.ndarray:
    """The powers of a map; squares are not small outside of columns."""
    if node.name == "power":
        exponent = node.args[1]
        assert exponent.data is not None
        return args[0] * along(exponent.data, exponent.names, node.names)
    if len(args) > 1:
        return join(*args[-2:])
    factors = {"neg": 1.0, "abs": 1.0, "sqrt": 0.5, "square": 2.0 if inside else 1.0}
    return factors.get(node.name, 0.0) * args[0]
