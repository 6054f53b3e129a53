"""Square roots of the covariance of a few latent values, for each row its own.

ONNX has no eigenvalues. Jacobi's rotations give them with what it has: each makes one pair of rows
of a matrix orthogonal, and after some sweeps over all pairs the matrix is diagonal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes.export.onnx_graph.graph import Graph, Tensor


class Pairing(NamedTuple):
    """Pairs (0, 1), (2, 3), ... of K rows, all rotated at once, and then paired anew.

    Rows change their places as players of a tournament do, so that in `rounds` rounds each pair
    meets once. An odd K has one row more, of zeros.

    Parameters
    ----------
    size : K, or K + 1
    rounds : in a sweep
    places : (size, size * size), from cosines and sines of all pairs to the entries of the
        rotation with the change of places
    """

    size: int
    rounds: int
    places: np.ndarray

    def entries(self, row: int, column: int) -> np.ndarray:
        """Where these of each pair are in a matrix that is flat."""
        first = np.arange(0, self.size, 2)
        return (first + row) * self.size + first + column


def pairing(n_values: int) -> Pairing:
    """For so many values."""
    size = n_values + n_values % 2
    above, below = list(range(0, size, 2)), list(range(1, size, 2))
    order = np.empty(size, dtype=np.intp)
    order[0::2] = [*above[:1], *below[:1], *above[1:-1]][: size // 2]
    order[1::2] = [*below[1:], above[-1]] if size > 2 else below
    cosines, sines = np.zeros((2, size // 2, size, size))
    for pair, (p, q) in enumerate(zip(above, below, strict=True)):
        cosines[pair, p, p] = cosines[pair, q, q] = 1.0
        sines[pair, p, q], sines[pair, q, p] = 1.0, -1.0
    places = np.concatenate([cosines, sines])[:, :, order]
    return Pairing(size, size - 1, places.reshape(size, size * size))


def n_sweeps(n_values: int) -> int:
    """Sweeps after which doubles have no more to gain, with one or two to spare."""
    return 6 + int(np.ceil(np.log2(n_values)))


def symmetric_root(covariance: Tensor, n_values: int) -> Tensor:
    """S = S' with S S = covariance (n, K, K), of each row; negative eigenvalues count as 0."""
    graph, pairs = covariance.graph, pairing(n_values)
    size = pairs.size
    widen = np.eye(n_values, size)
    flat = covariance.reshape(0, n_values * n_values) @ np.kron(widen, widen)
    matrix = flat.reshape(0, size, size)
    # Eigenvectors begin as the identity, of each row.
    vectors = flat.repeat(np.eye(size).ravel()).reshape(0, size, size)
    matrix, vectors = _rotated(graph, pairs, matrix, vectors, n_sweeps(n_values))
    diagonal = matrix.reshape(0, size * size).take(np.arange(size) * (size + 1))
    roots = graph.node("Max", diagonal, 0.0).apply("Sqrt").with_axes([1])
    kept = vectors.take(np.arange(n_values))
    return (kept * roots) @ kept.transpose(0, 2, 1)


def _rotated(
    graph: Graph, pairs: Pairing, matrix: Tensor, vectors: Tensor, sweeps: int
) -> tuple[Tensor, Tensor]:
    """A diagonal matrix and its eigenvectors, by a loop over rounds."""
    body = graph.within("rotate")
    names = {each: f"{body.prefix}{each}" for each in ("round", "go", "goes", "matrix", "vectors")}
    rotation = _rotation(pairs, body.named(names["matrix"]))
    turned = rotation.transpose(0, 2, 1) @ body.named(names["matrix"]) @ rotation
    carried = body.named(names["vectors"]) @ rotation
    body.node_to(names["goes"], "Identity", body.named(names["go"]))
    shape = (None, pairs.size, pairs.size)
    proto = body.proto(
        "rotate",
        [
            body.value(names["round"], (), np.int64),
            body.value(names["go"], (), np.bool_),
            body.value(names["matrix"], shape),
            body.value(names["vectors"], shape),
        ],
        [
            body.value(names["goes"], (), np.bool_),
            body.value(turned.name, shape),
            body.value(carried.name, shape),
        ],
        constants=False,
    )
    matrix, vectors = graph.loop(sweeps * pairs.rounds, proto, matrix, vectors)
    return matrix, vectors


def _rotation(pairs: Pairing, matrix: Tensor) -> Tensor:
    """What makes entry (p, q) of each pair zero, with the change of places (n, size, size).

    tan = b / (d + sign(d) sqrt(d^2 + b^2)),  d = a_qq - a_pp,  b = 2 a_pq
    """
    flat = matrix.reshape(0, pairs.size * pairs.size)
    b = 2.0 * flat.take(pairs.entries(0, 1))
    d = flat.take(pairs.entries(1, 1)) - flat.take(pairs.entries(0, 0))
    size = d.apply("Abs") + (d * d + b * b).apply("Sqrt")
    tangent = (d > 0.0).choose(b, -b) / (size > 0.0).choose(size, 1.0)
    cosine = 1.0 / (1.0 + tangent * tangent).apply("Sqrt")
    return (cosine.beside(tangent * cosine) @ pairs.places).reshape(0, pairs.size, pairs.size)
