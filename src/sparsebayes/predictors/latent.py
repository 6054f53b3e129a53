"""The latent values of a block of rows, computed as far as a response asks for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.predictors.weights import Moments, Weights, latent_of

NOT_FINITE = (
    "the columns of the model are infinite or NaN at these inputs X. Expected finite values: "
    "please check X for extreme values, and the kernel function if it is your own."
)


@dataclass(frozen=True)
class Latent:
    """f = phi'w of n rows, k values each. An error where they are not finite.

    Parameters
    ----------
    weights : their posterior
    design : the columns on the rows (n, m)
    """

    weights: Weights
    design: np.ndarray

    def mean(self) -> np.ndarray:
        """Mean of the latent values (n, k). Nothing of the covariance is computed."""
        return checked(self.weights.mean_of(self.design))

    def moments(self) -> Moments:
        """Mean and variance of the latent values, (n, k) each."""
        mean, variance = self.weights.moments(self.design)
        return Moments(checked(mean), checked(variance))

    def mean_and_root(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n, k), and the symmetric square root of the covariance of a row (n, k, k)."""
        mean, _ = self.moments()
        return mean, self.weights.covariance_root(self.design)

    def joint_covariance(self, k: int) -> np.ndarray:
        """Covariance of latent value k between rows (n, n)."""
        return checked(self.weights.joint_covariance(self.design, k))

    def at(self, draws: np.ndarray) -> np.ndarray:
        """The latent values at given weights (m, n_samples, k), of shape (n, n_samples, k)."""
        return checked(latent_of(self.design, draws))


def checked(values: np.ndarray) -> np.ndarray:
    """The values, or an error if one of them is not finite."""
    if not np.isfinite(values).all():
        raise ValueError(NOT_FINITE)
    return values
