"""On the sets of the papers: inferences, learned scales, and calibration against peers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.svm import SVC

from studies import models
from studies.beyond.report import (
    FIDELITIES,
    calibration_report,
    inference_report,
    projection_report,
    scales_report,
)
from studies.data.samples import FIRST_UNSEEN, Sample, sample
from studies.framework.experiment import Experiment, Task
from studies.framework.sets import set_draws
from studies.measures import measured
from studies.papers import t01_models

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
# For the choice of widths and for the projection more sets, and more draws.
SCALED = (*WIDTH, "motorcycle", "heart")
N_SCALED = 10
PROJECTED = (*WIDTH, "breast", "titanic", "german")
N_PROJECTED = 8


def flat(parts: dict[str, dict]) -> dict:
    """Measures by model as one dictionary, with keys such as "fast_error"."""
    return {f"{kind}_{key}": value for kind, part in parts.items() for key, value in part.items()}


def fitted(one: Sample, machines: dict) -> dict[str, dict]:
    """What is `measured` of each model in a dictionary."""
    return {
        key: measured(one, lambda model=model: model.fit(one.X, one.y))
        for key, model in machines.items()
    }


def inference_draw(name: str, seed: int) -> dict:
    """All three inferences at one width."""
    one = sample(name, seed)
    (gamma,) = one.gammas([WIDTH[name]])
    machines = {
        inference: models.machine(one.is_regression, inference, gamma=gamma)
        for inference in ("fast", "mackay", "variational")
    }
    return flat(fitted(one, machines))


def scales_draw(name: str, seed: int) -> dict:
    """A width that is not chosen, learned scales, and a width by cross-validation."""
    one = sample(name, seed)
    machines = {
        gamma: models.machine(one.is_regression, gamma=gamma) for gamma in ("scale", "learn", "ard")
    }
    found = fitted(one, machines)
    found["cv"] = measured(one, lambda: t01_models.rvm(one))
    return flat(found)


def projection_draw(name: str, number: int) -> dict:
    """Models with learned scales, by evidence and by projection at several fidelities."""
    one = sample(name, FIRST_UNSEEN + number)
    machines = {"fast": models.machine(one.is_regression)}
    for fidelity in FIDELITIES:
        tuning = {"fidelity": fidelity}
        machines[f"p{fidelity}"] = models.machine(one.is_regression, "projection", tuning)
    return flat(fitted(one, machines))


def gaussian_process(one: Sample):
    """Regression: one scale per input and white noise. Classification: one width."""
    if one.is_regression:
        kernel = ConstantKernel() * RBF(np.ones(one.X.shape[1]), (1e-2, 1e4)) + WhiteKernel(0.1)
        return GaussianProcessRegressor(kernel).fit(one.X, one.y)
    kernel = ConstantKernel() * RBF(one.X.shape[1] ** 0.5, (1e-2, 1e4))
    return GaussianProcessClassifier(kernel).fit(one.X, one.y)


def platt(one: Sample):
    """The SVC that cross-validation chooses, with Platt's probabilities."""
    chosen = t01_models.svm(one)
    model = SVC(C=chosen.C, gamma=chosen.gamma, probability=True, random_state=0)
    return model.fit(one.X, one.y)


def calibration_draw(name: str, seed: int) -> dict:
    """Learned scales by three inferences, and peers."""
    one = sample(name, seed)
    peers = {"gp": gaussian_process} | ({} if one.is_regression else {"svc": platt})
    inferences = ("fast", "variational", "projection")
    machines = {each: models.machine(one.is_regression, each) for each in inferences}
    found = fitted(one, machines)
    for key, fit in peers.items():
        found[key] = measured(one, lambda fit=fit: fit(one))
    return flat(found)


def _tasks(
    function: Callable[..., dict], names: Collection[str], n_draws: int, quick: bool
) -> list[Task]:
    """Draws of these sets, or one of some sets if quick."""
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
        tasks=partial(_tasks, scales_draw, SCALED, N_SCALED),
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
