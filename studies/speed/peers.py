"""Fit times, memory, evidence, vectors and test error against peers at the same Gaussian kernel.

Every model is without a bias, as fastrvm leaves the bias out of its covariance. Peers that would
take minutes for a fit are left out above a size of their own. Peak memory is that of a process of
its own beyond what the data and the imports take; it is measured at one width.
"""

from __future__ import annotations

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import ARDRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR

from studies import models
from studies.data.samples import Sample, sample
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.framework.sets import mean_of, median_of, pooled
from studies.measures import n_vectors
from studies.peers import fastrvm
from studies.speed.measure import (
    GAMMAS,
    error_and_loss,
    evidence_of,
    in_own_process,
    interleaved,
    peak_megabytes,
    quiet_fit,
)

SETS = ("friedman1", "moons")
SIZES = (100, 500, 1000, 2000, 4000)
# The width at which what is slow is measured: cross-validation and memory.
SLOW_GAMMA = 0.3
CV_GRID = {"C": [1.0, 10.0, 100.0, 1000.0], "epsilon": [0.03, 0.1, 0.3]}
LARGEST = {"ARD on kernel": 250, "GPR, fixed kernel": 1000, "ours, mackay": 1000}
OURS = "ours, fast"


class KernelARD(ARDRegression):
    """ARDRegression on the kernel matrix."""

    def __init__(self, gamma=1.0):
        super().__init__(fit_intercept=False)
        self.gamma = gamma

    def fit(self, X, y):
        """Fit on the kernel matrix of X."""
        self.centres_ = X
        return super().fit(rbf_kernel(X, X, self.gamma), y)

    def predict(self, X, return_std=False):
        """Predict from the kernel matrix of X and the training rows."""
        return super().predict(rbf_kernel(X, self.centres_, self.gamma), return_std)


def makers(one: Sample, relative: float) -> dict:
    """A function for each method that makes it, those left out that are not measured here."""
    gamma = one.gamma(relative)
    made = {
        OURS: lambda: models.machine(one.is_regression, gamma=gamma, **models.NO_BIAS),
        "ours, mackay": lambda: models.machine(
            one.is_regression, "mackay", gamma=gamma, **models.NO_BIAS
        ),
        **(_regressors(gamma) if one.is_regression else _classifiers(gamma)),
    }
    return {name: make for name, make in made.items() if _runs(name, len(one.y), relative)}


def _regressors(gamma: float) -> dict:
    kernel = RBF((2 * gamma) ** -0.5, "fixed") + WhiteKernel(0.05, "fixed")
    return {
        "fastrvm": lambda: fastrvm.RVR(gamma=gamma),
        "SVR, one fit": lambda: SVR(gamma=gamma),
        "SVR, 5-fold CV": lambda: GridSearchCV(SVR(gamma=gamma), CV_GRID),
        "ARD on kernel": lambda: KernelARD(gamma),
        "GPR, fixed kernel": lambda: GaussianProcessRegressor(kernel, optimizer=None),
    }


def _classifiers(gamma: float) -> dict:
    return {
        "fastrvm": lambda: fastrvm.RVC(gamma=gamma),
        "SVC, one fit": lambda: SVC(gamma=gamma),
        "SVC, 5-fold CV": lambda: GridSearchCV(SVC(gamma=gamma), {"C": CV_GRID["C"]}),
    }


def _runs(method: str, n_samples: int, relative: float) -> bool:
    """Whether a method is measured at this size and width."""
    if method == "fastrvm" and fastrvm is None:
        return False
    if "CV" in method and relative != SLOW_GAMMA:
        return False
    return n_samples <= LARGEST.get(method, n_samples)


def fit_times(name: str, n_samples: int, relative: float, repeats: int) -> dict:
    """All methods at one size and width, fitted in turn."""
    one = sample(name, 0, n_train=n_samples)
    rows = []
    for method, (model, seconds) in interleaved(
        makers(one, relative), one.X, one.y, repeats
    ).items():
        row = {"set": name, "n": n_samples, "width": relative, "method": method}
        row |= {"seconds": seconds, "vectors": n_vectors(model), **error_and_loss(model, one)}
        row["evidence"] = evidence_of(model, one, one.gamma(relative))
        if relative == SLOW_GAMMA and "CV" not in method:
            row["megabytes"] = in_own_process(raised_peak, name, n_samples, method)
        rows.append(row)
    return {"rows": rows}


def raised_peak(name: str, n_samples: int, method: str) -> float:
    """By how much one fit raises the peak memory of this process."""
    one = sample(name, 0, n_train=n_samples)
    make = makers(one, SLOW_GAMMA)[method]
    before = peak_megabytes()
    quiet_fit(make, one.X, one.y)
    return peak_megabytes() - before


def tasks(quick: bool) -> list[Task]:
    """A task for each set, size and width."""
    if quick:
        return [Task(f"{name}-60-1", fit_times, (name, 60, 1.0, 1)) for name in SETS]
    return [
        Task(f"{name}-{n}-{relative:g}", fit_times, (name, n, relative, _repeats(n)))
        for n in SIZES
        for name in SETS
        for relative in GAMMAS
    ]


def _repeats(n_samples: int) -> int:
    return 1 if n_samples > 1000 else 3 if n_samples > 100 else 15


def report(results: dict[str, dict]) -> list[Block]:
    """One row per set, size and method, and a word on fastrvm."""
    header = ["set", "N", "method", "seconds", "ratio to ours", "peak MB", "vectors"]
    header += ["log evidence", "error", "loss"]
    groups = pooled(results, ["set", "n", "method"])
    rows = [
        [name, str(n), method, *_cells(group, groups[name, n, OURS])]
        for (name, n, method), group in groups.items()
    ]
    note = "Medians over widths of seconds and vectors, means of the others."
    return [Table(header, rows, note), Text(_against_fastrvm(results))]


def _cells(group: list[dict], ours: list[dict]) -> list[str]:
    own = {row["width"]: row["seconds"] for row in ours}
    return [
        median_of(group, "seconds", "{:.4f}"),
        f"{np.median([row['seconds'] / own[row['width']] for row in group]):.2f}",
        mean_of(group, "megabytes", "{:.0f}"),
        median_of(group, "vectors", "{:.0f}"),
        mean_of(group, "evidence", "{:.1f}"),
        mean_of(group, "error", "{:.4g}"),
        mean_of(group, "loss", "{:.3f}"),
    ]


def _against_fastrvm(results: dict[str, dict]) -> str:
    """Evidence and error of ours against fastrvm, case by case."""
    cases = [{row["method"]: row for row in result["rows"]} for result in results.values()]
    both = [(case[OURS], case["fastrvm"]) for case in cases if "fastrvm" in case]
    if not both:
        return "fastrvm is not installed, so it is not compared."
    not_below = [
        b["evidence"] is None or a["evidence"] >= b["evidence"] - 1e-6 * abs(b["evidence"])
        for a, b in both
    ]
    ratio = np.exp(np.mean([np.log(a["error"] / b["error"]) for a, b in both]))
    return (
        f"Our evidence is not below fastrvm's in {np.mean(not_below):.1%} of {len(both)} cases (an "
        "empty model of fastrvm counts as lower); our test error is "
        f"{ratio:.3f} of its, as a geometric mean."
    )


EXPERIMENTS = [
    Experiment(
        name="speed-peers",
        source="speed",
        title="Seconds, memory, evidence and error against peers",
        tasks=tasks,
        report=report,
    )
]
