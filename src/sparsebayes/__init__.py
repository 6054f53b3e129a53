"""Sparse Bayesian learning: the relevance vector machine and its relatives."""

from sparsebayes.basis import *
from sparsebayes.basis import RECIPES
from sparsebayes.estimators import (
    RVC,
    RVR,
    EvidenceSearch,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from sparsebayes.hyperpriors import Gamma, student_t
from sparsebayes.inference import EM, Fast, Mackay, Outcome, Projection, Variational

__version__ = "0.1.0"

__all__ = [
    *RECIPES,
    "EM",
    "RVC",
    "RVR",
    "EvidenceSearch",
    "Fast",
    "Gamma",
    "Mackay",
    "Outcome",
    "Projection",
    "SparseBayesClassifier",
    "SparseBayesRegressor",
    "Variational",
    "student_t",
]
