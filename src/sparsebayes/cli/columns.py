"""Columns of a table: what their cells mean, and what is wrong with them."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from numbers import Number
from typing import Any

from sparsebayes.cli.messages import counted, listed, note
from sparsebayes.cli.tables import Table

# What stands for nothing; the last three are what pandas has in files with types.
MISSING = {"", "na", "n/a", "#n/a", "null", "none", "nan", "<na>", "nat"}
TRUTH = {"true": 1.0, "false": 0.0}
DATE = re.compile(r"(\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})([T ].*)?")
LARGEST = 1e150
# Doubles hold all whole numbers up to this one.
EXACT = 2.0**53
# A column with so large a share of numbers is one of numbers, and its words are mistakes.
MOSTLY = 0.5


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    name : of the column
    cells : as they stand in the file (n,)
    place : row -> where it is
    typed : whether the file says what are numbers, and what are texts
    comma : whether numbers may have a decimal comma
    """

    name: str
    cells: list[Any]
    place: Callable[[int], str]
    typed: bool = False
    comma: bool = False

    @cached_property
    def missing(self) -> list[int]:
        """Rows without a value."""
        return [row for row, cell in enumerate(self.cells) if is_missing(cell)]

    @cached_property
    def numbers(self) -> list[float | None]:
        """The number of each cell; None where there is none."""
        plain = [self._number(cell) for cell in self.cells]
        if self.comma and None in plain:
            mended = [self._number(_with_point(cell)) for cell in self.cells]
            if mended.count(None) < plain.count(None):
                return mended
        return plain

    @property
    def has_commas(self) -> bool:
        """Whether numbers of the column are written with decimal commas."""
        return any(
            number is not None and self._number(cell) is None
            for number, cell in zip(self.numbers, self.cells, strict=True)
        )

    @cached_property
    def words(self) -> list[int]:
        """Rows that hold something else than a number."""
        return [row for row, number in enumerate(self.numbers) if number is None]

    @property
    def texts(self) -> list[str]:
        """The text of each cell."""
        return [str(cell) for cell in self.cells]

    @property
    def is_truth(self) -> bool:
        """Whether the column holds nothing but true and false."""
        return all(str(cell).lower() in TRUTH for cell in self.cells)

    @property
    def is_dates(self) -> bool:
        """Whether the column holds nothing but dates."""
        return all(_is_date(cell) for cell in self.cells)

    @property
    def is_mostly_numbers(self) -> bool:
        """Whether words in the column are mistakes, as most of its cells are numbers."""
        return len(self.cells) - len(self.words) >= MOSTLY * len(self.cells)

    def _number(self, cell: Any) -> float | None:
        return None if self.typed and isinstance(cell, str) else number_of(cell)

    def at(self, row: int) -> str:
        """Where a cell is, as a sentence begins."""
        return f"{self.place(row)}, column {self.name!r}"

    def complaint_of_missing(self) -> str:
        """A sentence on where the first value is missing."""
        first, more = self.missing[0], len(self.missing) - 1
        word = "" if self.typed else str(self.cells[first])
        what = f"holds {word!r}, a missing value" if word else "is empty"
        others = f", and {counted(more, 'cell')} below it" if more else ""
        return f"{self.at(first)} {what}{others}."

    def complaint_of_words(self) -> str:
        """A sentence on the first cell that is no number."""
        first, more = self.words[0], len(self.words) - 1
        others = f"; nor are {counted(more, 'cell')} below it" if more else ""
        return f"{self.at(first)}: {str(self.cells[first])!r} is no number{others}."

    def complaint_of_size(self) -> str | None:
        """A sentence on the first number that is infinite, or whose square would be; or None."""
        for row, number in enumerate(self.numbers):
            if number is not None and not abs(number) < LARGEST:
                what = f"{self.cells[row]} is too large; expected numbers below {LARGEST:g}"
                return f"{self.at(row)}: {what}."
        return None

    def complaint_of_texts(self, known: tuple[str, ...]) -> str | None:
        """A sentence on the first text that is none of the known ones; or None."""
        for row, text in enumerate(self.texts):
            if text not in known:
                expected = f"expected one of {listed(known, 20)}"
                return f"{self.at(row)}: {text!r} did not occur in training; {expected}."
        return None

    def complaint_of_new(self, known: tuple[str, ...] | None) -> str | None:
        """What is wrong with new values of an input, which are numbers unless texts are known."""
        if self.missing:
            return self.complaint_of_missing()
        if known is not None:
            return self.complaint_of_texts(known)
        return self.complaint_of_words() if self.words else self.complaint_of_size()


def column_of(table: Table, number: int) -> Column:
    """A column of a table, by its number."""
    return Column(
        table.names[number],
        table.cells(number),
        table.place,
        typed=table.separator is None,
        comma=table.separator not in (None, ","),
    )


def tell_rounded(columns: Iterable[Column]) -> None:
    """A note on numbers that lose digits."""
    names = [each.name for each in columns if any(map(_is_rounded, each.cells, each.numbers))]
    if names:
        note(f"whole numbers above 2**53 lose their last digits: {listed(names)}.")


def decimal_mark(table: Table) -> str:
    """The decimal mark of the numbers in a table: a comma if some number has one, else a point."""
    if table.separator in (None, ","):
        return "."
    columns = (column_of(table, number) for number in range(len(table.names)))
    return "," if any(column.has_commas for column in columns) else "."


def is_missing(cell: Any) -> bool:
    """Whether a cell has no value: nothing, NaN, or a word that stands for nothing."""
    return cell is None or str(cell).lower() in MISSING


def number_of(cell: Any) -> float | None:
    """The number that a cell holds, true being 1 and false 0; None if it holds none."""
    if isinstance(cell, str):
        if cell.lower() in TRUTH:
            return TRUTH[cell.lower()]
        if "_" in cell:
            return None
    elif not isinstance(cell, Number):
        return None
    try:
        return float(cell)
    except (ValueError, TypeError):
        return None
    except OverflowError:
        return math.inf


def _is_rounded(cell: Any, number: float | None) -> bool:
    """Whether a cell is a whole number that no double holds."""
    if number is None or abs(number) < EXACT:
        return False
    try:
        return int(cell) != int(number)
    except (ValueError, OverflowError):  # it is not written as a whole number
        return False


def _with_point(cell: Any) -> Any:
    return cell.replace(",", ".") if isinstance(cell, str) and "." not in cell else cell


def _is_date(cell: Any) -> bool:
    if isinstance(cell, str):
        return DATE.fullmatch(cell) is not None
    return isinstance(cell, datetime.date | datetime.time | datetime.timedelta)
