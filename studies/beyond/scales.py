"""Learned widths and input scales against one width by cross-validation, and with noise inputs.

Run as `python -m benchmarks.scales [--quick] [--out results]`. Errors are mean squared errors (of
noise-free test targets where data are generated, in units of the variance of y; those of Friedman 1
in its own units) or per cent; losses are of new targets with their noise, per row.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV

from benchmarks.cases import friedman_case, sinc_case, small_cases, standardised
from benchmarks.speed.measure import markdown, n_vectors, write
from sparsebayes import RVC, RVR, Bias, GaussianKernel, Linear, SparseBayesRegressor
from sparsebayes.reproduce.data import friedman

FACTORS = np.logspace(-1.5, 1.5, 10)
SET_SIZES = 600  # larger cases are left to other studies
NOISE_INPUTS = 20


def cross_validated(case):
    """One width of ten by 5-fold cross-validation."""
    grid = {"gamma": [case.gamma(factor) for factor in FACTORS]}
    if case.task == "regression":
        return GridSearchCV(RVR(), grid, scoring="neg_mean_squared_error")
    return GridSearchCV(RVC(), grid, scoring="neg_log_loss")


def kernel_machine(gamma):
    """A maker of RVR or RVC with this gamma."""
    return lambda case: (RVR if case.task == "regression" else RVC)(gamma=gamma)


def two_widths(linear=False, **parameters):
    """A maker of a model with kernels of the learned width and of twice that."""
    kernels = GaussianKernel(width=[1.0, 2.0], input_scale="learn")
    basis = kernels + Linear() + Bias() if linear else kernels + Bias()
    return lambda case: SparseBayesRegressor(basis, **parameters)


def gaussian_process(case):
    """A Gaussian process with a scale for each input."""
    scales = RBF(np.full(case.X.shape[1], 2.0), (1e-2, 1e3))
    return GaussianProcessRegressor(ConstantKernel() * scales + WhiteKernel(0.1))


SET_MODELS = {
    "5-fold CV": cross_validated,
    'gamma="scale"': kernel_machine("scale"),
    'gamma="learn"': kernel_machine("learn"),
    'gamma="ard"': kernel_machine("ard"),
}
FRIEDMAN_MODELS = {
    'RVR(gamma="scale")': kernel_machine("scale"),
    'RVR(gamma="ard")': kernel_machine("ard"),
    "ard, widths 1 and 2": two_widths(),
    "ard, widths 1 and 2, min_gain=1": two_widths(min_gain=1.0),
    "ard, widths 1 and 2, linear": two_widths(linear=True),
    "Gaussian process": gaussian_process,
}


def measured(make, case) -> dict:
    """Error, loss, vectors and seconds of one model on one case."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = make(case).fit(case.X, case.y)
    seconds = time.perf_counter() - start
    if case.task == "classification":
        probability = model.predict_proba(case.X_test)
        error = 100 * float(np.mean(model.predict(case.X_test) != case.y_test))
        loss = float(log_loss(case.y_test, probability))
    else:
        fitted = getattr(model, "best_estimator_", model)
        mean, std = fitted.predict(case.X_test, return_std=True)
        error = float(np.mean((mean - case.y_test) ** 2))
        loss = float(-norm.logpdf(case.y_new, mean, std).mean())
    return {"error": error, "loss": loss, "vectors": n_vectors(model), "seconds": seconds}


def averaged(draws: list[dict]) -> dict:
    """Means over draws (the median of seconds), and the standard error of the error."""
    row = {key: float(np.mean([draw[key] for draw in draws])) for key in draws[0]}
    row["seconds"] = float(np.median([draw["seconds"] for draw in draws]))
    row["spread"] = float(np.std([draw["error"] for draw in draws]) / np.sqrt(len(draws)))
    return row


