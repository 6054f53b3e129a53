"""Thousands of random fits, each looked at in every way that a user could look at it.

A case is known by its kind and its number: `cases("field", 12, 1)` draws and checks one again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from studies.framework.experiment import Block, Experiment, Status, Table, Task, Verdict
from studies.reliability.cases import draw_case, draw_other_case
from studies.reliability.checks import MOST_SECONDS, check
from studies.reliability.field_cases import draw_field_case

# How many cases of each kind there are, and how many of them make a task.
N_CASES = {"tame": 3000, "hostile": 2000, "field": 3500, "hostile field": 500}
N_OTHER_CASES = {"tame targets": 500, "hostile targets": 500}
PER_TASK = 100
KINDS, OTHER_KINDS = tuple(N_CASES), tuple(N_OTHER_CASES)
DRAW = (
    dict.fromkeys(("tame", "hostile"), draw_case)
    | dict.fromkeys(("field", "hostile field"), draw_field_case)
    | dict.fromkeys(OTHER_KINDS, draw_other_case)
)
N_SLOWEST = 5


def cases(kind: str, first: int, n_cases: int) -> dict:
    """Some cases of a kind: how many were refused, what was found, which took longest."""
    refused, findings, times = 0, [], []
    for seed in range(first, first + n_cases):
        case = DRAW[kind](kind, seed)
        words = case.words
        checked = check(case)
        refused += bool(checked.refused)
        times.append((checked.seconds, seed, words))
        if checked.findings:
            findings.append({"seed": seed, "words": words, "findings": checked.findings})
    slowest = [
        {"seconds": seconds, "seed": seed, "words": words}
        for seconds, seed, words in sorted(times, reverse=True)[:N_SLOWEST]
    ]
    return {"cases": n_cases, "refused": refused, "findings": findings, "slowest": slowest}


def tasks(quick: bool, numbers: Mapping[str, int] = N_CASES, n_quick: int = 10) -> list[Task]:
    """A hundred cases each."""
    return [
        Task(f"{kind.replace(' ', '-')}-{first:05}", cases, (kind, first, size))
        for kind, n_cases in numbers.items()
        for size in [n_quick if quick else PER_TASK]
        for first in range(0, n_quick if quick else n_cases, size)
    ]


def report(results: dict[str, dict], kinds: Sequence[str] = KINDS) -> list[Block]:
    """How many cases of each kind, what was found, and the slowest fits."""
    own = {kind: list(of_kind(results, kind)) for kind in kinds}
    own = {kind: found for kind, found in own.items() if found}
    rows = [_row(kind, found) for kind, found in own.items()]
    header = ["cases", "number", "refused by a ValueError", "with a finding", "slowest fit, s"]
    shown = [
        [kind, str(one["seed"]), _without_addresses(one["words"]), "; ".join(one["findings"])]
        for kind, found in own.items()
        for result in found
        for one in result["findings"]
    ]
    slow = [
        [kind, f"{one['seconds']:.1f}", str(one["seed"]), _without_addresses(one["words"])]
        for kind, found in own.items()
        for one in _slowest(found)
    ]
    status = Status.NOT if shown else Status.REPRODUCED
    return [
        Table(header, rows, "A case is refused where its data or settings have no model."),
        Verdict("no finding in any case", status, f"{len(shown)} cases have one"),
        Table(["cases", "case", "what", "what was found"], shown or [["-", "-", "-", "-"]]),
        Table(["cases", "CPU seconds", "case", "what"], slow, f"At most {MOST_SECONDS:g} s."),
    ]


def _without_addresses(words: str) -> str:
    """A text in which functions are shown without their place in memory."""
    return re.sub(r" at 0x[0-9a-f]+", "", words)


def of_kind(results: Mapping[str, dict], kind: str) -> Iterator[dict]:
    """The results of one kind of cases."""
    start = kind.replace(" ", "-") + "-"
    return (result for key, result in results.items() if re.fullmatch(f"{start}\\d+", key))


def _row(kind: str, found: list[dict]) -> list[str]:
    slowest = [one["seconds"] for one in _slowest(found)]
    return [
        kind,
        str(sum(one["cases"] for one in found)),
        str(sum(one["refused"] for one in found)),
        str(sum(len(one["findings"]) for one in found)),
        f"{slowest[0]:.1f}" if slowest else "-",
    ]


def _slowest(found: list[dict], most: int = 10) -> list[dict]:
    every = (one for each in found for one in each["slowest"])
    return sorted(every, key=lambda one: -one["seconds"])[:most]


EXPERIMENTS = [
    Experiment(
        name="reliability-fuzz",
        source="beyond the papers",
        title="Random data and settings: only refusals that name an argument, nothing infinite",
        tasks=tasks,
        report=report,
    ),
    Experiment(
        name="reliability-targets",
        source="beyond the papers",
        title="The same with outliers, counts, ordered classes and noise that varies",
        tasks=partial(tasks, numbers=N_OTHER_CASES, n_quick=2),
        report=partial(report, kinds=OTHER_KINDS),
    ),
]
