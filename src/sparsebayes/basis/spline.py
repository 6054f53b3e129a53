"""The spline kernel of [T01]."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from sparsebayes.basis.kernel import Kernel
from sparsebayes.columns import Columns, Formula, Inputs

__all__ = ["LinearSplineKernel"]


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
        """One column per centre. They are a covariance where no input is negative."""
        columns = super().bind(inputs, weight)
        return replace(columns, positive_definite=bool(np.all(columns.items >= 0.0)))