def sets_study(n_draws: int, make_cases) -> list[dict]:
    """One row per set and model."""
    found: dict[tuple[str, str], list[dict]] = {}
    for seed in range(n_draws):
        for case in make_cases(seed):
            if len(case.X) <= SET_SIZES:
                for name, make in SET_MODELS.items():
                    found.setdefault((case.name, name), []).append(measured(make, case))
    return [
        {"set": name, "model": model, **averaged(draws)} for (name, model), draws in found.items()
    ]


def one_case(seed: int):
    """The quickest of the sets."""
    return [sinc_case(100, seed)]


def with_noise_inputs(seed: int):
    """Friedman 1 with further inputs that have nothing to do with the target."""
    X, y, clean = friedman(1, 1240, seed)
    noise = np.random.default_rng(seed + 10**6).uniform(size=(1240, NOISE_INPUTS))
    X, train, test = np.hstack([X, noise]), slice(None, 240), slice(240, None)
    tested = X[test], clean[test], y[test]
    return standardised("friedman1", "regression", X[train], y[train], *tested)


def friedman_study(n_draws: int) -> list[dict]:
    """Friedman 1, 240 rows, errors in the units of the target: one row per model."""
    rows = []
    for name, make in FRIEDMAN_MODELS.items():
        draws = []
        for seed in range(n_draws):
            case = friedman_case(1, 240, seed)
            unit = friedman(1, 1240, seed)[1][:240].std() ** 2
            one = measured(make, case)
            draws.append({**one, "error": one["error"] * unit})
        rows.append({"model": name, **averaged(draws)})
    return rows


def noise_study(n_draws: int) -> dict:
    """By how much noise inputs raise the error, and the largest relevance that one is given."""
    ratios, relevance = [], []
    for seed in range(n_draws):
        plain, noisy = friedman_case(1, 240, seed), with_noise_inputs(seed)
        errors = [measured(kernel_machine("ard"), case)["error"] for case in (plain, noisy)]
        model = RVR().fit(noisy.X, noisy.y)
        shares = model.input_relevance_ / model.input_relevance_.max()
        ratios.append(errors)
        relevance.append(float(shares[10:].max()))
    plain_error, noisy_error = np.mean(ratios, axis=0)
    return {
        "ratio of mean errors": float(noisy_error / plain_error),
        "median of largest relevance": float(np.median(relevance)),
        "largest relevance": float(np.max(relevance)),
    }


def cells(row: dict, first: list[str]) -> list[str]:
    return [
        *first,
        f"{row['error']:.4g} ± {row['spread']:.2g}",
        f"{row['vectors']:.1f}",
        f"{row['loss']:.3f}",
        f"{row['seconds']:.2f}",
    ]


def report(sets: list[dict], friedman_rows: list[dict], noise: dict, n_draws: dict) -> str:
    head = ["error", "vectors", "NLPD or log loss", "seconds (median)"]
    first = markdown(
        ["set", "model", *head], [cells(row, [row["set"], row["model"]]) for row in sets]
    )
    second = markdown(["model", *head], [cells(row, [row["model"]]) for row in friedman_rows])
    third = "\n".join(f"- {name}: {value:.3g}" for name, value in noise.items())
    return (
        f"### Sets, {n_draws['sets']} draws\n\n{first}\n\n"
        f"### Friedman 1, 240 rows, {n_draws['friedman']} draws\n\n{second}\n\n"
        f"### Friedman 1 with {NOISE_INPUTS} noise inputs, {n_draws['noise']} draws\n\n{third}"
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one draw, one set")
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    quick = options.quick
    n_draws = {"sets": 1, "friedman": 1, "noise": 1} if quick else {}
    n_draws = n_draws or {"sets": 10, "friedman": 100, "noise": 20}
    sets = sets_study(n_draws["sets"], one_case if quick else small_cases)
    friedman_rows = friedman_study(n_draws["friedman"])
    noise = noise_study(n_draws["noise"])
    text = report(sets, friedman_rows, noise, n_draws)
    write(options.out, "scales", [*sets, *friedman_rows, noise], text)


if __name__ == "__main__":
    main()
