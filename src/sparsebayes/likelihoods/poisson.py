"""Counts whose variance is their mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from sparsebayes._parameters import Tunable
from sparsebayes.likelihoods.counts import (
    Counts,
    check_log_mean,
    parameters_of,
    ratio,
    saturated,
)
from sparsebayes.likelihoods.likelihood import FreeParameters, Quadratic


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
        check_log_mean("Poisson", self.log_mean)

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
        return parameters_of([self._free_log_mean(target, weight)][: self.n_free])

    def at(self, parameters: np.ndarray) -> Poisson:
        """With a logarithmic mean."""
        return self if self.log_mean is not None else Poisson(float(parameters[0]))

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """t log m - m - log t!, t - m and m, with m the mean exp(f)."""
        count, mean = self.mean_count(target, latent)
        value = xlogy(count, ratio(mean, count)) - (mean - count) + saturated(count)
        return Quadratic(value, count - mean, mean)

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """m."""
        return self.mean_count(target, latent)[1]

    def deviance(self, y: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Twice what a mean loses against that of the count itself (n,)."""
        return 2.0 * (xlogy(y, ratio(y, mean)) - y + mean)
