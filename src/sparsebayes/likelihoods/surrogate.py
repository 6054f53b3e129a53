"""Quadratics of constant curvature that take the place of a likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods.layout import Layout
from sparsebayes.likelihoods.likelihood import Likelihood, Quadratic
from sparsebayes.likelihoods.noise import Noise


@dataclass(frozen=True)
class Surrogate(Likelihood):
    """A quadratic in place of `likelihood`, with the same layout, noise and normaliser."""

    likelihood: Likelihood

    constant_curvature = True

    @property
    def layout(self) -> Layout:
        """What the likelihood that it stands for has."""
        return self.likelihood.layout

    @property
    def noise(self) -> Noise:
        """What the likelihood that it stands for has."""
        return self.likelihood.noise

    def log_normaliser(self, noise_precision: float) -> float:
        """What the likelihood that it stands for has."""
        return self.likelihood.log_normaliser(noise_precision)


@dataclass(frozen=True)
class Frozen(Surrogate):
    """log p(t | f) ~ value + slope f - 1/2 curvature f^2, taken at f = 0 and kept.

    With the curvature constant, inner products are computed once, so the first steps of an
    inference are cheap. For the Bernoulli it is least squares on the labels.
    """

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The quadratic at zero, about `latent`."""
        value, slope, curvature = self.likelihood.expand(target, np.zeros_like(latent))
        bent = self.layout.bend(curvature, latent)
        change = self.layout.inner(latent, slope - 0.5 * bent)
        return Quadratic(value + change, slope - bent, curvature)


@dataclass(frozen=True)
class Bounded(Surrogate):
    """log p(t | f) >= value + slope (f - f0) - 1/2 curvature (f - f0)^2, equal at f = +-tangent.

    The target of a row is the pair (t, tangent). While tangents stay, so does the curvature.
    """

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The bound about `latent`."""
        return self.likelihood.bound(target[:, 0], latent, target[:, 1])
