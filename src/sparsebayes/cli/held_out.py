"""How good a model is on rows that it has not seen, beside predicting the same for all."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import accuracy_score, log_loss, r2_score
from sklearn.model_selection import KFold, StratifiedKFold

from sparsebayes.cli.messages import counted, in_columns, note, say, told_progress, with_error
from sparsebayes.diagnostics.judging import judged

# The level of central intervals, and half the width of that of a Gaussian in standard deviations.
LEVEL, HALF_WIDTH = 0.9, 1.6448536269514722
# What figures are called, and whether they are per cent.
WORDS = {
    "r2": "R2",
    "rmse": "RMSE",
    "nlpd": "NLPD",
    "coverage": "in 90 % intervals",
    "accuracy": "accuracy",
    "log_loss": "log loss",
}
PERCENT = ("coverage", "accuracy")
BASELINE = {"RVR": "always the mean", "RVC": "shares of the classes"}


def held_out(estimator: Any, X: np.ndarray, y: np.ndarray, folds: int) -> dict[str, float] | None:
    """Figures of a cross-validation, as `face.about["held_out"]` has them.

    Returns
    -------
    figures : of each name k in `WORDS` that applies the mean over folds, its standard error
        "k_error", and "k_baseline", the mean for a prediction that is the same for all rows; and
        "folds". None if there are too few rows for it.
    """
    splits = _splits(y, folds, hasattr(estimator, "predict_proba"))
    if splits is None:
        return None
    of_model, of_baseline, n_warned = [], [], 0
    measure = _classes if hasattr(estimator, "predict_proba") else _numbers
    for number, (train, test) in enumerate(splits, start=1):
        with (
            told_progress(f"cross-validation, fold {number} of {len(splits)}"),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always", UserWarning)
            model = clone(estimator).fit(X[train], y[train])
        n_warned += any(issubclass(each.category, UserWarning) for each in caught)
        mine, other = measure(model, X[test], y[test], y[train])
        of_model.append(mine)
        of_baseline.append(other)
    if n_warned:
        say("warning", f"{n_warned} of {len(splits)} fits of the cross-validation gave warnings.")
    return _summary(of_model, of_baseline)


def _splits(y: np.ndarray, folds: int, of_classes: bool) -> list[tuple] | None:
    """Rows to train on and to test, of each fold."""
    most, why = len(y) // 2, f"there are {counted(len(y), 'row')}"
    if of_classes:
        values, counts = np.unique(y, return_counts=True)
        most = int(counts.min())
        why = f"class {str(values[counts.argmin()])!r} has {counted(most, 'row')}"
    if most < 2:
        note(f"there is no held-out estimate, as {why}.")
        return None
    if most < folds:
        note(f"the cross-validation has {most} folds in place of {folds}, as {why}.")
    kind = StratifiedKFold if of_classes else KFold
    cut = kind(min(folds, most), shuffle=True, random_state=0)
    return list(cut.split(np.zeros(len(y)), y))


def _numbers(model: Any, X: np.ndarray, y: np.ndarray, seen: np.ndarray) -> tuple[dict, dict]:
    mean, std = model.predict(X, return_std=True)
    own = judged(model, X, y, mean, std, np.array([LEVEL]))
    same, spread = np.full(len(y), seen.mean()), seen.std()
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.where(y == same, 0.0, (y - same) / spread)
        density = -0.5 * score**2 - 0.5 * np.log(2.0 * np.pi) - np.log(spread)
    if model._model.target.counts:
        density = _density_of_counts(model.likelihood_, y, seen)
    mine = _of_numbers(y, mean, own.log_density, own.inside)
    return mine, _of_numbers(y, same, density, np.abs(score) <= HALF_WIDTH)


def _of_numbers(
    y: np.ndarray, mean: np.ndarray, log_density: np.ndarray, inside: np.ndarray
) -> dict[str, float]:
    return {
        "r2": float(r2_score(y, mean)),
        "rmse": float(np.sqrt(np.mean((y - mean) ** 2))),
        "nlpd": -float(log_density.mean()),
        "coverage": float(inside.mean()),
    }


def _density_of_counts(likelihood: Any, y: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Log probabilities of counts whose mean, and spread, are those of all that were seen."""
    mean = max(float(seen.mean()), 0.5 / len(seen))
    return likelihood.with_moments(mean, float(seen.var())).expand(y, np.zeros(len(y))).value


def _classes(model: Any, X: np.ndarray, y: np.ndarray, seen: np.ndarray) -> tuple[dict, dict]:
    classes, counts = np.unique(seen, return_counts=True)
    share = np.tile(counts / counts.sum(), (len(y), 1))
    most_frequent = np.full(len(y), classes[counts.argmax()])
    mine = _of_classes(y, model.predict(X), model.predict_proba(X), model.classes_)
    return mine, _of_classes(y, most_frequent, share, classes)


def _of_classes(
    y: np.ndarray, label: np.ndarray, probability: np.ndarray, classes: np.ndarray
) -> dict[str, float]:
    return {
        "accuracy": float(accuracy_score(y, label)),
        "log_loss": float(log_loss(y, probability, labels=classes)),
    }


def _summary(of_model: list[dict], of_baseline: list[dict]) -> dict[str, float]:
    figures: dict[str, float] = {"folds": len(of_model)}
    for name in of_model[0]:
        values = np.array([each[name] for each in of_model])
        figures[name] = float(values.mean())
        figures[f"{name}_error"] = float(values.std(ddof=1) / np.sqrt(len(values)))
        figures[f"{name}_baseline"] = float(np.mean([each[name] for each in of_baseline]))
    return figures


def as_text(figures: dict[str, float], estimator: str) -> str:
    """The figures as a table."""
    rows = [("", "model", BASELINE.get(estimator, "baseline"))]
    for name, words in WORDS.items():
        if name in figures:
            unit, factor = (" %", 100.0) if name in PERCENT else ("", 1.0)
            ends = ("", "_error", "_baseline")
            mine, other = with_error(*(factor * figures[f"{name}{end}"] for end in ends))
            rows.append((words, f"{mine}{unit}", f"{other}{unit}"))
    head = (
        f"held out: {figures['folds']:.0f}-fold cross-validation, mean +- standard error over folds"
    )
    return f"{head}\n{in_columns(list(rows))}"


def lines_of(figures: dict[str, float], estimator: str) -> Iterator[str]:
    """What is to be said of a model that is no better than nothing."""
    name = "rmse" if "rmse" in figures else "log_loss"
    if not figures[name] < figures[f"{name}_baseline"]:
        yield (
            f"on rows that it has not seen, the model is no better than "
            f"{BASELINE.get(estimator, 'its baseline')}: the inputs may not bear on the target, or "
            "the rows are too few."
        )
