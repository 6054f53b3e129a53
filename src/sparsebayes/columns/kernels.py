"""Kernels: their values between inputs and centres, their slopes, and their values at a centre.

A slope has the arguments and the result of `Formula.slope`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sparsebayes.columns.geometry import (
    Inputs,
    Scale,
    absolute_distance,
    absolute_distance_slope,
    product_slope,
    scaled_product,
    squared_distance,
    squared_distance_slope,
    weighted_length,
)
from sparsebayes.columns.user_functions import KernelTable


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


def matern(
    twice_nu: float,
    value: Callable[[np.ndarray], np.ndarray],
    fall: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> tuple[Callable[..., np.ndarray], Callable[..., np.ndarray]]:
    """A Matérn kernel and its slope: of functions that can be differentiated nu - 1/2 times.

    With s = sum_k gamma_k (x_k - c_k)^2 and r = (2 nu s)^1/2 it is exp(-r) times a polynomial of r.

    Parameters
    ----------
    value : r -> the kernel
    fall : r, the kernel -> minus its derivative for s
    """

    def radius(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
        distance = squared_distance(inputs, centres, gamma)
        distance *= twice_nu
        return np.sqrt(distance, out=distance)

    def values(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
        return value(radius(inputs, centres, gamma))

    def slope(
        inputs: Inputs, centres: Inputs, sensitivity: np.ndarray, values: np.ndarray, gamma: Scale
    ) -> np.ndarray:
        fallen = fall(radius(inputs, centres, gamma), values)
        return squared_distance_slope(inputs, centres, gamma, sensitivity * fallen)

    return values, slope


def _exponential_fall(r: np.ndarray, values: np.ndarray) -> np.ndarray:
    """exp(-r) / (2 r); a distance of zero has no part in it."""
    return np.divide(0.5 * values, r, out=np.zeros_like(r), where=r > 0.0)


MATERN12 = matern(1.0, lambda r: np.exp(-r), _exponential_fall)
MATERN32 = matern(3.0, lambda r: (1.0 + r) * np.exp(-r), lambda r, _: 1.5 * np.exp(-r))
MATERN52 = matern(
    5.0,
    lambda r: (1.0 + r * (1.0 + r / 3.0)) * np.exp(-r),
    lambda r, _: 5.0 / 6.0 * (1.0 + r) * np.exp(-r),
)


def periodic(inputs: Inputs, centres: Inputs, gamma: Scale, depth: float) -> np.ndarray:
    """exp(-depth sin(pi r)^2), r^2 = sum_k gamma_k (x_k - c_k)^2: r counts periods."""
    return np.exp(-depth * np.sin(np.pi * np.sqrt(squared_distance(inputs, centres, gamma))) ** 2)


def periodic_slope(
    inputs: Inputs,
    centres: Inputs,
    sensitivity: np.ndarray,
    values: np.ndarray,
    gamma: Scale,
    depth: float,
) -> np.ndarray:
    """The slope of a periodic kernel, as `Formula.slope` wants it.

    Minus the derivative of the kernel for r^2 is depth pi^2 sinc(2 r) times the kernel.
    """
    fall = np.sinc(2.0 * np.sqrt(squared_distance(inputs, centres, gamma)))
    fall *= depth * np.pi**2
    return squared_distance_slope(inputs, centres, gamma, sensitivity * fall * values)


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
