"""A real target with Gaussian noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods.likelihood import Likelihood
from sparsebayes.likelihoods.noise import EstimatedNoise, FixedNoise, Noise
from sparsebayes.likelihoods.quadratic import Quadratic


@dataclass(frozen=True)
class Gaussian(Likelihood):
    """p(t | f) = N(t | f, 1 / noise_precision). [T01] (4)

    Parameters
    ----------
    noise_std : float or None
        The standard deviation of the noise; None to estimate it.
    """

    noise_std: float | None = None

    called = "one output with Gaussian noise"
    constant_curvature = True
    has_bound = True
    has_expectation = True
    has_units = True

    @property
    def noise(self) -> Noise:
        """Estimated, unless it is given."""
        return EstimatedNoise() if self.noise_std is None else FixedNoise(self.noise_std**-2)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The log density, up to its normaliser, at unit noise precision; exact."""
        residual = target - latent
        return Quadratic(-0.5 * residual**2, residual, np.ones_like(residual))

    def expected(self, latent: np.ndarray) -> np.ndarray:
        """The mean of the target: f."""
        return latent

    def with_noise(self, noise_precision: float) -> Gaussian:
        """The same with the noise given."""
        return Gaussian(noise_precision**-0.5)

    def log_normaliser(self, noise_precision: float) -> float:
        """1/2 log(noise_precision / 2 pi), per row."""
        return 0.5 * float(np.log(noise_precision / (2.0 * np.pi)))
