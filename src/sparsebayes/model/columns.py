"""Columns of a plain model: formulas by name, with the arrays that they take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparsebayes.model.effects import N_KNOTS, effects, effects_itself

# Parameters with a number for each input.
OF_INPUTS = ("gamma", "middle", "size")
# Whole numbers of a larger size are none that NumPy raises to.
MOST_DEGREE = 2**31


@dataclass(frozen=True)
class PlainFormula:
    """What a name stands for.

    Parameters
    ----------
    values : (inputs (n, d), items, **parameters) -> (n, m)
    parameters : the names of what else it takes
    at_itself : (inputs, **parameters) -> value of a kernel at its own centre (n,); None for columns
        that are no covariance
    on_points : whether items have a number for each input (m, d); else they are numbers of inputs
        (m,)
    has_centres : whether items are points of the input space
    """

    values: Callable[..., np.ndarray]
    parameters: tuple[str, ...] = ()
    at_itself: Callable[..., np.ndarray] | None = None
    on_points: bool = True
    has_centres: bool = True


def _summed(
    term: Callable[[np.ndarray, np.ndarray], np.ndarray],
    inputs: np.ndarray,
    centres: np.ndarray,
    gamma: np.ndarray,
) -> np.ndarray:
    """sum_k gamma_k term(x_k, c_k) (n, m), one input after the other, without those of gamma 0."""
    total = np.zeros((len(inputs), len(centres)))
    for k in np.flatnonzero(gamma):
        total += gamma[k] * term(inputs[:, k, None], centres[:, k])
    return total


def _squared_distance(inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    return _summed(lambda x, c: (x - c) ** 2, inputs, centres, gamma)


def gaussian(inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """exp(-sum_k gamma_k (x_k - c_k)^2)."""
    return np.exp(-_squared_distance(inputs, centres, gamma))


def cauchy(inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """1 / (1 + sum_k gamma_k (x_k - c_k)^2)."""
    return 1.0 / (1.0 + _squared_distance(inputs, centres, gamma))


def laplacian(inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """exp(-sum_k gamma_k |x_k - c_k|)."""
    return np.exp(-_summed(lambda x, c: np.abs(x - c), inputs, centres, gamma))


def matern12(inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """exp(-r), r^2 = sum_k gamma_k (x_k - c_k)^2."""
    return np.exp(-np.sqrt(_squared_distance(inputs, centres, gamma)))


def matern32(inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """(1 + r) exp(-r), r^2 = 3 sum_k gamma_k (x_k - c_k)^2."""
    radius = np.sqrt(3.0 * _squared_distance(inputs, centres, gamma))
    return (1.0 + radius) * np.exp(-radius)


def matern52(inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """(1 + r + r^2 / 3) exp(-r), r^2 = 5 sum_k gamma_k (x_k - c_k)^2."""
    radius = np.sqrt(5.0 * _squared_distance(inputs, centres, gamma))
    return (1.0 + radius * (1.0 + radius / 3.0)) * np.exp(-radius)


def periodic(
    inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, depth: float
) -> np.ndarray:
    """exp(-depth sin(pi r)^2), r^2 = sum_k gamma_k (x_k - c_k)^2."""
    return np.exp(-depth * np.sin(np.pi * np.sqrt(_squared_distance(inputs, centres, gamma))) ** 2)


def linear(
    inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, middle: np.ndarray
) -> np.ndarray:
    """sum_k gamma_k (x_k - middle_k) (c_k - middle_k)."""
    return (inputs - middle) @ (gamma * (centres - middle)).T


def polynomial(
    inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, coef0: float, degree: int
) -> np.ndarray:
    """(sum_k gamma_k x_k c_k + coef0)^degree."""
    return (inputs @ (gamma * centres).T + coef0) ** degree


def sigmoid(inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, coef0: float) -> np.ndarray:
    """tanh(sum_k gamma_k x_k c_k + coef0)."""
    return np.tanh(inputs @ (gamma * centres).T + coef0)


def linear_spline(inputs: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """prod_k [1 + xc + xc min(x, c) - (x + c)/2 min(x, c)^2 + min(x, c)^3 / 3]. [T01] (29)"""
    product = np.ones((len(inputs), len(centres)))
    for x, c in zip(inputs.T[:, :, None], centres.T[:, None, :], strict=True):
        least = np.minimum(x, c)
        product *= 1.0 + x * c * (1.0 + least) - 0.5 * (x + c) * least**2 + least**3 / 3.0
    return product


def ones(inputs: np.ndarray, items: np.ndarray) -> np.ndarray:
    """A constant."""
    return np.ones((len(inputs), len(items)))


def take(inputs: np.ndarray, items: np.ndarray) -> np.ndarray:
    """The inputs with these numbers."""
    return inputs[:, items]


def given_kernel(inputs: np.ndarray, items: np.ndarray, variance: float) -> np.ndarray:
    """Kernel values that are given in place of inputs."""
    return inputs[:, items]


def products(inputs: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    """prod_k x_k^power_k; each item holds the power of each input."""
    return np.stack([np.prod(inputs**powers, axis=1) for powers in exponents], axis=1)


def _unit(inputs: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    return np.ones(len(inputs))


def _periodic_variance(inputs: np.ndarray, gamma: np.ndarray, depth: float) -> np.ndarray:
    return np.ones(len(inputs))


def _linear_variance(inputs: np.ndarray, gamma: np.ndarray, middle: np.ndarray) -> np.ndarray:
    return (inputs - middle) ** 2 @ gamma


def _polynomial_variance(
    inputs: np.ndarray, gamma: np.ndarray, coef0: float, degree: int
) -> np.ndarray:
    return (inputs**2 @ gamma + coef0) ** degree


def _spline_variance(inputs: np.ndarray) -> np.ndarray:
    return np.prod(1.0 + inputs**2 + inputs**3 / 3.0, axis=1)


def _given_variance(inputs: np.ndarray, variance: float) -> np.ndarray:
    return np.full(len(inputs), variance)


FORMULAS: dict[str, PlainFormula] = {
    "gaussian": PlainFormula(gaussian, ("gamma",), _unit),
    "cauchy": PlainFormula(cauchy, ("gamma",), _unit),
    "laplacian": PlainFormula(laplacian, ("gamma",), _unit),
    "matern12": PlainFormula(matern12, ("gamma",), _unit),
    "matern32": PlainFormula(matern32, ("gamma",), _unit),
    "matern52": PlainFormula(matern52, ("gamma",), _unit),
    "periodic": PlainFormula(periodic, ("gamma", "depth"), _periodic_variance),
    "effects": PlainFormula(
        effects, ("gamma", "size", "orders", "knots", "shares"), effects_itself
    ),
    "linear": PlainFormula(linear, ("gamma", "middle"), _linear_variance),
    "polynomial": PlainFormula(polynomial, ("gamma", "coef0", "degree"), _polynomial_variance),
    "sigmoid": PlainFormula(sigmoid, ("gamma", "coef0")),
    "linear_spline": PlainFormula(linear_spline, (), _spline_variance),
    "precomputed": PlainFormula(given_kernel, ("variance",), _given_variance, False, False),
    "constant": PlainFormula(ones, on_points=False, has_centres=False),
    "inputs": PlainFormula(take, on_points=False, has_centres=False),
    "products": PlainFormula(products, has_centres=False),
}


def shape_of(name: str, n_features: int) -> tuple[int, ...]:
    """The shape that the parameter of a formula has."""
    if name in ("knots", "shares"):
        return (n_features, N_KNOTS)
    return {"orders": (3,)}.get(name, (n_features,) if name in OF_INPUTS else ())


@dataclass(frozen=True)
class PlainColumns:
    """Columns of one formula.

    Parameters
    ----------
    formula : a key of `FORMULAS`
    items : what tells columns apart: centres (m, d), powers of each input (m, d), or numbers of
        inputs (m,)
    parameters : what the formula takes besides: "gamma", "middle" and "size" (d,),
        "knots" and "shares" (d, N_KNOTS), "orders" (3,), "coef0", "degree", "variance", "depth"
    """

    formula: str
    items: np.ndarray
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.formula not in FORMULAS:
            raise ValueError(f"there is no formula {self.formula!r}.")
        if set(self.parameters) != set(self.definition.parameters):
            expected = ", ".join(self.definition.parameters) or "no parameters"
            raise ValueError(f"{self.formula!r} takes {expected}; got {list(self.parameters)}.")
        if self.items.ndim != (2 if self.definition.on_points else 1):
            raise ValueError(f"items of {self.formula!r} have {self.items.ndim} axes.")

    @property
    def definition(self) -> PlainFormula:
        """What the formula is."""
        return FORMULAS[self.formula]

    @property
    def has_centres(self) -> bool:
        """Whether items are points of the input space."""
        return self.definition.has_centres

    @property
    def n_columns(self) -> int:
        """How many there are."""
        return len(self.items)

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """The columns at inputs (n, m)."""
        return self.definition.values(inputs, self.items, **self.parameters)

    @property
    def positive_definite(self) -> bool:
        """Whether the formula is a covariance, which may be whitened."""
        return self.definition.at_itself is not None

    @property
    def looked_up(self) -> bool:
        """Whether values between new inputs are not known, as with a precomputed kernel."""
        return self.formula == "precomputed"

    def between(self, inputs: np.ndarray, others: np.ndarray) -> np.ndarray:
        """The values of a kernel between inputs (n_inputs, n_others)."""
        return self.definition.values(inputs, others, **self.parameters)

    def variance(self, inputs: np.ndarray) -> np.ndarray:
        """The value of a kernel at each of the inputs, with its centre there (n,)."""
        assert self.definition.at_itself is not None, "the columns are no covariance"
        return self.definition.at_itself(inputs, **self.parameters)

    def check(self, n_features: int) -> None:
        """An error unless the columns go with so many inputs."""
        for name, value in self.parameters.items():
            shape = shape_of(name, n_features)
            kind = int if name == "degree" else np.ndarray if shape else float
            if not isinstance(value, kind) or np.shape(value) != shape:
                raise ValueError(f"{name} must be of type {kind.__name__} and shape {shape}.")
            if isinstance(value, int) and not abs(value) < MOST_DEGREE:
                raise ValueError(f"{name} must be below {MOST_DEGREE}.")
            if not np.all(np.isfinite(value)):
                raise ValueError(f"{name} must be finite.")
        if not np.isfinite(self.items).all():
            raise ValueError("items must be finite.")
        if self.definition.on_points:
            if self.items.shape[1] != n_features:
                raise ValueError(f"items have {self.items.shape[1]} inputs, not {n_features}.")
        elif self.formula != "constant":
            inside = (self.items >= 0) & (self.items < n_features)
            if self.items.dtype.kind != "i" or not inside.all():
                raise ValueError(f"items must be numbers of inputs, 0 to {n_features - 1}.")


def n_columns(columns: tuple[PlainColumns, ...]) -> int:
    """How many columns there are in all."""
    return sum(each.n_columns for each in columns)
