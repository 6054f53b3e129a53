"""`sparsebayes report`: a page on how good a model is."""

from __future__ import annotations

from argparse import Namespace

from sparsebayes.cli.inputs import inputs_of
from sparsebayes.cli.messages import MisuseError, told_progress
from sparsebayes.cli.outputs import check_output, size_of, write
from sparsebayes.cli.tables import pandas, read_table
from sparsebayes.cli.targets import known_labels, known_numbers
from sparsebayes.model import load


def run(options: Namespace) -> None:
    """Read, judge, write."""
    check_output(options.out, options.model, options.data)
    model = load(options.model)
    name = options.target or (model.face.table.target if model.face.table else None)
    if name is None:
        raise MisuseError(
            "the model was not fitted to a table: say with --target what it predicts."
        )
    table = read_table(options.data, options.sep)
    X = inputs_of(table, model.face)
    if model.response.is_probability:
        y = known_labels(table, name, model.classes_)
    else:
        y = known_numbers(table, name)
    from sparsebayes.report import report

    frame = pandas().DataFrame(X, columns=list(model.face.input_names))
    with told_progress("making the report"):
        page = report(model, frame, y, new=options.new).encode()
    write(options.out, page)
    print(f"wrote {options.out} ({size_of(len(page))})")
