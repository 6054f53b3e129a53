"""Learned input scales on Friedman 1, also with further inputs that do not matter."""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from studies import models
from studies.beyond.draws import fitted, flat
from studies.beyond.report import NOTE, table
from studies.data.samples import friedman
from studies.framework.experiment import Block, Experiment, Table, Text, cell
from studies.framework.sets import median_of, set_draws

NOISE_INPUTS = 20
N_INPUTS = 10
QUICK_ROWS = 40
MODELS = {
    "scale": '`RVR(gamma="scale", inference="fast")`',
    "ard": '`RVR(gamma="ard", inference="fast")`',
    "widths": '`GaussianKernel(width=[1, 2], input_scale="learn") + Bias()`',
    "priced": "the same, `min_gain=1`",
    "linear": '`GaussianKernel(width=[1, 2], input_scale="learn") + Linear() + Bias()`',
    "gp": "a Gaussian process with a scale for each input",
}


def friedman_draw(name: str, seed: int, n_train: int = 240) -> dict:
    """All models on one draw; errors are in the units of the target."""
    one = friedman(1, seed, n_train)
    scales = RBF(np.full(one.X.shape[1], 2.0), (1e-2, 1e3))
    process = ConstantKernel() * scales + WhiteKernel(0.1)
    machines = {
        "scale": models.rvr(gamma="scale"),
        "ard": models.rvr(gamma="ard"),
        "widths": models.two_widths(),
        "priced": models.two_widths(tuning={"min_gain": 1.0}),
        "linear": models.two_widths(with_inputs=True),
        "gp": GaussianProcessRegressor(process),
    }
    return flat(fitted(one, machines))


def noise_inputs_draw(name: str, seed: int, n_train: int = 240) -> dict:
    """The error without and with noise inputs, and the largest relevance that one is given."""
    plain, noisy = (friedman(1, seed, n_train, extra) for extra in (0, NOISE_INPUTS))
    machines = [models.rvr(gamma="ard").fit(one.X, one.y) for one in (plain, noisy)]
    relevance = machines[1].input_relevance_
    return {
        "error": plain.error(machines[0].predict(plain.X_test)),
        "noisy_error": noisy.error(machines[1].predict(noisy.X_test)),
        "relevance": float(relevance[N_INPUTS:].max() / relevance.max()),
    }


def friedman_report(results: dict[str, dict]) -> list[Block]:
    """A row for each model."""
    columns = {"error": "test MSE", "vectors": "vectors", "loss": "NLPD", "seconds": "seconds"}
    noise = (
        "Errors are in units of y, whose noise has variance 1; [T01] prints 0.27 with 11.5 vectors."
    )
    return [table(results, MODELS, columns), Text(noise)]


def noise_inputs_report(results: dict[str, dict]) -> list[Block]:
    """Errors, and what the noise inputs are worth to the model."""
    runs = list(results.values())
    errors = [cell([run[key] for run in runs]) for key in ("error", "noisy_error")]
    relevance = [run["relevance"] for run in runs]
    largest = f"{max(relevance, default=0.0):.2g}"
    rows = [[*errors, median_of(runs, "relevance", "{:.2g}"), largest]]
    header = [
        "error",
        f"with {NOISE_INPUTS} noise inputs",
        "relevance of a noise input: median",
        "largest",
    ]
    note = f"{NOTE} Relevance is the largest of any noise input, relative to the largest of all."
    return [Table(header, rows, note)]


def _tasks(function, n_draws: int, quick: bool):
    if quick:
        return set_draws(function, {"friedman1": 1}, QUICK_ROWS)
    return set_draws(function, {"friedman1": n_draws})


EXPERIMENTS = [
    Experiment(
        name="scales-friedman",
        source="beyond the papers",
        title="Friedman 1 with learned scales, several widths, and linear columns",
        tasks=partial(_tasks, friedman_draw, 100),
        report=friedman_report,
    ),
    Experiment(
        name="scales-noise-inputs",
        source="beyond the papers",
        title="Friedman 1 with inputs that have nothing to do with the target",
        tasks=partial(_tasks, noise_inputs_draw, 20),
        report=noise_inputs_report,
    ),
]
