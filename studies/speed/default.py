"""Seconds of default fits, as a user types them, beside what the user would take instead.

`RVR()` beside a Gaussian process with the same kernel and one start, and beside one fit of an SVR;
`RVC()` beside a search over nine settings of an SVC. Each draw is fitted by both in turn, several
times where fits are short; the tables have geometric means over draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.datasets import make_blobs, make_classification, make_friedman1, make_moons
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from sparsebayes import RVC, RVR
from studies.framework.experiment import Block, Experiment, Table, Task
from studies.peers import fastrvm
from studies.speed.measure import interleaved

N_DRAWS = 5
SIZES = (50, 100, 240, 500, 1000, 2000, 4000)
# A Gaussian process with more rows takes minutes.
LARGEST_PROCESS = 1000


class Data(NamedTuple):
    """Training rows, and as many test rows as there are."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def halves(X: np.ndarray, y: np.ndarray, n_rows: int) -> Data:
    """The first rows for training, the others for the test."""
    return Data(X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:])


def friedman(n_rows: int, seed: int) -> Data:
    """Friedman 1 with ten inputs and noise of variance one."""
    X, y = make_friedman1(n_rows + 1000, n_features=10, noise=1.0, random_state=seed)
    return halves(X, y, n_rows)


def moons(n_rows: int, seed: int) -> Data:
    """Two half moons that overlap."""
    X, y = make_moons(n_rows + 1000, noise=0.3, random_state=seed)
    return halves(X, y, n_rows)


def many_inputs(n_rows: int, seed: int, n_inputs: int) -> Data:
    """Two classes of two clusters each, a third of the inputs informative."""
    X, y = make_classification(
        n_rows + 1000,
        n_features=n_inputs,
        n_informative=n_inputs // 3,
        n_redundant=n_inputs // 6,
        class_sep=1.0,
        random_state=seed,
    )
    return halves(X, y, n_rows)


def many_classes(n_rows: int, seed: int, n_classes: int) -> Data:
    """Clusters that overlap, in five inputs."""
    X, y = make_blobs(
        n_rows + 1000, n_features=5, centers=n_classes, cluster_std=3.0, random_state=seed
    )
    return halves(X, y, n_rows)


def process(n_inputs: int) -> GaussianProcessRegressor:
    """A Gaussian process with a scale for each input, from one start."""
    kernel = ConstantKernel() * RBF(np.ones(n_inputs)) + WhiteKernel()
    return GaussianProcessRegressor(kernel, normalize_y=True)


def searched_svc(n_inputs: int) -> GridSearchCV:
    """An SVC over nine settings and five folds, on standardised inputs."""
    gammas = [each / n_inputs for each in (0.1, 1.0, 10.0)]
    grid = {"svc__C": [1.0, 10.0, 100.0], "svc__gamma": gammas}
    return GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=5)


def repeats_of(n_rows: int) -> int:
    """How often a fit is timed on one draw."""
    return 5 if n_rows <= 240 else 1


def compare(draw: Callable, n_rows: int, makers: Mapping, n_draws: int) -> dict:
    """Seconds and test score of all models on each draw."""
    rows = []
    for seed in range(n_draws):
        data = draw(n_rows, seed)
        found = interleaved(makers, data.X, data.y, repeats_of(n_rows))
        rows.append(
            {
                name: {"seconds": seconds, "score": float(model.score(data.X_test, data.y_test))}
                for name, (model, seconds) in found.items()
            }
        )
    return {"n": n_rows, "rows": rows}


def regression(n_rows: int, n_draws: int) -> dict:
    """`RVR()`, a Gaussian process if it is not too slow, and an SVR."""
    makers: dict[str, Callable] = {
        "RVR()": RVR,
        "fast": lambda: RVR(inference="fast"),
        "SVR": lambda: make_pipeline(StandardScaler(), SVR()),
    }
    if n_rows <= LARGEST_PROCESS:
        makers["process"] = lambda: process(10)
    return compare(friedman, n_rows, makers, n_draws)


CLASSES: dict[str, tuple[Callable, int]] = {
    "two moons": (moons, 2),
    "30 inputs": (partial(many_inputs, n_inputs=30), 30),
    "60 inputs": (partial(many_inputs, n_inputs=60), 60),
    "3 classes": (partial(many_classes, n_classes=3), 5),
    "10 classes": (partial(many_classes, n_classes=10), 5),
}


def classification(name: str, n_rows: int, n_draws: int) -> dict:
    """`RVC()` and the search."""
    draw, n_inputs = CLASSES[name]
    makers = {
        "RVC()": RVC,
        "fast": lambda: RVC(inference="fast"),
        "search": lambda: searched_svc(n_inputs),
    }
    return {"set": name, **compare(draw, n_rows, makers, n_draws)}


