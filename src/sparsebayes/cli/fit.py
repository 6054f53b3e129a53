"""`sparsebayes fit`: from a table to a model."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sparsebayes.cli.inputs import chosen_inputs, encoded
from sparsebayes.cli.messages import (
    MisuseError,
    announce,
    counted,
    in_columns,
    note,
    rounded,
    say,
    told_progress,
)
from sparsebayes.cli.outputs import check_output, size_of, write
from sparsebayes.cli.parser import asked_kind
from sparsebayes.cli.relevance import in_a_line, shares_of_columns
from sparsebayes.cli.tables import Table, pandas, read_table
from sparsebayes.cli.targets import TargetColumn, check_likelihood, target_of
from sparsebayes.model.face import TableInputs
from sparsebayes.model.files import to_bytes

if TYPE_CHECKING:
    from sparsebayes.model import PortableModel


def run(options: Namespace) -> None:
    """Read, fit, cross-validate, write, and say what was found."""
    if options.folds < 0 or options.folds == 1:
        raise MisuseError(f"--folds must be 0 or at least 2, got {options.folds}.")
    kind = asked_kind(options.classify, options.regress, options.likelihood)
    check_output(options.out, options.data)
    table = read_table(options.data, options.sep)
    target = target_of(table, options.target, *kind)
    check_likelihood(table, target, options.likelihood)
    inputs = chosen_inputs(table, options.target, options.drop)
    _tell_data(table, target, inputs)
    X = encoded(table, inputs)
    estimator, seconds = _fitted(X, target, inputs, options.likelihood)
    model = _with_facts(estimator.to_portable(), inputs, n_rows=len(target.values))
    shares = shares_of_columns(model, X, target.values)
    write(options.out, to_bytes(_with_facts(model, inputs, relevance=shares)))
    print(summary(estimator, X, target, seconds, shares), flush=True)
    figures = _held_out(estimator, X, target, options.folds, seconds)
    data = to_bytes(_with_facts(model, inputs, relevance=shares, held_out=figures))
    write(options.out, data)
    _tell_next(options, len(data), target)


def _tell_data(table: Table, target: TargetColumn, inputs: TableInputs) -> None:
    kind = "a classification" if target.is_class else "a regression"
    print(
        f"{table.path}: {counted(table.n_rows, 'row')}, {counted(len(inputs.columns), 'column')} "
        f"as {counted(len(inputs.input_names), 'input')}"
    )
    print(f"target {target.name!r}: {kind}, as {target.why.removeprefix('as ')}", flush=True)


def _fitted(
    X: np.ndarray, target: TargetColumn, inputs: TableInputs, likelihood: str | None
) -> tuple[Any, float]:
    """The fitted estimator, and the seconds that it took."""
    from sparsebayes import RVC, RVR

    estimator: Any = RVC(verbose=1) if target.is_class else RVR(verbose=1)
    if likelihood is not None:
        estimator.set_params(likelihood=likelihood)
    frame = pandas().DataFrame(X, columns=list(inputs.input_names))
    start = time.perf_counter()
    with told_progress("fitting"):
        estimator.fit(frame, target.values)
    return estimator.set_params(verbose=0), time.perf_counter() - start


def summary(
    estimator: Any,
    X: np.ndarray,
    target: TargetColumn,
    seconds: float,
    shares: dict[str, float] | None,
) -> str:
    """What was fitted, in a few lines."""
    n_rows, n_vectors = len(target.values), len(estimator.relevance_)
    share = f"{100.0 * n_vectors / n_rows:.2g} % of the rows"
    rows = [
        ("model", f"{type(estimator).__name__}, fitted in {seconds:.1f} s"),
        ("vectors", f"{n_vectors} ({share})"),
    ]
    if target.is_class:
        classes, counts = np.unique(target.values, return_counts=True)
        rows.append(("classes", shares_of(classes, counts / counts.sum())))
    rows += _learned(estimator, X, target)
    if shares is not None:
        rows.append(("inputs", in_a_line(shares)))
    return f"\n{in_columns(rows)}"


def _learned(estimator: Any, X: np.ndarray, target: TargetColumn) -> list[tuple[str, str]]:
    """What is known of the target besides its mean."""
    from sparsebayes.report.numbers import noise_std_of

    rows = []
    noise = None if target.is_class else noise_std_of(estimator, X, rounded)
    if noise is not None:
        spread = f"where {target.name} has {rounded(float(target.values.std()))}"
        rows.append(("noise", f"{noise}, {spread} (standard deviations)"))
    likelihood = estimator._model.target.words(rounded)
    return rows if likelihood is None else [*rows, ("likelihood", likelihood)]


def shares_of(classes: np.ndarray, share: np.ndarray) -> str:
    """How frequent classes are, such as "a 60 %, b 40 %"."""
    found = [f"{c} {100.0 * s:.2g} %" for c, s in zip(classes, share, strict=True)]
    more = [f"and {len(found) - 10} more"] if len(found) > 10 else []
    return ", ".join(found[:10] + more)


def _held_out(
    estimator: Any, X: np.ndarray, target: TargetColumn, folds: int, seconds: float
) -> dict[str, float] | None:
    if not folds:
        note("there is no held-out estimate, as was asked for by --folds 0.")
        return None
    from sparsebayes.cli.held_out import as_text, held_out, lines_of
    from sparsebayes.diagnostics.twins import twins_in

    announce(f"cross-validation with {folds} folds", folds * seconds, "--folds 0 leaves it out")
    figures = held_out(estimator, X, target.values, folds)
    if figures is not None:
        name = type(estimator).__name__
        twins = twins_in(X, target.values, target.is_class)
        if twins:
            say("warning", twins)
        print(f"\n{as_text(figures, name)}", flush=True)
        for line in lines_of(figures, name):
            say("warning", line)
    return figures


def _with_facts(model: PortableModel, inputs: TableInputs, **facts: Any) -> PortableModel:
    """The model with how a table becomes its inputs, and with facts about it that are known."""
    known = {name: value for name, value in facts.items() if value is not None}
    about = {**model.face.about, **known}
    return replace(model, face=replace(model.face, about=about, table=inputs))


def _tell_next(options: Namespace, n_bytes: int, target: TargetColumn) -> None:
    out, data = options.out, options.data
    more = "--proba" if target.is_class else "--std"
    rows = [
        (f"sparsebayes predict {out} NEW.csv {more} -o predicted.csv", "predict other rows"),
        (f"sparsebayes report {out} {data}", "a page on how good it is"),
        (f"sparsebayes show {out}", "what is in it"),
        (f"sparsebayes export {out} --to c -o model.h", "also: sql, onnx, json"),
    ]
    print(f"\nwrote {out} ({size_of(n_bytes)}). Next:\n{in_columns(rows)}")
