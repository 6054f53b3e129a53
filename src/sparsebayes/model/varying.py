"""Real targets whose noise is a model of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from sparsebayes.model.latent import Latent, Plain
from sparsebayes.model.mixtures import gaussian_log_density, mixture_quantiles
from sparsebayes.model.predictor import Predictor
from sparsebayes.model.response import Quadrature, Response, usual_quadrature
from sparsebayes.model.special import log_sum
from sparsebayes.model.spread import Random

# Log variances are no larger, and no smaller than its negative.
MOST_LOG_VARIANCE = 700.0


@dataclass(frozen=True)
class VaryingTargets(Response):
    """A target is offset + f + noise, and the log variance of the noise is log_mean + g.

    Both f and g are uncertain. The variance of the noise is the expected one,
    E exp(log_mean + g) = exp(log_mean + m + s^2 / 2).

    Parameters
    ----------
    offset : what is added to the target (1,)
    noise : gives the latent value g
    log_mean : what is added to it
    limits : least and largest log variance of the noise (2,)
    more : variance that is added to that of the noise
    quadrature : nodes of g
    """

    kind: ClassVar = "varying"
    offset: np.ndarray
    noise: Plain
    log_mean: float
    limits: np.ndarray
    more: float
    quadrature: Quadrature = field(default_factory=usual_quadrature)

    def with_more_noise(self, variance: np.ndarray) -> VaryingTargets:
        """The targets with this variance added to the noise (1,), whose model has no covering."""
        noise = self.noise.without_covering()
        return replace(self, noise=noise, more=self.more + float(variance[0]))

    def of_plain(self, convert: Callable[[Plain], Plain]) -> VaryingTargets:
        """The targets with another form of the model of their noise."""
        return replace(self, noise=convert(self.noise))

    def mean(self, latent: Latent) -> np.ndarray:
        """Mean of new targets (n, 1)."""
        return latent.mean + self.offset

    def noise_variance(self, latent: Latent) -> np.ndarray:
        """Expected variance of the noise (n, 1)."""
        noise = self.noise.at(latent.inputs)
        return self._in_units(noise.mean + 0.5 * noise.variance)

    def _in_units(self, log_variance: np.ndarray) -> np.ndarray:
        """Variances of the noise for values of g."""
        return np.exp(np.clip(self.log_mean + log_variance, *self.limits)) + self.more

    def mean_and_std(self, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new targets, noise included, (n, 1) each."""
        return self.mean(latent), np.sqrt(latent.variance + self.noise_variance(latent))

    def _variances(self, latent: Latent) -> np.ndarray:
        """Variance of new targets at nodes of the log variance (n, j)."""
        noise = self.noise.at(latent.inputs)
        at_nodes = noise.mean + np.sqrt(noise.variance) * self.quadrature.nodes
        return latent.variance + self._in_units(at_nodes)

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """Quantiles of new targets, noise included (n, len(levels), 1)."""
        mean, std = self.mean(latent)[:, 0], np.sqrt(self._variances(latent))
        shares = self.quadrature.shares
        return mixture_quantiles(mean, lambda rows: std[rows], shares, levels)[:, :, None]

    def log_density(self, latent: Latent, target: np.ndarray) -> np.ndarray:
        """Log density of new targets (n, 1), both latent values integrated out."""
        square = (target[:, [0]] - self.mean(latent)) ** 2
        each = gaussian_log_density(square, self._variances(latent))
        return log_sum(each + np.log(self.quadrature.shares), axis=1)

    def with_noise(self, latent_draws: np.ndarray, random: Random, inputs: Any) -> np.ndarray:
        """Draws of new targets (n, n_samples, 1) from draws of their latent values."""
        noise = Predictor(self.noise, None)
        log_variance = noise.sample_latent(inputs, latent_draws.shape[1], random)
        std = np.sqrt(self._in_units(log_variance))
        return latent_draws + self.offset + std * random.standard_normal(latent_draws.shape)

    def covariance(self, latent: Latent) -> np.ndarray:
        """Covariance of new targets, noise included (n, n, 1)."""
        found = latent.joint_covariance(0)
        np.einsum("nn->n", found)[:] += self.noise_variance(latent)[:, 0]
        return found[:, :, None]

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return self.noise.width + len(self.quadrature.nodes)

    def check(self, n_latents: int, n_features: int) -> None:
        """An error unless all shapes go together."""
        self.quadrature.check()
        self.noise.check(n_features)
        if n_latents != 1 or self.offset.shape != (1,) or self.noise.weights.shape[1] != 1:
            raise ValueError("a target whose noise varies has one latent value, and its noise one.")
        if self.limits.shape != (2,) or not (np.abs(self.limits) <= MOST_LOG_VARIANCE).all():
            raise ValueError("limits must be two log variances.")
        numbers = isinstance(self.log_mean, float) and isinstance(self.more, float)
        finite = numbers and np.isfinite([self.log_mean, self.more]).all()
        if not finite or not np.isfinite(self.offset).all() or self.more < 0.0:
            raise ValueError("offset, log_mean and more must be finite, the last not negative.")
