"""Kernels of the inner product of input and centre."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from sparsebayes._parameters import (
    finite_number,
    is_several,
    is_word,
    per_input,
    positive,
    whole_number,
)
from sparsebayes.basis.kernel import (
    SMALLEST_VARIANCE,
    Kernel,
    input_variances,
    mean_squares,
    squared_width,
)
from sparsebayes.columns import Columns, Formula, FreeScale, Inputs

__all__ = ["LinearKernel", "PolynomialKernel", "SigmoidKernel"]

SCALINGS = ("unit", "standard")


class ProductKernel(Kernel):
    """A kernel of gamma times the inner product of input and centre."""

    gamma: Any

    def resolve_gamma(self, inputs: Inputs, weight: np.ndarray) -> Any:
        """Gamma as a number, or one for each input; where it is to be learned, its start."""
        if is_several(self.gamma):
            return per_input("gamma", self.gamma, inputs.shape[1])
        if is_word(self.gamma, "ard"):
            variances = input_variances(inputs, weight)
            whole = np.count_nonzero(variances) * variances
            return np.divide(1.0, whole, out=np.zeros_like(whole), where=whole > 0.0)
        if is_word(self.gamma, "scale") or is_word(self.gamma, "learn"):
            return 1.0 / squared_width(inputs, weight)
        if is_word(self.gamma, "auto"):
            return 1.0 / inputs.shape[1]
        return positive("gamma", self.gamma, "'scale', 'auto', 'learn', 'ard', an array")

    def resolved(self, columns: Columns) -> ProductKernel:
        """A copy with the gamma of columns that it made: a number, or one for each input."""
        return clone(self).set_params(gamma=columns.formula.gamma)

    def free_scale(self, inputs: Inputs, weight: np.ndarray) -> FreeScale | None:
        """One scale for "learn", one for each input that varies for "ard"."""
        if is_word(self.gamma, "learn"):
            return FreeScale.of_all(self.resolve_gamma(inputs, weight))
        if is_word(self.gamma, "ard"):
            gamma = self.resolve_gamma(inputs, weight)
            return FreeScale.of_each(gamma, gamma)
        return None


class LinearKernel(Kernel):
    """The linear kernel: the inner product of input and centre.

    With `scaling`, inputs are scaled first.

    Parameters
    ----------
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.
    scaling : {None, "unit", "standard"}, default=None
        What is done to the inputs first. "unit" divides each by its root mean square, so that units
        do not matter. "standard" subtracts its mean and divides by its standard deviation.

    See Also
    --------
    Linear : The inputs as columns, of which the fit selects some.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, LinearKernel, SparseBayesRegressor
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(50, 3))
    >>> y = X @ [1.0, 2.0, 3.0] + random.normal(0, 0.1, 50)
    >>> basis = LinearKernel(scaling="standard") + Bias()
    >>> model = SparseBayesRegressor(basis, inference="projection").fit(X, y)
    >>> print(model.coef_.round(1))
    [1. 2. 3.]
    """

    keyword = "linear"
    positive_definite = True

    def __init__(self, centres: Any = "auto", scaling: str | None = None) -> None:
        self.centres = centres
        self.scaling = scaling

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The formula "linear", or "standard_linear"."""
        if self.scaling is None:
            return Formula("linear")
        if self.scaling not in SCALINGS:
            names = ", ".join(map(repr, SCALINGS))
            raise ValueError(f"scaling must be None or one of {names}, got {self.scaling!r}.")
        if self.scaling == "unit":
            middle = np.zeros(inputs.shape[1])
            square = mean_squares(inputs, weight)
        else:
            middle = weight @ inputs / weight.sum()
            square = input_variances(inputs, weight)
        gamma = np.divide(1.0, square, out=np.zeros_like(square), where=square > SMALLEST_VARIANCE)
        return Formula("standard_linear", gamma, {"middle": middle})


class PolynomialKernel(ProductKernel):
    """The polynomial kernel: a power of the inner product of input and centre.

    For an input x and a centre c it is ``(gamma x'c + coef0)^degree``.

    Parameters
    ----------
    degree : int, default=3
        The power.
    gamma : float, "scale", "auto", "learn", "ard" or array of shape (n_features,), default="scale"
        "scale": 1 / (n_features times the variance of the inputs). "auto": 1 / n_features. "learn":
        learned from the targets. "ard": one for each input, learned from the targets.
    coef0 : float, default=1.0
        The constant term. Without it, products of a lower degree are missing.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.

    See Also
    --------
    Polynomial : The products as columns, of which the fit selects some.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, PolynomialKernel, SparseBayesRegressor
    >>> X = np.linspace(-1, 1, 60)[:, None]
    >>> y = X[:, 0] ** 3 - X[:, 0] + np.random.default_rng(0).normal(0, 0.02, 60)
    >>> model = SparseBayesRegressor(PolynomialKernel(degree=3) + Bias()).fit(X, y)
    >>> model.score(X, y) > 0.9
    True
    """

    keyword = "poly"

    def __init__(
        self, degree: Any = 3, gamma: Any = "scale", coef0: Any = 1.0, centres: Any = "auto"
    ) -> None:
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.centres = centres

    @property
    def positive_definite(self) -> bool:
        """Whether the kernel is known to be a covariance: if coef0 is not negative."""
        return finite_number("coef0", self.coef0) >= 0.0

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The formula "polynomial", its parameters resolved from the data."""
        gamma, coef0 = self.resolve_gamma(inputs, weight), finite_number("coef0", self.coef0)
        degree = whole_number("degree", self.degree)
        return Formula("polynomial", gamma, {"coef0": coef0, "degree": degree})


class SigmoidKernel(ProductKernel):
    """The sigmoid kernel, which is no covariance.

    For an input x and a centre c it is ``tanh(gamma x'c + coef0)``.

    Parameters
    ----------
    gamma : float, "scale", "auto", "learn", "ard" or array of shape (n_features,), default="scale"
        The factor of the inner product; see `PolynomialKernel`.
    coef0 : float, default=0.0
        The constant term.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.

    See Also
    --------
    PolynomialKernel : Another kernel of the inner product.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, SigmoidKernel, SparseBayesRegressor
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = np.tanh(2 * X[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 60)
    >>> model = SparseBayesRegressor(SigmoidKernel() + Bias()).fit(X, y)
    >>> model.score(X, y) > 0.9
    True
    """

    keyword = "sigmoid"

    def __init__(self, gamma: Any = "scale", coef0: Any = 0.0, centres: Any = "auto") -> None:
        self.gamma = gamma
        self.coef0 = coef0
        self.centres = centres

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The formula "sigmoid", its parameters resolved from the data."""
        gamma, coef0 = self.resolve_gamma(inputs, weight), finite_number("coef0", self.coef0)
        return Formula("sigmoid", gamma, {"coef0": coef0})
