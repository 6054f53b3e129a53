"""The function that users call, for models and for pipelines of scikit-learn, by skl2onnx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sparsebayes.export.given import plain_model
from sparsebayes.export.onnx_graph.converters import register_converters
from sparsebayes.export.onnx_graph.graph import needed
from sparsebayes.export.onnx_graph.model import (
    IR_VERSION,
    ML_DOMAIN,
    ML_OPSET,
    OPSET,
    describe,
    model_proto,
    warn_of_loss,
)
from sparsebayes.model import PortableModel
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.face import new_inputs

if TYPE_CHECKING:
    from onnx import ModelProto

PRECISIONS = {"double": np.float64, "float": np.float32}


@without_numpy_errors
def to_onnx(
    model: Any, *, precision: str = "double", std: bool = True, X: Any = None
) -> ModelProto:
    """Write a fitted model as an ONNX graph, which runs without Python.

    The input is ``X``, rows of inputs (n, n_features). A model that the command line fitted to a
    table with texts has one input (n, 1) for each column of the table, with its name. The outputs
    are

    - of a regressor ``mean`` and ``std``, with the shapes that `predict` has;
    - of a classifier ``label`` (n,), whole numbers or texts, and ``probabilities`` (n, n_classes).

    A row with infinite numbers or NaN gives NaN, where `predict` raises an error.

    Parameters
    ----------
    model : RVR, RVC, SparseBayesRegressor, SparseBayesClassifier or Pipeline
        A fitted estimator, or what `sparsebayes.load` gives. A Pipeline must end with one of the
        others, and skl2onnx writes its other steps. Where `X` is a data frame, each of its columns
        is an input (n, 1) with its name, and columns of numbers have the type of `precision`.
    precision : {"double", "float"}, default="double"
        The type of inputs, outputs and everything between. Doubles agree with `predict` up to
        rounding. There is a warning if floats lose more than 0.001 of the std, or of a probability.
    std : bool, default=True
        Whether a regressor has the output ``std``.
    X : array or data frame of shape (n_samples, n_features), default=None
        Some rows that the model takes. A Pipeline needs them for the types of its inputs. For other
        models, the loss of floats is measured at these rows instead of the vectors of the model.

    Returns
    -------
    proto : onnx.ModelProto
        Of opset 17 and IR version 8. ``proto.SerializeToString()`` gives the bytes of a file. The
        metadata have the names of inputs and classes.

    Raises
    ------
    NotPortableError
        If a function of yours makes columns, or labels are neither numbers nor texts.
    ImportError
        If onnx, or skl2onnx for a Pipeline, is not installed: ``pip install 'sparsebayes[onnx]'``.

    See Also
    --------
    register_converters : For models inside searches and ensembles.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.export import to_onnx
    >>> model = RVR().fit(*noisy_sinc(50, random_state=0))
    >>> proto = to_onnx(model)
    >>> [output.name for output in proto.graph.output]
    ['mean', 'std']
    """
    if precision not in PRECISIONS:
        raise ValueError(f'precision must be "double" or "float", got {precision!r}.')
    needed("onnx")
    dtype = PRECISIONS[precision]
    if hasattr(model, "steps"):
        return pipeline_proto(model, X, dtype, std=std)
    plain = plain_model(model)
    rows = None if X is None else _rows_of(plain, X)
    proto = model_proto(plain, dtype, std=std)
    if precision == "float":
        warn_of_loss(plain, std=std, rows=rows)
    return proto


def _rows_of(model: PortableModel, X: Any) -> np.ndarray:
    """Rows of inputs; those of a table where the model takes one."""
    table = model.face.table
    if table is not None and hasattr(X, "columns"):
        return table.inputs({column.name: list(X[column.name]) for column in table.columns})
    return new_inputs(X, model.face)


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
