"""Interleaved timing, peak memory, and the evidence of any method that gives weights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel

from studies.data.samples import Sample
from studies.measures import density

# Relative to the squared median distance.
GAMMAS = (0.03, 0.1, 0.3, 1.0)
CALL = """
import json, sys
from importlib import import_module
module, name, arguments = json.loads(sys.argv[1])
print(json.dumps(getattr(import_module(module), name)(*arguments)))
"""


def interleaved(makers: Mapping, X, y, repeats: int) -> dict[str, tuple[Any, float]]:
    """The last model and the median seconds of each maker, where makers are taken in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in makers}
    models = {}
    for _ in range(repeats):
        for name, make in makers.items():
            start = time.perf_counter()
            models[name] = quiet_fit(make, X, y)
            seconds[name].append(time.perf_counter() - start)
    return {name: (models[name], float(np.median(seconds[name]))) for name in makers}


def quiet_fit(make: Callable, X, y):
    """A fitted model, without warnings of convergence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make().fit(X, y)


def median_seconds(function: Callable, repeats: int) -> float:
    """Median time of a call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def in_own_process(function: Callable, *arguments):
    """What a function of a module returns in a new process, whose memory begins small.

    Arguments and result are sent as JSON. Not by `multiprocessing`, which cannot start a process
    from within one of joblib's.
    """
    call = json.dumps([function.__module__, function.__name__, arguments])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)}
    command = [sys.executable, "-c", CALL, call]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def peak_megabytes() -> float:
    """Peak memory of this process; NaN where there is no /proc.

    Not from `resource`: there a process begins with the peak of the one that started it.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return np.nan
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def kernel_evidence(one: Sample, gamma: float, rows, weights, noise_precision: float):
    """Log evidence of an RVM without bias and with Gaussian kernels, from its weights alone.

    At the mode Phi'(gradient of the log likelihood) = alpha w, so the precisions alpha follow from
    the weights, whatever the method calls its own. Then

        log p(t) = log p(t | w) - w'Aw / 2 + log |A| / 2 - log |A + Phi'W Phi| / 2,

    which is exact for Gaussian noise and Laplace's approximation for classes. None if a precision
    is not positive: the weights are then not those of a mode.
    """
    design = rbf_kernel(one.X, one.X[rows], gamma)
    value, slope, curvature = _likelihood(one, design @ weights, noise_precision)
    precision = design.T @ slope / weights
    if not np.all(precision > 0):
        return None
    hessian = np.diag(precision) + design.T @ (curvature[:, None] * design)
    half_log_det = np.log(np.diag(np.linalg.cholesky(hessian))).sum()
    prior = 0.5 * np.log(precision).sum() - 0.5 * precision @ weights**2
    return float(value + prior - half_log_det)


def _likelihood(one: Sample, latent, noise_precision: float):
    """Log likelihood of the targets, its slope, and minus its curvature, row by row."""
    if one.is_regression:
        residual = one.y - latent
        constant = 0.5 * len(residual) * np.log(noise_precision / (2.0 * np.pi))
        value = constant - 0.5 * noise_precision * residual @ residual
        return value, noise_precision * residual, np.full(len(residual), noise_precision)
    chance = expit(latent)
    value = one.y @ latent - np.logaddexp(0.0, latent).sum()
    return value, one.y - chance, chance * (1.0 - chance)


def evidence_of(model, one: Sample, gamma: float) -> float | None:
    """Log evidence of a fitted RVM of ours or of fastrvm; None for other methods."""
    if hasattr(model, "log_evidence_"):
        return float(model.log_evidence_)
    if type(model).__module__.split(".")[0] != "fastrvm" or not len(model.relevance_):
        return None
    noise = float(model.beta_) if one.is_regression else 1.0
    return kernel_evidence(one, gamma, model.relevance_, np.ravel(model.dual_coef_), noise)


def error_and_loss(model, one: Sample) -> dict:
    """Test error, and minus the mean log density where the model gives one."""
    try:
        return {"error": one.error(model.predict(one.X_test)), "loss": None, **density(one, model)}
    except ValueError:  # a peer whose model is empty cannot predict
        constant = 0.0 if one.is_regression else one.y[0]
        return {"error": one.error(np.full(len(one.y_test), constant)), "loss": None}
