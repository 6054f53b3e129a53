"""How columns of a table become the inputs of a model, and how large and small they may be.

Every column that the model uses is checked once: a row with a NULL, an infinite number, NaN, or a
number with which the model would overflow is not `fine`. Its inputs count as 0, so that what
follows needs no care, and its outputs are NULL. Limits keep the numbers of a graph from the ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from sparsebayes.export.sql.chain import Chain
from sparsebayes.export.sql.dialects import Dialect, dialect_named, quoted
from sparsebayes.export.sql.placement import along
from sparsebayes.model.face import Face, TableColumn
from sparsebayes.model.graph import Node, changed, in_order, is_input
from sparsebayes.model.graph.expression import larger, size, smaller, where
from sparsebayes.model.graph.formulas import COLUMNS

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


# Numbers stay below 10^240, and inputs below 10^60.
MOST_DIGITS, MOST_DIGITS_OF_INPUTS = 240, 60
# Powers of inputs stay above 10^-200, where an underflow is an error.
MOST_SMALL_DIGITS = 200
# The exponential of a smaller exponent is next to nothing: 0 as a column, else that of this one.
LEAST_EXPONENT_OF_COLUMNS, LEAST_EXPONENT = -276.0, -650.0
# The distribution function of smaller numbers likewise.
LEAST_NORMAL = -35.0
# A product of smaller numbers may underflow.
SMALL = 1e-150

Outputs = Mapping[str, Node]


def _axes(outputs: Outputs) -> set[str]:
    """Axes of inputs and of columns, along which the sizes of inputs say how small numbers are."""
    nodes = in_order(outputs.values())
    found = [each for each in nodes if is_input(each) or each.label.endswith(COLUMNS)]
    return {name for each in found for name in each.names}


def strict(outputs: Outputs) -> dict[str, Node]:
    """A graph in which nothing underflows if inputs are not too small."""
    axes = _axes(outputs)

    def change(each: Node) -> Node:
        if each.kind != "map" or each.name not in STRICT:
            return each
        found = STRICT[each.name](each, not axes.isdisjoint(each.names))
        return replace(found, label=each.label)

    return changed(outputs, change)


def _exp(node: Node, inside: bool) -> Node:
    (x,) = node.args
    if inside:
        return where(x > LEAST_EXPONENT_OF_COLUMNS, node, 0.0)
    return replace(node, args=(larger(x, LEAST_EXPONENT),))


def _ndtr(node: Node, inside: bool) -> Node:
    (x,) = node.args
    return replace(node, args=(smaller(larger(x, LEAST_NORMAL), -LEAST_NORMAL),))


def _product(node: Node, inside: bool) -> Node:
    if inside or any(arg.is_table for arg in node.args):
        return node
    return where(reduce(smaller, map(size, node.args)) > SMALL, node, 0.0)


STRICT = {"exp": _exp, "ndtr": _ndtr, "mul": _product, "square": _product}


def limits_of(outputs: Outputs) -> InputLimits:
    """Sizes of inputs with which nothing overflows, and whose powers do not underflow."""
    largest = min(MOST_DIGITS_OF_INPUTS, MOST_DIGITS // _power(outputs, np.fmax))
    return InputLimits(10.0**largest, 10.0 ** -(MOST_SMALL_DIGITS // _power(outputs, np.fmin)))


def _power(outputs: Outputs, of_sum: np.ufunc) -> int:
    """The highest power of the inputs that a number is as large as, or as small as.

    That of 0 is NaN. A sum is as large as its largest term, and as small as its constants.
    """
    axes, found = _axes(outputs), dict[Node, np.ndarray]()
    joins = {"add": of_sum, "sub": of_sum, "sum": of_sum, "mul": np.add, "product": np.add}
    for each in in_order(outputs.values()):
        join, args = joins.get(each.name, np.fmax), [found[arg] for arg in each.args]
        if each.kind == "map":
            pairs = zip(args, each.args, strict=True)
            args = [along(powers, arg.names, each.names) for powers, arg in pairs]
            inside = of_sum is np.fmax or not axes.isdisjoint(each.names)
            found[each] = _of_map(each, args, join, inside)
        elif each.kind == "leaf":
            data = each.data
            found[each] = np.ones(each.axes[0][1]) if data is None else np.where(data, 0.0, np.nan)
        else:
            found[each] = _of_axis(each, args[0], join)
    return max(1, *(int(np.nan_to_num(each).max(initial=0.0)) for each in found.values()))


def _of_axis(node: Node, powers: np.ndarray, join: np.ufunc) -> np.ndarray:
    """The powers of a take, or of a fold."""
    axis = node.args[0].names.index(node.axis)
    if node.kind == "take" and node.data is not None:
        return powers.take(node.data, axis=axis)
    return join.reduce(powers, axis=axis)


def _of_map(node: Node, args: list[np.ndarray], join: np.ufunc, inside: bool) -> np.ndarray:
    """The powers of a map; squares are not small outside of columns."""
    if node.name == "power":
        exponent = node.args[1]
        assert exponent.data is not None
        return args[0] * along(exponent.data, exponent.names, node.names)
    if len(args) > 1:
        return join(*args[-2:])
    factors = {"neg": 1.0, "abs": 1.0, "sqrt": 0.5, "square": 2.0 if inside else 1.0}
    return factors.get(node.name, 0.0) * args[0]
