"""A real target with Gaussian noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods._likelihood import Likelihood
from sparsebayes.likelihoods._quadratic import Quadratic


@dataclass(frozen=True)
class Gaussian(Likelihood):
    """p(t | f) = N(t | f, 1 / noise_precision). [T01] (4)

    Parameters
    ----------
    noise_std : float or None
        The standard deviation of the noise; None to estimate it.
    """

    noise_std: float | None = None

    constant_curvature = True

    @property
    def fixed_noise_precision(self) -> float | None:
        """The noise precision where it is not to be estimated."""
        return None if self.noise_std is None else self.noise_std**-2

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
