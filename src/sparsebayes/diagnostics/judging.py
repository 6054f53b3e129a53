"""Targets within what was predicted of them, where an estimator knows its own distribution."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from sparsebayes.model.counts import count_distribution
from sparsebayes.model.response import usual_quadrature
from sparsebayes.targets import target_of

# Quantiles of these scores of a Gaussian are asked for; a place between two of them is linear in y.
SCORES = np.linspace(-5.0, 5.0, 21)
SEED = 0


class Judged(NamedTuple):
    """Targets of n rows and q outputs.

    Parameters
    ----------
    inside : how much of each target is in the interval of each level, from 0 to 1 (n, n_levels, q)
    pit : the probability of a smaller target (n, q)
    log_density : of the targets (n, q)
    """

    inside: np.ndarray
    pit: np.ndarray
    log_density: np.ndarray


def knows_itself(estimator: Any) -> bool:
    """Whether an estimator has a distribution of its own, and not only a mean and a spread."""
    return hasattr(estimator, "log_density") and hasattr(estimator, "predict_quantiles")


def judged(
    estimator: Any, X: Any, y: np.ndarray, mean: np.ndarray, std: np.ndarray, level: np.ndarray
) -> Judged:
    """Targets y beside their predictive distribution; y, mean and std as `predict` has them."""
    n_rows = len(y)
    density = estimator.log_density(X, y).reshape(n_rows, -1)
    likelihood = getattr(estimator, "likelihood_", None)
    if likelihood is not None and target_of(likelihood).counts:
        dispersion = getattr(likelihood, "dispersion", 0.0)
        inside, pit = _of_counts(y.ravel(), mean.ravel(), std.ravel(), dispersion, level)
        return Judged(inside[:, :, None], pit[:, None], density)
    both = np.concatenate([0.5 - 0.5 * level, 0.5 + 0.5 * level])
    levels = np.unique(np.concatenate([both, ndtr(SCORES)]))
    quantiles = np.reshape(estimator.predict_quantiles(X, levels), (n_rows, len(levels), -1))
    outputs = [
        _of_quantiles(target, quantiles[:, :, k], levels, both)
        for k, target in enumerate(y.reshape(n_rows, -1).T)
    ]
    inside, pit = (np.stack(each, axis=-1) for each in zip(*outputs, strict=True))
    return Judged(inside, pit, density)


def _of_quantiles(
    y: np.ndarray, quantiles: np.ndarray, levels: np.ndarray, both: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Whether targets are in the intervals (n, n_levels), and their place (n,).

    Parameters
    ----------
    quantiles : at the levels (n, len(levels))
    both : lower ends of all intervals, and then upper ends; all of them are among the levels
    """
    low, high = np.split(quantiles[:, np.searchsorted(levels, both)], 2, axis=1)
    inside = (low <= y[:, None]) & (y[:, None] <= high)
    right = np.clip((quantiles < y[:, None]).sum(axis=1), 1, len(levels) - 1)
    rows, score = np.arange(len(y)), ndtri(levels)
    start, end = quantiles[rows, right - 1], quantiles[rows, right]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        part = np.where(y == start, 0.0, (y - start) / (end - start))
    place = score[right - 1] + part * (score[right] - score[right - 1])
    return inside.astype(np.float64), ndtr(place)


def _of_counts(
    y: np.ndarray, mean: np.ndarray, std: np.ndarray, dispersion: float, level: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The part of each count that is in the intervals (n, n_levels), and its place (n,).

    A count stands for all probabilities from that of a smaller one to that of one that is not
    larger. Central intervals hold some of these, and a place is drawn from them, so that both are
    right on average, however small the counts. (Czado, Gneiting and Held 2009)
    """
    centre, width = _of_logarithm(mean, std, dispersion)
    up_to = count_distribution(y, centre, width, dispersion, usual_quadrature())
    smaller = np.maximum(y - 1.0, 0.0)
    below = count_distribution(smaller, centre, width, dispersion, usual_quadrature())
    below = np.where(y < 1.0, 0.0, np.minimum(below, up_to))
    size = np.maximum(up_to - below, np.finfo(float).tiny)[:, None]
    low, high = 0.5 - 0.5 * level, 0.5 + 0.5 * level
    part = np.minimum(up_to[:, None], high) - np.maximum(below[:, None], low)
    inside = np.clip(part / size, 0.0, 1.0)
    return inside, below + np.random.default_rng(SEED).uniform(size=len(y)) * (up_to - below)


def _of_logarithm(
    mean: np.ndarray, std: np.ndarray, dispersion: float
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the logarithm of mean counts, from those of counts.

    std^2 = M + M^2 ((1 + dispersion) exp(v) - 1) and M = exp(centre + v / 2).
    """
    relative = 1.0 + (std / mean) ** 2 - 1.0 / mean
    variance = np.log(np.maximum(relative / (1.0 + dispersion), 1.0))
    return np.log(mean) - 0.5 * variance, np.sqrt(variance)
