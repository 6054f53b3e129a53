"""The scikit-learn face of the package."""

from sparsebayes.estimators._effects import InputEffects
from sparsebayes.estimators.classifier import SparseBayesClassifier
from sparsebayes.estimators.evidence_search import EvidenceSearch
from sparsebayes.estimators.regressor import SparseBayesRegressor
from sparsebayes.estimators.rvc import RVC
from sparsebayes.estimators.rvr import RVR

__all__ = [
    "RVC",
    "RVR",
    "EvidenceSearch",
    "InputEffects",
    "SparseBayesClassifier",
    "SparseBayesRegressor",
]
