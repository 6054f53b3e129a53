"""What every likelihood says of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from sparsebayes.likelihoods.layout import Layout, OneLatent
from sparsebayes.likelihoods.noise import FixedNoise, Noise
from sparsebayes.likelihoods.quadratic import Quadratic


class Likelihood(ABC):
    """The density of a target given the latent values of its row.

    Attributes
    ----------
    called : what it is called in a message
    instead : what a user can ask for instead, where an inference cannot use it
    layout : how weights make its latent values
    noise : what is known of its noise
    constant_curvature : whether the curvature does not depend on the latent value; inner products
        are then computed once
    exact_curvature : whether `expand` gives the curvature itself; if not, `curvature_product`
        gives products with it
    has_bound : whether `bound` gives a lower bound, or the quadratic is exact
    has_expectation : whether `expected` and `with_noise` are there
    has_units : whether latent values are in the units of the target
    """

    called: str = "this likelihood"
    instead: str = 'inference="fast"'
    layout: Layout = OneLatent()
    noise: Noise = FixedNoise()
    constant_curvature: bool = False
    exact_curvature: bool = True
    has_bound: bool = False
    has_expectation: bool = False
    has_units: bool = False

    @abstractmethod
    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The quadratic at the latent values."""

    def bound(self, target: np.ndarray, latent: np.ndarray, tangent: np.ndarray) -> Quadratic:
        """A quadratic about `latent` that is nowhere above the log density, if `has_bound`."""
        raise NotImplementedError(f"{type(self).__name__} has no bound.")

    def curvature_product(self, latent: np.ndarray, direction: np.ndarray) -> np.ndarray:
        """The curvature of each row times a direction, unless `exact_curvature`."""
        raise NotImplementedError(f"{type(self).__name__} has its curvature in `expand`.")

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """Derivative of the curvature for the latent value (n_samples,)."""
        return np.zeros_like(latent)

    def log_normaliser(self, noise_precision: float) -> float:
        """What the quadratic leaves out, per row."""
        return 0.0

    def expected(self, latent: np.ndarray) -> np.ndarray:
        """The mean of the target, if `has_expectation`."""
        raise NotImplementedError(f"{type(self).__name__} has no expectation as a target.")

    def with_noise(self, noise_precision: float) -> Likelihood:
        """The same likelihood with its noise given, if `has_expectation`."""
        raise NotImplementedError(f"{type(self).__name__} has no expectation as a target.")

    def latent_weights(self, mean: np.ndarray) -> np.ndarray:
        """Weights for the latent values that predictions are made of, from those of the fit."""
        return mean

    def between(self, output_precision: Any) -> np.ndarray:
        """Covariance between these latent values, for columns with a unit of variance (k, k)."""
        return np.diag(1.0 / np.atleast_1d(output_precision))

    def one_by_one(self, target: np.ndarray) -> tuple[np.ndarray, Likelihood]:
        """Targets with one latent value each (k, n), and their likelihood.

        Scales are learned from these.
        """
        return np.atleast_2d(target.T), self
