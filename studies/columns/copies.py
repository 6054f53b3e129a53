"""Weights, repeated rows, samples with replacement: what they leave of a fit, and bags of fits."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.ensemble import AdaBoostRegressor, BaggingRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVR

from sparsebayes import RVR
from studies.framework.experiment import Block, Experiment, Table, Task, Text, cell
from studies.measures import COVERED, rms

N_DRAWS = 6
N_NEW = 1000
Rows = tuple[np.ndarray, np.ndarray]


def friedman(noise: float) -> Callable[[int, int], Rows]:
    """Rows of Friedman's first function."""
    return lambda n_rows, seed: make_friedman1(n_rows, noise=noise, random_state=seed)


def levels(n_rows: int, seed: int) -> Rows:
    """A table of few levels, in which equal rows are observations."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 4, (n_rows, 3)).astype(float)
    signal = 1.5 * np.sin(X[:, 0]) + X[:, 1] * (X[:, 2] > 1.0)
    return X, np.round(signal + 0.8 * random.normal(size=n_rows))


# How many rows there are, and where they come from.
PROBLEMS: dict[str, tuple[str, int, Callable[[int, int], Rows]]] = {
    "noisy": ("Friedman 1, noise 3, 300 rows", 300, friedman(3.0)),
    "clear": ("Friedman 1, noise 1, 200 rows", 200, friedman(1.0)),
    "levels": ("a table of few levels, 500 rows", 500, levels),
}
# Rows and their weights, made of n rows and random numbers.
WAYS: dict[str, Callable[[int, np.random.Generator], tuple]] = {
    "no weights": lambda n, random: (np.arange(n), None),
    "0.01": lambda n, random: (np.arange(n), np.full(n, 0.01)),
    "1.1": lambda n, random: (np.arange(n), np.full(n, 1.1)),
    "3": lambda n, random: (np.arange(n), np.full(n, 3)),
    "100": lambda n, random: (np.arange(n), np.full(n, 100)),
    "all rows twice": lambda n, random: (np.tile(np.arange(n), 2), None),
    "half of them twice": lambda n, random: (np.append(np.arange(n), np.arange(n // 2)), None),
    "uniform, 0.5 to 2": lambda n, random: (np.arange(n), random.uniform(0.5, 2.0, n)),
    "exponential": lambda n, random: (np.arange(n), random.exponential(size=n)),
    "falling to 1 / 20": lambda n, random: (np.arange(n), np.exp(-3.0 * np.arange(n) / n)),
    "with replacement": lambda n, random: (random.integers(0, n, n), None),
    "its different rows": lambda n, random: (np.unique(random.integers(0, n, n)), None),
}
# What ensembles are made of: ours, and two that no copies of rows mislead.
MEMBERS: dict[str, Callable[[], Any]] = {
    "RVR()": RVR,
    "SVR(C=10)": lambda: SVR(C=10.0),
    "KernelRidge": lambda: KernelRidge(kernel="rbf", gamma=0.5, alpha=0.1),
}
ENSEMBLES: dict[str, Callable[[Any, int], Any]] = {
    "BaggingRegressor": lambda member, seed: BaggingRegressor(member, 10, random_state=seed),
    "the same, 63 % without replacement": lambda member, seed: BaggingRegressor(
        member, 10, max_samples=0.632, bootstrap=False, random_state=seed
    ),
    "AdaBoostRegressor": lambda member, seed: AdaBoostRegressor(
        member, n_estimators=10, random_state=seed
    ),
}


def one_draw(name: str, seed: int) -> dict:
    """All ways of weighting on one draw of a problem, and the ensembles."""
    _, n, draw = PROBLEMS[name]
    X, y = draw(n + N_NEW, seed)
    rows, new = (X[:n], y[:n]), (X[n:], y[n:])
    found = {way: one_fit(way, rows, new, seed) for way in WAYS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for member, plain in MEMBERS.items():
            own = rms(plain().fit(*rows).predict(new[0]), new[1])
            for title, make in ENSEMBLES.items():
                model = make(plain(), seed).fit(*rows)
                found[f"{title}, {member}"] = {"ratio": rms(model.predict(new[0]), new[1]) / own}
    return found


def one_fit(way: str, rows: Rows, new: Rows, seed: int) -> dict:
    """R^2, noise and coverage of one model."""
    X, y = rows
    chosen, weight = WAYS[way](len(y), np.random.default_rng(1000 + seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RVR().fit(X[chosen], y[chosen], sample_weight=weight)
    mean, std = model.predict(new[0], return_std=True)
    return {
        "r2": model.score(*new),
        "noise": model.noise_std_,
        "coverage": float(100.0 * np.mean(np.abs(mean - new[1]) <= COVERED * std)),
        "outcome": model.outcome_.name,
    }


def tasks(quick: bool) -> list[Task]:
    """A task for each problem and draw."""
    names = ["levels"] if quick else list(PROBLEMS)
    seeds = range(1 if quick else N_DRAWS)
    return [Task(f"{name}-{seed:02}", one_draw, (name, seed)) for name in names for seed in seeds]


def report(results: dict[str, dict]) -> list[Block]:
    """A table for each problem, and one of the ensembles."""
    of = {
        name: [each for key, each in results.items() if key.startswith(name)] for name in PROBLEMS
    }
    of = {name: each for name, each in of.items() if each}
    tables: list[Block] = [
        Table(
            ["weights", "R^2", "noise", "coverage, %", "converged, %"],
            [[way, *fit_cells([one[way] for one in of[name]])] for way in WAYS],
            f"{PROBLEMS[name][0]}; coverage of new targets by intervals of 90 %",
        )
        for name in of
    ]
    ensembles = Table(
        ["model", *(PROBLEMS[name][0] for name in of)],
        [
            [title, *(cell([one[title]["ratio"] for one in of[name]], "{:.3f}") for name in of)]
            for title in (f"{each}, {member}" for member in MEMBERS for each in ENSEMBLES)
        ],
    )
    said = Text("Root mean square error on new targets, relative to one model of all rows.")
    return [*tables, said, ensembles]


def fit_cells(found: list[dict]) -> list[str]:
    """The cells of a row: means over draws."""
    forms = {"r2": "{:.3f}", "noise": "{:.2f}", "coverage": "{:.1f}"}
    ended = f"{100.0 * np.mean([one['outcome'] == 'CONVERGED' for one in found]):.0f}"
    return [*(cell([one[name] for one in found], form) for name, form in forms.items()), ended]


EXPERIMENTS = [
    Experiment(
        name="columns-copies",
        source="columns",
        title="Weights, repeated rows, samples with replacement, and bags of models",
        tasks=tasks,
        report=report,
    )
]
