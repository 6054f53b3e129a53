"""`sparsebayes predict`: the rows of a table, with what a model says of them."""

from __future__ import annotations

import io
import sys
from argparse import Namespace
from typing import Any

import numpy as np

from sparsebayes.cli.columns import decimal_mark
from sparsebayes.cli.inputs import inputs_of
from sparsebayes.cli.messages import RefusedError, listed
from sparsebayes.cli.outputs import check_output, write
from sparsebayes.cli.tables import Table, pandas, read_table
from sparsebayes.model import PortableClassifier, load


def run(options: Namespace) -> None:
    """Read, predict, write."""
    if options.out is not None:
        check_output(options.out, options.model, options.data)
    model = load(options.model)
    if isinstance(model, PortableClassifier):
        if options.std or options.quantiles:
            name = "--std" if options.std else "--quantiles"
            raise RefusedError(
                f"{name} is for numbers, and the model predicts classes: use --proba."
            )
    elif options.proba:
        raise RefusedError("--proba is for classes, and the model predicts numbers: use --std.")
    table = read_table(options.data, options.sep)
    found = predictions(model, inputs_of(table, model.face), options)
    _write(_frame(table, found, options.only), table, options)


def predictions(model: Any, X: np.ndarray, options: Namespace) -> dict[str, np.ndarray]:
    """The columns that are asked for, by name (n,)."""
    names = target_names(model)
    if isinstance(model, PortableClassifier):
        found = {f"{names[0]}_predicted": model.predict(X)}
        if options.proba:
            share = model.predict_proba(X)
            for k, label in enumerate(model.classes_.tolist()):
                found[f"{names[0]}_proba_{label}"] = share[:, k]
    else:
        found = _numbers(model, X, options, names)
    if options.novelty:
        found["novelty"] = _novelty(model, X)
    return found


def target_names(model: Any) -> list[str]:
    """The names of the outputs: the target of the table, or y, or y0, y1, ..."""
    if model.face.table is not None:
        return [model.face.table.target]
    if model.face.squeezed or isinstance(model, PortableClassifier):
        return ["y"]
    return [f"y{k}" for k in range(model.plain.weights.shape[1])]


def _numbers(model: Any, X: np.ndarray, options: Namespace, names: list[str]) -> dict:
    n = len(X)
    mean, std = model.predict(X, return_std=True) if options.std else (model.predict(X), None)
    found = {f"{name}_predicted": mean.reshape(n, -1)[:, k] for k, name in enumerate(names)}
    if std is not None:
        found |= {f"{name}_std": std.reshape(n, -1)[:, k] for k, name in enumerate(names)}
    if options.quantiles:
        levels = sorted(set(options.quantiles))
        values = model.predict_quantiles(X, levels).reshape(n, len(levels), -1)
        for k, name in enumerate(names):
            found |= {f"{name}_q{level!r}": values[:, j, k] for j, level in enumerate(levels)}
    return found


def _novelty(model: Any, X: np.ndarray) -> np.ndarray:
    try:
        return model.novelty(X)
    except AttributeError as error:
        raise RefusedError(f"this model has no novelty: {error}") from error


def _frame(table: Table, found: dict[str, np.ndarray], only: bool) -> Any:
    """The columns of the table, and then the predictions."""
    predicted = pandas().DataFrame(found)
    if only:
        return predicted
    twice = [name for name in found if name in table.names]
    if twice:
        raise RefusedError(
            f"{table.path} has a column {listed(twice)} already: rename it, or write predictions "
            "alone with --only."
        )
    frame = pandas().concat([table.frame, predicted], axis=1)
    frame.columns = [*table.names, *found]
    return frame


def _write(frame: Any, table: Table, options: Namespace) -> None:
    """Write Parquet if the name says so, else CSV with the separator of the table."""
    if options.out is None:
        sys.stdout.writelines(_csv(frame, table).splitlines(keepends=True))
    elif options.out.suffix.lower() in (".parquet", ".pq"):
        twice = frame.columns[frame.columns.duplicated()]
        if len(twice):
            raise RefusedError(
                f"Parquet has no columns of one name, and {listed(twice)} is there twice: use "
                "--only."
            )
        file = io.BytesIO()
        frame.to_parquet(file, index=False)
        write(options.out, file.getvalue())
    else:
        write(options.out, _csv(frame, table).encode())


def _csv(frame: Any, table: Table) -> str:
    separator, decimal = table.separator or ",", decimal_mark(table)
    return frame.to_csv(index=False, sep=separator, decimal=decimal, lineterminator="\n")
