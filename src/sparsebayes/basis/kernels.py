"""Kernels centred on rows."""

from __future__ import annotations

import numbers
from abc import abstractmethod
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes.basis import formulas
from sparsebayes.basis._scale import finite_number, is_word, positive, squared_width
from sparsebayes.basis.columns import Columns
from sparsebayes.basis.distinct import automatic_number, distinct_rows, spread
from sparsebayes.basis.sums import Basis


class Kernel(Basis):
    """A function of an input and a centre. No Mercer condition is asked for.

    The centres are the distinct training rows of positive weight, in an order that does not depend
    on the order of the rows; or as many of them as `centres` says, spread evenly in that order; or
    the points given as `centres`.
    """

    centres: Any

    @abstractmethod
    def formula(self, inputs, weight):
        """The kernel as a function of (inputs, centres), its parameters settled from the data."""

    def bind(self, inputs, weight) -> Columns:
        """One column per centre."""
        formula = self.formula(inputs, weight)
        label = partial(kernel_label, type(self).__name__)
        if not self._on_rows():
            centres = self._given_centres(inputs)
            return Columns(formula, centres, np.arange(centres.shape[0]), label)
        distinct = distinct_rows(inputs, weight)
        rows = spread(distinct, self._number_of_centres(len(distinct)))
        return Columns(formula, inputs[rows], rows, label)

    def _on_rows(self) -> bool:
        """Whether the centres are training rows, and not points that were given."""
        number = isinstance(self.centres, numbers.Integral) and not isinstance(self.centres, bool)
        return self.centres is None or is_word(self.centres, "auto") or number

    def _number_of_centres(self, n_rows: int) -> int:
        """How many of the distinct rows are centres at most."""
        if self.centres is None:
            return n_rows
        if is_word(self.centres, "auto"):
            return automatic_number(n_rows)
        if self.centres < 1:
            raise ValueError(f"centres, if a number, must be 1 or more, got {self.centres!r}.")
        return int(self.centres)

    def _given_centres(self, inputs):
        centres = self.centres
        if not issparse(centres):
            try:
                centres = np.asarray(centres, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    'centres must be "auto", None, a number or an array of points, '
                    f"got {centres!r}."
                ) from error
        elif not self.accepts_sparse:
            centres = centres.toarray()
        if not np.isfinite(centres.data if issparse(centres) else centres).all():
            raise ValueError(
                f"centres of {type(self).__name__} must be finite, got NaN or infinity."
            )
        if centres.ndim != 2 or centres.shape[1] != inputs.shape[1] or not centres.shape[0]:
            raise ValueError(
                f"centres of {type(self).__name__} must be an array of shape (n_centres, "
                f"{inputs.shape[1]}), as X has {inputs.shape[1]} features; got {centres.shape}."
            )
        return centres


def kernel_label(kind, centre, row, feature_names):
    """The name of a column centred on a row."""
    return f"{kind.lower()}({row})"


class RadialKernel(Kernel):
    """A kernel of the distance between input and centre, measured in widths."""

    def __init__(self, width="scale", centres="auto"):
        self.width = width
        self.centres = centres

    @abstractmethod
    def resolve_gamma(self, inputs, weight) -> float:
        """The factor of the distance in the formula, "scale" and "auto" settled from the inputs."""


class SquaredDistanceKernel(RadialKernel):
    """A kernel of the squared distance: gamma = 1 / width^2."""

    def resolve_gamma(self, inputs, weight) -> float:
        """1 / width^2."""
        if is_word(self.width, "scale"):
            return 1.0 / squared_width(inputs, weight)
        return (
            1.0 / inputs.shape[1]
            if is_word(self.width, "auto")
            else positive("width", self.width) ** -2
        )


