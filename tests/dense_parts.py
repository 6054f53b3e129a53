"""Small data, kernels with free scales, and derivatives by differences, for dense models."""

from __future__ import annotations

import numpy as np
from sklearn.gaussian_process.kernels import RBF, DotProduct

from sparsebayes.basis import (
    Bias,
    CauchyKernel,
    EffectsKernel,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    LinearKernel,
    Matern32Kernel,
    PolynomialKernel,
    ProcessKernel,
    SigmoidKernel,
)
from sparsebayes.likelihoods import (
    Bernoulli,
    CumulativeLogit,
    Gaussian,
    NegativeBinomial,
    Poisson,
    StudentT,
    Variances,
)
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

N = 15
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N, 2))
Y = np.sin(2.0 * X[:, 0]) + 0.3 * RANDOM.normal(size=N)
Y2 = np.column_stack([Y, X[:, 1] ** 2])
CLASS = (Y > 0.2).astype(float)
HEAVY = Y + 3.0 * (np.arange(N) % 5 == 2)
COUNTS = RANDOM.poisson(np.exp(1.0 + Y)).astype(float)
EXPOSED = np.column_stack([COUNTS, np.linspace(-1.0, 1.0, N)])
RANKS = np.digitize(Y, [-0.5, 0.0, 0.5]).astype(float)
CLASS2 = np.column_stack([CLASS, 1.0 * (X[:, 1] > 0)])

BASES = {
    "gaussian": GaussianKernel(input_scale="learn") + Bias(),
    "width": GaussianKernel("learn") + Bias(),
    "cauchy": CauchyKernel(input_scale="learn") + Bias(),
    "laplacian": LaplacianKernel(input_scale="learn") + Bias(),
    "matern32": Matern32Kernel(input_scale="learn") + Bias(),
    "object of few centres": ProcessKernel(RBF([0.9, 1.2]) + DotProduct(), centres=X[:6]) + Bias(),
    "effects": EffectsKernel() + Bias(),
    "poly": PolynomialKernel(2, "ard") + Bias(),
    "poly not definite": PolynomialKernel(2, "ard", coef0=-0.5) + Bias(),
    "sigmoid": SigmoidKernel("ard") + Bias(),
    "several widths": GaussianKernel([1.0, 3.0], input_scale="learn") + Bias(),
    "few centres": GaussianKernel(input_scale="learn", centres=5),
    "given centres": GaussianKernel(input_scale="learn", centres=X[:4] + 0.1),
    "sum": GaussianKernel("learn")
    + Linear()
    + LinearKernel()
    + CauchyKernel(input_scale="learn")
    + Bias(),
}
TARGETS = {
    "gaussian": (Y, Gaussian()),
    "two targets": (Y2, Gaussian()),
    "fixed noise": (Y, Gaussian(0.3)),
    "bernoulli": (CLASS, Bernoulli()),
    "two classes each": (CLASS2, Bernoulli()),
}
# With parameters of their own.
OTHER_TARGETS = {
    "student-t": (HEAVY, StudentT()),
    "student-t of given freedom": (HEAVY, StudentT(df=3.0)),
    "poisson": (COUNTS, Poisson()),
    "exposures": (EXPOSED, Poisson()),
    "negative binomial": (COUNTS, NegativeBinomial()),
    "ordered": (RANKS, CumulativeLogit(4)),
    "variances": (Y**2, Variances()),
}


def row_weight(weighted, n=N):
    return np.arange(n) % 3 + 0.5 if weighted else np.ones(n)


def problem(basis, target, likelihood, weight=None, inputs=X, **options):
    """A problem of the columns of a basis."""
    weight = np.ones(len(target)) if weight is None else weight
    columns = basis.bind(inputs, weight)
    return Problem(Data(inputs, target, weight), columns, likelihood, **options)


def differences(function, point, step=1e-5):
    """Central differences of a number, in the shape of the point."""
    found = np.empty(np.shape(point))
    for i in np.ndindex(found.shape):
        unit = np.zeros(found.shape)
        unit[i] = step
        found[i] = (function(point + unit) - function(point - unit)) / (2.0 * step)
    return found


class CountingGaussian(Gaussian):
    """Counts how often a dense model was evaluated: each asks once how it is normalised."""

    def __init__(self):
        super().__init__()
        object.__setattr__(self, "count", [0])

    def log_normaliser(self, noise_precision):
        self.count[0] += 1
        return super().log_normaliser(noise_precision)
