"""The posterior over the active weights, from one factorisation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sparsebayes import statistics
from sparsebayes._linear_algebra import Factor, factorise
from sparsebayes.problem import Problem

MODE_TOLERANCE = 1e-11
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
    """The posterior for given precisions, by Newton's method with line search from `mean`.

    The gradient is taken from the residuals at every step, so for a Gaussian likelihood the second
    step removes the rounding errors of the first, which solved normal equations.

    Parameters
    ----------
    gram : of the active columns, where it is known; used if the curvature is constant.
    """
    if gram is None:
        gram = statistics.gram(problem, active, mean)
    here = statistics.expansion(problem, active, mean)
    factor = _factorise(gram, weight_precision, noise_precision)
    for _ in range(MODE_STEPS):
        gradient = noise_precision * here.score - weight_precision * mean
        step = factor.solve(gradient)
        expected_gain = 0.5 * float(gradient @ step)
        log_density = noise_precision * here.value - 0.5 * float(weight_precision @ mean**2)
        if expected_gain <= MODE_TOLERANCE * max(1.0, abs(log_density)):
            break
        moved = _line_search(
            problem, active, weight_precision, noise_precision, mean, step, log_density
        )
        if moved is None:
            break
        mean, here = moved
        if not problem.likelihood.constant_curvature:
            gram = statistics.gram(problem, active, mean)
            factor = _factorise(gram, weight_precision, noise_precision)
    return Posterior(active, weight_precision, noise_precision, mean, gram, here.value, factor)


def _factorise(gram, weight_precision, noise_precision):
    return factorise(noise_precision * gram + np.diag(weight_precision))


def _line_search(problem, active, weight_precision, noise_precision, mean, step, log_density):
    """The first of mean + step, mean + step / 2, ... with a higher log density, or None."""
    for halving in range(HALVINGS):
        trial = mean + step * 0.5**halving
        there = statistics.expansion(problem, active, trial)
        value = noise_precision * there.value - 0.5 * float(weight_precision @ trial**2)
        if value > log_density:
            return trial, there
    return None
