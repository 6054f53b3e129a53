"""Real targets: latent values with Gaussian noise, and their quantiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import gammainccinv, gammaincinv, logsumexp, ndtr, ndtri
from scipy.stats import t as student_t

from sparsebayes.hyperpriors import Gamma
from sparsebayes.likelihoods import NODES, SHARES
from sparsebayes.model import responses
from sparsebayes.predictors.predictor import Latent, map_rows
from sparsebayes.predictors.weights import Random, Weights


@dataclass(frozen=True)
class MixtureRule:
    """How the noise precision is integrated out.

    Parameters
    ----------
    least_nodes, node_distance : number of values of log(tau), or their distance if that makes
        more; the trapezium rule then has ten digits for shapes of 1.5 and more
    left_out : probability at either end that no value stands for
    smallest : a value of tau that is not 0, for shapes near 0
    most_steps : of Newton's method; ten are usual
    tolerance : a relative step at which a quantile is found
    block_numbers : how many numbers are computed at a time; 2**16 stay in the processor's cache
    far : standard deviations from which on an error is far out
    """

    least_nodes: int = 65
    node_distance: float = 0.3
    left_out: float = 1e-12
    smallest: float = 1e-300
    most_steps: int = 50
    tolerance: float = 1e-12
    block_numbers: int = 2**16
    far: float = 6.0


def gaussian_quantiles(mean: np.ndarray, std: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Quantiles of N(mean, std^2) (n, len(levels)), for mean and std (n,)."""
    return mean[:, None] + std[:, None] * ndtri(levels)


