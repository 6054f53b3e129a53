"""Which columns are active: ours beside peers, from 600 to 100 000 columns.

Columns are Gaussian, independent or correlated by 0.9 with the next one; active neighbours are then
at least five apart. Weights are of either sign and between 0.5 and 1.5. All settings have the same
seeds, and all methods of a draw are timed one after the other in one process.

The draws of slow methods are fewer, so that it takes about 20 minutes with `--jobs 2`.
"""

from __future__ import annotations

import time
from functools import partial
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from studies.columns import ours, peers, phase
from studies.columns.problems import Size, mostly_zero, plain
from studies.columns.scores import HEADER, NOTE, Methods, compared, rows, score
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.framework.sets import of_set
from studies.scale.rows import Peak
from studies.speed.measure import in_own_process


class Setting(NamedTuple):
    """Noise as a share of the root mean square of the targets, and what columns are like."""

    noise: float
    neighbours: bool = False

    @property
    def title(self) -> str:
        """The setting in words."""
        kind = "Neighbours correlated by 0.9" if self.neighbours else "Independent columns"
        return f"{kind}, noise {100 * self.noise:.0f} %"


SIZES = {one.columns: one for one in (Size(200, 600, 10), Size(300, 2000, 12))}
SIZES |= {one.columns: one for one in (Size(500, 10_000, 15), Size(1000, 100_000, 20))}
SMALL = Size(40, 60, 3)
SETTINGS = {
    "noise-01": Setting(0.01),
    "noise-05": Setting(0.05),
    "noise-20": Setting(0.2),
    "neighbours-05": Setting(0.05, neighbours=True),
}
# Draws of each setting by columns: of ours and of OMP that is told, and of those that take long.
# OMP by cross-validation needs an array of M by M, which 100 000 columns do not allow.
DRAWS = {600: 50, 2000: 50, 10_000: 50, 100_000: 5}
PEER_DRAWS = {
    peers.OMP_CV: {600: 50, 2000: 50, 10_000: 5},
    peers.LASSO: {600: 50, 2000: 20, 10_000: 5, 100_000: 1},
    peers.ARD: {600: 3},
    peers.FASTRVM: {600: 10, 2000: 5},
}
# The only setting with which slow peers are run on 100 000 columns.
LARGEST, MIDDLE = 100_000, "noise-05"
DENSITY = 0.01
FORMS = ("csc", "dense")
NAMES = (ours.OURS, peers.OMP_TOLD, *PEER_DRAWS)


def methods_of(setting: str, n_columns: int, number: int) -> Methods:
    """The methods that are measured on this draw of n_columns columns; all in the quick form."""
    chosen = {
        name: method
        for name, method in peers.METHODS.items()
        if name == peers.OMP_TOLD
        or n_columns == SMALL.columns
        or number < _peer_draws(name, setting, n_columns)
    }
    return {ours.OURS: ours.fitted, **chosen}


def _peer_draws(name: str, setting: str, n_columns: int) -> int:
    if n_columns == LARGEST and setting != MIDDLE:
        return 0
    return PEER_DRAWS[name].get(n_columns, 0)


def recovery_draw(setting: str, number: int, size: Size) -> dict:
    """All methods on one draw."""
    noise, neighbours = SETTINGS[setting]
    one = plain(number, size, noise, neighbours=neighbours)
    return compared(one, methods_of(setting, size.columns, number))


def memory(form: str, rows: int, columns: int, n_active: int) -> dict:
    """Seconds of one fit, and megabytes beyond the dictionary."""
    size, noise = Size(rows, columns, n_active), SETTINGS[MIDDLE].noise
    one = mostly_zero(0, size, noise, DENSITY) if form == "csc" else plain(0, size, noise)
    with threadpool_limits(1), Peak() as peak:
        start = time.perf_counter()
        what = ours.fitted(one)
        seconds = time.perf_counter() - start
    data = one.X.data.nbytes + one.X.indices.nbytes if form == "csc" else one.X.nbytes
    found = {"form": form, "seconds": seconds, "megabytes": peak.more, "data": data / 2**20}
    return found | score(one, what)


def tasks(quick: bool) -> list[Task]:
    """Every setting and draw, the two of memory, and the cells of the phase diagram."""
    if quick:
        drawn = [
            Task(f"60-{name}-00", recovery_draw, (name, 0, SMALL))
            for name in ("noise-05", "neighbours-05")
        ]
        return [*drawn, Task("memory-csc", memory, ("csc", *SMALL)), *phase.tasks(quick)]
    drawn = [
        Task(f"{n_columns}-{name}-{number:02}", recovery_draw, (name, number, size))
        for n_columns, size in SIZES.items()
        for name in SETTINGS
        for number in range(DRAWS[n_columns])
    ]
    one = SIZES[LARGEST]
    held = [Task(f"memory-{form}", partial(in_own_process, memory), (form, *one)) for form in FORMS]
    return [*drawn, *held, *phase.tasks(quick)]


def report(results: dict[str, dict]) -> list[Block]:
    """A table for each setting, that of memory, and the phase diagram."""
    tables = [_setting_table(results, name) for name in SETTINGS]
    cells = {key: one for key, one in results.items() if key.startswith(phase.PREFIX)}
    text = (
        "Dictionaries of Gaussian columns of unit norm; weights of either sign, between 0.5 and "
        "1.5 in size. OMP is told how many columns are active, ours is told nothing. The longest "
        f"path that OMP by CV looks at is {peers.LONGEST} times as long as the truth."
    )
    shown = [one for one in tables if one.rows]
    return [Text(text), *shown, *_memory_table(results), *phase.report(cells)]


def _setting_table(results: dict[str, dict], name: str) -> Table:
    lines = []
    for n_columns, size in {**SIZES, SMALL.columns: SMALL}.items():
        head = f"{size.rows} x {n_columns}, {size.active} active"
        lines += rows(of_set(results, f"{n_columns}-{name}"), NAMES, head)
    return Table(("size", *HEADER), lines, f"{SETTINGS[name].title}. {NOTE}")


def _memory_table(results: dict[str, dict]) -> list[Block]:
    lines = [
        [
            results[key]["form"],
            f"{results[key]['data']:.0f}",
            f"{results[key]['megabytes']:.0f}",
            f"{results[key]['seconds']:.1f}",
            str(results[key]["false"]),
            str(results[key]["missed"]),
        ]
        for key in (f"memory-{form}" for form in FORMS)
        if key in results
    ]
    header = ("columns", "MB of the dictionary", "MB beyond it", "seconds", "false", "missed")
    note = "Ours, 1000 x 100 000, 20 active, noise 5 %, one fit each in a process of its own; "
    return [Table(header, lines, note + "csc: one entry in a hundred.")] if lines else []


EXPERIMENTS = [
    Experiment(
        name="columns-recovery",
        source="columns of your own",
        title="Which columns are active, beside OMP, the lasso and ARD",
        tasks=tasks,
        report=report,
    )
]
