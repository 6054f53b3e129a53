"""What was learned of a target besides its mean: its likelihood, and how large its noise is."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes.targets.target import Number

MOST_SHOWN = 6


def likelihood_of(estimator: Any, number: Number) -> str | None:
    """The likelihood with its parameters; None for Gaussian noise, and classes without an order."""
    return estimator._model.target.words(number)


def noise_std_of(estimator: Any, rows: Any, number: Number) -> str | None:
    """Standard deviation of the noise at some rows; None for counts, which have no other noise."""
    if estimator._model.target.counts:
        return None
    std = np.sqrt(estimator._model.predictor.noise_variance(rows))
    low, high = std.min(axis=0), std.max(axis=0)
    if np.array_equal(low, high):
        return ", ".join(number(float(each)) for each in low[:MOST_SHOWN])
    return f"{number(float(low[0]))} to {number(float(high[0]))}"
