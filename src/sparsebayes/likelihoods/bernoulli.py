"""A target of two classes, coded 0 and 1, or the probability of 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from sparsebayes.likelihoods.likelihood import Likelihood, Quadratic


@dataclass(frozen=True)
class Bernoulli(Likelihood):
    """p(t = 1 | f) = 1 / (1 + exp(-f)). [T01] (23)"""

    called = "two classes"
    has_bound = True

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Taylor expansion of the log density at the latent value: Laplace's method. [T01] (25)"""
        probability = expit(latent)
        # t log y + (1 - t) log(1 - y), with log(1 - y) = log y - f; what is added is 0 at t = 0, 1.
        value = log_expit(np.where(target > 0.5, latent, -latent))
        value += (target - (target > 0.5)) * latent
        return Quadratic(value, target - probability, probability * expit(-latent))

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """y (1 - y) (1 - 2y), y the probability of 1."""
        return expit(latent) * expit(-latent) * -np.tanh(0.5 * latent)

    def bound(self, target: np.ndarray, latent: np.ndarray, tangent: np.ndarray) -> Quadratic:
        """Jaakkola and Jordan's lower bound, about `latent`; equal at f = +-tangent. [BT00] (50)

        log sigmoid(xi) + (z - xi) / 2 - lambda (z^2 - xi^2),  z = (2t - 1) f,  lambda =
        tanh(xi / 2) / (4 xi)
        """
        curvature = 2.0 * half_slope(tangent)
        value = log_expit(tangent) + (target - 0.5) * latent - 0.5 * tangent
        value -= 0.5 * curvature * (latent**2 - tangent**2)
        return Quadratic(value, target - 0.5 - curvature * latent, curvature)


def half_slope(tangent: np.ndarray) -> np.ndarray:
    """lambda(xi) = tanh(xi / 2) / (4 xi), which is 1/8 at 0."""
    near_zero = np.abs(tangent) < 1e-4
    xi = np.where(near_zero, 1.0, tangent)
    return np.where(near_zero, 0.125 - tangent**2 / 96.0, np.tanh(0.5 * xi) / (4.0 * xi))
