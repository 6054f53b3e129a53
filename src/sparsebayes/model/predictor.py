"""What a model says of new rows: columns, the posterior of their weights, and a response."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.model.arrays import finite, map_rows
from sparsebayes.model.latent import Latent, Plain
from sparsebayes.model.spread import Random

# About how many numbers of all kinds are computed at a time: 32 MB.
MOST_NUMBERS = 2**22


@dataclass(frozen=True)
class Predictor:
    """Predictions for new inputs X, (n, n_features), dense or sparse.

    What can be asked depends on the response: moments, quantiles, densities and draws are for
    numbers, scores and probabilities for classes. All evaluate the columns once, in blocks of rows.
    Results have a last axis for the outputs or the classes, even if there is one.

    Parameters
    ----------
    plain : what gives latent values
    response : how latent values become targets; None where they are all that is asked for
    block_numbers : about how many values of columns are computed at a time; 2**17 and their
        product with a square root of the covariance stay in the processor's cache
    """

    plain: Plain
    response: Any
    block_numbers: int = 2**17

    def check(self, n_features: int) -> None:
        """An error unless columns and spread go together, and with so many inputs."""
        self.plain.check(n_features)
        if self.plain.posterior.covers or self.block_numbers != type(self).block_numbers:
            raise ValueError("the weights do not go with the columns.")

    def without_covering(self, missed: np.ndarray) -> Predictor:
        """The predictor with the error bars of the weights, and what they miss as noise (k,)."""
        response = self.response.with_more_noise(missed)
        return replace(self, plain=self.plain.without_covering(), response=response)

    @property
    def numbers_per_row(self) -> int:
        """About how many numbers a prediction computes for a row."""
        plain = self.plain
        own = 0 if self.response is None else self.response.width(plain.weights.shape[1])
        return 1 + plain.width + own

    def latent_moments(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the latent values, (n, k) each."""
        mean, variance = self._map(X, lambda latent: (latent.mean, latent.variance))
        return mean, variance

    # Numbers.

    def predict_mean(self, X: Any) -> np.ndarray:
        """Mean of new targets (n, k). [T01] (21)"""
        return self._map(X, lambda latent: (self.response.mean(latent),))[0]

    def predict_std(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new targets, noise included, (n, k) each. [T01] (22)"""
        mean, std = self._map(X, self.response.mean_and_std)
        return mean, std

    def predict_covariance(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n, k) and, of each output, covariance of new targets, noise included (n, n, k)."""
        with np.errstate(over="ignore", invalid="ignore"):
            latent = self.plain.at(X)
            return self.response.mean(latent), self.response.covariance(latent)

    def noise_variance(self, X: Any) -> np.ndarray:
        """The variance of targets that is left where latent values are known, expected (n, k)."""
        return self._map(X, lambda latent: (self.response.noise_variance(latent),))[0]

    def quantiles(self, X: Any, levels: np.ndarray) -> np.ndarray:
        """Quantiles of new targets, noise included (n, len(levels), k)."""
        return self._map(X, lambda latent: (self.response.quantiles(latent, levels),))[0]

    def sample(self, X: Any, n_samples: int, random: Random) -> np.ndarray:
        """Draws of new targets (n, n_samples, k): of the weights, and of the noise."""
        return self.response.with_noise(self.sample_latent(X, n_samples, random), random, X)

    def log_density(self, X: Any, target: np.ndarray) -> np.ndarray:
        """Log density of new targets (n, k), or their log probability where these are counts."""

        def of_rows(rows: slice) -> tuple[np.ndarray]:
            return (self.response.log_density(self.plain.at(X[rows]), target[rows]),)

        with np.errstate(over="ignore", invalid="ignore"):
            return map_rows(of_rows, X.shape[0], self.plain.n_columns, self.block_numbers)[0]

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

    # Latent values.

    def sample_latent(self, X: Any, n_samples: int, random: Random) -> np.ndarray:
        """Draws of the latent values (n, n_samples, k), the weights of a draw the same in all rows.

        They do not depend on the size of the blocks.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            weights, apart = self.plain.spread.draw(X, n_samples, random)
            mean, known = self._map(X, lambda latent: (latent.mean, latent.drawn(weights)))
            return finite(mean[:, None] + self.plain.spread.mixed(known + apart))

    def novelty(self, X: Any) -> np.ndarray:
        """The share of the variance of the process that its data have left (n,)."""
        spread = self.plain.spread
        return self._map(X, lambda latent: (finite(spread.novelty(latent.inputs)),))[0]

    def _map(
        self, X: Any, function: Callable[[Latent], tuple[np.ndarray, ...]]
    ) -> tuple[np.ndarray, ...]:
        """The arrays of function(latent values of a block), strung together over the blocks."""
        with np.errstate(over="ignore", invalid="ignore"):
            if X.shape[0] <= 1:
                return function(self.plain.at(X))
            most = self.block_numbers // max(1, self.plain.n_columns)
            most = max(1, min(most, MOST_NUMBERS // self.numbers_per_row))
            return map_rows(lambda rows: function(self.plain.at(X[rows])), X.shape[0], 1, most)
