"""Rows for each second in a database, beside `predict`, and what the database says of them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from sparsebayes import RVC, RVR, NotPortableError
from sparsebayes.export import to_sql
from studies.framework.experiment import Block, Experiment, MissingDataError, Table, Task
from studies.scale.data import N_INPUTS, labels_of, read, with_files

FITTED_ROWS = 1000
COMPARED = 1000
NAMES = [f"x{k}" for k in range(N_INPUTS)]


class Form(NamedTuple):
    """A model, whether its covering rows stay, and whether a standard deviation is asked for."""

    estimator: type
    covering: bool = True
    std: bool = True


FORMS = {
    "RVR, mean": Form(RVR, std=False),
    "RVR, mean and std": Form(RVR),
    "RVR, mean and std, without covering rows": Form(RVR, covering=False),
    "RVC, label and probabilities": Form(RVC),
    "RVC, label and probabilities, without covering rows": Form(RVC, covering=False),
}


def rates(folder: str, kind: str, name: str, few: int, repeats: int) -> dict:
    """Rows per second of one form: `predict` and DuckDB in turn on all rows, SQLite on a few."""
    form, X = FORMS[name], np.array(read(folder, "X"))
    model = _fitted(form, kind, X[:FITTED_ROWS], np.array(read(folder, "y")[:FITTED_ROWS]))
    answers = _numpy(form, model)
    expected = answers(X[:COMPARED])
    plain = model.to_portable().plain
    found: dict[str, Any] = {
        "name": name,
        "vectors": sum(each.n_columns for each in plain.columns),
        "covering": sum(each.n_columns for each in plain.spread.columns or ()),
        "few": few,
    }
    sql = to_sql(model, "given", keep="id", std=form.std)
    seconds: dict[str, list[float]] = {"predict": [], "duckdb 1": [], "duckdb all": []}
    for _ in range(repeats):
        seconds["predict"].append(_seconds(lambda: answers(X)))
        for threads in ("1", "all"):
            took, values = _duckdb(sql, X, threads)
            seconds[f"duckdb {threads}"].append(took)
            found["gap"] = _gap(values, expected)
    found |= {way: len(X) / median(each) for way, each in seconds.items()}
    try:
        sql = to_sql(model, "given", dialect="sqlite", keep="id", std=form.std)
    except NotPortableError:
        return found | {"sqlite": None}
    took, values = _sqlite(sql, X[:few])
    return found | {"sqlite": few / took, "gap": max(found["gap"], _gap(values, expected))}


def _fitted(form: Form, kind: str, X: np.ndarray, y: np.ndarray) -> Any:
    model = form.estimator().fit(X, y if form.estimator is RVR else labels_of(kind, y))
    return model if form.covering else model.drop_covering()


def _numpy(form: Form, model: Any) -> Callable[[np.ndarray], np.ndarray]:
    """What gives the numbers of a form (n, m)."""
    if form.estimator is RVC:
        return model.predict_proba
    if not form.std:
        return lambda X: model.predict(X)[:, None]
    return lambda X: np.column_stack(model.predict(X, return_std=True))


def _seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def _duckdb(sql: str, X: np.ndarray, threads: str) -> tuple[float, list[tuple]]:
    """Seconds that it takes to make a table of all predictions, and the first of them."""
    try:
        import duckdb
        import pandas as pd
    except ImportError as error:
        raise MissingDataError(
            f"{error.name} is not installed: pip install {error.name}"
        ) from error

    with duckdb.connect(config={} if threads == "all" else {"threads": 1}) as connection:
        frame = pd.DataFrame(X, columns=NAMES)
        frame.insert(0, "id", np.arange(len(X)))
        connection.register("frame", frame)
        connection.execute("CREATE TABLE given AS SELECT * FROM frame")
        seconds = _seconds(lambda: connection.execute(f"CREATE TABLE predicted AS {sql}"))
        first = connection.execute(f"SELECT * FROM predicted ORDER BY id LIMIT {COMPARED}")
        return seconds, first.fetchall()


def _sqlite(sql: str, X: np.ndarray) -> tuple[float, list[tuple]]:
    """Seconds that SQLite takes to compute all predictions in memory, and the first of them."""
    connection = sqlite3.connect(":memory:")
    columns = ", ".join(f"{name} REAL" for name in NAMES)
    connection.execute(f"CREATE TABLE given (id INTEGER, {columns})")
    marks = ", ".join("?" * (1 + len(NAMES)))
    rows = [(k, *row) for k, row in enumerate(X.tolist())]
    connection.executemany(f"INSERT INTO given VALUES ({marks})", rows)
    seconds = _seconds(lambda: connection.execute(f"CREATE TABLE predicted AS {sql}"))
    first = connection.execute(f"SELECT * FROM predicted ORDER BY id LIMIT {COMPARED}").fetchall()
    connection.close()
    return seconds, first


def _gap(rows: list[tuple], expected: np.ndarray) -> float:
    """The largest relative difference of the last columns of a result."""
    width = expected.shape[1]
    found = np.array([row[-width:] for row in rows], dtype=float)
    return float(np.max(np.abs(found / expected[: len(found)] - 1.0)))


def tasks(quick: bool) -> list[Task]:
    """Each form on a million rows; SQLite on 20 000."""
    n_rows, few = (3000, 1000) if quick else (1_000_000, 20_000)
    names = ("RVR, mean", "RVR, mean and std") if quick else tuple(FORMS)
    return [
        Task(f"form-{k}", with_files, (rates, "friedman", n_rows, name, few, 1 if quick else 5))
        for k, name in enumerate(names)
    ]


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each form."""
    header = ["model and columns", "vectors", "covering rows", "N", "predict, rows/s"]
    header += ["DuckDB, one thread", "DuckDB, all threads", "SQLite", "largest relative gap"]
    rows = [
        [
            one["name"],
            str(one["vectors"]),
            str(one["covering"]),
            f"{one['n']:,}".replace(",", " "),
            *(_rate(one[key]) for key in ("predict", "duckdb 1", "duckdb all", "sqlite")),
            f"{one['gap']:.0e}",
        ]
        for one in results.values()
    ]
    note = f"Friedman 1, ten inputs, fitted to {FITTED_ROWS} rows. Rows for each second, from a "
    note += "table to a table of predictions, with the time that the statement takes to be "
    note += "prepared; medians of runs in turn. `predict` has one thread. SQLite has fewer rows, "
    note += f"{max((one['few'] for one in results.values()), default=0)}, and a dash where the "
    note += "model has too many columns for it. The gap is that to the estimator on "
    note += f"{COMPARED} rows."
    return [Table(header, rows, note)]


def _rate(rows_per_second: float | None) -> str:
    return "-" if rows_per_second is None else f"{rows_per_second:,.0f}".replace(",", " ")


EXPERIMENTS = [
    Experiment(
        name="carry-database",
        source="carry",
        title="SQL: rows for each second in DuckDB and SQLite",
        tasks=tasks,
        report=report,
    )
]
