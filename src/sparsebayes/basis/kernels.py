"""Kernels of the inner product of input and centre, and others that are no function of distance."""

from __future__ import annotations

import numbers
from dataclasses import replace
from functools import partial

import numpy as np
from sklearn.base import clone

from sparsebayes.basis import formulas
from sparsebayes.basis._scale import (
    finite_number,
    input_variances,
    is_several,
    is_word,
    per_input,
    positive,
    squared_width,
)
from sparsebayes.basis.columns import Columns
from sparsebayes.basis.kernel import Kernel
from sparsebayes.basis.scaled import FreeScale, ScaledFormula


class ProductKernel(Kernel):
    """A kernel of gamma times the inner product of input and centre."""

    gamma: str | float

    def resolve_gamma(self, inputs, weight):
        """gamma as a number, or one for each input; where it is to be learned, its start."""
        if is_several(self.gamma):
            return per_input("gamma", self.gamma, inputs.shape[1])
        if is_word(self.gamma, "ard"):
            variances = input_variances(inputs, weight)
            whole = inputs.shape[1] * variances
            return np.divide(1.0, whole, out=np.zeros_like(whole), where=whole > 0.0)
        if is_word(self.gamma, "scale") or is_word(self.gamma, "learn"):
            return 1.0 / squared_width(inputs, weight)
        if is_word(self.gamma, "auto"):
            return 1.0 / inputs.shape[1]
        return positive("gamma", self.gamma, "'scale', 'auto', 'learn', 'ard', an array")

    def settled(self, columns) -> ProductKernel:
        """A copy with the gamma of these columns as a number, or as one for each input."""
        return clone(self).set_params(gamma=columns.formula.gamma)

    def free_scale(self, inputs, weight) -> FreeScale | None:
        """One scale for "learn", one for each input that varies for "ard"."""
        if is_word(self.gamma, "learn"):
            return FreeScale.of_all(self.resolve_gamma(inputs, weight))
        if is_word(self.gamma, "ard"):
            return FreeScale.of_each(self.resolve_gamma(inputs, weight))
        return None


class LinearKernel(Kernel):
    """x'c.

    Parameters
    ----------
    centres : see GaussianKernel
    """

    def __init__(self, centres="auto"):
        self.centres = centres

    @property
    def positive_definite(self) -> bool:
        """True."""
        return True

    def formula(self, inputs, weight):
        """`formulas.linear`."""
        return formulas.linear


class PolynomialKernel(ProductKernel):
    """(gamma x'c + coef0)^degree.

    Parameters
    ----------
    degree : int, default=3
    gamma : float, "scale", "auto", "learn", "ard" or array of shape (n_features,), default="scale"
        "scale": 1 / (n_features times the variance of the inputs); "auto": 1 / n_features; "learn":
        found from the targets; "ard": one for each input, found from the targets.
    coef0 : float, default=1.0
    centres : see GaussianKernel
    """

    def __init__(self, degree=3, gamma="scale", coef0=1.0, centres="auto"):
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.centres = centres

    @property
    def positive_definite(self) -> bool:
        """Whether coef0 is not negative."""
        return finite_number("coef0", self.coef0) >= 0.0

    def formula(self, inputs, weight):
        """`formulas.polynomial` with these parameters."""
        gamma, coef0 = self.resolve_gamma(inputs, weight), finite_number("coef0", self.coef0)
        if not isinstance(self.degree, numbers.Integral) or self.degree < 1:
            raise ValueError(f"degree must be an integer of 1 or more, got {self.degree!r}.")
        options = {"coef0": coef0, "degree": self.degree}
        return ScaledFormula(formulas.polynomial, formulas.polynomial_slope, gamma, 1.0, options)


class SigmoidKernel(ProductKernel):
    """tanh(gamma x'c + coef0).

    Parameters
    ----------
    gamma : see PolynomialKernel
    coef0 : float, default=0.0
    centres : see GaussianKernel
    """

    def __init__(self, gamma="scale", coef0=0.0, centres="auto"):
        self.gamma = gamma
        self.coef0 = coef0
        self.centres = centres

    def formula(self, inputs, weight):
        """`formulas.sigmoid` with these parameters."""
        gamma, coef0 = self.resolve_gamma(inputs, weight), finite_number("coef0", self.coef0)
        return ScaledFormula(formulas.sigmoid, formulas.sigmoid_slope, gamma, 1.0, {"coef0": coef0})


class LinearSplineKernel(Kernel):
    """The linear spline of [T01] (29), multiplied over the inputs. It has no parameters.

    Parameters
    ----------
    centres : see GaussianKernel
    """

    def __init__(self, centres="auto"):
        self.centres = centres

    @property
    def accepts_sparse(self) -> bool:
        """False: a product over inputs is not sparse."""
        return False

    def formula(self, inputs, weight):
        """`formulas.linear_spline`."""
        return formulas.linear_spline

    def bind(self, inputs, weight) -> Columns:
        """One column per centre. They are a covariance where no input is negative."""
        columns = super().bind(inputs, weight)
        return replace(columns, positive_definite=bool(np.all(columns.items >= 0.0)))


class CallableKernel(Kernel):
    """Any function of two arrays of rows.

    Parameters
    ----------
    function : callable
        `function(inputs, centres)` of shapes (n, n_features) and (m, n_features) gives (n, m).
    centres : see GaussianKernel
    """

    def __init__(self, function, centres="auto"):
        self.function = function
        self.centres = centres

    @property
    def accepts_sparse(self) -> bool:
        """False: what the function takes is not known."""
        return False

    def formula(self, inputs, weight):
        """The function, its result checked."""
        if not callable(self.function):
            raise ValueError(
                f"function of CallableKernel must be a function of (inputs, centres), "
                f"got {self.function!r}."
            )
        return partial(formulas.given, function=self.function)
