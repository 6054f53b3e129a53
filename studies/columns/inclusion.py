"""Whether `inclusion_` can be trusted: of columns that it gives one in five, one in five is active."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import Fast, Linear, SparseBayesRegressor
from studies.framework import sets
from studies.framework.experiment import Block, Experiment, Table, Task, Text

N_ROWS, N_COLUMNS, N_ACTIVE = 200, 500, 10
# Correlation of neighbours, and the noise; the weights of active columns are N(0, 1).
DICTIONARIES = {
    "correlation-0": (0.0, 1.0),
    "correlation-0.9": (0.9, 1.0),
    "correlation-0.99": (0.99, 1.0),
    "noise-3": (0.0, 3.0),
}
EDGES = (0.01, 0.05, 0.2, 0.5, 0.8, 0.95)
BUNDLE = 20


def dictionary(name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns, a target, and which columns are active."""
    correlation, noise = DICTIONARIES[name]
    random = np.random.default_rng(seed)
    columns = random.normal(size=(N_ROWS, N_COLUMNS))
    for j in range(1, N_COLUMNS):
        own = np.sqrt(1.0 - correlation**2) * columns[:, j]
        columns[:, j] = correlation * columns[:, j - 1] + own
    active = random.choice(N_COLUMNS, N_ACTIVE, replace=False)
    target = columns[:, active] @ random.normal(size=N_ACTIVE) + noise * random.normal(size=N_ROWS)
    return columns, target, np.isin(np.arange(N_COLUMNS), active)


def bundle(name: str, number: int, n_draws: int = BUNDLE) -> dict:
    """Some draws: in bins of the probability, columns, their probability, and active ones."""
    said, active, selected = [], [], []
    price = Fast(min_gain=float(np.log(N_COLUMNS)))
    for seed in range(number * BUNDLE, number * BUNDLE + n_draws):
        columns, target, true = dictionary(name, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = SparseBayesRegressor(Linear(), inference=price).fit(columns, target)
        said.append(model.inclusion_)
        active.append(true)
        selected.append(model.selected_)
    probability, true, kept = map(np.concatenate, (said, active, selected))
    place, size = np.digitize(probability, EDGES), len(EDGES) + 1
    return {
        "columns": np.bincount(place, minlength=size).tolist(),
        "probability": np.bincount(place, probability, size).tolist(),
        "active": np.bincount(place, true, size).tolist(),
        "draws": n_draws,
        "kept": int(kept.sum()),
        "found": int((kept & true).sum()),
    }


def tasks(quick: bool) -> list[Task]:
    """Bundles of draws of each dictionary."""
    if quick:
        return sets.set_draws(bundle, {"correlation-0.9": 1}, 1)
    return sets.set_draws(bundle, dict.fromkeys(DICTIONARIES, 10))


def report(results: dict[str, dict]) -> list[Block]:
    """What is said beside what is true, and how many columns are kept."""
    names = sets.names(results)
    return [
        Table(
            ["dictionary", "`inclusion_`", "columns", "its mean", "share that is active"],
            [row for name in names for row in calibration(name, results)],
            f"{N_ROWS} rows, {N_COLUMNS} columns, {N_ACTIVE} active with weights N(0, 1), noise 1 "
            "unless said; ± is the standard error of a share.",
        ),
        Table(
            ["dictionary", "columns kept", "of them active", "active ones kept", "sum"],
            [summary(name, results) for name in names],
            "Of each draw; the sum is that of `inclusion_`. inference=Fast(min_gain=log(500)).",
        ),
        Text("A column that is said to be active with some probability should be so that often."),
    ]


def _total(name: str, results: dict[str, dict], quantity: str) -> np.ndarray:
    return np.sum(sets.values(results, name, quantity), axis=0)


def calibration(name: str, results: dict[str, dict]) -> list[list[str]]:
    """A row for each bin that has columns."""
    columns, said, active = (
        _total(name, results, quantity) for quantity in ("columns", "probability", "active")
    )
    ends = [0.0, *EDGES, 1.0]
    rows = []
    for k in np.flatnonzero(columns):
        share = active[k] / columns[k]
        error = np.sqrt(share * (1.0 - share) / columns[k])
        between = f"{ends[k]:g} to {ends[k + 1]:g}"
        cells = f"{columns[k]}", f"{said[k] / columns[k]:.3f}", f"{share:.3f} ± {error:.3f}"
        rows.append([name, between, *cells])
    return rows


def summary(name: str, results: dict[str, dict]) -> list[str]:
    """How many columns a draw keeps, and how many of the active ones are among them."""
    kept, found, draws = (_total(name, results, each) for each in ("kept", "found", "draws"))
    said = _total(name, results, "probability").sum()
    return [
        name,
        f"{kept / draws:.1f}",
        f"{found / max(1, kept):.0%}",
        f"{found / (N_ACTIVE * draws):.0%}",
        f"{said / draws:.1f}",
    ]


EXPERIMENTS = [
    Experiment(
        name="columns-inclusion",
        source="beyond the papers",
        title="Whether columns are active as often as inclusion_ says",
        tasks=tasks,
        report=report,
    )
]