def given_width(n_rows: int, n_draws: int) -> dict:
    """Small fits at a given kernel, as of voxels, bags and folds."""
    makers: dict[str, Callable] = {
        "RVR(gamma=0.5)": lambda: RVR(gamma=0.5),
        "fast": lambda: RVR(gamma=0.5, inference="fast"),
    }
    if fastrvm is not None:
        makers["fastrvm"] = lambda: fastrvm.RVR(gamma=0.5)
    return compare(friedman, n_rows, makers, n_draws)


def tasks(quick: bool) -> list[Task]:
    """A task for each size of each set."""
    if quick:
        return [
            Task("regression-50", regression, (50, 1)),
            Task("two moons-50", classification, ("two moons", 50, 1)),
            Task("given-50", given_width, (50, 1)),
        ]
    sizes = [
        *(("two moons", n) for n in SIZES[1:]),
        *((f"{n_inputs} inputs", n) for n_inputs in (30, 60) for n in (380, 1000)),
        *((f"{n_classes} classes", n) for n_classes in (3, 10) for n in (300, 1000)),
    ]
    return [
        *(Task(f"regression-{n}", regression, (n, N_DRAWS)) for n in SIZES),
        *(Task(f"{name}-{n}", classification, (name, n, N_DRAWS)) for name, n in sizes),
        Task("given-100", given_width, (100, N_DRAWS)),
    ]


def geometric_mean(rows: list[dict], name: str, what: str = "seconds") -> float:
    """The geometric mean over draws of what one model took."""
    return float(np.exp(np.mean([np.log(row[name][what]) for row in rows])))


def ratio(rows: list[dict], name: str, peer: str) -> str:
    """Seconds of a model relative to those of a peer, as a geometric mean over draws."""
    if peer not in rows[0]:
        return "-"
    return f"{geometric_mean(rows, name) / geometric_mean(rows, peer):.2f}"


def mean_score(rows: list[dict], name: str) -> str:
    """The mean score of a model over draws."""
    return f"{np.mean([row[name]['score'] for row in rows]):.3f}" if name in rows[0] else "-"


REGRESSION_HEADER = ["N", "`RVR()`, s", "over the process", "over SVR", 'over "fast"']
REGRESSION_HEADER += ["R2", "R2 of the process", "R2 of SVR"]
CLASS_HEADER = ["set", "N", "`RVC()`, s", "over the search", 'over "fast"']
CLASS_HEADER += ["accuracy", "of the search"]


def report(results: dict[str, dict]) -> list[Block]:
    """A table of regressions, one of classes, one of small fits."""
    chosen = {
        kind: [one for key, one in results.items() if key.startswith(kind)]
        for kind in ("regression", "given")
    }
    classes = [one for one in results.values() if "set" in one]
    return [
        Table(
            REGRESSION_HEADER,
            [_regression_row(one) for one in chosen["regression"]],
            "Friedman 1, ten inputs; `RVR()` beside GaussianProcessRegressor and one SVR.",
        ),
        Table(
            CLASS_HEADER,
            [_class_row(one) for one in classes],
            "`RVC()` beside GridSearchCV over nine settings of an SVC and five folds.",
        ),
        Table(
            ["N", "`RVR(gamma=0.5)`, ms", 'over "fast"', '"fast" over fastrvm'],
            [_given_row(one) for one in chosen["given"]],
            "Friedman 1 at a given width.",
        ),
    ]


def _regression_row(one: dict) -> list[str]:
    rows = one["rows"]
    return [
        str(one["n"]),
        f"{geometric_mean(rows, 'RVR()'):.3f}",
        ratio(rows, "RVR()", "process"),
        ratio(rows, "RVR()", "SVR"),
        ratio(rows, "RVR()", "fast"),
        *(mean_score(rows, name) for name in ("RVR()", "process", "SVR")),
    ]


def _class_row(one: dict) -> list[str]:
    rows = one["rows"]
    return [
        one["set"],
        str(one["n"]),
        f"{geometric_mean(rows, 'RVC()'):.3f}",
        ratio(rows, "RVC()", "search"),
        ratio(rows, "RVC()", "fast"),
        *(mean_score(rows, name) for name in ("RVC()", "search")),
    ]


def _given_row(one: dict) -> list[str]:
    rows = one["rows"]
    milliseconds = 1e3 * geometric_mean(rows, "RVR(gamma=0.5)")
    ratios = ratio(rows, "RVR(gamma=0.5)", "fast"), ratio(rows, "fast", "fastrvm")
    return [str(one["n"]), f"{milliseconds:.1f}", *ratios]


EXPERIMENTS = [
    Experiment(
        name="speed-default",
        source="speed",
        title="Default fits beside a Gaussian process and a searched SVM",
        tasks=tasks,
        report=report,
    )
]
