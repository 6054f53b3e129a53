"""How the latent values of a plain model become a target.

A response is asked with the `Latent` values of some rows. What it says is what the response of the
same kind in `sparsebayes.predictors` says, with the same nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sparsebayes.model.latent import Latent
from sparsebayes.model.special import TINY, expit, log_expit, log_softmax, log_sum, ndtr, ndtri

# Phi(PROBIT f) has the slope of the sigmoid at f = 0.
PROBIT = float(np.sqrt(np.pi / 8.0))
# pi / 8 times the variance of the difference of two classes, which is that of two contrasts:
# MacKay's factor, by which a softmax is averaged over a Gaussian, nearly.
MODERATION = float(np.pi / 4.0)
# A probability with all its digits; the logarithm of a smaller one is found by logarithms.
LEAST_PROBABILITY = 1e-200
MOST_NEWTON_STEPS, NEWTON_TOLERANCE = 50, 1e-12


@dataclass(frozen=True)
class RealTargets:
    """Each of k outputs is offset + f + noise.

    Parameters
    ----------
    offset : (k,)
    noise_std : standard deviation of the noise (k,)
    noise_precisions, noise_shares : where the noise was inferred, of each output values of its
        precision (j,) and their probabilities (j,), for quantiles
    """

    kind: ClassVar = "real"
    offset: np.ndarray
    noise_std: np.ndarray
    noise_precisions: tuple[np.ndarray, ...] | None = None
    noise_shares: tuple[np.ndarray, ...] | None = None

    def mean(self, latent: Latent) -> np.ndarray:
        """Mean of new targets (n, k)."""
        return latent.mean + self.offset

    def std(self, latent: Latent) -> np.ndarray:
        """Their standard deviation, noise included (n, k)."""
        return np.sqrt(latent.variance + self.noise_std**2)

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """Their quantiles (n, len(levels), k)."""
        mean, variance = self.mean(latent), latent.variance
        if self.noise_precisions is None or self.noise_shares is None:
            std = np.sqrt(variance + self.noise_std**2)
            return mean[:, None] + std[:, None] * ndtri(levels)[:, None]
        found = [
            mixture_distance(np.sqrt(variance[:, [k]] + 1.0 / precision), share, levels)
            for k, (precision, share) in enumerate(
                zip(self.noise_precisions, self.noise_shares, strict=True)
            )
        ]
        return mean[:, None] + np.stack(found, axis=-1)

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return n_latents + sum(map(len, self.noise_precisions or ()))

    def check(self, n_latents: int, n_features: int) -> None:
        """An error unless all shapes go together."""
        if not self.offset.shape == self.noise_std.shape == (n_latents,):
            raise ValueError("offset and noise do not go with the outputs.")
        if not np.isfinite(self.offset).all() or not np.isfinite(self.noise_std).all():
            raise ValueError("offset and noise must be finite.")
        if (self.noise_precisions is None) != (self.noise_shares is None):
            raise ValueError("precisions of the noise have no shares.")
        if self.noise_precisions is not None and self.noise_shares is not None:
            pairs = zip(self.noise_precisions, self.noise_shares, strict=True)
            fine = all(_is_distribution(*pair) for pair in pairs)
            if len(self.noise_precisions) != n_latents or not fine:
                raise ValueError("precisions of the noise do not go with the outputs.")


def _is_distribution(precision: np.ndarray, share: np.ndarray) -> bool:
    """Whether there are positive precisions, each with a share."""
    fine = precision.ndim == 1 and len(precision) > 0 and precision.shape == share.shape
    return fine and bool((precision > 0.0).all() and (share >= 0.0).all())


def mixture_distance(std: np.ndarray, share: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Quantiles (n, len(levels)) of mixtures of N(0, std^2), std (n, j), shares (j,).

    Newton's method. The steps never go beyond the quantile, so it is reached from below.
    """
    upper = np.maximum(levels, 1.0 - levels)
    start = ndtri(upper)
    least = start * std.min(axis=1, keepdims=True)
    distance = start / np.sqrt(std**-2.0 @ share)[:, None]
    for _ in range(MOST_NEWTON_STEPS):
        ratio = distance[:, :, None] / std[:, None]
        density = (np.exp(-0.5 * ratio * ratio) / std[:, None]) @ share / np.sqrt(2.0 * np.pi)
        step = (upper - ndtr(ratio) @ share) / density
        distance = np.maximum(distance + step, least)
        if np.all(np.abs(step) <= NEWTON_TOLERANCE * distance):
            break
    return np.sign(levels - 0.5) * distance


