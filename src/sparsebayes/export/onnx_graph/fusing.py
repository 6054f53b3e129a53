"""What a graph has operators of ONNX for, and sums that would take too much memory.

A sum becomes a "product sum" of two nodes where a matrix product gives it, and a quotient becomes a
"softmax" where it is one; that is a fold which keeps its axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from operator import add, mul

import numpy as np

from sparsebayes.model.graph import Node, changed, in_order, is_input
from sparsebayes.model.graph.expression import folded, mapped, table, take

# Differences of rows and centres are held for so many inputs at a time: (n, m, 32) values.
INPUTS_AT_ONCE = 32
# How parts of a sum, and those of a product, go together.
JOINED = {"sum": add, "product": mul}


def fused(outputs: Mapping[str, Node]) -> dict[str, Node]:
    """The outputs with product sums and softmaxes."""
    return changed(outputs, _fused)


def _fused(node: Node) -> Node:
    if node.kind == "fold" and node.name in JOINED:
        parts = _in_parts(node)
        joined = [_product_sum(each) if node.name == "sum" else each for each in parts]
        return reduce(JOINED[node.name], joined)
    return _softmax(node) if node.kind == "map" and node.name == "div" else node


def _product_sum(node: Node) -> Node:
    """The sum of products of two nodes that have nothing but its axis in common."""
    axis = node.axis
    tables, rest = _divided(node.args[0])
    pair = (rest, _merged(tables)) if tables else rest.args
    if len(pair) != 2 or set(pair[0].names) & set(pair[1].names) != {axis}:
        return node
    if not tables and (rest.name != "mul" or any(len(each.names) != 2 for each in pair)):
        return node
    return replace(node, name="product sum", args=pair)


def _divided(node: Node) -> tuple[list[Node], Node]:
    """The tables that a node is a product of, and what is left of it."""
    if node.kind != "map" or node.name != "mul":
        return [], node
    tables = [each for each in node.args if each.is_table]
    rest = [each for each in node.args if not each.is_table]
    if len(rest) == 1:
        more, others = _divided(rest[0])
        return tables + more, others
    return [], node


def _merged(tables: list[Node]) -> Node:
    """The product of tables."""
    axes = dict(axis for each in tables for axis in each.axes)
    return table(reduce(mul, [arranged(each, tuple(axes)) for each in tables]), *axes)


def arranged(each: Node, axes: tuple[str, ...]) -> np.ndarray:
    """The numbers of a table with these axes in this order; those that it lacks have length 1."""
    assert each.data is not None, "it is no table"
    lengths = [each.length(axis) if axis in each.names else 1 for axis in axes]
    order = [each.names.index(axis) for axis in axes if axis in each.names]
    return each.data.transpose(order).reshape(lengths)


def _in_parts(node: Node) -> list[Node]:
    """Sums or products over some inputs each, where there are many and other axes beside them."""
    (body,), axis = node.args, node.axis
    narrow = _divided(body)[1].names == (axis,) or body.length(axis) <= INPUTS_AT_ONCE
    if narrow or not any(is_input(each) and axis in each.names for each in in_order([body])):
        return [node]
    numbers, parts = np.arange(body.length(axis)), []
    for start in numbers[::INPUTS_AT_ONCE]:
        some, name = numbers[start : start + INPUTS_AT_ONCE], f"{axis}_from_{start}"
        parts.append(folded(node.name, name, _entries(body, axis, some, name)))
    return parts


def _entries(node: Node, axis: str, numbers: np.ndarray, name: str) -> Node:
    """Some entries of an axis, along another."""
    if axis not in node.names:
        return node
    if node.kind == "map":
        return mapped(node.name, *(_entries(each, axis, numbers, name) for each in node.args))
    return take(node, axis, numbers, name)


def _softmax(node: Node) -> Node:
    """exp(x - largest x) / sum of exp(x - largest x) as one; any other quotient as it is."""
    powers, among = node.args
    if (among.kind, among.name) != ("fold", "sum") or among.args != (powers,):
        return node
    if powers.name != "exp" or powers.args[0].name != "sub":
        return node
    x, largest = powers.args[0].args
    if largest.name != "largest" or largest.args != (x,) or largest.axis != among.axis:
        return node
    return Node("fold", "softmax", (x,), x.axes, among.axis, label=node.label)
