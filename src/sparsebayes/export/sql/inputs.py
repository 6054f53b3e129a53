"""How the columns of a table become the inputs of a model.

Every column that the model uses is checked once: a row with a NULL, an infinite number, NaN, or a
number with which the model would overflow is not `fine`. Its inputs count as 0, so that what
follows needs no care, and its outputs are NULL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sparsebayes.export.sql.chain import Chain
from sparsebayes.export.sql.dialects import Dialect, dialect_named, quoted
from sparsebayes.model.face import Face, TableColumn

# How databases write true and false as texts.
TRUE, FALSE = ("true", "t", "1", "1.0"), ("false", "f", "0", "0.0")


@dataclass(frozen=True)
class InputLimits:
    """Sizes of inputs with which nothing overflows.

    Parameters
    ----------
    largest : a larger one makes a row NULL
    least : a smaller one counts as 0 where an underflow is an error
    """

    largest: float
    least: float


def table_columns(face: Face, columns: Sequence[str] | None) -> tuple[TableColumn, ...]:
    """The columns of the table that the model takes, with the names that are given."""
    own = face.table.columns if face.table else tuple(map(TableColumn, face.input_names))
    if columns is None:
        return own
    if isinstance(columns, str) or not hasattr(columns, "__len__") or len(columns) != len(own):
        raise ValueError(
            f"columns must be the names of {len(own)} columns, in place of "
            f"{', '.join(each.name for each in own)}; got {columns!r}."
        )
    pairs = zip(columns, own, strict=True)
    return tuple(replace(each, name=name) for name, each in pairs)


def refuse_one_name(dialect: str, columns: Sequence[TableColumn]) -> None:
    """An error where the database takes two columns for one: both inputs would have its values."""
    database, first = dialect_named(dialect), dict[str, str]()
    for name in (each.name for each in columns):
        known = database.known_as(name)
        if known in first:
            why = (
                "it reads upper and lower case alike"
                if database.longest_name is None
                else f"it reads the first {database.longest_name} bytes of a name"
            )
            raise ValueError(
                f"{first[known]!r} and {name!r}, two inputs of the model, are one column for "
                f"{dialect!r}, as {why}. Give one of them another name in the table, or in a view "
                "of it, and pass the names of all inputs as columns=."
            )
        first[known] = name


def put_inputs(
    chain: Chain,
    dialect: Dialect,
    columns: Sequence[TableColumn],
    used: Sequence[int],
    limits: InputLimits,
) -> tuple[dict[int, str], str | None]:
    """Columns for the inputs that are used, by number, and one that says whether a row is fine.

    There is None where no input is used.
    """
    if not used:
        return {}, None
    given = [each for column in columns for each in _given(dialect, column)]
    raw = {number: chain.put("given", given[number]) for number in used}
    chain.stage("checked")
    largest = dialect.number(limits.largest)
    checks = [f"{name} BETWEEN -{largest} AND {largest}" for name in raw.values()]
    fine = chain.put("fine", " AND ".join(checks))
    chain.stage("inputs")
    return {
        number: chain.put("x", _safe(dialect, name, fine, limits)) for number, name in raw.items()
    }, fine


def _safe(dialect: Dialect, name: str, fine: str, limits: InputLimits) -> str:
    condition = fine
    if dialect.strict:
        condition += f" AND abs({name}) > {dialect.number(limits.least)}"
    return f"CASE WHEN {condition} THEN {name} ELSE 0e0 END"


def _given(dialect: Dialect, column: TableColumn) -> list[str]:
    """The inputs that a column of the table becomes; NULL for a text that is not known."""
    name = f"source.{quoted(column.name)}"
    text = f"trim(CAST({name} AS {dialect.text}))"
    if column.truth:
        one, zero = (", ".join(map(dialect.quoted_text, words)) for words in (TRUE, FALSE))
        small = f"lower({text})"
        return [f"CASE WHEN {small} IN ({one}) THEN 1e0 WHEN {small} IN ({zero}) THEN 0e0 END"]
    if column.categories is None:
        return [dialect.as_double(name)]
    texts = [dialect.quoted_text(each) for each in column.categories]
    known = ", ".join(texts)
    return [
        f"CASE WHEN {text} = {each} THEN 1e0 WHEN {text} IN ({known}) THEN 0e0 END"
        for each in texts
    ]
