"""Mixtures of Gaussians about one mean, which a target has whose noise is uncertain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sparsebayes.model.arrays import map_rows
from sparsebayes.model.response import usual_quadrature
from sparsebayes.model.special import ndtr, ndtri


@dataclass(frozen=True)
class MixtureRule:
    """How the noise precision is integrated out.

    Parameters
    ----------
    least_nodes, node_distance : number of values of log(tau), or their distance if that makes
        more; the trapezium rule then has ten digits for shapes of 1.5 and more
    left_out : probability at either end that no value stands for
    smallest : a value of tau that is not 0, for shapes near 0
    most_steps : of Newton's method; ten are usual
    tolerance : a relative step at which a quantile is found
    block_numbers : how many numbers are computed at a time; 2**16 stay in the processor's cache
    far : standard deviations from which on an error is far out
    """

    least_nodes: int = 65
    node_distance: float = 0.3
    left_out: float = 1e-12
    smallest: float = 1e-300
    most_steps: int = 50
    tolerance: float = 1e-12
    block_numbers: int = 2**16
    far: float = 6.0


RULE = MixtureRule()


def gaussian_log_density(square: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """The log density of N(0, variance) at errors with these squares."""
    return -0.5 * (np.log(2.0 * np.pi * variance) + square / variance)


def mixture_log_density(
    error: np.ndarray,
    variance: np.ndarray,
    nodes: tuple[np.ndarray, np.ndarray],
    shape: float,
    rate: float,
    rule: MixtureRule = RULE,
) -> np.ndarray:
    """Log of the integral of N(error | 0, variance + 1 / tau) over Gamma(tau) (n,).

    By nodes of tau; far out, where few of these count, by nodes of the latent value, over which a
    Student-t is flat there.

    Parameters
    ----------
    nodes : `precision_nodes` of tau
    shape, rate : of its distribution
    """
    from scipy.special import logsumexp
    from scipy.stats import t as student_t

    precision, share = nodes
    with np.errstate(divide="ignore"):  # of shares that have underflowed
        log_share = np.log(share)
    total = variance[:, None] + 1.0 / precision
    near = logsumexp(gaussian_log_density(error[:, None] ** 2, total) + log_share, axis=1)
    df, scale, quadrature = 2.0 * shape, (rate / shape) ** 0.5, usual_quadrature()
    at_nodes = error[:, None] - np.sqrt(variance)[:, None] * quadrature.nodes
    log_t = student_t.logpdf(at_nodes, df, scale=scale)
    far = logsumexp(log_t + np.log(quadrature.shares), axis=1)
    return np.where(error**2 > rule.far**2 * (variance + scale**2), far, near)


def quantiles_with_noise(
    mean: np.ndarray,
    variance: np.ndarray,
    nodes: tuple[np.ndarray, np.ndarray],
    levels: np.ndarray,
    rule: MixtureRule = RULE,
) -> np.ndarray:
    """Quantiles (n, len(levels)) of the integral of N(mean, variance + 1 / tau) over tau.

    A Student-t distribution where the variance is zero and tau has a Gamma distribution. [BT00]
    (35), with the integral done by the trapezium rule in log(tau).

    Parameters
    ----------
    nodes : `precision_nodes` of tau
    """
    precision, share = nodes

    def std(rows: slice) -> np.ndarray:
        return np.sqrt(variance[rows, None] + 1.0 / precision)

    return mixture_quantiles(mean, std, share, levels, rule)


def mixture_quantiles(
    mean: np.ndarray,
    std: Callable[[slice], np.ndarray],
    share: np.ndarray,
    levels: np.ndarray,
    rule: MixtureRule = RULE,
) -> np.ndarray:
    """Quantiles (n, len(levels)) of mixtures of Gaussians about one mean for each row (n,).

    Parameters
    ----------
    std : rows -> standard deviations of the Gaussians (n, j)
    share : of each of them (j,)
    """
    # Levels p and 1 - p have one distance from the mean, and 1/2 has none.
    distinct, place = np.unique([0.5, *np.maximum(levels, 1.0 - levels)], return_inverse=True)
    upper = distinct[1:]

    def distance(rows: slice) -> tuple[np.ndarray]:
        return (_mixture_distance(std(rows), share, upper, rule),)

    numbers_per_row = len(upper) * len(share)
    (found,) = map_rows(distance, len(mean), numbers_per_row, rule.block_numbers)
    found = np.hstack([np.zeros((len(mean), 1)), found])[:, place[1:]]
    return mean[:, None] + np.sign(levels - 0.5) * found


def _mixture_distance(
    std: np.ndarray, share: np.ndarray, upper: np.ndarray, rule: MixtureRule
) -> np.ndarray:
    """Upper quantiles (n, len(upper)) of mixtures of N(0, std^2), std (n, j), shares (j,).

    Newton's method: the upper half of a distribution function is concave, so that every step ends
    below the quantile, and steps from there on lead upwards.
    """
    least = ndtri(upper) * std.min(axis=1, keepdims=True)
    distance = ndtri(upper) / np.sqrt(std**-2.0 @ share)[:, None]
    for _ in range(rule.most_steps):
        ratio = distance[:, :, None] / std[:, None]
        below = ndtr(ratio) @ share
        ratio *= ratio
        ratio *= -0.5
        np.exp(ratio, out=ratio)
        ratio /= std[:, None]
        step = (upper - below) / (ratio @ share) * np.sqrt(2.0 * np.pi)
        distance = np.maximum(distance + step, least)
        if np.all(np.abs(step) <= rule.tolerance * distance):
            break
    return distance


def precision_nodes(
    shape: float, rate: float, rule: MixtureRule = RULE
) -> tuple[np.ndarray, np.ndarray]:
    """Values of a Gamma variable, evenly spaced in their logarithm, and their shares (j,)."""
    from scipy.special import gammainccinv, gammaincinv

    lowest = max(gammaincinv(shape, rule.left_out), rule.smallest)
    highest = gammainccinv(shape, rule.left_out)
    n_nodes = int(np.log(highest / lowest) / rule.node_distance)
    log_value = np.linspace(np.log(lowest), np.log(highest), max(n_nodes, rule.least_nodes))
    log_share = shape * log_value - np.exp(log_value)
    share = np.exp(log_share - log_share.max())
    return np.exp(log_value) / rate, share / share.sum()
