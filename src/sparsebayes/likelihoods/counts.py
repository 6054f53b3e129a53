"""Counts, whose logarithmic mean is the latent value.

A target is a count, or a rate: a count over an *exposure*, such as claims over years. With rates
and exposures as weights the Poisson density of a row is, up to a constant, weight times that of its
rate. Where the exposure is given apart, targets are pairs (count, log exposure).

Densities are written about their largest value, where the mean is the count. Terms of 1e10 would
cancel otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from sparsebayes._parameters import is_number
from sparsebayes.likelihoods.likelihood import Likelihood, LikelihoodParameters

# Logarithmic means beyond this are taken for it: a count of 1e130 is none.
MOST_LOG_MEAN = 300.0
# How far the mean of the latent value may go from that of the data. Downwards no farther than there
# are counts: none at all, or a few, do not tell how small their mean is.
REACH = 15.0

# Means that differ by a factor of 20 within a standard deviation, and of 400 within two. Where
# nothing is known, E exp(f) is then 90 times the median; with a variance of 30 it would be three
# million times.
MOST_VARIANCE = 9.0


class Counts(Likelihood):
    """What densities of counts share.

    Attributes
    ----------
    log_mean : what is added to the latent value (a mean of the process); None to find it
    """

    log_mean: float | None
    most_variance = MOST_VARIANCE
    may_be_narrow = True

    def mean_count(self, target: np.ndarray, latent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Counts, and their means at the latent values."""
        assert self.log_mean is not None, "log_mean is to be found"
        count, log_exposure = counts_and_exposures(target)
        return count, np.exp(np.minimum(latent + self.log_mean + log_exposure, MOST_LOG_MEAN))

    def _free_log_mean(self, target: np.ndarray, weight: np.ndarray) -> tuple[float, float, float]:
        """The logarithm of the mean, of half a count where there are none; and its limits."""
        count, log_exposure = counts_and_exposures(target)
        exposure = float(weight @ np.exp(np.broadcast_to(log_exposure, weight.shape)))
        total = float(weight @ count)
        first = float(np.log(max(total, 0.5) / exposure))
        return first, first - min(REACH, total), first + REACH

    def one_by_one(self, target: np.ndarray) -> tuple[np.ndarray, Likelihood]:
        """One target, which may be pairs."""
        return target[None], self

    @property
    def _noise_of_mean(self) -> float:
        """1 / mean, with a least value."""
        assert self.log_mean is not None, "log_mean is to be found"
        return float(np.exp(np.clip(-self.log_mean, -18.0, 18.0)))


def check_log_mean(name: str, log_mean: Any) -> None:
    """An error unless it is None or a number that can be a logarithm of a mean."""
    if log_mean is not None and not (is_number(log_mean) and abs(float(log_mean)) <= 100.0):
        raise ValueError(
            f"log_mean of {name} must be None or a number between -100 and 100, got {log_mean!r}."
        )


def parameters_of(found: list[tuple[float, float, float]]) -> LikelihoodParameters:
    """From start, least and largest value of each."""
    table = np.reshape(np.array(found, dtype=np.float64), (-1, 3))
    return LikelihoodParameters(table[:, 0], table[:, 1:])


def counts_and_exposures(target: np.ndarray) -> tuple[np.ndarray, Any]:
    """Counts or rates (n,), and the logarithms of their exposures."""
    return (target, 0.0) if target.ndim == 1 else (target[:, 0], target[:, 1])


def ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """above / below, and 1 where either is zero, as such rows need none."""
    fine = (above > 0.0) & (below > 0.0)
    above, below = np.broadcast_arrays(above, below)
    return np.divide(above, below, out=np.ones(above.shape), where=fine)


def saturated(count: np.ndarray) -> np.ndarray:
    """t log t - t - log t!: the log density of Poisson counts whose mean is the count."""
    large = np.maximum(count, 1.0)
    return np.where(
        count >= 1.0,
        -0.5 * np.log(2.0 * np.pi * large) - remainder(large),
        xlogy(count, count) - count - gammaln(count + 1.0),
    )


def remainder(x: Any) -> Any:
    """log Gamma(x) - (x - 1/2) log x + x - 1/2 log 2 pi: what Stirling's formula leaves."""
    large = np.maximum(x, 10.0)
    inverse = 1.0 / large
    square = inverse**2
    series = inverse * (
        1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))
    )
    small = np.minimum(x, 10.0)
    direct = gammaln(small) - (small - 0.5) * np.log(small) + small - 0.5 * np.log(2.0 * np.pi)
    return np.where(x >= 10.0, series, direct)
