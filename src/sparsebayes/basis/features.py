"""Columns that are not centred on a row: a constant, the inputs, their products, anything given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from sparsebayes._parameters import whole_number
from sparsebayes.basis.basis import Basis
from sparsebayes.basis.product_kernels import LinearKernel
from sparsebayes.columns import NO_ROW, Columns, Formula, Inputs, identity_columns
from sparsebayes.columns.sparse_inputs import input_range
from sparsebayes.columns.user_functions import column_values

__all__ = ["Bias", "GivenColumns", "Linear", "Polynomial"]


def has_constant(inputs: Any) -> bool:
    """Whether an input is the same number in all rows, and not 0; False without inputs."""
    if inputs is None:
        return False
    lowest, highest = input_range(inputs)
    return bool(np.any((lowest == highest) & (lowest != 0.0)))


class Bias(Basis):
    """A column of ones: the constant term of a model.

    Parameters
    ----------
    centre_target : bool, default=True
        Whether the mean of real targets is taken out first, so that their offset does not matter.
        With False the column has to explain the offset, as in Tipping (2001).

    References
    ----------
    M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine, Journal of
    Machine Learning Research 1, 211-244.

    Examples
    --------
    >>> from sparsebayes import Bias, Linear, SparseBayesRegressor
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> model = SparseBayesRegressor(Linear() + Bias()).fit(X, [1.0, 3.1, 4.9, 7.0, 9.1])
    >>> round(float(model.intercept_), 1)
    1.0
    """

    def __init__(self, centre_target: bool = True) -> None:
        self.centre_target = centre_target

    @property
    def centres_target(self) -> bool:
        """Whether the mean of real targets is taken out first."""
        if not isinstance(self.centre_target, bool | np.bool_):
            raise ValueError(f"centre_target must be True or False, got {self.centre_target!r}.")
        return bool(self.centre_target)

    is_bias = True

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column."""
        return _without_centres(self, Formula("constant"), np.zeros(1))


class Linear(Basis):
    """The inputs themselves as columns, so that the fit selects inputs.

    Alone, it makes the model automatic relevance determination (ARD). It is also the way to use a
    dictionary, a matrix of columns of your own: pass the matrix as X.

    Parameters
    ----------
    groups : array-like of shape (n_features,), default=None
        A label for each input. Inputs with the same label have one precision, so that they are kept
        or left out together: the levels of a category, the terms of one variable, the parts of a
        complex number. Give them comparable units.

    See Also
    --------
    GivenColumns : Columns that a function makes, instead of a matrix.
    LinearKernel : One prior for all inputs, which selects none.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/columns.html

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Linear, SparseBayesRegressor
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(40, 30))
    >>> y = X[:, :2] @ [1.0, -1.0] + X[:, 7] + random.normal(0, 0.1, 40)
    >>> model = SparseBayesRegressor(Linear(groups=np.arange(30) // 2)).fit(X, y)
    >>> model.selected_.nonzero()[0]
    array([0, 1, 6, 7])
    """

    def __init__(self, groups: Any = None) -> None:
        self.groups = groups

    @property
    def in_groups(self) -> bool:
        """Whether columns are kept or left out together: with `groups`."""
        return self.groups is not None

    def lacks_constant(self, inputs: Any) -> bool:
        """Whether no input is a constant."""
        return not has_constant(inputs)

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per input."""
        n_features = inputs.shape[1]
        return identity_columns(n_features, checked_labels("Linear", self.groups, n_features))

    def of_complex(self, n_features: int) -> Basis:
        """Inputs in groups, with both parts of a complex input in one of them."""
        labels = checked_labels("Linear", self.groups, n_features)
        return Linear(np.tile(np.arange(n_features) if labels is None else labels, 2))

    def dense_kernel(self, about_mean: bool) -> Basis | None:
        """The linear kernel of inputs that are scaled to the same size; none for groups."""
        if self.groups is not None:
            return None
        return LinearKernel(scaling="standard" if about_mean else "unit")


class Polynomial(Basis):
    """All products of inputs up to a total degree: powers and interactions.

    Parameters
    ----------
    degree : int, default=2
        The largest total degree of a product.

    See Also
    --------
    PolynomialKernel : Products of all degrees in one kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, Polynomial, SparseBayesRegressor
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(60, 3))
    >>> y = X[:, 0] * X[:, 2] + random.normal(0, 0.1, 60)
    >>> model = SparseBayesRegressor(Polynomial(degree=2) + Bias()).fit(X, y)
    >>> "x0 x2" in model.column_names_
    True
    """

    accepts_sparse = False

    def __init__(self, degree: int = 2) -> None:
        self.degree = degree

    def lacks_constant(self, inputs: Any) -> bool:
        """Whether no input is a constant."""
        return not has_constant(inputs)

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per product, those of a lower degree first."""
        exponents = _exponents(inputs.shape[1], self.degree)
        return _without_centres(self, Formula("products"), exponents)


