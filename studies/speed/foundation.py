"""Times of full re-estimation beside an SVR, and of prediction."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
from sklearn.svm import SVR

from studies import models
from studies.data.samples import friedman
from studies.framework.experiment import Block, Experiment, Table, Task
from studies.speed.measure import interleaved, median_seconds

GAMMAS = (0.03, 0.1)


def fit_times(n_samples: int, gamma: float, repeats: int) -> dict:
    """Friedman 1: one fit of "mackay" and one of an SVR, in turn."""
    one = friedman(1, 0, n_samples)
    makers = {
        "mackay": lambda: models.rvr("mackay", gamma=gamma),
        "svr": lambda: SVR(gamma=gamma),
    }
    found = interleaved(makers, one.X, one.y, repeats)
    model, seconds = found["mackay"]
    return {
        "n": n_samples,
        "gamma": gamma,
        "seconds": seconds,
        "iterations": model.n_iter_,
        "columns": len(model.weights_),
        "evidence": float(model.log_evidence_),
        "svr_seconds": found["svr"][1],
    }


def predict_times(n_rows: int, repeats: int) -> dict:
    """One row, with and without standard deviation, and many rows."""
    one = friedman(1, 0, 300)
    model = models.rvr(gamma=0.03).fit(one.X, one.y)
    row = one.X[:1].copy()
    many = np.tile(one.X, (n_rows // len(one.X) + 1, 1))[:n_rows]
    tracemalloc.start()
    start = time.perf_counter()
    model.predict(many, return_std=True)
    seconds = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return {
        "columns": len(model.weights_),
        "row_us": 1e6 * median_seconds(lambda: model.predict(row), repeats),
        "row_std_us": 1e6 * median_seconds(lambda: model.predict(row, return_std=True), repeats),
        "n_rows": n_rows,
        "seconds": seconds,
        "megabytes": peak,
    }


def tasks(quick: bool) -> list[Task]:
    """A task for each size and width, and one for predictions."""
    sizes, repeats = ((60,), 1) if quick else ((500, 1000), 5)
    fits = [
        Task(f"fit-{n}-{gamma:g}", fit_times, (n, gamma, repeats))
        for n in sizes
        for gamma in GAMMAS
    ]
    return [*fits, Task("predict", predict_times, (2_000, 5) if quick else (1_000_000, 2000))]


def report(results: dict[str, dict]) -> list[Block]:
    """Fits, and predictions."""
    fits = [one for key, one in results.items() if key.startswith("fit")]
    rows = [
        [
            str(one["n"]),
            f"{one['gamma']:g}",
            f"{one['seconds']:.2f}",
            str(one["iterations"]),
            str(one["columns"]),
            f"{one['evidence']:.2f}",
            f"{one['svr_seconds']:.3f}",
        ]
        for one in fits
    ]
    header = ["N", "gamma", "seconds", "iterations", "columns", "log evidence", "SVR, seconds"]
    note = 'Friedman 1, inference="mackay" and one fit of an SVR, medians of fits in turn.'
    return [Table(header, rows, note), *_predictions(results.get("predict"))]


def _predictions(one: dict | None) -> list[Block]:
    if one is None:
        return []
    row = [
        str(one["columns"]),
        f"{one['row_us']:.0f}",
        f"{one['row_std_us']:.0f}",
        str(one["n_rows"]),
        f"{one['seconds']:.2f}",
        f"{one['megabytes']:.0f}",
    ]
    header = [
        "columns",
        "one row, µs",
        "with std, µs",
        "rows",
        "with std, s",
        "MB besides the rows",
    ]
    return [Table(header, [row], "Predictions.")]


EXPERIMENTS = [
    Experiment(
        name="speed-foundation",
        source="speed",
        title="Full re-estimation, and predictions",
        tasks=tasks,
        report=report,
    )
]
