"""The latent values f of some rows, computed when they are asked for, and linear ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.model.arrays import finite, map_rows, side_by_side
from sparsebayes.model.columns import n_columns
from sparsebayes.model.spread import Spread


@dataclass(frozen=True)
class Plain:
    """What gives latent values: columns, the mean of their weights, and their spread.

    Parameters
    ----------
    columns : bound to training inputs, or plain, of one formula each
    weights : mean of the weights (m, k)
    spread : the variance of latent values
    of_weights : the spread that the weights alone have, where `spread` is that of a process
    """

    columns: tuple[Any, ...]
    weights: np.ndarray
    spread: Spread
    of_weights: Spread | None = None

    @property
    def n_columns(self) -> int:
        """How many columns are evaluated for a row."""
        return len(self.weights) + self.spread.n_columns

    @property
    def width(self) -> int:
        """How many numbers a row has: columns, latent values, and products with roots."""
        return self.n_columns + self.weights.shape[1] + self.spread.width

    @property
    def posterior(self) -> Spread:
        """The spread that the weights have."""
        return self.spread if self.of_weights is None else self.of_weights

    def without_covering(self) -> Plain:
        """The latent values with the spread of the weights alone."""
        return replace(self, spread=self.posterior, of_weights=None)

    def design(self, inputs: Any) -> np.ndarray:
        """The columns at inputs (n, m)."""
        return side_by_side([each.evaluate(inputs) for each in self.columns], inputs.shape[0])

    def at(self, inputs: Any) -> Latent:
        """The latent values at inputs (n, d)."""
        return Latent(self, inputs, self.design(inputs))

    def check(self, n_features: int) -> None:
        """An error unless all shapes go together."""
        for columns in self.columns:
            columns.check(n_features)
        m, weights = n_columns(self.columns), self.weights
        if weights.ndim != 2 or len(weights) != m or not np.isfinite(weights).all():
            raise ValueError("weights do not go with the columns.")
        if not weights.shape[1]:
            raise ValueError("there must be a latent value.")
        for spread in (self.spread, self.posterior):
            spread.check(weights.shape[1], m, n_features)


@dataclass(frozen=True)
class Latent:
    """The latent values f of n rows, k each. An error where they are not finite.

    Parameters
    ----------
    plain : columns, weights and spread
    inputs : of the rows
    design : the columns on the rows (n, m)
    """

    plain: Plain
    inputs: Any
    design: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Mean of the latent values (n, k), for which no spread is asked. [T01] (21)"""
        return finite(self.design @ self.plain.weights)

    @property
    def variance(self) -> np.ndarray:
        """Variance of the latent values (n, k). [T01] (22) without the noise"""
        return finite(self.plain.spread.variance(self.inputs, self.design))

    @property
    def process_variance(self) -> np.ndarray:
        """Variance of the processes that latent values are made of (n, p)."""
        return finite(self.plain.spread.of_processes(self.inputs, self.design))

    @property
    def row_covariance(self) -> np.ndarray:
        """Covariance between the latent values of a row (n, k, k), of one set of weights."""
        return finite(self.plain.spread.row_covariance(self.inputs, self.design))

    def joint_covariance(self, k: int) -> np.ndarray:
        """Covariance of latent value k between rows (n, n)."""
        return finite(self.plain.spread.joint_covariance(self.inputs, k, self.design))

    def drawn(self, weights: np.ndarray) -> np.ndarray:
        """Draws of what the columns say, at given weights (m, n_samples, k)."""
        return finite(self.plain.spread.drawn_at(self.inputs, weights, self.design))


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
