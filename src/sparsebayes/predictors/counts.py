"""Counts: Poisson, or negative binomial, with a mean whose logarithm is uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.likelihoods import NegativeBinomial, Poisson
from sparsebayes.likelihoods.tilting import log_integral
from sparsebayes.model.counts import MOST_LOG_MEAN, CountTargets
from sparsebayes.predictors.binary import QUADRATURE
from sparsebayes.predictors.predictor import Latent
from sparsebayes.predictors.weights import Random, Weights

# Logarithms beyond this, and standard deviations whose squares would not be numbers.
LARGEST_LOG, LARGEST_STD = 700.0, 1e150
# Counts from here on are drawn as Gaussian numbers; the generator takes no larger mean.
MOST_DRAWN = 1e15


@dataclass(frozen=True)
class CountResponse:
    """A count with the mean exp(log_mean + f) and the variance m + dispersion m^2.

    Parameters
    ----------
    log_mean : what is added to the latent value
    dispersion : 0 for Poisson counts
    """

    log_mean: float
    dispersion: float = 0.0

    @property
    def offset(self) -> float:
        """What is added to the latent value."""
        return self.log_mean

    def with_more_noise(self, variance: np.ndarray) -> CountResponse:
        """The same: counts have no noise but their own."""
        return self

    def plain(self, weights: Weights) -> CountTargets:
        """The same as plain arrays."""
        return self._plain

    @property
    def _plain(self) -> CountTargets:
        return CountTargets(self.log_mean, self.dispersion, QUADRATURE)

    def mean(self, latent: Latent) -> np.ndarray:
        """E exp(log_mean + f) (n, 1), for which the variance of f is needed."""
        return self.mean_and_std(latent)[0]

    def mean_and_std(self, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new counts, (n, 1) each."""
        return self._plain.moments(*latent.moments())

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """The least counts that are not exceeded with these probabilities (n, len(levels), 1)."""
        mean, variance = latent.moments()
        return self._plain.quantiles_at(mean[:, 0], variance[:, 0], levels)[:, :, None]

    def log_density(self, latent: Latent, target: np.ndarray) -> np.ndarray:
        """Log probability of new counts (n, 1), the latent value integrated out.

        Targets are counts (n, 1), or these and the logarithms of their exposures (n, 2).
        """
        mean, variance = latent.moments()
        counted = target[:, 0] if target.shape[1] == 1 else target
        return log_integral(self._likelihood, counted, mean[:, 0], variance[:, 0])[:, None]

    @property
    def _likelihood(self) -> Poisson | NegativeBinomial:
        if self.dispersion == 0.0:
            return Poisson(self.log_mean)
        return NegativeBinomial(self.dispersion, self.log_mean)

    def with_noise(self, latent_draws: np.ndarray, random: Random, inputs: Any) -> np.ndarray:
        """Draws of new counts (n, n_samples, 1) from draws of their latent values."""
        mean = np.exp(np.minimum(latent_draws + self.log_mean, MOST_LOG_MEAN))
        if self.dispersion > 0.0:
            size = 1.0 / self.dispersion
            mean = mean * random.gamma(size, self.dispersion, mean.shape)
        large = mean > MOST_DRAWN
        drawn = random.poisson(np.where(large, 1.0, mean)).astype(np.float64)
        rough = mean + np.sqrt(mean) * random.standard_normal(mean.shape) if large.any() else mean
        return np.where(large, np.floor(rough), drawn)

    def covariance(self, latent: Latent) -> np.ndarray:
        """Covariance of new counts (n, n, 1): m m' (exp(cov) - 1), and that of each on top."""
        mean, variance = latent.moments()
        log_mean, joint = self.log_mean + mean + 0.5 * variance, latent.joint_covariance(0)
        _, std = self._plain.moments(mean, variance)
        larger = log_mean + log_mean.T + np.maximum(joint, 0.0)
        found = -np.sign(joint) * np.expm1(-np.abs(joint)) * np.exp(np.minimum(larger, LARGEST_LOG))
        found.flat[:: len(found) + 1] = np.minimum(std[:, 0], LARGEST_STD) ** 2
        return found[:, :, None]
