"""A fitted model: columns, the posterior of their weights, and a response."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.columns import plain_columns
from sparsebayes.dense import Covering
from sparsebayes.model.latent import Plain
from sparsebayes.predictors.weights import Moments, Random, Weights, latent_of
from sparsebayes.rows import row_slices


def map_rows(
    function: Callable[[slice], tuple[np.ndarray, ...]],
    n_rows: int,
    numbers_per_row: int,
    block_numbers: int,
) -> tuple[np.ndarray, ...]:
    """The arrays that function(rows) returns, strung together over slices of the rows.

    Parameters
    ----------
    numbers_per_row : how many numbers the function computes for a row
    block_numbers : how many it may compute at a time
    """
    slices = row_slices(n_rows, numbers_per_row, block_numbers) or [slice(0, 0)]
    blocks = [function(rows) for rows in slices]
    if len(blocks) == 1:
        return blocks[0]
    return tuple(np.concatenate(parts) for parts in zip(*blocks, strict=True))


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
    inputs : of the rows
    covering : the process that the columns stand for, which knows the spread of f better than the
        weights do; None where there is none
    """

    weights: Weights
    design: np.ndarray
    inputs: Any
    covering: Covering | None = None

    def mean(self) -> np.ndarray:
        """Mean of the latent values (n, k). Nothing of the covariance is computed."""
        return checked(self.weights.mean_of(self.design))

    def moments(self) -> Moments:
        """Mean and variance of the latent values, (n, k) each."""
        mean = checked(self.weights.mean_of(self.design))
        if self.covering is None:
            return Moments(mean, checked(self.weights.variance(self.design)))
        return Moments(mean, checked(self.covering.variance(self.inputs)))

    def mean_and_root(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n, k), and the symmetric square root of the covariance of a row (n, k, k)."""
        if self.covering is None:
            mean, _ = self.moments()
            return mean, self.weights.covariance_root(self.design)
        return self.mean(), checked(self.covering.covariance_root(self.inputs))

    def joint_covariance(self, k: int) -> np.ndarray:
        """Covariance of latent value k between rows (n, n)."""
        if self.covering is None:
            return checked(self.weights.joint_covariance(self.design, k))
        return checked(self.covering.joint_covariance(self.inputs, k))

    def at(self, draws: np.ndarray) -> np.ndarray:
        """The latent values at given weights (m, n_samples, k), of shape (n, n_samples, k)."""
        return checked(latent_of(self.design, draws))


def checked(values: np.ndarray) -> np.ndarray:
    """The values, or an error if one of them is not finite."""
    if not np.isfinite(values).all():
        raise ValueError(NOT_FINITE)
    return values


@dataclass(frozen=True)
class Predictor:
    """Predictions for new inputs X, (n, n_features), dense or sparse.

    What can be asked depends on the response: `predict_mean`, `predict_std`, `predict_covariance`,
    `quantiles` and `sample` are for real targets, `scores`, `log_probability` and `most_probable`
    for classes. All evaluate the columns once, in blocks of rows.

    Parameters
    ----------
    columns : those that were kept
    weights : the posterior of their weights
    response : how latent values become targets
    covering : the process that the columns stand for, through a few of its rows; None without one
    block_numbers : about how many values of columns are computed at a time; 2**17 and their
        product with a square root of the covariance stay in the processor's cache
    """

    columns: Any
    weights: Weights
    response: Any
    covering: Covering | None = None
    block_numbers: int = 2**17

    def latent_moments(self, X: Any) -> Moments:
        """Mean and variance of the latent values, (n, k) each."""
        return Moments(*self._map(X, Latent.moments))

    def restricted_to(self, kept: np.ndarray) -> Predictor:
        """The predictor of the columns `kept`, given that the weights of the others are zero."""
        columns, weights = self.columns.keep(kept), self.weights.restricted_to(kept)
        return replace(self, columns=columns, weights=weights)

    def check(self, n_features: int) -> None:
        """An error unless columns, weights and covering go together, and with so many inputs."""
        for kind in self.columns.kinds:
            kind.check(n_features)
        m, k = self.weights.mean.shape
        self.weights.check()
        if m != self.columns.n_columns or self.block_numbers != type(self).block_numbers:
            raise ValueError("the weights do not go with the columns.")
        if self.covering is not None:
            self.covering.check(k, n_features)

    def plain(self, n_features: int) -> tuple[Plain, Any]:
        """The same as plain arrays: what gives latent values of so many inputs, and a response."""
        return self.plain_latent(n_features), self.response.plain(self.weights)

    def plain_latent(self, n_features: int) -> Plain:
        """What gives latent values of so many inputs, as plain arrays."""
        columns, order = plain_columns(self.columns, n_features)
        if self.covering is None:
            spread = self.weights.spread().of_columns(order)
        else:
            spread = self.covering.spread(n_features)
        mean = np.ascontiguousarray(self.weights.mean[order])
        return Plain(columns, mean, spread)

    # Real targets.

    def predict_mean(self, X: Any) -> np.ndarray:
        """Mean of new targets (n, k). Nothing of the covariance is computed. [T01] (21)"""
        return self._map(X, lambda latent: (self.response.mean(latent),))[0]

    def predict_std(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new targets, noise included, (n, k) each. [T01] (22)"""
        mean, std = self._map(X, self.response.mean_and_std)
        return mean, std

    def predict_covariance(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n, k) and, of each output, covariance of new targets, noise included (n, n, k)."""
        with np.errstate(over="ignore", invalid="ignore"):
            latent = self._latent(X)
            return self.response.mean(latent), self.response.covariance(latent)

    def quantiles(self, X: Any, levels: np.ndarray) -> np.ndarray:
        """Quantiles of new targets, noise included (n, len(levels), k)."""
        return self._map(X, lambda latent: (self.response.quantiles(latent, levels),))[0]

    def sample(self, X: Any, n_samples: int, random: Random) -> np.ndarray:
        """Draws of new targets (n, n_samples, k): of the weights, and of the noise."""
        return self.response.with_noise(self.sample_latent(X, n_samples, random), random, X)

    def log_density(self, X: Any, target: np.ndarray) -> np.ndarray:
        """Log density of new targets (n, k), or their log probability where these are counts."""

        def of_rows(rows: slice) -> tuple[np.ndarray]:
            return (self.response.log_density(self._latent(X[rows]), target[rows]),)

        with np.errstate(over="ignore", invalid="ignore"):
            return map_rows(of_rows, X.shape[0], self.width, self.block_numbers)[0]

    # Classes.

    def scores(self, X: Any) -> np.ndarray:
        """Log odds (n, 1) of two classes or (n, K) against the rest; or log probabilities (n, K).

        The latent values are integrated out.
        """
        return self._map(X, lambda latent: (self.response.scores(latent),))[0]

    def log_probability(self, X: Any) -> np.ndarray:
        """Log probabilities of the classes, the latent values integrated out (n, K)."""
        return self._map(X, lambda latent: (self.response.log_probability(latent),))[0]

    def most_probable(self, X: Any) -> np.ndarray:
        """The number of the most probable class (n,)."""
        return self._map(X, lambda latent: (self.response.most_probable(latent),))[0]

    def sample_latent(self, X: Any, n_samples: int, random: Random) -> np.ndarray:
        """Draws of the latent values (n, n_samples, k), the weights of a draw the same in all rows.

        They do not depend on the size of the blocks.
        """
        if self.covering is None:
            draws = self.weights.draw(n_samples, random)
            return self._map(X, lambda latent: (latent.at(draws),))[0]
        (mean,) = self._map(X, lambda latent: (latent.mean(),))
        with np.errstate(over="ignore", invalid="ignore"):
            return checked(mean[:, None] + self.covering.draw(X, n_samples, random))

    def novelty(self, X: Any) -> np.ndarray:
        """The share of the variance of the process that its data have left (n,)."""
        assert self.covering is not None, "there is no process"
        covering = self.covering
        return self._map(X, lambda latent: (checked(covering.novelty(latent.inputs)),))[0]

    def _map(
        self, X: Any, function: Callable[[Latent], tuple[np.ndarray, ...]]
    ) -> tuple[np.ndarray, ...]:
        """The arrays of function(latent values of a block), strung together over the blocks."""

        def of_rows(rows: slice) -> tuple[np.ndarray, ...]:
            return function(self._latent(X[rows]))

        with np.errstate(over="ignore", invalid="ignore"):
            return map_rows(of_rows, X.shape[0], self.width, self.block_numbers)

    @property
    def width(self) -> int:
        """How many columns are evaluated for a row."""
        covering = 0 if self.covering is None else self.covering.n_columns
        return len(self.weights.mean) + covering

    def _latent(self, X: Any) -> Latent:
        return Latent(self.weights, self.columns.evaluate(X), X, self.covering)
