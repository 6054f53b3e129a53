"""Columns that are not centred on a row: a constant, the inputs, their products, anything given."""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement

import numpy as np

from sparsebayes.basis import formulas
from sparsebayes.basis.columns import NO_ROW, Columns
from sparsebayes.basis.sums import Basis


class Bias(Basis):
    """A column of ones."""

    def bind(self, inputs, weight) -> Columns:
        """One column."""
        return _plain(_ones, np.zeros(1), _bias_label)


class Linear(Basis):
    """The inputs themselves. Alone, it makes the model automatic relevance determination (ARD).

    It is also the way to bring a dictionary of columns of your own: pass it as X.
    """

    def bind(self, inputs, weight) -> Columns:
        """One column per input."""
        return _plain(formulas.take, np.arange(inputs.shape[1]), _input_label)


class Polynomial(Basis):
    """All products of the inputs of total degree 1 to `degree`, powers and interactions.

    Parameters
    ----------
    degree : int, default=2
    """

    def __init__(self, degree=2):
        self.degree = degree

    @property
    def accepts_sparse(self) -> bool:
        """False."""
        return False

    def bind(self, inputs, weight) -> Columns:
        """One column per product, those of a lower degree first."""
        return _plain(_products, _exponents(inputs.shape[1], self.degree), _product_label)


class GivenColumns(Basis):
    """Columns that a function makes of the inputs.

    Parameters
    ----------
    function : callable
        `function(inputs)` of shape (n, n_features) gives (n, n_columns), for any n.
    """

    def __init__(self, function):
        self.function = function

    @property
    def accepts_sparse(self) -> bool:
        """False: what the function takes is not known."""
        return False

    def bind(self, inputs, weight) -> Columns:
        """One column per column of the function's result."""
        if not callable(self.function):
            raise ValueError(
                f"function of GivenColumns must be a function of inputs, got {self.function!r}."
            )
        n_columns = _apply(self.function, inputs, None).shape[1]
        formula = partial(_selected, function=self.function, n_columns=n_columns)
        return _plain(formula, np.arange(n_columns), _given_label)


def _plain(formula, items, label) -> Columns:
    return Columns(formula, items, np.full(len(items), NO_ROW), label)


def _ones(inputs, items):
    return np.ones((inputs.shape[0], len(items)))


def _selected(inputs, items, function, n_columns):
    return _apply(function, inputs, n_columns)[:, items]


def _apply(function, inputs, n_columns):
    """The function's columns; any number but 0 of them if `n_columns` is None."""
    name = f"the function {function!r} of GivenColumns"
    columns = formulas.real_array(function(inputs), name)
    n_rows = inputs.shape[0]
    right = columns.ndim == 2 and columns.shape[0] == n_rows and columns.shape[1]
    if not right or (n_columns is not None and columns.shape[1] != n_columns):
        expected = f"({n_rows}, {n_columns or 'n_columns of 1 or more'})"
        raise ValueError(
            f"{name} returned an array of shape {columns.shape} for {n_rows} inputs; "
            f"expected {expected}."
        )
    return columns


def _exponents(n_features, degree):
    """One row per product: the power of each input in it."""
    if not isinstance(degree, int | np.integer) or degree < 1:
        raise ValueError(f"degree of Polynomial must be an integer of 1 or more, got {degree!r}.")
    chosen = [
        factors
        for total in range(1, degree + 1)
        for factors in combinations_with_replacement(range(n_features), total)
    ]
    return np.array([np.bincount(factors, minlength=n_features) for factors in chosen])


def _products(inputs, exponents):
    return np.stack([np.prod(inputs**powers, axis=1) for powers in exponents], axis=1)


def _bias_label(item, row, feature_names):
    return "bias"


def _input_label(item, row, feature_names):
    return feature_names[item]


def _given_label(item, row, feature_names):
    return f"given({item})"


def _product_label(powers, row, feature_names):
    factors = [
        feature_names[k] if power == 1 else f"{feature_names[k]}^{power}"
        for k, power in enumerate(powers)
        if power
    ]
    return " ".join(factors)
