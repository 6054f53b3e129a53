"""Rows from NumPy, a memory map, Dask threads, and two workers, one of them killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

import numpy as np

from sparsebayes import RVR
from studies.framework.experiment import Block, Experiment, Table, Task
from studies.scale.data import read, test_rows, with_files

PART = 50_000


def part_of(folder: str, name: str, start: int, stop: int) -> np.ndarray:
    """Rows of a file, as a worker reads them."""
    return np.array(read(folder, name)[start:stop])


def collection(folder: str, name: str):
    """An array of Dask whose chunks are read where they are needed."""
    import dask
    import dask.array as da

    shape = read(folder, name).shape
    pieces = []
    for start in range(0, shape[0], PART):
        stop = min(start + PART, shape[0])
        piece = dask.delayed(part_of)(folder, name, start, stop)
        pieces.append(da.from_delayed(piece, (stop - start, *shape[1:]), dtype=float))
    return da.concatenate(pieces)


def sources(folder: str, kind: str, centres, repeats: int) -> dict:
    """Seconds of each source, and how far predictions are from those of NumPy."""
    from distributed import Client, LocalCluster

    X, y = read(folder, "X"), read(folder, "y")
    lazy = collection(folder, "X"), collection(folder, "y")
    given = {"NumPy": (np.array(X), np.array(y)), "memory map": (X, y), "Dask, threads": lazy}
    new, _, _ = test_rows(kind)
    expected: np.ndarray | None = None
    seconds: dict[str, list[float]] = {name: [] for name in given}
    apart = {}
    for _ in range(repeats):
        for name, rows in given.items():
            found, took = _fitted(rows, centres, new)
            expected = found if expected is None else expected
            seconds[name].append(took)
            apart[name] = float(np.abs(found - expected).max())
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster):
        for name in ("Dask, two workers", "the same, one killed"):
            if "killed" in name:
                worker = next(iter(cluster.workers.values()))
                wait = 0.6 * seconds["Dask, two workers"][0]
                threading.Timer(wait, kill, (worker.pid,)).start()
            found, took = _fitted(lazy, centres, new)
            assert expected is not None
            seconds[name], apart[name] = [took], float(np.abs(found - expected).max())
    median = {name: float(np.median(own)) for name, own in seconds.items()}
    return {"centres": centres, "seconds": median, "apart": apart}


def kill(pid: int) -> None:
    """Kill a worker, unless it has ended by itself."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _fitted(rows, centres, new: np.ndarray) -> tuple[np.ndarray, float]:
    start = time.perf_counter()
    model = RVR(centres=centres).fit(*rows)
    seconds = time.perf_counter() - start
    return model.predict(new), seconds


def tasks(quick: bool) -> list[Task]:
    """A task on one million rows for each function."""
    if quick:
        return [Task("friedman", with_files, (sources, "friedman", 12_000, 60, 1))]
    return [
        Task(kind, with_files, (sources, kind, 1_000_000, "auto", repeats))
        for kind, repeats in (("friedman", 3), ("waves", 1))
    ]


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each source."""
    rows = []
    for one in results.values():
        usual = one["seconds"]["NumPy"]
        rows += [
            [
                one["kind"],
                f"{one['n']:,}".replace(",", " "),
                name,
                f"{seconds:.1f}",
                f"{seconds / usual:.2f}",
                f"{one['apart'][name]:.1e}",
            ]
            for name, seconds in one["seconds"].items()
        ]
    header = ["function", "N", "rows from", "seconds", "of NumPy's", "largest difference"]
    note = (
        "Of friedman medians of 3 fits of `RVR()`, by turns; one fit each by workers and of waves."
    )
    return [Table(header, rows, note + " Differences are of predictions for 20 000 new rows.")]


EXPERIMENTS = [
    Experiment(
        name="large-sources",
        source="scale",
        title="The same million rows from memory, a file, Dask, and two workers",
        tasks=tasks,
        report=report,
    )
]
