"""What a model loses in single precision, found by running its graph."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from sparsebayes.export.onnx_graph.extra import needed
from sparsebayes.export.onnx_graph.model import INPUT, model_proto
from sparsebayes.export.probes import MOST_LOST, probe_rows
from sparsebayes.model import PortableModel


def warn_of_loss(model: PortableModel, *, std: bool, rows: Any = None) -> None:
    """A warning with the figure where single precision loses much."""
    lost = single_loss(model, std=std, rows=rows)
    if lost <= MOST_LOST:
        return
    if model.response.is_probability:
        unit, most = "probabilities", f"{lost:.2g}"
    else:
        unit, most = "predictions", f"{lost:.2g} standard deviations"
    where = "at and around its own vectors" if rows is None else "at the rows X"
    warnings.warn(
        f"in single precision, {unit} of this model are wrong by up to {most} {where}, and more "
        f'than {MOST_LOST:g} is a loss. Use precision="double" (doubles as inputs in skl2onnx), or '
        "fit the model to inputs of mean 0 and variance 1.",
        stacklevel=4,
    )


def single_loss(model: Any, *, std: bool, rows: Any = None) -> float:
    """The largest error of a graph of floats, whose inputs are rounded to floats too.

    Of mean and std it is relative to the std, of probabilities it is absolute. The graph is run by
    NumPy, so that the figure does not depend on a runtime.
    """
    rows = probe_rows(model) if rows is None else np.asarray(rows, dtype=np.float64)
    model = replace(model, face=replace(model.face, table=None))
    proto = model_proto(model, np.float32, std=std)
    with np.errstate(all="ignore"):
        evaluator = needed("onnx.reference").ReferenceEvaluator(proto)
        found = evaluator.run(None, {INPUT: rows.astype(np.float32)})
    if model.response.is_probability:
        gaps = [found[1] - model.predict_proba(rows)]
    else:
        exact = model.predict(rows, return_std=True)
        gaps = [(a - b) / exact[1] for a, b in zip(found, exact, strict=False)]
    lost = float(np.max([np.max(np.abs(gap)) for gap in gaps]))
    return lost if np.isfinite(lost) else np.inf
