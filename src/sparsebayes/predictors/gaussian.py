"""Real targets: latent values with Gaussian noise."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sparsebayes.hyperpriors import Gamma
from sparsebayes.predictors.latent import Latent
from sparsebayes.predictors.quantiles import MixtureRule, gaussian_quantiles, mixture_quantiles
from sparsebayes.predictors.weights import Random


@dataclass(frozen=True)
class GaussianResponse:
    """Each of k outputs is offset + f + noise, f its latent value.

    Parameters
    ----------
    noise_std : standard deviation of the noise of each output (k,)
    noise_posterior : of each output the distribution of its noise precision, where that was
        inferred; quantiles then integrate over it
    offset : what is added to each output (k,), or to all: the mean of targets that were centred
    mixture_rule : how quantiles integrate over the noise precision
    """

    noise_std: np.ndarray
    noise_posterior: tuple[Gamma, ...] | None = None
    offset: np.ndarray | float = 0.0
    mixture_rule: MixtureRule = field(default=MixtureRule(), repr=False)

    def mean(self, latent: Latent) -> np.ndarray:
        """Mean of new targets (n, k). [T01] (21)"""
        return latent.mean() + self.offset

    def mean_and_std(self, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new targets, noise included, (n, k) each. [T01] (22)"""
        mean, variance = latent.moments()
        return mean + self.offset, np.sqrt(variance + self.noise_std**2)

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """Quantiles of new targets, noise included (n, len(levels), k)."""
        mean, variance = latent.moments()
        mean = mean + self.offset
        outputs = [
            self._quantiles_of(k, mean[:, k], variance[:, k], levels) for k in range(mean.shape[1])
        ]
        return np.stack(outputs, axis=-1)

    def _quantiles_of(
        self, k: int, mean: np.ndarray, variance: np.ndarray, levels: np.ndarray
    ) -> np.ndarray:
        if self.noise_posterior is None:
            return gaussian_quantiles(mean, np.sqrt(variance + self.noise_std[k] ** 2), levels)
        noise = self.noise_posterior[k]
        return mixture_quantiles(mean, variance, noise, levels, self.mixture_rule)

    def with_noise(self, latent_draws: np.ndarray, random: Random) -> np.ndarray:
        """Draws of new targets (n, n_samples, k) from draws of their latent values."""
        noise = self.noise_std * random.standard_normal(latent_draws.shape)
        return latent_draws + self.offset + noise

    def covariance(self, latent: Latent) -> np.ndarray:
        """Covariance of new targets of each output, noise included (n, n, k)."""
        n_rows = len(latent.design)
        result = np.empty((n_rows, n_rows, len(self.noise_std)))
        for k, noise_std in enumerate(self.noise_std):
            result[..., k] = latent.joint_covariance(k)
            np.einsum("nn->n", result[..., k])[:] += noise_std**2
        return result
