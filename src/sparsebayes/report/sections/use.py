"""How to use the model elsewhere."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from sparsebayes.export.c import to_c
from sparsebayes.export.sql import to_sql
from sparsebayes.model import NotPortableError
from sparsebayes.model.columns import n_columns
from sparsebayes.report.findings import Findings
from sparsebayes.report.given import Subject
from sparsebayes.report.markup import Html, clean, clipped, code, heading, paragraph
from sparsebayes.report.numbers import listed, short, to_its_scale

TABLE = "measurements"
# Code is shown for a model that can be read; a larger one would take long to write.
MOST_COLUMNS = 300
MOST_INPUTS = 8
MOST_LINES, LONGEST_LINE, LONGEST_SQL = 14, 150, 1200
PROTOTYPE = re.compile(r"^static inline (.*\bmodel_(?:predict|novelty)\w*\([^)]*\))", re.MULTILINE)
OUTPUT = re.compile(r' AS ("(?:[^"]|"")*"),?$', re.MULTILINE)


def use(found: Findings) -> list[Html]:
    """Python, the command line, C and SQL, with the names of this model."""
    given = found.given
    try:
        portable = given.model.to_portable()
    except NotPortableError as error:
        # An address differs from run to run.
        reason = re.sub(r" at 0x\w+", "", str(error))
        return [paragraph(f"In Python only: {reason}")]
    parts = [heading("Python"), *_python(given)]
    if not given.pairwise:
        parts += [heading("Command line"), *_command_line(given)]
    size = n_columns(portable.plain.columns) + n_columns(portable.plain.spread.columns or ())
    if size > MOST_COLUMNS:
        text = (
            f"The model has {size} columns, too many to print it here. The commands are "
            "sparsebayes export model.sbm --to c and --to sql."
        )
        return [*parts, heading("C and SQL"), paragraph(text)]
    parts += [heading("C"), *_tried(_c, given, portable)]
    parts += [heading("SQL"), *_tried(_sql, given, portable)]
    return parts


def _tried(make: Any, given: Subject, portable: Any) -> list[Html]:
    """Code, or why there is none."""
    try:
        return make(given, portable)
    except ValueError as error:  # a NotPortableError, or a name that it cannot hold
        return [paragraph(f"Not possible: {error}")]


def _python(given: Subject) -> list[Html]:
    """Save, load, predict; with a row where it has few inputs."""
    text = (
        "What is loaded needs NumPy only; nothing of the file is run. to_estimator() gives the "
        "estimator of scikit-learn back."
    )
    few = given.n_inputs <= MOST_INPUTS
    row = np.array([float(f"{each:.5g}") for each in given.dense_rows(1)[0]]) if few else None
    if row is None:
        shown, result = "X", f"X has {given.n_inputs} columns: {listed(list(given.names), 4)}"
    else:
        shown, result = f"[[{', '.join(map(repr, row.tolist()))}]]", _result(given, row)
    call = (
        f"mean, std = model.predict({shown}, return_std=True)"
        if given.classes is None
        else f"probability = model.predict_proba({shown})"
    )
    lines = [
        'model.save("model.sbm")  # where it was fitted',
        "",
        "import sparsebayes  # anywhere else",
        "",
        'model = sparsebayes.load("model.sbm")',
        call,
        f"# {clean(result)}",
    ]
    return [paragraph(text), code("\n".join(lines), "Python")]


def _result(given: Subject, row: np.ndarray) -> str:
    """What the model predicts for a row."""
    if given.classes is None:
        mean, std = given.estimator.predict(row[None], return_std=True)
        pairs = zip(np.ravel(mean), np.ravel(std), strict=True)
        return "; ".join(f"mean {to_its_scale(m, s)}, std {short(s)}" for m, s in pairs)
    probability = given.estimator.predict_proba(row[None])[0]
    pairs = zip(given.class_names, probability, strict=True)
    return ", ".join(f"{clipped(name, 24)}: {short(value)}" for name, value in pairs)


def _command_line(given: Subject) -> list[Html]:
    option = "--std" if given.classes is None else "--proba"
    text = f"new.csv has the columns {listed([each.name for each in given.factors], 6)}."
    return [
        paragraph(text),
        code(f"sparsebayes predict model.sbm new.csv {option} -o predicted.csv", "Shell"),
    ]


def _c(given: Subject, portable: Any) -> list[Html]:
    """Where the header comes from, and what it has."""
    found = PROTOTYPE.findall(to_c(portable))
    lines = ["/* sparsebayes export model.sbm --to c -o model.h */", '#include "model.h"', ""]
    lines += [f"{' '.join(each.split())};" for each in found]
    order = listed([f"x[{k}] is {name}" for k, name in enumerate(given.names)], 8)
    text = (
        f"One header of C99 without memory allocation; it needs math.h only. In it, {order}. In "
        "Python, sparsebayes.export.to_c(model) gives the same."
    )
    return [paragraph(text), code("\n".join(lines), "C")]


def _sql(given: Subject, portable: Any) -> list[Html]:
    """Where the statement comes from, what it reads, and what it gives."""
    statement = to_sql(portable, TABLE)
    outputs = OUTPUT.findall(statement[statement.rindex("SELECT") :])
    text = (
        f"One SELECT for DuckDB, SQLite or PostgreSQL. For each row of the table it gives "
        f"{listed([name[1:-1] for name in outputs], 6)}. In Python, "
        f'sparsebayes.export.to_sql(model, "{TABLE}") gives the same.'
    )
    head = f"-- sparsebayes export model.sbm --to sql --table {TABLE} -o predict.sql"
    return [paragraph(text), code(f"{head}\n{_abridged(statement)}", "SQL")]


def _abridged(statement: str) -> str:
    """The statement; of a long one what it reads, and what it gives."""
    if len(statement) <= LONGEST_SQL:
        return statement
    whole = statement.splitlines()
    lines = [f"{x[: LONGEST_LINE - 1]}…" if len(x) > LONGEST_LINE else x for x in whole]
    last = max(k for k, line in enumerate(lines) if line.startswith("SELECT"))
    first = next((k for k, line in enumerate(lines) if line.startswith(")")), 0)
    begin, end = _some(lines[:first]), _some(lines[last:])
    left = f"-- ... {len(lines) - len(begin) - len(end)} more lines in the file"
    return "\n".join([*begin, left, *end])


def _some(lines: list[str]) -> list[str]:
    """The first and the last lines, MOST_LINES of them at the most."""
    half = MOST_LINES // 2
    return lines if len(lines) <= MOST_LINES else [*lines[:half], "-- ...", *lines[-half:]]
