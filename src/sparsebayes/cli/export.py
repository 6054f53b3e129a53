"""`sparsebayes export`: a model as C, JavaScript, ONNX, SQL or JSON."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from sparsebayes.cli.messages import MisuseError, listed, note
from sparsebayes.cli.outputs import check_output, write
from sparsebayes.model import load

# The options that each form takes, by the names that its function has for them.
OPTIONS: dict[str, tuple[str, ...]] = {
    "c": ("precision", "std", "name"),
    "onnx": ("precision", "std"),
    "sql": ("std", "table", "keep", "dialect"),
    "js": ("std",),
    "json": (),
}


def run(options: Namespace) -> None:
    """Translate and write."""
    asked = _asked(options)
    if options.out is not None:
        check_output(options.out, options.model)
    model = load(options.model)
    if options.to in ("c", "json"):
        _tell_inputs(model)
    from sparsebayes import export

    made = getattr(export, f"to_{options.to}")(model, **asked)
    if options.out is None:
        print(made)
    else:
        write(options.out, made.SerializeToString() if options.to == "onnx" else made.encode())


def _asked(options: Namespace) -> dict[str, Any]:
    """The options that were given, or an error for one that the form does not take, or needs."""
    names = dict.fromkeys(name for form in OPTIONS.values() for name in form)
    asked = {name: getattr(options, name) for name in names if hasattr(options, name)}
    for name in asked:
        if name not in OPTIONS[options.to]:
            forms = " and ".join(form for form, names in OPTIONS.items() if name in names)
            flag = "--no-std" if name == "std" else f"--{name}"
            raise MisuseError(f"{flag} is for --to {forms}, got --to {options.to}.")
    if options.to == "sql" and "table" not in asked:
        raise MisuseError("--to sql needs --table NAME: the table that holds the inputs.")
    if options.to == "onnx" and options.out is None:
        raise MisuseError("an ONNX model is no text: say where to write it, such as -o model.onnx.")
    return asked


def _tell_inputs(model: Any) -> None:
    """The order of inputs, where they are not the columns of the table."""
    table = model.face.table
    if table is not None and any(each.categories is not None for each in table.columns):
        names = model.face.input_names
        note(
            "texts are to be given as inputs of 0 or 1. The inputs are, in this order: "
            f"{listed(names, len(names))}."
        )
