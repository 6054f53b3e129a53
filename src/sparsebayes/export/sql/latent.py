"""Latent values of a model and their variance as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sparsebayes.export.sql.columns import Writer, Written, written
from sparsebayes.export.sql.dialects import total
from sparsebayes.export.sql.vectors import Vector
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.latent import Plain
from sparsebayes.model.spread import Spread


@dataclass(frozen=True)
class SqlLatent:
    """Names of columns: means of the k latent values, and variances of the p processes.

    There are no variances where none were asked for.
    """

    means: list[str]
    process_variances: list[str]
    spread: Spread
    writer: Writer

    def variance(self, number: int) -> str:
        """Of a latent value."""
        name = self.process_variances[self.spread.process[number]]
        return f"{self.writer.number(self.spread.factor[number])} * {name}"


def put_latent(writer: Writer, plain: Plain, with_variance: bool) -> SqlLatent:
    """SELECTs for the latent values, and for their variances."""
    chain, spread = writer.chain, plain.spread
    covering = spread.columns if with_variance else None
    chain.stage("scaled")
    design = [written(writer, each) for each in plain.columns]
    cover = [written(writer, each) for each in covering or ()]
    chain.stage("columns")
    design = [_put(writer, each) for each in design]
    cover = [_put(writer, each) for each in cover]
    chain.stage("vectors")
    phi = [writer.vector("phi", each.values) for each in design]
    phi_cover = [writer.vector("phi", each.values) for each in cover]
    chain.stage("means")
    means = [chain.put("f", each) for each in _products(phi, plain.weights, plain.columns)]
    if not with_variance:
        return SqlLatent(means, [], spread, writer)
    known = phi if covering is None else _whitened(writer, phi_cover, spread)
    own = [each.at_itself for each in cover]
    variances = _put_variances(writer, spread, known, covering or plain.columns, own)
    return SqlLatent(means, variances, spread, writer)


def _put(writer: Writer, columns: Written) -> Written:
    """The same, as names of columns that this SELECT computes."""
    values = [writer.chain.put("column", each) for each in columns.values]
    at_itself = columns.at_itself and writer.chain.put("own", columns.at_itself)
    return Written(values, at_itself)


def _products(
    vectors: Sequence[Vector], matrix: np.ndarray, columns: Sequence[PlainColumns]
) -> list[str]:
    """sum_g vector_g' matrix_g, for each column of a matrix; columns say which rows g has."""
    ends = np.cumsum([each.n_columns for each in columns])
    parts = np.split(matrix, ends)[:-1]
    return [
        total([each.dot(part[:, k]) for each, part in zip(vectors, parts, strict=True)])
        for k in range(matrix.shape[1])
    ]


def _whitened(writer: Writer, phi: Sequence[Vector], spread: Spread) -> list[Vector]:
    """v_g = R_g phi_g."""
    return [
        each if white is None else writer.vector("v", [each.dot(row) for row in white])
        for each, white in zip(phi, spread.whiteners, strict=True)
    ]


def _put_variances(
    writer: Writer,
    spread: Spread,
    known: Sequence[Vector],
    columns: Sequence[PlainColumns],
    at_itself: Sequence[str],
) -> list[str]:
    """V_p = |root_p' v|^2 + sum_g amplitude_gp max(k_g(x, x) - |v_g|^2, 0)."""
    chain, largest = writer.chain, writer.dialect.largest
    chain.stage("parts")
    halves = [writer.vector("h", _products(known, root, columns)) for root in spread.roots]
    left: list[tuple[str, np.ndarray]] = []
    if spread.columns is not None and spread.amplitude is not None:
        for v, white, own, prior in zip(
            known, spread.whiteners, spread.amplitude, at_itself, strict=True
        ):
            if white is not None:
                name = chain.put("left", f"{largest}({prior} - {v.squares()}, 0e0)")
                left.append((name, own))
    chain.stage("variances")
    return [
        chain.put(
            "variance",
            total([half.squares(), *(f"{writer.number(own[p])} * {n}" for n, own in left)]),
        )
        for p, half in enumerate(halves)
    ]
