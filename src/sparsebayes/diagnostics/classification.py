"""Probabilities against what happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import check_scalar

from sparsebayes.diagnostics._rows import checked_target, table

# How far probabilities may be from a sum of 1: those in single precision are rounded.
ROUNDING = 1e-3
N_BINS = 10


@dataclass(frozen=True, eq=False)
class ClassificationCalibration:
    """How well the probabilities of a classifier match the labels. `calibration_report` makes it.

    With two classes, `confidence` is the probability of ``classes[1]`` and `accuracy` the share of
    rows of this class, as in scikit-learn's `calibration_curve`. With more classes, `confidence` is
    the probability of the most probable class, and `accuracy` the share of rows that are of it.
    Bins have equal widths. A bin without rows has a confidence and an accuracy of NaN.

    Parameters
    ----------
    classes : array of shape (n_classes,)
        Labels of the classes, in the order of the estimator.
    edges : array of shape (n_bins + 1,)
        Where bins begin and end, from 0 to 1. A confidence on an edge is in the bin below it.
    confidence : array of shape (n_bins,)
        Mean confidence of each bin.
    accuracy : array of shape (n_bins,)
        Accuracy of each bin. For a calibrated model it is about the confidence.
    accuracy_error : array of shape (n_bins,)
        Standard error of the accuracy of a calibrated model, ``sqrt(sum p (1 - p)) / count``, where
        p are the confidences in the bin. A difference of more than two of them is hardly chance.
    count : array of shape (n_bins,)
        The number of rows in each bin.
    log_loss : float
        Minus the mean log probability of the true class, in nats. A probability of zero counts as
        2.2e-16, as in scikit-learn.
    brier : float
        Mean square of probability minus outcome; for more than two classes, summed over them.
    expected_calibration_error : float
        The mean over rows of the distance between accuracy and confidence of their bin.
    error : float
        The share of rows whose most probable class is wrong.
    n_samples : int
        Number of rows.

    See Also
    --------
    ClassificationCalibrationDisplay : Draws it.

    Examples
    --------
    >>> from sparsebayes import RVC
    >>> from sparsebayes.datasets import ripley_mixture
    >>> from sparsebayes.diagnostics import calibration_report
    >>> model = RVC(gamma=4.0).fit(*ripley_mixture(250, random_state=0))
    >>> report = calibration_report(model, *ripley_mixture(1000, random_state=1))
    >>> report.error < 0.15, report.log_loss < 0.4
    (True, True)
    """

    classes: np.ndarray
    edges: np.ndarray = field(repr=False)
    confidence: np.ndarray
    accuracy: np.ndarray
    accuracy_error: np.ndarray
    count: np.ndarray
    log_loss: float
    brier: float
    expected_calibration_error: float
    error: float
    n_samples: int

    def __str__(self) -> str:
        filled = self.count > 0
        columns = (self.confidence, self.accuracy, self.accuracy_error, self.count)
        rows = [
            (f"{confidence:.3f}", f"{accuracy:.3f}", f"{error:.3f}", f"{count}")
            for confidence, accuracy, error, count in zip(
                *(column[filled] for column in columns), strict=True
            )
        ]
        return (
            f"{self.n_samples} rows, {len(self.classes)} classes: error {self.error:.4g}, log loss "
            f"{self.log_loss:.4g}, brier {self.brier:.4g}, "
            f"expected calibration error {self.expected_calibration_error:.4g}\n"
            + table((*what_is_binned(self.classes), "standard error", "rows"), rows)
        )


def what_is_binned(classes: np.ndarray) -> tuple[str, str]:
    """What `confidence` and `accuracy` of a report are called."""
    if len(classes) == 2:
        return f"probability of {classes[1]}", f"share of {classes[1]}"
    return "confidence", "accuracy"


def classification_calibration(
    estimator: Any, X: Any, y: Any, n_bins: int
) -> ClassificationCalibration:
    """What `calibration_report` says of a classifier."""
    check_scalar(n_bins, "n_bins", Integral, min_val=1)
    y = checked_target(estimator, X, y, None)
    probability = _probabilities(estimator, X, len(y))
    return of_probabilities(probability, _positions(estimator, y), estimator.classes_, n_bins)


def of_probabilities(
    probability: np.ndarray, truth: np.ndarray, classes: Any, n_bins: int = N_BINS
) -> ClassificationCalibration:
    """The report of probabilities (n, n_classes), and of the numbers of the true classes (n,)."""
    two = probability.shape[1] == 2
    hit = probability.argmax(axis=1) == truth
    confidence = probability[:, 1] if two else probability.max(axis=1)
    squares = ((probability - np.eye(probability.shape[1])[truth]) ** 2).sum(axis=1)
    return ClassificationCalibration(
        classes=np.asarray(classes),
        **_bins(confidence, truth == 1 if two else hit, n_bins),
        log_loss=float(log_losses(probability, truth).mean()),
        brier=float(squares.mean()) / (2.0 if two else 1.0),
        error=float(np.mean(~hit)),
        n_samples=len(truth),
    )


def log_losses(probability: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Minus the log probability of what happened (n,); one of zero counts as 2.2e-16."""
    return -np.log(np.maximum(probability[np.arange(len(truth)), truth], np.finfo(float).eps))


def _positions(estimator: Any, y: np.ndarray) -> np.ndarray:
    """The place of each label in `classes_` (n,)."""
    place = {label: k for k, label in enumerate(np.asarray(estimator.classes_).tolist())}
    labels = y.tolist()
    unseen = {label for label in labels if label not in place}
    if unseen:
        raise ValueError(
            f"y holds labels that {type(estimator).__name__} has not seen: "
            f"{sorted(unseen, key=str)[:5]}; expected some of {list(place)}. Leave these rows out, "
            "or fit with rows of these classes."
        )
    return np.array([place[label] for label in labels])


def _probabilities(estimator: Any, X: Any, n_samples: int) -> np.ndarray:
    """Predicted probabilities (n, n_classes)."""
    name = type(estimator).__name__
    if not hasattr(estimator, "predict_proba"):
        raise TypeError(
            f"calibration_report needs predict_proba, which {name} does not have. Give it a "
            "classifier that does, such as RVC, or wrap this one in CalibratedClassifierCV."
        )
    probability = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    if probability.shape != (n_samples, len(estimator.classes_)):
        raise ValueError(
            f"predict_proba of {name} gives an array of shape {probability.shape}; expected a row "
            f"for each of {n_samples} samples and a column for each of "
            f"{len(estimator.classes_)} classes."
        )
    excess = np.abs(probability.sum(axis=1) - 1.0)
    if not (excess.max() < ROUNDING and probability.min() > -ROUNDING):
        raise ValueError(
            f"predict_proba of {name} gives numbers that are no probabilities; expected numbers of "
            "0 or more that sum to 1 in each row."
        )
    return np.clip(probability, 0.0, 1.0)


def _bins(confidence: np.ndarray, outcome: np.ndarray, n_bins: int) -> dict[str, Any]:
    """Means of confidence and outcome in bins of equal width, and how far they are apart."""
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    place = np.searchsorted(edges[1:-1], confidence)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(place, values, minlength=n_bins)

    count = np.bincount(place, minlength=n_bins)
    expected, happened = total(confidence), total(outcome)
    with np.errstate(invalid="ignore"):
        return {
            "edges": edges,
            "confidence": expected / count,
            "accuracy": happened / count,
            "accuracy_error": np.sqrt(total(confidence * (1.0 - confidence))) / count,
            "count": count,
            "expected_calibration_error": float(np.abs(expected - happened).sum() / len(place)),
        }
