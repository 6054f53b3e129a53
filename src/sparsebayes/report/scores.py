"""What predictions of unseen rows are worth, with error bars, beside a trivial prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.diagnostics import RegressionCalibration
from sparsebayes.diagnostics.classification import log_losses, of_probabilities
from sparsebayes.diagnostics.regression import summarised
from sparsebayes.diagnostics.report import LEVELS
from sparsebayes.report.held_out import Labels, Targets
from sparsebayes.report.numbers import Measured

# A difference of fewer standard errors may be chance.
CLEAR = 2.0


@dataclass(frozen=True)
class Score:
    """The errors of a model and of a trivial prediction, and how clearly they differ.

    Parameters
    ----------
    error : of the model: root mean square, or share of wrong classes
    trivial : of the trivial prediction, in the same measure
    gain : by how many standard errors the model is better, in squares or in logarithms
    """

    error: Measured
    trivial: float
    gain: float

    @property
    def verdict(self) -> str:
        """How the model compares with the trivial prediction, in words."""
        if self.gain > CLEAR:
            return "clearly better than"
        return "not clearly better than" if self.gain > -CLEAR else "worse than"


def mean_of(values: np.ndarray) -> Measured:
    """The mean and its standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return Measured(float(values.mean()), float(error))


def _in_errors(differences: np.ndarray) -> float:
    """The mean in units of its standard error."""
    mean, error = mean_of(differences)
    if not np.isfinite(error):
        return 0.0
    return mean / error if error > 0.0 else float(np.sign(mean)) * np.inf if mean else 0.0


def _squares(found: Targets) -> tuple[np.ndarray, np.ndarray]:
    """Squared errors of the model, and of the trivial prediction (n,) each."""
    return (found.observed - found.mean) ** 2, (found.observed - found.baseline) ** 2


def of_targets(found: Targets) -> Score:
    """The root mean square error of an output."""
    squares, trivial = _squares(found)
    root = float(np.sqrt(squares.mean()))
    # d sqrt(m) = dm / (2 sqrt(m))
    error = mean_of(squares).error / (2.0 * root) if root > 0.0 else 0.0
    # A constant is predicted without an error, so that nothing can be better.
    gain = _in_errors(trivial - squares) if trivial.any() else 0.0
    return Score(Measured(root, error), float(np.sqrt(trivial.mean())), gain)


def explained(found: Targets) -> Measured:
    """R^2 = 1 - sum of squared errors / that of the trivial prediction."""
    squares, trivial = _squares(found)
    if not trivial.mean() > 0.0:
        return Measured(np.nan, np.nan)
    ratio = squares.mean() / trivial.mean()
    error = mean_of(squares - ratio * trivial).error / trivial.mean()
    return Measured(float(1.0 - ratio), float(error))


def of_labels(found: Labels) -> Score:
    """The share of rows whose most probable class is wrong."""
    wrong = found.probability.argmax(axis=1) != found.observed
    trivial = found.baseline.argmax(axis=1) != found.observed
    share, n_rows = float(wrong.mean()), len(wrong)
    of_both = (log_losses(each, found.observed) for each in (found.baseline, found.probability))
    gain = _in_errors(np.subtract(*of_both))
    error = Measured(share, float(np.sqrt(share * (1.0 - share) / n_rows)))
    return Score(error, float(trivial.mean()), gain)


def target_calibration(found: Targets) -> RegressionCalibration:
    """Error bars of an output against errors."""
    nlpd = -float(found.log_density.mean())
    both = found.observed, found.mean, found.std
    return summarised(*both, np.array(LEVELS), found.inside, found.pit, nlpd)


def label_calibration(found: Labels) -> Any:
    """Probabilities against what happened; classes are known by their numbers."""
    classes = np.arange(found.probability.shape[1])
    return of_probabilities(found.probability, found.observed, classes)
