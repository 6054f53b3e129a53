"""The comment at the head of a module."""

from __future__ import annotations

from typing import Any

from sparsebayes.export.js.outputs import OUTPUTS
from sparsebayes.export.js.writing import label, text
from sparsebayes.model import PortableModel
from sparsebayes.model.tables import TableColumn


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
