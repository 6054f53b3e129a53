"""The (data set, kernel width) cases on which inferences are compared."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist

from sparsebayes.datasets import sinc
from sparsebayes.reproduce import data

WIDTHS = (0.03, 0.1, 0.3, 1.0)


class Case(NamedTuple):
    """Training and test data, inputs standardised, and a width relative to the median distance.

    `y_test` is free of noise where the data are generated, `y_new` is not.
    """

    name: str
    task: str
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    y_new: np.ndarray

    def gamma(self, relative: float) -> float:
        """`relative` over the median squared distance of (at most 1000) training rows."""
        return relative / float(np.median(pdist(self.X[:1000], "sqeuclidean")))


def standardised(name, task, X, y, X_test, y_test, y_new=None) -> Case:
    """The case with inputs scaled, and the targets of a regression too."""
    y_new = y_test if y_new is None else y_new
    mean, scale = X.mean(axis=0), X.std(axis=0)
    scale[scale == 0] = 1.0
    X, X_test = (X - mean) / scale, (X_test - mean) / scale
    if task == "regression":
        centre, spread = y.mean(), y.std()
        y, y_test, y_new = ((each - centre) / spread for each in (y, y_test, y_new))
    return Case(name, task, X, y, X_test, y_test, y_new)


def friedman_case(number, n_samples, seed) -> Case:
    X, y, clean = data.friedman(number, n_samples + 1000, seed)
    train, test = slice(None, n_samples), slice(n_samples, None)
    tested = X[test], clean[test], y[test]
    return standardised(f"friedman{number}", "regression", X[train], y[train], *tested)


def sinc_case(n_samples, seed) -> Case:
    X = np.linspace(-10, 10, n_samples)[:, None]
    random = np.random.default_rng(seed)
    y = sinc(X[:, 0]) + random.normal(0, 0.1, n_samples)
    test = np.linspace(-10, 10, 1000)[:, None]
    clean = sinc(test[:, 0])
    new = clean + random.normal(0, 0.1, 1000)
    return standardised("sinc", "regression", X, y, test, clean, new)


def waveform_case(n_samples, seed) -> Case:
    X, y = data.waveform(n_samples + 4000, seed)
    train, test = slice(None, n_samples), slice(n_samples, None)
    return standardised("waveform", "classification", X[train], y[train], X[test], y[test])


def ripley_case(n_samples, seed) -> Case:
    X, y, *test = data.ripley()
    return standardised("ripley", "classification", *data.draw(X, y, n_samples, seed)[:2], *test)


def small_cases(seed: int, generated_only: bool = False) -> list[Case]:
    """All sets of the papers at the papers' sizes, and some at 1000 rows."""
    generated = [friedman_case(number, 240, seed) for number in (1, 2, 3)]
    generated += [friedman_case(1, 1000, seed), friedman_case(3, 1000, seed)]
    generated += [sinc_case(100, seed), waveform_case(400, seed)]
    return generated if generated_only else generated + _stored_cases(seed)


def _stored_cases(seed: int) -> list[Case]:
    cases = [standardised("boston", "regression", *data.draw(*data.boston(), 481, seed))]
    cases += [standardised("motorcycle", "regression", *data.draw(*data.motorcycle(), 100, seed))]
    cases += [ripley_case(100, seed)]
    cases += [standardised("pima", "classification", *data.pima())]
    cases += [standardised("banana", "classification", *data.draw(*data.banana(), 400, seed))]
    cases += [standardised("heart", "classification", *data.draw(*data.heart(), 170, seed))]
    return cases
