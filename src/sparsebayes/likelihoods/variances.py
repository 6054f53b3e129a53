"""Squared errors, whose logarithmic expectation is the latent value."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sparsebayes.likelihoods.likelihood import (
    NONE_FREE,
    Likelihood,
    LikelihoodParameters,
    Quadratic,
)

# Log variances below this are taken for it: squared errors over them would overflow.
LEAST_LOG_VARIANCE = -600.0
# How far the mean log variance may go from that of the data.
REACH = 15.0


@dataclass(frozen=True)
class Variances(Likelihood):
    """p(e | f) = N(e | 0, exp(f)), for squared errors t = e^2, up to a constant.

    Squared errors may also be expected ones, given what is known of e.

    Parameters
    ----------
    log_mean : float or None
        What is added to the latent value; None to find it.
    limits : least and largest log variance that are thought possible, for predictions
    """

    log_mean: float | None = None
    limits: tuple[float, float] = (-300.0, 300.0)

    called = "variances"
    may_be_narrow = True
    noise_scale = 2.0**0.5
    needs_tuning = False

    @property
    def n_free(self) -> int:
        """The mean log variance, unless it is given."""
        return int(self.log_mean is None)

    def free(self, target: np.ndarray, weight: np.ndarray) -> LikelihoodParameters:
        """The mean log variance, unless it is given."""
        if not self.n_free:
            return NONE_FREE
        first = float(np.log(max(float(weight @ target) / weight.sum(), np.finfo(float).tiny)))
        return LikelihoodParameters(np.array([first]), np.array([[first - REACH, first + REACH]]))

    def at(self, parameters: np.ndarray) -> Variances:
        """With a mean log variance."""
        return self if self.log_mean is not None else replace(self, log_mean=float(parameters[0]))

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """-1/2 (g + t exp(-g)) - 1/2 log 2 pi, with g = f + log_mean."""
        assert self.log_mean is not None, "log_mean is to be found"
        log_variance = np.maximum(latent + self.log_mean, LEAST_LOG_VARIANCE)
        relative = target * np.exp(-log_variance)
        value = -0.5 * (log_variance + relative + np.log(2.0 * np.pi))
        return Quadratic(value, 0.5 * (relative - 1.0), 0.5 * relative)

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """Minus the curvature."""
        return -self.expand(target, latent).curvature
