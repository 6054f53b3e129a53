"""Draws of data sets: training and test rows, scaled."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split

from sparsebayes.datasets import sinc
from studies.data import sources
from studies.measures import percent_wrong, rms
from studies.tuning import gammas, median_distance

# Grids, fidelities, and what is called the best were settled with draws below this one; the studies
# of these take others.
FIRST_UNSEEN = 100


class Sample(NamedTuple):
    """One draw: inputs standardised, and the targets of a regression too, by the training rows.

    Inputs of Boston and U.S.P.S. are in [0, 1] instead. `y_test` is free of noise where the truth
    is known, `y_noisy` never; `spread` is the standard deviation of the targets before scaling, 1
    for labels.
    """

    name: str
    is_regression: bool
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    y_noisy: np.ndarray
    spread: float = 1.0

    def gammas(self, widths) -> list[float]:
        """Widths relative to the median distance of the training rows, as 1 / width^2."""
        return gammas(widths, median_distance(self.X))

    def gamma(self, relative: float) -> float:
        """`relative` over the squared median distance of the training rows."""
        return relative / median_distance(self.X) ** 2

    def error(self, prediction) -> float:
        """The error of [T01]'s tables: 10 RMS for sinc, else MSE; percent of wrong classes."""
        if not self.is_regression:
            return percent_wrong(prediction, self.y_test)
        distance = rms(prediction, self.y_test) * self.spread
        return 10 * distance if self.name.startswith("sinc") else distance**2


def regression_sample(name: str, X, y, X_test, y_test, y_noisy) -> Sample:
    """Rows of a regression as a sample, scaled."""
    centre, spread = y.mean(), y.std()
    targets = [(each - centre) / spread for each in (y, y_test, y_noisy)]
    X, X_test = sources.standardised(X, X_test)
    return Sample(name, True, X, targets[0], X_test, targets[1], targets[2], float(spread))


def class_sample(name: str, X, y, X_test, y_test) -> Sample:
    """Rows of a classification as a sample, inputs scaled."""
    X, X_test = sources.standardised(X, X_test)
    return Sample(name, False, X, y, X_test, y_test, y_test)


def noisy_sinc(noise: str, seed: int, n_train: int = 100) -> Sample:
    """Training rows, and 1000 test rows, both at equal steps."""
    X, y = sources.sinc_sample(n_train, noise, seed)
    X_test, y_noisy = sources.sinc_sample(1000, noise, seed + 1_000_000)
    return regression_sample(f"sinc-{noise}", X, y, X_test, sinc(X_test[:, 0]), y_noisy)


def friedman(number: int, seed: int, n_train: int = 240, noise_inputs: int = 0) -> Sample:
    """Training rows and 1000 test rows; some inputs may have nothing to do with the target."""
    X, y, clean = sources.friedman(number, n_train + 1000, seed)
    others = np.random.default_rng(seed + 1_000_000).uniform(size=(len(X), noise_inputs))
    X, train, test = np.hstack([X, others]), slice(n_train), slice(n_train, None)
    return regression_sample(f"friedman{number}", X[train], y[train], X[test], clean[test], y[test])


def boston(seed: int) -> Sample:
    """481 training and 25 test rows; inputs in [0, 1], as several have long tails."""
    X, y, X_test, y_test = sources.boston_draw(seed)
    least, spread = X.min(axis=0), np.ptp(X, axis=0)
    one = regression_sample("boston", X, y, X_test, y_test, y_test)
    return one._replace(X=(X - least) / spread, X_test=(X_test - least) / spread)


def motorcycle(seed: int) -> Sample:
    """100 training and 33 test rows."""
    X, y = sources.motorcycle()
    X, y, X_test, y_test = sources.draw(X, y, 100, seed)
    return regression_sample("motorcycle", X, y, X_test, y_test, y_test)


def pima(seed: int) -> Sample:
    """The one split of Pima, whatever the seed."""
    return class_sample("pima", *sources.pima())


def ripley(seed: int) -> Sample:
    """100 of the 250 training rows, and the 1000 test rows."""
    return class_sample("ripley", *sources.ripley_draw(seed))


def waveform(seed: int) -> Sample:
    """400 training and 4600 test rows."""
    X, y = sources.waveform(5000, seed)
    return class_sample("waveform", X[:400], y[:400], X[400:], y[400:])


def moons(seed: int, n_train: int = 240) -> Sample:
    """Two half moons that overlap, and 2000 test rows."""
    X, y = make_moons(n_train + 2000, noise=0.3, random_state=seed)
    return class_sample("moons", X[:n_train], y[:n_train], X[n_train:], y[n_train:])


def split(name: str, load: Callable, n_train: int, seed: int) -> Sample:
    """A random part of a set for training, and the rest for the test."""
    X, y = load()
    return class_sample(name, *sources.draw(X, y, n_train, seed))


def regression_split(name: str, load: Callable, n_train: int, seed: int) -> Sample:
    """A random part of a regression for training, and the rest for the test."""
    X, y = load()
    X, y, X_test, y_test = sources.draw(X, y, n_train, seed)
    return regression_sample(name, X, y, X_test, y_test, y_test)


def even_split(name: str, load: Callable, n_train: int, seed: int) -> Sample:
    """A random part with all classes in equal shares in both parts."""
    X, y = load()
    X, X_test, y, y_test = train_test_split(X, y, train_size=n_train, random_state=seed, stratify=y)
    return class_sample(name, X, y, X_test, y_test)


def usps(seed: int) -> Sample:
    """The one split of U.S.P.S., whatever the seed; pixels as they are."""
    X, y, X_test, y_test = sources.usps()
    return Sample("usps", False, X, y, X_test, y_test, y_test)


REGRESSION: dict[str, tuple] = {
    "sinc-gaussian": (noisy_sinc, "gaussian"),
    "sinc-uniform": (noisy_sinc, "uniform"),
    "friedman1": (friedman, 1),
    "friedman2": (friedman, 2),
    "friedman3": (friedman, 3),
    "boston": (boston,),
    "motorcycle": (motorcycle,),
}
CLASSIFICATION: dict[str, tuple] = {
    "usps": (usps,),
    "pima": (pima,),
    "banana": (split, "banana", sources.banana, 400),
    "breast": (split, "breast", sources.breast, 200),
    "titanic": (split, "titanic", sources.titanic, 150),
    "waveform": (waveform,),
    "german": (split, "german", sources.german, 700),
    "heart": (split, "heart", sources.heart, 170),
    "image": (split, "image", sources.image, 1300),
    "ionosphere": (split, "ionosphere", sources.ionosphere, 230),
    "sonar": (split, "sonar", sources.sonar, 140),
    "tumours": (split, "tumours", sources.tumours, 300),
    "ring": (split, "ring", sources.ring, 300),
    "spambase": (split, "spambase", sources.spambase, 400),
    "ripley": (ripley,),
    "moons": (moons,),
    "iris": (even_split, "iris", sources.iris, 90),
    "wine": (even_split, "wine", sources.wine, 107),
    "digits": (even_split, "digits", sources.digits, 1000),
    "vowel": (even_split, "vowel", sources.vowel, 594),
    "satimage": (even_split, "satimage", sources.satimage, 1000),
}


def sample(name: str, seed: int, **size: int) -> Sample:
    """Draw number `seed` of a set; `n_train` sets the size of those that are generated."""
    function, *arguments = {**REGRESSION, **CLASSIFICATION}[name]
    return function(*arguments, seed, **size)
