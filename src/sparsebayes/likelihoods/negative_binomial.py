"""Counts that vary more than their mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, xlogy

from sparsebayes._parameters import Tunable, is_number
from sparsebayes.likelihoods.counts import (
    Counts,
    check_log_mean,
    parameters_of,
    ratio,
    remainder,
)
from sparsebayes.likelihoods.likelihood import LikelihoodParameters, Quadratic

# Logarithms of the dispersion: where the search starts, how far it may go, and where it starts
# once more. Narrow kernels can stand for counts that vary, and from a small dispersion the search
# may end with them. With less than the least, negative binomial and Poisson are the same for counts
# below a million.
FIRST_DISPERSION, LEAST_DISPERSION, MOST_DISPERSION = np.log(0.1), np.log(1e-8), np.log(1e3)
OTHER_DISPERSION = np.log(3.0)
SMALLEST_DISPERSION, LARGEST_DISPERSION = 1e-10, 1e6


@dataclass(repr=False)
class NegativeBinomial(Tunable, Counts):
    """Counts that vary more than Poisson counts: with the variance m + dispersion m^2.

    The mean is m = exp(f(x)). It is the distribution of a Poisson count whose mean itself has a
    Gamma distribution. y holds counts, not rates. Pass ``fit(X, y, exposure=...)`` if they were
    counted over different exposures.

    Parameters
    ----------
    dispersion : float, default=None
        A positive number; near 0 it is Poisson. None learns it.
    log_mean : float, default=None
        The logarithm of the mean count that is expected where there are no data; see `Poisson`.

    See Also
    --------
    Poisson : Counts that vary as their mean.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/other_targets.html

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR, NegativeBinomial
    >>> X = np.linspace(0, 6, 80)[:, None]
    >>> mean = np.exp(2.0 + 2.0 * np.sin(X[:, 0]))
    >>> y = np.random.default_rng(0).negative_binomial(2, 2 / (2 + mean))
    >>> model = RVR(likelihood=NegativeBinomial()).fit(X, y)
    >>> 0.2 < model.likelihood_.dispersion < 1.0  # it is 0.5
    True
    """

    dispersion: float | None = None
    log_mean: float | None = None

    called = "negative binomial counts"

    def check(self) -> None:
        """An error for a parameter that is out of its range."""
        given, least, most = self.dispersion, SMALLEST_DISPERSION, LARGEST_DISPERSION
        if given is not None and not (is_number(given) and least <= float(given) <= most):
            raise ValueError(
                "dispersion of NegativeBinomial must be None or a positive number between "
                f'{least:g} and {most:g}, got {given!r}; likelihood="poisson" has none.'
            )
        check_log_mean("NegativeBinomial", self.log_mean)

    @property
    def size(self) -> float:
        """The number r = 1 / dispersion."""
        assert self.dispersion is not None, "the dispersion is to be found"
        return 1.0 / self.dispersion

    @property
    def noise_scale(self) -> float:
        """The root of 1 / mean + dispersion."""
        return (self._noise_of_mean + 1.0 / self.size) ** 0.5

    @property
    def n_free(self) -> int:
        """How many of the two parameters are not given."""
        return (self.dispersion is None) + (self.log_mean is None)

    def free(self, target: np.ndarray, weight: np.ndarray) -> LikelihoodParameters:
        """The logarithm of the dispersion, and the logarithmic mean."""
        found = []
        if self.dispersion is None:
            found.append((FIRST_DISPERSION, LEAST_DISPERSION, MOST_DISPERSION))
        if self.log_mean is None:
            found.append(self._free_log_mean(target, weight))
        free = parameters_of(found)
        if self.dispersion is not None:
            return free
        return free._replace(others=(np.append(OTHER_DISPERSION, free.start[1:]),))

    def at(self, parameters: np.ndarray) -> NegativeBinomial:
        """With a dispersion and a logarithmic mean."""
        values = iter(parameters)
        dispersion = self.dispersion
        if dispersion is None:
            dispersion = float(np.exp(next(values)))
        log_mean = float(next(values)) if self.log_mean is None else self.log_mean
        return NegativeBinomial(dispersion, log_mean)

    def with_moments(self, mean: float, variance: float) -> NegativeBinomial:
        """The likelihood of counts of this mean and variance, where it is more than the mean."""
        more = variance / mean**2 - 1.0 / mean
        return NegativeBinomial(max(more, float(np.exp(LEAST_DISPERSION))), float(np.log(mean)))

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Value t log m - (t + r) log(r + m) + ..., with m the mean exp(f) and r = 1 / dispersion.

        Slope r (t - m) / (r + m), curvature r m (t + r) / (r + m)^2.
        """
        (count, mean), size = self.mean_count(target, latent), self.size
        value = xlogy(count, ratio(mean, count)) + saturated_negative_binomial(count, size)
        value -= (count + size) * np.log1p((mean - count) / (count + size))
        share, steep = size / (size + mean), (count + size) / (size + mean)
        return Quadratic(value, share * (count - mean), share * steep * mean)

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """Derivative of the curvature W for the latent value: W (r - m) / (r + m)."""
        _, mean = self.mean_count(target, latent)
        size = self.size
        return self.expand(target, latent).curvature * (size - mean) / (size + mean)

    def deviance(self, y: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Twice what a mean loses against that of the count itself (n,)."""
        more = (y + self.size) * np.log1p((mean - y) / (y + self.size))
        return 2.0 * (more - xlogy(y, ratio(mean, y)))


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
