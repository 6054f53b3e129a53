"""What the names of formulas stand for: values of columns, their slopes, what a column is called.

A formula takes inputs (n_samples, n_features) and the items of m columns, and gives values of shape
(n_samples, m). The item of a kernel column is its centre. To add a formula, write its functions
and give them a name in `DEFINITIONS`. A name is part of saved models, so it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csc_array, issparse

from sparsebayes.columns.effects import effects_slope, effects_values, effects_variance
from sparsebayes.columns.geometry import Inputs, inner_product, standard_length, standard_product
from sparsebayes.columns.kernels import (
    MATERN12,
    MATERN32,
    MATERN52,
    cauchy,
    cauchy_slope,
    gaussian,
    gaussian_slope,
    given_variance,
    laplacian,
    laplacian_slope,
    periodic,
    periodic_slope,
    polynomial,
    polynomial_slope,
    polynomial_variance,
    sigmoid,
    sigmoid_slope,
    squared_length,
    unit_variance,
)
from sparsebayes.columns.user_functions import (
    KernelTable,
    column_values,
    kernel_values,
    object_slope,
    object_values,
    object_variance,
    some_column_values,
)
from sparsebayes.model.columns import linear_spline, products

# Names of columns: of kind, item, training row, and the names of the inputs.


def row_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """The name of a kernel centred on a training row."""
    return f"{kind}({row})"


def constant_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """The name of the bias."""
    return "bias"


def input_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """The name of an input."""
    return feature_names[item]


def product_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """A product of inputs; the item holds the power of each."""
    factors = [
        feature_names[k] if power == 1 else f"{feature_names[k]}^{power}"
        for k, power in enumerate(item)
        if power
    ]
    return " ".join(factors)


def given_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """A column of a function of the user."""
    return f"given({item})"


@dataclass(frozen=True)
class Definition:
    """What the name of a formula stands for.

    Parameters
    ----------
    values : (inputs, items, **parameters) -> values; see `Formula`
    slope : (inputs, items, sensitivity, values, **parameters) -> see `Formula.slope`; None without
        gamma
    power : gamma = width^-power
    label : (kind, item, row, feature_names) -> the name of a column
    on_points : whether the items are points of the input space
    at_itself : (inputs, **parameters) -> the value of a kernel at its own centre (n_samples,); None
        where that takes an evaluation of the kernel between the inputs
    local : whether a kernel falls off far from its centre, in all directions: to zero, but for a
        constant that it has
    has_constant : whether a constant is a part of the kernel
    may_be_covariance : whether that is left to the data to tell
    looked_up : whether the function is a `KernelTable`, for the fit alone
    constant : whether values are the same at all inputs
    sparse_values : (inputs, items) -> values as a sparse matrix, where sparse inputs make columns
        that are as sparse
    gradient : (items, features, **parameters) -> derivatives for some of the inputs (n_inputs, m),
        of values that are a constant and a linear function of the inputs; None for others
    gradient_variance : (features, **parameters) -> variance of these derivatives of a process
        (n_inputs,), where the kernel is a covariance and linear
    is_input : whether a column is one of the inputs, and its item the number of that
    by_object : whether the function is an object of the user
    plain_name : of the formula in `sparsebayes.model`, where it is another
    """

    values: Callable[..., np.ndarray]
    slope: Callable[..., np.ndarray] | None = None
    power: float = 1.0
    label: Callable[[str, Any, int, Sequence[str]], str] = row_label
    on_points: bool = True
    at_itself: Callable[..., np.ndarray] | None = None
    local: bool = False
    has_constant: bool = False
    may_be_covariance: bool = False
    looked_up: bool = False
    constant: bool = False
    sparse_values: Callable[[Any, np.ndarray], Any] | None = None
    gradient: Callable[..., np.ndarray] | None = None
    gradient_variance: Callable[..., np.ndarray] | None = None
    is_input: bool = False
    by_object: bool = False
    plain_name: str | None = None


# Columns without a centre.


def take(inputs: Inputs, items: np.ndarray) -> np.ndarray:
    """The columns `items` of the inputs themselves."""
    chosen = inputs[:, items]
    return chosen.toarray() if issparse(chosen) else chosen


def precomputed(
    inputs: np.ndarray,
    items: np.ndarray,
    function: KernelTable | None = None,
    variance: float | None = None,
) -> np.ndarray:
    """The columns `items` of kernel values that are given in place of inputs."""
    return take(inputs, items)


def ones(inputs: Inputs, items: np.ndarray) -> np.ndarray:
    """A constant."""
    return np.ones((inputs.shape[0], len(items)))


def given(inputs: Inputs, items: np.ndarray, function: Callable, n_columns: int) -> np.ndarray:
    """The columns `items` of what a function of the user makes of the inputs."""
    return column_values(inputs, function, n_columns)[:, items]


def take_sparse(inputs: Any, items: np.ndarray) -> Any:
    """The columns `items` of sparse inputs, as a sparse matrix."""
    return csc_array(inputs)[:, items]


def sparse_ones(inputs: Any, items: np.ndarray) -> Any:
    """A constant, as a sparse matrix."""
    return csc_array(ones(inputs, items))


# Derivatives of linear columns for some of the inputs.


def of_centres(centres: Inputs, features: np.ndarray) -> np.ndarray:
    """Derivatives of x'c for some of the inputs."""
    chosen = centres[:, features].T
    return chosen.toarray() if issparse(chosen) else chosen


