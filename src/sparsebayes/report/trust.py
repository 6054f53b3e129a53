"""Whether a model knows how sure it is, in words."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sparsebayes.report.held_out import Labels, Targets
from sparsebayes.report.numbers import Measured, percent, short
from sparsebayes.report.scores import CLEAR

# Of four levels one may be off by chance.
ENOUGH = 2


class Trust(NamedTuple):
    """A finding, and whether there is nothing to warn of."""

    fine: bool
    finding: str


def of_error_bars(found: Targets, k: int, calibration: Any) -> Trust:
    """Error bars of output k against errors."""
    off = (calibration.coverage - calibration.levels) / calibration.coverage_error
    ratio = _standard_error(found.observed[:, k] - found.mean[:, k], found.std[:, k])
    size = f"errors are {short(ratio)} times as large as they say (root mean square)"
    at = int(np.flatnonzero(calibration.levels == 0.9)[0])
    share = Measured(float(calibration.coverage[at]), float(calibration.coverage_error[at]))
    of_90 = f"The 90 % intervals hold {share.in_percent} of the targets."
    low, high = np.count_nonzero(off < -CLEAR), np.count_nonzero(off > CLEAR)
    if low and high:
        return Trust(
            False,
            f"Error bars have the wrong shape: some intervals hold too many targets, others too "
            f"few, as errors are not spread as the model says; {size}. {of_90}",
        )
    if low >= ENOUGH:
        return Trust(False, f"Error bars are too small: {size}. {of_90}")
    if high >= ENOUGH:
        return Trust(False, f"Error bars are too large: {size}. {of_90}")
    return Trust(
        True,
        f"Nothing says that error bars are too small or too large: {size}. {of_90}",
    )


def _standard_error(residual: np.ndarray, std: np.ndarray) -> float:
    """Root mean square of residual / std; 0 / 0 counts as 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.where(residual == 0.0, 0.0, residual / std)
        return float(np.sqrt(np.mean(ratio**2)))


def of_probabilities(found: Labels) -> Trust:
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
