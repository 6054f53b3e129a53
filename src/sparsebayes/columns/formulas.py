"""A formula at its parameters: the name of a definition, and the numbers that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from sparsebayes.columns.definitions import DEFINITIONS, Definition
from sparsebayes.columns.geometry import Inputs, Scale
from sparsebayes.columns.user_functions import KernelTable, ValuesByObject

# Where a kernel has no formula for its value at its own centre, it is evaluated between so many
# inputs at a time.
AT_ITSELF = 32


@dataclass(frozen=True)
class Formula:
    """A formula at its parameters: (inputs, items) -> values of shape (n_samples, m).

    Parameters
    ----------
    name : a key of `DEFINITIONS`
    gamma : None where the formula has none, a number, or one for each input (n_features,)
    options : other numbers or arrays that the formula takes, by name
    function : the function or object of the user, where the formula calls one; or a table of values
    """

    name: str
    gamma: Scale = None
    options: dict[str, Any] = field(default_factory=dict)
    function: Callable[..., Any] | ValuesByObject | KernelTable | None = None

    def __post_init__(self) -> None:
        if self.name not in DEFINITIONS:
            names = ", ".join(map(repr, DEFINITIONS))
            raise ValueError(f"name of a Formula must be one of {names}, got {self.name!r}.")

    def __call__(self, inputs: Inputs, items: Any) -> np.ndarray:
        """The values."""
        return self.definition.values(inputs, items, **self._arguments)

    def slope(
        self,
        inputs: Inputs,
        items: Any,
        sensitivity: np.ndarray,
        values: np.ndarray | None = None,
    ) -> np.ndarray:
        """sum_nm sensitivity_nm d values_nm / d log gamma_k (n_features,). [T01] (53)

        With one gamma for all inputs, the sum of these is its derivative.

        Parameters
        ----------
        values : of the formula at these inputs and items, where they are known
        """
        if self.definition.slope is None:
            raise ValueError(f"formula {self.name!r} has no slope, as it has no gamma.")
        values = self(inputs, items) if values is None else values
        return self.definition.slope(inputs, items, sensitivity, values, **self._arguments)

    @property
    def definition(self) -> Definition:
        """What the name stands for."""
        return DEFINITIONS[self.name]

    def between(self, inputs: Inputs, others: Inputs) -> np.ndarray:
        """Values between inputs, of a kernel that is a covariance (n_inputs, n_others)."""
        if self.definition.looked_up:
            return self._table.between(inputs, others)
        return self(inputs, others)

    def between_items(self, items: Any) -> np.ndarray:
        """Values between centres (m, m)."""
        return (
            self._table.values[np.ix_(items, items)]
            if self.definition.looked_up
            else self(items, items)
        )

    @property
    def named(self) -> Formula:
        """The formula of ours that has the values of an object; itself where there is none."""
        found = self._object.named(self.gamma) if self.definition.by_object else None
        return self if found is None else Formula(*found)

    @property
    def _object(self) -> ValuesByObject:
        assert isinstance(self.function, ValuesByObject), "the formula calls no object"
        return self.function

    def for_new_inputs(self) -> Self:
        """The formula without its table."""
        return replace(self, function=None) if self.definition.looked_up else self

    @property
    def _table(self) -> KernelTable:
        assert isinstance(self.function, KernelTable), "only training rows can be looked up"
        return self.function

    def at_itself(self, inputs: Inputs) -> np.ndarray:
        """The value of the kernel at each of the inputs, with its centre there (n_samples,)."""
        if self.definition.at_itself is not None:
            return self.definition.at_itself(inputs, **self._arguments)
        starts = range(0, inputs.shape[0], AT_ITSELF)
        blocks = (inputs[start : start + AT_ITSELF] for start in starts)
        return np.concatenate([np.empty(0), *(np.diag(self(block, block)) for block in blocks)])

    def at(self, gamma: Scale) -> Formula:
        """The formula, at another gamma."""
        return replace(self, gamma=gamma)

    def centres(self, items: Any) -> Inputs | None:
        """The points that columns with these items are centred on, if they are points."""
        return items if self.definition.on_points else None

    def gradient(self, items: Any, features: np.ndarray) -> np.ndarray:
        """Derivatives for the inputs `features` (n_inputs, m), of a formula that is linear."""
        assert self.definition.gradient is not None, "the formula is not linear"
        return self.definition.gradient(items, features, **self._arguments)

    def gradient_variance(self, features: np.ndarray) -> np.ndarray:
        """Variance of the derivatives of a linear process, before there are data (n_inputs,)."""
        assert self.definition.gradient_variance is not None, "the kernel is not linear"
        return self.definition.gradient_variance(features, **self._arguments)

    def check(self, items: Any) -> None:
        """An error where the items are not its own: those of one width are."""

    def own_inputs(self, items: Any) -> np.ndarray | None:
        """The input that each of the columns with these items is, if they are inputs."""
        return items if self.definition.is_input else None

    def label(self, kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
        """The name of the column with this item."""
        return self.definition.label(kind, item, row, feature_names)

    def by_width(self, items: Any) -> Iterator[tuple[Formula, Any, np.ndarray]]:
        """Formula, items and positions of the columns of each width: of all."""
        yield self, items, np.arange(items.shape[0])

    def narrowest(self, columns: Any) -> Any:
        """The columns of the smallest width: all of them."""
        return columns

    @property
    def _arguments(self) -> dict[str, Any]:
        own = {"gamma": self.gamma, "function": self.function}
        return {name: value for name, value in own.items() if value is not None} | self.options
