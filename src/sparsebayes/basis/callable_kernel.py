"""A kernel that is a function of the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sparsebayes.basis.kernel import Kernel
from sparsebayes.columns import Formula, Inputs

__all__ = ["CallableKernel"]


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
