"""`sparsebayes export`: a model as C, ONNX, SQL or JSON."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from sparsebayes.cli.messages import MisuseError, listed, note
from sparsebayes.cli.outputs import check_output, write
from sparsebayes.model import load

# The options that each form takes.
OPTIONS: dict[str, tuple[str, ...]] = {
    "c": ("precision", "no_std", "name"),
    "onnx": ("precision", "no_std"),
    "sql": ("no_std", "table", "keep", "dialect"),
    "json": (),
}


def run(options: Namespace) -> None:
    """Translate and write."""
    _check_options(options)
    if options.out is not None:
        check_output(options.out, options.model)
    model = load(options.model)
    if options.to in ("c", "json"):
        _tell_inputs(model)
    text = FORMS[options.to](model, options)
    if options.out is None:
        print(text)
    else:
        write(options.out, text if isinstance(text, bytes) else text.encode())


def _check_options(options: Namespace) -> None:
    """An error for an option that the form does not take, or needs."""
    for name in ("precision", "no_std", "name", "table", "keep", "dialect"):
        if getattr(options, name) and name not in OPTIONS[options.to]:
            forms = [form for form, names in OPTIONS.items() if name in names]
            flag = name.replace("_", "-")
            raise MisuseError(f"--{flag} is for --to {' and '.join(forms)}, got --to {options.to}.")
    if options.to == "sql" and options.table is None:
        raise MisuseError("--to sql needs --table NAME: the table that holds the inputs.")
    if options.to == "onnx" and options.out is None:
        raise MisuseError("an ONNX model is no text: say where to write it, such as -o model.onnx.")


def _tell_inputs(model: Any) -> None:
    """The order of inputs, where they are not the columns of the table."""
    table = model.face.table
    if table is not None and any(each.categories is not None for each in table.columns):
        names = model.face.input_names
        note(
            "texts are to be given as inputs of 0 or 1. The inputs are, in this order: "
            f"{listed(names, len(names))}."
        )


def _c(model: Any, options: Namespace) -> str:
    from sparsebayes.export import to_c

    return to_c(
        model,
        name=options.name or "model",
        precision=options.precision or "double",
        std=not options.no_std,
    )


def _onnx(model: Any, options: Namespace) -> bytes:
    from sparsebayes.export import to_onnx

    graph = to_onnx(model, precision=options.precision or "double", std=not options.no_std)
    return graph.SerializeToString()


def _sql(model: Any, options: Namespace) -> str:
    from sparsebayes.export import to_sql

    return to_sql(
        model,
        options.table,
        dialect=options.dialect or "duckdb",
        keep=options.keep or (),
        std=not options.no_std,
    )


def _json(model: Any, options: Namespace) -> str:
    from sparsebayes.export import to_json

    return to_json(model)


FORMS: dict[str, Callable[[Any, Namespace], str | bytes]] = {
    "c": _c,
    "onnx": _onnx,
    "sql": _sql,
    "json": _json,
}
