"""A Gaussian with the moments of the posterior, where that of Laplace has its mode.

Laplace's method puts a Gaussian at the mode. The posterior of a class is skewed, and its mean is
farther from even odds than its mode, so that probabilities come out too cautious. Expectation
propagation (Minka 2001) gives each row a Gaussian factor in place of its likelihood,

    N(f | nu / tau, 1 / tau)   instead of   p(t | f),

such that the latent value has the same mean and variance with the one as with the other, given all
the other rows. (Rasmussen and Williams 2006, section 3.6; all rows are updated at once.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsebayes._linear_algebra import squared_lengths
from sparsebayes.likelihoods import Gaussian
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Precisions, Problem


@dataclass(frozen=True)
class Matching:
    """How far moments are matched.

    Attributes
    ----------
    close : the largest difference of means, in standard deviations, at which it ends
    max_rounds : three to eight are usual
    damping : part of the way to the new factors that a round goes; half of it after a round that
        did not come closer
    least : the least precision of a factor, relative to that of the latent value without it
    most_rows : with more, the posterior is so narrow that Laplace's is as good
    """

    close: float = 0.1
    max_rounds: int = 20
    damping: float = 0.9
    least: float = 1e-8
    most_rows: int = 20_000


MATCHING = Matching()


# A factor with less has no mean.
LEAST_PRECISION = 1e-12
# A latent value with less is certain, such as that of a row where all columns are zero.
LEAST_VARIANCE = 1e-30


class Factors(NamedTuple):
    """The factor of each row, counted once: precision tau (n,), linear term nu (n, 1)."""

    precision: np.ndarray
    linear: np.ndarray


def matched(posterior: Posterior, how: Matching = MATCHING) -> Posterior:
    """The posterior with moments matched; as it is where that need not, or cannot, be done.

    It need not for Gaussian noise, and cannot where the log density is not concave. Where rounds
    do not come close, as with classes that are separable, it is the nearest that they came to:
    Laplace's is much farther away there.

    Parameters
    ----------
    posterior : Laplace's, over all weights of a dense model of one latent value
    """
    problem = posterior.problem
    known = problem.likelihood.constant_curvature or not problem.likelihood.log_concave
    if known or len(problem.data.target) > how.most_rows:
        return posterior
    factors, found = quadratic_factors(problem, latents_of(posterior)), posterior
    damping, before = how.damping, np.inf
    nearest, smallest = posterior, np.inf
    for _ in range(how.max_rounds):
        wanted, gap = _matching_factors(problem, factors, *moments(found), how)
        if not np.isfinite(gap):
            break
        if gap < smallest:
            nearest, smallest = found, gap
        damping = damping if gap < before else 0.5 * damping
        factors, before = _towards(factors, wanted, damping), gap
        found = with_factors(problem, posterior.active, posterior.precisions, factors)
        if gap <= how.close:
            return found
    return nearest


def moments(posterior: Posterior) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n, k) and variance (n,) of the latent values of the rows."""
    root = posterior.factor.whitener.T

    def of_block(design: np.ndarray) -> np.ndarray:
        return np.column_stack([design @ posterior.mean, squared_lengths(design @ root)])

    found = posterior.problem.rows.map(of_block)
    return found[:, :-1], np.maximum(found[:, -1], LEAST_VARIANCE)


def latents_of(posterior: Posterior) -> np.ndarray:
    """The mean of the latent values of the rows (n, k)."""
    return posterior.problem.rows.map(lambda design: design @ posterior.mean)


def quadratic_factors(problem: Problem, latents: np.ndarray) -> Factors:
    """The quadratic of each row at its latent value (n, 1)."""
    quadratic = problem.likelihood.expand(problem.data.target, latents[:, 0])
    linear = quadratic.curvature * latents[:, 0] + quadratic.slope
    return Factors(quadratic.curvature, linear[:, None])


def _towards(old: Factors, new: Factors, part: float) -> Factors:
    """Part of the way from some factors to others."""
    return Factors(*(a + part * (b - a) for a, b in zip(old, new, strict=True)))


def _matching_factors(
    problem: Problem, factors: Factors, mean: np.ndarray, variance: np.ndarray, how: Matching
) -> tuple[Factors, float]:
    """Factors that match moments given the others, and how far the means were apart.

    A row of weight two counts as two rows with a factor each. One of weight below one is one
    factor, of that power of the likelihood.
    """
    target, weight = problem.data.target, problem.data.weight
    once = np.minimum(weight, 1.0)
    precision = np.maximum(1.0 / variance - once * factors.precision, how.least / variance)
    linear = mean / variance[:, None] - once[:, None] * factors.linear
    without = linear / precision[:, None]
    moments = problem.likelihood.tilted(target, without, 1.0 / precision, once)
    left = np.maximum(moments.variance, LEAST_VARIANCE)
    own = np.maximum(1.0 / left - precision, how.least * precision)
    total = (own + precision)[:, None]
    wanted = Factors(own / once, (total * moments.mean - linear) / once[:, None])
    apart = np.mean((moments.mean - mean) ** 2, axis=1) / variance
    return wanted, float(np.sqrt(np.max(apart)))


def with_factors(
    problem: Problem, active: np.ndarray, precisions: Precisions, factors: Factors
) -> Posterior:
    """The posterior of Gaussian rows that have these factors."""
    data = problem.data
    precision = np.maximum(factors.precision, LEAST_PRECISION)
    target = factors.linear[:, 0] / precision
    rows = data._replace(target=target, weight=data.weight * precision)
    gaussian = problem.changed(data=rows, likelihood=Gaussian(1.0))
    return find_posterior(gaussian, active, precisions._replace(noise=1.0))