@dataclass(frozen=True)
class Quadrature:
    """The sigmoid of a Gaussian latent value, averaged: log odds of a class.

    The sigmoid is a Gaussian distribution function, whose integral is known, and a small remainder,
    which is left to nodes.

    Parameters
    ----------
    nodes, shares : that stand for the normal distribution (33,)
    """

    nodes: np.ndarray
    shares: np.ndarray

    def log_odds(self, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Of latent values N(mean, variance), (n, k) each."""
        size = np.abs(mean)
        at_nodes = np.sqrt(variance)[..., None] * self.nodes - size[..., None]
        remainder = (expit(at_nodes) - ndtr(PROBIT * at_nodes)) @ self.shares
        least = ndtr(-PROBIT * size / np.sqrt(1.0 + PROBIT**2 * variance)) + remainder
        least = np.clip(least, TINY, 0.5)
        return np.sign(mean) * (np.log1p(-least) - np.log(least))

    def check(self) -> None:
        """An error unless there is a share for each node."""
        if self.nodes.ndim != 1 or self.nodes.shape != self.shares.shape:
            raise ValueError("nodes and shares do not go together.")
        if not np.isfinite(self.nodes).all() or not np.isfinite(self.shares).all():
            raise ValueError("nodes and shares must be finite.")


@dataclass(frozen=True)
class TwoClasses:
    """Class 1 has the probability sigmoid(f), class 0 the rest."""

    kind: ClassVar = "two classes"
    quadrature: Quadrature

    def scores(self, latent: Latent) -> np.ndarray:
        """Log odds of class 1 (n, 1)."""
        return self.quadrature.log_odds(latent.mean, latent.variance)

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Of both classes (n, 2)."""
        odds = self.scores(latent)
        return log_expit(np.hstack([-odds, odds]))

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The number of the more probable class (n,)."""
        return (latent.mean[:, 0] > 0.0).astype(np.intp)

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return n_latents * len(self.quadrature.nodes)

    def check(self, n_latents: int, n_classes: int) -> None:
        """An error unless all shapes go together."""
        self.quadrature.check()
        if n_latents != 1 or n_classes != 2:
            raise ValueError("two classes have one latent value.")


@dataclass(frozen=True)
class OneVsRest:
    """Class k has the probability sigmoid(f_k) against the others; these are normalised."""

    kind: ClassVar = "one vs rest"
    quadrature: Quadrature

    def scores(self, latent: Latent) -> np.ndarray:
        """Log odds of each class against the others (n, K)."""
        return self.quadrature.log_odds(latent.mean, latent.variance)

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Of all classes (n, K)."""
        share = log_expit(self.scores(latent))
        return share - log_sum(share, axis=1)

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The number of the most probable class (n,)."""
        return self.scores(latent).argmax(axis=1)

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return n_latents * len(self.quadrature.nodes)

    def check(self, n_latents: int, n_classes: int) -> None:
        """An error unless all shapes go together."""
        self.quadrature.check()
        _check_classes(n_latents, n_classes)


@dataclass(frozen=True)
class CalibratedSoftmax:
    """Class k has the probability softmax(c f)_k, less certain where f is unusually uncertain.

        c^2 = (1 + pi/4 u) / (1 + pi/4 max(v, u)),   v = sum_k var f_k / (K - 1)

    Parameters
    ----------
    usual_variance : u; infinite where c is 1 everywhere
    """

    kind: ClassVar = "calibrated softmax"
    usual_variance: float

    def scores(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes (n, K)."""
        return self.log_probability(latent)

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Of all classes (n, K)."""
        mean = latent.mean
        if np.isinf(self.usual_variance):
            return log_softmax(mean)
        of_contrast = latent.variance.sum(axis=1) / (mean.shape[1] - 1)
        unusual = np.maximum(of_contrast, self.usual_variance)
        ratio = (1.0 + MODERATION * self.usual_variance) / (1.0 + MODERATION * unusual)
        return log_softmax(np.sqrt(ratio)[:, None] * mean)

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The number of the most probable class (n,)."""
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
class IntegratedSoftmax:
    """Class k has the probability E softmax(f)_k, f Gaussian, by nodes.

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

    def scores(self, latent: Latent) -> np.ndarray:
        """Log probabilities of the classes (n, K)."""
        return self.log_probability(latent)

    def log_probability(self, latent: Latent) -> np.ndarray:
        """Of all classes (n, K)."""
        at_nodes = latent.mean[:, :, None] + self._deviation(latent)
        share = np.exp(log_softmax(at_nodes))
        probability = share.mean(axis=2)
        result = np.log(np.maximum(probability, LEAST_PROBABILITY))
        small = probability.min(axis=1) < LEAST_PROBABILITY
        if small.any():
            exact = log_sum(log_softmax(at_nodes[small]), axis=2)[:, :, 0]
            result[small] = exact - np.log(len(self.nodes))
        return result

    def _deviation(self, latent: Latent) -> np.ndarray:
        """S(x) node_j (n, K, n_nodes)."""
        if not self.own_weights:
            return np.sqrt(latent.process_variance)[:, :, None] * self.nodes.T
        values, vectors = np.linalg.eigh(latent.covariance)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))[:, None]) @ vectors.transpose(0, 2, 1)
        return root @ self.nodes.T

    def most_probable(self, latent: Latent) -> np.ndarray:
        """The number of the most probable class (n,)."""
        return self.log_probability(latent).argmax(axis=1)

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


def _check_classes(n_latents: int, n_classes: int) -> None:
    if n_latents != n_classes or n_classes < 2:
        raise ValueError(f"{n_classes} classes have {n_latents} latent values.")


ClassResponse = TwoClasses | OneVsRest | CalibratedSoftmax | IntegratedSoftmax
