"""Fifteen and sixty rows: which error bars hold, and how dense the targets are predicted.

Intervals and densities are those of the model's own distribution, and not of a Gaussian of its mean
and standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from sparsebayes import RVR
from studies.beyond.draws import flat
from studies.beyond.trust import peers
from studies.data.samples import Sample, regression_sample
from studies.measures import COVERED, timed

N_NEW, SIZES = 500, (15, 60)
FIRST_SEED = 700
MODELS: dict[str, tuple[str, Callable[[], Any]]] = {
    "default": ("`RVR()`", RVR),
    "student": ('`RVR(likelihood="student_t")`', partial(RVR, likelihood="student_t")),
    "fast": ('`RVR(inference="fast")`', partial(RVR, inference="fast")),
    "variational": ('`RVR(inference="variational")`', partial(RVR, inference="variational")),
}
PROCESS = "Gaussian process, best of three starts"
TITLES = {name: title for name, (title, _) in MODELS.items()} | {"gp": PROCESS}
Inputs = Callable[[int, np.random.Generator], np.ndarray]


class Problem(NamedTuple):
    """Inputs of so many rows, a function of them, the standard deviation of the noise, new inputs.

    New inputs are drawn as the others are if they have no way of their own.
    """

    inputs: Inputs
    function: Callable[[np.ndarray], np.ndarray]
    noise: float
    new: Inputs | None = None


def _uniform(n_inputs: int, low: float = -3.0, high: float = 3.0) -> Inputs:
    return lambda n_rows, random: random.uniform(low, high, (n_rows, n_inputs))


def _gap(n_rows: int, random: np.random.Generator) -> np.ndarray:
    """One input from 0 to 4 and from 7 to 10."""
    x = random.uniform(0.0, 7.0, (n_rows, 1))
    return np.where(x < 4.0, x, x + 3.0)


def _categories(n_rows: int, random: np.random.Generator) -> np.ndarray:
    """One of four categories as four columns, and a number."""
    category = np.eye(4)[random.integers(0, 4, n_rows)]
    return np.hstack([category, random.normal(size=(n_rows, 1))])


def _thirds(n_rows: int, random: np.random.Generator) -> np.ndarray:
    """Three inputs, each row of which comes three times; targets have noise of their own."""
    return np.repeat(random.normal(size=(-(-n_rows // 3), 3)), 3, axis=0)[:n_rows]


def _units(n_rows: int, random: np.random.Generator) -> np.ndarray:
    return random.normal(size=(n_rows, 3)) * np.array([1e-12, 1.0, 1e12])


def _curve(X: np.ndarray) -> np.ndarray:
    return np.sin(2.0 * X[:, 0]) + 0.5 * X[:, 1]


def _friedman(X: np.ndarray) -> np.ndarray:
    return (
        10.0 * np.sin(np.pi * X[:, 0] * X[:, 1])
        + 20.0 * (X[:, 2] - 0.5) ** 2
        + 10.0 * X[:, 3]
        + 5.0 * X[:, 4]
    )


def _normal(n_inputs: int) -> Inputs:
    return lambda n_rows, random: random.normal(size=(n_rows, n_inputs))


PROBLEMS = {
    "sine": Problem(_uniform(1), lambda X: np.sin(2.0 * X[:, 0]), 0.2),
    "gap": Problem(_gap, lambda X: np.sin(X[:, 0]), 0.1, _uniform(1, 0.0, 10.0)),
    "friedman": Problem(_uniform(10, 0.0, 1.0), _friedman, 1.0),
    "linear": Problem(_normal(3), lambda X: X @ [1.0, -0.5, 0.2], 0.3),
    "integers": Problem(
        lambda n_rows, random: random.integers(0, 10, (n_rows, 2)).astype(float),
        lambda X: np.sin(0.5 * X[:, 0]) + 0.1 * X[:, 1],
        0.3,
    ),
    "thirds": Problem(_thirds, _curve, 0.3),
    "categories": Problem(
        _categories, lambda X: X[:, :4] @ [0.0, 1.0, 3.0, -1.0] + np.sin(2.0 * X[:, 4]), 0.2
    ),
    "units": Problem(_units, lambda X: _curve(X * np.array([1e12, 1.0, 1e-12])), 0.2),
    "wide": Problem(_normal(60), lambda X: X[:, 0] - X[:, 1] + np.sin(2.0 * X[:, 2]), 0.3),
    "exact": Problem(_uniform(1), lambda X: np.sin(2.0 * X[:, 0]), 1e-4),
}


def drawn(name: str, n_rows: int, seed: int) -> Sample:
    """A draw of a problem, and new rows with noisy targets."""
    inputs, function, noise, others = PROBLEMS[name]
    random = np.random.default_rng(seed)
    X, new = inputs(n_rows, random), (others or inputs)(N_NEW, random)
    y, truth = function(X) + random.normal(0.0, noise, n_rows), function(new)
    noisy = truth + random.normal(0.0, noise, N_NEW)
    return regression_sample(name, X, y, new, truth, noisy)


def judged(mean: np.ndarray, density: np.ndarray, low: Any, high: Any, y: np.ndarray) -> dict:
    """Coverage in percent, loss and error of predictions."""
    return {
        "coverage": 100.0 * float(np.mean((low <= y) & (y <= high))),
        "loss": -float(np.mean(density)),
        "error": float(np.sqrt(np.mean((mean - y) ** 2))),
    }


def of_ours(one: Sample, make: Callable) -> dict:
    """Coverage, loss and error of one of our models."""
    model, _ = timed(lambda: make().fit(one.X, one.y))
    X, y = one.X_test, one.y_noisy
    low, high = model.predict_quantiles(X, [0.05, 0.95]).T
    return judged(model.predict(X), model.log_density(X, y), low, high, y)


def of_process(one: Sample) -> dict:
    """The Gaussian process of scikit-learn, a scale for each input."""
    model, _ = timed(lambda: peers.process(one))
    mean, std = model.predict(one.X_test, return_std=True)
    y, reach = one.y_noisy, COVERED * std
    return judged(mean, norm.logpdf(y, mean, std), mean - reach, mean + reach, y)


def few_rows_draw(name: str, number: int, sizes: tuple[int, ...] = SIZES) -> dict:
    """All models at all sizes on one draw."""
    found: dict[str, dict] = {}
    for n_rows in sizes:
        one = drawn(name, n_rows, FIRST_SEED + number)
        for kind, (_, make) in MODELS.items():
            found[f"{kind}_{n_rows}"] = of_ours(one, make)
        found[f"gp_{n_rows}"] = of_process(one)
    return flat(found)
