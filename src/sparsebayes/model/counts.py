"""Counts whose mean is uncertain.

Their quantiles need SciPy, which is loaded when they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sparsebayes.model.latent import Latent
from sparsebayes.model.responses import Quadrature
from sparsebayes.model.special import ndtr

# Logarithms of means beyond this are taken for it.
MOST_LOG_MEAN = 300.0
# The largest count that doubles tell from the next.
LARGEST_COUNT = 2.0**53
# Where the noise of a count has less than this part of the variance of its logarithmic mean, nodes
# of the latter would leave gaps, and a Gaussian of both variances is as good.
NARROW = 0.1


@dataclass(frozen=True)
class CountTargets:
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
    quadrature: Quadrature

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
        """Mean of new counts (n, 1)."""
        return self.moments(latent.mean, latent.variance)[0]

    def std(self, latent: Latent) -> np.ndarray:
        """Their standard deviation (n, 1)."""
        return self.moments(latent.mean, latent.variance)[1]

    def quantiles(self, latent: Latent, levels: np.ndarray) -> np.ndarray:
        """The least counts that are not exceeded with these probabilities (n, len(levels), 1)."""
        return self.quantiles_at(latent.mean[:, 0], latent.variance[:, 0], levels)[:, :, None]

    def quantiles_at(
        self, mean: np.ndarray, variance: np.ndarray, levels: np.ndarray
    ) -> np.ndarray:
        """The same for f of this mean and variance (n,), of shape (n, len(levels))."""
        return count_quantiles(
            mean + self.log_mean, np.sqrt(variance), self.dispersion, levels, self.quadrature
        )

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
    """The same by nodes of the logarithmic mean."""
    from scipy.special import betainc, gammaincc

    shares = quadrature.shares
    log_mean = np.minimum(centre[:, None] + width[:, None] * quadrature.nodes, MOST_LOG_MEAN)
    mean = np.exp(log_mean)
    if dispersion == 0.0:
        return gammaincc(count[:, None] + 1.0, mean) @ shares
    share = 1.0 / (1.0 + dispersion * mean)
    return betainc(1.0 / dispersion, count[:, None] + 1.0, share) @ shares
