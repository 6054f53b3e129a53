"""Which nodes of a graph are columns of their own, and in which SELECT of a chain they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from sparsebayes.model.graph import Node, changed, in_order, is_input, uses
from sparsebayes.model.graph.expression import where

# Functions that may be computed twice, as they cost no more than a column.
CHEAP = {"add", "sub", "mul", "neg", "abs", "greater", "min", "max"}
# About how many columns a sum may have in a SELECT: databases limit them.
COLUMNS_AT_ONCE = 1500


def placed(
    outputs: Mapping[str, Node], asked: Sequence[str]
) -> tuple[dict[str, Node], dict[Node, int]]:
    """A graph, and those of its nodes that are columns, each with the number of its SELECT.

    What is needed more than once is a column, and so are the outputs that are asked for. A sum of
    too many columns is made of parts, one after another.
    """
    own = _columns(outputs, [outputs[name] for name in asked])
    folded = Counter(each.axis for each in in_order(outputs.values()) if each.kind == "fold")
    new: dict[Node, Node] = {}
    after: dict[str, Node] = {}
    for each in in_order(outputs.values()):
        args = tuple(new[arg] for arg in each.args)
        new[each] = each if args == each.args else replace(each, args=args)
        if each.name == "sum" and folded[each.axis] == 1:
            new[each] = _in_parts(new[each], _at_once(each, own), after)
    outputs = {name: new[each] for name, each in outputs.items()}
    own = _columns(outputs, [*after.values(), *(outputs[name] for name in asked)])
    return outputs, _levels(outputs, own, after)


def by_sides(outputs: Mapping[str, Node]) -> dict[str, Node]:
    """A graph in which what is made of the smaller of an input and a constant has two cases.

    There are too many pairs of them for columns, and to find the smaller again takes long.
    """

    def change(fold: Node) -> Node:
        below = in_order(fold.args) if fold.kind == "fold" else []
        lows = [each for each in below if each.name == "min" and is_input(each.args[0])]
        if not lows:
            return fold
        (x, c), (body,) = lows[0].args, fold.args
        sides = (_replaced(body, lows[0], each) for each in (x, c))
        return replace(fold, args=(where(c > x, *sides),))

    return changed(outputs, change)


def _replaced(body: Node, old: Node, new: Node) -> Node:
    return changed({"": body}, lambda each: new if each is old else each)[""]


def _columns(outputs: Mapping[str, Node], asked: Iterable[Node]) -> set[Node]:
    """Nodes that more than one expression needs, unless they cost next to nothing."""
    nodes, found = in_order(outputs.values()), set(asked)
    times = uses(outputs.values())
    times.update(arg for each in nodes if each.name == "square" for arg in each.args)
    shared = {arg for each in nodes for arg in each.args if _shares(each, arg)}
    inputs = {name for each in nodes if is_input(each) for name in each.names}
    weight: dict[Node, int] = {}
    for each in nodes:
        own = 0 if each.kind in ("leaf", "take") else 1 if each.name in CHEAP else 2
        weight[each] = own + sum(weight[arg] for arg in each.args if arg not in found)
        again = each in shared or (times[each] > 1 and weight[each] > 1)
        of_pairs = len(each.names) > 1 and not inputs.isdisjoint(each.names)
        if own and again and not of_pairs:
            found.add(each)
    return found


def _shares(node: Node, arg: Node) -> bool:
    """Whether several entries of a node need the one of an argument."""
    return node.kind == "take" or not set(node.names) <= set(arg.names)


def inputs_used(outputs: Mapping[str, Node]) -> list[int]:
    """The numbers of the inputs that outputs depend on."""
    nodes = in_order(outputs.values())
    found = [each.data for each in nodes if each.kind == "take" and is_input(each)]
    whole = [
        arg for each in nodes if each.kind != "take" for arg in each.args if arg.kind == "leaf"
    ]
    found += [np.arange(each.axes[0][1]) for each in whole if each.data is None]
    return sorted({int(k) for some in found if some is not None for k in some})


def along(values: np.ndarray, axes: Sequence[str], names: Sequence[str]) -> np.ndarray:
    """Values along some axes with axes of these names, which hold them all."""
    order = [axes.index(name) for name in names if name in axes]
    places = tuple(slice(None) if name in axes else None for name in names)
    return values.transpose(order)[places]


def _at_once(fold: Node, own: set[Node]) -> int:
    """How many terms of a sum a SELECT takes."""
    below = [each for each in in_order(fold.args) if each in own and fold.axis in each.names]
    width = sum(prod(n for name, n in each.axes if name != fold.axis) for each in below)
    return max(1, COLUMNS_AT_ONCE // max(1, width))


def _in_parts(fold: Node, step: int, after: dict[str, Node]) -> Node:
    """A sum as sums of some terms each, every one of which is computed after those before."""
    (body,), length = fold.args, fold.args[0].length(fold.axis)
    if length <= step:
        return fold
    found = None
    for start in range(0, length, step):
        name = f"{fold.axis}_{start}"
        part = _some(body, fold.axis, slice(start, start + step), name)
        one = replace(fold, args=(part,), axis=name)
        if found is not None:
            after[name] = found
        found = one if found is None else found + one
    assert found is not None
    return replace(found, label=fold.label)


def _some(body: Node, axis: str, places: slice, name: str) -> Node:
    """Some places of an axis, under another name."""

    def change(each: Node) -> Node:
        if axis not in each.names:
            return each
        data, at = each.data, each.names.index(axis)
        n = len(range(*places.indices(each.length(axis))))
        axes = tuple((name, n) if own == axis else (own, length) for own, length in each.axes)
        if each.is_table and data is not None:
            data = data[(slice(None),) * at + (places,)]
        if each.kind == "take" and each.name == axis and data is not None:
            return replace(each, name=name, data=data[places], axes=axes)
        return replace(each, data=data, axes=axes)

    return changed({"": body}, change)[""]


def _levels(
    outputs: Mapping[str, Node], own: set[Node], after: Mapping[str, Node]
) -> dict[Node, int]:
    """The number of its SELECT for each column: above those of all columns that it needs."""
    level: dict[Node, int] = {}
    for each in in_order(outputs.values()):
        needed = [*each.args, *(after[name] for name in each.names if name in after)]
        level[each] = max((level[arg] for arg in needed), default=0) + (each in own)
    return dict(sorted(((n, k) for n, k in level.items() if n in own), key=lambda pair: pair[1]))
