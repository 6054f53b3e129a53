"""Draws of the benchmark sets of [T01] 4.4 and App. E: training and test rows, scaled."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sparsebayes.datasets import sinc
from sparsebayes.reproduce import data
from sparsebayes.reproduce.measures import percent_wrong, rms
from sparsebayes.reproduce.tuning import gammas, median_distance

# Grids, fidelities, and what is called the best were settled with draws below this one; the studies
# of these take others.
FIRST_UNSEEN = 100


class Sample(NamedTuple):
    """One draw: inputs standardised, and the targets of a regression too, by the training rows.

    Inputs of Boston and U.S.P.S. are in [0, 1] instead. `y_test` is free of noise where the truth
    is known, `y_noisy` never; `spread` is the standard deviation of the targets before scaling, 1
    for labels.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    y_noisy: np.ndarray
    spread: float = 1.0

    def gammas(self, widths) -> list[float]:
        """Widths relative to the median distance of the training rows, as 1 / width^2."""
        return gammas(widths, median_distance(self.X))


def _regression(X, y, X_test, y_test, y_noisy) -> Sample:
    centre, spread = y.mean(), y.std()
    targets = [(each - centre) / spread for each in (y, y_test, y_noisy)]
    X, X_test = data.standardised(X, X_test)
    return Sample(X, targets[0], X_test, targets[1], targets[2], float(spread))


def _classification(X, y, X_test, y_test) -> Sample:
    X, X_test = data.standardised(X, X_test)
    return Sample(X, y, X_test, y_test, y_test)


def noisy_sinc(noise: str, seed: int) -> Sample:
    """100 training rows, and 1000 test rows at equal steps."""
    X, y = data.sinc_sample(100, noise, seed)
    X_test, y_noisy = data.sinc_sample(1000, noise, seed + 1_000_000)
    return _regression(X, y, X_test, sinc(X_test[:, 0]), y_noisy)


def friedman(number: int, seed: int) -> Sample:
    """240 training and 1000 test rows."""
    X, y, clean = data.friedman(number, 1240, seed)
    return _regression(X[:240], y[:240], X[240:], clean[240:], y[240:])


def boston(seed: int) -> Sample:
    """481 training and 25 test rows; inputs in [0, 1], as several have long tails."""
    X, y, X_test, y_test = data.boston_draw(seed)
    least, spread = X.min(axis=0), np.ptp(X, axis=0)
    one = _regression(X, y, X_test, y_test, y_test)
    return one._replace(X=(X - least) / spread, X_test=(X_test - least) / spread)


def pima(seed: int) -> Sample:
    """The one split, whatever the seed."""
    return _classification(*data.pima())


def ripley(seed: int) -> Sample:
    """100 of the 250 training rows, and the 1000 test rows."""
    return _classification(*data.ripley_draw(seed))


def waveform(seed: int) -> Sample:
    """400 training and 4600 test rows."""
    X, y = data.waveform(5000, seed)
    return _classification(X[:400], y[:400], X[400:], y[400:])


def split(load: Callable, n_train: int, seed: int) -> Sample:
    """A random part of a set for training, and the rest for the test."""
    X, y = load()
    return _classification(*data.draw(X, y, n_train, seed))


def usps(seed: int) -> Sample:
    """The one split, whatever the seed; pixels as they are."""
    X, y, X_test, y_test = data.usps()
    return Sample(X, y, X_test, y_test, y_test)


REGRESSION: dict[str, tuple[Callable[..., Sample], tuple]] = {
    "sinc-gaussian": (noisy_sinc, ("gaussian",)),
    "sinc-uniform": (noisy_sinc, ("uniform",)),
    "friedman1": (friedman, (1,)),
    "friedman2": (friedman, (2,)),
    "friedman3": (friedman, (3,)),
    "boston": (boston, ()),
}
CLASSIFICATION: dict[str, tuple[Callable[..., Sample], tuple]] = {
    "usps": (usps, ()),
    "pima": (pima, ()),
    "banana": (split, (data.banana, 400)),
    "breast": (split, (data.breast, 200)),
    "titanic": (split, (data.titanic, 150)),
    "waveform": (waveform, ()),
    "german": (split, (data.german, 700)),
    "image": (split, (data.image, 1300)),
    "ripley": (ripley, ()),
}


def sample(name: str, seed: int) -> Sample:
    """Draw number `seed` of a set."""
    function, arguments = {**REGRESSION, **CLASSIFICATION}[name]
    return function(*arguments, seed)


def error(name: str, one: Sample, prediction) -> float:
    """In the measure of the paper's table: 10 RMS for sinc, MSE otherwise; percent of errors."""
    if name in CLASSIFICATION:
        return percent_wrong(prediction, one.y_test)
    distance = rms(prediction, one.y_test) * one.spread
    return 10 * distance if name.startswith("sinc") else distance**2
