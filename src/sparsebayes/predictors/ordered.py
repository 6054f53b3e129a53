"""Classes in an order, told apart by cut points on one latent value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.model.ordered import OrderedClasses, as_scores
from sparsebayes.predictors.binary import QUADRATURE
from sparsebayes.predictors.predictor import Latent, map_rows
from sparsebayes.predictors.weights import Weights

# How many numbers are computed at a time.
BLOCK_NUMBERS = 2**18


@dataclass(frozen=True)
class OrderedResponse:
    """p(class <= k) = sigmoid(cut_k - f), the latent value integrated out.

    Parameters
    ----------
    cut_points : ascending (K - 1,)
    place : the place of each class in the order (K,)
    """

    cut_points: np.ndarray
    place: np.ndarray

    def with_more_noise(self, variance: np.ndarray) -> OrderedResponse:
        """The same: classes have no noise."""
        return self

    def plain(self, weights: Weights) -> OrderedClasses:
        """The same as plain arrays."""
        return OrderedClasses(self.cut_points, self.place, QUADRATURE)

    def scores(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes (n, K); log odds of class 1 where there are two."""
        return as_scores(self.log_probability(latent))

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes, the latent value integrated out (n, K)."""
        mean, variance = (each[:, 0] for each in latent.moments())
        plain = OrderedClasses(self.cut_points, self.place, QUADRATURE)

        def of_rows(rows: slice) -> tuple[np.ndarray]:
            return (plain.log_probability_at(mean[rows], variance[rows]),)

        size = len(self.place) * len(QUADRATURE.nodes)
        return map_rows(of_rows, len(mean), size, BLOCK_NUMBERS)[0]

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The number of the most probable class (n,)."""
        return self.log_probability(latent).argmax(axis=1)