class GivenColumns(Basis):
    """Columns that a function of yours makes from the inputs.

    Parameters
    ----------
    function : callable
        ``function(inputs)`` takes rows of shape (n, n_features), for any n, and returns columns of
        shape (n, n_columns). If you give `n_columns`, ``function(inputs, columns)`` also takes the
        numbers of columns and returns these, (n, len(columns)). Then no more than a block of a
        large dictionary is in memory at a time, and a prediction computes only the columns that
        were kept.
    n_columns : int, default=None
        How many columns there are, if the function returns those that it is asked for.
    groups : array-like of shape (n_columns,), default=None
        A label for each column; see `Linear`.

    See Also
    --------
    Linear : Columns that you have as a matrix.
    CallableKernel : A function of inputs and centres.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/columns.html

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, GivenColumns, SparseBayesRegressor
    >>> def waves(inputs):
    ...     return np.hstack([np.sin(k * inputs) for k in range(1, 6)])
    >>> X = np.linspace(0, 6, 80)[:, None]
    >>> y = np.sin(3 * X[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 80)
    >>> model = SparseBayesRegressor(GivenColumns(waves) + Bias()).fit(X, y)
    >>> "given(2)" in model.column_names_  # the third of five
    True
    """

    accepts_sparse = False  # the function may not take such inputs

    def __init__(
        self, function: Callable[..., Any], n_columns: int | None = None, groups: Any = None
    ) -> None:
        self.function = function
        self.n_columns = n_columns
        self.groups = groups

    @property
    def in_groups(self) -> bool:
        """Whether columns are kept or left out together: with `groups`."""
        return self.groups is not None

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per column of the function's result."""
        if not callable(self.function):
            raise ValueError(
                f"function of GivenColumns must be a function of inputs, got {self.function!r}."
            )
        if self.n_columns is not None:
            n_columns = whole_number("n_columns of GivenColumns", self.n_columns, "None or ")
            formula = Formula("given_some", function=self.function)
        else:
            n_columns = column_values(inputs, self.function).shape[1]
            formula = Formula("given", options={"n_columns": n_columns}, function=self.function)
        columns = _without_centres(self, formula, np.arange(n_columns))
        return replace(columns, labels=checked_labels("GivenColumns", self.groups, n_columns))


def checked_labels(name: str, groups: Any, n_columns: int) -> np.ndarray | None:
    """The number of the group of each column (n_columns,); None where there are no groups."""
    if groups is None:
        return None
    labels = _array_of_labels(groups)
    if labels.shape != (n_columns,):
        raise ValueError(
            f"groups of {name} must have a label for each of {n_columns} columns, got an array of "
            f"shape {labels.shape}."
        )
    try:
        return np.unique(labels, return_inverse=True)[1].ravel()
    except TypeError as error:
        raise ValueError(
            f"groups of {name} must be labels of one type, such as words or whole numbers; got "
            f"{groups!r}."
        ) from error


def _array_of_labels(groups: Any) -> np.ndarray:
    """Labels as an array, without NumPy making words of numbers that stand beside words."""
    labels = np.asarray(groups)
    from_list = labels.dtype.kind in "SU" and not isinstance(groups, np.ndarray)
    return np.asarray(groups, dtype=object) if from_list else labels


def _without_centres(basis: Basis, formula: Formula, items: np.ndarray) -> Columns:
    return Columns(formula, items, np.full(len(items), NO_ROW), type(basis).__name__.lower())


def _exponents(n_features: int, degree: int) -> np.ndarray:
    """One row per product: the power of each input in it."""
    whole_number("degree of Polynomial", degree)
    chosen = [
        factors
        for total in range(1, degree + 1)
        for factors in combinations_with_replacement(range(n_features), total)
    ]
    return np.array([np.bincount(factors, minlength=n_features) for factors in chosen])
