"""What is measured of weights that were found, and tables of it."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from studies.columns.problems import Problem, active
from studies.framework.comparison import values_of
from studies.framework.experiment import Table, mean_and_error

HEADER = (
    "method",
    "draws",
    "exact, %",
    "false",
    "missed",
    "error of weights, %",
    "noise / true",
    "seconds",
)
NOTE = (
    "Means over draws. Exact: all active columns are found, and no other. False and missed: "
    "columns. Error: the norm of the difference from the true weights, relative to theirs."
)


class Found(NamedTuple):
    """Weights as the truth has them, and the standard deviation of the noise if it is known."""

    weights: np.ndarray
    noise: float | None = None


Methods = Mapping[str, Callable[[Problem], Found]]


def score(one: Problem, what: Found) -> dict:
    """How the weights fare against the truth."""
    kept, true = active(what.weights), one.support
    false, missed = int(np.sum(kept & ~true)), int(np.sum(true & ~kept))
    error = np.linalg.norm(what.weights - one.weights) / np.linalg.norm(one.weights)
    return {
        "false": false,
        "missed": missed,
        "exact": int(false == missed == 0),
        "error": float(error),
        "noise": None if what.noise is None else what.noise / one.noise,
    }


def compared(one: Problem, methods: Methods) -> dict[str, dict]:
    """By method its score and seconds, one after the other in this process."""
    found = {}
    for name, method in methods.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = time.perf_counter()
            what = method(one)
            seconds = time.perf_counter() - start
        found[name] = {**score(one, what), "seconds": seconds}
    return found


def rows(results: Mapping[str, dict], names: Sequence[str], *head: str) -> list[list[str]]:
    """A row for each method that was run, which begins with these cells."""
    return [
        [*head, name, str(len(values_of(results, name, "exact"))), *_cells(results, name)]
        for name in names
        if values_of(results, name, "exact")
    ]


def table(results: Mapping[str, dict], names: Sequence[str], note: str = "") -> Table:
    """One row for each method."""
    return Table(HEADER, rows(results, names), f"{note} {NOTE}".strip())


def _cells(results: Mapping[str, dict], name: str) -> list[str]:
    forms = {"exact": "{:.0f}", "false": "{:.3g}", "missed": "{:.3g}", "error": "{:.3g}"}
    forms |= {"noise": "{:.3f}", "seconds": "{:.2g}"}
    return [_cell(values_of(results, name, key), key, form) for key, form in forms.items()]


def _cell(values: list[float], key: str, form: str) -> str:
    if not values:
        return "-"
    scale = 100.0 if key in ("exact", "error") else 1.0
    return form.format(scale * mean_and_error(values)[0])
