"""Other methods on the same rows: seconds, error, density, size of the model."""

from __future__ import annotations

import time

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge, SGDRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from sparsebayes import RVR
from studies.framework.experiment import Block, Experiment, Table, Task
from studies.scale.data import read, test_rows, with_files

HELD_OUT = 10_000


def nystroem(n_components: int, regressor):
    """Kernel ridge regression on some centres."""
    kernel = Nystroem(n_components=n_components, gamma=0.05, random_state=0)
    return make_pipeline(StandardScaler(), kernel, regressor)


MODELS = {
    "RVR()": RVR,
    "HistGradientBoosting": lambda: HistGradientBoostingRegressor(random_state=0),
    "HistGradientBoosting, 1000 trees": lambda: HistGradientBoostingRegressor(
        max_iter=1000, random_state=0
    ),
    "Nystroem (500) + Ridge": lambda: nystroem(500, Ridge(1e-3)),
    "Nystroem (500) + SGD": lambda: nystroem(500, SGDRegressor(random_state=0)),
    "SVR": lambda: make_pipeline(StandardScaler(), SVR(C=10.0, gamma=0.05, cache_size=1000)),
}
MOST_ROWS = {"SVR": 20_000}


def size_of(model) -> int:
    """About how many numbers a fitted model holds."""
    if isinstance(model, RVR):
        return int(np.size(model.relevance_vectors_) + np.size(model.weights_))
    if isinstance(model, HistGradientBoostingRegressor):
        nodes = sum(len(tree.nodes) for stage in model._predictors for tree in stage)
        return 4 * nodes
    last = model[-1]
    if isinstance(last, SVR):
        return int(last.support_vectors_.size + last.dual_coef_.size)
    kernel = model[1]
    return int(kernel.components_.size + kernel.normalization_.size + last.coef_.size)


def peer(folder: str, kind: str, name: str) -> dict:
    """One method. The noise of those that have none is that of rows it has not seen."""
    X, y = np.array(read(folder, "X")), np.array(read(folder, "y"))
    inputs, targets, clean = test_rows(kind)
    start = time.perf_counter()
    if name == "RVR()":
        model = MODELS[name]().fit(X, y)
        seconds = time.perf_counter() - start
        mean, std = model.predict(inputs, return_std=True)
    else:
        model = MODELS[name]().fit(X[HELD_OUT:], y[HELD_OUT:])
        seconds = time.perf_counter() - start
        left = y[:HELD_OUT] - model.predict(X[:HELD_OUT])
        mean, std = model.predict(inputs), np.sqrt(np.mean(left**2))
    loss = 0.5 * np.log(2.0 * np.pi * std**2) + 0.5 * ((targets - mean) / std) ** 2
    return {
        "name": name,
        "seconds": seconds,
        "error": float(np.sqrt(np.mean((mean - clean) ** 2))),
        "loss": float(np.mean(loss)),
        "numbers": size_of(model),
    }


def tasks(quick: bool) -> list[Task]:
    """Each method at each size that it can take."""
    sizes = (12_000,) if quick else (20_000, 100_000, 1_000_000)
    names = ("RVR()", "HistGradientBoosting") if quick else tuple(MODELS)
    return [
        Task(f"{kind}-{n}-{k}", with_files, (peer, kind, n, name))
        for kind in (("friedman",) if quick else ("friedman", "waves"))
        for n in sizes
        for k, name in enumerate(names)
        if n <= MOST_ROWS.get(name, n)
    ]


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each fit."""
    rows = [
        [
            one["kind"],
            f"{one['n']:,}".replace(",", " "),
            one["name"],
            f"{one['seconds']:.1f}",
            f"{one['error']:.3f}",
            f"{one['loss']:.4f}",
            f"{one['numbers']:,}".replace(",", " "),
        ]
        for one in results.values()
    ]
    header = ["function", "N", "method", "seconds", "error of f", "NLPD", "numbers in the model"]
    note = "Noise of one; two threads each. Methods without error bars have the standard deviation "
    note += "of 10 000 rows held out of their fit."
    return [Table(header, rows, note)]


EXPERIMENTS = [
    Experiment(
        name="large-peers",
        source="scale",
        title="Many rows: RVR() beside peers",
        tasks=tasks,
        report=report,
    )
]
