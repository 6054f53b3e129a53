"""What a reader can change on a page: controls of inputs, and the model that answers to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.export.js import to_js
from sparsebayes.model.columns import n_columns
from sparsebayes.report.given import Factor, Given

# A page stays small, and writing it quick: columns with covering rows, and letters of the module.
MOST_COLUMNS, LONGEST = 300, 300_000
MOST_CONTROLS = 12
# Rows of which a usual one is found.
N_ROWS = 200


@dataclass(frozen=True)
class Control:
    """A slider for a number, or a list of texts.

    Parameters
    ----------
    factor : what it changes
    number : the place of the factor among all
    value : where it begins; the place of a text
    low, high : the ends of a slider
    whole : whether all values are whole numbers
    """

    factor: Factor
    number: int
    value: float
    low: float
    high: float
    whole: bool


@dataclass(frozen=True)
class Live:
    """A model that runs in the page.

    Parameters
    ----------
    module : its JavaScript
    row : what it is first asked; numbers, and places of texts
    controls : of the most relevant factors
    covers : whether it tells how new a row is
    """

    module: str
    row: tuple[float, ...]
    controls: tuple[Control, ...]
    covers: bool


def live(given: Given, factors: list[Factor]) -> Live | None:
    """The model with controls of some factors; None if it is too large, or cannot leave Python."""
    if given.pairwise or not factors:
        return None
    try:
        portable = given.model.to_portable()
        columns = (*portable.plain.columns, *(portable.plain.spread.columns or ()))
        module = to_js(portable) if n_columns(columns) <= MOST_COLUMNS else ""
    except ValueError:  # a NotPortableError, or columns that are infinite away from the data
        return None
    if not 0 < len(module) <= LONGEST:
        return None
    usual = _usual_row(given)
    row = tuple(_value(each, usual) for each in given.factors)
    controls = [
        _control(given, each, given.factors.index(each), row) for each in factors[:MOST_CONTROLS]
    ]
    return Live(module, row, tuple(controls), portable.plain.spread.covers)


def _usual_row(given: Given) -> np.ndarray:
    """The row that is nearest to the medians of all inputs, in units of their deviations."""
    rows = given.dense_rows(N_ROWS)
    scale = np.maximum(rows.std(axis=0), np.finfo(float).tiny)
    with np.errstate(over="ignore"):
        distance = np.sum(((rows - np.median(rows, axis=0)) / scale) ** 2, axis=1)
    return rows[int(np.argmin(distance))]


def _value(factor: Factor, row: np.ndarray) -> float:
    """The number of a factor in a row, or the place of its text."""
    own = row[list(factor.inputs)]
    return float(own[0]) if factor.categories is None else float(np.argmax(own))


def _control(given: Given, factor: Factor, number: int, row: tuple[float, ...]) -> Control:
    column: Any = given.X[:, list(factor.inputs)]
    values = column.toarray() if hasattr(column, "toarray") else column
    whole = bool(np.all(values == np.round(values)))
    ends = float(values.min()), float(values.max())
    return Control(factor, number, row[number], *ends, whole)
