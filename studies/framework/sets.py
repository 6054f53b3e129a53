"""Experiments over several data sets: a task for each draw of each, and its results by set.

The result of a draw is flat, with keys such as "rvm_error".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from sparsebayes.reproduce.experiment import Task, mean_and_error


def set_draws(
    function: Callable[..., dict], numbers: Mapping[str, int], *more, key: str = "{}-{:03}"
) -> list[Task]:
    """`function(name, seed, *more)` for so many draws of each set."""
    return [
        Task(key.format(name, seed), function, (name, seed, *more))
        for name, n_draws in numbers.items()
        for seed in range(n_draws)
    ]


def _set_of(key: str) -> str:
    return key.rpartition("-")[0]


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
    """Over draws; NaN if there are none."""
    found = values(results, name, quantity)
    return mean_and_error(found)[0] if found else math.nan
