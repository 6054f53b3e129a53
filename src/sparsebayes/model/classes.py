"""Classes without an order: two, each against the rest, or one softmax of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sparsebayes.model.arrays import map_rows, symmetric_root
from sparsebayes.model.latent import Latent
from sparsebayes.model.response import Quadrature, Response, usual_quadrature
from sparsebayes.model.special import expit, log_expit, log_softmax, log_sum

# pi / 8 times the variance of the difference of two classes, which is that of two contrasts:
# MacKay's factor, by which a softmax is averaged over a Gaussian, nearly.
MODERATION = float(np.pi / 4.0)
# A probability with all its digits; the logarithm of a smaller one is found by logarithms.
LEAST_PROBABILITY = 1e-200
# How many numbers of a softmax are computed at a time; 2**16 stay in the processor's cache.
BLOCK_NUMBERS = 2**16


class ClassResponse(Response):
    """What responses of classes have in common; each says its own `log_probability`."""

    is_probability = True

    def scores(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes (n, K)."""
        return self.log_probability(latent)

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes, latent values integrated out (n, K)."""
        raise NotImplementedError

    def known(self, values: np.ndarray) -> np.ndarray:
        """Probabilities of the classes (..., K) where the latent values are known (..., k)."""
        return np.exp(log_softmax(values, axis=-1))

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The number of the most probable class (n,)."""
        return self.scores(latent).argmax(axis=1)


@dataclass(frozen=True)
class SigmoidResponse(ClassResponse):
    """Classes that are told apart by sigmoids of latent values, which are integrated out."""

    quadrature: Quadrature = field(default_factory=usual_quadrature)

    def scores(self, latent: Latent) -> np.ndarray:
        """Log odds of class 1 (n, 1), or of each class against the others (n, K)."""
        return self.quadrature.log_odds(latent.mean, latent.variance)

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return n_latents * len(self.quadrature.nodes)


@dataclass(frozen=True)
class TwoClasses(SigmoidResponse):
    """Class 1 has the probability sigmoid(f), class 0 the rest. [T01] (23)"""

    kind: ClassVar = "two classes"

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of class 0 and 1, the latent value integrated out (n, 2)."""
        odds = self.scores(latent)
        return log_expit(np.hstack([-odds, odds]))

    def known(self, values: np.ndarray) -> np.ndarray:
        """Probabilities of both classes (..., 2) where the latent value is known (..., 1)."""
        return np.concatenate([expit(-values), expit(values)], axis=-1)

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The more probable class (n,): 1 if the mean of the latent value is positive.

        The distribution of f is symmetric about its mean, so that no variance is needed.
        """
        return (latent.mean[:, 0] > 0.0).astype(np.intp)

    def check(self, n_latents: int, n_classes: int) -> None:
        """An error unless all shapes go together."""
        self.quadrature.check()
        if n_latents != 1 or n_classes != 2:
            raise ValueError("two classes have one latent value.")


@dataclass(frozen=True)
class OneVsRest(SigmoidResponse):
    """Class k has the probability sigmoid(f_k) against the others; these are normalised."""

    kind: ClassVar = "one vs rest"

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Logarithms of the probabilities against the rest, normalised (n, K)."""
        share = log_expit(self.scores(latent))
        return share - log_sum(share, axis=1)

    def known(self, values: np.ndarray) -> np.ndarray:
        """Probabilities of the classes where their latent values are known, (..., K) each."""
        return np.exp(log_softmax(log_expit(values), axis=-1))

    def check(self, n_latents: int, n_classes: int) -> None:
        """An error unless all shapes go together."""
        self.quadrature.check()
        _check_classes(n_latents, n_classes)


@dataclass(frozen=True)
class CalibratedSoftmax(ClassResponse):
    """Class k has the probability softmax(c f)_k, less certain where f is unusually uncertain.

        c^2 = (1 + pi/4 u) / (1 + pi/4 max(v, u)),   v = sum_k var f_k / (K - 1)

    Parameters
    ----------
    usual_variance : u, which the latent values account for already; infinite where c is 1
        everywhere
    """

    kind: ClassVar = "calibrated softmax"
    usual_variance: float

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes (n, K)."""
        mean = latent.mean
        if np.isinf(self.usual_variance):
            return log_softmax(mean)
        of_contrast = latent.variance.sum(axis=1) / (mean.shape[1] - 1)
        unusual = np.maximum(of_contrast, self.usual_variance)
        ratio = (1.0 + MODERATION * self.usual_variance) / (1.0 + MODERATION * unusual)
        return log_softmax(np.sqrt(ratio)[:, None] * mean)

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The most probable class (n,): that of the largest latent value."""
        return latent.mean.argmax(axis=1)

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return n_latents

    def check(self, n_latents: int, n_classes: int) -> None:
        """An error unless all shapes go together."""
        _check_classes(n_latents, n_classes)
        if not isinstance(self.usual_variance, float) or not self.usual_variance >= 0.0:
            raise ValueError("usual_variance must be a number of 0 or more.")


@dataclass(frozen=True)
class IntegratedSoftmax(ClassResponse):
    """Class k has the probability E softmax(f)_k, f Gaussian, by nodes. [T01] (28)

    f at node j is mean + S(x) node_j. Where classes have weights of their own, S(x) is the
    symmetric square root of the covariance of f. Where they share them, S(x) is one standard
    deviation, and the nodes have the covariance between classes already.

    Parameters
    ----------
    nodes : (n_nodes, K)
    own_weights : whether classes have weights of their own
    """

    kind: ClassVar = "integrated softmax"
    nodes: np.ndarray
    own_weights: bool

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes, latent values integrated out (n, K)."""
        mean = latent.mean
        times: Callable[..., np.ndarray] = np.matmul if self.own_weights else np.multiply
        half = (
            symmetric_root(latent.row_covariance)
            if self.own_weights
            else np.sqrt(latent.process_variance)[:, :, None]
        )

        def of_rows(rows: slice) -> tuple[np.ndarray]:
            return (log_mean_softmax(mean[rows, :, None] + times(half[rows], self.nodes.T)),)

        return map_rows(of_rows, len(mean), self.nodes.size, BLOCK_NUMBERS)[0]

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return n_latents * (len(self.nodes) + (n_latents if self.own_weights else 0))

    def check(self, n_latents: int, n_classes: int) -> None:
        """An error unless all shapes go together."""
        _check_classes(n_latents, n_classes)
        if self.nodes.ndim != 2 or not len(self.nodes) or self.nodes.shape[1] != n_classes:
            raise ValueError("nodes do not go with the classes.")
        if not np.isfinite(self.nodes).all() or not isinstance(self.own_weights, bool):
            raise ValueError("nodes must be finite, and own_weights True or False.")


def log_mean_softmax(latent: np.ndarray) -> np.ndarray:
    """The logarithm of the mean softmax over nodes (n, K), of latent values (n, K, n_nodes)."""
    share = latent - latent.max(axis=1, keepdims=True)
    np.exp(share, out=share)
    share /= share.sum(axis=1, keepdims=True)
    probability = share.mean(axis=2)
    result = np.log(np.maximum(probability, LEAST_PROBABILITY))
    small = probability.min(axis=1) < LEAST_PROBABILITY
    if small.any():
        exact = log_sum(log_softmax(latent[small]), axis=2)[:, :, 0]
        result[small] = exact - np.log(latent.shape[2])
    return result


def _check_classes(n_latents: int, n_classes: int) -> None:
    if n_latents != n_classes or n_classes < 2:
        raise ValueError(f"{n_classes} classes have {n_latents} latent values.")
