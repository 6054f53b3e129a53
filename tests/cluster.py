"""A fit by two worker processes, one of which is killed in a pass: `python cluster.py FOLDER`.

It is run by `test_dask.py` in a process of its own, since workers import the main module.
The folder holds X.npy, y.npy and new.npy. It prints what the models of NumPy, of both workers, and
of the killed one say, as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

from sparsebayes import RVR

ROWS = 1000


def read(path: str, start: int, stop: int) -> np.ndarray:
    """Rows of a file, as a worker reads them."""
    time.sleep(0.05)  # long enough for a worker to be lost meanwhile
    return np.load(path, mmap_mode="r")[start:stop]


def collection(path: Path):
    """An array of Dask whose chunks are read by the workers."""
    shape = np.load(path, mmap_mode="r").shape
    pieces = [
        da.from_delayed(
            dask.delayed(read)(str(path), start, min(start + ROWS, shape[0])),
            (min(ROWS, shape[0] - start), *shape[1:]),
            dtype=float,
        )
        for start in range(0, shape[0], ROWS)
    ]
    return da.concatenate(pieces)


def fitted(X, y):
    return RVR(gamma=0.5, centres=100).fit(X, y)


def kill_in_a_pass(cluster: LocalCluster, seconds: float) -> None:
    """Kill a worker some time from now."""
    worker = next(iter(cluster.workers.values()))
    threading.Timer(seconds, os.kill, (worker.pid, signal.SIGKILL)).start()


def main(folder: Path) -> None:
    X, y, new = (np.load(folder / f"{name}.npy") for name in ("X", "y", "new"))
    lazy = collection(folder / "X.npy"), collection(folder / "y.npy")
    expected = fitted(X, y).predict(new)
    apart = lambda model: float(np.abs(model.predict(new) - expected).max())  # noqa: E731
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        start = time.perf_counter()
        found = {"workers": apart(fitted(*lazy))}
        took = time.perf_counter() - start
        before = set(client.scheduler_info()["workers"])
        kill_in_a_pass(cluster, 0.5 * took)
        found["killed"] = apart(fitted(*lazy))
        client.wait_for_workers(2)
        found["lost"] = len(before - set(client.scheduler_info()["workers"]))
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
