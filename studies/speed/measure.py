"""Interleaved timing, and the evidence of any method that gives precisions."""

from __future__ import annotations

import json
import multiprocessing
import platform
import time
import warnings
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from threadpoolctl import threadpool_limits

from sparsebayes import RVC, RVR, statistics
from sparsebayes.basis import GaussianKernel
from sparsebayes.estimators import _model
from sparsebayes.evidence import log_evidence
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.posterior import find
from sparsebayes.problem import Problem
from sparsebayes.rows import InMemoryRows

TWO_THREADS = ", 2 threads"


def interleaved(makers: dict, X, y, repeats: int) -> dict:
    """Of each maker the last fitted model and the median seconds, the makers taken in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in makers}
    models = {}
    for _ in range(repeats):
        for name, make in makers.items():
            with two_threads() if str(name).endswith(TWO_THREADS) else nullcontext():
                start = time.perf_counter()
                models[name] = quiet_fit(make, X, y)
                seconds[name].append(time.perf_counter() - start)
    return {name: (models[name], float(np.median(seconds[name]))) for name in makers}


def quiet_fit(make, X, y):
    """A fitted model, without warnings of convergence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make().fit(X, y)


@contextmanager
def two_threads():
    """Two threads for the linear algebra, also within our own fits, which use one."""
    own, _model.one_thread = _model.one_thread, nullcontext
    try:
        with threadpool_limits(2, user_api="blas"):
            yield
    finally:
        _model.one_thread = own


def peak_megabytes(function, *arguments) -> float:
    """By how much the call of a module's function raises the peak memory of a process of its own.

    Parameters
    ----------
    function : returns a function without arguments, whose call is what counts
    """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_raised_peak, (function, arguments))


def _raised_peak(function, arguments) -> float:
    call = function(*arguments)
    before = _peak()
    call()
    return _peak() - before


def _peak() -> float:
    """Peak memory of this process, in megabytes; NaN where there is no /proc.

    Not from `resource`: there a process begins with the peak of the one that started it.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return np.nan
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def kernel_evidence(case, gamma, rows, weights, noise_precision) -> float | None:
    """Log evidence of an RVM without bias, by our own formula, from its weights alone.

    At the mode beta phi_i'slope = alpha_i mu_i, so the precisions follow from the weights, whatever
    the method calls its own. None if these are not those of a mode.
    """
    ones = np.ones(len(case.y))
    columns = GaussianKernel(gamma**-0.5, centres=case.X[rows]).bind(case.X, ones)
    likelihood = Gaussian() if case.task == "regression" else Bernoulli()
    data = InMemoryRows(columns, case.X, np.asarray(case.y, dtype=float), ones)
    problem = Problem(data, columns.n_columns, likelihood)
    active = np.arange(columns.n_columns)
    score = statistics.expansion(problem, active, weights).score
    precision = noise_precision * score / weights
    if not np.all(precision > 0):
        return None
    return float(log_evidence(problem, find(problem, active, precision, noise_precision, weights)))


def evidence_of(model, case, gamma) -> float | None:
    """Log evidence of a fitted RVM of ours or of fastrvm; None for other methods."""
    if isinstance(model, RVR | RVC):
        return float(model.log_evidence_)
    if type(model).__module__.split(".")[0] != "fastrvm" or not len(model.relevance_):
        return None
    noise = float(model.beta_) if case.task == "regression" else 1.0
    return kernel_evidence(case, gamma, model.relevance_, np.ravel(model.dual_coef_), noise)


def test_figures(model, case) -> dict:
    """Test error (MSE or percent) and NLPD or log loss where the model gives a distribution."""
    try:
        prediction = model.predict(case.X_test)
    except ValueError:  # a peer whose model is empty cannot predict
        prediction = np.full(len(case.y_test), 0.0 if case.task == "regression" else case.y[0])
    if case.task == "classification":
        error = 100 * float(np.mean(prediction != case.y_test))
        loss = None
        if hasattr(model, "predict_proba"):
            loss = float(log_loss(case.y_test, model.predict_proba(case.X_test)))
        return {"error": error, "loss": loss}
    error = float(np.mean((prediction - case.y_test) ** 2))
    loss = None
    try:
        mean, std = model.predict(case.X_test, return_std=True)
        loss = float(-norm.logpdf(case.y_test, mean, std).mean())
    except (TypeError, ValueError, AttributeError):
        pass
    return {"error": error, "loss": loss}


def n_vectors(model) -> int:
    """Relevance or support vectors; all rows for a Gaussian process."""
    model = getattr(model, "best_estimator_", model)
    for name in ("relevance_", "support_", "X_train_"):
        if hasattr(model, name):
            return len(getattr(model, name))
    return int(np.sum(np.abs(getattr(model, "coef_", np.zeros(0))) > 0))


def markdown(header: list[str], rows) -> str:
    """A table of cells that are text already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def write(out: Path, name: str, rows: list[dict], text: str) -> None:
    """Results as JSON and as Markdown."""
    out.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    (out / f"{name}.json").write_text(json.dumps({"machine": machine, "rows": rows}, indent=1))
    (out / f"{name}.md").write_text(text + "\n")
    print(text)
    print(f"\nwrote {out / name}.md and .json")