def gaussian_log_density(square: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Of N(0, variance) at errors with these squares."""
    return -0.5 * (np.log(2.0 * np.pi * variance) + square / variance)


def mixture_log_density(
    error: np.ndarray, variance: np.ndarray, noise_precision: Gamma, rule: MixtureRule
) -> np.ndarray:
    """Log of the integral of N(error | 0, variance + 1 / tau) over Gamma(tau) (n,).

    By nodes of tau; far out, where few of these count, by nodes of the latent value, over which a
    Student-t is flat there.
    """
    precision, share = precision_nodes(noise_precision, rule)
    with np.errstate(divide="ignore"):  # of shares that have underflowed
        log_share = np.log(share)
    total = variance[:, None] + 1.0 / precision
    near = logsumexp(gaussian_log_density(error[:, None] ** 2, total) + log_share, axis=1)
    df, scale = 2.0 * noise_precision.shape, (noise_precision.rate / noise_precision.shape) ** 0.5
    at_nodes = error[:, None] - np.sqrt(variance)[:, None] * NODES
    far = logsumexp(student_t.logpdf(at_nodes, df, scale=scale) + np.log(SHARES), axis=1)
    return np.where(error**2 > rule.far**2 * (variance + scale**2), far, near)


def mixture_quantiles(
    mean: np.ndarray,
    variance: np.ndarray,
    noise_precision: Gamma,
    levels: np.ndarray,
    rule: MixtureRule = MixtureRule(),
) -> np.ndarray:
    """Quantiles (n, len(levels)) of the integral of N(mean, variance + 1 / tau) over Gamma(tau).

    A Student-t distribution where the variance is zero. [BT00] (35), with the integral over tau
    done by the trapezium rule in log(tau).
    """
    precision, share = precision_nodes(noise_precision, rule)

    def std(rows: slice) -> np.ndarray:
        return np.sqrt(variance[rows, None] + 1.0 / precision)

    return symmetric_quantiles(mean, std, share, levels, rule)


def symmetric_quantiles(
    mean: np.ndarray,
    std: Callable[[slice], np.ndarray],
    share: np.ndarray,
    levels: np.ndarray,
    rule: MixtureRule,
) -> np.ndarray:
    """Quantiles (n, len(levels)) of mixtures of Gaussians about one mean for each row (n,).

    Parameters
    ----------
    std : rows -> standard deviations of the Gaussians (n, j)
    share : of each of them (j,)
    """
    # Levels p and 1 - p have one distance from the mean, and 1/2 has none.
    distinct, place = np.unique([0.5, *np.maximum(levels, 1.0 - levels)], return_inverse=True)
    upper = distinct[1:]

    def distance(rows: slice) -> tuple[np.ndarray]:
        return (_mixture_distance(std(rows), share, upper, rule),)

    numbers_per_row = len(upper) * len(share)
    (found,) = map_rows(distance, len(mean), numbers_per_row, rule.block_numbers)
    found = np.hstack([np.zeros((len(mean), 1)), found])[:, place[1:]]
    return mean[:, None] + np.sign(levels - 0.5) * found


def _mixture_distance(
    std: np.ndarray, share: np.ndarray, upper: np.ndarray, rule: MixtureRule
) -> np.ndarray:
    """Upper quantiles (n, len(upper)) of mixtures of N(0, std^2), std (n, j), shares (j,).

    Newton's method: the upper half of a distribution function is concave, so that every step ends
    below the quantile, and steps from there on lead upwards.
    """
    least = ndtri(upper) * std.min(axis=1, keepdims=True)
    distance = ndtri(upper) / np.sqrt(std**-2.0 @ share)[:, None]
    for _ in range(rule.most_steps):
        ratio = distance[:, :, None] / std[:, None]
        below = ndtr(ratio) @ share
        ratio *= ratio
        ratio *= -0.5
        np.exp(ratio, out=ratio)
        ratio /= std[:, None]
        step = (upper - below) / (ratio @ share) * np.sqrt(2.0 * np.pi)
        distance = np.maximum(distance + step, least)
        if np.all(np.abs(step) <= rule.tolerance * distance):
            break
    return distance


def precision_nodes(distribution: Gamma, rule: MixtureRule) -> tuple[np.ndarray, np.ndarray]:
    """Values of a Gamma variable, evenly spaced in their logarithm, and their shares (j,)."""
    shape = distribution.shape
    lowest = max(gammaincinv(shape, rule.left_out), rule.smallest)
    highest = gammainccinv(shape, rule.left_out)
    n_nodes = int(np.log(highest / lowest) / rule.node_distance)
    log_value = np.linspace(np.log(lowest), np.log(highest), max(n_nodes, rule.least_nodes))
    log_share = shape * log_value - np.exp(log_value)
    share = np.exp(log_share - log_share.max())
    return np.exp(log_value) / distribution.rate, share / share.sum()


@dataclass(frozen=True)
class GaussianResponse:
    """Each of k outputs is offset + f + noise, f its latent value.

    Parameters
    ----------
    noise_std : standard deviation of the noise of each output (k,)
    noise_posterior : of each output the distribution of its noise precision, where that was
        inferred; quantiles then integrate over it
    offset : what is added to each output (k,), or to all: the mean of targets that were centred
    mixture_rule : how quantiles integrate over the noise precision
    """

    noise_std: np.ndarray
    noise_posterior: tuple[Gamma, ...] | None = None
    offset: np.ndarray | float = 0.0
    mixture_rule: MixtureRule = field(default=MixtureRule(), repr=False)

    def with_more_noise(self, variance: np.ndarray) -> GaussianResponse:
        """The same with this variance added to the noise of each output (k,)."""
        return replace(self, noise_std=np.sqrt(self.noise_std**2 + variance))

    def plain(self, weights: Weights) -> responses.RealTargets:
        """The same as plain arrays, the distribution of the noise by nodes."""
        n_outputs = weights.mean.shape[1]
        offset = np.broadcast_to(np.asarray(self.offset, dtype=np.float64), n_outputs).copy()
        if self.noise_posterior is None:
            return responses.RealTargets(offset, self.noise_std)
        nodes = [precision_nodes(each, self.mixture_rule) for each in self.noise_posterior]
        precisions, shares = zip(*nodes, strict=True)
        return responses.RealTargets(offset, self.noise_std, precisions, shares)

    def mean(self, latent: Latent) -> np.ndarray:
        """Mean of new targets (n, k). [T01] (21)"""
        return latent.mean() + self.offset

    def mean_and_std(self, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new targets, noise included, (n, k) each. [T01] (22)"""
        mean, variance = latent.moments()
        return mean + self.offset, np.sqrt(variance + self.noise_std**2)

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """Quantiles of new targets, noise included (n, len(levels), k)."""
        mean, variance = latent.moments()
        mean = mean + self.offset
        outputs = [
            self._quantiles_of(k, mean[:, k], variance[:, k], levels) for k in range(mean.shape[1])
        ]
        return np.stack(outputs, axis=-1)

    def _quantiles_of(
        self, k: int, mean: np.ndarray, variance: np.ndarray, levels: np.ndarray
    ) -> np.ndarray:
        if self.noise_posterior is None:
            return gaussian_quantiles(mean, np.sqrt(variance + self.noise_std[k] ** 2), levels)
        noise = self.noise_posterior[k]
        return mixture_quantiles(mean, variance, noise, levels, self.mixture_rule)

    def with_noise(self, latent_draws: np.ndarray, random: Random, inputs: Any) -> np.ndarray:
        """Draws of new targets (n, n_samples, k) from draws of their latent values."""
        noise = random.standard_normal(latent_draws.shape)
        if self.noise_posterior is None:
            return latent_draws + self.offset + self.noise_std * noise
        for k, each in enumerate(self.noise_posterior):
            precision = random.gamma(each.shape, 1.0 / each.rate, latent_draws.shape[:2])
            noise[..., k] /= np.sqrt(np.maximum(precision, self.mixture_rule.smallest))
        return latent_draws + self.offset + noise

    def log_density(self, latent: Latent, target: np.ndarray) -> np.ndarray:
        """Of new targets (n, k), the latent values and the noise precision integrated out."""
        mean, variance = latent.moments()
        if self.noise_posterior is None:
            apart = (target - mean - self.offset) ** 2
            return gaussian_log_density(apart, variance + self.noise_std**2)
        error = target - mean - self.offset
        found = [
            mixture_log_density(error[:, k], variance[:, k], each, self.mixture_rule)
            for k, each in enumerate(self.noise_posterior)
        ]
        return np.stack(found, axis=1)

    def covariance(self, latent: Latent) -> np.ndarray:
        """Covariance of new targets of each output, noise included (n, n, k)."""
        n_rows = len(latent.design)
        result = np.empty((n_rows, n_rows, len(self.noise_std)))
        for k, noise_std in enumerate(self.noise_std):
            result[..., k] = latent.joint_covariance(k)
            np.einsum("nn->n", result[..., k])[:] += noise_std**2
        return result
