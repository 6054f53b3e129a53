"""A kernel that was computed beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes._parameters import is_word
from sparsebayes.basis.basis import Basis
from sparsebayes.basis.centres import distinct_rows
from sparsebayes.columns import Columns, Formula, Inputs

__all__ = ["PrecomputedKernel"]


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
        return Columns(Formula("precomputed"), rows, rows, type(self).__name__.lower())
