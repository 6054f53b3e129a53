"""Tables in files, CSV or Parquet: their cells as they are, and where each of them stands."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from sparsebayes.cli.messages import MisuseError, RefusedError, counted, listed, note

SEPARATORS = ",;\t|"
SEPARATOR_WORDS = {"tab": "\t", "\\t": "\t", "space": " "}
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")
PARQUET, ZIP = b"PAR1", b"PK\x03\x04"


@dataclass(frozen=True)
class Table:
    """The rows of a file.

    Parameters
    ----------
    path : of the file
    names : of the columns; some may be the same, or empty
    frame : the cells, with numbers of columns in place of names
    place : row -> where it is, as the user sees it, such as "line 7"
    separator : of a CSV, all cells of which are texts; None for a file with types
    """

    path: Path
    names: tuple[str, ...]
    frame: Any
    place: Callable[[int], str]
    separator: str | None = None

    @property
    def n_rows(self) -> int:
        """How many rows there are below the names."""
        return len(self.frame)

    def number_of(self, name: str) -> int:
        """The number of the column of this name."""
        found = [k for k, each in enumerate(self.names) if each == name]
        if not found:
            raise RefusedError(
                f"{self.path} has no column {name!r}; its columns are {listed(self.names, 20)}."
                f"{self._hint}"
            )
        if len(found) > 1:
            which = " and ".join(str(k + 1) for k in found)
            raise RefusedError(
                f"{self.path} has more than one column {name!r}, numbers {which}: rename them."
            )
        return found[0]

    @property
    def _hint(self) -> str:
        """What may be wrong with a table of one column."""
        if self.separator is None or len(self.names) > 1:
            return ""
        return (
            f" Columns are taken to be separated by {self.separator!r}; if they are not, say by "
            "what with --sep."
        )

    def cells(self, number: int) -> list[Any]:
        """What stands in a column; texts without blanks around them."""
        values = self.frame.iloc[:, number].astype(object).tolist()
        return [each.strip() if isinstance(each, str) else each for each in values]


def read_table(path: Path, separator: str | None = None) -> Table:
    """The table in a file.

    Parameters
    ----------
    separator : of the columns of a CSV; None to find it out
    """
    separator = _checked_separator(separator)
    data = path.read_bytes()
    found = _parquet(path, data) if data[:4] == PARQUET else _csv(path, data, separator)
    if not found.n_rows:
        raise RefusedError(f"{path} has no rows below the names of its columns.")
    return found


def pandas() -> Any:
    """The library that reads and writes tables."""
    try:
        import pandas
    except ImportError as error:
        raise MisuseError(
            "tables need pandas, which is not installed: pip install 'sparsebayes[cli]'."
        ) from error
    return pandas


def _checked_separator(separator: str | None) -> str | None:
    if separator is None:
        return None
    separator = SEPARATOR_WORDS.get(separator, separator)
    if len(separator) != 1 or separator in '"\r\n':
        raise MisuseError(
            f"--sep must be one character, or one of tab and space; got {separator!r}."
        )
    return separator


# Parquet.


def _parquet(path: Path, data: bytes) -> Table:
    try:
        frame = pandas().read_parquet(io.BytesIO(data))
    except ImportError as error:
        raise MisuseError(
            "Parquet needs pyarrow, which is not installed: pip install 'sparsebayes[cli]'."
        ) from error
    except (ValueError, OSError, NotImplementedError) as error:
        raise RefusedError(
            f"{path} begins as a Parquet file, and cannot be read: {error}"
        ) from error
    names = tuple(str(name).strip() for name in frame.columns)
    frame.columns = range(len(names))
    return Table(path, names, frame.reset_index(drop=True), lambda row: f"row {row + 1}")


# CSV.


def _csv(path: Path, data: bytes, separator: str | None) -> Table:
    text = _decoded(path, data)
    body = text.lstrip("\r\n")
    first = 1 + len(text[: len(text) - len(body)].splitlines())
    separator = separator or _separator_of(body)
    whole = _parsed(path, body, separator, first)
    names = tuple(str(name).strip() for name in whole.iloc[0])
    blank = (whole == "").all(axis=1).to_numpy()
    kept = [row for row in range(1, len(whole)) if not blank[row]]
    n_blank = (kept[-1] if kept else 0) - len(kept)
    if n_blank:
        note(f"{path}: {counted(n_blank, 'empty line')} left out.")

    def place(row: int) -> str:
        return f"line {next(islice(_records(body, separator, first), kept[row], None))[0]}"

    return Table(path, names, whole.iloc[kept].reset_index(drop=True), place, separator)


def _decoded(path: Path, data: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 with its mark, or what Windows used to write."""
    if data[:4] == ZIP:
        raise RefusedError(
            f"{path} is a workbook or an archive; expected CSV or Parquet: save it as CSV."
        )
    text = _text_of(path, data)
    if "\0" in text:
        raise RefusedError(f"{path} is no text; expected CSV or Parquet.")
    if not text.strip():
        raise RefusedError(f"{path} is empty; expected names of columns, and rows below them.")
    return text


def _text_of(path: Path, data: bytes) -> str:
    own = "utf-16" if data[:2] in BYTE_ORDER_MARKS else "utf-8-sig"
    for encoding in (own, "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding != own:
            note(f"{path} is not UTF-8; it is read as Windows-1252.")
        return text
    note(f"{path} is not UTF-8; it is read as Latin-1.")
    return data.decode("latin-1")


def _separator_of(body: str) -> str:
    """What occurs most often in the first line, quotes left out."""
    first = re.sub('"[^"]*"', "", body[:100_000]).splitlines()[0]
    return max(SEPARATORS, key=first.count)


def _parsed(path: Path, body: str, separator: str, first: int) -> Any:
    """All cells as texts, the names in the first row."""
    library = pandas()
    try:
        return library.read_csv(
            io.StringIO(body),
            sep=separator,
            header=None,
            dtype=str,
            na_filter=False,
            skip_blank_lines=False,
        )
    except library.errors.ParserError as error:
        records = list(_records(body, separator, first))
        raise RefusedError(_why_not_parsed(path, records, separator, error)) from error


def _why_not_parsed(path: Path, records: list, separator: str, error: Exception) -> str:
    """Which line has more cells than there are names, or where a quote is open."""
    width = len(records[0][1])
    for line, cells in records:
        if len(cells) > width:
            return (
                f"{path}, line {line}: {len(cells)} cells, where there are {width} names of "
                f"columns. Columns are taken to be separated by {separator!r}: put cells that "
                "hold it in quotes, or say with --sep what separates them."
            )
    if "EOF inside string" in str(error):
        return f"{path}, line {records[-1][0]}: a quote begins there, and does not end."
    return f"{path} cannot be read as CSV: {error}."


def _records(body: str, separator: str, first: int) -> Iterator[tuple[int, list[str]]]:
    """The line of the file in which each row begins, and its cells; the body has a first line."""
    csv.field_size_limit(max(csv.field_size_limit(), len(body)))
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=separator)
    begin = first
    for cells in reader:
        yield begin, cells
        begin = first + reader.line_num
