"""The target of a fit: a number, or a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.cli.columns import EXACT, Column, column_of, tell_rounded
from sparsebayes.cli.messages import RefusedError, listed
from sparsebayes.cli.parser import OF_CLASSES, OF_NUMBERS
from sparsebayes.cli.tables import Table

# Whole numbers are classes where they are few, and each of them occurs several times.
MOST_CLASSES_OF_NUMBERS, LEAST_ROWS_OF_NUMBER = 10, 5


@dataclass(frozen=True)
class TargetColumn:
    """What a model is to predict.

    Parameters
    ----------
    name : of the column
    values : numbers, or labels of classes (n,)
    is_class : whether they are labels
    why : how it was decided, and how to decide otherwise
    """

    name: str
    values: np.ndarray
    is_class: bool
    why: str


def target_of(table: Table, name: str, classify: bool, regress: bool) -> TargetColumn:
    """The target column, as numbers or as classes, whichever it seems to be or was asked for."""
    column = column_of(table, table.number_of(name))
    if column.missing:
        raise RefusedError(
            f"{table.path}: {column.complaint_of_missing()} A target must be there: correct the "
            "table, or remove these rows."
        )
    is_class, why = _decided(column)
    if classify or regress:
        is_class, why = classify, "as was asked for"
    if is_class:
        values = labels(column)
    else:
        values = known_numbers(table, name, " A regression needs numbers; --classify for classes.")
    found = TargetColumn(name, values, is_class, why)
    _check_values(table, found)
    return found


def _decided(column: Column) -> tuple[bool, str]:
    """Whether a target column holds classes, and why."""
    different = len(set(column.texts))
    if column.is_truth:
        return True, "it holds true and false"
    if column.words and column.is_mostly_numbers and different > MOST_CLASSES_OF_NUMBERS:
        return False, "it holds numbers"
    if column.words:
        return True, f"it holds {different} different texts"
    whole = all(number is not None and number.is_integer() for number in column.numbers)
    different = len(set(column.numbers))
    several = LEAST_ROWS_OF_NUMBER * different <= len(column.cells)
    if whole and (different == 2 or (different <= MOST_CLASSES_OF_NUMBERS and several)):
        return True, f"it holds {different} different whole numbers; --regress for a regression"
    return False, f"it holds {different} different numbers; --classify for classes"


def labels(column: Column) -> np.ndarray:
    """Classes: whole numbers as such, true and false of typed files as such, others as texts."""
    if column.typed and all(isinstance(cell, bool) for cell in column.cells):
        return np.array(column.cells, dtype=bool)
    if not column.is_truth and all(_is_label(number) for number in column.numbers):
        return np.array([int(number) for number in column.numbers if number is not None])
    return np.array(column.texts, dtype=str)


def _is_label(number: float | None) -> bool:
    """Whether a number is a whole one that doubles and 64 bits hold."""
    return number is not None and number.is_integer() and abs(number) < EXACT


def _check_values(table: Table, target: TargetColumn) -> None:
    values = np.unique(target.values)
    if len(target.values) < 2:
        raise RefusedError(f"{table.path} has one row; expected two or more to learn from.")
    if len(values) == 1:
        raise RefusedError(
            f"{table.path}: column {target.name!r} is {values.tolist()[0]!r} in all rows, so there "
            "is nothing to learn."
        )
    if target.is_class and len(values) > 2 and 2 * len(values) > len(target.values):
        raise RefusedError(
            f"{table.path}: column {target.name!r} has {len(values)} different values in "
            f"{len(target.values)} rows, such as {listed(values[:3])}: too many for classes. If "
            "they are numbers: --regress."
        )


def known_labels(table: Table, name: str, classes: np.ndarray) -> np.ndarray:
    """The classes of the rows of a table, as a fitted classifier has them."""
    column = column_of(table, table.number_of(name))
    if column.missing:
        raise RefusedError(f"{table.path}: {column.complaint_of_missing()}")
    are_numbers = classes.dtype.kind in "biuf"
    keys = column.numbers if are_numbers else column.texts
    same = float if are_numbers else str
    known: dict[Any, Any] = {same(each): each for each in classes.tolist()}
    for row, key in enumerate(keys):
        if key not in known:
            raise RefusedError(
                f"{table.path}: {column.at(row)}: {str(column.cells[row])!r} is none of the "
                f"classes {listed(classes.tolist())}."
            )
    return np.array([known[key] for key in keys], dtype=classes.dtype)


def known_numbers(table: Table, name: str, advice: str = "") -> np.ndarray:
    """The numbers of a target column, or an error with some advice."""
    column = column_of(table, table.number_of(name))
    wrong = column.complaint_of_new(None)
    if wrong is not None:
        raise RefusedError(f"{table.path}: {wrong}{advice}")
    tell_rounded([column])
    return np.array(column.numbers, dtype=np.float64)


def check_likelihood(table: Table, target: TargetColumn, likelihood: str | None) -> None:
    """An error where targets are none that a likelihood is for."""
    where = f"{table.path}: column {target.name!r}"
    if likelihood in OF_CLASSES and target.values.dtype.kind not in "biuf":
        raise RefusedError(
            f"{where} holds texts such as {listed(target.values[:1])}, whose order is not known. "
            f"--likelihood {likelihood} takes whole numbers, 1 for the lowest class, 2 for the "
            "next; in Python, Ordinal(order=...) takes texts."
        )
    if likelihood in OF_NUMBERS:
        from sparsebayes import targets

        try:
            targets.asked_target(likelihood, targets.OF_NUMBERS).check(target.values)
        except ValueError as error:
            raise RefusedError(f"{where}: {error}") from error
