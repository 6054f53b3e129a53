"""Predictions of rows by models that have not seen them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, StratifiedKFold

from sparsebayes.diagnostics.judging import judged
from sparsebayes.diagnostics.report import LEVELS
from sparsebayes.report.given import Subject
from sparsebayes.report.numbers import counted

N_FOLDS, SEED = 5, 0
# With fewer rows there is no telling how good a model is.
LEAST_ROWS = 6
# With more rows one fold is enough, and a fit may take a while.
MOST_ROWS = 5000


@dataclass(frozen=True)
class TargetPredictions:
    """Predictions of one output, of n rows.

    Parameters
    ----------
    rows : their numbers (n,)
    observed, mean, std : of the targets (n,)
    inside : how much of each target is in the interval of each of `LEVELS` (n, len(LEVELS))
    pit : the predicted probability of a smaller target (n,)
    log_density : of the targets (n,)
    baseline : the mean of the targets that the model was fitted to (n,)
    """

    rows: np.ndarray
    observed: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    inside: np.ndarray
    pit: np.ndarray
    log_density: np.ndarray
    baseline: np.ndarray


@dataclass(frozen=True)
class LabelPredictions:
    """Predictions of classes, of n rows and K classes.

    Parameters
    ----------
    rows : their numbers (n,)
    observed : the number of the class (n,)
    probability : of the classes (n, K)
    baseline : the shares of the classes that the model was fitted to (n, K)
    """

    rows: np.ndarray
    observed: np.ndarray
    probability: np.ndarray
    baseline: np.ndarray


@dataclass(frozen=True)
class HeldOut:
    """Predictions, and how they were made.

    Parameters
    ----------
    predictions : of each output; of a classifier one; none where no row could be held out
    how : a sentence: how they were made, or why there are none
    """

    predictions: list[Any]
    how: str


def held_out(given: Subject) -> HeldOut:
    """Predictions of new rows by the model itself, of others by models fitted to the rest."""
    every = np.arange(given.n_rows)
    of_part = _of_targets if given.classes is None else _of_labels
    if given.new:
        part = of_part(given, given.estimator, given.X, every, every)
        how = f"The model has not seen these {counted(given.n_rows, 'row')}; it predicts them here."
        return HeldOut(part, how)
    obstacle = _obstacle(given)
    if obstacle:
        return HeldOut([], obstacle)
    folds = _folds(given)
    try:
        parts = [_of_fold(given, of_part, train, test) for train, test in folds]
    except (ValueError, FloatingPointError) as error:
        return HeldOut([], f"The model could not be fitted again to a part of the rows: {error}")
    found = [_strung(of_output) for of_output in zip(*parts, strict=True)]
    return HeldOut(found, _words(folds, given.n_rows))


def _obstacle(given: Subject) -> str:
    """Why rows cannot be left out; nothing where they can."""
    if given.n_rows < LEAST_ROWS:
        return f"{counted(given.n_rows, 'row')} are too few to leave some of them out."
    if given.classes is None:
        return ""
    found, count = np.unique(given.y, return_counts=True)
    if len(found) < 2:
        return "All rows are of one class, so there is nothing to tell apart."
    if count.min() < 2:
        name = given.class_names[found[count.argmin()]]
        return f"The class {name} has one row, which cannot be left out and learned at once."
    return ""


def _folds(given: Subject) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows to fit to and rows to predict, each row predicted at most once."""
    if given.classes is None:
        n_folds = min(N_FOLDS, given.n_rows // 2)
        splitter: Any = KFold(n_folds, shuffle=True, random_state=SEED)
    else:
        n_folds = min(N_FOLDS, int(np.unique(given.y, return_counts=True)[1].min()))
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=SEED)
    folds = list(splitter.split(np.zeros(given.n_rows), given.y))
    return folds if given.n_rows <= MOST_ROWS else folds[:1]


def _words(folds: list[tuple[np.ndarray, np.ndarray]], n_rows: int) -> str:
    if len(folds) == 1:
        train, test = folds[0]
        return (
            f"There are {n_rows} rows, so the same kind of model was fitted once more, to "
            f"{len(train)} of them, and predicted the other {len(test)}."
        )
    return (
        f"The {n_rows} rows were split into {len(folds)} parts. Each part was predicted by a model "
        "of the same kind that was fitted to the others, so no row was predicted by a model that "
        "had seen it."
    )


def _of_fold(given: Subject, of_part: Callable[..., Any], train: Any, test: Any) -> Any:
    """The predictions of a fold by a model that is fitted to the others."""
    model = clone(given.estimator).set_params(verbose=0)
    rows = given.X[train]
    target = given.y[train] if given.classes is None else given.classes[given.y[train]]
    if target.ndim == 2 and given.fitted.squeezed:
        target = target[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(rows[:, train] if given.pairwise else rows, target)
    new = given.X[test]
    return of_part(given, model, new[:, train] if given.pairwise else new, train, test)


def _of_targets(
    given: Subject, model: Any, X: Any, train: np.ndarray, test: np.ndarray
) -> list[TargetPredictions]:
    """What a model predicts for the rows `test`, by output."""
    mean, std = model.predict(X, return_std=True)
    observed = given.y[test]
    own = judged(model, X, observed.reshape(mean.shape), mean, std, np.array(LEVELS))
    said = np.reshape(mean, observed.shape), np.reshape(std, observed.shape)
    same = np.broadcast_to(given.y[train].mean(axis=0), observed.shape)
    found = observed, *said, *own, same
    return [
        TargetPredictions(test, *(each[..., k] for each in found)) for k in range(observed.shape[1])
    ]


def _of_labels(
    given: Subject, model: Any, X: Any, train: np.ndarray, test: np.ndarray
) -> list[LabelPredictions]:
    """What a model predicts for the rows `test`, in a list of one."""
    assert given.classes is not None, "labels have classes"
    n_classes = len(given.classes)
    probability = np.zeros((len(test), n_classes))
    own = np.flatnonzero(np.isin(given.classes, model.classes_))
    probability[:, own] = model.predict_proba(X)
    share = np.bincount(given.y[train], minlength=n_classes) / len(train)
    share = np.broadcast_to(share, probability.shape)
    return [LabelPredictions(test, given.y[test], probability, share)]


def _strung(parts: tuple[Any, ...]) -> Any:
    """The predictions of all folds, in the order of the rows."""
    order = np.argsort(np.concatenate([part.rows for part in parts]), kind="stable")
    kind = type(parts[0])
    names = vars(parts[0])
    return kind(*(np.concatenate([getattr(p, name) for p in parts])[order] for name in names))
