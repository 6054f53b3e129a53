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
from sparsebayes.likelihoods.likelihood import LikelihoodParameters, Quadratic


@dataclass(repr=False)
class Poisson(Tunable, Counts):
    """Counts whose variance is their mean: Poisson with the mean exp(f(x)).

    y holds counts. It may also hold rates, with the exposures as `sample_weight`, as in
    scikit-learn's `PoissonRegressor`. Weights count rows if y holds whole numbers only.

    Parameters
    ----------
    log_mean : float, default=None
        The logarithm of the mean count that is expected where there are no data. None learns it, or
        is 0 for a model without an intercept.

    See Also
    --------
    NegativeBinomial : Counts that vary more.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/other_targets.html

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR, Poisson
    >>> X = np.linspace(0, 6, 80)[:, None]
    >>> y = np.random.default_rng(0).poisson(np.exp(1.0 + np.sin(X[:, 0])))
    >>> model = RVR(likelihood=Poisson()).fit(X, y)
    >>> low, high = model.predict_quantiles([[1.5]], [0.05, 0.95])[0]  # whole numbers
    >>> bool(low < np.exp(2.0) < high)
    True
    """

    log_mean: float | None = None

    called = "Poisson counts"
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

    def free(self, target: np.ndarray, weight: np.ndarray) -> LikelihoodParameters:
        """The logarithmic mean, unless it is given."""
        return parameters_of([self._free_log_mean(target, weight)][: self.n_free])

    def at(self, parameters: np.ndarray) -> Poisson:
        """With a logarithmic mean."""
        return self if self.log_mean is not None else Poisson(float(parameters[0]))

    def with_moments(self, mean: float, variance: float) -> Poisson:
        """The likelihood of counts of this mean, whatever their variance."""
        return Poisson(float(np.log(mean)))

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Value t log m - m - log t!, slope t - m and curvature m, with m the mean exp(f)."""
        count, mean = self.mean_count(target, latent)
        value = xlogy(count, ratio(mean, count)) - (mean - count) + saturated(count)
        return Quadratic(value, count - mean, mean)

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """Derivative of the curvature for the latent value: the mean m."""
        return self.mean_count(target, latent)[1]

    def deviance(self, y: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Twice what a mean loses against that of the count itself (n,)."""
        return 2.0 * (xlogy(y, ratio(y, mean)) - y + mean)
