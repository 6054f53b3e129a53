"""A module put together, and the comment at its head."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.export.given import asked, expected, plain_model, rows_to_test
from sparsebayes.export.js.language import LANGUAGE, PREDICT, SELF_TEST, code_of
from sparsebayes.export.js.writing import array, label, table, text
from sparsebayes.export.loops import Loops, body_of
from sparsebayes.model import PortableModel
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.face import TableColumn
from sparsebayes.model.graph import LOWERED, Node, graph, lowered


@dataclass(frozen=True)
class Output:
    """A part of what `predict` returns.

    Parameters
    ----------
    array : where it is computed
    name : in the object that is returned
    comment : what it is
    several : whether it has several numbers; None where that depends on the model
    value : in the object, of the {array} and what it holds
    """

    array: str
    name: str
    comment: str
    several: bool | None
    value: str = "{name}: {found}"

    def written(self, squeezed: bool) -> str:
        """The property of the object."""
        several = not squeezed if self.several is None else self.several
        found = f"Array.from(said.{self.array})" if several else f"said.{self.array}[0]"
        return self.value.format(name=self.name, found=found)

    def kind(self, squeezed: bool) -> str:
        """The property and its type."""
        several = not squeezed if self.several is None else self.several
        kind = "*" if self.name == "label" else "number"
        return f"{self.name}: {kind}{'[]' * several}"


# By the names of a graph.
OUTPUTS = {
    "mean": Output("mean", "mean", "the mean of a new target", None),
    "std": Output("std", "std", "its standard deviation, noise included", None),
    "class": Output("number", "label", "the most probable class", False, "{name}: labels[{found}]"),
    "probability": Output(
        "probabilities", "probabilities", "of the classes, in the order of labels", True
    ),
    "novelty": Output("novelty", "novelty", "from 0, well known, to 1, entirely new", False),
}


@without_numpy_errors
def to_js(model: Any, *, std: bool = True, rows: Any = None) -> str:
    """Write a fitted model as a module of JavaScript, which needs nothing else.

    The module runs in web pages and in Node. ``predict(row)`` takes an array of inputs, or an
    object with their names, and returns an object: ``{mean, std}`` of a regressor, ``{label,
    probabilities}`` of a classifier, and ``novelty`` where the model has covering rows. ``inputs``
    and ``labels`` say what they are, and ``selfTest()`` tests the module.

    Parameters
    ----------
    model : estimator
        A fitted estimator, or what `sparsebayes.load` gives. A model that was fitted to a table
        with texts takes the columns of the table.
    std : bool, default=True
        Whether to write error bars. Without them the tables are smaller. A classifier then gives
        no probabilities if these depend on error bars. It is refused if the class depends on them
        too. The mean of counts depends on error bars, so a model of counts only leaves ``std`` out.
    rows : array-like of shape (n_rows, n_features), default=None
        Rows for the test of itself. By default they are a few vectors of the model, and rows beside
        them.

    Returns
    -------
    module : str
        The text of the module. It can stand in a page, within ``<script type="module">``.

    Raises
    ------
    NotPortableError
        If a function of yours makes columns.

    See Also
    --------
    RVR.drop_covering : Makes the tables smaller.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.export import to_js
    >>> model = RVR().fit(*noisy_sinc(50, random_state=0))
    >>> "export function predict(row)" in to_js(model)
    True
    """
    plain = plain_model(model)
    nodes = asked(graph(plain, shared=True), std)
    names = [name for name in OUTPUTS if name in nodes]
    code, n_numbers = computing({OUTPUTS[name].array: nodes[name] for name in names})
    tested = rows_to_test(plain, rows)
    columns = _columns(plain)
    parts = [
        comment(plain, columns, names, n_numbers),
        _inputs(columns),
        *([_labels(plain)] if "class" in names else []),
        code,
        _predict(plain, names),
        _self_test(plain, names, tested),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def computing(outputs: Mapping[str, Node]) -> tuple[str, int]:
    """Tables and functions that compute outputs by name, and how many numbers the tables have.

    The last of the functions is ``model_said(x)``, which returns an object of arrays.
    """
    loops = Loops({"answer": lowered(outputs, {"ndtr": LOWERED["ndtr"]})}, LANGUAGE, {})
    sizes = {name: math.prod(dict(node.axes).values()) for name, node in outputs.items()}
    arrays = ", ".join(f"{name}: new Float64Array({size})" for name, size in sizes.items())
    said = [
        f"const said = {{ {arrays} }};",
        f"model_answer(x, {', '.join(f'said.{name}' for name in outputs)});",
        "return said;",
    ]
    last = f"/** All outputs of a row. */\nfunction model_said(x) {{\n{body_of(said)}\n}}"
    tables = [table(name, values) for name, values in loops.tables.items()]
    n_numbers = sum(values.size for values in loops.tables.values())
    return "\n\n".join([*tables, code_of(loops).strip(), last]), n_numbers


def _columns(model: PortableModel) -> tuple[TableColumn, ...]:
    """What a row holds: the inputs, or the columns of a table."""
    if model.face.table is not None:
        return model.face.table.columns
    return tuple(map(TableColumn, model.face.input_names))


def _inputs(columns: tuple[TableColumn, ...]) -> str:
    """The names of the inputs, and the texts that they can be."""
    texts = [
        "" if each.categories is None else f", texts: {text(each.categories)}" for each in columns
    ]
    pairs = zip(columns, texts, strict=True)
    shown = "\n".join(f"    {{ name: {text(each.name)}{more} }}," for each, more in pairs)
    return f"/** What a row holds, in this order. */\nexport const inputs = [\n{shown}\n];"


def _labels(model: Any) -> str:
    shown = array("export const labels = ", [label(each) for each in model.classes_.tolist()], ";")
    return f"/** The labels of the classes. */\n{shown}"


def _predict(model: PortableModel, names: list[str]) -> str:
    """What users call."""
    squeezed = model.face.squeezed
    values = ", ".join(OUTPUTS[name].written(squeezed) for name in names)
    kinds = ", ".join(OUTPUTS[name].kind(squeezed) for name in names)
    return PREDICT.replace("VALUES", values).replace("{KINDS}", f"{{{kinds}}}")


def _self_test(model: PortableModel, names: list[str], rows: np.ndarray) -> str:
    right, allowed = zip(*(expected(model, name, rows) for name in names), strict=True)
    tables = {"rows": rows, "expected": np.hstack(right), "allowed": np.hstack(allowed)}
    code = SELF_TEST.replace("N_ROWS", str(len(rows))).replace("N_INPUTS", str(rows.shape[1]))
    code = code.replace("N_VALUES", str(tables["expected"].shape[1]))
    shown = [table(f"model_test_{name}", each.astype(float)) for name, each in tables.items()]
    return "\n\n".join([*shown, code.strip("\n")])


def comment(
    model: PortableModel, columns: tuple[TableColumn, ...], names: list[str], n_numbers: int
) -> str:
    """What the module is, what it takes, and what it gives."""
    from sparsebayes import __version__

    lines = [
        f"A fitted {text(model.face.estimator)} of sparsebayes {__version__} as a module of "
        "JavaScript. Generated: do not edit.",
        "",
        '    import { predict } from "./model.js";',
        "    predict(row)",
        "",
        "A row is an array of these inputs, or an object with their names:",
        *(f"  {text(each.name)}{_texts(each)}" for each in columns),
        "predict returns an object:",
        *(f"  {OUTPUTS[name].name}: {OUTPUTS[name].comment}" for name in names),
        *_target(model, names),
        f"There are {n_numbers} numbers in constant tables. selfTest() tests the module.",
    ]
    return "\n".join(["/*", *(f" * {line}".rstrip() for line in lines), " */"])


def _texts(column: TableColumn) -> str:
    if column.categories is None:
        return ", 1 for true and 0 for false" if column.truth else ""
    return f", one of {', '.join(map(text, column.categories))}"


def _target(model: Any, names: list[str]) -> list[str]:
    if "class" in names:
        return [f"Labels: {', '.join(map(label, model.classes_.tolist()))}"]
    lines = [] if model.face.squeezed else ["There are several outputs: mean and std are arrays."]
    return (
        lines if model.face.table is None else [*lines, f"Target: {text(model.face.table.target)}"]
    )
