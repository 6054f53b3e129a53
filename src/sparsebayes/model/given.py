"""What users give as inputs and targets, where it is no plain array of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from reprlib import repr as clipped
from typing import Any

import numpy as np

# Kinds of NumPy's types: numbers; dates and durations; objects, texts, bytes and records.
NUMBERS, TIMES, OTHERS = "biufc", "mM", "OUSV"
COMPLEX = "c"
# What to do with what is no number.
ENCODE = "encode it, for example with a OneHotEncoder in a ColumnTransformer"
DATE = "give it as a number, such as days since a date, or as its parts, such as the weekday"
DURATION = "give it as a number in one unit, such as seconds"
FILL = "fill in what is missing, for example with a SimpleImputer, or leave out these rows"


class NotTakenError(TypeError, ValueError):
    """Data of a type that is not taken.

    scikit-learn raises a TypeError for such data, and we promise a ValueError: this is both.
    """


def refuse_masked(**given: Any) -> None:
    """An error where values are masked, which NumPy would forget; or where they are a matrix."""
    for name, values in given.items():
        if isinstance(values, np.matrix):
            raise ValueError(f"{name} is an np.matrix, expected an array: pass np.asarray({name}).")
        parts = values if isinstance(values, list | tuple) else [values]
        masked = sum(np.ma.count_masked(each) for each in parts if np.ma.isMaskedArray(each))
        if masked:
            raise ValueError(
                f"{name} has {masked} masked values, and a model needs all of them: fill them, as "
                f"{name}.filled(value) does, or leave them out."
            )


def refuse_no_numbers(**given: Any) -> None:
    """An error where what is said of each row is masked, or is no real number.

    NumPy would take dates and durations for numbers in units of its own, and forget imaginary
    parts. Collections of Dask are looked at when their blocks are read.
    """
    refuse_masked(**given)
    for name, values in given.items():
        cells = np.empty(0) if values is None or _is_lazy(values) else np.asarray(values).ravel()
        if cells.dtype.kind in TIMES + COMPLEX:
            raise ValueError(f"{name} holds values of type {cells.dtype}; expected real numbers.")
        found = first_wrong(cells) if cells.dtype.kind in OTHERS else None
        if found is not None:
            raise ValueError(
                f"{name} must hold numbers, got {clipped(found[1])} in row {found[0]}, of type "
                f"{type(found[1]).__name__}."
            )


def _is_lazy(values: Any) -> bool:
    """Whether it is a collection of Dask, whose values are not there yet."""
    return hasattr(values, "compute") and hasattr(values, "dask")


def as_numbers(name: str, values: Any, convert: Callable[[], Any]) -> Any:
    """What `convert` makes of inputs; an error that names the column where they are no numbers."""
    if getattr(getattr(values, "dtype", None), "kind", "O") not in NUMBERS:
        _refuse(name, values, TIMES)  # NumPy would take these for numbers, in units of its own
    try:
        return convert()
    except (TypeError, ValueError) as error:
        _refuse(name, values, OTHERS)
        if isinstance(error, ValueError):
            raise
        raise NotTakenError(str(error)) from error


def column_names(table: Any) -> list[Any] | None:
    """Names of the columns of a table of pandas, polars or pyarrow; None for what is no table."""
    names = getattr(table, "column_names", getattr(table, "columns", None))
    return None if names is None else list(names)


def first_wrong(cells: np.ndarray) -> tuple[int, Any] | None:
    """The row of the first of some objects (n,) that is no number, and the object."""
    for row, cell in enumerate(cells.tolist()):
        try:
            float(cell)
        except (TypeError, ValueError):
            return row, cell
    return None


def is_missing(cell: Any) -> bool:
    """Whether it stands for no value: None, NaN, or what pandas has for it."""
    if isinstance(cell, float):
        return cell != cell
    return cell is None or _is_of_pandas(cell)


def _is_of_pandas(cell: Any) -> bool:
    """Whether it is NA or NaT, for which nothing compares."""
    return type(cell).__name__ in ("NAType", "NaTType")


def _refuse(name: str, values: Any, kinds: str) -> None:
    """An error that names the first column of these kinds of types that holds no numbers."""
    for column, cells in _columns(values, kinds):
        if cells.dtype.kind in kinds:
            which = name if column is None else f"column {column!r} of {name}"
            _refuse_cells(f"{which} holds", cells)


def _refuse_cells(holds: str, cells: np.ndarray) -> None:
    """An error where the cells of a column (n,) are no numbers."""
    if cells.dtype.kind in TIMES:
        what, then = ("dates", DATE) if cells.dtype.kind == "M" else ("durations", DURATION)
        raise ValueError(f"{holds} {what}, {cells.dtype}; expected numbers: {then}.")
    found = first_wrong(cells)
    if found is None or isinstance(found[1], dict):  # whose TypeError scikit-learn asks for
        return
    row, cell = found
    raise ValueError(
        f"{holds} {clipped(cell)} in row {row}, of type {type(cell).__name__}; expected numbers: "
        f"{_what_to_do(cell)}."
    )


def _what_to_do(cell: Any) -> str:
    if is_missing(cell):
        return FILL
    if hasattr(cell, "total_seconds"):
        return DURATION
    return DATE if hasattr(cell, "year") else ENCODE


def _columns(values: Any, kinds: str) -> Iterator[tuple[Any, np.ndarray]]:
    """Name or number, and cells, of each column that may be of these kinds; None for no name."""
    if hasattr(values, "iloc") and hasattr(values, "columns"):  # pandas
        for number, (name, dtype) in enumerate(zip(values.columns, values.dtypes, strict=True)):
            may_miss = kinds == OTHERS and _is_of_pandas(getattr(dtype, "na_value", None))
            if may_miss or getattr(dtype, "kind", "O") not in NUMBERS:
                yield name, _cells_of_pandas(values.iloc[:, number])
    elif hasattr(values, "column_names"):  # pyarrow
        for name, column in zip(values.column_names, values.columns, strict=True):
            yield name, np.asarray(column)
    elif hasattr(values, "get_columns"):  # polars
        for column in values.get_columns():
            yield column.name, np.asarray(column)
    elif not hasattr(values, "tocsr"):  # a sparse matrix holds numbers alone
        yield from _columns_of_array(values)


def _cells_of_pandas(column: Any) -> np.ndarray:
    """The cells of a column; dates of a time zone, which are objects, as dates."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in NUMBERS:
        return np.asarray(column, dtype=object)
    return np.asarray(column, dtype="datetime64[ns]" if kind == "M" else None)


def _columns_of_array(values: Any) -> Iterator[tuple[int | None, np.ndarray]]:
    array = np.empty((0, 0, 0))
    with suppress(TypeError, ValueError):  # rows of several lengths
        array = np.asarray(values)
    if array.ndim == 1:
        yield None, array
    if array.ndim == 2:
        yield from enumerate(array.T)
