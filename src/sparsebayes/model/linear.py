"""Models that are linear in the inputs: their coefficients, and how well these are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sparsebayes.model.arrays import map_rows
from sparsebayes.model.latent import Plain


@dataclass(frozen=True)
class LinearFace:
    """f(x) = intercept + sum_j w_j x_j of latent values whose columns are linear.

    Inputs are looked at in blocks, as rows are, so that many take no more memory than few.

    Parameters
    ----------
    plain : latent values of linear columns
    n_features : how many inputs there are
    block_numbers : about how many derivatives of columns are computed at a time
    """

    plain: Plain
    n_features: int
    block_numbers: int = 2**20

    @property
    def intercept(self) -> np.ndarray:
        """The latent values where all inputs are zero (k,)."""
        return self.plain.at(np.zeros((1, self.n_features))).mean[0]

    @property
    def coefficients(self) -> np.ndarray:
        """The posterior mean of w (n_features, k)."""
        return self._map(lambda features: self._gradient(features) @ self.plain.weights)

    @property
    def variance(self) -> np.ndarray:
        """The posterior variance of each w_j (n_features, k).

        Where covering rows stand for a process, w is that of the process, of which a few vectors
        carry no more than the mean.
        """
        spread = self.plain.spread
        return self._map(lambda some: spread.gradient_variance(some, self._gradient(some)))

    def used(self, columns: np.ndarray) -> np.ndarray:
        """Which inputs some columns, given by a mask, depend on (n_features,)."""
        return self._map(lambda some: np.abs(self._gradient(some)[:, columns]).sum(axis=1) > 0.0)

    def _gradient(self, features: np.ndarray) -> np.ndarray:
        """Derivatives of the columns for some of the inputs (n_inputs, m)."""
        return np.hstack([kind.gradient(features) for kind in self.plain.columns])

    def _map(self, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The arrays of function(some of the inputs), strung together."""

        def of_some(features: slice) -> tuple[np.ndarray]:
            return (function(np.arange(features.start, features.stop)),)

        return map_rows(of_some, self.n_features, self.plain.n_columns, self.block_numbers)[0]
