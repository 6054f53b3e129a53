"""Fit times, memory, evidence, vectors and test error against peers at the same Gaussian kernel.

Run as `OPENBLAS_NUM_THREADS=1 python -m benchmarks.speed.peers [--quick] [--sizes 100 500 ...]`.
Every model is without a bias, as fastrvm leaves the bias out of its covariance. Peers that would
take minutes a fit are left out above a size of their own. Two threads and peak memory (of a
process of its own, beyond what the data and the imports take) are measured at one width.
"""

from __future__ import annotations

import argparse
import statistics
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.datasets import make_moons
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import ARDRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR

from benchmarks.cases import WIDTHS, Case, friedman_case, standardised
from benchmarks.speed.measure import (
    TWO_THREADS,
    evidence_of,
    interleaved,
    n_vectors,
    peak_megabytes,
    quiet_fit,
    test_figures,
    write,
)
from sparsebayes import RVC, RVR

try:
    import fastrvm
except ImportError:  # `make bench` installs it
    fastrvm = None

# The width at which what is slow is measured: cross-validation, two threads, memory.
CV_WIDTH = 0.3
THREADED = ("ours, fast", "ours, mackay", "ARD on kernel", "GPR, fixed kernel")
CV_GRID = {"C": [1.0, 10.0, 100.0, 1000.0], "epsilon": [0.03, 0.1, 0.3]}
LARGEST = {"ARD on kernel": 250, "GPR, fixed kernel": 1000, "ours, mackay": 1000}


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


def moons_case(n_samples, seed) -> Case:
    X, y = make_moons(n_samples + 2000, noise=0.3, random_state=seed)
    train, test = slice(None, n_samples), slice(n_samples, None)
    return standardised("moons", "classification", X[train], y[train], X[test], y[test])


def makers(case: Case, gamma: float, relative: float) -> dict:
    """A function for each method that makes it; fastrvm only if it is installed."""
    if case.task == "regression":
        kernel = RBF((2 * gamma) ** -0.5, "fixed") + WhiteKernel(0.05, "fixed")
        methods = {
            "ours, fast": lambda: RVR(gamma=gamma, fit_intercept=False),
            "fastrvm": lambda: fastrvm.RVR(gamma=gamma),
            "ours, mackay": lambda: RVR(gamma=gamma, fit_intercept=False, inference="mackay"),
            "SVR, one fit": lambda: SVR(gamma=gamma),
            "SVR, 5-fold CV": lambda: GridSearchCV(SVR(gamma=gamma), CV_GRID),
            "ARD on kernel": lambda: KernelARD(gamma),
            "GPR, fixed kernel": lambda: GaussianProcessRegressor(kernel, optimizer=None),
        }
    else:
        grid = {"C": CV_GRID["C"]}
        methods = {
            "ours, fast": lambda: RVC(gamma=gamma, fit_intercept=False),
            "fastrvm": lambda: fastrvm.RVC(gamma=gamma),
            "ours, mackay": lambda: RVC(gamma=gamma, fit_intercept=False, inference="mackay"),
            "SVC, one fit": lambda: SVC(gamma=gamma),
            "SVC, 5-fold CV": lambda: GridSearchCV(SVC(gamma=gamma), grid),
        }
    methods |= {name + TWO_THREADS: methods[name] for name in THREADED if name in methods}
    return {name: make for name, make in methods.items() if runs(name, len(case.y), relative)}


def runs(method: str, n_samples: int, relative: float) -> bool:
    """Whether a method is measured at this size and width."""
    if method == "fastrvm" and fastrvm is None:
        return False
    if ("CV" in method or method.endswith(TWO_THREADS)) and relative != CV_WIDTH:
        return False
    return n_samples <= LARGEST.get(method.removesuffix(TWO_THREADS), n_samples)


def one_fit(make_case, n_samples: int, method: str):
    """A function that fits one method once, for a process of its own."""
    case = make_case(n_samples, 0)
    make = makers(case, case.gamma(CV_WIDTH), CV_WIDTH)[method]
    return partial(quiet_fit, make, case.X, case.y)


