"""Twenty to sixty inputs: a scale for each can lead astray, and one for all can be too few."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from studies.beyond.draws import flat, platt
from studies.beyond.trust import ours, peers
from studies.data import regressions
from studies.data.samples import Sample, regression_sample, regression_split, sample
from studies.measures import measured
from studies.papers import t01_models

N_INPUTS = 30
N_TEST = 1000
# Standard deviation of the noise, relative to that of the targets.
NOISE = 0.2
MOST_ROWS = 400


def all_alike(X: np.ndarray) -> np.ndarray:
    """A curve along one sum of all inputs, and a bowl along another; no input is special."""
    signs = (-1.0) ** np.arange(X.shape[1])
    along, across = (
        X @ direction / X.shape[1] ** 0.5 for direction in (np.ones_like(signs), signs)
    )
    return np.sin(1.5 * along) + 0.5 * across**2


def three_matter(X: np.ndarray) -> np.ndarray:
    """A curve, a bowl and a product of the first three inputs."""
    return np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] ** 2 + X[:, 0] * X[:, 2]


def synthetic(name: str, formula: Callable, seed: int, n_train: int = 300) -> Sample:
    """Normal inputs, and targets by a formula with noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_train + N_TEST, N_INPUTS))
    clean = formula(X)
    y = clean + NOISE * clean.std() * random.normal(size=len(X))
    train, test = slice(n_train), slice(n_train, None)
    return regression_sample(name, X[train], y[train], X[test], clean[test], y[test])


REGRESSIONS: dict[str, tuple] = {
    "all-of-30": (synthetic, "all-of-30", all_alike),
    "three-of-30": (synthetic, "three-of-30", three_matter),
    "yield": (regression_split, "yield", regressions.chemical_yield, 110),
}
CLASSES = ("ionosphere", "sonar", "tumours", "german", "waveform", "ring", "spambase")
SETS = (*REGRESSIONS, *CLASSES)


def wide(name: str, seed: int, **size: int) -> Sample:
    """A draw of a set with many inputs, with few rows for training."""
    if name in REGRESSIONS:
        function, *arguments = REGRESSIONS[name]
        return function(*arguments, seed, **size)
    one = sample(name, seed, **size)
    return one._replace(X=one.X[:MOST_ROWS], y=one.y[:MOST_ROWS])


def width_draw(name: str, number: int, **size: int) -> dict:
    """A scale for each input, one for all, and peers: a Gaussian process and a tuned SVM."""
    one = wide(name, ours.FIRST_SEED + number, **size)
    recipes = {
        "ard": ours.default,
        "learn": ours.one_scale,
        "gp1": peers.one_width,
        "svm": t01_models.svm if one.is_regression else platt,
    }
    return flat({kind: measured(one, partial(fit, one)) for kind, fit in recipes.items()})
