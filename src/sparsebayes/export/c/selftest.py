"""The test that a header has of itself, and what single precision loses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from sparsebayes.export.c.language import PROGRAM
from sparsebayes.export.c.writing import ANSWERS, ConstantTable, Style
from sparsebayes.export.given import SAID, expected, of_class, with_numbers
from sparsebayes.model import NotPortableError, PortableModel
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.latent import Plain


class SingleColumns(PlainColumns):
    """Columns whose inputs and values are rounded to single precision."""

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """The columns at inputs (n, m)."""
        return super().evaluate(inputs.astype(np.float32)).astype(np.float32)

    def variance(self, inputs: np.ndarray) -> np.ndarray:
        """The value of a kernel at each of the inputs, with its centre there (n,)."""
        return super().variance(inputs.astype(np.float32)).astype(np.float32)


def in_single_precision(model: PortableModel) -> PortableModel:
    """A model with every array in single precision, so that products of arrays are, too."""
    with np.errstate(over="ignore"):
        single = with_numbers(model, lambda array: array.astype(np.float32))
    return replace(
        single, plain=_rounding(single.plain), response=single.response.of_plain(_rounding)
    )


def _rounding(plain: Plain) -> Plain:
    """Latent values of columns that round."""

    def all_of(columns: tuple[PlainColumns, ...]) -> tuple[PlainColumns, ...]:
        return tuple(SingleColumns(each.formula, each.items, each.parameters) for each in columns)

    own = plain.spread.columns
    spread = plain.spread if own is None else replace(plain.spread, columns=all_of(own))
    return replace(plain, columns=all_of(plain.columns), spread=spread)


@contextmanager
def finite_in_single(where: str) -> Iterator[None]:
    """What is computed here is finite, or the model is refused."""
    try:
        yield
    except ValueError as error:
        raise NotPortableError(
            f"in single precision the columns of the model are infinite or NaN at {where}; use "
            'precision="double".'
        ) from error


def single_loss(model: Any, rows: np.ndarray) -> float:
    """The most that single precision loses at some rows: of the std, or of a probability."""
    with finite_in_single("rows around its own vectors"):
        single: Any = in_single_precision(model)
        if model.response.is_probability:
            return float(np.abs(single.predict_proba(rows) - model.predict_proba(rows)).max())
        found, found_std = single.predict(rows, return_std=True)
        mean, std = model.predict(rows, return_std=True)
    gap = np.maximum(np.abs(found.astype(np.float32) - mean), np.abs(found_std - std))
    return float((gap / std).max())


# In single precision a multiple of what rounded tables lose, and some digits of the last places.
SINGLE_TIMES, SINGLE_LEAST = 10.0, 1e-5
# A header that is off by more is of no use, whatever was expected of it.
SINGLE_MOST = 0.1
SINGLE_TIE = 1e-3


def self_test(
    model: PortableModel, answers: tuple[str, ...], rows: np.ndarray, style: Style
) -> str:
    """The test in C."""
    rows = rows.astype(np.float32).astype(np.float64) if style.single else rows
    calls, right, allowed, at = [], [], [], 0
    for name in answers:
        calls.append(ANSWERS[name].call(f"found + {at}" if at else "found"))
        for each in ANSWERS[name].outputs:
            values, limits = (_in_single if style.single else expected)(model, each, rows)
            right.append(values)
            allowed.append(limits)
            at += values.shape[1]
    words = {
        "ROWS": ConstantTable("model_test_rows", rows).text(style),
        "EXPECTED": ConstantTable("model_test_expected", np.hstack(right).astype(float)).text(
            style
        ),
        "ALLOWED": ConstantTable("model_test_allowed", np.hstack(allowed)).text(style),
    }
    code = PROGRAM.replace("CALLS", "\n        ".join(calls))
    code = style.code(code.replace("N_VALUES", str(at)).replace("N_ROWS", str(len(rows))))
    for word, text in words.items():
        code = code.replace(f"\n{word}\n", f"\n{text}\n")
    return code


def _in_single(model: PortableModel, name: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What an output is, and how far off it may be in single precision."""
    if name == "class":
        return of_class(model, rows, SINGLE_TIE)
    said = SAID[name]
    values, scale = said.values(model, rows), said.scale(model, rows)
    with finite_in_single("rows that the header tests"):
        found = said.values(in_single_precision(model), rows)
    lost = np.abs(found - values) / scale
    share = min(SINGLE_TIMES * float(lost.max()) + SINGLE_LEAST, SINGLE_MOST)
    return values, share * np.broadcast_to(scale, values.shape)
