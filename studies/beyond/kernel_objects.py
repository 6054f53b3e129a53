"""Kernel objects of scikit-learn: beside its Gaussian process with the same object and noise."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    Matern,
    RationalQuadratic,
    WhiteKernel,
)

from sparsebayes import RVR
from studies.framework.experiment import Block, Experiment, Status, Table, Task, Verdict, cell
from studies.framework.sets import set_draws, values

RESTARTS, N_TRAIN, N_TEST = 5, 120, 400
# What is allowed: error of the process times this, and so many nats below its best likelihood.
MOST_ERROR, MOST_NATS = 1.05, 1.0


class Setting(NamedTuple):
    """A kernel object, and rows that suit it.

    Attributes
    ----------
    title : of the kernel
    kernel : () -> the object as a user would write it
    inputs : (random, n) -> inputs
    truth : inputs -> values without noise
    noise : standard deviation
    """

    title: str
    kernel: Callable[[], Any]
    inputs: Callable[[np.random.Generator, int], np.ndarray]
    truth: Callable[[np.ndarray], np.ndarray]
    noise: float


def _line(random: np.random.Generator, n: int) -> np.ndarray:
    return random.uniform(-10.0, 10.0, (n, 1))


def _months(random: np.random.Generator, n: int) -> np.ndarray:
    return random.uniform(0.0, 20.0, (n, 1))


def _plane(random: np.random.Generator, n: int) -> np.ndarray:
    return random.uniform(-2.0, 2.0, (n, 2))


def _friedman(random: np.random.Generator, n: int) -> np.ndarray:
    return random.uniform(0.0, 1.0, (n, 5))


def _friedman_truth(x: np.ndarray) -> np.ndarray:
    first = 10.0 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20.0 * (x[:, 2] - 0.5) ** 2
    return first + 10.0 * x[:, 3] + 5.0 * x[:, 4]


def _seasons(x: np.ndarray) -> np.ndarray:
    """A yearly wave whose size changes."""
    return np.sin(2.0 * np.pi * x[:, 0]) * (1.0 + 0.05 * x[:, 0]) + 0.5 * np.cos(
        4.0 * np.pi * x[:, 0]
    )


SETTINGS = {
    "rbf": Setting("RBF()", RBF, _line, lambda x: np.sinc(x[:, 0] / np.pi), 0.1),
    "anisotropic": Setting(
        "RBF([1, 1, 1, 1, 1])", lambda: RBF(np.ones(5)), _friedman, _friedman_truth, 1.0
    ),
    "matern32": Setting(
        "Matern(10, nu=1.5)",
        lambda: Matern(10.0, nu=1.5),
        _line,
        lambda x: np.abs(x[:, 0]) / 5.0 + np.sin(x[:, 0]),
        0.2,
    ),
    "matern52": Setting(
        "Matern(nu=2.5)",
        lambda: Matern(nu=2.5),
        _plane,
        lambda x: np.exp(-np.sum(x**2, axis=1)) + 0.3 * np.sin(3.0 * x[:, 0]),
        0.1,
    ),
    "rational": Setting(
        "RationalQuadratic()",
        RationalQuadratic,
        _line,
        lambda x: np.sin(x[:, 0]) + 0.3 * np.sin(5.0 * x[:, 0]),
        0.15,
    ),
    "locally periodic": Setting(
        "RBF(10) * ExpSineSquared()",
        lambda: RBF(10.0) * ExpSineSquared(),
        _months,
        _seasons,
        0.2,
    ),
    "linear and rbf": Setting(
        "DotProduct() + ConstantKernel() * RBF()",
        lambda: DotProduct() + ConstantKernel() * RBF(),
        _plane,
        lambda x: x[:, 0] - 0.5 * x[:, 1] + np.sin(3.0 * x[:, 1]),
        0.2,
    ),
    "two sums": Setting(
        "ConstantKernel() * RBF(10) + ConstantKernel() * Matern(nu=1.5)",
        lambda: ConstantKernel() * RBF(10.0) + ConstantKernel() * Matern(nu=1.5),
        _line,
        lambda x: 0.05 * x[:, 0] ** 2 + np.abs(np.sin(x[:, 0])),
        0.1,
    ),
}


def draw(name: str, seed: int) -> dict:
    """Both models on one draw."""
    setting, random = SETTINGS[name], np.random.default_rng(seed)
    X, new = setting.inputs(random, N_TRAIN), setting.inputs(random, N_TEST)
    y = setting.truth(X) + random.normal(0.0, setting.noise, N_TRAIN)
    expected = setting.truth(new)
    start = perf_counter()
    ours = RVR(kernel=setting.kernel()).fit(X, y)
    between = perf_counter()
    peer = process(setting.kernel() + WhiteKernel(), X, y, RESTARTS)
    end = perf_counter()
    best = process(ConstantKernel() * setting.kernel() + WhiteKernel(), X, y, RESTARTS)
    found = process(ConstantKernel() * ours.kernel_ + WhiteKernel(), X, y, 2)
    likelihood = found.log_marginal_likelihood_value_
    return {
        "error": rms(ours.predict(new) - expected),
        "peer_error": rms(peer.predict(new) - expected),
        "nats": likelihood - best.log_marginal_likelihood_value_,
        "vectors": len(ours.relevance_),
        "seconds": between - start,
        "peer_seconds": end - between,
    }


def process(kernel: Any, X: np.ndarray, y: np.ndarray, restarts: int) -> GaussianProcessRegressor:
    """A Gaussian process of scikit-learn."""
    model = GaussianProcessRegressor(
        kernel, n_restarts_optimizer=restarts, normalize_y=True, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def rms(values: np.ndarray) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(values**2)))


def tasks(quick: bool) -> list[Task]:
    """A task for each draw of each object."""
    names = ("rbf",) if quick else tuple(SETTINGS)
    return set_draws(draw, dict.fromkeys(names, 1 if quick else 10))


def report(results: dict[str, dict]) -> list[Block]:
    """A row and a claim for each object."""
    header = ["kernel", "error", "of the process", "ratio", "nats", "vectors", "seconds", "its"]
    rows, verdicts = [], []
    for name, setting in SETTINGS.items():
        errors, theirs = (values(results, name, key) for key in ("error", "peer_error"))
        if not errors:
            continue
        nats = values(results, name, "nats")
        ratio = sum(errors) / sum(theirs)
        others = ("vectors", "seconds", "peer_seconds")
        shown = [cell(values(results, name, key)) for key in others]
        rows.append([setting.title, cell(errors), cell(theirs), f"{ratio:.3f}", cell(nats), *shown])
        good = ratio <= MOST_ERROR and sum(nats) / len(nats) >= -MOST_NATS
        verdicts.append(
            Verdict(
                f"{setting.title}: error within {MOST_ERROR} of the process, parameters within "
                f"{MOST_NATS:g} nat of its best",
                Status.REPRODUCED if good else Status.NOT,
                f"error {ratio:.3f} times that of the process, {cell(nats)} nats above its best",
            )
        )
    note = (
        "RMS error to the truth, beside GaussianProcessRegressor with the same object and a "
        f"WhiteKernel, the best of {RESTARTS + 1} searches. Nats: its log marginal likelihood at "
        "the parameters of ours, less that of its best, with a factor and noise found anew."
    )
    return [Table(header, rows, note), *verdicts]


EXPERIMENTS = [
    Experiment(
        name="kernel-objects",
        source="beyond the papers",
        title="Kernel objects of scikit-learn, beside its Gaussian process",
        tasks=tasks,
        report=report,
    )
]
