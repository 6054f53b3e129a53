"""A target of two classes, coded 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit, log_expit

from sparsebayes.likelihoods._quadratic import Quadratic


@dataclass(frozen=True)
class Bernoulli:
    """p(t = 1 | f) = 1 / (1 + exp(-f)). [T01] (23)"""

    constant_curvature: ClassVar[bool] = False
    fixed_noise_precision: ClassVar[float | None] = 1.0

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Taylor expansion of the log density at the latent value: Laplace's method. [T01] (25)"""
        probability = expit(latent)
        value = log_expit(np.where(target > 0.5, latent, -latent))
        return Quadratic(value, target - probability, probability * expit(-latent))

    def log_normaliser(self, noise_precision: float) -> float:
        """0: the density has no factor beyond its quadratic."""
        return 0.0

    def predictive_log_odds(self, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Log odds of t = 1 with the latent value N(mean, variance) integrated out.

        mean / sqrt(1 + pi variance / 8), MacKay's moderation (1992): the probability is within
        0.02 of the integral.
        """
        return mean / np.sqrt(1.0 + np.pi * variance / 8.0)
