"""Pictures of fitted models, after the manner of scikit-learn's displays."""

from sparsebayes.plots.coefficients import CoefficientDisplay
from sparsebayes.plots.effects import EffectsDisplay
from sparsebayes.plots.input_relevance import InputRelevanceDisplay
from sparsebayes.plots.predictions import PredictiveBandDisplay, ProbabilityDisplay

__all__ = [
    "CoefficientDisplay",
    "EffectsDisplay",
    "InputRelevanceDisplay",
    "PredictiveBandDisplay",
    "ProbabilityDisplay",
]
