"""Real targets: latent values with Gaussian noise, whose precision may be uncertain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sparsebayes.model.latent import Latent
from sparsebayes.model.mixtures import (
    RULE,
    gaussian_log_density,
    mixture_log_density,
    precision_nodes,
    quantiles_with_noise,
)
from sparsebayes.model.response import Response
from sparsebayes.model.special import ndtri
from sparsebayes.model.spread import Random


@dataclass(frozen=True)
class RealTargets(Response):
    """Each of k outputs is offset + f + noise, f its latent value.

    Parameters
    ----------
    offset : what is added to each output (k,): the mean of targets that were centred
    noise_std : standard deviation of the noise of each output (k,)
    noise_precisions, noise_shares : where the noise was inferred, of each output values of its
        precision (j,) and their probabilities (j,), over which quantiles integrate
    noise_gamma : shape and rate of the distribution that these values stand for (k, 2)
    """

    kind: ClassVar = "real"
    offset: np.ndarray
    noise_std: np.ndarray
    noise_precisions: tuple[np.ndarray, ...] | None = None
    noise_shares: tuple[np.ndarray, ...] | None = None
    noise_gamma: np.ndarray | None = None

    def with_more_noise(self, variance: np.ndarray) -> RealTargets:
        """The targets with this variance added to the noise of each output (k,)."""
        return replace(self, noise_std=np.sqrt(self.noise_std**2 + variance))

    def mean(self, latent: Latent) -> np.ndarray:
        """Mean of new targets (n, k). [T01] (21)"""
        return latent.mean + self.offset

    def noise_variance(self, latent: Latent) -> np.ndarray:
        """Variance of the noise (n, k)."""
        return np.broadcast_to(self.noise_std**2, (len(latent.design), len(self.noise_std)))

    def mean_and_std(self, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new targets, noise included, (n, k) each. [T01] (22)"""
        return self.mean(latent), np.sqrt(latent.variance + self.noise_std**2)

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """Quantiles of new targets, noise included (n, len(levels), k). [BT00] (35)"""
        mean, variance = self.mean(latent), latent.variance
        if self.noise_precisions is None or self.noise_shares is None:
            std = np.sqrt(variance + self.noise_std**2)
            return mean[:, None] + std[:, None] * ndtri(levels)[:, None]
        found = [
            quantiles_with_noise(mean[:, k], variance[:, k], nodes, levels)
            for k, nodes in enumerate(self._nodes())
        ]
        return np.stack(found, axis=-1)

    def with_noise(self, latent_draws: np.ndarray, random: Random, inputs: Any) -> np.ndarray:
        """Draws of new targets (n, n_samples, k) from draws of their latent values."""
        noise = random.standard_normal(latent_draws.shape)
        if self.noise_gamma is None:
            return latent_draws + self.offset + self.noise_std * noise
        for k, (shape, rate) in enumerate(self.noise_gamma):
            precision = random.gamma(shape, 1.0 / rate, latent_draws.shape[:2])
            noise[..., k] /= np.sqrt(np.maximum(precision, RULE.smallest))
        return latent_draws + self.offset + noise

    def log_density(self, latent: Latent, target: np.ndarray) -> np.ndarray:
        """Log density of new targets (n, k), latent values and noise precision integrated out."""
        error, variance = target - self.mean(latent), latent.variance
        if self.noise_gamma is None:
            return gaussian_log_density(error**2, variance + self.noise_std**2)
        found = [
            mixture_log_density(error[:, k], variance[:, k], nodes, *self.noise_gamma[k])
            for k, nodes in enumerate(self._nodes())
        ]
        return np.stack(found, axis=1)

    def covariance(self, latent: Latent) -> np.ndarray:
        """Covariance of new targets of each output, noise included (n, n, k)."""
        found = [latent.joint_covariance(k) for k in range(len(self.noise_std))]
        for each, noise_std in zip(found, self.noise_std, strict=True):
            np.einsum("nn->n", each)[:] += noise_std**2
        return np.stack(found, axis=-1)

    def _nodes(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Precisions of the noise and their shares, of each output."""
        return list(zip(self.noise_precisions or (), self.noise_shares or (), strict=True))

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return n_latents + sum(map(len, self.noise_precisions or ()))

    def check(self, n_latents: int, n_features: int) -> None:
        """An error unless all shapes go together."""
        if not self.offset.shape == self.noise_std.shape == (n_latents,):
            raise ValueError("offset and noise do not go with the outputs.")
        if not np.isfinite(self.offset).all() or not np.isfinite(self.noise_std).all():
            raise ValueError("offset and noise must be finite.")
        if (self.noise_precisions is None) != (self.noise_shares is None):
            raise ValueError("precisions of the noise have no shares.")
        if self.noise_precisions is not None:
            fine = all(_is_distribution(*pair) for pair in self._nodes())
            if len(self.noise_precisions) != n_latents or not fine:
                raise ValueError("precisions of the noise do not go with the outputs.")
        gamma = self.noise_gamma
        if gamma is not None and (gamma.shape != (n_latents, 2) or not (gamma > 0.0).all()):
            raise ValueError("the distribution of the noise does not go with the outputs.")


def uncertain_noise(offset: np.ndarray, noise_std: np.ndarray, gamma: np.ndarray) -> RealTargets:
    """Targets whose noise precisions have Gamma distributions of these shapes and rates (k, 2)."""
    precisions, shares = zip(*(precision_nodes(*each) for each in gamma), strict=True)
    return RealTargets(offset, noise_std, precisions, shares, gamma)


def _is_distribution(precision: np.ndarray, share: np.ndarray) -> bool:
    """Whether there are positive precisions, each with a share."""
    fine = precision.ndim == 1 and len(precision) > 0 and precision.shape == share.shape
    return fine and bool((precision > 0.0).all() and (share >= 0.0).all())
