"""What was learned of a target besides its mean: a likelihood in words, and how large noise is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sparsebayes.likelihoods import (
    CumulativeLogit,
    Heteroscedastic,
    NegativeBinomial,
    Poisson,
    StudentT,
)

# Writes a number.
Number = Callable[[float], str]
MOST_SHOWN = 6


def likelihood_of(estimator: Any, number: Number) -> str | None:
    """The likelihood with its parameters; None for Gaussian noise, and classes without an order."""
    likelihood = getattr(estimator, "likelihood_", None)
    return None if likelihood is None else WORDS[type(likelihood)](likelihood, number)


def _student_t(likelihood: StudentT, number: Number) -> str:
    df, scale = map(number, likelihood.values)
    return f"Student-t noise of scale {scale} with {df} degrees of freedom"


def _poisson(likelihood: Poisson, number: Number) -> str:
    return f"Poisson counts, {_mean_count(likelihood, number)}"


def _negative_binomial(likelihood: NegativeBinomial, number: Number) -> str:
    dispersion = number(1.0 / likelihood.size)
    return f"negative binomial counts of dispersion {dispersion}, {_mean_count(likelihood, number)}"


def _mean_count(likelihood: Any, number: Number) -> str:
    return f"{number(float(np.exp(likelihood.log_mean)))} where nothing is known"


def _heteroscedastic(likelihood: Heteroscedastic, number: Number) -> str:
    return "Gaussian noise that may vary with the inputs"


def _ordinal(likelihood: CumulativeLogit, number: Number) -> str:
    assert likelihood.cut_points is not None, "they were found"
    cuts = ", ".join(number(float(each)) for each in likelihood.cut_points[:MOST_SHOWN])
    return f"classes in an order, cut at {cuts}"


WORDS: dict[type, Callable[[Any, Number], str]] = {
    StudentT: _student_t,
    Poisson: _poisson,
    NegativeBinomial: _negative_binomial,
    Heteroscedastic: _heteroscedastic,
    CumulativeLogit: _ordinal,
}


def noise_std_of(estimator: Any, rows: Any, number: Number) -> str | None:
    """Standard deviation of the noise at some rows; None for counts, which have no other noise."""
    likelihood = estimator._model.likelihood
    if likelihood is not None and likelihood.counts:
        return None
    std = np.sqrt(estimator._model.predictor.noise_variance(rows))
    low, high = std.min(axis=0), std.max(axis=0)
    if np.array_equal(low, high):
        return ", ".join(number(float(each)) for each in low[:MOST_SHOWN])
    return f"{number(float(low[0]))} to {number(float(high[0]))}"
