"""The distribution of the latent value at new inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.rows import BLOCK_NUMBERS

NOT_FINITE = (
    "the columns of the model are infinite or NaN at these inputs X. Expected finite values: "
    "please check X for extreme values, and the kernel function if it is your own."
)


@dataclass(frozen=True)
class LatentModel:
    """f(x) = phi(x)'w with w ~ N(mean, root root'), over the columns that were kept.

    Parameters
    ----------
    columns : the kept columns
    mean : posterior mean of their weights (m,)
    root : a square root of their posterior covariance (m, m)
    """

    columns: Any
    mean: np.ndarray
    root: np.ndarray

    def predict_mean(self, inputs) -> np.ndarray:
        """phi'mu. [T01] (21)"""
        return self._map(inputs, lambda design: design @ self.mean)

    def predict_variance(self, inputs) -> np.ndarray:
        """phi' Sigma phi, as a sum of squares. [T01] (22) without the noise"""
        return self._map(inputs, lambda design: np.sum((design @ self.root) ** 2, axis=1))

    def predict_covariance(self, inputs) -> np.ndarray:
        """Phi Sigma Phi' (n_samples, n_samples)."""
        half = self.columns.evaluate(inputs) @ self.root
        return half @ half.T

    def sample(self, inputs, n_samples: int, random) -> np.ndarray:
        """Draws of f from the posterior (n_inputs, n_samples)."""
        draws = self.root @ random.standard_normal((len(self.mean), n_samples))
        return self._map(inputs, lambda design: design @ (self.mean[:, None] + draws))

    def _map(self, inputs, function):
        n_rows = inputs.shape[0]
        size = max(1, BLOCK_NUMBERS // max(1, len(self.mean)))
        with np.errstate(over="ignore", invalid="ignore"):
            if n_rows <= size:
                result = function(self.columns.evaluate(inputs))
            else:
                blocks = (inputs[start : start + size] for start in range(0, n_rows, size))
                result = np.concatenate([function(self.columns.evaluate(b)) for b in blocks])
        if not np.isfinite(result).all():
            raise ValueError(NOT_FINITE)
        return result
