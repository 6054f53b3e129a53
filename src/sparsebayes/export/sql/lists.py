"""Vectors of a row as columns that hold lists.

DuckDB gives every operation of an expression its own memory. Sums of thousands of terms leave the
processor's cache there, and functions of lists are several times as fast.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sparsebayes.export.sql.dialects import Dialect, total
from sparsebayes.model.graph import Node, changed, in_order, uses
from sparsebayes.model.graph.expression import square, table

# Matrices are triangular: lists that are shorter leave out more zeros, and cost more calls.
LENGTH = 32
# A scaled distance from the middle of the centres beyond which too many digits would be lost.
FAR = 1e3


class VectorSum(NamedTuple):
    """A sum along the axis of a vector v: of c v, of (v - c)^2, or of v^2 if there is no c."""

    vector: Node
    constants: Node | None
    how: str


def sums(outputs: Iterable[Node]) -> dict[Node, VectorSum]:
    """Sums of vectors that are needed for nothing else, all along one axis."""
    outputs = list(outputs)
    times, of = uses(outputs), defaultdict[Node, dict[Node, VectorSum]](dict)
    for fold in in_order(outputs):
        found = _sum(fold)
        if found is not None and all(times[each] == 1 for each in _between(fold, found.vector)):
            of[found.vector][fold] = found
    return {
        fold: found
        for vector, own in of.items()
        for fold, found in own.items()
        if times[vector] == len(own) and len({each.axis for each in own}) == 1
    }


def _sum(fold: Node) -> VectorSum | None:
    """What a node is a sum of, if it is one of these three, and of no constants alone."""
    if fold.name != "sum":
        return None
    (body,) = fold.args
    args = body.args
    if body.name == "square":
        args = args[0].args if args[0].name == "sub" else args
        found = VectorSum(args[0], args[1] if len(args) > 1 else None, body.name)
    elif body.name == "mul":
        constants, vector = sorted(args, key=lambda each: not each.is_table)
        found = VectorSum(vector, constants, body.name)
    else:
        return None
    fits = found.constants is None or found.constants.is_table
    return found if fits and fold.axis in found.vector.names else None


def _between(fold: Node, vector: Node) -> list[Node]:
    (body,) = fold.args
    return [body] if vector in body.args else [body, *body.args]


def scaled(outputs: Mapping[str, Node]) -> dict[str, Node]:
    """A graph in which sum_k gamma_k (x_k - c_k)^2 are distances of scaled inputs."""
    vectors: dict[tuple[Node, bytes, bytes], Node] = {}

    def change(fold: Node) -> Node:
        found = _sum(fold)
        if found is None or found.vector.name != "square" or found.constants is None:
            return fold
        (apart,), gamma = found.vector.args, found.constants
        x, centres = apart.args if apart.name == "sub" else (apart, apart)
        along = gamma.names == x.names == centres.names[1:] == (fold.axis,)
        if not (along and centres.is_table) or gamma.data is None or centres.data is None:
            return fold
        root, middle = np.sqrt(gamma.data), np.median(centres.data, axis=0)
        points = root * (centres.data - middle)
        if np.abs(points).max() > FAR:
            return fold
        key = (x, root.tobytes(), middle.tobytes())
        if key not in vectors:
            vectors[key] = table(root, fold.axis) * (x - table(middle, fold.axis))
        return replace(fold, args=(square(vectors[key] - table(points, *centres.names)),))

    return changed(outputs, change)


def written(texts: np.ndarray) -> np.ndarray:
    """Lists of expressions along the last axis."""
    starts = range(0, texts.shape[-1], LENGTH)
    parts = [texts[..., start : start + LENGTH] for start in starts]
    return np.stack([np.apply_along_axis(_one, -1, each) for each in parts], axis=-1)


def _one(texts: Iterable[str]) -> np.ndarray:
    return np.array(f"[{', '.join(texts)}]", dtype=object)


def of_vector(names: Iterable[str]) -> str:
    """The sum of the squares of the numbers in lists."""
    return total([f"list_dot_product({name}, {name})" for name in names])


def of_constants(how: str, names: Iterable[str], constants: np.ndarray, dialect: Dialect) -> str:
    """The sum of products of numbers in lists with others, or of the squares of differences."""
    parts = np.split(constants, range(LENGTH, len(constants), LENGTH))
    function = "list_distance" if how == "square" else "list_dot_product"
    terms = [
        f"{function}({name}, {_one(map(dialect.number, some))})"
        for name, some in zip(names, parts, strict=True)
        if some.any() or how == "square"
    ]
    return total([f"{each} * {each}" for each in terms] if how == "square" else terms)
