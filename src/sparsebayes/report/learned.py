"""What was learned of a target besides its mean: its likelihood, and how large its noise is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sparsebayes.predictors import CountResponse, GaussianResponse, Predictor, VaryingResponse
from sparsebayes.targets.target import Number

MOST_SHOWN = 6


def likelihood_of(estimator: Any, number: Number) -> str | None:
    """The likelihood with its parameters; None for Gaussian noise, and classes without an order."""
    return estimator._model.target.words(number)


def noise_std_of(estimator: Any, rows: Any, number: Number) -> str | None:
    """Standard deviation of the noise at some rows; None for counts, which have no other noise."""
    if estimator._model.target.counts:
        return None
    std = np.sqrt(noise_variance(estimator._model.predictor, rows))
    low, high = std.min(axis=0), std.max(axis=0)
    if np.array_equal(low, high):
        return ", ".join(number(float(each)) for each in low[:MOST_SHOWN])
    return f"{number(float(low[0]))} to {number(float(high[0]))}"


def noise_variance(predictor: Predictor, rows: Any) -> np.ndarray:
    """The variance of targets that is left where latent values are known, expected (n, k)."""
    return VARIANCES[type(predictor.response)](predictor, rows)


def _of_gaussian(predictor: Predictor, rows: Any) -> np.ndarray:
    variance = predictor.response.noise_std**2
    return np.broadcast_to(variance, (rows.shape[0], len(variance)))


def _of_varying(predictor: Predictor, rows: Any) -> np.ndarray:
    return predictor.response.noise_variance(rows)


def _of_counts(predictor: Predictor, rows: Any) -> np.ndarray:
    """E[m + dispersion m^2], as the mean of counts m has a logarithm that is Gaussian."""
    mean, _ = predictor.predict_std(rows)
    spread = predictor.latent_moments(rows).variance
    return mean + predictor.response.dispersion * mean**2 * np.exp(spread)


VARIANCES: dict[type, Callable[[Predictor, Any], np.ndarray]] = {
    GaussianResponse: _of_gaussian,
    VaryingResponse: _of_varying,
    CountResponse: _of_counts,
}
