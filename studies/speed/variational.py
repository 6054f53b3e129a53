"""Seconds of variational fits, and how they grow, beside "fast"."""

from __future__ import annotations

import math
from functools import partial

from studies import models
from studies.data.samples import sample
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.framework.sets import pooled
from studies.speed.measure import interleaved

GAMMAS = (0.1, 1.0)
SETS = ("friedman1", "moons")
SIZES = (125, 250, 500, 1000)


def variational_times(name: str, n_samples: int, repeats: int) -> dict:
    """Both inferences at each width, fitted in turn."""
    one = sample(name, 0, n_train=n_samples)
    rows = []
    for relative in GAMMAS:
        make = partial(models.machine, one.is_regression, gamma=one.gamma(relative))
        makers = {"variational": partial(make, "variational"), "fast": make}
        found = interleaved(makers, one.X, one.y, repeats)
        model, seconds = found["variational"]
        fast, fast_seconds = found["fast"]
        rows.append({
            "set": name,
            "n": n_samples,
            "width": relative,
            "seconds": seconds,
            "steps": model.n_iter_,
            "outcome": model.outcome_.name,
            "relevant": len(model.relevance_),
            "columns": len(model.weights_),
            "fast_seconds": fast_seconds,
            "fast_relevant": len(fast.relevance_),
        })  # fmt: skip
    return {"rows": rows}


def tasks(quick: bool) -> list[Task]:
    """A task for each set and size."""
    sizes = (40,) if quick else SIZES
    return [
        Task(f"{name}-{n}", variational_times, (name, n, 1 if quick or n > 500 else 3))
        for n in sizes
        for name in SETS
    ]


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each fit, and how the seconds grow."""
    header = ["set", "N", "width", "seconds", "steps", "relevant of columns", "outcome"]
    rows = [
        [
            row["set"],
            str(row["n"]),
            f"{row['width']:g}",
            f"{row['seconds']:.2f}",
            str(row["steps"]),
            f"{row['relevant']} of {row['columns']}",
            row["outcome"],
            f"{row['fast_seconds']:.2f}",
            str(row["fast_relevant"]),
        ]
        for result in results.values()
        for row in result["rows"]
    ]
    growths = [
        f"{name}, width {width:g}: N^{_power(group):.1f}"
        for (name, width), group in pooled(results, ["set", "width"]).items()
        if len(group) > 1
    ]
    growth = "From the least to the most rows, seconds grow as: " + "; ".join(growths) + "."
    table = Table([*header, "fast: seconds", "relevant"], rows)
    return [table, *([Text(growth)] if growths else [])]


def _power(group: list[dict]) -> float:
    first, last = group[0], group[-1]
    return math.log(last["seconds"] / first["seconds"]) / math.log(last["n"] / first["n"])


EXPERIMENTS = [
    Experiment(
        name="speed-variational",
        source="speed",
        title="Variational fits, and how their time grows",
        tasks=tasks,
        report=report,
    )
]
