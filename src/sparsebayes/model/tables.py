"""How named columns of a table, numbers and texts, become the inputs of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


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
