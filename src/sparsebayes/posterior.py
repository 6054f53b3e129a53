"""The posterior over the active weights, from one factorisation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sparsebayes import statistics
from sparsebayes._linear_algebra import Factor, factorise
from sparsebayes.problem import Problem

# A Newton step that promises less than this part of the log density is taken as the last.
LAST_STEP = 1e-8
MODE_STEPS = 100
HALVINGS = 40


@dataclass(frozen=True)
class Posterior:
    """Gaussian over the active weights: exact for a Gaussian likelihood, else Laplace's.

    Sigma = (A + beta gram)^-1, mean = the mode.  [T01] (12)-(13), (26)-(27)

    Attributes
    ----------
    active : indices of the active columns (m,)
    weight_precision : alpha (m,)
    noise_precision : beta
    mean : posterior mean, or mode (m,)
    gram : Phi' diag(curvature) Phi at the mode (m, m)
    value : log density of the rows at the mode, for unit noise precision
    factor : of A + beta gram
    """

    active: np.ndarray
    weight_precision: np.ndarray
    noise_precision: float
    mean: np.ndarray
    gram: np.ndarray
    value: float
    factor: Factor

    @property
    def covariance(self) -> np.ndarray:
        """Sigma (m, m)."""
        return self.factor.inverse

    @property
    def variance(self) -> np.ndarray:
        """Sigma_ii (m,)."""
        return self.factor.inverse_diagonal

    @cached_property
    def well_determined(self) -> np.ndarray:
        """gamma_i = 1 - alpha_i Sigma_ii, between 0 and 1. [T01] (17)"""
        return np.clip(1.0 - self.weight_precision * self.variance, 0.0, 1.0)

    @property
    def residual_energy(self) -> float:
        """||t - Phi mean||^2, rows weighted (for a Gaussian likelihood)."""
        return -2.0 * self.value

    @property
    def log_density(self) -> float:
        """Log p(t | mean) + log p(mean), both without their normalisers. [T01] (24), (41)"""
        return self.noise_precision * self.value - 0.5 * float(self.weight_precision @ self.mean**2)


def find(
    problem: Problem,
    active: np.ndarray,
    weight_precision: np.ndarray,
    noise_precision: float,
    mean: np.ndarray,
    gram: np.ndarray | None = None,
) -> Posterior:
    """The posterior for given precisions, its mode found from the rows, starting at `mean`.

    Parameters
    ----------
    gram : of the active columns at `mean`, where it is known.
    """
    if gram is None:
        gram = statistics.gram(problem, active, mean)
    factor = _factorise(gram, weight_precision, noise_precision)
    start = Posterior(active, weight_precision, noise_precision, mean, gram, np.nan, factor)
    return _climb_to_mode(problem, start)


def refresh(problem: Problem, posterior: Posterior) -> Posterior:
    """The posterior at the same precisions, its mode found anew from the rows."""
    if problem.likelihood.constant_curvature:
        return _climb_to_mode(problem, posterior)
    return find(
        problem,
        posterior.active,
        posterior.weight_precision,
        posterior.noise_precision,
        posterior.mean,
    )


def _climb_to_mode(problem: Problem, posterior: Posterior) -> Posterior:
    """Newton's method with line search on the log density of weights and rows.

    The gradient is taken from the residuals at every step, so for a Gaussian likelihood the second
    step removes the rounding errors of the first, which solved normal equations.
    """
    here = statistics.expansion(problem, posterior.active, posterior.mean)
    for _ in range(MODE_STEPS):
        posterior = replace(posterior, value=here.value)
        gradient = posterior.noise_precision * here.score
        gradient -= posterior.weight_precision * posterior.mean
        step = posterior.factor.solve(gradient)
        promise = 0.5 * float(gradient @ step) / max(1.0, abs(posterior.log_density))
        if promise <= (LAST_STEP if posterior.factor.jitter == 0.0 else LAST_STEP**2):
            return _last_step(problem, posterior, here, step)
        moved = _line_search(problem, posterior, step)
        if moved is None:
            break
        mean, here = moved
        posterior = _recentred(problem, posterior, mean)
    return replace(posterior, value=here.value)


def _last_step(problem: Problem, posterior: Posterior, here, step: np.ndarray) -> Posterior:
    """The posterior after a step so short that what is left of the way is its square."""
    mean = posterior.mean + step
    if problem.likelihood.constant_curvature:
        change = here.score @ step - 0.5 * step @ (posterior.gram @ step)
        return replace(posterior, mean=mean, value=here.value + float(change))
    there = statistics.expansion(problem, posterior.active, mean)
    return replace(_recentred(problem, posterior, mean), value=there.value)


def _recentred(problem: Problem, posterior: Posterior, mean: np.ndarray) -> Posterior:
    """The posterior with its mean moved, and with the curvature there."""
    if problem.likelihood.constant_curvature:
        return replace(posterior, mean=mean)
    gram = statistics.gram(problem, posterior.active, mean)
    factor = _factorise(gram, posterior.weight_precision, posterior.noise_precision)
    return replace(posterior, mean=mean, gram=gram, factor=factor)


def _line_search(problem: Problem, posterior: Posterior, step: np.ndarray):
    """The first of mean + step, mean + step / 2, ... with a higher log density, or None."""
    for halving in range(HALVINGS):
        mean = posterior.mean + step * 0.5**halving
        there = statistics.expansion(problem, posterior.active, mean)
        if replace(posterior, mean=mean, value=there.value).log_density > posterior.log_density:
            return mean, there
    return None


def revise(
    posterior: Posterior,
    weight_precision: np.ndarray,
    noise_precision: float,
    kept: np.ndarray | None = None,
) -> Posterior:
    """The posterior at other precisions, without a pass over the rows.

    It moves on the quadratic of the log density at the mode, where beta score = A mean:

        mean_new = mean + Sigma_new (beta_new score - A_new mean).

    Exact for a Gaussian likelihood; for others the curvature is held.

    Parameters
    ----------
    weight_precision : of the columns that are kept
    kept : a mask of the active columns; the others are deleted
    """
    active, mean, gram, value = posterior.active, posterior.mean, posterior.gram, posterior.value
    score = posterior.weight_precision * mean / posterior.noise_precision
    if kept is not None:
        away = np.where(kept, 0.0, -mean)
        change = gram @ away
        value = value + float(score @ away - 0.5 * away @ change)
        active, mean, score = active[kept], mean[kept], (score - change)[kept]
        gram = gram[np.ix_(kept, kept)]
    factor = _factorise(gram, weight_precision, noise_precision)
    step = factor.solve(noise_precision * score - weight_precision * mean)
    value = value + float(score @ step - 0.5 * step @ (gram @ step))
    return Posterior(active, weight_precision, noise_precision, mean + step, gram, value, factor)


def _factorise(gram, weight_precision, noise_precision):
    matrix = noise_precision * gram
    matrix.flat[:: len(matrix) + 1] += weight_precision
    return factorise(matrix)