def measure(make_case, n_samples: int, relative: float, repeats: int) -> list[dict]:
    case = make_case(n_samples, 0)
    gamma = case.gamma(relative)
    rows = []
    fitted = interleaved(makers(case, gamma, relative), case.X, case.y, repeats)
    for name, (model, seconds) in fitted.items():
        row = {"set": case.name, "n": len(case.y), "width": relative, "method": name}
        row |= {"seconds": seconds, "vectors": n_vectors(model)}
        row |= {"log_evidence": evidence_of(model, case, gamma), **test_figures(model, case)}
        row["peak_mb"] = None
        if relative == CV_WIDTH and "CV" not in name and not name.endswith(TWO_THREADS):
            row["peak_mb"] = peak_megabytes(one_fit, make_case, n_samples, name)
        rows.append(row)
    return rows


def cell(value, form):
    return "-" if value is None else format(value, form)


def table(rows: list[dict]) -> str:
    """One line per set, size and method: medians over widths."""
    lines = [
        "| set | N | method | seconds | ratio to ours | peak MB | vectors | log evidence | error "
        "| loss |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    keys = dict.fromkeys((row["set"], row["n"], row["method"]) for row in rows)
    for name, n_samples, method in keys:
        mine = [r for r in rows if (r["set"], r["n"], r["method"]) == (name, n_samples, method)]
        ours = {r["width"]: r["seconds"] for r in rows
                if (r["set"], r["n"], r["method"]) == (name, n_samples, "ours, fast")}  # fmt: skip
        ratio = statistics.median(r["seconds"] / ours[r["width"]] for r in mine)
        evidence = [r["log_evidence"] for r in mine if r["log_evidence"] is not None]
        loss = [r["loss"] for r in mine if r["loss"] is not None]
        peak = [r["peak_mb"] for r in mine if r["peak_mb"] is not None]
        lines.append(
            f"| {name} | {n_samples} | {method} | "
            f"{statistics.median(r['seconds'] for r in mine):.4f} | {ratio:.2f} | "
            f"{cell(peak[0] if peak else None, '.0f')} | "
            f"{statistics.median(r['vectors'] for r in mine):.0f} | "
            f"{cell(np.mean(evidence) if evidence else None, '.1f')} | "
            f"{np.mean([r['error'] for r in mine]):.4g} | "
            f"{cell(np.mean(loss) if loss else None, '.3f')} |"
        )
    return "\n".join(lines)


def verdict(rows: list[dict]) -> str:
    """Evidence and error of ours against fastrvm, case by case."""
    pairs: dict[tuple, dict] = {}
    for row in rows:
        pairs.setdefault((row["set"], row["n"], row["width"]), {})[row["method"]] = row
    both = [(p["ours, fast"], p["fastrvm"]) for p in pairs.values() if "fastrvm" in p]
    if not both:
        return "\nfastrvm is not installed: no comparison with it."
    none_or_lower = [
        b["log_evidence"] is None
        or a["log_evidence"] >= b["log_evidence"] - 1e-6 * abs(b["log_evidence"])
        for a, b in both
    ]
    ratio = np.exp(np.mean([np.log(a["error"] / b["error"]) for a, b in both]))
    return (
        f"\nEvidence not below fastrvm's in {np.mean(none_or_lower):.1%} of {len(both)} cases "
        "(an empty model of its counts as lower); "
        f"test error is {ratio:.3f} of its, geometric mean."
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one small size, one repeat")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 500, 1000, 2000, 4000])
    parser.add_argument("--widths", type=float, nargs="+", default=WIDTHS)
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    rows = []
    for n_samples in [60] if options.quick else options.sizes:
        repeats = 1 if options.quick or n_samples > 1000 else 3 if n_samples > 100 else 15
        for make_case in (partial(friedman_case, 1), moons_case):
            for relative in WIDTHS[3:] if options.quick else options.widths:
                rows += measure(make_case, n_samples, relative, repeats)
                print(rows[-1]["set"], n_samples, relative, "done", flush=True)
    write(options.out, "peers", rows, table(rows) + "\n" + verdict(rows))


if __name__ == "__main__":
    main()
