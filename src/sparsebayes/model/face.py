"""What a model is called and takes; new inputs, and columns of tables, as its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparsebayes.model.given import as_numbers, column_names, refuse_masked


@dataclass(frozen=True)
class TableColumn:
    """A column of numbers, or of texts, each of which becomes an input that is 0 or 1.

    Parameters
    ----------
    name : of the column
    categories : texts that occurred in training, in order; None for a column of numbers
    truth : whether a column of numbers held true and false, which are 1 and 0
    """

    name: str
    categories: tuple[str, ...] | None = None
    truth: bool = False

    def __post_init__(self) -> None:
        texts = (self.name, *(self.categories or ()))
        if not all(isinstance(text, str) for text in texts) or not isinstance(self.truth, bool):
            raise ValueError("the name and the categories of a column must be texts.")

    @property
    def input_names(self) -> tuple[str, ...]:
        """Names of the inputs that it becomes: its own name, or "name=text" for each text."""
        if self.categories is None:
            return (self.name,)
        return tuple(f"{self.name}={text}" for text in self.categories)

    def inputs(self, values: Sequence[Any]) -> np.ndarray:
        """The inputs of some rows (n_rows, n_inputs)."""
        if self.categories is None:
            return np.asarray(values, dtype=np.float64)[:, None]
        texts = [str(each) for each in values]
        for row, text in enumerate(texts):
            if text not in self.categories:
                raise ValueError(
                    f"row {row}, column {self.name!r}: {text!r} did not occur in training; "
                    f"expected one of {', '.join(map(repr, self.categories))}."
                )
        return np.array([[float(text == each) for each in self.categories] for text in texts])


@dataclass(frozen=True)
class TableInputs:
    """The columns that a model takes from a table.

    Parameters
    ----------
    columns : in the order of the inputs
    target : the name of the column that the model predicts
    """

    columns: tuple[TableColumn, ...]
    target: str

    @property
    def input_names(self) -> tuple[str, ...]:
        """Names of all inputs."""
        return tuple(name for column in self.columns for name in column.input_names)

    def inputs(self, table: Mapping[str, Sequence[Any]]) -> np.ndarray:
        """The inputs of all rows of a table (n_rows, n_features), given its columns by name."""
        return np.hstack([column.inputs(table[column.name]) for column in self.columns])


@dataclass(frozen=True)
class Face:
    """What a model is called, and what it takes.

    Parameters
    ----------
    estimator : the class that was fitted, such as "RVR"
    n_features : how many inputs there are
    feature_names : of the inputs, where they had names
    squeezed : whether predictions have no axis for outputs: there is one, or there are two classes
    about : facts for people, such as the log evidence; texts and numbers
    table : how columns of a table become inputs, where the model was fitted to one
    """

    estimator: str
    n_features: int
    feature_names: tuple[str, ...] | None = None
    squeezed: bool = True
    about: dict[str, Any] = field(default_factory=dict)
    table: TableInputs | None = None

    @property
    def input_names(self) -> tuple[str, ...]:
        """A name for each input: x0, x1, ... where there are no others."""
        if self.feature_names is not None:
            return self.feature_names
        return tuple(f"x{k}" for k in range(self.n_features))

    def check(self) -> None:
        """An error unless all shapes go together."""
        if type(self.n_features) is not int or self.n_features < 1:
            raise ValueError("n_features is no number of inputs.")
        if not isinstance(self.estimator, str) or not isinstance(self.squeezed, bool):
            raise ValueError("estimator must be a text, and squeezed True or False.")
        if self.feature_names is not None:
            texts = all(isinstance(name, str) for name in self.feature_names)
            if not texts or len(self.feature_names) != self.n_features:
                raise ValueError("feature_names must be a text for each input.")
        _check_facts(self.about)
        if self.table is not None and len(self.table.input_names) != self.n_features:
            raise ValueError("the table does not go with the inputs.")


# Facts that are numbers, where they are known.
NUMBERS = ("log_evidence", "n_relevance", "n_rows")


def _check_facts(about: Any) -> None:
    """An error unless facts have names, and those that are numbers are."""
    if not isinstance(about, dict) or not all(isinstance(name, str) for name in about):
        raise ValueError("about must have names.")
    numbers = {name: about[name] for name in NUMBERS if name in about}
    for name in ("held_out", "relevance"):
        numbers |= about.get(name, {})
    if not all(_is_number(value) for value in numbers.values()):
        raise ValueError("a fact that is a number is none.")


def _is_number(value: Any) -> bool:
    """Whether it is a number that can be printed: one that doubles have."""
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**63)


def new_inputs(X: Any, face: Face) -> np.ndarray:
    """X as an array of doubles (n_samples, n_features), or an error that says what is wrong."""
    refuse_masked(X=X)
    names = column_names(X)
    if names is not None and face.feature_names is not None and tuple(names) != face.feature_names:
        raise ValueError(
            f"the columns of X are {names}; expected {list(face.feature_names)}, in this order."
        )
    inputs = as_numbers("X", X, lambda: _doubles(X))
    if inputs.ndim != 2 or inputs.shape[1] != face.n_features or not len(inputs):
        raise ValueError(
            f"X must have shape (n_samples, {face.n_features}) with a row or more, got "
            f"{inputs.shape}."
        )
    if not np.isfinite(inputs).all():
        row, number = np.argwhere(~np.isfinite(inputs))[0]
        column = number if names is None else repr(names[number])
        raise ValueError(f"X holds {inputs[row, number]} in row {row}, column {column}.")
    return inputs


def _doubles(X: Any) -> np.ndarray:
    """X as an array of doubles, of any shape."""
    try:
        values = np.asarray(X.toarray() if hasattr(X, "toarray") else X)
        if values.dtype.kind == "c":
            raise TypeError("these are complex numbers")
        return values.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X must hold numbers only; {error}.") from error
