"""Moments of a latent value given its target.

A count of a million tells its mean to a thousandth. Nodes of the distribution of the latent value
before it was seen would all miss that. So for such densities, which can be much narrower than the
prior, nodes are laid about the mode of the product of both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from sparsebayes.model.response import usual_quadrature

# Nodes and shares of the normal distribution.
NODES, SHARES = usual_quadrature().nodes, usual_quadrature().shares

# Newton's method: the most steps, the longest, and the one that is short enough to end, in standard
# deviations of the product.
MOST_STEPS, LONGEST_STEP, LAST_STEP = 60, 4.0, 1e-3
LOG_SHARES = np.log(SHARES) + 0.5 * NODES**2
# A latent value with less variance is certain.
LEAST_VARIANCE = 1e-30


class Tilted(NamedTuple):
    """Mean (n, 1) and variance (n,) of latent values given their target."""

    mean: np.ndarray
    variance: np.ndarray


def tilted_about_mean(
    likelihood: Any, target: np.ndarray, mean: np.ndarray, variance: np.ndarray, power: np.ndarray
) -> Tilted:
    """Moments of f under N(f | mean, variance) p(t | f)^power, by nodes of the first factor.

    Parameters
    ----------
    mean : of the latent value (n, 1)
    variance, power : (n,)
    """
    latent = mean + np.sqrt(variance)[:, None] * NODES
    value = likelihood.expand(target[:, None], latent).value
    return _moments(latent, power[:, None] * value, SHARES)


def tilted_about_mode(
    likelihood: Any, target: np.ndarray, mean: np.ndarray, variance: np.ndarray, power: np.ndarray
) -> Tilted:
    """Moments of f under N(f | mean, variance) p(t | f)^power, for a concave log density.

    Parameters
    ----------
    target : (n,), or (n, j) where a likelihood wants several numbers
    mean : of the latent value (n, 1)
    variance, power : (n,)
    """
    latent, _, log_share = _nodes(likelihood, target, mean[:, 0], variance, power)
    return _moments(latent, log_share, 1.0)


def _moments(latent: np.ndarray, log_share: np.ndarray, times: Any) -> Tilted:
    """Moments of latent values (n, j) with these shares, which need not add up to one."""
    share = times * np.exp(log_share - log_share.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    centre = np.einsum("nj,nj->n", share, latent)
    variance = np.einsum("nj,nj->n", share, (latent - centre[:, None]) ** 2)
    return Tilted(centre[:, None], variance)


def log_integral(
    likelihood: Any, target: np.ndarray, mean: np.ndarray, variance: np.ndarray
) -> np.ndarray:
    """log of the integral of N(f | mean, variance) p(t | f) over f (n,), all arguments (n,)."""
    variance = np.maximum(variance, LEAST_VARIANCE)
    _, spread, log_share = _nodes(likelihood, target, mean, variance, np.ones_like(mean))
    return logsumexp(log_share, axis=1) + np.log(spread) - 0.5 * np.log(variance)


def _nodes(
    likelihood: Any,
    target: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    power: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Latent values about the mode (n, j), their unit (n,), and logarithms of their shares (n, j).

    Shares, times unit over standard deviation, add up to the integral.
    """
    mode, spread = _mode(likelihood, target, mean, variance, power)
    latent = mode[:, None] + spread[:, None] * NODES
    repeated = np.repeat(target, len(NODES), axis=0)
    value = likelihood.expand(repeated, latent.ravel()).value.reshape(latent.shape)
    log_share = power[:, None] * value - 0.5 * (latent - mean[:, None]) ** 2 / variance[:, None]
    return latent, spread, log_share + LOG_SHARES


def _mode(
    likelihood: Any,
    target: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    power: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The mode of the product, and its standard deviation there."""
    latent = mean.copy()
    for _ in range(MOST_STEPS):
        found = likelihood.expand(target, latent)
        precision = 1.0 / variance + power * found.curvature
        step = (power * found.slope - (latent - mean) / variance) / precision
        if np.all(np.abs(step) * np.sqrt(precision) <= LAST_STEP):
            break
        latent = latent + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
    return latent, precision**-0.5
