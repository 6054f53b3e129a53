"""What the names of formulas stand for: values of columns, their slopes, what a column is called.

A formula takes inputs (n_samples, n_features) and the items of m columns, and gives values of shape
(n_samples, m). The item of a kernel column is its centre. To add a formula, write its functions
here and give them a name in `DEFINITIONS`. A name is part of saved models, so it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csc_array, issparse

from sparsebayes.columns.derived import (
    constant_label,
    given_label,
    input_label,
    of_centres,
    of_standard_centres,
    ones_where_equal,
    product_label,
    row_label,
    standard_gradient_variance,
    unit_gradient_variance,
    zeros,
)
from sparsebayes.columns.geometry import (
    Inputs,
    Scale,
    absolute_distance,
    absolute_distance_slope,
    inner_product,
    product_slope,
    scaled_product,
    squared_distance,
    squared_distance_slope,
    standard_length,
    standard_product,
    weighted_length,
)
from sparsebayes.columns.matern import (
    matern12,
    matern12_slope,
    matern32,
    matern32_slope,
    matern52,
    matern52_slope,
)
from sparsebayes.columns.objects import object_slope, object_values, object_variance
from sparsebayes.columns.user_functions import (
    KernelTable,
    column_values,
    kernel_values,
    some_column_values,
)
from sparsebayes.model.columns import linear_spline, products


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
    local : whether a kernel falls off to zero far from its centre, in all directions
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
    may_be_covariance: bool = False
    looked_up: bool = False
    constant: bool = False
    sparse_values: Callable[[Any, np.ndarray], Any] | None = None
    gradient: Callable[..., np.ndarray] | None = None
    gradient_variance: Callable[..., np.ndarray] | None = None
    is_input: bool = False
    by_object: bool = False
    plain_name: str | None = None


# Kernels.


def gaussian(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """exp(-sum_k gamma_k (x_k - c_k)^2). [T01] (30), (56) with gamma = r^-2"""
    return _exp_of_minus(squared_distance(inputs, centres, gamma))


def gaussian_slope(
    inputs: Inputs, centres: Inputs, sensitivity: np.ndarray, values: np.ndarray, gamma: Scale
) -> np.ndarray:
    """The slope of a Gaussian kernel, as `Formula.slope` wants it. [T01] (57)"""
    return squared_distance_slope(inputs, centres, gamma, sensitivity * values)


def cauchy(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """1 / (1 + sum_k gamma_k (x_k - c_k)^2)."""
    return 1.0 / (1.0 + squared_distance(inputs, centres, gamma))


def cauchy_slope(
    inputs: Inputs, centres: Inputs, sensitivity: np.ndarray, values: np.ndarray, gamma: Scale
) -> np.ndarray:
    """The slope of a Cauchy kernel, as `Formula.slope` wants it."""
    return squared_distance_slope(inputs, centres, gamma, sensitivity * values**2)


def laplacian(inputs: np.ndarray, centres: np.ndarray, gamma: Scale) -> np.ndarray:
    """exp(-sum_k gamma_k |x_k - c_k|)."""
    return _exp_of_minus(absolute_distance(inputs, centres, gamma))


def laplacian_slope(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    values: np.ndarray,
    gamma: Scale,
) -> np.ndarray:
    """The slope of a Laplacian kernel, as `Formula.slope` wants it."""
    return absolute_distance_slope(inputs, centres, gamma, sensitivity * values)


def _exp_of_minus(distance: np.ndarray) -> np.ndarray:
    """exp(-distance), in the memory of the distances."""
    np.negative(distance, out=distance)
    return np.exp(distance, out=distance)


def polynomial(
    inputs: Inputs, centres: Inputs, gamma: Scale, coef0: float, degree: int
) -> np.ndarray:
    """(sum_k gamma_k x_k c_k + coef0)^degree."""
    return (scaled_product(inputs, centres, gamma) + coef0) ** degree


def polynomial_slope(
    inputs: Inputs,
    centres: Inputs,
    sensitivity: np.ndarray,
    values: np.ndarray,
    gamma: Scale,
    coef0: float,
    degree: int,
) -> np.ndarray:
    """The slope of a polynomial kernel, as `Formula.slope` wants it."""
    outer = degree * polynomial(inputs, centres, gamma, coef0, degree - 1)
    return product_slope(inputs, centres, gamma, sensitivity * outer)


def sigmoid(inputs: Inputs, centres: Inputs, gamma: Scale, coef0: float) -> np.ndarray:
    """tanh(sum_k gamma_k x_k c_k + coef0), which is not a Mercer kernel and need not be one."""
    return np.tanh(scaled_product(inputs, centres, gamma) + coef0)


def sigmoid_slope(
    inputs: Inputs,
    centres: Inputs,
    sensitivity: np.ndarray,
    values: np.ndarray,
    gamma: Scale,
    coef0: float,
) -> np.ndarray:
    """The slope of a sigmoid kernel, as `Formula.slope` wants it."""
    return product_slope(inputs, centres, gamma, sensitivity * (1.0 - values**2))


# Kernels at their own centres.


def unit_variance(inputs: Inputs, **parameters: Any) -> np.ndarray:
    """1, of kernels of a distance."""
    return np.ones(inputs.shape[0])


def squared_length(inputs: Inputs) -> np.ndarray:
    """x'x."""
    return weighted_length(inputs, 1.0)


def polynomial_variance(inputs: Inputs, gamma: Scale, coef0: float, degree: int) -> np.ndarray:
    """(sum_k gamma_k x_k^2 + coef0)^degree."""
    return (weighted_length(inputs, gamma) + coef0) ** degree


def given_variance(
    inputs: np.ndarray, variance: float, function: KernelTable | None = None
) -> np.ndarray:
    """The variance of all rows, of a kernel whose values are given."""
    return np.full(inputs.shape[0], variance)


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


BY_OBJECT = Definition(object_values, object_slope, at_itself=object_variance, by_object=True)
DEFINITIONS: dict[str, Definition] = {
    "gaussian": Definition(
        gaussian, gaussian_slope, power=2.0, at_itself=unit_variance, local=True
    ),
    "cauchy": Definition(cauchy, cauchy_slope, power=2.0, at_itself=unit_variance, local=True),
    "laplacian": Definition(laplacian, laplacian_slope, at_itself=unit_variance, local=True),
    "matern12": Definition(
        matern12, matern12_slope, power=2.0, at_itself=unit_variance, local=True
    ),
    "matern32": Definition(
        matern32, matern32_slope, power=2.0, at_itself=unit_variance, local=True
    ),
    "matern52": Definition(
        matern52, matern52_slope, power=2.0, at_itself=unit_variance, local=True
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
