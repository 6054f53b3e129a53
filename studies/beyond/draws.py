"""Beyond the papers, on their sets: inference, learned scales, and calibration against peers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Collection
from functools import partial

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.metrics import log_loss
from sklearn.svm import SVC

from sparsebayes import RVC, RVR
from sparsebayes.reproduce import models
from sparsebayes.reproduce.beyond_report import (
    FIDELITIES,
    calibration_report,
    inference_report,
    projection_report,
    scales_report,
)
from sparsebayes.reproduce.experiment import Experiment, Task
from sparsebayes.reproduce.samples import FIRST_UNSEEN, REGRESSION, Sample, error, sample
from sparsebayes.reproduce.sets import set_draws

# The width of the comparison of inferences, relative to the median distance of the rows.
WIDTH = {
    "sinc-gaussian": 0.5,
    "friedman1": 1.4,
    "friedman2": 2.0,
    "friedman3": 1.0,
    "boston": 1.0,
    "ripley": 0.5,
    "pima": 2.0,
    "banana": 0.5,
    "waveform": 1.0,
}
QUICK = ("sinc-gaussian",)
N_DRAWS = 5
# For the projection more sets, and more draws.
PROJECTED = (*WIDTH, "breast", "titanic", "german")
N_PROJECTED = 8
COVERED = 1.6448536269514722  # standard deviations on either side hold 90 %


def machine(name: str, **settings):
    """RVR or RVC, as the set needs it."""
    return (RVR if name in REGRESSION else RVC)(**settings)


def density(name: str, one: Sample, model) -> dict:
    """Negative log density of noisy test targets and 90 % coverage, or log loss."""
    if name not in REGRESSION:
        return {"loss": float(log_loss(one.y_test, model.predict_proba(one.X_test)))}
    mean, std = model.predict(one.X_test, return_std=True)
    z = (one.y_noisy - mean) / std
    loss = np.mean(0.5 * z**2 + np.log(std) + 0.5 * np.log(2 * np.pi))
    return {"loss": float(loss), "coverage": 100 * float(np.mean(np.abs(z) < COVERED))}


def measured(name: str, one: Sample, fit: Callable) -> dict:
    """The error, the density and the seconds of a model that `fit()` returns."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = fit()
        seconds = time.perf_counter() - start
        found = {"error": error(name, one, model.predict(one.X_test)), "seconds": seconds}
        found |= density(name, one, model)
    if hasattr(model, "dual_coef_"):
        found["vectors"] = models.n_vectors(model)
    if hasattr(model, "log_evidence_"):
        found["evidence"] = float(model.log_evidence_)
    return found


def _flat(parts: dict[str, dict]) -> dict:
    return {f"{kind}_{key}": value for kind, part in parts.items() for key, value in part.items()}


def fitted(name: str, one: Sample, machines: dict) -> dict[str, dict]:
    """What is `measured` of each of these models."""
    return {
        key: measured(name, one, lambda model=model: model.fit(one.X, one.y))
        for key, model in machines.items()
    }


def inference_draw(name: str, seed: int) -> dict:
    """All three inferences at one width."""
    one = sample(name, seed)
    (gamma,) = one.gammas([WIDTH[name]])
    machines = {
        inference: machine(name, gamma=gamma, inference=inference)
        for inference in ("fast", "mackay", "variational")
    }
    return _flat(fitted(name, one, machines))


def scales_draw(name: str, seed: int) -> dict:
    """A width that is not chosen, learned ones, and one by cross-validation."""
    one = sample(name, seed)
    machines = {gamma: machine(name, gamma=gamma) for gamma in ("scale", "learn", "ard")}
    found = fitted(name, one, machines)
    found["cv"] = measured(name, one, lambda: models.rvm(name, one))
    return _flat(found)


def projection_draw(name: str, number: int) -> dict:
    """Nothing chosen, by evidence and by projection at several fidelities."""
    one = sample(name, FIRST_UNSEEN + number)
    machines = {"fast": machine(name)}
    for fidelity in FIDELITIES:
        machines[f"p{fidelity}"] = machine(name, inference="projection", fidelity=fidelity)
    return _flat(fitted(name, one, machines))


def gaussian_process(name: str, one: Sample):
    """Regression: one scale per input and white noise. Classification: one width."""
    if name in REGRESSION:
        kernel = ConstantKernel() * RBF(np.ones(one.X.shape[1]), (1e-2, 1e4)) + WhiteKernel(0.1)
        return GaussianProcessRegressor(kernel).fit(one.X, one.y)
    kernel = ConstantKernel() * RBF(one.X.shape[1] ** 0.5, (1e-2, 1e4))
    return GaussianProcessClassifier(kernel).fit(one.X, one.y)


def platt(name: str, one: Sample):
    """The SVC that cross-validation chooses, with Platt's probabilities."""
    chosen = models.svm(name, one)
    model = SVC(C=chosen.C, gamma=chosen.gamma, probability=True, random_state=0)
    return model.fit(one.X, one.y)


def calibration_draw(name: str, seed: int) -> dict:
    """Learned scales by three inferences, and peers."""
    one = sample(name, seed)
    peers = {"gp": gaussian_process} | ({} if name in REGRESSION else {"svc": platt})
    inferences = ("fast", "variational", "projection")
    found = fitted(name, one, {each: machine(name, inference=each) for each in inferences})
    for key, fit in peers.items():
        found[key] = measured(name, one, lambda fit=fit: fit(name, one))
    return _flat(found)


def _tasks(
    function: Callable[..., dict], names: Collection[str], n_draws: int, quick: bool
) -> list[Task]:
    """So many draws of these sets, or one of some if quick."""
    numbers = {name: 1 if name == "pima" else n_draws for name in names}
    return set_draws(function, dict.fromkeys(QUICK, 1) if quick else numbers)


EXPERIMENTS = [
    Experiment(
        name="beyond-inference",
        source="beyond the papers",
        title="fast, mackay and variational inference at the same width",
        tasks=partial(_tasks, inference_draw, WIDTH, N_DRAWS),
        report=inference_report,
    ),
    Experiment(
        name="beyond-scales",
        source="beyond the papers",
        title="Widths and scales learned from the evidence, against cross-validation",
        tasks=partial(_tasks, scales_draw, WIDTH, N_DRAWS),
        report=scales_report,
    ),
    Experiment(
        name="beyond-projection",
        source="beyond the papers",
        title="A few vectors that say what a Gaussian process says",
        tasks=partial(_tasks, projection_draw, PROJECTED, N_PROJECTED),
        report=projection_report,
    ),
    Experiment(
        name="beyond-calibration",
        source="beyond the papers",
        title="Calibration against Gaussian processes and an SVC with probabilities",
        tasks=partial(_tasks, calibration_draw, WIDTH, N_DRAWS),
        report=calibration_report,
    ),
]
