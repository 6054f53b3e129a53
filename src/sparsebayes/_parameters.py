"""Checks of single parameters that users set, shared by recipes and estimators."""

from __future__ import annotations

import numbers
from dataclasses import MISSING, fields
from typing import Any, Self

import numpy as np

from sparsebayes.model.given import refuse_masked

# Squares of numbers within these bounds neither underflow nor overflow, and neither do products of
# such squares with those of other numbers that are not extreme.
SMALLEST, LARGEST = 1e-75, 1e75


def per_input(name: str, values: Any, n_features: int) -> np.ndarray:
    """A number for each input as an array, or an error that says what `name` may be."""
    refuse_masked(**{name: values})
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    fine = array.shape == (n_features,) and np.isfinite(array).all() and (array >= 0.0).all()
    if fine and array.any():
        return array
    raise ValueError(
        f"{name}, if one for each input, must be an array of {n_features} finite numbers of 0 or "
        f"more, not all 0, as X has {n_features} features; got {values!r}."
    )


def is_several(value: Any) -> bool:
    """Whether a parameter holds several values."""
    return isinstance(value, list | tuple | np.ndarray) and np.ndim(value) > 0


def is_word(value: Any, word: str) -> bool:
    """Whether a parameter is this word; an array is no word."""
    return isinstance(value, str) and value == word


def is_number(value: Any) -> bool:
    """Whether a parameter is a real number; True and False are not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def positive(name: str, value: Any, words: str = "'scale', 'auto', 'learn'") -> float:
    """The value as a float, or an error that says what `name` may be."""
    if not is_number(value) or not 0.0 < float(value) < np.inf:
        raise ValueError(f"{name} must be {words} or a positive number, got {value!r}.")
    return float(value)


def finite_number(name: str, value: Any) -> float:
    """The value as a float, or an error that says what `name` may be."""
    if not is_number(value) or not np.isfinite(float(value)):
        raise ValueError(f"{name} must be a finite number, got {value!r}.")
    return float(value)


def whole_number(name: str, value: Any, words: str = "") -> int:
    """The value as an integer of 1 or more, or an error that says what `name` may be."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be {words}an integer of 1 or more, got {value!r}.")
    return int(value)


class Tunable:
    """A dataclass whose fields are parameters that users set, as scikit-learn asks for them."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, as scikit-learn asks for them.

        Parameters
        ----------
        deep : bool, default=True
            Without effect: no parameter has parameters of its own.

        Returns
        -------
        params : dict
            Names and values.
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **params: Any) -> Self:
        """Set parameters, as scikit-learn does in a search.

        Parameters
        ----------
        **params : dict
            Names and values.

        Returns
        -------
        self : object
            The object itself.
        """
        names = list(self.get_params())
        for name, value in params.items():
            if name not in names:
                known = ", ".join(map(repr, names)) or "none"
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}; its parameters: {known}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)  # type: ignore[arg-type]
            if field.default is MISSING or _differs(getattr(self, field.name), field.default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def _differs(value: Any, default: Any) -> bool:
    """Whether a parameter is not its default; one that holds several values is not."""
    return is_several(value) or bool(value != default)
