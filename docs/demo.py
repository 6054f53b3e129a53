"""The main job in a minute: a regression and a classification, beside what else one would take.

Run as `python docs/demo.py --out DIR`; `make demo` does.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm
from sklearn.calibration import CalibratedClassifierCV
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR

from sparsebayes import RVC, RVR
from sparsebayes.datasets import noisy_sinc, ripley_mixture, sinc
from sparsebayes.plots import PredictiveBandDisplay, ProbabilityDisplay

NOISE = 0.1
GAP = (2.0, 6.0)
C_GRID = np.logspace(-1, 3, 9)
EPSILON_GRID = np.logspace(-2.5, -0.5, 5)


class Row(NamedTuple):
    """One line of the table."""

    data: str
    model: str
    error: str
    vectors: int
    loss: str
    off: str
    seconds: float


def timed(estimator: Any, X: np.ndarray, y: np.ndarray) -> tuple[Any, float]:
    """A fitted model and the seconds it took, tuning included."""
    start = time.perf_counter()
    model = estimator.fit(X, y)
    return model, time.perf_counter() - start


def gap_sinc() -> tuple[np.ndarray, np.ndarray]:
    """Noisy sinc with a gap in the data."""
    X, y = noisy_sinc(120, noise_std=NOISE, random_state=3)
    seen = ~in_gap(X)
    return X[seen], y[seen]


def in_gap(X: np.ndarray) -> np.ndarray:
    """Which inputs are in the gap."""
    return (X[:, 0] > GAP[0]) & (X[:, 0] < GAP[1])


def regression(pyplot: Any, out: Path) -> list[Row]:
    """Noisy sinc with a gap: RVR beside a Gaussian process, the RVM of the papers and SVR."""
    X, y = gap_sinc()
    process = ConstantKernel() * RBF() + WhiteKernel(0.1)
    models = {
        "RVR": timed(RVR(), X, y),
        "Gaussian process": timed(GaussianProcessRegressor(process, normalize_y=True), X, y),
        'RVR, inference="fast"': timed(RVR(inference="fast"), X, y),
    }
    draw_bands(pyplot, {name: model for name, (model, _) in models.items()}, X, y, out)
    grid = {"C": C_GRID, "epsilon": EPSILON_GRID, "gamma": [0.03, 0.1, 0.3]}
    models["SVR by cross-validation"] = timed(GridSearchCV(SVR(), grid), X, y)
    return [_regression_row(name, *found) for name, found in models.items()]


def draw_bands(
    pyplot: Any, models: dict[str, Any], X: np.ndarray, y: np.ndarray, out: Path
) -> None:
    """The predictive bands of models side by side, and beyond the data."""
    figure, axes = pyplot.subplots(1, 3, figsize=(14, 4), sharey=True, layout="constrained")
    line = np.linspace(-15.0, 15.0, 1000)
    for ax, (name, model) in zip(axes, models.items(), strict=True):
        ax.plot(line, sinc(line), color="0.75", lw=4, label="true function")
        PredictiveBandDisplay.from_estimator(model, X, y, margin=0.25, ax=ax)
        ax.set_title(name)
        ax.legend(fontsize=8, loc="upper right")
    figure.savefig(out / "regression.png", dpi=150)


def _regression_row(name: str, model: Any, seconds: float) -> Row:
    """Error to the true function in the data; NLPD there and in the gap."""
    test = np.linspace(-10.0, 10.0, 1000)[:, None]
    seen = ~in_gap(test)
    truth = sinc(test[:, 0])
    rms = np.sqrt(np.mean((model.predict(test[seen]) - truth[seen]) ** 2))
    inside = off = "-"
    if not hasattr(model, "best_estimator_"):
        mean, std = model.predict(test, return_std=True)
        new = truth + np.random.default_rng(1).normal(0.0, NOISE, len(test))
        density = -norm.logpdf(new, mean, std)
        inside, off = (f"{density[rows].mean():.3f}" for rows in (seen, ~seen))
    return Row("sinc", name, f"{rms:.4f}", _n_vectors(model), inside, off, seconds)


def _n_vectors(model: Any) -> int:
    """Relevance or support vectors, or all rows of a Gaussian process."""
    model = getattr(model, "best_estimator_", model)
    for name in ("relevance_", "support_", "X_train_"):
        if hasattr(model, name):
            return len(getattr(model, name))
    raise TypeError(f"a {type(model).__name__} has no vectors that are known here.")


def classification(pyplot: Any, out: Path) -> list[Row]:
    """Ripley's mixture: RVC beside SVC."""
    X, y = ripley_mixture(250, random_state=0)
    test, new = ripley_mixture(5000, random_state=1)
    rvc, rvc_seconds = timed(RVC(), X, y)
    grid = {"C": C_GRID, "gamma": [1.0, 4.0, 16.0]}
    search, svc_seconds = timed(GridSearchCV(SVC(), grid), X, y)
    svc = search.best_estimator_
    platt, platt_seconds = timed(CalibratedClassifierCV(svc, ensemble=False), X, y)

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.5), sharey=True, layout="constrained")
    for ax, model in zip(axes, (rvc, svc), strict=True):
        ProbabilityDisplay.from_estimator(model, X, y, ax=ax)
        ax.set_title(type(model).__name__)
        ax.legend(fontsize=8, loc="upper left")
    figure.savefig(out / "classification.png", dpi=150)

    rows = []
    for name, model, probability, seconds in (
        ("RVC", rvc, rvc, rvc_seconds),
        ("SVC by cross-validation, Platt", svc, platt, svc_seconds + platt_seconds),
    ):
        error = f"{100 * np.mean(model.predict(test) != new):.2f} %"
        loss = f"{log_loss(new, probability.predict_proba(test)):.3f}"
        rows.append(Row("Ripley", name, error, _n_vectors(model), loss, "-", seconds))
    return rows


def table(rows: list[Row]) -> str:
    """The rows as text, in columns."""
    head = ("data", "model", "test error", "vectors", "NLPD / log loss", "in the gap", "seconds")
    lines = [head, *((*row[:-1], f"{row.seconds:.2f}") for row in rows)]
    widths = [max(len(str(line[k])) for line in lines) for k in range(len(head))]
    return "\n".join(
        "  ".join(str(cell).ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def main(arguments: list[str] | None = None) -> None:
    """Fit, draw, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the pictures")
    out = parser.parse_args(arguments).out
    out.mkdir(parents=True, exist_ok=True)

    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    print(table(regression(pyplot, out) + classification(pyplot, out)))
    print("sinc: RMS error to the true function outside the gap, and minus the mean log density of")
    print("new targets; noise is 0.1, for which -0.88 is the least. Ripley: Bayes error about 8 %.")
    for name in ("regression.png", "classification.png"):
        print(f"wrote {out / name}")


if __name__ == "__main__":
    main()
