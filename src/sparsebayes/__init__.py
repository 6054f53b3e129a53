"""Sparse Bayesian learning: the relevance vector machine and its relatives."""

from sparsebayes.basis import (
    Bias,
    CallableKernel,
    CauchyKernel,
    GaussianKernel,
    GivenColumns,
    LaplacianKernel,
    Linear,
    LinearKernel,
    LinearSplineKernel,
    Polynomial,
    PolynomialKernel,
    PrecomputedKernel,
    SigmoidKernel,
)
from sparsebayes.estimators import (
    RVC,
    RVR,
    EvidenceSearch,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from sparsebayes.hyperpriors import Gamma, student_t
from sparsebayes.inference import Outcome

__version__ = "0.1.0"

__all__ = [
    "RVC",
    "RVR",
    "Bias",
    "CallableKernel",
    "CauchyKernel",
    "EvidenceSearch",
    "Gamma",
    "GaussianKernel",
    "GivenColumns",
    "LaplacianKernel",
    "Linear",
    "LinearKernel",
    "LinearSplineKernel",
    "Outcome",
    "Polynomial",
    "PolynomialKernel",
    "PrecomputedKernel",
    "SigmoidKernel",
    "SparseBayesClassifier",
    "SparseBayesRegressor",
    "student_t",
]
