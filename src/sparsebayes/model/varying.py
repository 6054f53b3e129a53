"""Real targets whose noise is a model of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sparsebayes.model.latent import Latent, Plain
from sparsebayes.model.responses import Quadrature, mixture_distance

# Log variances are no larger, and no smaller than its negative.
MOST_LOG_VARIANCE = 700.0


@dataclass(frozen=True)
class VaryingTargets:
    """A target is offset + f + noise, and the log variance of the noise is log_mean + g.

    Parameters
    ----------
    offset : (1,)
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
    quadrature: Quadrature

    def mean(self, latent: Latent) -> np.ndarray:
        """Mean of new targets (n, 1)."""
        return latent.mean + self.offset

    def std(self, latent: Latent) -> np.ndarray:
        """Their standard deviation, noise included (n, 1)."""
        return np.sqrt(latent.variance + self.noise_variance(self.noise.at(latent.inputs)))

    def noise_variance(self, noise: Latent) -> np.ndarray:
        """E exp(log_mean + g) = exp(log_mean + m + s^2 / 2), and what is added (n, 1)."""
        return self._in_units(noise.mean + 0.5 * noise.variance)

    def _in_units(self, latent: np.ndarray) -> np.ndarray:
        """Variances of the noise for values of g."""
        return np.exp(np.clip(self.log_mean + latent, *self.limits)) + self.more

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """Their quantiles (n, len(levels), 1)."""
        noise = self.noise.at(latent.inputs)
        nodes = noise.mean + np.sqrt(noise.variance) * self.quadrature.nodes
        variances = self._in_units(nodes)
        distance = mixture_distance(
            np.sqrt(latent.variance + variances), self.quadrature.shares, levels
        )
        return (self.mean(latent) + distance)[:, :, None]

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
