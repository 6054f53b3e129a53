"""Columns with a structure: several outputs of the same columns, groups of columns, complex ones.

Each kind has 50 draws, the lasso of several outputs 5. The weights in a group are standard normal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from studies.columns import ours, peers
from studies.columns.problems import Problem, Size, grouped, shared, turning
from studies.columns.scores import Methods, compared, table
from studies.framework.experiment import Block, Experiment, Task
from studies.framework.sets import of_set

NOISE = 0.05
N_OUTPUTS, PER_GROUP = 4, 5
N_DRAWS = 50
TOLD = "OMP, told how many"
SHARED, EACH = "ours, columns shared", "ours, each output for itself"
TOGETHER, ALONE = "ours, groups", "ours, no groups"
LASSO = "MultiTaskLassoCV"
SLOW = {LASSO: 5}


class Kind(NamedTuple):
    """What is drawn, in which sizes, by which methods, and what the table says of it."""

    draw: Callable[..., Problem]
    size: Size
    small: Size
    more: tuple
    ours: Methods
    peers: Methods
    title: str


KINDS = {
    "outputs": Kind(
        shared,
        Size(300, 2000, 12),
        Size(40, 60, 3),
        (N_OUTPUTS,),
        {SHARED: ours.fitted, EACH: ours.fitted_each},
        {TOLD: peers.pursuit_told, LASSO: peers.multi_task_lasso},
        f"{N_OUTPUTS} outputs, 300 x 2000, 12 active columns shared by all.",
    ),
    "groups": Kind(
        grouped,
        Size(300, 1000, 8),
        Size(60, 50, 2),
        (PER_GROUP,),
        {TOGETHER: ours.fitted_groups, ALONE: ours.fitted},
        {TOLD: peers.pursuit_told},
        f"300 x 1000 in 200 groups of {PER_GROUP}, of which 8 are active.",
    ),
    "complex": Kind(
        turning,
        Size(150, 600, 10),
        Size(40, 50, 3),
        (),
        {ours.OURS: ours.fitted},
        {TOLD: peers.pursuit_told},
        "150 x 600, complex, 10 active.",
    ),
}


def structure_draw(name: str, number: int, size: Size) -> dict:
    """All methods on one draw."""
    return compared(drawn(name, number, size), methods_of(name, number))


def drawn(name: str, number: int, size: Size) -> Problem:
    """One draw of a kind."""
    kind = KINDS[name]
    return kind.draw(number, size, NOISE, *kind.more)


def methods_of(name: str, number: int) -> Methods:
    """Ours, and those peers that are not too slow for this draw."""
    kind = KINDS[name]
    chosen = {one: fit for one, fit in kind.peers.items() if number < SLOW.get(one, N_DRAWS)}
    return {**kind.ours, **chosen}


def tasks(quick: bool) -> list[Task]:
    """Each draw of each kind."""
    return [
        Task(
            f"{name}-{number:02}",
            structure_draw,
            (name, number, kind.small if quick else kind.size),
        )
        for name, kind in KINDS.items()
        for number in range(1 if quick else N_DRAWS)
    ]


def report(results: dict[str, dict]) -> list[Block]:
    """A table for each kind."""
    note = "Noise 5 %."
    return [
        table(found, (*kind.ours, *kind.peers), f"{kind.title} {note}")
        for name, kind in KINDS.items()
        if (found := of_set(results, name))
    ]


EXPERIMENTS = [
    Experiment(
        name="columns-structures",
        source="columns of your own",
        title="Several outputs, groups of columns, complex columns",
        tasks=tasks,
        report=report,
    )
]
