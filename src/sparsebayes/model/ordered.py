"""Classes in an order, told apart by cut points on one latent value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sparsebayes.model.arrays import map_rows
from sparsebayes.model.classes import ClassResponse
from sparsebayes.model.latent import Latent
from sparsebayes.model.response import BLOCK_NUMBERS, PROBIT, Quadrature, usual_quadrature
from sparsebayes.model.special import TINY, expit, ndtr


@dataclass(frozen=True)
class OrderedClasses(ClassResponse):
    """Class number k and those below it have the probability E sigmoid(cut_k - f), f Gaussian.

    The sigmoid is a Gaussian distribution function, whose integral is known, and a small remainder,
    which is left to nodes.

    Parameters
    ----------
    cut_points : ascending (K - 1,)
    place : the place of each class in the order (K,), classes as they are numbered elsewhere
    quadrature : nodes of a latent value
    """

    kind: ClassVar = "ordered"
    cut_points: np.ndarray
    place: np.ndarray
    quadrature: Quadrature = field(default_factory=usual_quadrature)

    def log_probability_at(self, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Log probabilities of the classes (n, K), f having this mean and variance (n,).

        Probabilities are differences: of those of lower classes below the mean, of those of higher
        classes above it, so that small ones do not cancel.
        """
        distance = self.cut_points - mean[:, None]
        lower = _averaged(distance, variance, self.quadrature)
        upper = _averaged(-distance, variance, self.quadrature)
        nothing, whole = np.zeros((len(mean), 1)), np.ones((len(mean), 1))
        from_below = np.diff(np.hstack([nothing, lower, whole]))
        from_above = -np.diff(np.hstack([whole, upper, nothing]))
        above = np.hstack([distance, np.full_like(whole, np.inf)]) > 0.0
        probability = np.maximum(np.where(above, from_above, from_below), TINY)
        probability /= probability.sum(axis=1, keepdims=True)
        return np.log(probability)[:, self.place]

    def scores(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes (n, K); log odds of class 1 where there are two."""
        found = self.log_probability(latent)
        return found if found.shape[1] > 2 else found[:, [1]] - found[:, [0]]

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes, the latent value integrated out (n, K)."""
        mean, variance = latent.mean[:, 0], latent.variance[:, 0]

        def of_rows(rows: slice) -> tuple[np.ndarray]:
            return (self.log_probability_at(mean[rows], variance[rows]),)

        size = len(self.place) * len(self.quadrature.nodes)
        return map_rows(of_rows, len(mean), size, BLOCK_NUMBERS)[0]

    def known(self, values: np.ndarray) -> np.ndarray:
        """Probabilities of the classes (..., K) where the latent value is known (..., 1)."""
        cuts = np.concatenate([[-np.inf], self.cut_points, [np.inf]])
        return np.diff(expit(cuts - values))[..., self.place]

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The number of the most probable class (n,)."""
        return self.log_probability(latent).argmax(axis=1)

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return 2 * len(self.place) * len(self.quadrature.nodes)

    def check(self, n_latents: int, n_classes: int) -> None:
        """An error unless all shapes go together."""
        self.quadrature.check()
        if n_latents != 1 or self.cut_points.shape != (n_classes - 1,) or n_classes < 2:
            raise ValueError("cut points do not go with the classes.")
        if not np.isfinite(self.cut_points).all() or (np.diff(self.cut_points) <= 0.0).any():
            raise ValueError("cut points must be finite and ascending.")
        if not np.array_equal(np.sort(self.place), np.arange(n_classes)):
            raise ValueError("each class must have one place in the order.")


def _averaged(mean: np.ndarray, variance: np.ndarray, quadrature: Quadrature) -> np.ndarray:
    """E sigmoid(f) for f ~ N(mean, variance), means (n, k) and variances (n,)."""
    spread = np.sqrt(variance)[:, None, None] * quadrature.nodes
    at_nodes = mean[:, :, None] + spread
    remainder = (expit(at_nodes) - ndtr(PROBIT * at_nodes)) @ quadrature.shares
    wide = np.sqrt(1.0 + PROBIT**2 * variance)[:, None]
    return np.clip(ndtr(PROBIT * mean / wide) + remainder, 0.0, 1.0)
