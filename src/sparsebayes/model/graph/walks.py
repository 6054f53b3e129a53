"""What printers ask of a graph: orders, uses, factors, and graphs that say the same otherwise.

Functions that a target lacks are written by means of others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from sparsebayes.model.graph.expression import (
    Node,
    exp,
    node,
    size,
    smaller,
    square,
    table,
    tanh,
    where,
)
from sparsebayes.model.graph.latent import ERROR_BARS
from sparsebayes.model.special import ERFCX_COEFFICIENTS, ERFCX_SHIFT, ROOT_HALF

Outputs = Mapping[str, Node]


def in_order(outputs: Iterable[Node]) -> list[Node]:
    """All nodes of a graph, each once and after those that it is computed from."""
    found: dict[Node, None] = {}
    open_nodes = [(each, False) for each in reversed(list(outputs))]
    while open_nodes:
        each, known = open_nodes.pop()
        if known:
            found.setdefault(each)
        elif each not in found:
            open_nodes.append((each, True))
            open_nodes += [(arg, False) for arg in reversed(each.args)]
    return list(found)


def uses(outputs: Iterable[Node]) -> Counter[Node]:
    """How often each node is an argument, or an output."""
    outputs = list(outputs)
    return Counter([arg for each in in_order(outputs) for arg in each.args] + outputs)


def of_row(outputs: Iterable[Node]) -> set[Node]:
    """The nodes that depend on the row; all others are constants."""
    found: set[Node] = set()
    for each in in_order(outputs):
        given = each.kind == "leaf" and each.data is None
        if given or any(arg in found for arg in each.args):
            found.add(each)
    return found


def of_error_bars(output: Node) -> bool:
    """Whether an output depends on how uncertain latent values are."""
    return any(each.label.endswith(ERROR_BARS) for each in in_order([output]))


def factors(node: Node) -> list[Node]:
    """Nodes whose product this is, tables first; the node itself where it is no product."""
    if node.kind != "map" or node.name != "mul":
        return [node]
    found = [factor for arg in node.args for factor in factors(arg)]
    return sorted(found, key=lambda each: not each.is_table)


def changed(outputs: Outputs, change: Callable[[Node], Node]) -> dict[str, Node]:
    """A graph with something in place of each node, whose arguments were changed before."""
    new: dict[Node, Node] = {}
    for each in in_order(outputs.values()):
        args = tuple(new[arg] for arg in each.args)
        new[each] = change(each if args == each.args else replace(each, args=args))
    return {name: new[each] for name, each in outputs.items()}


def lowered(outputs: Outputs, functions: Mapping[str, Callable[[Node], Node]]) -> dict[str, Node]:
    """A graph whose maps of these names are written with others, as in `LOWERED`."""

    def change(each: Node) -> Node:
        if each.kind != "map" or each.name not in functions:
            return each
        return replace(functions[each.name](*each.args), label=each.label)

    return changed(outputs, change)


def capped(outputs: Outputs) -> dict[str, Node]:
    """A graph with numbers that floats have in place of those that are too large or too small."""
    return changed(outputs, _capped)


def _capped(each: Node) -> Node:
    return each if each.in_floats is None else replace(each, data=each.in_floats, in_floats=None)


def for_floats(outputs: Outputs) -> dict[str, Node]:
    """A graph for single precision, with numbers that floats have.

    Where a constant is taken from an input it is a sum of two floats. The difference from the first
    is exact where it is small, so a small difference of large numbers is as good as the inputs are.
    """
    return changed(outputs, _for_floats)


def _for_floats(each: Node) -> Node:
    if each.in_floats is not None:
        return _capped(each)
    if each.kind != "map" or each.name != "sub" or not is_input(each.args[0]):
        return each
    value, constant = each.args
    if constant.data is None or not constant.is_table:
        return each
    first = constant.data.astype(np.float32).astype(np.float64)
    rest = constant.data - first
    if not rest.any():
        return each
    difference = value - table(first, *constant.names)
    return replace(difference - table(rest, *constant.names), axes=each.axes, label=each.label)


def is_input(node: Node) -> bool:
    """Whether it is inputs of the row, all or some."""
    if node.kind == "take":
        return is_input(node.args[0])
    return node.kind == "leaf" and node.data is None


def erfcx(z: Node) -> Node:
    """exp(z^2) erfc(z), for z >= 0."""
    t = (z - ERFCX_SHIFT) / (z + ERFCX_SHIFT)
    value = node(ERFCX_COEFFICIENTS[-1])
    for coefficient in ERFCX_COEFFICIENTS[-2::-1]:
        value = value * t + coefficient
    return value / (1.0 + 2.0 * z)


def ndtr(x: Node) -> Node:
    """The distribution function of the normal distribution."""
    z = ROOT_HALF * size(x)
    tail = 0.5 * exp(-square(z)) * erfcx(z)
    return where(x > 0.0, 1.0 - tail, tail)


def expm1(x: Node) -> Node:
    """exp(x) - 1 for x >= 0; that of small x is 2 t / (1 - t) with t = tanh(x / 2)."""
    tangent = tanh(0.5 * smaller(x, 1.0))
    return where(x > 1.0, exp(x) - 1.0, 2.0 * tangent / (1.0 - tangent))


LOWERED: dict[str, Callable[[Node], Node]] = {"ndtr": ndtr, "expm1": expm1}
