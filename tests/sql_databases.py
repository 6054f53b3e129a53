"""Databases that answer a SELECT on a table which a test gives.

PostgreSQL takes part where SPARSEBAYES_TEST_POSTGRES is what `psql` connects with, for example
"host=localhost dbname=test". All is in a transaction there, which is never committed.
"""

import csv
import io
import os
import sqlite3
import subprocess
from typing import NamedTuple

import pytest

POSTGRES = os.environ.get("SPARSEBAYES_TEST_POSTGRES")
NULL = "nothing at all"


def quoted(name):
    """A name as all three databases quote it."""
    return '"' + name.replace('"', '""') + '"'


class Table(NamedTuple):
    """Columns by name, each with its type and its values, and the name of the table."""

    columns: dict
    name: tuple = ("t",)

    @property
    def full_name(self):
        return ".".join(map(quoted, self.name))

    @property
    def definition(self):
        columns = [f"{quoted(name)} {kind}" for name, (kind, _) in self.columns.items()]
        return f"CREATE TABLE {self.full_name} ({', '.join(columns)})"

    @property
    def rows(self):
        return list(zip(*(values for _, values in self.columns.values()), strict=True))


def numbers(X, names=None):
    """A table of doubles, with a key `id`."""
    names = names or [f"x{k}" for k in range(X.shape[1])]
    inputs = {name: ("DOUBLE PRECISION", X[:, k].tolist()) for k, name in enumerate(names)}
    return Table({"id": ("INTEGER", list(range(len(X)))), **inputs})


def _answer(connection, table, sql, new_schema):
    if len(table.name) > 1:
        connection.execute(new_schema.format(quoted(table.name[0])))
    connection.execute(table.definition)
    marks = ", ".join("?" * len(table.columns))
    for row in table.rows:
        connection.execute(f"INSERT INTO {table.full_name} VALUES ({marks})", row)
    answer = connection.execute(sql)
    names, rows = [each[0] for each in answer.description], answer.fetchall()
    (left,) = connection.execute(f"SELECT count(*) FROM {table.full_name}").fetchone()
    assert left == len(table.rows)
    return names, rows


def by_duckdb(table, sql):
    """Names and rows of the result."""
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(config={"threads": 1}) as connection:
        return _answer(connection, table, sql, "CREATE SCHEMA {}")


def by_sqlite(table, sql):
    """Names and rows of the result."""
    connection = sqlite3.connect(":memory:")
    try:
        options = {each for (each,) in connection.execute("PRAGMA compile_options")}
        if "ENABLE_MATH_FUNCTIONS" not in options:
            pytest.skip("this SQLite has no mathematical functions")
        return _answer(connection, table, sql, "ATTACH ':memory:' AS {}")
    finally:
        connection.close()


def by_postgresql(table, sql):
    """Names and rows of the result; numbers are floats."""
    if POSTGRES is None:
        pytest.skip("SPARSEBAYES_TEST_POSTGRES does not name a server")
    schema = [f"CREATE SCHEMA {quoted(table.name[0])}"] if len(table.name) > 1 else []
    values = [f"({', '.join(map(_literal, row))})" for row in table.rows]
    rows = [f"INSERT INTO {table.full_name} VALUES {', '.join(values)}"] if values else []
    copy = f"COPY ({sql}) TO STDOUT WITH (FORMAT csv, HEADER, NULL '{NULL}')"
    count = f"COPY (SELECT count(*) FROM {table.full_name}) TO STDOUT"
    script = ";\n".join(["BEGIN", *schema, table.definition, *rows, copy, count, "ROLLBACK;"])
    command = ["psql", POSTGRES, "-X", "-q", "-v", "ON_ERROR_STOP=1"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names, *found, (left,) = csv.reader(io.StringIO(done.stdout))
    assert int(left) == len(table.rows)
    return names, [tuple(map(_value, row)) for row in found]


def _literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return f"'{value!r}'"


def _value(cell):
    if cell == NULL:
        return None
    try:
        return float(cell)
    except ValueError:
        return {"t": True, "f": False}.get(cell, cell)


DATABASES = {"duckdb": by_duckdb, "sqlite": by_sqlite, "postgresql": by_postgresql}
