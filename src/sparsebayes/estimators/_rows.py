"""Rows that are many, or not in memory: they come in blocks, and a sample of them stands for all.

From more than `MANY_ROWS` rows on, a fit with a dense model (inference="projection") passes over
blocks of rows a few times. Arrays, memory maps and sparse matrices are read slice by slice, Dask
collections partition by partition, and neither is ever copied whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_consistent_length, column_or_1d

from sparsebayes._threads import available_threads, in_one_thread
from sparsebayes.estimators._asked import Asked, given_form, training_data
from sparsebayes.model.given import NotTakenError
from sparsebayes.rows import ArrayBlocks, RowReader
from sparsebayes.targets import Given
from sparsebayes.targets.rows import SAMPLE_ROWS, RowsInBlocks, RowsInMemory
from sparsebayes.targets.values import is_lazy, refuse_one_row, training_weight

# With more rows than this, sums over blocks take the place of a matrix of all columns.
MANY_ROWS = 10_000


def loaded_if_few(given: Given) -> Given:
    """Collections of Dask of few rows in memory; anything else as it is."""
    if not is_lazy(given.X):
        return given
    from sparsebayes.rows.dask import in_memory, n_rows_of

    if n_rows_of(given.X) > MANY_ROWS:
        return given
    X, y, weight = in_memory(given.X, given.y, given.weight)
    return given._replace(X=X, y=y, weight=weight)


def rows_of(
    estimator: Any, asked: Asked, given: Given, obstacle: str | None
) -> RowsInMemory | RowsInBlocks:
    """The rows, checked: in blocks, if they are many or lazy, and else in memory.

    Parameters
    ----------
    obstacle : why the target cannot be read in blocks, if that is so
    """
    many = many_rows(estimator, asked, given, obstacle)
    if many is not None:
        return many
    numeric = asked.target.numeric
    options = {"y_numeric": True, "multi_output": True} if numeric else {}
    X, y, found = training_data(estimator, asked, given.X, given.y, **options)
    y = np.asarray(y, dtype=np.float64) if numeric else y
    weight = training_weight(given.weight, X, least=2 if numeric else 1)
    return RowsInMemory(X, y, weight, found)


def many_rows(
    estimator: Any, asked: Asked, given: Given, obstacle: str | None, few_too: bool = False
) -> RowsInBlocks | None:
    """The rows in blocks, if they are many or lazy; None if they can be in memory.

    Parameters
    ----------
    obstacle : why the target cannot be read in blocks, if that is so
    few_too : whether few rows are to come in blocks, too; obstacles are errors then
    """
    if is_lazy(given.X):
        return _lazy_rows(asked, given, obstacle)
    if is_lazy(given.y) or is_lazy(given.weight):
        raise NotTakenError(
            "y or sample_weight is a collection of Dask and X is not: expected all of them to be, "
            "or X to be one with the others in memory. Call .compute() on those that are."
        )
    n_rows = _n_rows(given.X)
    if n_rows <= MANY_ROWS and not few_too:
        return None
    wrong = obstacle or _objection(asked, n_rows)
    if wrong is not None and few_too:
        raise ValueError(f"partial_fit adds up sums over rows: {wrong}.")
    if wrong is not None:
        return None
    least = 1 if few_too and hasattr(estimator, "_updating") else 2
    X, y, found = _arrays(estimator, asked, given, least)
    weight = _weight_of(given.weight, X, least)
    if weight is not None and not few_too and np.count_nonzero(weight) <= MANY_ROWS:
        return None
    n_threads = 1 if asked.basis.calls_user else available_threads()
    blocks = ArrayBlocks(X, y, weight, RowReader(X.shape[1]), in_one_thread, n_threads)
    return RowsInBlocks(blocks, found, (X, y), y.ndim, asked.target.numeric, y.ndim == 1)


def _weight_of(sample_weight: Any, X: Any, least: int) -> np.ndarray | None:
    """A weight for each row, as it is, of which so many are positive; None for none."""
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight)
    weight = np.full(X.shape[0], weight) if weight.ndim == 0 else weight
    check_consistent_length(X, weight)
    refuse_one_row(weight, least)
    return weight


def _n_rows(X: Any) -> int:
    """How many rows there are, as far as that can be told before X is checked."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if len(shape):
        return shape[0]
    return len(X) if hasattr(X, "__len__") else 0


def _objection(asked: Asked, n_rows: int) -> str | None:
    """Why rows cannot come in blocks."""
    basis = asked.basis
    if asked.inference.fidelity is None:
        return (
            f"inference={asked.inference_given!r} needs all rows in memory, which "
            'inference="projection" does not'
        )
    if basis.precomputed:
        return "a precomputed kernel has as many columns as rows"
    if basis.n_centres(n_rows) > SAMPLE_ROWS:
        return (
            f"{basis.n_centres(n_rows)} centres are too many; leave centres at its default, or "
            f"give a number or an array of at most {SAMPLE_ROWS}"
        )
    return None


def _refuse_no_target(given: Given) -> None:
    if given.y is None:
        raise ValueError(f"{given.name} requires y to be passed, but it is None.")


def _arrays(estimator: Any, asked: Asked, given: Given, least: int) -> tuple[Any, np.ndarray, dict]:
    """X and y as arrays, `least` rows or more; many rows of numbers as they are, not copied."""
    X, y, several = given.X, given.y, asked.target.numeric
    plain = isinstance(X, np.ndarray) or (issparse(X) and asked.basis.accepts_sparse)
    if not plain or X.ndim != 2 or X.dtype.kind not in "fiub" or X.shape[0] <= MANY_ROWS:
        limits = {"multi_output": several, "ensure_min_samples": least}
        return training_data(estimator, asked, X, y, **limits)
    _refuse_no_target(given)
    y = np.asarray(y) if several else column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    X = X.tocsr() if issparse(X) else np.asarray(X)
    return X, y, {"n_features_in_": X.shape[1], **given_form(X)}


def _lazy_rows(asked: Asked, given: Given, obstacle: str | None) -> RowsInBlocks:
    """The rows of Dask collections."""
    from sparsebayes.rows.dask import DaskBlocks, column_names

    _refuse_no_target(given)
    names = column_names(given.X)
    blocks = DaskBlocks.of(given.X, given.y, given.weight, in_one_thread)
    wrong = obstacle or _objection(asked, blocks.n_rows)
    if wrong is not None:
        raise ValueError(
            f"X is a collection of Dask, whose rows come block by block: {wrong}. Or load the rows "
            "with X.compute() and y.compute(), if they fit into memory."
        )
    found: dict[str, Any] = {"n_features_in_": blocks.n_features}
    if names is not None:
        found["feature_names_in_"] = names
    n_axes, numeric = blocks.target_axes, asked.target.numeric
    if n_axes != 1 and not numeric:
        raise ValueError(f"y of {given.name} must have one axis, got {n_axes}.")
    return RowsInBlocks(blocks, found, (given.X, given.y), n_axes, numeric, n_axes == 1)
