"""Columns of a plain model as nodes: the formulas of `model.columns`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sparsebayes.export.onnx_graph.graph import Tensor
from sparsebayes.model.columns import PlainColumns

# Differences of rows and centres are held for so many inputs at a time: (n, m, 32) values.
INPUTS_AT_ONCE = 32


class Form(NamedTuple):
    """What a formula is in ONNX.

    Parameters
    ----------
    values : (inputs (n, d), items, **parameters) -> (n, m)
    at_itself : (inputs, items, **parameters) -> value of a kernel at its own centre (n, 1), or one
        number for all rows; None for columns that are no covariance
    """

    values: Callable[..., Tensor]
    at_itself: Callable[..., Tensor | float] | None = None


def less(values: Tensor, constant: np.ndarray) -> Tensor:
    """Values less a constant, all of whose digits count.

    In single precision the constant is a sum of two. The difference from the first is exact where
    it is small, so a small difference of large numbers is as good as the values are.
    """
    first = values.graph.array(constant)
    rest = constant - first
    difference = values - first
    return difference - rest if rest.any() else difference


def _summed(
    term: Callable[[Tensor], Tensor], inputs: Tensor, centres: np.ndarray, gamma: np.ndarray
) -> Tensor:
    """sum_k gamma_k term(x_k - c_k) (n, m), some inputs after the others."""
    total: Tensor | None = None
    for start in range(0, len(gamma), INPUTS_AT_ONCE):
        some = np.arange(start, min(start + INPUTS_AT_ONCE, len(gamma)))
        rows = inputs if len(some) == len(gamma) else inputs.take(some)
        differences = less(rows.with_axis(1), centres[:, some])
        part = (term(differences) * gamma[some]).total(axis=2)
        total = part if total is None else total + part
    assert total is not None, "there are no inputs"
    return total


def _squared_distance(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> Tensor:
    return _summed(lambda difference: difference * difference, inputs, centres, gamma)


def gaussian(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> Tensor:
    """exp(-sum_k gamma_k (x_k - c_k)^2)."""
    return (-_squared_distance(inputs, centres, gamma)).apply("Exp")


def cauchy(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> Tensor:
    """1 / (1 + sum_k gamma_k (x_k - c_k)^2)."""
    return 1.0 / (1.0 + _squared_distance(inputs, centres, gamma))


def laplacian(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> Tensor:
    """exp(-sum_k gamma_k |x_k - c_k|)."""
    distance = _summed(lambda difference: difference.apply("Abs"), inputs, centres, gamma)
    return (-distance).apply("Exp")


def matern12(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> Tensor:
    """exp(-r), r^2 = sum_k gamma_k (x_k - c_k)^2."""
    return (-_radius(inputs, centres, gamma)).apply("Exp")


def matern32(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> Tensor:
    """(1 + r) exp(-r), r^2 = 3 sum_k gamma_k (x_k - c_k)^2."""
    radius = _radius(inputs, centres, 3.0 * gamma)
    return (1.0 + radius) * (-radius).apply("Exp")


def matern52(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> Tensor:
    """(1 + r + r^2 / 3) exp(-r), r^2 = 5 sum_k gamma_k (x_k - c_k)^2."""
    radius = _radius(inputs, centres, 5.0 * gamma)
    return (1.0 + radius * (1.0 + radius / 3.0)) * (-radius).apply("Exp")


def _radius(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> Tensor:
    return _squared_distance(inputs, centres, gamma).apply("Sqrt")


def linear(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray, middle: np.ndarray) -> Tensor:
    """sum_k gamma_k (x_k - middle_k) (c_k - middle_k)."""
    return less(inputs, middle) @ (gamma * (centres - middle)).T


def polynomial(
    inputs: Tensor, centres: np.ndarray, gamma: np.ndarray, coef0: float, degree: int
) -> Tensor:
    """(sum_k gamma_k x_k c_k + coef0)^degree."""
    return (inputs @ (gamma * centres).T + float(coef0)) ** float(degree)


def sigmoid(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray, coef0: float) -> Tensor:
    """tanh(sum_k gamma_k x_k c_k + coef0)."""
    return (inputs @ (gamma * centres).T + float(coef0)).apply("Tanh")


def linear_spline(inputs: Tensor, centres: np.ndarray) -> Tensor:
    """prod_k [1 + xc + xc min(x, c) - (x + c)/2 min(x, c)^2 + min(x, c)^3 / 3]. [T01] (29)"""
    product: Tensor | None = None
    for k, c in enumerate(centres.T):
        x = inputs.take([k])
        least = x.at_most(c)
        square = least * least
        factor = 1.0 + x * c * (1.0 + least) - 0.5 * (x + c) * square + square * least / 3.0
        product = factor if product is None else product * factor
    assert product is not None, "there are no inputs"
    return product


def ones(inputs: Tensor, items: np.ndarray) -> Tensor:
    """A constant."""
    return inputs.repeat(np.ones(len(items)))


def take(inputs: Tensor, items: np.ndarray) -> Tensor:
    """The inputs with these numbers."""
    return inputs.take(items)


def given_kernel(inputs: Tensor, items: np.ndarray, variance: float) -> Tensor:
    """Kernel values that are given in place of inputs."""
    return inputs.take(items)


def products(inputs: Tensor, exponents: np.ndarray) -> Tensor:
    """prod_k x_k^power_k; each item holds the power of each input."""
    product: Tensor | None = None
    for k in np.flatnonzero(exponents.any(axis=0)):
        factor = inputs.take([k]) ** exponents[:, k].astype(np.float64)
        product = factor if product is None else product * factor
    return ones(inputs, exponents) if product is None else product


def _unit(inputs: Tensor, centres: np.ndarray, gamma: np.ndarray) -> float:
    return 1.0


def _linear_variance(
    inputs: Tensor, centres: np.ndarray, gamma: np.ndarray, middle: np.ndarray
) -> Tensor:
    centred = less(inputs, middle)
    return (centred * centred) @ gamma[:, None]


def _polynomial_variance(
    inputs: Tensor, centres: np.ndarray, gamma: np.ndarray, coef0: float, degree: int
) -> Tensor:
    return ((inputs * inputs) @ gamma[:, None] + float(coef0)) ** float(degree)


def _spline_variance(inputs: Tensor, centres: np.ndarray) -> Tensor:
    factors = 1.0 + inputs * inputs * (1.0 + inputs / 3.0)
    product = factors.take([0])
    for k in range(1, centres.shape[1]):
        product = product * factors.take([k])
    return product


def _given_variance(inputs: Tensor, items: np.ndarray, variance: float) -> float:
    return float(variance)


FORMS: dict[str, Form] = {
    "gaussian": Form(gaussian, _unit),
    "cauchy": Form(cauchy, _unit),
    "laplacian": Form(laplacian, _unit),
    "matern12": Form(matern12, _unit),
    "matern32": Form(matern32, _unit),
    "matern52": Form(matern52, _unit),
    "linear": Form(linear, _linear_variance),
    "polynomial": Form(polynomial, _polynomial_variance),
    "sigmoid": Form(sigmoid),
    "linear_spline": Form(linear_spline, _spline_variance),
    "precomputed": Form(given_kernel, _given_variance),
    "constant": Form(ones),
    "inputs": Form(take),
    "products": Form(products),
}


def evaluate(columns: PlainColumns, inputs: Tensor) -> Tensor:
    """The columns at inputs (n, m)."""
    return FORMS[columns.formula].values(inputs, columns.items, **columns.parameters)


def at_itself(columns: PlainColumns, inputs: Tensor) -> Tensor | float:
    """The value of a kernel at each of the inputs, with its centre there (n, 1), or one for all."""
    value = FORMS[columns.formula].at_itself
    assert value is not None, "the columns are no covariance"
    return value(inputs, columns.items, **columns.parameters)
