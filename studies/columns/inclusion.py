"""Whether columns are active as often as `inclusion_` says."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import Linear, SparseBayesRegressor
from studies.framework import sets
from studies.framework.experiment import Block, Experiment, Table, Task, Text

N_ROWS, N_COLUMNS = 200, 500


class Dictionary(NamedTuple):
    """Correlation of neighbours, how many columns are active, with weights N(0, 1), and noise."""

    title: str
    correlation: float = 0.0
    n_active: int = 10
    noise: float = 1.0


DICTIONARIES = {
    "apart": Dictionary("neighbours not correlated"),
    "near": Dictionary("neighbours correlated 0.9", 0.9),
    "nearer": Dictionary("neighbours correlated 0.99", 0.99),
    "noisy": Dictionary("not correlated, noise 3", noise=3.0),
    "one": Dictionary("not correlated, one active, noise 4", n_active=1, noise=4.0),
}
EDGES = (0.01, 0.05, 0.2, 0.5, 0.8, 0.95)
BUNDLE = 20


def dictionary(name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns, a target, and which columns are active."""
    _, correlation, n_active, noise = DICTIONARIES[name]
    random = np.random.default_rng(seed)
    columns = random.normal(size=(N_ROWS, N_COLUMNS))
    for j in range(1, N_COLUMNS):
        own = np.sqrt(1.0 - correlation**2) * columns[:, j]
        columns[:, j] = correlation * columns[:, j - 1] + own
    active = random.choice(N_COLUMNS, n_active, replace=False)
    target = columns[:, active] @ random.normal(size=n_active) + noise * random.normal(size=N_ROWS)
    return columns, target, np.isin(np.arange(N_COLUMNS), active)


def bundle(name: str, number: int, n_draws: int = BUNDLE) -> dict:
    """Some draws: in bins of the probability, columns, their probability, and active ones."""
    said, active, selected = [], [], []
    for seed in range(number * BUNDLE, number * BUNDLE + n_draws):
        columns, target, true = dictionary(name, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = SparseBayesRegressor(Linear(), fit_intercept=False).fit(columns, target)
        if hasattr(model, "inclusion_"):
            said.append(model.inclusion_)
            active.append(true)
            selected.append(model.selected_)
    probability, true, kept = map(np.concatenate, (said, active, selected))
    place, size = np.digitize(probability, EDGES), len(EDGES) + 1
    return {
        "columns": np.bincount(place, minlength=size).tolist(),
        "probability": np.bincount(place, probability, size).tolist(),
        "active": np.bincount(place, true, size).tolist(),
        "draws": len(said),
        "dense": n_draws - len(said),
        "kept": int(kept.sum()),
        "found": int((kept & true).sum()),
    }


def tasks(quick: bool) -> list[Task]:
    """Bundles of draws of each dictionary."""
    if quick:
        return sets.set_draws(bundle, {"near": 1}, 1)
    return sets.set_draws(bundle, dict.fromkeys(DICTIONARIES, 10))


def report(results: dict[str, dict]) -> list[Block]:
    """What is said beside what is true, and how many columns are kept."""
    names = sets.names(results)
    return [
        Table(
            ["dictionary", "`inclusion_`", "columns", "its mean", "share that is active"],
            [row for name in names for row in calibration(name, results)],
            f"{N_ROWS} rows, {N_COLUMNS} columns, 10 active with weights N(0, 1), noise 1 unless "
            "said; ± is the standard error of a share.",
        ),
        Table(
            ["dictionary", "draws", "dense", "kept", "active", "found", "sum"],
            [summary(name, results) for name in names],
            "Draws; fits that have all columns, or pass through the targets, and so no "
            "`inclusion_`, which are left out; columns that a draw keeps, the share of these that "
            "is active, the share of the active ones that is kept, and the sum of `inclusion_`.",
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
        rows.append([DICTIONARIES[name].title, between, *cells])
    return rows


def summary(name: str, results: dict[str, dict]) -> list[str]:
    """How many columns a draw keeps, and how many of the active ones are among them."""
    kept, found, draws = (_total(name, results, each) for each in ("kept", "found", "draws"))
    said = _total(name, results, "probability").sum()
    title, n_active = DICTIONARIES[name].title, DICTIONARIES[name].n_active
    return [
        title,
        f"{draws}",
        f"{_total(name, results, 'dense')}",
        f"{kept / draws:.1f}",
        f"{found / max(1, kept):.0%}",
        f"{found / (n_active * draws):.0%}",
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
