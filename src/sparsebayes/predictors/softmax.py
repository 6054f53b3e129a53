"""Several classes whose probabilities are one softmax."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.special import log_softmax, logsumexp

from sparsebayes.likelihoods import normal_nodes
from sparsebayes.model import responses
from sparsebayes.model.responses import MODERATION
from sparsebayes.predictors.predictor import Latent, map_rows
from sparsebayes.predictors.weights import Weights


@dataclass(frozen=True)
class NodeRule:
    """How the softmax is integrated over the latent values of a row.

    Parameters
    ----------
    n_nodes : values of the latent vector that stand for its distribution, a power of two; with
        512 probabilities are within a hundredth
    least : a probability with all its digits; a row with a smaller one is integrated again by
        logarithms
    block_numbers : how many numbers are computed at a time; 2**16 stay in the processor's cache
    """

    n_nodes: int = 512
    least: float = 1e-200
    block_numbers: int = 2**16


@dataclass(frozen=True)
class SoftmaxResponse:
    """Class k has the probability exp(f_k) / sum_j exp(f_j). [T01] (28)

    Parameters
    ----------
    rule : how latent values are integrated out
    """

    rule: NodeRule = field(default=NodeRule(), repr=False)

    def plain(self, weights: Weights) -> responses.IntegratedSoftmax:
        """The same as plain arrays, with its nodes."""
        nodes = normal_nodes(weights.mean.shape[1], self.rule.n_nodes)
        return responses.IntegratedSoftmax(*weights.softmax_nodes(nodes))

    def with_more_noise(self, variance: np.ndarray) -> SoftmaxResponse:
        """The same: classes have no noise."""
        return self

    def scores(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes, latent values integrated out (n, K)."""
        return self.log_probability(latent)

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes, latent values integrated out (n, K)."""
        return integrated_log_softmax(*latent.mean_and_root(), self.rule)

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The most probable class (n,)."""
        return self.scores(latent).argmax(axis=1)


@dataclass(frozen=True)
class CalibratedSoftmax:
    """Class k has the probability softmax(c f)_k, less certain where f is unusually uncertain.

        c^2 = (1 + pi/4 u) / (1 + pi/4 v)   where the variance v of a contrast is above u, else 1

    Parameters
    ----------
    usual_variance : u, which the latent values account for already
    """

    usual_variance: float

    def plain(self, weights: Weights) -> responses.CalibratedSoftmax:
        """The same with a plain number."""
        return responses.CalibratedSoftmax(float(self.usual_variance))

    def with_more_noise(self, variance: np.ndarray) -> CalibratedSoftmax:
        """The same: classes have no noise."""
        return self

    def scores(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes (n, K)."""
        return self.log_probability(latent)

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes (n, K)."""
        if np.isinf(self.usual_variance):
            return log_softmax(latent.mean(), axis=1)
        mean, variance = latent.moments()
        of_contrast = variance.sum(axis=1) / (mean.shape[1] - 1)
        unusual = np.maximum(of_contrast, self.usual_variance)
        ratio = (1.0 + MODERATION * self.usual_variance) / (1.0 + MODERATION * unusual)
        return log_softmax(np.sqrt(ratio)[:, None] * mean, axis=1)

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The most probable class (n,): that of the largest latent value."""
        return latent.mean().argmax(axis=1)


def integrated_log_softmax(
    mean: np.ndarray,
    root: np.ndarray,
    rule: NodeRule = NodeRule(),
) -> np.ndarray:
    """log E[softmax(f)] of each row (n, K), f ~ N(mean, root root').

    By a fixed quasi-random sample of the normal distribution, symmetric about zero.

    Parameters
    ----------
    mean : of the latent values (n, K)
    root : the symmetric square root of their covariance (n, K, K)
    """
    n_rows, n_classes = mean.shape
    nodes = normal_nodes(n_classes, rule.n_nodes).T

    def integrate(rows: slice) -> tuple[np.ndarray]:
        return (_log_mean_softmax(mean[rows, :, None] + root[rows] @ nodes, rule.least),)

    (found,) = map_rows(integrate, n_rows, n_classes * rule.n_nodes, rule.block_numbers)
    return found


def _log_mean_softmax(latent: np.ndarray, least: float) -> np.ndarray:
    """The logarithm of the mean softmax over nodes (n, K), of latent values (n, K, n_nodes)."""
    share = latent - latent.max(axis=1, keepdims=True)
    np.exp(share, out=share)
    share /= share.sum(axis=1, keepdims=True)
    probability = share.mean(axis=2)
    small = probability.min(axis=1) < least
    result = np.log(np.maximum(probability, least))
    if small.any():
        exact = logsumexp(log_softmax(latent[small], axis=1), axis=2)
        result[small] = exact - np.log(latent.shape[2])
    return result
