"""Pipelines of scikit-learn in ONNX, by skl2onnx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sparsebayes.export.given import plain_model
from sparsebayes.export.onnx_graph.converters import register_converters
from sparsebayes.export.onnx_graph.extra import needed
from sparsebayes.export.onnx_graph.model import IR_VERSION, OPSET, describe
from sparsebayes.export.onnx_graph.tables import ML_DOMAIN, ML_OPSET

if TYPE_CHECKING:
    from onnx import ModelProto


def pipeline_proto(pipeline: Any, X: Any, dtype: Any, *, std: bool) -> ModelProto:
    """All steps of a pipeline whose last step is one of ours.

    Parameters
    ----------
    pipeline : fitted
    X : some rows that it takes, for the names and types of its inputs
    dtype : of numbers
    std : whether a regressor has this output
    """
    if X is None:
        raise TypeError(
            "a Pipeline needs X, a few of the rows that it was fitted to: they say what inputs it "
            "has. Use to_onnx(pipeline, X=X)."
        )
    model = plain_model(pipeline[-1])
    register_converters()
    given = {"return_std": std, "as_predict": True}
    if model.response.is_probability:
        given = {"zipmap": False}
    proto = needed("skl2onnx").to_onnx(
        pipeline,
        numbers_as(X, dtype),
        name="sparsebayes",
        options={id(pipeline[-1]): given},
        target_opset={"": OPSET, ML_DOMAIN: ML_OPSET},
    )
    proto.ir_version = IR_VERSION
    # skl2onnx has these in a set, whose order is another in each process.
    proto.opset_import.sort(key=lambda each: each.domain)
    names = getattr(pipeline, "feature_names_in_", None)
    describe(proto, model, [f"x{k}" for k in range(X.shape[1])] if names is None else names)
    needed("onnx.checker").check_model(proto, full_check=True)
    return proto


def numbers_as(X: Any, dtype: Any) -> Any:
    """Rows of an array or a data frame, with all numbers as one type."""
    if not hasattr(X, "columns"):
        X = np.asarray(X)
        return X.astype(dtype) if X.dtype.kind in "fiub" else X
    kinds = {name: getattr(X[name].dtype, "kind", "O") for name in X.columns}
    return X.astype({name: dtype for name, kind in kinds.items() if kind in "fiub"})
