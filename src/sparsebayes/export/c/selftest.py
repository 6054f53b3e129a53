"""The test that a header has of itself: rows, what is expected there, and how far off it may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.export.c.answers import ANSWERS
from sparsebayes.export.c.single import finite_in_single, in_single_precision, with_other_digits
from sparsebayes.export.c.source import PROGRAM
from sparsebayes.export.c.writing import Style, Table
from sparsebayes.model import PortableModel

# Relative to what `Expected.scale` says.
ALLOWED = 1e-9
# And what a change of the last digit of all numbers does, this many times.
DIGIT_TIMES = 100.0
# In single precision a multiple of what rounded tables lose, and some digits of the last places.
SINGLE_TIMES, SINGLE_LEAST = 10.0, 1e-5
# A header that is off by more is of no use, whatever was expected of it.
SINGLE_MOST = 0.1
# Classes that are nearer to each other are not told apart.
TIE = {"double": 1e-8, "float": 1e-3}
N_VECTORS = 3


class Expected(NamedTuple):
    """What a function should say.

    Parameters
    ----------
    values : (model, rows) -> what is expected (n_rows, n_values)
    scale : (model, rows) -> what errors are relative to, of each value or of all of a row
    """

    values: Callable[[Any, np.ndarray], np.ndarray]
    scale: Callable[[Any, np.ndarray], np.ndarray]


def _moments(model: Any, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean, std = model.predict(rows, return_std=True)
    return mean.reshape(len(rows), -1), std.reshape(len(rows), -1)


def _mean(model: Any, rows: np.ndarray) -> np.ndarray:
    return _moments(model, rows)[0]


def _mean_scale(model: Any, rows: np.ndarray) -> np.ndarray:
    mean, std = _moments(model, rows)
    return np.maximum(np.abs(mean), std)


def _both_scales(model: Any, rows: np.ndarray) -> np.ndarray:
    return np.hstack([_mean_scale(model, rows), _moments(model, rows)[1]])


def _class(model: Any, rows: np.ndarray) -> np.ndarray:
    return np.argmax(model.predict(rows)[:, None] == model.classes_, axis=1)[:, None]


def _novelty(model: Any, rows: np.ndarray) -> np.ndarray:
    return model.novelty(rows)[:, None]


def _both(model: Any, rows: np.ndarray) -> np.ndarray:
    return np.hstack(_moments(model, rows))


def _probability(model: Any, rows: np.ndarray) -> np.ndarray:
    return np.asarray(model.predict_proba(rows))


def _ones(model: Any, rows: np.ndarray) -> np.ndarray:
    return np.ones((len(rows), 1))


EXPECTED: dict[str, Expected] = {
    "mean": Expected(_mean, _mean_scale),
    "std": Expected(_both, _both_scales),
    "probability": Expected(_probability, _ones),
    "novelty": Expected(_novelty, _ones),
}


def rows_to_test(own: np.ndarray) -> np.ndarray:
    """Some of the model's own vectors, a row between two of them, and one that is far away."""
    few = own[np.unique(np.linspace(0, len(own) - 1, N_VECTORS).astype(int))]
    between = 0.5 * (own[0] + own[-1])
    away = own.max(axis=0) + np.ptp(own, axis=0)
    return np.vstack([few, between, away])


def self_test(
    model: PortableModel, answers: tuple[str, ...], rows: np.ndarray, style: Style
) -> str:
    """The test in C."""
    rows = rows.astype(np.float32).astype(np.float64) if style.single else rows
    calls, expected, allowed, at = [], [], [], 0
    for name in answers:
        calls.append(ANSWERS[name].call(f"found + {at}" if at else "found"))
        values, limits = (_of_class if name == "class" else _of_answer)(model, name, rows, style)
        expected.append(values)
        allowed.append(limits)
        at += values.shape[1]
    words = {
        "ROWS": Table("model_test_rows", rows).text(style),
        "EXPECTED": Table("model_test_expected", np.hstack(expected).astype(float)).text(style),
        "ALLOWED": Table("model_test_allowed", np.hstack(allowed)).text(style),
    }
    code = PROGRAM.replace("CALLS", "\n        ".join(calls))
    code = style.code(code.replace("N_VALUES", str(at)).replace("N_ROWS", str(len(rows))))
    for word, text in words.items():
        code = code.replace(f"\n{word}\n", f"\n{text}\n")
    return code


def _of_answer(
    model: PortableModel, name: str, rows: np.ndarray, style: Style
) -> tuple[np.ndarray, np.ndarray]:
    """What is expected, and how far off it may be."""
    answer = EXPECTED[name]
    expected = answer.values(model, rows)
    scale = np.broadcast_to(answer.scale(model, rows), expected.shape)
    if not style.single:
        moved = np.abs(answer.values(with_other_digits(model), rows) - expected)
        return expected, np.maximum(ALLOWED * scale, DIGIT_TIMES * moved)
    with finite_in_single("rows that the header tests"):
        found = answer.values(in_single_precision(model), rows)
    lost = np.abs(found - expected) / scale
    return expected, min(SINGLE_TIMES * float(lost.max()) + SINGLE_LEAST, SINGLE_MOST) * scale


def _of_class(
    model: Any, name: str, rows: np.ndarray, style: Style
) -> tuple[np.ndarray, np.ndarray]:
    """The class; any is right where two are equally probable."""
    first = np.sort(model.predict_proba(rows), axis=1)[:, ::-1]
    tied = first[:, :1] - first[:, 1:2] < TIE[style.precision]
    return _class(model, rows), np.where(tied, float(len(model.classes_)), 0.5)
