"""A kernel that was computed beforehand."""

from __future__ import annotations

from functools import partial

from sparsebayes.basis import formulas
from sparsebayes.basis.columns import Columns
from sparsebayes.basis.distinct import distinct_rows
from sparsebayes.basis.kernel import kernel_label
from sparsebayes.basis.sums import Basis


class PrecomputedKernel(Basis):
    """Kernel values in place of inputs: column j holds the kernel centred on training row j."""

    @property
    def accepts_sparse(self) -> bool:
        """False."""
        return False

    @property
    def precomputed(self) -> bool:
        """True."""
        return True

    def bind(self, inputs, weight) -> Columns:
        """One column per distinct training row of positive weight."""
        if inputs.shape[0] != inputs.shape[1]:
            raise ValueError(
                "a precomputed kernel must be a square matrix at fit, one row and one column per "
                f"training row; got shape {inputs.shape}."
            )
        rows = distinct_rows(inputs, weight)
        return Columns(formulas.take, rows, rows, partial(kernel_label, "PrecomputedKernel"))
