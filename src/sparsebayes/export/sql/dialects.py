"""How databases write names, texts, numbers and functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.model import NotPortableError


@dataclass(frozen=True)
class Dialect:
    """A database.

    Parameters
    ----------
    double, text : the names of these types
    largest, smallest : functions of two numbers
    fence : what keeps a SELECT from being merged with the next
    lists : whether a column can hold a list of numbers, and has products of lists
    strict : whether a number that is too large or too small raises an error, rather than
        becoming infinite or 0
    typed : whether all values of a column have its type
    longest_name : bytes of a name that count; None for all, upper and lower case being alike then
    most_columns : of a model; a larger one takes too long before its first row
    """

    double: str
    text: str
    largest: str = "GREATEST"
    smallest: str = "LEAST"
    fence: str = ""
    lists: bool = False
    strict: bool = False
    typed: bool = True
    longest_name: int | None = None
    most_columns: int = 500

    def known_as(self, name: str) -> str:
        """What the database goes by: two names that give the same are one column."""
        # Databases know the difference of upper and lower case of A to Z only.
        lower = name.encode().lower().decode()
        return lower if self.longest_name is None else clipped(name)

    def number(self, value: float) -> str:
        """A literal of double precision, with all digits; 1.5 would be a decimal number."""
        digits = repr(float(value) + 0.0)  # no -0
        literal = digits if "e" in digits else f"{digits}e0"
        return f"({literal})" if value < 0.0 else literal

    def as_double(self, column: str) -> str:
        """A column of the table as a number."""
        cast = f"CAST({column} AS {self.double})"
        if self.typed:
            return cast
        # SQLite would read the numbers at the beginning of any text, and nothing as 0.
        text = f"trim({column})"
        written = (
            f"typeof({column}) = 'text' AND {text} GLOB '*[0-9]*' AND {text} NOT GLOB "
            f"'*[^-+.0-9eE]*' AND substr({text}, 2) NOT GLOB '*[^eE][-+]*'"
            f" AND substr({text}, 2) NOT GLOB '[-+]*'"
        )
        return f"CASE WHEN typeof({column}) IN ('integer', 'real') OR {written} THEN {cast} END"

    def label(self, value: Any) -> str:
        """The label of a class as a literal."""
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return self.number(value)
        if isinstance(value, str):
            return self.quoted_text(value)
        raise NotPortableError(
            f"the class {value!r} is a {type(value).__name__}, which has no literal in SQL. Fit "
            "the classifier to texts, numbers or booleans."
        )

    def quoted_text(self, text: str) -> str:
        """A text as a literal: nothing in it can end it."""
        _refuse_nul(text)
        doubled = text.replace("'", "''")
        if self.strict and "\\" in text:
            # This form reads backslashes alike whatever standard_conforming_strings is.
            return "E'" + doubled.replace("\\", "\\\\") + "'"
        return f"'{doubled}'"


# Bytes of a name by which PostgreSQL knows it.
LONGEST_NAME = 63
ZERO = "0.0e0"
DIALECTS = {
    "duckdb": Dialect("DOUBLE", "VARCHAR", lists=True),
    "sqlite": Dialect(
        "REAL", "TEXT", "max", "min", fence="\nLIMIT -1 OFFSET 0", typed=False, most_columns=250
    ),
    "postgresql": Dialect(
        "DOUBLE PRECISION", "TEXT", fence="\nOFFSET 0", strict=True, longest_name=LONGEST_NAME
    ),
}


def dialect_named(name: str) -> Dialect:
    """The dialect of this name."""
    if not isinstance(name, str) or name not in DIALECTS:
        expected = ", ".join(map(repr, DIALECTS))
        raise ValueError(f"dialect must be one of {expected}; got {name!r}.")
    return DIALECTS[name]


def clipped(name: str) -> str:
    """A name as PostgreSQL clips it, at the end of a letter."""
    return name.encode()[:LONGEST_NAME].decode(errors="ignore")


def quoted(name: str) -> str:
    """A name of a table or a column: nothing in it can end it."""
    if not isinstance(name, str) or not name:
        raise ValueError(f"a name of a table or a column must be a text, not empty; got {name!r}.")
    _refuse_nul(name)
    return '"' + name.replace('"', '""') + '"'


def total(terms: Sequence[str]) -> str:
    """A sum whose parentheses are balanced: databases limit how deep an expression is."""
    return _balanced(terms, "({} + {})") if terms else ZERO


def product(factors: Sequence[str]) -> str:
    """A product with balanced parentheses."""
    return _balanced(factors, "({} * {})") if factors else "1e0"


def _balanced(terms: Sequence[str], pair: str) -> str:
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    return pair.format(_balanced(terms[:half], pair), _balanced(terms[half:], pair))


def _refuse_nul(text: str) -> None:
    if "\0" in text:
        raise ValueError(f"{text!r} holds the character NUL, which no database can write.")


def most(dialect: Dialect, terms: Sequence[str]) -> str:
    """The largest of some expressions, two by two: databases limit the number of arguments."""
    return _balanced(terms, dialect.largest + "({}, {})")
