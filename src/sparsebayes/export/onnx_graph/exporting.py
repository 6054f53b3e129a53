"""The function that users call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sparsebayes.export.given import plain_model
from sparsebayes.export.onnx_graph.extra import needed
from sparsebayes.export.onnx_graph.loss import warn_of_loss
from sparsebayes.export.onnx_graph.model import model_proto
from sparsebayes.export.onnx_graph.pipelines import pipeline_proto
from sparsebayes.portable import PortableModel
from sparsebayes.portable.models import new_inputs

if TYPE_CHECKING:
    from onnx import ModelProto

PRECISIONS = {"double": np.float64, "float": np.float32}


def to_onnx(
    model: Any, *, precision: str = "double", std: bool = True, X: Any = None
) -> ModelProto:
    """Write a fitted model as ONNX, which runs without Python.

    The input is `X`, rows of inputs (n, n_features). A model that was fitted to a table by the
    command line, with texts, has an input (n, 1) for each column, with its name. Outputs, in order:

    | model | outputs |
    |---|---|
    | regressor | `mean` and `std`, (n,) or (n, n_outputs) as `predict` has them, also of counts |
    | classifier | `label` (n,), whole numbers or texts, and `probabilities` (n, n_classes) |

    (Of a Gaussian process, skl2onnx calls the outputs GPmean and GPcovstd.) A row with infinite
    numbers or NaN gives NaN, where `predict` has an error.

    Parameters
    ----------
    model : RVR, RVC, SparseBayesRegressor, SparseBayesClassifier or Pipeline
        Fitted, or what `sparsebayes.load` gives. A Pipeline of scikit-learn ends with one of the
        others, and skl2onnx writes its steps; where `X` is a data frame, each of its columns is an
        input (n, 1) with its name, and columns of numbers have the type of `precision`.
    precision : {"double", "float"}, default="double"
        Of inputs, outputs and all between. Doubles agree with `predict` to nine digits and more.
        There is a warning where floats lose more than 0.001 of the std, or of a probability.
    std : bool, default=True
        Whether a regressor has the output `std`.
    X : array or data frame of shape (n_samples, n_features), default=None
        Some rows that the model takes. A Pipeline needs them for the types of its inputs. For other
        models they are where the loss of floats is measured, in place of the model's vectors.

    Returns
    -------
    proto : onnx.ModelProto
        Of opset 17 and IR version 8. `proto.SerializeToString()` are the bytes of a file. The
        metadata have the names of inputs and classes.

    Raises
    ------
    NotPortableError
        If columns are made by functions of your own, or labels are neither numbers nor texts.
    ImportError
        If onnx, or skl2onnx for a Pipeline, is not installed: pip install 'sparsebayes[onnx]'.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR
    >>> from sparsebayes.export import to_onnx
    >>> X = np.linspace(-10, 10, 50)[:, None]
    >>> model = RVR().fit(X, np.sinc(X[:, 0] / np.pi) + 1e-2 * np.cos(9 * X[:, 0]))
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
