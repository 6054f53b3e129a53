"""A whole plain model as a graph: its input, its outputs, and what they are called."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from sparsebayes.export.onnx_graph.extra import needed
from sparsebayes.export.onnx_graph.graph import Graph, Tensor
from sparsebayes.export.onnx_graph.printer import tensors
from sparsebayes.export.onnx_graph.tables import ML_DOMAIN, ML_OPSET, declared, encoded
from sparsebayes.model import NotPortableError, PortableClassifier, PortableModel
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
    if isinstance(model, PortableClassifier):
        found = tensors({name: said[name] for name in ("probability", "score")}, inputs)
        labels = inputs.graph.tensor(labels_of(model))
        label = inputs.graph.node("Gather", labels, found["score"].largest(), axis=0)
        return {"label": label, "probabilities": found["probability"]}
    found = tensors({name: said[name] for name in ("mean", "std")[: 1 + std]}, inputs)
    if squeezed or said["mean"].names:
        return found
    return {name: each.with_axes([1]) for name, each in found.items()}


def labels_of(model: PortableClassifier) -> np.ndarray:
    """The classes as ONNX has them: whole numbers or texts."""
    labels = model.classes_
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
        assert isinstance(model, PortableClassifier)
        return graph.value(name, ("n_rows",), labels_of(model).dtype, about=ABOUT[name])
    if isinstance(model, PortableClassifier):
        shape: tuple = ("n_rows", len(model.classes_))
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
    if isinstance(model, PortableClassifier):
        about["classes"] = json.dumps(model.classes_.tolist())
    del proto.metadata_props[:]
    needed("onnx.helper").set_model_props(proto, about)
