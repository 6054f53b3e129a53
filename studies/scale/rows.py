"""Seconds, memory and error of the default from 20 000 to ten million rows."""

from __future__ import annotations

import math
import threading
import time

import numpy as np

from sparsebayes import RVC, RVR
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.scale.data import anonymous_megabytes, labels_of, read, test_rows, with_files

FIXED = 500


class Peak:
    """The most memory, apart from files, that this process had inside the block."""

    def __enter__(self) -> Peak:
        self.before = self.most = anonymous_megabytes()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._done.wait(0.01):
            self.most = max(self.most, anonymous_megabytes())

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    @property
    def more(self) -> float:
        """Megabytes beyond what the process took at the beginning."""
        return self.most - self.before


def regression(folder: str, kind: str, centres, predicted: int) -> dict:
    """One fit of `RVR` to files, and a prediction for some of its rows."""
    X, y = read(folder, "X"), read(folder, "y")
    with Peak() as memory:
        start = time.perf_counter()
        model = RVR(centres=centres).fit(X, y)
        seconds = time.perf_counter() - start
    inputs, targets, clean = test_rows(kind)
    mean, std = model.predict(inputs, return_std=True)
    predicting = np.ascontiguousarray(X[:predicted])
    with Peak() as while_predicting:
        start = time.perf_counter()
        model.predict(predicting)
        predict_seconds = time.perf_counter() - start
    loss = 0.5 * np.log(2.0 * np.pi * std**2) + 0.5 * ((targets - mean) / std) ** 2
    return {
        "centres": centres,
        "seconds": seconds,
        "megabytes": memory.more,
        "error": float(np.sqrt(np.mean((mean - clean) ** 2))),
        "loss": float(loss.mean()),
        "coverage": float(np.mean(np.abs(targets - mean) < 1.6449 * std)),
        "vectors": len(model.relevance_),
        "predicted": predicted,
        "predict_seconds": predict_seconds,
        "predict_megabytes": while_predicting.more,
    }


def classification(folder: str, kind: str) -> dict:
    """One fit of `RVC` to files."""
    X, y = read(folder, "X"), labels_of(kind, np.asarray(read(folder, "y")))
    with Peak() as memory:
        start = time.perf_counter()
        model = RVC().fit(X, y)
        seconds = time.perf_counter() - start
    inputs, targets, _ = test_rows(kind)
    found, labels = model.predict_log_proba(inputs), labels_of(kind, targets)
    return {
        "seconds": seconds,
        "megabytes": memory.more,
        "loss": float(-np.mean(found[np.arange(len(labels)), labels])),
        "wrong": float(np.mean(found.argmax(axis=1) != labels)),
        "vectors": len(model.relevance_),
    }


def regression_tasks(quick: bool) -> list[Task]:
    """Sizes, for the default and at fixed centres."""
    sizes = (12_000,) if quick else (20_000, 100_000, 1_000_000, 10_000_000)
    fixed = (12_000,) if quick else (100_000, 1_000_000, 10_000_000)
    tasks = [
        Task(f"{kind}-{n}", with_files, (regression, kind, n, "auto", min(n, 1_000_000)))
        for kind in ("friedman", "waves")
        for n in sizes
        if not quick or kind == "friedman"
    ]
    return tasks + [
        Task(f"fixed-{n}", with_files, (regression, "waves", n, 100 if quick else FIXED, n // 10))
        for n in fixed
    ]


def class_tasks(quick: bool) -> list[Task]:
    """Sizes of two classes."""
    sizes = (12_000,) if quick else (20_000, 100_000, 1_000_000)
    kinds = ("friedman",) if quick else ("friedman", "waves")
    return [Task(f"{k}-{n}", with_files, (classification, k, n)) for k in kinds for n in sizes]


def report_regression(results: dict[str, dict]) -> list[Block]:
    """A row for each fit, and how seconds and memory grow."""
    header = ["function", "N", "centres", "seconds", "MB beyond the data", "error of f"]
    header += ["NLPD", "90 % coverage", "vectors", "seconds per 1e6 predictions"]
    rows = [
        [
            one["kind"],
            f"{one['n']:,}".replace(",", " "),
            str(one["centres"]),
            f"{one['seconds']:.1f}",
            f"{one['megabytes']:.0f}",
            f"{one['error']:.4f}",
            f"{one['loss']:.4f}",
            f"{100 * one['coverage']:.1f}",
            str(one["vectors"]),
            f"{1e6 * one['predict_seconds'] / one['predicted']:.1f}",
        ]
        for one in results.values()
    ]
    note = "`RVR()` on memory maps of ten inputs, noise one; error and loss on 20 000 new rows."
    return [Table(header, rows, note), *_growth(results)]


def _growth(results: dict[str, dict]) -> list[Block]:
    fixed = [one for one in results.values() if one["centres"] == FIXED]
    if len(fixed) < 2:
        return []
    first, last = fixed[0], fixed[-1]
    ratio = math.log(last["n"] / first["n"])
    power = math.log(last["seconds"] / first["seconds"]) / ratio
    predict = math.log(last["predict_seconds"] / first["predict_seconds"]) / ratio
    return [
        Text(
            f"With {FIXED} centres seconds grow as N^{power:.2f} from {first['n']} to {last['n']} "
            f"rows, and those of `predict` as N^{predict:.2f}. Memory beyond the data: "
            f"{first['megabytes']:.0f} and {last['megabytes']:.0f} MB."
        )
    ]


def report_classes(results: dict[str, dict]) -> list[Block]:
    """A row for each fit."""
    rows = [
        [
            one["kind"],
            f"{one['n']:,}".replace(",", " "),
            f"{one['seconds']:.1f}",
            f"{one['megabytes']:.0f}",
            f"{one['loss']:.4f}",
            f"{100 * one['wrong']:.2f}",
            str(one["vectors"]),
        ]
        for one in results.values()
    ]
    header = ["function", "N", "seconds", "MB beyond the data", "log loss", "% wrong", "vectors"]
    return [Table(header, rows, "`RVC()`, two classes, memory maps of ten inputs.")]


EXPERIMENTS = [
    Experiment(
        name="large-rows",
        source="scale",
        title="Many rows: seconds, memory and error of RVR()",
        tasks=regression_tasks,
        report=report_regression,
    ),
    Experiment(
        name="large-classes",
        source="scale",
        title="Many rows: seconds, memory and log loss of RVC()",
        tasks=class_tasks,
        report=report_classes,
    ),
]
