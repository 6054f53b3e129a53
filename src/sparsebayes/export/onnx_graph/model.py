"""A whole plain model as a graph: inputs, outputs, what they are called, and what floats lose."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sparsebayes.export.given import MOST_LOST, probe_rows
from sparsebayes.export.onnx_graph.graph import Graph, Tensor, needed
from sparsebayes.export.onnx_graph.printer import tensors
from sparsebayes.model import NotPortableError, PortableModel
from sparsebayes.model.face import TableColumn, TableInputs
from sparsebayes.model.graph import graph as said_by

if TYPE_CHECKING:
    from onnx import ModelProto, ValueInfoProto

# What onnx writes by default is often too new for a runtime. These are of onnx 1.12, of 2022.
OPSET, IR_VERSION = 17, 8
INPUT = "X"
ABOUT = {
    "mean": "mean of new targets",
    "std": "standard deviation of new targets, noise included",
    "label": "the most probable class",
    "probabilities": "of the classes, in the order of the metadata 'classes'",
}


def add_outputs(
    model: PortableModel, inputs: Tensor, *, std: bool, squeezed: bool
) -> dict[str, Tensor]:
    """Add a model to a graph: its outputs by name.

    Parameters
    ----------
    model : plain
    inputs : (n, d)
    std : whether a regressor has this output
    squeezed : whether a regressor of one output has no axis for it
    """
    said = said_by(model)
    if model.response.is_probability:
        found = tensors({name: said[name] for name in ("probability", "score")}, inputs)
        labels = inputs.graph.tensor(labels_of(model))
        label = inputs.graph.node("Gather", labels, found["score"].largest(), axis=0)
        return {"label": label, "probabilities": found["probability"]}
    found = tensors({name: said[name] for name in ("mean", "std")[: 1 + std]}, inputs)
    if squeezed or said["mean"].names:
        return found
    return {name: each.with_axes([1]) for name, each in found.items()}


def labels_of(model: PortableModel) -> np.ndarray:
    """The classes as ONNX has them: whole numbers or texts."""
    labels = model.labels
    if labels.dtype.kind in "iub":
        return labels.astype(np.int64)
    if labels.dtype.kind == "f" and np.all(labels == np.round(labels)):
        return labels.astype(np.int64)
    if all(isinstance(each, str) for each in labels.tolist()):
        return labels.astype(object)
    raise NotPortableError(
        f"the classes are {labels.tolist()}; labels of ONNX are all whole numbers or all texts. "
        "Fit the model to such labels."
    )


def model_proto(model: PortableModel, dtype: Any, *, std: bool) -> ModelProto:
    """The model in ONNX, with numbers of one type."""
    graph = Graph(dtype, "sparsebayes_")
    squeezed = model.face.squeezed
    outputs = add_outputs(model, _inputs(graph, model), std=std, squeezed=squeezed)
    for name, value in outputs.items():
        graph.node_to(name, "Identity", value)
    types = [_type(graph, model, name) for name in outputs]
    domains = {"": OPSET} | ({} if model.face.table is None else {ML_DOMAIN: ML_OPSET})
    proto = graph.helper.make_model(
        graph.proto("sparsebayes", _given(graph, model), types, constants=True),
        opset_imports=[graph.helper.make_opsetid(*each) for each in domains.items()],
        ir_version=IR_VERSION,
    )
    table = model.face.table
    names = model.face.input_names if table is None else (each.name for each in table.columns)
    describe(proto, model, names)
    needed("onnx.checker").check_model(proto, full_check=True)
    return proto


def _inputs(graph: Graph, model: PortableModel) -> Tensor:
    """What the columns of the model take (n, d)."""
    table = model.face.table
    return graph.named(INPUT) if table is None else encoded(graph, table)


def _given(graph: Graph, model: PortableModel) -> list[ValueInfoProto]:
    """What the graph takes."""
    face = model.face
    if face.table is not None:
        return declared(graph, face.table, tuple(ABOUT))
    about = f"rows of {', '.join(face.input_names)}"
    return [graph.value(INPUT, ("n_rows", face.n_features), about=about)]


def _type(graph: Graph, model: PortableModel, name: str) -> Any:
    if name == "label":
        return graph.value(name, ("n_rows",), labels_of(model).dtype, about=ABOUT[name])
    if model.response.is_probability:
        shape: tuple = ("n_rows", len(model.labels))
    elif model.face.squeezed:
        shape = ("n_rows",)
    else:
        shape = ("n_rows", model.plain.weights.shape[1])
    return graph.value(name, shape, about=ABOUT[name])


def describe(proto: ModelProto, model: PortableModel, names: Iterable[str]) -> None:
    """Write down who made a model, and what its inputs, of these names, and its classes are."""
    from sparsebayes import __version__

    estimator, names = model.face.estimator, list(names)
    proto.producer_name, proto.producer_version = "sparsebayes", __version__
    proto.doc_string = f"{estimator} of {len(names)} inputs, a sparse Bayesian model."
    about = {"estimator": estimator, "feature_names": json.dumps(names)}
    if model.response.is_probability:
        about["classes"] = json.dumps(model.labels.tolist())
    del proto.metadata_props[:]
    needed("onnx.helper").set_model_props(proto, about)


def warn_of_loss(model: PortableModel, *, std: bool, rows: Any = None) -> None:
    """A warning with the figure where single precision loses much."""
    lost = single_loss(model, std=std, rows=rows)
    if lost <= MOST_LOST:
        return
    if model.response.is_probability:
        unit, most = "probabilities", f"{lost:.2g}"
    else:
        unit, most = "predictions", f"{lost:.2g} standard deviations"
    where = "at and around its own vectors" if rows is None else "at the rows X"
    warnings.warn(
        f"in single precision, {unit} of this model are wrong by up to {most} {where}, and more "
        f'than {MOST_LOST:g} is a loss. Use precision="double" (doubles as inputs in skl2onnx), or '
        "fit the model to inputs of mean 0 and variance 1.",
        stacklevel=4,
    )


def single_loss(model: Any, *, std: bool, rows: Any = None) -> float:
    """The largest error of a graph of floats, whose inputs are rounded to floats too.

    Of mean and std it is relative to the std, of probabilities it is absolute. The graph is run by
    NumPy, so that the figure does not depend on a runtime.
    """
    rows = probe_rows(model) if rows is None else np.asarray(rows, dtype=np.float64)
    model = replace(model, face=replace(model.face, table=None))
    proto = model_proto(model, np.float32, std=std)
    with np.errstate(all="ignore"):
        evaluator = needed("onnx.reference").ReferenceEvaluator(proto)
        found = evaluator.run(None, {INPUT: rows.astype(np.float32)})
    if model.response.is_probability:
        gaps = [found[1] - model.predict_proba(rows)]
    else:
        exact = model.predict(rows, return_std=True)
        gaps = [(a - b) / exact[1] for a, b in zip(found, exact, strict=False)]
    lost = float(np.max([np.max(np.abs(gap)) for gap in gaps]))
    return lost if np.isfinite(lost) else np.inf


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
    first, *others = [_inputs_of(graph, column) for column in table.columns]
    return first.beside(*others)


def _inputs_of(graph: Graph, column: TableColumn) -> Tensor:
    """The inputs that a column of a table becomes; an unknown text is an error."""
    values = graph.named(column.name)
    if column.categories is None:
        return values
    categories = list(column.categories)
    found = graph.node("OneHotEncoder", values, domain=ML_DOMAIN, cats_strings=categories, zeros=0)
    return found.cast(graph.dtype).reshape(0, len(categories))
