"""The model and the rows that a report is about."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import is_classifier
from sklearn.utils import get_tags
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from sparsebayes.estimators._fitted import Fitted
from sparsebayes.model import NotPortableError
from sparsebayes.model.face import TableInputs
from sparsebayes.model.given import refuse_masked
from sparsebayes.report.markup import clean


@dataclass(frozen=True)
class InputFactor:
    """What an input stands for: itself, or a column of texts that became several inputs.

    Parameters
    ----------
    name : for people
    inputs : their numbers
    categories : the text that each input stands for; None for a single number
    """

    name: str
    inputs: tuple[int, ...]
    categories: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Subject:
    """A fitted model and rows.

    Parameters
    ----------
    model : as it was given
    estimator : fitted; it knows no names of inputs, so that rows can be arrays
    X : inputs (n_rows, n_inputs), dense or sparse
    y : numbers (n_rows, n_outputs), or the place of each label in `classes` (n_rows,)
    names : of the inputs
    targets : names of the outputs; of the one target of a classifier
    classes : labels, as the estimator orders them; None for a regressor
    new : whether the model has not seen these rows
    table : how columns of a table became inputs; None where they were inputs
    """

    model: Any = field(repr=False)
    estimator: Any
    X: Any = field(repr=False)
    y: np.ndarray = field(repr=False)
    names: tuple[str, ...]
    targets: tuple[str, ...]
    classes: np.ndarray | None
    new: bool
    table: TableInputs | None = None

    @property
    def fitted(self) -> Fitted:
        """What the fit left behind: columns, weights and histories."""
        return self.estimator._model

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.X.shape[0]

    @property
    def n_inputs(self) -> int:
        """The number of inputs."""
        return self.X.shape[1]

    @property
    def class_names(self) -> list[str]:
        """The labels as texts."""
        assert self.classes is not None, "a regressor has no classes"
        return [clean(each) for each in self.classes]

    @property
    def counts(self) -> bool:
        """Whether targets are counts, whose logarithmic mean is what columns sum to."""
        return self.fitted.target.counts

    @cached_property
    def pairwise(self) -> bool:
        """Whether inputs are kernel values between rows."""
        return get_tags(self.estimator).input_tags.pairwise

    @cached_property
    def factors(self) -> list[InputFactor]:
        """What the inputs stand for."""
        if self.table is None:
            return [InputFactor(name, (k,)) for k, name in enumerate(self.names)]
        found, start = [], 0
        for column in self.table.columns:
            inputs = tuple(range(start, start + len(column.input_names)))
            texts = column.categories
            found.append(
                InputFactor(clean(column.name), inputs, texts and tuple(map(clean, texts)))
            )
            start += len(inputs)
        return found

    def dense_rows(self, most: int) -> np.ndarray:
        """Some rows (at most `most`, n_inputs), evenly spread over all of them."""
        chosen = np.unique(np.linspace(0, self.n_rows - 1, min(most, self.n_rows)).astype(np.intp))
        rows = self.X[chosen]
        return rows.toarray() if issparse(rows) else rows


def checked(model: Any, X: Any, y: Any, new: bool) -> Subject:
    """What a report is about, or an error that says what is wrong with it."""
    estimator, names, table = _estimator(model)
    columns = getattr(X, "columns", None)
    if columns is not None and names is not None and list(map(str, columns)) != list(names):
        raise ValueError(f"the columns of X are {list(columns)}; expected {list(names)}.")
    refuse_masked(X=X, y=y)
    inputs = check_array(X, accept_sparse="csr", dtype=np.float64, input_name="X")
    n_inputs = estimator.n_features_in_
    if inputs.shape[1] != n_inputs:
        raise ValueError(
            f"X has {inputs.shape[1]} columns; expected {n_inputs}, as the model was fitted to."
        )
    check_consistent_length(inputs, y)
    kind = _labels if is_classifier(estimator) else _numbers
    target, classes = kind(estimator, y)
    n_outputs = 1 if target.ndim == 1 else target.shape[1]
    return Subject(
        model,
        estimator,
        inputs,
        target,
        tuple(map(clean, names or (f"x{k}" for k in range(n_inputs)))),
        _target_names(y, table, n_outputs),
        classes,
        new,
        table,
    )


def _estimator(model: Any) -> tuple[Any, tuple[str, ...] | None, TableInputs | None]:
    """The estimator, names of its inputs, and how a table became inputs."""
    if not hasattr(model, "to_portable"):
        hint = (
            " Give it the last step: report(pipeline[-1], pipeline[:-1].transform(X), y)."
            if hasattr(model, "steps")
            else ""
        )
        raise TypeError(
            "report takes a fitted RVR, RVC, SparseBayesRegressor or SparseBayesClassifier, or "
            f"what sparsebayes.load gives; got {type(model).__name__}.{hint}"
        )
    face = getattr(model, "face", None)
    estimator = copy(model) if face is None else model.to_estimator()
    check_is_fitted(estimator)
    if estimator._model.of_complex:
        raise NotPortableError("a report of a model of complex numbers cannot be written yet.")
    names = vars(estimator).pop("feature_names_in_", None)
    table = None if face is None else face.table
    if table is not None:
        names = table.input_names
    return estimator, None if names is None else tuple(map(str, names)), table


def _numbers(estimator: Any, y: Any) -> tuple[np.ndarray, None]:
    """Targets (n_rows, n_outputs)."""
    target = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
    target = target.reshape(len(target), -1)
    n_outputs = estimator._model.predictor.plain.weights.shape[1]
    if target.shape[1] != n_outputs:
        raise ValueError(f"y has {target.shape[1]} outputs; expected {n_outputs}, as the model.")
    return target, None


def _labels(estimator: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """The place of each label among the classes (n_rows,), and the classes."""
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(f"y must hold a label for each row, got the shape {labels.shape}.")
    place = {label: k for k, label in enumerate(estimator.classes_.tolist())}
    unknown = [each for each in labels.tolist() if each not in place]
    if unknown:
        raise ValueError(
            f"y holds {unknown[0]!r}, which is none of the classes of the model: "
            f"{list(place)[:10]}. Leave out rows of other classes."
        )
    return np.array([place[each] for each in labels.tolist()]), estimator.classes_


def _target_names(y: Any, table: TableInputs | None, n_outputs: int) -> tuple[str, ...]:
    """What is predicted."""
    columns, name = getattr(y, "columns", None), getattr(y, "name", None)
    if columns is not None:
        return tuple(map(clean, columns))
    if n_outputs > 1:
        return tuple(f"y{k}" for k in range(n_outputs))
    if table is not None:
        return (clean(table.target),)
    return ("y" if name is None else clean(name),)
