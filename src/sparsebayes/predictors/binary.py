"""Two classes, or each of several classes against the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_expit, logsumexp

from sparsebayes.likelihoods import NODES, SHARES, Bernoulli
from sparsebayes.model import responses
from sparsebayes.predictors.predictor import Latent, map_rows
from sparsebayes.predictors.weights import Moments, Weights

QUADRATURE = responses.Quadrature(NODES, SHARES)


@dataclass(frozen=True)
class Integration:
    """How much of the integrals over latent values is done at a time.

    Parameters
    ----------
    numbers_per_value : the nodes of `Bernoulli.predictive_log_odds`
    block_numbers : how many numbers are computed at a time; 2**18 was the fastest of 2**14 to 2**19
    """

    numbers_per_value: int = 33
    block_numbers: int = 2**18

    def log_odds(self, moments: Moments) -> np.ndarray:
        """Log odds of a sigmoid with its latent value integrated out, as the moments (n, k)."""
        mean, variance = moments.mean.ravel(), moments.variance.ravel()

        def odds(values: slice) -> tuple[np.ndarray]:
            return (Bernoulli().predictive_log_odds(mean[values], variance[values]),)

        (found,) = map_rows(odds, len(mean), self.numbers_per_value, self.block_numbers)
        return found.reshape(moments.mean.shape)


@dataclass(frozen=True)
class TwoClasses:
    """Class 1 has the probability sigmoid(f), class 0 the rest. [T01] (23)

    Parameters
    ----------
    integration : how latent values are integrated out
    """

    integration: Integration = Integration()

    def plain(self, weights: Weights) -> responses.TwoClasses:
        """The same as plain arrays."""
        return responses.TwoClasses(QUADRATURE)

    def with_more_noise(self, variance: np.ndarray) -> TwoClasses:
        """The same: classes have no noise."""
        return self

    def scores(self, latent: Latent) -> np.ndarray:
        """Log odds of class 1, the latent value integrated out (n, 1)."""
        return self.integration.log_odds(latent.moments())

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of class 0 and 1, the latent value integrated out (n, 2)."""
        log_odds = self.scores(latent)
        return log_expit(np.hstack([-log_odds, log_odds]))

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The more probable class (n,): 1 if the mean of the latent value is positive.

        The distribution of f is symmetric about its mean, so that no variance is needed.
        """
        return (latent.mean()[:, 0] > 0.0).astype(np.intp)


@dataclass(frozen=True)
class OneVsRest:
    """Class k has the probability sigmoid(f_k) against all the others.

    Parameters
    ----------
    integration : how latent values are integrated out
    """

    integration: Integration = Integration()

    def plain(self, weights: Weights) -> responses.OneVsRest:
        """The same as plain arrays."""
        return responses.OneVsRest(QUADRATURE)

    def with_more_noise(self, variance: np.ndarray) -> OneVsRest:
        """The same: classes have no noise."""
        return self

    def scores(self, latent: Latent) -> np.ndarray:
        """Log odds of each class against the others, latent values integrated out (n, K)."""
        return self.integration.log_odds(latent.moments())

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Logarithms of the probabilities against the rest, normalised (n, K)."""
        log_share = log_expit(self.scores(latent))
        return log_share - logsumexp(log_share, axis=1, keepdims=True)

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The most probable class (n,)."""
        return self.scores(latent).argmax(axis=1)
