"""A fitted model as one SELECT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sparsebayes.export.given import plain_model, plains_of
from sparsebayes.export.sql.chain import Chain
from sparsebayes.export.sql.dialects import Dialect, clipped, dialect_named, quoted
from sparsebayes.export.sql.inputs import (
    InputLimits,
    limits_of,
    put_inputs,
    refuse_one_name,
    table_columns,
)
from sparsebayes.export.sql.placement import inputs_used
from sparsebayes.export.sql.printer import SqlPrinter
from sparsebayes.model import NotPortableError, PortableModel
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.columns import PlainColumns, n_columns
from sparsebayes.model.graph import Node, graph, in_order, of_error_bars
from sparsebayes.model.graph.expression import largest

PROBABILITY = "probability_"


@without_numpy_errors
def to_sql(
    model: Any,
    table: str | Sequence[str],
    *,
    dialect: str = "duckdb",
    columns: Sequence[str] | None = None,
    keep: str | Sequence[str] = (),
    std: bool = True,
) -> str:
    """Write a fitted model as one SELECT, which predicts for every row of a table.

    A regressor gives ``mean`` and ``std``, or ``mean_0``, ``std_0``, ``mean_1``, ... for several
    outputs. A classifier gives ``label``, and ``probability_<label>`` for each class; these are
    numbered if names would differ in case only, or after 63 bytes. The result has a row for each
    row of the table.

    All outputs are NULL where a column that the model uses is NULL, NaN, or too large for the model
    (beyond 1e60 for a Gaussian kernel), and where it holds a text that did not occur in training.
    In SQLite they are also NULL where a column of numbers holds a text, even one such as '1.5'.

    Parameters
    ----------
    model : estimator
        A fitted estimator, or what `sparsebayes.load` gives.
    table : str or tuple of str
        The name of the table or view. A text is one name, dots included; ("schema", "table") is a
        table in a schema. Names are quoted.
    dialect : {"duckdb", "sqlite", "postgresql"}, default="duckdb"
        The database. SQLite needs its mathematical functions, which it has since 3.35 unless they
        were left out, and prepares a statement slowly if there are hundreds of covering rows. In
        PostgreSQL, use ``SET jit = off`` for such a model, as compiling takes longer than running.
    columns : sequence of str, default=None
        Names of the columns that hold the inputs, in the order of the inputs. By default they are
        the names that the model was fitted with, or x0, x1, ... Only those that the model uses are
        read. A model that was fitted to a table with texts takes the columns of the table. No two
        of them may be one column for the database: names that differ in the case of letters only
        in DuckDB and SQLite, after 63 bytes in PostgreSQL.
    keep : str or sequence of str, default=()
        Columns of the table that come first in the result, such as a key to join on.
    std : bool, default=True
        Whether a regressor gives standard deviations, which take most of the time. The mean of
        counts depends on error bars, so it takes as long without them.

    Returns
    -------
    sql : str
        The statement, without a semicolon, so that it can be part of another statement.

    Raises
    ------
    ValueError
        If two inputs are one column for the database, or two columns of the result are.
    NotPortableError
        If the model has more columns than a database can take, is a softmax whose classes have
        weights of their own, or has columns that a function of yours makes.

    See Also
    --------
    RVR.drop_covering : Makes the statement smaller and faster.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.export import to_sql
    >>> model = RVR(kernel="linear").fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.1, 4.9, 7.0])
    >>> sql = to_sql(model, "measurements", columns=["speed"], keep="id")
    >>> sql.splitlines()[0]
    'WITH sparsebayes_given AS ('
    """
    plain, writing = plain_model(model), dialect_named(dialect)
    _refuse_large(plain.plain.columns, dialect)  # its graph would take long
    everything = graph(plain)
    outputs, asked = _asked(everything, std)
    parts = _all_columns(plain, outputs)
    _refuse_large(parts, dialect, outputs)
    _refuse_roots(outputs)
    limits = limits_of(everything)
    _refuse_far(parts, limits)
    source, prefix = _source(table)
    kept, taken = _names("keep", keep), table_columns(plain.face, columns)
    refuse_one_name(dialect, taken)
    chain = Chain(source, prefix, writing.fence)
    chain.stage("given")
    passed = [(chain.put("kept", f"source.{quoted(name)}"), name) for name in kept]
    inputs, fine = put_inputs(chain, writing, taken, inputs_used(outputs), limits)
    found = SqlPrinter(chain, writing, inputs).write(outputs, asked)
    results = [(_where(fine, each), name) for each, name in _results(plain, writing, found)]
    _refuse_twins([name for _, name in (*passed, *results)])
    return chain.select([(each, quoted(name)) for each, name in (*passed, *results)])


def _asked(found: Mapping[str, Node], std: bool) -> tuple[dict[str, Node], tuple[str, ...]]:
    """What is computed, and which of it is needed more than once."""
    if "mean" in found:
        return {name: found[name] for name in (("mean", "std") if std else ("mean",))}, ()
    scores = {"score": found["score"], "best": largest("class", found["score"])}
    return {"probability": found["probability"], **scores}, tuple(scores)


def _all_columns(model: PortableModel, outputs: Mapping[str, Node]) -> tuple[PlainColumns, ...]:
    """Columns of the mean, and those of the variance and of the noise where they are asked for."""
    if not any(map(of_error_bars, outputs.values())):
        return model.plain.columns
    parts = [(*each.columns, *(each.spread.columns or ())) for each in plains_of(model)]
    return tuple(columns for part in parts for columns in part)


def _results(
    model: PortableModel, dialect: Dialect, found: Mapping[str, np.ndarray]
) -> list[tuple[str, str]]:
    """Expressions of what is predicted, and their names."""
    if model.response.is_probability:
        labels = [dialect.label(each) for each in model.labels]
        pairs = zip(found["score"], labels, strict=True)
        whens = " ".join(f"WHEN {score} = {found['best']} THEN {label}" for score, label in pairs)
        names = _class_names([str(each) for each in model.labels])
        return [(f"CASE {whens} END", "label"), *zip(found["probability"], names, strict=True)]
    return [
        (each, name if model.face.squeezed else f"{name}_{k}")
        for name, values in found.items()
        for k, each in enumerate(values.ravel())
    ]


def _class_names(labels: Sequence[str]) -> list[str]:
    """Names of the probabilities; numbers where a database could not tell them apart."""
    names = [PROBABILITY + label for label in labels]
    if len(set(map(_without_case, names))) < len(names):
        return [f"{PROBABILITY}{k}" for k in range(len(names))]
    return names


def _without_case(name: str) -> str:
    """What no two names of a result may have in common, in any database."""
    return clipped(name).casefold()


def _where(fine: str | None, expression: str) -> str:
    return expression if fine is None else f"CASE WHEN {fine} THEN {expression} END"


def _names(what: str, given: str | Sequence[str]) -> tuple[str, ...]:
    """A name, or several, as a tuple."""
    if isinstance(given, str):
        return (given,)
    if not hasattr(given, "__iter__"):
        raise ValueError(f"{what} must be a name or a sequence of names, got {given!r}.")
    return tuple(given)


def _source(table: str | Sequence[str]) -> tuple[str, str]:
    """The quoted table, and how names of stages begin: not as that of the table does."""
    names = _names("table", table)
    if not names:
        raise ValueError("table must be a name, or names such as (schema, table); got none.")
    source, prefix = ".".join(map(quoted, names)), "sparsebayes"
    while names[-1].casefold().startswith(prefix):
        prefix += "_"
    return source, prefix


def _refuse_twins(names: Sequence[str]) -> None:
    known = list(map(_without_case, names))
    twins = [name for name, own in zip(names, known, strict=True) if known.count(own) > 1]
    if twins:
        raise ValueError(
            f"the result would have several columns {twins[0]!r}. Leave it out of keep, or give "
            "the table a view in which the column has another name."
        )


def _refuse_far(all_columns: Sequence[PlainColumns], limits: InputLimits) -> None:
    """An error where rows like those of the training data would all be NULL."""
    largest = max((_farthest(each) for each in all_columns if each.has_centres), default=0.0)
    if largest > limits.largest:
        raise NotPortableError(
            f"vectors of the model have numbers up to {largest:.1e}, and SQL takes inputs up to "
            f"{limits.largest:.0e} for this kernel. Fit the model to inputs in other units."
        )


def _farthest(columns: PlainColumns) -> float:
    """The largest number of centres, of the inputs that count."""
    used = np.asarray(columns.parameters.get("gamma", np.ones(columns.items.shape[1]))) != 0.0
    return float(np.abs(columns.items[:, used]).max(initial=0.0))


def _refuse_large(
    all_columns: tuple[PlainColumns, ...], dialect: str, outputs: Mapping[str, Node] | None = None
) -> None:
    count, most = n_columns(all_columns), dialect_named(dialect).most_columns
    if count > most:
        of_std = outputs and "std" in outputs and not of_error_bars(outputs["mean"])
        less = "pass std=False, " if of_std else ""
        raise NotPortableError(
            f"the model has {count} columns and covering rows, and {dialect!r} takes {most}. Drop "
            f"the covering rows with model.drop_covering(), {less}or export to ONNX or C."
        )


def _refuse_roots(outputs: Mapping[str, Node]) -> None:
    if any(each.kind == "root" for each in in_order(outputs.values())):
        raise NotPortableError(
            "the model is a softmax whose classes have weights of their own: its probabilities "
            "take a matrix root for each row, which SQL cannot do. Fit RVC with the default "
            'inference="projection", or with multi_class="ovr" or "shared_softmax"; ONNX and C '
            "can hold this model."
        )
