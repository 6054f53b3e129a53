"""Real targets with heavy-tailed noise: a few rows may be far off without a say in the rest.

The log density of a Student-t is not concave, so that its own curvature is negative for outliers.
The expected curvature takes its place, the Fisher information

    W = (nu + 1) / (nu + 3) / scale^2,

which is the same for all rows. So Laplace's evidence has exact gradients: the curvature does not
move with the mode. Its error bars are those of a maximum-likelihood estimate where rows are many.
The weights of EM, which are exact for a given row, would make them too small by the root of
(nu + 1) / (nu + 3), since they count what is not known of these weights as known. Steps to the mode
do take them, as they never overshoot. (Hartmann and Vanhatalo 2019 have the Laplace approximation
with the Fisher information; Lange, Little and Taylor 1989 the weights.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import digamma, gammaln

from sparsebayes._parameters import LARGEST, SMALLEST, Tunable, is_number
from sparsebayes.likelihoods.gaussian import Gaussian
from sparsebayes.likelihoods.likelihood import Likelihood, LikelihoodParameters, Quadratic

# Degrees of freedom that are learned, less 2: without two of them there is no standard deviation.
LEAST_FREEDOM, FIRST_FREEDOM, MOST_FREEDOM = 0.1, 2.0, 1e3
# The largest that may be given; beyond, it is a Gaussian to the last digit.
LARGEST_DF = 1e8
# Squared scale relative to the spread of the targets: the first, the least, the largest.
FIRST_SCALE, LEAST_SCALE, MOST_SCALE = 0.1, 1e-8, 1e2
# The median distance from the median is this part of the standard deviation of a Gaussian.
MEDIAN_DISTANCE = 0.6744897501960817


@dataclass(repr=False)
class StudentT(Tunable, Likelihood):
    """Noise with heavy tails, so that outliers hardly count.

    A target has a Student-t distribution about f(x). If there are no outliers, the degrees of
    freedom become large, and the noise is nearly Gaussian.

    Parameters
    ----------
    df : float, default=None
        Degrees of freedom, more than 2: 3 for many outliers, 30 for next to none. None learns them
        from the evidence, between 2.1 and 1002.
    scale : float, default=None
        The scale of the noise, in units of y. The standard deviation of the noise is the scale
        times the root of df / (df - 2). None learns it.

    See Also
    --------
    Heteroscedastic : Gaussian noise that depends on the inputs.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/other_targets.html

    Examples
    --------
    >>> from sparsebayes import RVR, StudentT
    >>> from sparsebayes.datasets import noisy_sinc
    >>> X, y = noisy_sinc(100, random_state=0)
    >>> y[::10] += 2.0  # ten rows are wrong
    >>> model = RVR(likelihood=StudentT()).fit(X, y)
    >>> bool(model.outlier_weight_[::10].max() < 0.1)
    True
    >>> RVR(likelihood=StudentT(df=4)).get_params()["likelihood__df"]
    4
    """

    df: float | None = None
    scale: float | None = None

    called = "Student-t noise"
    has_units = True
    exact_curvature = False
    log_concave = False

    def check(self) -> None:
        """An error for a parameter that is out of its range."""
        if self.df is not None and not (is_number(self.df) and 2.0 < float(self.df) <= LARGEST_DF):
            raise ValueError(
                f"df of StudentT must be None or a number of more than 2, up to {LARGEST_DF:g}, so "
                f"that the noise has a standard deviation; got {self.df!r}."
            )
        scale: Any = self.scale
        if scale is not None and not (is_number(scale) and SMALLEST < float(scale) < LARGEST):
            raise ValueError(
                f"scale of StudentT must be None or a positive number between {SMALLEST} and "
                f"{LARGEST}, got {scale!r}."
            )

    @property
    def values(self) -> tuple[float, float]:
        """Degrees of freedom and scale, where both are known."""
        assert self.df is not None, "df is to be found"
        assert self.scale is not None, "scale is to be found"
        return float(self.df), float(self.scale)

    @property
    def noise_scale(self) -> float:
        """The scale."""
        return self.values[1]

    @property
    def noise_std(self) -> float:
        """Standard deviation of the noise."""
        df, scale = self.values
        return scale * (df / (df - 2.0)) ** 0.5

    @property
    def n_free(self) -> int:
        """How many of the two parameters are not given."""
        return (self.df is None) + (self.scale is None)

    def free(self, target: np.ndarray, weight: np.ndarray) -> LikelihoodParameters:
        """Logarithms of scale^-2 and of df - 2."""
        start, limits = [], []
        if self.scale is None:
            spread = 2.0 * np.log(robust_spread(target, weight))
            start.append(-spread - np.log(FIRST_SCALE))
            limits.append([-spread - np.log(MOST_SCALE), -spread - np.log(LEAST_SCALE)])
        if self.df is None:
            start.append(np.log(FIRST_FREEDOM))
            limits.append([np.log(LEAST_FREEDOM), np.log(MOST_FREEDOM)])
        return LikelihoodParameters(np.array(start), np.reshape(limits, (-1, 2)))

    @property
    def leader(self) -> Gaussian:
        """Gaussian noise: kernels as narrow as rows can explain outliers, too, without any noise.

        Such a maximum is often nearer to where nothing is known than the one that is meant, and
        has the lower evidence. Gaussian noise does not lead there.
        """
        return Gaussian()

    def led(self, log_noise_precision: float) -> np.ndarray:
        """Noise of a quarter of the variance, as part of it are outliers."""
        precision = [log_noise_precision + np.log(4.0)] if self.scale is None else []
        return np.array([*precision, np.log(FIRST_FREEDOM)] if self.df is None else precision)

    def at(self, parameters: np.ndarray) -> StudentT:
        """With scale and degrees of freedom."""
        values = iter(parameters)
        scale = float(np.exp(-0.5 * next(values))) if self.scale is None else self.scale
        df = 2.0 + float(np.exp(next(values))) if self.df is None else self.df
        return StudentT(df, scale)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Value and slope of the log density, and the Fisher information."""
        df, scale = self.values
        residual = (target - latent) / scale
        value = log_normaliser(df) - np.log(scale) - 0.5 * (df + 1.0) * np.log1p(residual**2 / df)
        slope = (df + 1.0) * residual / (df + residual**2) / scale
        return Quadratic(value, slope, np.full_like(slope, self._information))

    @property
    def _information(self) -> float:
        df, scale = self.values
        return (df + 1.0) / (df + 3.0) / scale**2

    def curvature_at(
        self, target: np.ndarray, latent: np.ndarray
    ) -> Callable[[np.ndarray], np.ndarray]:
        """A function of a direction: that times the weight of EM of each row, over scale^2."""
        df, scale = self.values
        weight = (df + 1.0) / (df + ((target - latent) / scale) ** 2) / scale**2
        return lambda direction: weight * direction

    def row_weight(self, square: np.ndarray) -> np.ndarray:
        """How much a row counts whose squared error this is, relative to one of no error (n,)."""
        df, scale = self.values
        return df / (df + square / scale**2)

    def by_parameter(
        self, parameters: np.ndarray, target: np.ndarray, latent: np.ndarray
    ) -> list[Quadratic]:
        """Derivatives for log(scale^-2) and log(df - 2), those of them that are free."""
        settled = self.at(parameters)
        found = [settled._by_precision(target, latent)] if self.scale is None else []
        return [*found, settled._by_freedom(target, latent)] if self.df is None else found

    def _by_precision(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """For log(scale^-2)."""
        df, scale = self.values
        residual = (target - latent) / scale
        square = residual**2
        value = 0.5 - 0.5 * (df + 1.0) * square / (df + square)
        slope = (df + 1.0) * residual * df / (df + square) ** 2 / scale
        return Quadratic(value, slope, np.full_like(slope, self._information))

    def _by_freedom(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """For log(df - 2)."""
        df, scale = self.values
        residual = (target - latent) / scale
        square, chain = residual**2, df - 2.0
        constant = 0.5 * (digamma(0.5 * (df + 1.0)) - digamma(0.5 * df) - 1.0 / df)
        value = constant - 0.5 * np.log1p(square / df)
        value += 0.5 * (df + 1.0) * square / (df * (df + square))
        slope = residual * (square - 1.0) / (df + square) ** 2 / scale
        curvature = np.full_like(slope, 2.0 / (df + 3.0) ** 2 / scale**2)
        return Quadratic(chain * value, chain * slope, chain * curvature)


def log_normaliser(df: float) -> float:
    """log Gamma((nu + 1) / 2) - log Gamma(nu / 2) - 1/2 log(nu pi)."""
    return float(gammaln(0.5 * (df + 1.0)) - gammaln(0.5 * df) - 0.5 * np.log(df * np.pi))


def robust_spread(target: np.ndarray, weight: np.ndarray) -> float:
    """A standard deviation that outliers do not change: from the median distance to the median.

    Where more than half of the targets are equal it is the standard deviation itself, and 1 where
    all of them are.
    """
    middle = weighted_median(target, weight)
    spread = weighted_median(np.abs(target - middle), weight) / MEDIAN_DISTANCE
    if spread <= 0.0:
        spread = float(np.sqrt(weight @ (target - middle) ** 2 / weight.sum()))
    return spread if spread > 0.0 else max(abs(middle), 1.0)


def weighted_median(values: np.ndarray, weight: np.ndarray) -> float:
    """The value below which half of the weight is; between two, their mean."""
    order = np.argsort(values, kind="stable")
    ordered, total = values[order], np.cumsum(weight[order])
    half = 0.5 * total[-1]
    low = np.searchsorted(total, half * (1.0 - 1e-12))
    high = np.searchsorted(total, half * (1.0 + 1e-12))
    return float(0.5 * (ordered[low] + ordered[min(high, len(ordered) - 1)]))
