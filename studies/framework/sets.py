"""Experiments over several data sets: a task for each draw of each, and its results by set.

The result of a draw is flat, with keys such as "rvm_error".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from studies.framework.experiment import Experiment, Task, mean_and_error


def set_draws(
    function: Callable[..., dict], numbers: Mapping[str, int], *more, key: str = "{}-{:03}"
) -> list[Task]:
    """`function(name, seed, *more)` for each draw of each set, whose number is given."""
    return [
        Task(key.format(name, seed), function, (name, seed, *more))
        for name, n_draws in numbers.items()
        for seed in range(n_draws)
    ]


def _set_of(key: str) -> str:
    return key.rpartition("-")[0]


def limited(experiment: Experiment, n_draws: int | None = None, only: str = "") -> Experiment:
    """The experiment with those tasks whose keys hold `only`, at most n_draws of each set."""

    def tasks(quick: bool) -> list[Task]:
        seen: Counter[str] = Counter()
        chosen = []
        for task in experiment.tasks(quick):
            seen[_set_of(task.key)] += 1
            few = n_draws is None or seen[_set_of(task.key)] <= n_draws
            if few and only in task.key:
                chosen.append(task)
        return chosen

    return replace(experiment, tasks=tasks)


def names(results: Mapping[str, dict]) -> list[str]:
    """The sets that were run."""
    return list(dict.fromkeys(map(_set_of, results)))


def of_set(results: Mapping[str, dict], name: str) -> dict[str, dict]:
    """The results of one set."""
    return {key: one for key, one in results.items() if _set_of(key) == name}


def values(results: Mapping[str, dict], name: str, quantity: str) -> list[float]:
    """One quantity of all draws of a set that have it."""
    return [one[quantity] for one in of_set(results, name).values() if quantity in one]


def mean(results: Mapping[str, dict], name: str, quantity: str) -> float:
    """The mean of a quantity over draws; NaN if there are none."""
    found = values(results, name, quantity)
    return mean_and_error(found)[0] if found else math.nan


def pooled(
    results: Mapping[str, dict], keys: Sequence[str], rows: str = "rows"
) -> dict[tuple, list[dict]]:
    """Rows of all results, which have them as a list, grouped by the values of these keys."""
    groups: dict[tuple, list[dict]] = {}
    for result in results.values():
        for row in result[rows]:
            groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def mean_of(rows: Sequence[dict], quantity: str, form: str) -> str:
    """The mean of a quantity over rows as a cell; a dash where no row has it."""
    found = [row[quantity] for row in rows if row.get(quantity) is not None]
    return form.format(sum(found) / len(found)) if found else "-"


def median_of(rows: Sequence[dict], quantity: str, form: str) -> str:
    """The median of a quantity over rows as a cell; a dash where no row has it."""
    found = [row[quantity] for row in rows if row.get(quantity) is not None]
    return form.format(median(found)) if found else "-"
