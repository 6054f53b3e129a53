"""Models as modules of JavaScript: bytes, time of a prediction in Node, and what it says there."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from sparsebayes.export import to_js
from studies.carry.embedded import classifier, regressor
from studies.framework.experiment import Block, Experiment, MissingDataError, Table, Task, Text

N_CALLS = 20_000
# Predicts rows that are read from the input; then times calls, the fastest of five rounds.
PROGRAM = """
import { readFileSync } from "node:fs";
import { predict } from "./model.mjs";
const { rows, calls } = JSON.parse(readFileSync(0, "utf8"));
const said = rows.map((row) => predict(row));
const rounds = Array.from({ length: calls ? 5 : 0 }, () => {
    const start = performance.now();
    for (let k = 0; k < calls; ++k) predict(rows[k % rows.length]);
    return (1000 * (performance.now() - start)) / calls;
});
const values = said.map((each) => each.probabilities ?? [each.mean, each.std].flat());
console.log(JSON.stringify({ values, microseconds: Math.min(...rounds) }));
"""
# (key, model, with covering rows)
CASES = (
    ("rvr-covering", regressor, True),
    ("rvr", regressor, False),
    ("rvc-covering", classifier, True),
    ("rvc", classifier, False),
)


def by_node(module: str, rows: np.ndarray, calls: int = 0) -> tuple[np.ndarray, float | None]:
    """Means and stds, or probabilities; and microseconds of a call, where there are some."""
    node = shutil.which("node")
    if node is None:
        raise MissingDataError("the study of modules needs node")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("model.mjs", module), ("main.mjs", PROGRAM)):
            (Path(folder) / name).write_text(text, encoding="utf-8")
        given = json.dumps({"rows": rows.tolist(), "calls": calls})
        done = subprocess.run(
            [node, Path(folder) / "main.mjs"],
            input=given,
            capture_output=True,
            text=True,
            check=True,
        )
    found = json.loads(done.stdout)
    return np.array(found["values"]), found["microseconds"]


def measured(case: int) -> dict:
    """What one module costs, and how far it is from Python."""
    _, maker, covering = CASES[case]
    model, rows = maker(covering)
    module = to_js(model)
    values, microseconds = by_node(module, rows, N_CALLS)
    expected: Any = (
        model.predict_proba(rows)
        if hasattr(model, "predict_proba")
        else np.column_stack(model.predict(rows, return_std=True))
    )
    plain = model.to_portable().plain
    return {
        "estimator": type(model).__name__,
        "vectors": len(plain.weights),
        "covering_rows": sum(each.n_columns for each in plain.spread.columns or ()),
        "bytes": len(module.encode()),
        "compressed": len(gzip.compress(module.encode(), mtime=0)),
        "microseconds": microseconds,
        "error": float(np.max(np.abs(values - expected) / np.abs(expected))),
    }


def tasks(quick: bool) -> list[Task]:
    """A case each."""
    return [Task(CASES[k][0], measured, (k,)) for k in range(1 if quick else len(CASES))]


def table_of(results: dict[str, dict]) -> Table:
    """A row for each case."""
    header = ["model", "module, kB", "compressed, kB", "a prediction, µs", "largest difference"]
    rows = [
        [
            f"{each['estimator']}, {each['vectors']} vectors"
            + (f", {each['covering_rows']} covering rows" if each["covering_rows"] else ""),
            f"{each['bytes'] / 1e3:.1f}",
            f"{each['compressed'] / 1e3:.1f}",
            f"{each['microseconds']:.1f}",
            f"{each['error']:.0e}",
        ]
        for each in results.values()
    ]
    return Table(header, rows)


def report(results: dict[str, dict]) -> list[Block]:
    """The table, and what its numbers are."""
    text = (
        "A prediction has error bars, or probabilities, and novelty where there are covering rows. "
        "The module is compressed by gzip, as web servers do it. Differences are relative."
    )
    return [table_of(results), Text(text)]


EXPERIMENTS = [
    Experiment("carry-web", "sparsebayes", "Modules of JavaScript in Node", tasks, report)
]
