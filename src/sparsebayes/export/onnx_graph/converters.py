"""Converters of the estimators for skl2onnx, which writes whole pipelines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from sparsebayes.export.given import plain_model
from sparsebayes.export.onnx_graph.graph import Graph, Tensor, needed
from sparsebayes.export.onnx_graph.model import add_outputs, labels_of, warn_of_loss
from sparsebayes.model import NotPortableError

# Reductions have their axes as an input since then.
OLDEST_OPSET = 13
OF_REGRESSORS = {"return_std": [False, True], "as_predict": [False, True]}
OF_CLASSIFIERS = {
    "zipmap": [True, False, "columns"],
    "nocl": [False, True],
    "output_class_labels": [False, True],
}


def register_converters() -> None:
    """Teach skl2onnx the estimators, so that it converts whatever contains them.

    After this, ``skl2onnx.to_onnx(model, X)`` and ``skl2onnx.convert_sklearn`` take an RVR, RVC,
    SparseBayesRegressor or SparseBayesClassifier, and pipelines, searches and ensembles with them.
    A graph has doubles where its inputs are doubles, and floats otherwise.

    A regressor has the output ``variable`` (n, n_outputs), as other regressors of skl2onnx have,
    and with the option ``return_std`` also ``std``, as BayesianRidge has. With the option
    ``as_predict`` the outputs have the names and shapes of `to_onnx`. A classifier has ``label``
    and ``probabilities``, and the options of other classifiers: ``zipmap``, ``nocl`` and
    ``output_class_labels``.

    See Also
    --------
    to_onnx : Writes one model, or a Pipeline.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from skl2onnx import to_onnx
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.export import register_converters
    >>> register_converters()
    >>> X, y = noisy_sinc(50, random_state=0)
    >>> model = RVR().fit(X, y)
    >>> proto = to_onnx(model, X, options={RVR: {"return_std": True}}, target_opset=17)
    >>> [output.name for output in proto.graph.output]
    ['variable', 'std']
    """
    from sparsebayes.estimators import RVC, RVR, SparseBayesClassifier, SparseBayesRegressor

    update = needed("skl2onnx").update_registered_converter
    regressors: tuple[type, ...] = (RVR, SparseBayesRegressor)
    classifiers: tuple[type, ...] = (RVC, SparseBayesClassifier)
    for kind in regressors:
        types, options = _regressor_types, OF_REGRESSORS
        update(kind, _alias(kind), types, _convert, parser=_parse_regressor, options=options)
    for kind in classifiers:
        update(kind, _alias(kind), _classifier_types, _convert, options=OF_CLASSIFIERS)


def _alias(kind: type) -> str:
    """What skl2onnx calls an estimator."""
    return f"SparseBayes{kind.__name__}"


def _parse_regressor(scope: Any, model: Any, inputs: list, custom_parsers: Any = None) -> list:
    """Declare the outputs of a regressor."""
    given = scope.get_options(model, {"return_std": False, "as_predict": False})
    operator = scope.declare_local_operator(_alias(type(model)), model)
    operator.inputs = inputs
    names = ["mean" if given["as_predict"] else "variable"]
    names += ["std"] if given["return_std"] else []
    for name in names:
        operator.outputs.append(scope.declare_local_variable(name, _number_type(inputs)()))
    return operator.outputs


def _number_type(inputs: list) -> Any:
    """The type of what is made of some inputs: doubles if one of them is."""
    types = needed("skl2onnx.common.data_types")
    doubles = any(isinstance(each.type, types.DoubleTensorType) for each in inputs)
    return types.DoubleTensorType if doubles else types.FloatTensorType


def _regressor_types(operator: Any) -> None:
    """Set the types of the outputs of a regressor."""
    estimator = operator.raw_operator
    n_rows = operator.inputs[0].get_first_dimension()
    given = operator.scope_inst.get_options(estimator, {"as_predict": False}, fail=False) or {}
    model = plain_model(estimator)
    shape = [n_rows, model.plain.weights.shape[1]]
    if given.get("as_predict") and model.face.squeezed:
        shape = [n_rows]
    for output in operator.outputs:
        output.set_type(_number_type(operator.inputs)(shape))


def _classifier_types(operator: Any) -> None:
    """Set the types of label and probabilities."""
    types = needed("skl2onnx.common.data_types")
    n_rows = operator.inputs[0].get_first_dimension()
    model = _as_told(plain_model(operator.raw_operator), operator)
    labels = labels_of(model)
    texts = labels.dtype.kind == "O"
    operator.outputs[0].set_type(
        (types.StringTensorType if texts else types.Int64TensorType)([n_rows])
    )
    operator.outputs[1].set_type(_number_type(operator.inputs)([n_rows, len(labels)]))


def _as_told(model: Any, operator: Any) -> Any:
    """A model, whose classes are numbers with the option `nocl`."""
    given = operator.scope_inst.get_options(operator.raw_operator, {"nocl": False})
    return replace(model, classes_=np.arange(len(model.classes_))) if given["nocl"] else model


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Add a model to what skl2onnx makes."""
    if container.target_opset < OLDEST_OPSET:
        raise NotPortableError(
            f"target_opset is {container.target_opset}, and models of sparsebayes need "
            f"{OLDEST_OPSET} or a higher one."
        )
    model = plain_model(operator.raw_operator)
    if model.response.is_probability:
        model = _as_told(model, operator)
    double = _number_type(operator.inputs).__name__ == "DoubleTensorType"
    graph = Graph(np.float64 if double else np.float32, f"{scope.get_unique_variable_name('sb')}_")
    std = len(operator.outputs) > 1
    if not double:
        warn_of_loss(model, std=std)
    squeezed = len(operator.outputs[0].type.shape) == 1
    outputs = add_outputs(model, _joined(graph, operator), std=std, squeezed=squeezed)
    for variable, value in zip(operator.outputs, outputs.values(), strict=True):
        graph.node_to(variable.full_name, "Identity", value)
    _splice(graph, container)


def _joined(graph: Graph, operator: Any) -> Tensor:
    """The inputs of a step, side by side, as numbers of the graph."""
    first, *others = [graph.named(each.full_name).cast(graph.dtype) for each in operator.inputs]
    return first.beside(*others)


def _splice(graph: Graph, container: Any) -> None:
    """Hand nodes and constants over."""
    value = needed("onnx.helper").get_attribute_value
    container.initializers.extend(graph.constants.values())
    for node in graph.nodes:
        attributes = {each.name: value(each) for each in node.attribute}
        container.add_node(
            node.op_type, list(node.input), list(node.output), name=node.name, **attributes
        )
