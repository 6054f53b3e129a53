"""Real targets whose noise is a model of its own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import logsumexp

from sparsebayes.likelihoods import NODES, SHARES
from sparsebayes.model.varying import VaryingTargets
from sparsebayes.predictors.binary import QUADRATURE
from sparsebayes.predictors.gaussian import MixtureRule, gaussian_log_density, symmetric_quantiles
from sparsebayes.predictors.predictor import Latent, Predictor
from sparsebayes.predictors.weights import Random, Weights


@dataclass(frozen=True)
class VaryingResponse:
    """A target is offset + f + noise, and the log variance of the noise is log_mean + g.

    Both f and g are uncertain. The variance of the noise is the expected one,
    E exp(log_mean + g) = exp(log_mean + m + s^2 / 2).

    Parameters
    ----------
    noise : gives the latent value g
    n_features : how many inputs it has
    log_mean : what is added to it
    limits : least and largest log variance of the noise (2,)
    offset : what is added to the target
    more : variance that is added to that of the noise
    mixture_rule : how quantiles are found
    """

    noise: Predictor
    n_features: int
    log_mean: float
    limits: np.ndarray
    offset: np.ndarray | float = 0.0
    more: float = 0.0
    mixture_rule: MixtureRule = field(default=MixtureRule(), repr=False)

    def with_more_noise(self, variance: np.ndarray) -> VaryingResponse:
        """The same with this variance added to the noise (1,), and its model without covering."""
        noise = replace(self.noise, covering=None)
        return replace(self, noise=noise, more=self.more + float(variance[0]))

    def plain(self, weights: Weights) -> VaryingTargets:
        """The same as plain arrays."""
        plain = self.noise.plain_latent(self.n_features)
        offset = np.atleast_1d(np.asarray(self.offset, dtype=np.float64)).copy()
        return VaryingTargets(offset, plain, self.log_mean, self.limits, self.more, QUADRATURE)

    def mean(self, latent: Latent) -> np.ndarray:
        """Mean of new targets (n, 1)."""
        return latent.mean() + self.offset

    def noise_variance(self, inputs: Any) -> np.ndarray:
        """Expected variance of the noise (n, 1)."""
        mean, variance = self.noise.latent_moments(inputs)
        return self._in_units(mean + 0.5 * variance)

    def _in_units(self, latent: np.ndarray) -> np.ndarray:
        """Variances of the noise for values of g."""
        return np.exp(np.clip(self.log_mean + latent, *self.limits)) + self.more

    def mean_and_std(self, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new targets, noise included, (n, 1) each."""
        mean, variance = latent.moments()
        return mean + self.offset, np.sqrt(variance + self.noise_variance(latent.inputs))

    def _variances(self, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
        """Mean of new targets (n,), and their variance at nodes of the log variance (n, j)."""
        mean, variance = latent.moments()
        log_mean, log_spread = self.noise.latent_moments(latent.inputs)
        noise = self._in_units(log_mean + np.sqrt(log_spread) * NODES)
        return mean[:, 0] + self.offset, variance + noise

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """Quantiles of new targets, noise included (n, len(levels), 1)."""
        mean, variances = self._variances(latent)
        std = np.sqrt(variances)
        found = symmetric_quantiles(mean, lambda rows: std[rows], SHARES, levels, self.mixture_rule)
        return found[:, :, None]

    def log_density(self, latent: Latent, target: np.ndarray) -> np.ndarray:
        """Of new targets (n, 1), both latent values integrated out."""
        mean, variances = self._variances(latent)
        square = (target[:, [0]] - mean[:, None]) ** 2
        each = gaussian_log_density(square, variances)
        return logsumexp(each + np.log(SHARES), axis=1)[:, None]

    def with_noise(self, latent_draws: np.ndarray, random: Random, inputs: Any) -> np.ndarray:
        """Draws of new targets (n, n_samples, 1) from draws of their latent values."""
        log_variance = self.noise.sample_latent(inputs, latent_draws.shape[1], random)
        noise = np.sqrt(self._in_units(log_variance))
        return latent_draws + self.offset + noise * random.standard_normal(latent_draws.shape)

    def covariance(self, latent: Latent) -> np.ndarray:
        """Covariance of new targets, noise included (n, n, 1)."""
        found = latent.joint_covariance(0)
        np.einsum("nn->n", found)[:] += self.noise_variance(latent.inputs)[:, 0]
        return found[:, :, None]
