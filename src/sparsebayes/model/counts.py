"""Counts whose mean is uncertain.

Their quantiles and probabilities need SciPy, which is loaded when they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from sparsebayes.model.latent import Latent
from sparsebayes.model.response import Quadrature, Response, usual_quadrature
from sparsebayes.model.special import ndtr
from sparsebayes.model.spread import Random

# Logarithms of means beyond this are taken for it.
MOST_LOG_MEAN = 300.0
# Logarithms beyond this, and standard deviations whose squares would not be numbers.
LARGEST_LOG, LARGEST_STD = 700.0, 1e150
# Counts from here on are drawn as Gaussian numbers; the generator takes no larger mean.
MOST_DRAWN = 1e15
# The largest count that doubles tell from the next.
LARGEST_COUNT = 2.0**53
# Where the noise of a count has less than this part of the variance of its logarithmic mean, nodes
# of the latter would leave gaps, and a Gaussian of both variances is as good.
NARROW = 0.1


@dataclass(frozen=True)
class CountTargets(Response):
    """A count with the mean m = exp(log_mean + f) and the variance m + dispersion m^2.

    Parameters
    ----------
    log_mean : what is added to the latent value
    dispersion : 0 for Poisson counts
    quadrature : nodes of a latent value
    """

    kind: ClassVar = "counts"
    log_mean: float
    dispersion: float
    quadrature: Quadrature = field(default_factory=usual_quadrature)

    @property
    def offset(self) -> np.ndarray:
        """What is added to the latent value (1,)."""
        return np.array([self.log_mean])

    def moments(self, mean: np.ndarray, variance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of counts, f having this mean and variance, (n, 1) each.

        M = E m = exp(log_mean + mean + variance / 2), and the variance of counts is
        M + dispersion E m^2 + E m^2 - M^2 with E m^2 = M^2 exp(variance).
        """
        expected = np.exp(np.minimum(self.log_mean + mean + 0.5 * variance, MOST_LOG_MEAN))
        capped = np.minimum(variance, MOST_LOG_MEAN)
        relative = self.dispersion * np.exp(capped) + np.expm1(capped)
        return expected, np.sqrt(expected) * np.sqrt(1.0 + expected * relative)

    def mean(self, latent: Latent) -> np.ndarray:
        """Mean of new counts (n, 1), for which the variance of f is needed."""
        return self.mean_and_std(latent)[0]

    def mean_and_std(self, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of new counts, (n, 1) each."""
        return self.moments(latent.mean, latent.variance)

    def noise_variance(self, latent: Latent) -> np.ndarray:
        """E[m + dispersion m^2] (n, 1), as the mean m has a logarithm that is Gaussian."""
        variance = latent.variance
        mean, _ = self.moments(latent.mean, variance)
        return mean + self.dispersion * mean**2 * np.exp(variance)

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """The least counts that are not exceeded with these probabilities (n, len(levels), 1)."""
        centre, width = latent.mean[:, 0] + self.log_mean, np.sqrt(latent.variance[:, 0])
        found = count_quantiles(centre, width, self.dispersion, levels, self.quadrature)
        return found[:, :, None]

    def log_density(self, latent: Latent, target: np.ndarray) -> np.ndarray:
        """Log probability of new counts (n, 1), the latent value integrated out.

        Targets are counts (n, 1), or these and the logarithms of their exposures (n, 2).
        """
        from sparsebayes.likelihoods import NegativeBinomial, Poisson
        from sparsebayes.likelihoods.tilting import log_integral

        size, log_mean = self.dispersion, self.log_mean
        likelihood = NegativeBinomial(size, log_mean) if size > 0.0 else Poisson(log_mean)
        counted = target[:, 0] if target.shape[1] == 1 else target
        return log_integral(likelihood, counted, latent.mean[:, 0], latent.variance[:, 0])[:, None]

    def with_noise(self, latent_draws: np.ndarray, random: Random, inputs: Any) -> np.ndarray:
        """Draws of new counts (n, n_samples, 1) from draws of their latent values."""
        mean = np.exp(np.minimum(latent_draws + self.log_mean, MOST_LOG_MEAN))
        if self.dispersion > 0.0:
            size = 1.0 / self.dispersion
            mean = mean * random.gamma(size, self.dispersion, mean.shape)
        large = mean > MOST_DRAWN
        drawn = random.poisson(np.where(large, 1.0, mean)).astype(np.float64)
        rough = mean + np.sqrt(mean) * random.standard_normal(mean.shape) if large.any() else mean
        return np.where(large, np.floor(rough), drawn)

    def covariance(self, latent: Latent) -> np.ndarray:
        """Covariance of new counts (n, n, 1): m m' (exp(cov) - 1), and that of each on top."""
        mean, variance, joint = latent.mean, latent.variance, latent.joint_covariance(0)
        log_mean, (_, std) = self.log_mean + mean + 0.5 * variance, self.moments(mean, variance)
        larger = log_mean + log_mean.T + np.maximum(joint, 0.0)
        found = -np.sign(joint) * np.expm1(-np.abs(joint)) * np.exp(np.minimum(larger, LARGEST_LOG))
        found.flat[:: len(found) + 1] = np.minimum(std[:, 0], LARGEST_STD) ** 2
        return found[:, :, None]

    def width(self, n_latents: int) -> int:
        """How many numbers it computes for a row of so many latent values."""
        return n_latents * len(self.quadrature.nodes)

    def check(self, n_latents: int, n_features: int) -> None:
        """An error unless all shapes go together."""
        self.quadrature.check()
        if n_latents != 1:
            raise ValueError("counts have one latent value.")
        numbers = isinstance(self.log_mean, float) and isinstance(self.dispersion, float)
        if not numbers or not np.isfinite(self.log_mean) or not 0.0 <= self.dispersion < np.inf:
            raise ValueError("log_mean and dispersion must be finite, the latter not negative.")


def count_quantiles(
    log_mean: np.ndarray,
    spread: np.ndarray,
    dispersion: float,
    levels: np.ndarray,
    quadrature: Quadrature,
) -> np.ndarray:
    """The least counts that are not exceeded with the probabilities `levels` (n, len(levels)).

    Parameters
    ----------
    log_mean, spread : mean and standard deviation of the logarithm of the mean count (n,)
    dispersion : 0 for Poisson counts
    """
    shape = (len(log_mean), len(levels))
    centre = np.broadcast_to(log_mean[:, None], shape).ravel()
    width = np.broadcast_to(spread[:, None], shape).ravel()
    wanted = np.broadcast_to(levels, shape).ravel()

    def below(count: np.ndarray) -> np.ndarray:
        return count_distribution(count, centre, width, dispersion, quadrature) >= wanted

    low, high = np.full(len(centre), -1.0), np.ones(len(centre))
    for _ in range(60):
        short = ~below(high) & (high < LARGEST_COUNT)
        if not short.any():
            break
        low, high = np.where(short, high, low), np.where(short, 2.0 * high, high)
    while (apart := high - low > 1.0).any():
        middle = np.where(apart, np.floor(0.5 * (low + high)), high)
        enough = below(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high.reshape(shape)


def count_distribution(
    count: np.ndarray,
    centre: np.ndarray,
    width: np.ndarray,
    dispersion: float,
    quadrature: Quadrature,
) -> np.ndarray:
    """The probability of at most this count (n,), all arguments but the dispersion (n,).

    At a given mean m it is that of a Gamma variable, or of a ratio of two, above m. So the noise
    of a count is one of log m as well, with a known mean and variance.
    """
    from scipy.special import digamma, polygamma

    middle, variance = digamma(count + 1.0), _trigamma(count + 1.0)
    if dispersion > 0.0:
        middle = middle - digamma(1.0 / dispersion) - np.log(dispersion)
        variance = variance + float(polygamma(1, 1.0 / dispersion))
    result = ndtr((middle - centre) / np.sqrt(width**2 + variance))
    near = variance >= NARROW * width**2
    if near.any():
        result[near] = _by_nodes(count[near], centre[near], width[near], dispersion, quadrature)
    return result


def _trigamma(x: np.ndarray) -> np.ndarray:
    """The derivative of the digamma function from 1 on, to two digits and more."""
    inverse = 1.0 / x
    return inverse * (1.0 + inverse * (0.5 + inverse / 6.0))


def _by_nodes(
    count: np.ndarray,
    centre: np.ndarray,
    width: np.ndarray,
    dispersion: float,
    quadrature: Quadrature,
) -> np.ndarray:
    """The probability of at most this count, by nodes of the logarithmic mean."""
    from scipy.special import betainc, gammaincc

    shares = quadrature.shares
    log_mean = np.minimum(centre[:, None] + width[:, None] * quadrature.nodes, MOST_LOG_MEAN)
    mean = np.exp(log_mean)
    if dispersion == 0.0:
        return gammaincc(count[:, None] + 1.0, mean) @ shares
    share = 1.0 / (1.0 + dispersion * mean)
    return betainc(1.0 / dispersion, count[:, None] + 1.0, share) @ shares
