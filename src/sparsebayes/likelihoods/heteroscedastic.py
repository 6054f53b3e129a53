"""Real targets with Gaussian noise whose variance depends on the inputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes._parameters import Tunable
from sparsebayes.likelihoods.gaussian import Gaussian
from sparsebayes.likelihoods.likelihood import Likelihood, Quadratic
from sparsebayes.likelihoods.noise import EstimatedNoise, Noise


@dataclass(repr=False)
class Heteroscedastic(Tunable, Likelihood):
    """Gaussian noise that varies with the inputs: log variance is a second sparse model.

    It has the same basis as the mean, with scales of its own. Where the evidence says that the
    noise is the same everywhere, it is.

    Examples
    --------
    >>> from sparsebayes import RVR, Heteroscedastic
    >>> RVR(likelihood=Heteroscedastic())
    RVR(likelihood=Heteroscedastic())
    """

    name = "heteroscedastic"
    called = "noise that varies"
    constant_curvature = True
    has_units = True
    varies = True

    def check(self) -> None:
        """Nothing: there are no parameters."""

    def centre(self, target: np.ndarray, weight: np.ndarray) -> float:
        """The mean."""
        return float(weight @ target / weight.sum())

    @property
    def noise(self) -> Noise:
        """Estimated."""
        return EstimatedNoise()

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """That of Gaussian noise, which a fit begins with."""
        return Gaussian().expand(target, latent)

    def log_normaliser(self, noise_precision: float) -> float:
        """That of Gaussian noise."""
        return Gaussian().log_normaliser(noise_precision)
