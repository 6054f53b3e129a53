"""How exactly files, ONNX, C, JavaScript and SQL say what the estimators say."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sparsebayes import NotPortableError
from sparsebayes.export import to_c, to_js, to_onnx, to_sql
from sparsebayes.model.files import from_bytes, to_bytes
from studies.carry.kinds import fitted, kinds, new_rows
from studies.carry.web import by_node
from studies.framework.experiment import Block, Experiment, MissingDataError, Table, Task

INPUTS = [f"x{k}" for k in range(5)]
# A row comes in, and its numbers go out: means and stds, or probabilities.
PROGRAM = """
#include <stdio.h>
#include "model.h"

int main(void)
{{
    {real} x[MODEL_N_INPUTS];
    {real} out[64];
    double value;
    int k = 0;
    while (scanf("%lf", &value) == 1) {{
        x[k++] = ({real})value;
        if (k == MODEL_N_INPUTS) {{
            {call}
            for (k = 0; k < {size}; ++k)
                printf("%.17g ", (double)out[k]);
            printf("\\n");
            k = 0;
        }}
    }}
    return 0;
}}
"""


def said(model: Any, rows: np.ndarray) -> np.ndarray:
    """Means and stds side by side, or probabilities."""
    if hasattr(model, "predict_proba"):
        return model.predict_proba(rows)
    return np.column_stack(model.predict(rows, return_std=True))


def by_file(model: Any, rows: np.ndarray) -> np.ndarray:
    """By a plain model that went through a file."""
    return said(from_bytes(to_bytes(model.to_portable())), rows)


def by_onnx(model: Any, rows: np.ndarray, precision: str = "double") -> np.ndarray:
    """By onnxruntime."""
    import onnxruntime

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        proto = to_onnx(model, precision=precision)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    given = rows.astype(np.float32 if precision == "float" else np.float64)
    found = session.run(None, {"X": given})
    return found[1] if hasattr(model, "predict_proba") else np.column_stack(found)


def by_c(model: Any, rows: np.ndarray, precision: str = "double") -> np.ndarray:
    """By a program that gcc makes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        header = to_c(model, precision=precision)
    call, size = "model_predict_std(x, out, out + MODEL_N_OUTPUTS);", "2 * MODEL_N_OUTPUTS"
    if hasattr(model, "predict_proba"):
        call, size = "model_predict_proba(x, out);", "MODEL_N_CLASSES"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "model.h").write_text(header, encoding="utf-8")
        text = PROGRAM.format(real=precision, call=call, size=size)
        (place / "main.c").write_text(text, encoding="utf-8")
        files = [str(place / "main.c"), "-o", str(place / "main")]
        subprocess.run(["gcc", "-std=c99", "-Os", *files, "-lm"], check=True)
        given = " ".join(f"{value!r}" for value in rows.ravel().tolist())
        done = subprocess.run(
            [place / "main"], input=given, capture_output=True, text=True, check=True
        )
    return np.array([line.split() for line in done.stdout.splitlines()], dtype=float)


def by_sql(model: Any, rows: np.ndarray, dialect: str) -> np.ndarray:
    """By DuckDB or SQLite."""
    statement = to_sql(model, "given", dialect=dialect, keep="row")
    if dialect == "duckdb":
        import duckdb

        connection: Any = duckdb.connect()
    else:
        connection = sqlite3.connect(":memory:")
    columns = ", ".join(f"{name} DOUBLE" for name in INPUTS)
    connection.execute(f"CREATE TABLE given (row INTEGER, {columns})")
    places = ", ".join("?" * 6)
    numbered = [[i, *row] for i, row in enumerate(rows.tolist())]
    connection.executemany(f"INSERT INTO given VALUES ({places})", numbered)
    done = connection.execute(statement)
    names = [column[0] for column in done.description]
    found = sorted(done.fetchall())
    connection.close()
    # Means before stds, and probabilities without the label.
    order = sorted(k for k, name in enumerate(names) if name not in ("row", "label"))
    order.sort(key=lambda k: names[k].startswith("std"))
    return np.array([[row[k] for k in order] for row in found], dtype=float)


WAYS: dict[str, Callable[[Any, np.ndarray], np.ndarray]] = {
    "file": by_file,
    "ONNX": by_onnx,
    "C": by_c,
    "JavaScript": lambda model, rows: by_node(to_js(model), rows)[0],
    "DuckDB": lambda model, rows: by_sql(model, rows, "duckdb"),
    "SQLite": lambda model, rows: by_sql(model, rows, "sqlite"),
}
FLOATS: dict[str, Callable[[Any, np.ndarray], np.ndarray]] = {
    "ONNX, float": lambda model, rows: by_onnx(model, rows, "float"),
    "C, float": lambda model, rows: by_c(model, rows, "float"),
}


def agreement(name: str) -> dict:
    """The largest differences of each way to what the estimator says; None where it is refused."""
    if shutil.which("gcc") is None:
        raise MissingDataError("the study of agreement needs gcc")
    model, rows = fitted(kinds()[name]), new_rows()
    expected = said(model, rows)
    found: dict[str, float | None] = {}
    for way, function in WAYS.items():
        try:
            gap = np.abs(function(model, rows) - expected) / np.abs(expected)
            found[way] = float(gap.max())
        except NotPortableError:
            found[way] = None
    singles = rows.astype(np.float32).astype(float)
    expected = said(model, singles)
    scale = np.ones_like(expected)
    if not hasattr(model, "predict_proba"):
        scale = np.tile(np.hsplit(expected, 2)[1], 2)
    for way, function in FLOATS.items():
        found[way] = float((np.abs(function(model, singles) - expected) / scale).max())
    return found


def tasks(quick: bool) -> list[Task]:
    """A kind each."""
    names = list(kinds())
    return [Task(f"{k:02}", agreement, (names[k],)) for k in range(1 if quick else len(names))]


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each kind, a column for each way."""
    names, ways = list(kinds()), [*WAYS, *FLOATS]
    rows = [
        [f"`{names[int(key)]}`", *(_cell(each[way]) for way in ways)]
        for key, each in results.items()
    ]
    note = (
        "Largest differences to the estimator: relative; of floats relative to the std, or in a "
        "probability, at inputs that are floats. A dash: refused with a sentence."
    )
    return [Table(["model", *ways], rows, note)]


def _cell(gap: float | None) -> str:
    return "-" if gap is None else f"{gap:.0e}"


EXPERIMENTS = [
    Experiment(
        "carry-agreement",
        "sparsebayes",
        "Files, ONNX, C, JavaScript and SQL beside the estimators",
        tasks,
        report,
    )
]
