"""Columns of a table, numbers and texts, as inputs of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparsebayes.export.onnx_graph.graph import Graph, Tensor
from sparsebayes.model import NotPortableError
from sparsebayes.model.tables import TableColumn, TableInputs

if TYPE_CHECKING:
    from onnx import ValueInfoProto

# Encoders are in a set of operators of their own, whose version 3 goes with opset 17.
ML_DOMAIN, ML_OPSET = "ai.onnx.ml", 3


def declared(graph: Graph, table: TableInputs, outputs: tuple[str, ...]) -> list[ValueInfoProto]:
    """The columns as inputs (n, 1), each with its name."""
    for column in table.columns:
        if column.name in outputs:
            raise NotPortableError(
                f"a column of the table is called {column.name!r}, as an output of the model in "
                "ONNX is. Rename the column and fit the model again."
            )
    return [
        graph.value(column.name, ("n_rows", 1), None if column.categories is None else object)
        for column in table.columns
    ]


def encoded(graph: Graph, table: TableInputs) -> Tensor:
    """The inputs of the model (n, n_features): numbers, and 0 or 1 for each text."""
    first, *others = [_inputs(graph, column) for column in table.columns]
    return first.beside(*others)


def _inputs(graph: Graph, column: TableColumn) -> Tensor:
    """Those of one column. A text that did not occur in training is an error."""
    values = graph.named(column.name)
    if column.categories is None:
        return values
    categories = list(column.categories)
    found = graph.node("OneHotEncoder", values, domain=ML_DOMAIN, cats_strings=categories, zeros=0)
    return found.cast(graph.dtype).reshape(0, len(categories))
