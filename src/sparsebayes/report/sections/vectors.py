"""What the model is made of: vectors, coefficients, and their weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sparsebayes.columns import NO_ROW
from sparsebayes.export.frames import centres_of
from sparsebayes.plots import CoefficientDisplay
from sparsebayes.report.drawing import picture
from sparsebayes.report.findings import Findings
from sparsebayes.report.given import InputFactor
from sparsebayes.report.markup import Html, beside, clipped, figure, heading, paragraph, table
from sparsebayes.report.numbers import Measured, counted, short

MOST_ROWS, MOST_WEIGHTS = 20, 4
# Inputs beside one weight, and beside several.
MOST_INPUTS, FEWER_INPUTS = 6, 3
# With more inputs a picture of coefficients says more than a table.
MANY_INPUTS = 12
ROW = "Row (from 0)"
# A column of a table: its name and its cells.
Column = tuple[str, list[str]]


def vectors(found: Findings) -> list[Html]:
    """Tables of vectors and of coefficients."""
    model = found.given.estimator
    if not found.given.fitted.columns.n_columns:
        text = "There is nothing in the model: its prediction is the same for all rows."
        return [paragraph(text)]
    if not hasattr(model, "coef_"):
        return _columns(found)
    parts = _coefficients(found)
    if len(model.relevance_):
        parts += [heading("Vectors"), *_columns(found)]
    return parts


def _columns(found: Findings) -> list[Html]:
    """The columns with the largest weights."""
    fitted = found.given.fitted
    mean = fitted.predictor.plain.weights
    kept = np.flatnonzero(fitted.relevant)
    order = kept[np.argsort(-np.abs(mean[kept]).max(axis=1), kind="stable")][:MOST_ROWS]
    shown = [*_names(found, order), *_points(found, order), *_weights(found, order)]
    head, cells = zip(*shown, strict=True)
    caption = "± is the standard deviation of a weight. The largest weights come first."
    lines = list(zip(*cells, strict=True))
    return [paragraph(*_about(found, len(kept))), table(head, lines, caption)]


def _about(found: Findings, n_kept: int) -> list[str]:
    """What is shown."""
    given, n_vectors = found.given, len(found.given.estimator.relevance_)
    of_rows = "" if given.new else f" of {counted(given.n_rows, 'row')}"
    what = "The logarithm of the mean count" if given.counts else "The prediction"
    sentences = [
        f"{what} is a sum over {counted(n_vectors, 'vector')}{of_rows}: each is a row of "
        "the training data, and counts where new rows are like it."
        if n_vectors
        else f"{what} is a sum over {counted(n_kept, 'column')}."
    ]
    if n_kept > MOST_ROWS:
        sentences.append(f"The {MOST_ROWS} with the largest weights are shown.")
    most = _most_inputs(found)
    if n_vectors and len(given.factors) > most and not given.pairwise:
        sentences.append(f"Of the inputs, the {most} most relevant are shown.")
    return sentences


def _most_inputs(found: Findings) -> int:
    """How many inputs there is room for."""
    n_weights = found.given.fitted.predictor.plain.weights.shape[1]
    return MOST_INPUTS if n_weights == 1 else FEWER_INPUTS


def _names(found: Findings, order: np.ndarray) -> list[Column]:
    """Training rows; names of columns where there are others."""
    columns = found.given.fitted.columns
    rows = ["-" if row == NO_ROW else str(row) for row in columns.centre_rows[order]]
    n_kinds = sum(kind.n_columns > 0 for kind in columns.kinds)
    if n_kinds == 1 and "-" not in rows and len(set(rows)) == len(rows):
        return [(ROW, rows)]
    names = columns.names(list(found.given.names))
    own = ("Column", [names[k] for k in order])
    return [own] if set(rows) == {"-"} else [own, (ROW, rows)]


def _points(found: Findings, order: np.ndarray) -> list[Column]:
    """The most relevant inputs of the points that columns are centred on."""
    given = found.given
    kinds = given.fitted.columns.kinds
    if all(kind.centres is None for kind in kinds):
        return []
    most = _most_inputs(found)
    shown = found.most_relevant(most) or given.factors[:most]
    points = np.vstack([centres_of(kind, given.n_inputs) for kind in kinds])[order]
    return [
        (clipped(each.name, 18), [_value(each, point[list(each.inputs)]) for point in points])
        for each in sorted(shown, key=lambda factor: factor.inputs)
    ]


def _value(factor: InputFactor, values: np.ndarray) -> str:
    """What a factor is at a point; nothing where there is no point."""
    if not np.isfinite(values).all():
        return "-"
    if factor.categories is not None:
        return clipped(factor.categories[int(values.argmax())], 18)
    return short(values[0])


def _weights(found: Findings, order: np.ndarray) -> list[Column]:
    """Mean and standard deviation of the weights."""
    plain = found.given.fitted.predictor.plain
    columns = []
    for k, name in enumerate(_of_each("Weight", found, plain.weights.shape[1])):
        std = np.sqrt(np.diag(plain.posterior.of_weights(k)))
        cells = [str(Measured(plain.weights[i, k], std[i])) for i in order]
        columns.append((name, cells))
    return columns


def _of_each(what: str, found: Findings, n_values: int) -> list[str]:
    """Heads of values, one for each output or class."""
    if n_values == 1:
        return [what]
    given = found.given
    names: Sequence[str] = given.targets if given.classes is None else given.class_names
    return [f"{what}, {clipped(each, 18)}" for each in names[:MOST_WEIGHTS]]


def _coefficients(found: Findings) -> list[Html]:
    """Coefficients of a model that is linear in its inputs."""
    given, model = found.given, found.given.estimator
    mean, std = np.atleast_2d(model.coef_), np.atleast_2d(model.coef_std_)
    size = (np.abs(mean) * _spread(given.X)).max(axis=0)
    used = np.flatnonzero((mean != 0.0).any(axis=0))
    order = used[np.argsort(-size[used], kind="stable")]
    shown = range(min(len(mean), MOST_WEIGHTS))
    lines = [
        [given.names[i], *(str(Measured(mean[k, i], std[k, i])) for k in shown)]
        for i in order[:MOST_ROWS]
    ]
    gains = "prediction gains" if given.classes is None else "log odds gain"
    gains = "logarithm of the mean count gains" if given.counts else gains
    text = (
        f"The model is linear and uses {len(used)} of {counted(given.n_inputs, 'input')}. A "
        f"coefficient is what the {gains} where the input is larger by one."
    )
    more = f"The first {MOST_ROWS} are shown." if len(used) > MOST_ROWS else ""
    caption = (
        "± is the standard deviation of a coefficient. Those that move the prediction most, given "
        "how much their inputs vary, come first."
    )
    blocks = [table(["Input", *_of_each("Coefficient", found, len(mean))], lines, caption)]
    if given.n_inputs > MANY_INPUTS:
        blocks.insert(0, _stems(found))
    return [paragraph(text, more), beside(blocks) if len(blocks) > 1 else blocks[0]]


def _spread(X: Any) -> np.ndarray:
    """Standard deviation of each input (d,)."""
    if not hasattr(X, "toarray"):
        return X.std(axis=0)
    mean = np.asarray(X.mean(axis=0)).ravel()
    square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
    return np.sqrt(np.maximum(square - mean**2, 0.0))


def _stems(found: Findings) -> Html:
    """A picture of the coefficients of the first output."""
    caption = "Coefficients along the inputs in their order, with bars of ± 2 standard deviations."

    def draw(ax: Any) -> None:
        CoefficientDisplay.from_estimator(
            found.given.estimator, ax=ax, axis_name="number of the input"
        )

    return figure(picture("coefficients", caption, draw), caption)
