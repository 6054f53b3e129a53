"""Predictions of Dask collections, which stay lazy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np


def lazy_columns(
    model: Any, X: Any, predict: Callable[[Any], Any], names: list[Any], dtype: Any
) -> Callable[[Any], Any]:
    """Predictions of a Dask collection, as a function of which of their columns are wanted.

    An array gives arrays, a frame gives series and frames with its index. All columns come from one
    evaluation of each block.

    Parameters
    ----------
    predict : rows -> predictions (n, n_columns)
    names : of the columns
    """
    from sparsebayes.rows.dask import lazily

    if len(X.shape) != 2 or X.shape[1] != model.n_features_in_:
        raise ValueError(
            f"X has {X.shape[-1]} features, but {type(model).__name__} is expecting "
            f"{model.n_features_in_} features as input."
        )
    found = lazily(predict, X, names, dtype)

    def chosen(which: Any) -> Any:
        return found[:, which] if not hasattr(found, "columns") else found[found.columns[which]]

    return chosen


def lazy_moments(model: Any, X: Any, return_std: bool) -> Any:
    """Means of a regressor, and standard deviations if asked for."""
    squeezed = model._model.squeezed
    k = model._model.predictor.plain.weights.shape[1]
    parts = ("mean", "std") if return_std else ("mean",)
    names = [part if squeezed else f"{part}_{i}" for part in parts for i in range(k)]
    chosen = lazy_columns(model, X, partial(_side_by_side, model, return_std), names, np.float64)
    starts = range(0, len(names), k)
    split = [chosen(start if squeezed else slice(start, start + k)) for start in starts]
    return tuple(split) if return_std else split[0]


def _side_by_side(model: Any, return_std: bool, rows: Any) -> np.ndarray:
    """Means of rows, and their standard deviations if asked for (n, k) or (n, 2 k)."""
    found = model.predict(rows, return_std=return_std)
    return np.column_stack(found if return_std else [found])


def lazy_quantiles(model: Any, X: Any, levels: np.ndarray) -> Any:
    """Quantiles of a regressor of one output."""
    names = [f"quantile_{level:g}" for level in np.ravel(levels)]
    function = partial(model.predict_quantiles, quantiles=levels)
    return lazy_columns(model, X, function, names, np.float64)(slice(None))


def lazy_classes(model: Any, X: Any, method: str) -> Any:
    """What a method of a classifier gives, with a column for each class."""
    names = list(map(str, model.classes_))
    return lazy_columns(model, X, getattr(model, method), names, np.float64)(slice(None))


def lazy_values(model: Any, X: Any, method: str, dtype: Any) -> Any:
    """What a method of a classifier gives, one value for each row."""
    function = partial(_as_column, getattr(model, method))
    return lazy_columns(model, X, function, [method], dtype)(0)


def _as_column(predict: Callable[[Any], np.ndarray], rows: Any) -> np.ndarray:
    return predict(rows)[:, None]
