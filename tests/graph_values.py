"""Graphs of models evaluated by NumPy, for many rows at once, and what models say of such rows."""

import numpy as np
from carried import KINDS

from sparsebayes.model import PortableClassifier, special
from sparsebayes.model.graph import in_order
from sparsebayes.model.graph.expression import FOLDS

CALLED_OTHERWISE = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "min": np.minimum,
    "max": np.maximum,
    "ndtr": special.ndtr,
}
EQUAL = 1e-12
# Variances of kernels that grow without bound are differences of larger and larger numbers.
GROWING, EQUAL_IF_GROWING = ("poly", "linear_spline"), 2e-11


def rows_of(name):
    """Rows near the data, and some far away."""
    new = KINDS[name].new
    far = 10.0 * new if KINDS[name].inputs.shape[1] == 2 else new
    return np.vstack([new, far])


def said_by(model, rows):
    """What a model says of rows, by name."""
    if isinstance(model, PortableClassifier):
        numbers = np.argmax(model.predict(rows)[:, None] == model.classes_, axis=1)
        found = {"probability": model.predict_proba(rows), "class": numbers}
    else:
        found = dict(zip(("mean", "std"), model.predict(rows, return_std=True), strict=True))
    if model.plain.spread.covers:
        found["novelty"] = model.novelty(rows)
    return found


def values(outputs, inputs):
    """The outputs by name at inputs (n, d), of shape (n, *axes)."""
    known = {}
    for node in in_order(outputs.values()):
        known[node] = OF_KINDS[node.kind](node, known, inputs)
    shapes = {name: [length for _, length in node.axes] for name, node in outputs.items()}
    return {
        name: np.broadcast_to(known[node], (len(inputs), *shapes[name]))
        for name, node in outputs.items()
    }


def _leaf(node, known, inputs):
    return inputs if node.data is None else node.data[None]


def _map(node, known, inputs):
    function = CALLED_OTHERWISE.get(node.name) or getattr(np, node.name)
    return function(*(along(known[each], each, node) for each in node.args))


def _fold(node, known, inputs):
    (body,) = node.args
    return FOLDS[node.name].reduce(known[body], axis=1 + body.names.index(node.axis))


def _take(node, known, inputs):
    (body,) = node.args
    return known[body].take(node.data, axis=1 + body.names.index(node.axis))


def _root(node, known, inputs):
    (body,) = node.args
    places = [1 + body.names.index(each) for each in (node.axis, node.name)]
    matrix = np.moveaxis(known[body], places, [-2, -1])
    eigenvalues, vectors = np.linalg.eigh(matrix)
    scaled = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))[..., None, :]
    return np.moveaxis(scaled @ np.swapaxes(vectors, -1, -2), [-2, -1], places)


OF_KINDS = {"leaf": _leaf, "map": _map, "fold": _fold, "take": _take, "root": _root}


def along(value, node, other):
    """Values of a node with the axes of another, which has them all."""
    order = [1 + node.names.index(name) for name in other.names if name in node.names]
    lengths = [length if name in node.names else 1 for name, length in other.axes]
    return value.transpose(0, *order).reshape(len(value), *lengths)
