"""The test that a header has of itself."""

from __future__ import annotations

import numpy as np

from sparsebayes.export.c.answers import ANSWERS
from sparsebayes.export.c.single import finite_in_single, in_single_precision
from sparsebayes.export.c.source import PROGRAM
from sparsebayes.export.c.writing import Style, Table
from sparsebayes.export.tested import SAID, expected, of_class
from sparsebayes.model import PortableModel

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
        "ROWS": Table("model_test_rows", rows).text(style),
        "EXPECTED": Table("model_test_expected", np.hstack(right).astype(float)).text(style),
        "ALLOWED": Table("model_test_allowed", np.hstack(allowed)).text(style),
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
