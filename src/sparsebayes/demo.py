"""The main job in a minute: a regression and a classification, each beside a tuned SVM.

Run as `python -m sparsebayes.demo --out DIR`; `make demo` does.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR

from sparsebayes.datasets import noisy_sinc, ripley_mixture, sinc
from sparsebayes.estimators import RVC, RVR
from sparsebayes.plots import PredictiveBandDisplay, ProbabilityDisplay

SINC_GAMMA = 0.1
RIPLEY_GAMMA = 4.0
C_GRID = np.logspace(-1, 3, 9)
EPSILON_GRID = np.logspace(-2.5, -0.5, 5)


class Row(NamedTuple):
    """One line of the table."""

    data: str
    model: str
    error: str
    vectors: int
    noise: str
    loss: str
    seconds: float


def timed(estimator: Any, X: np.ndarray, y: np.ndarray) -> tuple[Any, float]:
    """A fitted model and the seconds it took, tuning included."""
    start = time.perf_counter()
    model = estimator.fit(X, y)
    return model, time.perf_counter() - start


def regression(pyplot: Any, out: Path) -> list[Row]:
    """Noisy sinc: RVR beside SVR."""
    X, y = noisy_sinc(100, noise_std=0.1, random_state=0)
    test = np.linspace(-10.0, 10.0, 1000)[:, None]
    new = sinc(test[:, 0]) + np.random.default_rng(1).normal(0.0, 0.1, 1000)
    grid = {"C": C_GRID, "epsilon": EPSILON_GRID}
    rvr, rvr_seconds = timed(RVR(gamma=SINC_GAMMA), X, y)
    search, svr_seconds = timed(GridSearchCV(SVR(gamma=SINC_GAMMA), grid), X, y)
    svr = search.best_estimator_

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4), sharey=True, layout="constrained")
    for ax, model in zip(axes, (rvr, svr), strict=True):
        ax.plot(test[:, 0], sinc(test[:, 0]), color="0.75", lw=4, label="true function")
        PredictiveBandDisplay.from_estimator(model, X, y, ax=ax)
        ax.set_title(type(model).__name__)
        ax.legend(fontsize=8)
    figure.savefig(out / "regression.png", dpi=150)

    mean, std = rvr.predict(test, return_std=True)
    rms = [np.sqrt(np.mean((m.predict(test) - sinc(test[:, 0])) ** 2)) for m in (rvr, svr)]
    nlpd = -norm.logpdf(new, mean, std).mean()
    noise = f"{rvr.noise_std_:.3f}"
    return [
        Row("sinc", "RVR", f"{rms[0]:.4f}", len(rvr.relevance_), noise, f"{nlpd:.3f}", rvr_seconds),
        Row("sinc", "SVR, C and epsilon by CV", f"{rms[1]:.4f}", len(svr.support_), "-", "-",
            svr_seconds),
    ]  # fmt: skip


def classification(pyplot: Any, out: Path) -> list[Row]:
    """Ripley's mixture: RVC beside SVC."""
    X, y = ripley_mixture(250, random_state=0)
    test, new = ripley_mixture(5000, random_state=1)
    rvc, rvc_seconds = timed(RVC(gamma=RIPLEY_GAMMA), X, y)
    search, svc_seconds = timed(GridSearchCV(SVC(gamma=RIPLEY_GAMMA), {"C": C_GRID}), X, y)
    svc = search.best_estimator_
    platt, platt_seconds = timed(CalibratedClassifierCV(svc, ensemble=False), X, y)

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.5), sharey=True, layout="constrained")
    for ax, model in zip(axes, (rvc, svc), strict=True):
        ProbabilityDisplay.from_estimator(model, X, y, ax=ax)
        ax.set_title(type(model).__name__)
        ax.legend(fontsize=8, loc="upper left")
    figure.savefig(out / "classification.png", dpi=150)

    rows = []
    for name, model, vectors, probability, seconds in (
        ("RVC", rvc, rvc.relevance_, rvc, rvc_seconds),
        ("SVC, C by CV, Platt", svc, svc.support_, platt, svc_seconds + platt_seconds),
    ):
        error = f"{100 * np.mean(model.predict(test) != new):.2f} %"
        loss = f"{log_loss(new, probability.predict_proba(test)):.3f}"
        rows.append(Row("Ripley", name, error, len(vectors), "-", loss, seconds))
    return rows


def table(rows: list[Row]) -> str:
    """The rows as text, in columns."""
    head = ("data", "model", "test error", "vectors", "noise std", "NLPD / log loss", "seconds")
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
    print("sinc: RMS error to the true function; noise is 0.1. Ripley: Bayes error is about 8 %.")
    for name in ("regression.png", "classification.png"):
        print(f"wrote {out / name}")


if __name__ == "__main__":
    main()
