"""Counts, whose logarithmic mean is the latent value.

A target is a count, or a rate: a count over an *exposure*, such as claims over years. With rates
and exposures as weights the Poisson density of a row is, up to a constant, weight times that of its
rate. Where the exposure is given apart, targets are pairs (count, log exposure).

Densities are written about their largest value, where the mean is the count. Terms of 1e10 would
cancel otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from sparsebayes._parameters import Tunable, is_number
from sparsebayes.likelihoods.likelihood import FreeParameters, Likelihood, Quadratic, Tilted
from sparsebayes.likelihoods.tilting import tilted_about_mode

# Logarithmic means beyond this are taken for it: a count of 1e130 is none.
MOST_LOG_MEAN = 300.0
# How far the mean of the latent value may go from that of the data. Downwards no farther than there
# are counts: none at all, or a few, do not tell how small their mean is.
REACH = 15.0
# Logarithms of the dispersion, where the search starts and how far it may go. With less than the
# least, negative binomial and Poisson are the same for counts below a million.
FIRST_DISPERSION, LEAST_DISPERSION, MOST_DISPERSION = np.log(0.1), np.log(1e-8), np.log(1e3)
SMALLEST_DISPERSION, LARGEST_DISPERSION = 1e-10, 1e6


class Counts(Likelihood):
    """What densities of counts share.

    Attributes
    ----------
    log_mean : what is added to the latent value (a mean of the process); None to find it
    """

    log_mean: float | None
    counts = True

    def mean_count(self, target: np.ndarray, latent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Counts, and their means at the latent values."""
        assert self.log_mean is not None, "log_mean is to be found"
        count, log_exposure = counts_and_exposures(target)
        return count, np.exp(np.minimum(latent + self.log_mean + log_exposure, MOST_LOG_MEAN))

    def check_target(self, y: np.ndarray) -> None:
        """An error unless targets are counts, or rates where these will do."""
        if (y < 0.0).any():
            raise ValueError(
                f"y must hold counts or rates of 0 or more with {self.called}, got {y.min()}."
            )
        if not self.takes_rates and (y != np.floor(y)).any():
            odd = y[y != np.floor(y)][0]
            raise ValueError(
                f"y must hold whole numbers with {self.called}, whose spread depends on what is "
                f"counted; got {odd}. Pass counts, and fit(X, y, exposure=...) where exposures "
                'differ; likelihood="poisson" takes rates.'
            )

    def without_mean(self) -> Likelihood:
        """With a logarithmic mean of 0, unless one is given."""
        return self if self.log_mean is not None else replace(self, log_mean=0.0)  # type: ignore[type-var]

    def _free_log_mean(self, target: np.ndarray, weight: np.ndarray) -> tuple[float, float, float]:
        """The logarithm of the mean, of half a count where there are none; and its limits."""
        count, log_exposure = counts_and_exposures(target)
        exposure = float(weight @ np.exp(np.broadcast_to(log_exposure, weight.shape)))
        total = float(weight @ count)
        first = float(np.log(max(total, 0.5) / exposure))
        return first, first - min(REACH, total), first + REACH

    def tilted(
        self, target: np.ndarray, mean: np.ndarray, variance: np.ndarray, power: np.ndarray
    ) -> Tilted:
        """Moments of f under N(f | mean, variance) p(t | f)^power, by nodes about its mode."""
        return tilted_about_mode(self, target, mean, variance, power)

    def one_by_one(self, target: np.ndarray) -> tuple[np.ndarray, Likelihood]:
        """One target, which may be pairs."""
        return target[None], self

    @property
    def _noise_of_mean(self) -> float:
        """1 / mean, with a least value."""
        assert self.log_mean is not None, "log_mean is to be found"
        return float(np.exp(np.clip(-self.log_mean, -18.0, 18.0)))


