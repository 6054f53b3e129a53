"""Kernels that are no function of a distance or an inner product: splines, functions, matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sparsebayes._parameters import is_word
from sparsebayes.basis.basis import Basis
from sparsebayes.basis.kernel import Kernel, distinct_rows
from sparsebayes.columns import Columns, Formula, Inputs, KernelTable

__all__ = ["CallableKernel", "LinearSplineKernel", "PrecomputedKernel"]


class LinearSplineKernel(Kernel):
    """The linear spline kernel, which has no width to choose.

    For an input x and a centre c it is the product over inputs of
    ``1 + x c + x c min(x, c) - (x + c) / 2 min(x, c)^2 + min(x, c)^3 / 3``; see equation (29) of
    Tipping (2001). It is a covariance where no input and no centre is negative.

    Parameters
    ----------
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.

    References
    ----------
    M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine, Journal of
    Machine Learning Research 1, 211-244.

    Examples
    --------
    >>> from sparsebayes import Bias, LinearSplineKernel, SparseBayesRegressor
    >>> from sparsebayes.datasets import noisy_sinc
    >>> basis = LinearSplineKernel() + Bias()
    >>> model = SparseBayesRegressor(basis).fit(*noisy_sinc(60, random_state=0))
    >>> len(model.relevance_) < 60
    True
    """

    keyword = "linear_spline"
    accepts_sparse = False  # a product over inputs is not sparse

    def __init__(self, centres: Any = "auto") -> None:
        self.centres = centres

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The formula "linear_spline"."""
        return Formula("linear_spline")

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per centre. They are a covariance where no input and no centre is negative."""
        columns = super().bind(inputs, weight)
        least = min(np.min(inputs, initial=0.0), np.min(columns.items, initial=0.0))
        return replace(columns, positive_definite=bool(least >= 0.0))


class CallableKernel(Kernel):
    """A kernel that is a function of yours.

    Parameters
    ----------
    function : callable
        ``function(inputs, centres)`` of shapes (n, n_features) and (m, n_features) returns (n, m).
        It gets copies, so it may write to them. It need not be positive definite.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.

    See Also
    --------
    GivenColumns : A function without centres.
    PrecomputedKernel : Kernel values instead of a function.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, CallableKernel, SparseBayesRegressor
    >>> def periodic(inputs, centres):
    ...     return np.exp(-2.0 * np.sin(np.pi * (inputs - centres.T)) ** 2)
    >>> X = np.linspace(0, 5, 80)[:, None]
    >>> y = np.sin(2 * np.pi * X[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 80)
    >>> model = SparseBayesRegressor(CallableKernel(periodic) + Bias()).fit(X, y)
    >>> bool(abs(model.predict([[100.25]])[0] - 1.0) < 0.1)
    True
    """

    accepts_sparse = False  # the function may not take such inputs

    def __init__(self, function: Callable[[Any, Any], Any], centres: Any = "auto") -> None:
        self.function = function
        self.centres = centres

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The formula "kernel_function", which calls the function and checks its result."""
        if not callable(self.function):
            raise ValueError(
                f"function of CallableKernel must be a function of (inputs, centres), "
                f"got {self.function!r}."
            )
        return Formula("kernel_function", function=self.function)


class PrecomputedKernel(Basis):
    """Kernel values in place of inputs, as ``kernel="precomputed"`` of SVR.

    X is then a matrix of kernel values with a column for each training row: square in `fit`, and
    (n_new, n_training) in `predict`.

    See Also
    --------
    CallableKernel : A function that computes the values.

    Examples
    --------
    >>> from sklearn.metrics.pairwise import rbf_kernel
    >>> from sparsebayes import Bias, PrecomputedKernel, SparseBayesRegressor
    >>> from sparsebayes.datasets import noisy_sinc
    >>> X, y = noisy_sinc(60, random_state=0)
    >>> model = SparseBayesRegressor(PrecomputedKernel() + Bias()).fit(rbf_kernel(X, gamma=0.1), y)
    >>> model.predict(rbf_kernel([[0.0], [1.0]], X, gamma=0.1)).shape
    (2,)
    """

    keyword = "precomputed"
    accepts_sparse = False
    precomputed = True

    @classmethod
    def from_svm_parameters(
        cls, gamma: Any, degree: Any, coef0: Any, centres: Any
    ) -> PrecomputedKernel:
        """The kernel, which has no parameters; an error where centres are asked for."""
        if centres is None or is_word(centres, "auto"):
            return cls()
        raise ValueError(
            'centres must be "auto" or None with kernel="precomputed", whose columns are '
            f"the centres; got {centres!r}."
        )

    def lacks_constant(self, inputs: Any) -> bool:
        """Whether no column is a constant: yes, as each has a centre."""
        return True

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per distinct training row of positive weight."""
        if inputs.shape[0] != inputs.shape[1]:
            raise ValueError(
                "a precomputed kernel must be a square matrix at fit, one row and one column per "
                f"training row; got shape {inputs.shape}."
            )
        rows = distinct_rows(inputs, weight)
        formula = Formula("precomputed", function=KernelTable(np.ascontiguousarray(inputs)))
        return Columns(formula, rows, rows, type(self).__name__.lower())
