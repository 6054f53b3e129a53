"""Rows that are many, or not in memory: they come in blocks, and a sample of them stands for all.

From more than `MANY_ROWS` rows on, a fit with a dense model (inference="projection") passes over
blocks of rows a few times. Arrays, memory maps and sparse matrices are read slice by slice, Dask
collections partition by partition, and neither is ever copied whole.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.class_weight import compute_sample_weight

from sparsebayes.basis import Basis
from sparsebayes.columns import AnyColumns
from sparsebayes.estimators._checks import (
    check_input_size,
    check_weight_size,
    given_form,
    refuse_one_row,
    training_data,
)
from sparsebayes.estimators._one_thread import available_threads, in_one_thread
from sparsebayes.rows import ArrayBlocks, Blocks, Data, Look, LookPass, Reader

# With more rows than this, sums over blocks take the place of a matrix of all columns.
MANY_ROWS = 10_000
# How many rows are in memory to learn scales from; centres are among them.
SAMPLE_ROWS = 10_000


class ManyRows(NamedTuple):
    """Rows that come in blocks.

    Attributes
    ----------
    blocks : read as they are
    found : attributes for the estimator, once it is fitted
    given : X and y, as callbacks may ask for them
    n_target_axes : of y
    """

    blocks: Blocks
    found: dict[str, Any]
    given: tuple[Any, Any]
    n_target_axes: int

    def look(self, numeric: bool) -> Look:
        """A first look at all rows, which are checked."""
        reader = Reader(self.blocks.n_features, numeric=numeric)
        part = min(1.0, SAMPLE_ROWS / self.blocks.n_rows)
        (look,) = self.blocks.read_by(reader).fold(LookPass(numeric, part))
        check_input_size(look.largest_input)
        check_weight_size("sample_weight", look.heaviest)
        return look


class SampledRows(NamedTuple):
    """Rows that come in blocks, and what a sample of them has told.

    Attributes
    ----------
    blocks : all rows, their targets less the offset
    data : the sample
    columns : the candidates
    offset : the mean of the targets, where it is taken out
    squeezed : whether y had no axis for outputs
    learning : weight of the sample while scales are learned, where it is another (n,)
    observed : how many observations all rows count as
    """

    blocks: Blocks
    data: Data
    columns: AnyColumns
    offset: Any
    squeezed: bool
    learning: np.ndarray | None
    observed: float


def is_lazy(collection: Any) -> bool:
    """Whether this is an array or a frame of Dask. Dask is not imported to find out."""
    return type(collection).__module__.split(".")[0] in ("dask", "dask_expr")


def loaded_if_few(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Collections of Dask of few rows in memory; anything else as it is."""
    if not is_lazy(X):
        return X, y, sample_weight
    from sparsebayes.rows.dask import in_memory, n_rows_of

    if n_rows_of(X) > MANY_ROWS:
        return X, y, sample_weight
    return in_memory(X, y, sample_weight)


def many_rows(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    basis: Basis,
    obstacle: str | None,
    several: bool = True,
    few_too: bool = False,
) -> ManyRows | None:
    """The rows in blocks, if they are many or lazy; None if they can be in memory.

    Parameters
    ----------
    obstacle : why the estimator cannot be fitted to blocks, if that is so
    several : whether y may have several columns
    few_too : whether few rows are to come in blocks, too; obstacles are errors then
    """
    if is_lazy(X):
        return _lazy_rows(estimator, X, y, sample_weight, basis, obstacle)
    if is_lazy(y) or is_lazy(sample_weight):
        raise TypeError(
            "y or sample_weight is a collection of Dask and X is not: expected all of them to be, "
            "or X to be one with the others in memory. Call .compute() on those that are."
        )
    n_rows = _n_rows(X)
    if n_rows <= MANY_ROWS and not few_too:
        return None
    wrong = obstacle or _objection(estimator, basis, n_rows)
    if wrong is not None and few_too:
        raise ValueError(f"partial_fit adds up sums over rows: {wrong}.")
    if wrong is not None:
        return None
    least = 1 if few_too and hasattr(estimator, "_updating") else 2
    X, y, found = _arrays(estimator, X, y, basis, several, least)
    weight = None if sample_weight is None else np.asarray(sample_weight)
    if weight is not None and weight.ndim == 0:
        weight = np.full(len(y), weight)
    if weight is not None:
        check_consistent_length(X, weight)
        refuse_one_row(weight, least)
        if not few_too and np.count_nonzero(weight) <= MANY_ROWS:
            return None
    n_threads = 1 if basis.calls_user else available_threads()
    blocks = ArrayBlocks(X, y, weight, Reader(X.shape[1]), in_one_thread, n_threads)
    return ManyRows(blocks, found, (X, y), y.ndim)


def _n_rows(X: Any) -> int:
    """How many rows there are, as far as that can be told before X is checked."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if len(shape):
        return shape[0]
    return len(X) if hasattr(X, "__len__") else 0


def _objection(estimator: Any, basis: Basis, n_rows: int) -> str | None:
    """Why rows cannot come in blocks."""
    if estimator._asked_inference.fidelity is None:
        return (
            f"inference={estimator.inference!r} needs all rows in memory, which "
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


def _arrays(
    estimator: Any, X: Any, y: Any, basis: Basis, several: bool, least: int
) -> tuple[Any, np.ndarray, dict]:
    """X and y as arrays, `least` rows or more; many rows of numbers as they are, not copied."""
    plain = isinstance(X, np.ndarray) or (issparse(X) and basis.accepts_sparse)
    if not plain or X.ndim != 2 or X.dtype.kind not in "fiub" or X.shape[0] <= MANY_ROWS:
        limits = {"multi_output": several, "ensure_min_samples": least}
        return training_data(estimator, X, y, basis.accepts_sparse, **limits)
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but it is None.")
    y = np.asarray(y) if several else column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    X = X.tocsr() if issparse(X) else np.asarray(X)
    return X, y, {"n_features_in_": X.shape[1], **given_form(X)}


def _lazy_rows(
    estimator: Any, X: Any, y: Any, sample_weight: Any, basis: Basis, obstacle: str | None
) -> ManyRows:
    """The rows of Dask collections."""
    from sparsebayes.rows.dask import DaskBlocks, column_names

    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but it is None.")
    names = column_names(X)
    blocks = DaskBlocks.of(X, y, sample_weight, in_one_thread)
    wrong = obstacle or _objection(estimator, basis, blocks.n_rows)
    if wrong is not None:
        raise ValueError(
            f"X is a collection of Dask, whose rows come block by block: {wrong}. Or load the rows "
            "with X.compute() and y.compute(), if they fit into memory."
        )
    found: dict[str, Any] = {"n_features_in_": blocks.n_features}
    if names is not None:
        found["feature_names_in_"] = names
    return ManyRows(blocks, found, (X, y), blocks.target_axes)


def class_weights(class_weight: Any, classes: np.ndarray, look: Look) -> np.ndarray | None:
    """How often a row of each class counts (n_classes,), as `class_weight` says."""
    if class_weight is None:
        return None
    known = np.isin(look.labels, classes)
    if class_weight == "balanced":
        rows = look.label_rows[0]
        return (rows.sum() / (len(look.labels) * rows))[known]
    return compute_sample_weight(class_weight, look.labels)[known]
