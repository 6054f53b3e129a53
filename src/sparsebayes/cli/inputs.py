"""From columns of a table to the inputs of a model: chosen in training, looked up afterwards."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparsebayes.cli.columns import Column, column_of, tell_rounded
from sparsebayes.cli.messages import RefusedError, listed, note
from sparsebayes.cli.tables import Table
from sparsebayes.model.face import Face, TableColumn, TableInputs

# A column of more texts is refused: each is an input, and needs some rows to learn from.
MOST_TEXTS, FEW_TEXTS, LEAST_ROWS_OF_TEXT = 100, 10, 3
MOST_COMPLAINTS = 8


@dataclass
class Choice:
    """Which columns are inputs, and what there is to say of the others.

    Attributes
    ----------
    columns : those that are inputs, and what becomes of them
    complaints : why the table is refused
    culprits : columns without which it would not be
    empty, constant, nameless, commas, counting : what notes tell of
    """

    columns: list[TableColumn] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    culprits: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    constant: list[str] = field(default_factory=list)
    nameless: list[int] = field(default_factory=list)
    commas: list[str] = field(default_factory=list)
    counting: list[str] = field(default_factory=list)

    def consider(self, column: Column) -> None:
        """Take a column as an input, or say why not."""
        if len(column.missing) == len(column.cells):
            self.empty.append(column.name)
        elif column.missing:
            self._refuse(column, column.complaint_of_missing())
        elif column.is_dates:
            example = f"holds dates, such as {str(column.cells[0])!r}"
            why = "expected numbers, such as the year or the day of the week."
            self._refuse(column, f"column {column.name!r} {example}; {why}")
        elif len(set(column.texts)) == 1:
            self.constant.append(column.name)
        elif column.is_mostly_numbers:
            self._consider_numbers(column)
        else:
            self._consider_texts(column)

    def _consider_numbers(self, column: Column) -> None:
        wrong = column.complaint_of_new(None)
        if wrong is not None:
            self._refuse(column, wrong)
            return
        if len(set(column.numbers)) == 1:
            self.constant.append(column.name)
            return
        if column.has_commas:
            self.commas.append(column.name)
        if _counts_rows(column):
            self.counting.append(column.name)
        self.columns.append(TableColumn(column.name, truth=column.is_truth))

    def _consider_texts(self, column: Column) -> None:
        if not all(isinstance(cell, str | bool | int) for cell in column.cells):
            self._refuse(column, f"column {column.name!r} holds neither numbers nor texts.")
            return
        texts, n_rows = sorted(set(column.texts)), len(column.cells)
        many = len(texts) > FEW_TEXTS and LEAST_ROWS_OF_TEXT * len(texts) > n_rows
        if many or len(texts) == n_rows or len(texts) > MOST_TEXTS:
            why = f"holds {len(texts)} different texts in {n_rows} rows, such as"
            more = f"{listed(texts[:2])}: too many to learn from."
            self._refuse(column, f"column {column.name!r} {why} {more}")
            return
        self.columns.append(TableColumn(column.name, tuple(texts)))

    def _refuse(self, column: Column, why: str) -> None:
        self.complaints.append(why)
        self.culprits.append(column.name)

    def check(self, table: Table) -> None:
        """An error unless there are inputs, and nothing is wrong with any."""
        if self.complaints:
            more = len(self.complaints) - MOST_COMPLAINTS
            told = self.complaints[:MOST_COMPLAINTS] + [f"and {more} columns more."] * (more > 0)
            flags = " ".join(map(shlex.quote, dict.fromkeys(self.culprits)))
            told.append(f"Correct the table, or leave out columns: --drop {flags}")
            raise RefusedError(f"{table.path}: " + "\n  ".join(told))
        if not self.columns:
            raise RefusedError(f"{table.path} has no column left that could be an input.")
        names = [name for each in self.columns for name in each.input_names]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise RefusedError(f"two inputs would be called {twice!r}: rename a column.")

    def tell(self) -> None:
        """Notes on what became of columns."""
        texts = [each for each in self.columns if each.categories is not None]
        if texts:
            each_of = ", ".join(f"{each.name} ({len(each.categories or ())})" for each in texts)
            note(f"texts become inputs of 0 or 1, one for each category: {each_of}.")
        if self.commas:
            note(f"read with decimal commas: {listed(self.commas)}.")
        if self.counting:
            note(
                f"{listed(self.counting)} counts the rows. If it is a key and no measurement: "
                f"--drop {' '.join(map(shlex.quote, self.counting))}"
            )
        for names, why in ((self.empty, "empty"), (self.constant, "the same in all rows")):
            if names:
                note(f"left out, as they are {why}: {listed(names)}.")
        if self.nameless:
            note(f"left out, as they have no name: columns {', '.join(map(str, self.nameless))}.")


def chosen_inputs(table: Table, target: str, drop: Sequence[str]) -> TableInputs:
    """The columns that a model of the target takes: all others, but those to drop."""
    for name in drop:
        if name not in table.names:
            table.number_of(name)
    choice, n_of_name = Choice(), Counter(table.names)
    for number, name in enumerate(table.names):
        if name == target or name in drop:
            continue
        if not name:
            choice.nameless.append(number + 1)
            continue
        if n_of_name[name] > 1:
            choice.complaints.append(f"there is more than one column {name!r}.")
            choice.culprits.append(name)
            continue
        choice.consider(column_of(table, number))
    choice.check(table)
    choice.tell()
    return TableInputs(tuple(choice.columns), target)


def inputs_of(table: Table, face: Face) -> np.ndarray:
    """The inputs of a fitted model (n, d), from a table that has its columns."""
    if face.table is None:
        return _plain_inputs(table, face)
    return encoded(table, face.table)


def encoded(table: Table, inputs: TableInputs) -> np.ndarray:
    """The inputs of all rows (n, d)."""
    values: dict[str, Any] = {}
    numeric = []
    for each in inputs.columns:
        column = column_of(table, table.number_of(each.name))
        wrong = column.complaint_of_new(each.categories)
        if wrong is not None:
            raise RefusedError(f"{table.path}: {wrong}")
        if each.categories is None:
            numeric.append(column)
        values[each.name] = column.numbers if each.categories is None else column.texts
    tell_rounded(numeric)
    return inputs.inputs(values)


def _plain_inputs(table: Table, face: Face) -> np.ndarray:
    """The inputs of a model that was fitted to no table: columns by name, or all in their order."""
    names = face.input_names
    unnamed = face.feature_names is None and not set(names) <= set(table.names)
    if unnamed and len(table.names) == face.n_features:
        note(
            f"the inputs of the model have no names: it takes {listed(table.names)} in this order."
        )
        names = table.names
    elif unnamed:
        raise RefusedError(
            f"the inputs of the model have no names, and {table.path} has {len(table.names)} "
            f"columns: expected {face.n_features} in the order of the inputs, or columns "
            f"{listed(names)}."
        )
    return encoded(table, TableInputs(tuple(map(TableColumn, names)), ""))


def _counts_rows(column: Column) -> bool:
    """Whether the cells of a column are 0, 1, 2, ... or 1, 2, 3, ..."""
    return column.numbers in ([*range(len(column.cells))], [*range(1, len(column.cells) + 1)])
