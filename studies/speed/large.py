"""Seconds and memory for many rows, each fit in a process of its own."""

from __future__ import annotations

import math
import time

from studies import models
from studies.data.samples import friedman
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.speed.measure import in_own_process, peak_megabytes

CENTRES = 1000


def fit(n_samples: int, centres) -> dict:
    """One regression on Friedman 1, and what it took."""
    one = friedman(1, 0, n_samples)
    before = peak_megabytes()
    start = time.perf_counter()
    model = models.rvr(gamma=one.gamma(0.3), centres=centres).fit(one.X, one.y)
    return {
        "n": n_samples,
        "centres": centres,
        "seconds": time.perf_counter() - start,
        "megabytes": peak_megabytes(),
        "megabytes_before": before,
        "vectors": len(model.relevance_),
        "rounds": model.n_iter_,
        "outcome": model.outcome_.name,
        "error": one.error(model.predict(one.X_test)),
    }


def fit_alone(n_samples: int, centres) -> dict:
    """The same in a process of its own."""
    return in_own_process(fit, n_samples, centres)


def tasks(quick: bool) -> list[Task]:
    """A task for each size and number of centres."""
    sizes = (300,) if quick else (20_000, 50_000, 100_000)
    kinds = (100,) if quick else ("auto", CENTRES)
    return [Task(f"{c}-{n}", fit_alone, (n, c)) for c in kinds for n in sizes]


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each fit, and how the seconds grow."""
    rows = [
        [
            str(one["n"]),
            str(one["centres"]),
            f"{one['seconds']:.1f}",
            f"{one['megabytes']:.0f}",
            str(one["vectors"]),
            str(one["rounds"]),
            f"{one['error']:.3f}",
            one["outcome"],
        ]
        for one in results.values()
    ]
    header = ["N", "centres", "seconds", "peak MB", "vectors", "rounds", "error", "outcome"]
    return [Table(header, rows, "Friedman 1, ten inputs."), *_growth(results)]


def _growth(results: dict[str, dict]) -> list[Block]:
    fixed = [one for one in results.values() if one["centres"] == CENTRES]
    if len(fixed) < 2:
        return []
    first, last = fixed[0], fixed[-1]
    power = math.log(last["seconds"] / first["seconds"]) / math.log(last["n"] / first["n"])
    return [Text(f"With {CENTRES} centres the seconds grow as N^{power:.2f}.")]


EXPERIMENTS = [
    Experiment(
        name="speed-large",
        source="speed",
        title="Many rows: seconds and memory",
        tasks=tasks,
        report=report,
    )
]
