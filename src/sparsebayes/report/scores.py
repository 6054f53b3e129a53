"""What predictions of unseen rows are worth beside a trivial one, and how sure they can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.diagnostics import RegressionCalibration
from sparsebayes.diagnostics.classification import log_losses, of_probabilities
from sparsebayes.diagnostics.regression import standard_score, summarised
from sparsebayes.diagnostics.report import LEVELS
from sparsebayes.report.held_out import LabelPredictions, TargetPredictions
from sparsebayes.report.numbers import Measured, percent, short

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


def _squares(found: TargetPredictions) -> tuple[np.ndarray, np.ndarray]:
    """Squared errors of the model, and of the trivial prediction (n,) each."""
    return (found.observed - found.mean) ** 2, (found.observed - found.baseline) ** 2


def of_targets(found: TargetPredictions) -> Score:
    """The root mean square error of an output."""
    squares, trivial = _squares(found)
    root = float(np.sqrt(squares.mean()))
    # d sqrt(m) = dm / (2 sqrt(m))
    error = mean_of(squares).error / (2.0 * root) if root > 0.0 else 0.0
    # A constant is predicted without an error, so that nothing can be better.
    gain = _in_errors(trivial - squares) if trivial.any() else 0.0
    return Score(Measured(root, error), float(np.sqrt(trivial.mean())), gain)


def explained(found: TargetPredictions) -> Measured:
    """R^2 = 1 - sum of squared errors / that of the trivial prediction."""
    squares, trivial = _squares(found)
    if not trivial.mean() > 0.0:
        return Measured(np.nan, np.nan)
    ratio = squares.mean() / trivial.mean()
    error = mean_of(squares - ratio * trivial).error / trivial.mean()
    return Measured(float(1.0 - ratio), float(error))


def of_labels(found: LabelPredictions) -> Score:
    """The share of rows whose most probable class is wrong."""
    wrong = found.probability.argmax(axis=1) != found.observed
    trivial = found.baseline.argmax(axis=1) != found.observed
    share, n_rows = float(wrong.mean()), len(wrong)
    of_both = (log_losses(each, found.observed) for each in (found.baseline, found.probability))
    gain = _in_errors(np.subtract(*of_both))
    error = Measured(share, float(np.sqrt(share * (1.0 - share) / n_rows)))
    return Score(error, float(trivial.mean()), gain)


def target_calibration(found: TargetPredictions) -> RegressionCalibration:
    """Error bars of an output against errors."""
    nlpd = -float(found.log_density.mean())
    both = found.observed, found.mean, found.std
    return summarised(*both, np.array(LEVELS), found.inside, found.pit, nlpd)


def label_calibration(found: LabelPredictions) -> Any:
    """Probabilities against what happened; classes are known by their numbers."""
    classes = np.arange(found.probability.shape[1])
    return of_probabilities(found.probability, found.observed, classes)


# Of four levels one may be off by chance, unless it is off by more than `FAR` standard errors.
ENOUGH, FAR = 2, 3.0
# The part of the errors that tails are made of.
TAIL = 0.01


class Trust(NamedTuple):
    """A finding, and whether there is nothing to warn of."""

    fine: bool
    finding: str


def trust_in_error_bars(found: TargetPredictions, calibration: Any) -> Trust:
    """Error bars of an output against errors."""
    return beside_errors(calibration, standard_score(found.observed - found.mean, found.std))


def beside_errors(calibration: Any, score: np.ndarray) -> Trust:
    """What intervals hold, and how large errors are beside their standard deviations.

    Error bars are too small, or too large, where both say so. Where they do not agree, errors are
    spread in another way than the model says.

    Parameters
    ----------
    score : errors over standard deviations (n,)
    """
    off = (calibration.coverage - calibration.levels) / calibration.coverage_error
    ratio = relative_error(score)
    few, many = _at_fault(off)
    by = _from_one(ratio)
    size = f"errors are {ratio} times as large as they say (root mean square)"
    if few and by > 0.5 and not many:
        return Trust(False, f"Error bars are too small: {size}. {_holding(calibration, -off)}")
    if many and by < -0.5 and not few:
        return Trust(False, f"Error bars are too large: {size}. {_holding(calibration, off)}")
    if few or many or by > CLEAR:
        worst = [side for side, found in ((-off, few), (off, many)) if found]
        said = f"Error bars have the wrong shape: {SHAPES[few, many]}, while {size}"
        return Trust(False, f"{said}. {_holding(calibration, *worst)}{_tail(score)}")
    chance = (
        " One of the levels is off, which may be chance." if (np.abs(off) > CLEAR).any() else ""
    )
    fault = "too small" if by < -CLEAR else "too small or too large"
    said = f"Nothing says that error bars are {fault}: {size}"
    return Trust(True, f"{said}. {_holding(calibration)}{chance}")


def _at_fault(off: np.ndarray) -> tuple[bool, bool]:
    """Whether intervals hold too few targets, and whether some hold too many, beyond chance."""
    low, high = off < -CLEAR, off > CLEAR
    sure = np.count_nonzero(low | high) >= ENOUGH or np.abs(off).max() > FAR
    return bool(sure and low.any()), bool(sure and high.any())


def _from_one(ratio: Measured) -> float:
    """How far a ratio is from one, in standard errors."""
    difference = ratio.value - 1.0
    return difference / ratio.error if ratio.error else float(np.sign(difference)) * np.inf


# Whether there are intervals that hold too few, and such that hold too many.
SHAPES = {
    (True, True): "some intervals hold too many targets, others too few",
    (True, False): "intervals hold too few targets",
    (False, True): "intervals hold too many targets",
    (False, False): "intervals hold as many targets as they say",
}


def _holding(calibration: Any, *worst: np.ndarray) -> str:
    """What the intervals of 90 % hold, or those at the highest entry of each list in `worst`."""
    chosen = [int(np.argmax(each)) for each in worst]
    columns = calibration.levels, calibration.coverage, calibration.coverage_error
    held = [
        f"the {percent(level)} intervals hold {Measured(float(share), float(error)).in_percent}"
        for k, (level, share, error) in enumerate(zip(*columns, strict=True))
        if (k in chosen if chosen else level == 0.9)
    ]
    return f"T{' and '.join(held)[1:]} of the targets."


def _tail(score: np.ndarray) -> str:
    """A sentence on a few errors that make all errors look large; nothing where there are none."""
    size = np.sort(np.abs(score))
    most = size[: int(len(size) * (1.0 - TAIL))]
    ratio, rest = relative_error(size).value, relative_error(most).value
    if not (ratio > 1.0 and rest - 1.0 < 0.5 * (ratio - 1.0)):
        return ""
    return (
        f" A few errors are far larger than the others: without the largest {percent(TAIL)}, they "
        f"are {short(rest)} times as large."
    )


def relative_error(score: np.ndarray) -> Measured:
    """Root mean square of errors over standard deviations, and its standard error.

    The standard error is at least that of Gaussian errors, as few rows show no tails.
    """
    with np.errstate(over="ignore"):
        square = score**2
        ratio = float(np.sqrt(np.mean(square)))
    if len(score) < 2 or not np.isfinite(ratio) or ratio == 0.0:
        return Measured(ratio, 0.0)
    spread = max(float(square.std(ddof=1)) / (2.0 * ratio), 0.5**0.5)
    return Measured(ratio, spread / len(score) ** 0.5)


def trust_in_probabilities(found: LabelPredictions, calibration: Any) -> Trust:
    """The probability of the most probable class against how often it is right."""
    sure = found.probability.max(axis=1)
    right = found.probability.argmax(axis=1) == found.observed
    error = float(np.sqrt(np.sum(sure * (1.0 - sure)))) / len(sure)
    share = Measured(float(right.mean()), error)
    figures = (
        f"it gives the class that it chooses a probability of {percent(sure.mean())} on average, "
        f"and is right in {share.in_percent} of rows"
    )
    difference = sure.mean() - share.value
    if difference > CLEAR * error:
        return Trust(False, f"The model is too sure of itself: {figures}.")
    if difference < -CLEAR * error:
        return Trust(False, f"The model is too cautious: {figures}.")
    return Trust(True, f"Nothing says that probabilities are too high or too low: {figures}.")
