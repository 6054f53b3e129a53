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
    """The linear spline of [T01] (29), multiplied over the inputs. It has no parameters.

    Parameters
    ----------
    centres : see GaussianKernel
    """

    keyword = "linear_spline"

    def __init__(self, centres: Any = "auto") -> None:
        self.centres = centres

    @property
    def accepts_sparse(self) -> bool:
        """False: a product over inputs is not sparse."""
        return False

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The formula "linear_spline"."""
        return Formula("linear_spline")

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per centre. They are a covariance where no input and no centre is negative."""
        columns = super().bind(inputs, weight)
        least = min(np.min(inputs, initial=0.0), np.min(columns.items, initial=0.0))
        return replace(columns, positive_definite=bool(least >= 0.0))


class CallableKernel(Kernel):
    """Any function of two arrays of rows.

    Parameters
    ----------
    function : callable
        `function(inputs, centres)` of shapes (n, n_features) and (m, n_features) gives (n, m).
        It gets copies, so that it may write to them.
    centres : see GaussianKernel
    """

    def __init__(self, function: Callable[[Any, Any], Any], centres: Any = "auto") -> None:
        self.function = function
        self.centres = centres

    @property
    def accepts_sparse(self) -> bool:
        """False: what the function takes is not known."""
        return False

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The function, its result checked."""
        if not callable(self.function):
            raise ValueError(
                f"function of CallableKernel must be a function of (inputs, centres), "
                f"got {self.function!r}."
            )
        return Formula("kernel_function", function=self.function)


class PrecomputedKernel(Basis):
    """Kernel values in place of inputs: column j holds the kernel centred on training row j."""

    keyword = "precomputed"

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

    @property
    def accepts_sparse(self) -> bool:
        """False."""
        return False

    @property
    def precomputed(self) -> bool:
        """True."""
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