@dataclass(repr=False)
class Poisson(Tunable, Counts):
    """Counts whose variance is their mean: p(t | f) is Poisson with the mean exp(f).

    y are counts; or rates, with their exposure as `sample_weight`, as in scikit-learn's
    `PoissonRegressor`.

    Parameters
    ----------
    log_mean : float, default=None
        What the logarithm of the mean is thought to be before there are data, and where there are
        none. None learns it. It is 0 without an intercept.

    Examples
    --------
    >>> from sparsebayes import RVR, Poisson
    >>> RVR(likelihood=Poisson())
    RVR(likelihood=Poisson())
    """

    log_mean: float | None = None

    name = "poisson"
    called = "Poisson counts"
    takes_rates = True
    needs_tuning = False

    def check(self) -> None:
        """An error for a parameter that is out of its range."""
        _check_log_mean("Poisson", self.log_mean)

    @property
    def noise_scale(self) -> float:
        """The root of 1 / mean."""
        return self._noise_of_mean**0.5

    @property
    def n_free(self) -> int:
        """The logarithmic mean, unless it is given."""
        return int(self.log_mean is None)

    def free(self, target: np.ndarray, weight: np.ndarray) -> FreeParameters:
        """The logarithmic mean, unless it is given."""
        return _parameters([self._free_log_mean(target, weight)][: self.n_free])

    def at(self, parameters: np.ndarray) -> Poisson:
        """With a logarithmic mean."""
        return self if self.log_mean is not None else Poisson(float(parameters[0]))

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """t log m - m - log t!, t - m and m, with m the mean exp(f)."""
        count, mean = self.mean_count(target, latent)
        value = xlogy(count, _ratio(mean, count)) - (mean - count) + saturated(count)
        return Quadratic(value, count - mean, mean)

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """m."""
        return self.mean_count(target, latent)[1]

    def deviance(self, y: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Twice what a mean loses against that of the count itself (n,)."""
        return 2.0 * (xlogy(y, _ratio(y, mean)) - y + mean)


@dataclass(repr=False)
class NegativeBinomial(Tunable, Counts):
    """Counts that vary more than Poisson counts do: with the variance m + dispersion m^2.

    p(t | f) is negative binomial with the mean m = exp(f): a Poisson count whose mean has itself a
    Gamma distribution. y are counts, not rates: a spread is that of what is counted. Pass
    `fit(X, y, exposure=...)` where they were counted over different exposures.

    Parameters
    ----------
    dispersion : float, default=None
        A positive number; near 0 it is Poisson. None learns it.
    log_mean : float, default=None
        As in `Poisson`.

    Examples
    --------
    >>> from sparsebayes import RVR, NegativeBinomial
    >>> RVR(likelihood=NegativeBinomial(dispersion=0.5)).get_params()["likelihood__dispersion"]
    0.5
    """

    dispersion: float | None = None
    log_mean: float | None = None

    name = "negative_binomial"
    called = "negative binomial counts"

    def check(self) -> None:
        """An error for a parameter that is out of its range."""
        given, least, most = self.dispersion, SMALLEST_DISPERSION, LARGEST_DISPERSION
        if given is not None and not (is_number(given) and least <= float(given) <= most):
            raise ValueError(
                "dispersion of NegativeBinomial must be None or a positive number between "
                f'{least:g} and {most:g}, got {given!r}; likelihood="poisson" has none.'
            )
        _check_log_mean("NegativeBinomial", self.log_mean)

    @property
    def size(self) -> float:
        """r = 1 / dispersion."""
        assert self.dispersion is not None, "the dispersion is to be found"
        return 1.0 / self.dispersion

    @property
    def noise_scale(self) -> float:
        """The root of 1 / mean + dispersion."""
        return (self._noise_of_mean + 1.0 / self.size) ** 0.5

    @property
    def n_free(self) -> int:
        """Those of the two that are not given."""
        return (self.dispersion is None) + (self.log_mean is None)

    def free(self, target: np.ndarray, weight: np.ndarray) -> FreeParameters:
        """The logarithm of the dispersion, and the logarithmic mean."""
        found = []
        if self.dispersion is None:
            found.append((FIRST_DISPERSION, LEAST_DISPERSION, MOST_DISPERSION))
        if self.log_mean is None:
            found.append(self._free_log_mean(target, weight))
        return _parameters(found)

    def at(self, parameters: np.ndarray) -> NegativeBinomial:
        """With a dispersion and a logarithmic mean."""
        values = iter(parameters)
        dispersion = self.dispersion
        if dispersion is None:
            dispersion = float(np.exp(next(values)))
        log_mean = float(next(values)) if self.log_mean is None else self.log_mean
        return NegativeBinomial(dispersion, log_mean)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """t log m - (t + r) log(r + m) + ..., with m the mean exp(f) and r = 1 / dispersion.

        Slope r (t - m) / (r + m), curvature r m (t + r) / (r + m)^2.
        """
        (count, mean), size = self.mean_count(target, latent), self.size
        value = xlogy(count, _ratio(mean, count)) + saturated_negative_binomial(count, size)
        value -= (count + size) * np.log1p((mean - count) / (count + size))
        share, steep = size / (size + mean), (count + size) / (size + mean)
        return Quadratic(value, share * (count - mean), share * steep * mean)

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """W (r - m) / (r + m), W the curvature."""
        _, mean = self.mean_count(target, latent)
        size = self.size
        return self.expand(target, latent).curvature * (size - mean) / (size + mean)

    def deviance(self, y: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Twice what a mean loses against that of the count itself (n,)."""
        more = (y + self.size) * np.log1p((mean - y) / (y + self.size))
        return 2.0 * (more - xlogy(y, _ratio(mean, y)))


def _check_log_mean(name: str, log_mean: Any) -> None:
    if log_mean is not None and not (is_number(log_mean) and abs(float(log_mean)) <= 100.0):
        raise ValueError(
            f"log_mean of {name} must be None or a number between -100 and 100, got {log_mean!r}."
        )


def _parameters(found: list[tuple[float, float, float]]) -> FreeParameters:
    """From start, least and largest value of each."""
    table = np.reshape(np.array(found, dtype=np.float64), (-1, 3))
    return FreeParameters(table[:, 0], table[:, 1:])


def counts_and_exposures(target: np.ndarray) -> tuple[np.ndarray, Any]:
    """Counts or rates (n,), and the logarithms of their exposures."""
    return (target, 0.0) if target.ndim == 1 else (target[:, 0], target[:, 1])


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
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


def saturated_negative_binomial(count: np.ndarray, size: float) -> np.ndarray:
    """The log density of negative binomial counts whose mean is the count.

    With t counts and r = size, and the remainder of Stirling's formula R(x),

        1/2 log(r / (2 pi t (t + r))) + R(t + r) - R(r) - R(t).
    """
    large = np.maximum(count, 1.0)
    far = 0.5 * np.log(size / (2.0 * np.pi * large * (large + size)))
    far = far + remainder(large + size) - remainder(size) - remainder(large)
    small = np.minimum(count, 1.0)
    near = gammaln(small + size) - gammaln(size) - gammaln(small + 1.0)
    near = (
        near + xlogy(small, small) - small * np.log(size) - (small + size) * np.log1p(small / size)
    )
    return np.where(count >= 1.0, far, near)


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