def of_standard_centres(
    centres: Inputs, features: np.ndarray, gamma: np.ndarray, middle: np.ndarray
) -> np.ndarray:
    """Derivatives of sum_k gamma_k (x_k - middle_k) (c_k - middle_k) for some of the inputs."""
    shifted = of_centres(centres, features) - middle[features][:, None]
    return gamma[features][:, None] * shifted


def unit_gradient_variance(features: np.ndarray) -> np.ndarray:
    """1: the weights of a process with the kernel x'c."""
    return np.ones(len(features))


def standard_gradient_variance(
    features: np.ndarray, gamma: np.ndarray, middle: np.ndarray
) -> np.ndarray:
    """gamma_k: the weights of standardised inputs in units of the inputs themselves."""
    return gamma[features]


def zeros(items: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Derivatives of a constant for some of the inputs: zero."""
    return np.zeros((len(features), len(items)))


def ones_where_equal(items: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Derivatives of columns that are inputs: one for the input itself, zero for others."""
    return (features[:, None] == items).astype(np.float64)


BY_OBJECT = Definition(object_values, object_slope, at_itself=object_variance, by_object=True)
DEFINITIONS: dict[str, Definition] = {
    "gaussian": Definition(
        gaussian, gaussian_slope, power=2.0, at_itself=unit_variance, local=True
    ),
    "cauchy": Definition(cauchy, cauchy_slope, power=2.0, at_itself=unit_variance, local=True),
    "laplacian": Definition(laplacian, laplacian_slope, at_itself=unit_variance, local=True),
    "matern12": Definition(*MATERN12, power=2.0, at_itself=unit_variance, local=True),
    "matern32": Definition(*MATERN32, power=2.0, at_itself=unit_variance, local=True),
    "matern52": Definition(*MATERN52, power=2.0, at_itself=unit_variance, local=True),
    "periodic": Definition(periodic, periodic_slope, power=2.0, at_itself=unit_variance),
    "effects": Definition(
        effects_values, effects_slope, at_itself=effects_variance, local=True, has_constant=True
    ),
    "linear": Definition(
        inner_product,
        at_itself=squared_length,
        gradient=of_centres,
        gradient_variance=unit_gradient_variance,
    ),
    "standard_linear": Definition(
        standard_product,
        at_itself=standard_length,
        gradient=of_standard_centres,
        gradient_variance=standard_gradient_variance,
        plain_name="linear",
    ),
    "polynomial": Definition(polynomial, polynomial_slope, at_itself=polynomial_variance),
    "sigmoid": Definition(sigmoid, sigmoid_slope),
    "linear_spline": Definition(linear_spline),
    "kernel_function": Definition(kernel_values, may_be_covariance=True),
    "kernel_object": BY_OBJECT,
    "local_kernel_object": replace(BY_OBJECT, local=True),
    "precomputed": Definition(
        precomputed,
        on_points=False,
        at_itself=given_variance,
        may_be_covariance=True,
        looked_up=True,
    ),
    "constant": Definition(
        ones,
        label=constant_label,
        on_points=False,
        constant=True,
        sparse_values=sparse_ones,
        gradient=zeros,
    ),
    "inputs": Definition(
        take,
        label=input_label,
        on_points=False,
        sparse_values=take_sparse,
        gradient=ones_where_equal,
        is_input=True,
    ),
    "products": Definition(products, label=product_label, on_points=False),
    "given": Definition(given, label=given_label, on_points=False),
    "given_some": Definition(some_column_values, label=given_label, on_points=False),
}