class GaussianKernel(SquaredDistanceKernel):
    """exp(-||x - c||^2 / width^2). [T01] (30)

    Distances of sparse inputs are taken from inner products, so a large offset costs digits there.

    Parameters
    ----------
    width : float, "scale" or "auto", default="scale"
        "scale": width^2 is n_features times the variance of the inputs; "auto": n_features.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where the kernels stand: None is on all distinct training rows, a number on so many of
        them, an array on its points. "auto" is all of up to 4000 rows, of more 1000 to 2000. All
        rows count in the likelihood in any case.
    """

    def formula(self, inputs, weight):
        """`formulas.gaussian` at this width."""
        return partial(formulas.gaussian, gamma=self.resolve_gamma(inputs, weight))


class CauchyKernel(SquaredDistanceKernel):
    """1 / (1 + ||x - c||^2 / width^2).

    Parameters
    ----------
    width, centres : see GaussianKernel
    """

    def formula(self, inputs, weight):
        """`formulas.cauchy` at this width."""
        return partial(formulas.cauchy, gamma=self.resolve_gamma(inputs, weight))


class LaplacianKernel(RadialKernel):
    """exp(-sum_k |x_k - c_k| / width).

    Parameters
    ----------
    width : float, "scale" or "auto", default="scale"
        "scale": n_features times the standard deviation of the inputs; "auto": n_features.
    centres : see GaussianKernel
    """

    @property
    def accepts_sparse(self) -> bool:
        """False: it needs the distances input by input."""
        return False

    def resolve_gamma(self, inputs, weight) -> float:
        """1 / width."""
        n_features = inputs.shape[1]
        if is_word(self.width, "scale"):
            return 1.0 / np.sqrt(n_features * squared_width(inputs, weight))
        return 1.0 / (n_features if is_word(self.width, "auto") else positive("width", self.width))

    def formula(self, inputs, weight):
        """`formulas.laplacian` at this width."""
        return partial(formulas.laplacian, gamma=self.resolve_gamma(inputs, weight))


class LinearKernel(Kernel):
    """x'c.

    Parameters
    ----------
    centres : see GaussianKernel
    """

    def __init__(self, centres="auto"):
        self.centres = centres

    def formula(self, inputs, weight):
        """`formulas.linear`."""
        return formulas.linear


class PolynomialKernel(Kernel):
    """(gamma x'c + coef0)^degree.

    Parameters
    ----------
    degree : int, default=3
    gamma : float, "scale" or "auto", default="scale"
        "scale": 1 / (n_features times the variance of the inputs); "auto": 1 / n_features.
    coef0 : float, default=1.0
    centres : see GaussianKernel
    """

    def __init__(self, degree=3, gamma="scale", coef0=1.0, centres="auto"):
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.centres = centres

    def resolve_gamma(self, inputs, weight) -> float:
        """gamma as a number."""
        return _resolve_factor(self.gamma, inputs, weight)

    def formula(self, inputs, weight):
        """`formulas.polynomial` with these parameters."""
        gamma, coef0 = self.resolve_gamma(inputs, weight), finite_number("coef0", self.coef0)
        if not isinstance(self.degree, numbers.Integral) or self.degree < 1:
            raise ValueError(f"degree must be an integer of 1 or more, got {self.degree!r}.")
        return partial(formulas.polynomial, gamma=gamma, coef0=coef0, degree=self.degree)


class SigmoidKernel(Kernel):
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

    def resolve_gamma(self, inputs, weight) -> float:
        """gamma as a number."""
        return _resolve_factor(self.gamma, inputs, weight)

    def formula(self, inputs, weight):
        """`formulas.sigmoid` with these parameters."""
        gamma, coef0 = self.resolve_gamma(inputs, weight), finite_number("coef0", self.coef0)
        return partial(formulas.sigmoid, gamma=gamma, coef0=coef0)


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


def _resolve_factor(gamma, inputs, weight) -> float:
    """gamma, "scale" and "auto" settled from the inputs."""
    if is_word(gamma, "scale"):
        return 1.0 / squared_width(inputs, weight)
    return 1.0 / inputs.shape[1] if is_word(gamma, "auto") else positive("gamma", gamma)
