"""WHAT a model is made of: kernels centred on rows, plain columns, and sums of these.

A basis is a recipe that users tune. `bind(inputs, weight)` meets it with the training inputs and
gives `Columns`: the candidates, which can be evaluated on any inputs and cut down to the few that
are kept. `+` joins bases: `GaussianKernel(width=3.0) + Linear() + Bias()`.
"""

from sparsebayes.basis.columns import Columns, JoinedColumns
from sparsebayes.basis.kernels import (
    CallableKernel,
    LinearKernel,
    LinearSplineKernel,
    PolynomialKernel,
    SigmoidKernel,
)
from sparsebayes.basis.plain import Bias, GivenColumns, Linear, Polynomial
from sparsebayes.basis.precomputed import PrecomputedKernel
from sparsebayes.basis.radial import CauchyKernel, GaussianKernel, LaplacianKernel
from sparsebayes.basis.sums import Basis, Sum

__all__ = [
    "Basis",
    "Bias",
    "CallableKernel",
    "CauchyKernel",
    "Columns",
    "GaussianKernel",
    "GivenColumns",
    "JoinedColumns",
    "LaplacianKernel",
    "Linear",
    "LinearKernel",
    "LinearSplineKernel",
    "Polynomial",
    "PolynomialKernel",
    "PrecomputedKernel",
    "SigmoidKernel",
    "Sum",
]
