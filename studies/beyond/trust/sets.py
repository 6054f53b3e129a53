"""Regressions with rows off the data, where a model should know that it knows little."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from sparsebayes.datasets import sinc
from studies.data import regressions, samples, sources
from studies.data.samples import Sample, regression_sample, regression_split

# Rows off the data: this many times as far from the centre of the training rows.
OUTWARDS = 1.5
GAP = 2.0, 6.0
SINC_NOISE = 0.1
# Of the variance of the tied inputs, what two hidden variables explain.
COMMON = 0.9
N_TEST = 1000


class Case(NamedTuple):
    """A draw, and rows off its data by the name of their region, all scaled as the draw.

    `truth` has the noise-free targets of the regions, where they are known; `noise` is then the
    standard deviation of the noise.
    """

    sample: Sample
    regions: dict[str, np.ndarray]
    truth: dict[str, np.ndarray]
    noise: float


def permuted(X: np.ndarray, seed: int) -> np.ndarray:
    """Rows whose columns are permuted, each for itself: each value is known, their sum is new."""
    return np.random.default_rng(seed).permuted(X, axis=0)


def beyond(X: np.ndarray, X_test: np.ndarray) -> np.ndarray:
    """Test rows moved outwards, those that leave the range of the training rows in some input."""
    centre = X.mean(axis=0)
    moved = centre + OUTWARDS * (X_test - centre)
    outside = (moved < X.min(axis=0)) | (moved > X.max(axis=0))
    return moved[outside.any(axis=1)]


def off_data(one: Sample, seed: int) -> dict[str, np.ndarray]:
    """Rows beyond the data and, with several inputs, permuted ones; a region without rows is out.

    Where inputs are independent, as in Friedman's sets, permuted rows are as good as test rows.
    """
    several = one.X.shape[1] > 1
    regions = {"permuted": permuted(one.X_test, seed)} if several else {}
    regions["beyond"] = beyond(one.X, one.X_test)
    return {name: rows for name, rows in regions.items() if len(rows)}


def known(
    name: str, formula: Callable, noise: float, seed: int, X, X_test, more: dict[str, np.ndarray]
) -> Case:
    """Targets by a formula with noise at given inputs; `more` has rows of further regions."""
    random = np.random.default_rng(seed + 1_000_000)
    y, clean = formula(X) + random.normal(0.0, noise, len(X)), formula(X_test)
    y_noisy = clean + random.normal(0.0, noise, len(X_test))
    one = regression_sample(name, X, y, X_test, clean, y_noisy)
    mean, scale = X.mean(axis=0), X.std(axis=0)
    regions = off_data(one, seed)
    regions |= {region: (rows - mean) / scale for region, rows in more.items()}
    truth = {
        region: (formula(rows * scale + mean) - y.mean()) / one.spread
        for region, rows in regions.items()
    }
    return Case(one, regions, truth, noise / one.spread)


def friedman_case(number: int, seed: int, n_train: int = 240) -> Case:
    """Friedman 1, 2 or 3 with its own noise."""
    X, _, clean = sources.friedman(number, n_train + N_TEST, seed)
    noise = 1.0 if number == 1 else float(clean.std() / 3)

    def formula(rows):
        return sources.friedman_formula(number, rows)

    return known(f"friedman{number}", formula, noise, seed, X[:n_train], X[n_train:], {})


def tied_inputs(n_samples: int, seed: int) -> np.ndarray:
    """Ten inputs in [0, 1], each uniform, near a surface that two hidden variables span."""
    random = np.random.default_rng(seed)
    angle = np.linspace(0.0, np.pi, 10, endpoint=False)
    common = random.normal(size=(n_samples, 2)) @ np.array([np.cos(angle), np.sin(angle)])
    own = random.normal(size=(n_samples, 10))
    return norm.cdf(np.sqrt(COMMON) * common + np.sqrt(1.0 - COMMON) * own)


def tied_friedman(seed: int, n_train: int = 240) -> Case:
    """Friedman 1 with inputs that go together, so that permuted rows are off the data."""
    X = tied_inputs(n_train + N_TEST, seed)

    def formula(rows):
        return sources.friedman_formula(1, rows)

    return known("friedman1-tied", formula, 1.0, seed, X[:n_train], X[n_train:], {})


def _sinc(rows: np.ndarray) -> np.ndarray:
    return sinc(rows[:, 0])


def sinc_case(seed: int, n_train: int = 100) -> Case:
    """sin(x) / x at equal steps in [-10, 10]."""
    X, X_test = (np.linspace(-10.0, 10.0, n)[:, None] for n in (n_train, N_TEST))
    return known("sinc-gaussian", _sinc, SINC_NOISE, seed, X, X_test, {})


def gap_sinc(seed: int, n_train: int = 120) -> Case:
    """sin(x) / x in [-10, 10] without the rows of a gap, which are a region."""
    start, end = GAP
    x = np.random.default_rng(seed).uniform(-10.0, 10.0 - (end - start), n_train + N_TEST)
    X = np.where(x < start, x, x + (end - start))[:, None]
    gap = {"gap": np.linspace(start, end, 200)[:, None]}
    return known("gap-sinc", _sinc, SINC_NOISE, seed, X[:n_train], X[n_train:], gap)


KNOWN: dict[str, tuple] = {
    "friedman1": (friedman_case, 1),
    "friedman2": (friedman_case, 2),
    "friedman3": (friedman_case, 3),
    "friedman1-tied": (tied_friedman,),
    "sinc-gaussian": (sinc_case,),
    "gap-sinc": (gap_sinc,),
}
REAL: dict[str, tuple] = {
    "motorcycle": (samples.motorcycle,),
    "boston": (regression_split, "boston", sources.boston, 400),
    "auto": (regression_split, "auto", regressions.auto, 300),
    "concrete": (regression_split, "concrete", regressions.concrete, 400),
    "biomass": (regression_split, "biomass", regressions.biomass, 400),
    "sacramento": (regression_split, "sacramento", regressions.sacramento, 400),
    "diabetes": (regression_split, "diabetes", regressions.diabetes, 300),
    "ozone": (regression_split, "ozone", regressions.ozone, 80),
}
SETS = (*KNOWN, *REAL)
ONE_INPUT = ("sinc-gaussian", "gap-sinc", "motorcycle")


def case(name: str, seed: int, **size: int) -> Case:
    """Draw number `seed` of a set; `n_train` sets the size of those that are generated."""
    if name in KNOWN:
        function, *arguments = KNOWN[name]
        return function(*arguments, seed, **size)
    function, *arguments = REAL[name]
    one = function(*arguments, seed)
    return Case(one, off_data(one, seed), {}, float("nan"))
