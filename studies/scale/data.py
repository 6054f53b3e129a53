"""Rows in files, written block by block, and processes that measure fits to them.

"friedman" is Friedman 1: ten inputs, of which five matter, and noise of one. A handful of wide
kernels say all of it. "waves" needs every centre it can get.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from studies.speed.measure import CALL

N_INPUTS = 10
AT_ONCE = 500_000
TEST_ROWS = 20_000
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def friedman(X: np.ndarray) -> np.ndarray:
    """Friedman 1."""
    waves = 10.0 * np.sin(np.pi * X[:, 0] * X[:, 1])
    return waves + 20.0 * (X[:, 2] - 0.5) ** 2 + 10.0 * X[:, 3] + 5.0 * X[:, 4]


def waves(X: np.ndarray) -> np.ndarray:
    """A sum of waves in products of neighbouring inputs."""
    return 3.0 * np.sin(2.0 * np.pi * X[:, :4] * X[:, 1:5]).sum(axis=1) + 4.0 * X[:, 5]


FUNCTIONS = {"friedman": friedman, "waves": waves}


def draw(kind: str, n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, targets with a noise of one, and targets without noise."""
    random = np.random.default_rng(seed)
    X = random.uniform(size=(n_rows, N_INPUTS))
    clean = FUNCTIONS[kind](X)
    return X, clean + random.normal(size=n_rows), clean


def test_rows(kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """New rows, with and without noise."""
    return draw(kind, TEST_ROWS, 1_000_000)


test_rows.__test__ = False  # type: ignore[attr-defined]


def labels_of(kind: str, y: np.ndarray) -> np.ndarray:
    """Two classes: whether a target is above about the middle."""
    return (y > (14.4 if kind == "friedman" else 5.0)).astype(int)


def write(kind: str, n_rows: int, folder: Path) -> None:
    """X.npy and y.npy, a part at a time."""
    X = np.lib.format.open_memmap(folder / "X.npy", "w+", np.float64, (n_rows, N_INPUTS))
    y = np.lib.format.open_memmap(folder / "y.npy", "w+", np.float64, (n_rows,))
    for seed, start in enumerate(range(0, n_rows, AT_ONCE)):
        stop = min(start + AT_ONCE, n_rows)
        X[start:stop], y[start:stop], _ = draw(kind, stop - start, seed)
    X.flush()
    y.flush()


def read(folder: str, name: str) -> np.ndarray:
    """A file as a memory map."""
    return np.load(Path(folder) / f"{name}.npy", mmap_mode="r")


def with_files(function: Callable[..., dict], kind: str, n_rows: int, *arguments: Any) -> dict:
    """function(folder, kind, *arguments) in a new process with all threads, on files of rows."""
    with tempfile.TemporaryDirectory() as folder:
        write(kind, n_rows, Path(folder))
        call = json.dumps([function.__module__, function.__name__, [folder, kind, *arguments]])
        own = {key: value for key, value in os.environ.items() if key not in THREADS}
        own["PYTHONPATH"] = os.pathsep.join(path or "." for path in sys.path)
        command = [sys.executable, "-W", "ignore", "-c", CALL, call]
        done = subprocess.run(command, env=own, check=True, stdout=subprocess.PIPE, text=True)
    return {"n": n_rows, "kind": kind, **json.loads(done.stdout.splitlines()[-1])}


def anonymous_megabytes() -> float:
    """Memory of this process that is no file; NaN where there is no /proc."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return np.nan
    return int(status.split("RssAnon:")[1].split()[0]) / 1024
