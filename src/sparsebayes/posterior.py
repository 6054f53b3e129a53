"""The posterior over the active weights, from one factorisation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from sparsebayes import statistics
from sparsebayes._linear_algebra import Factor, conjugate_gradients, factorise
from sparsebayes.problem import Problem, Profile

# A Newton step that promises less than this part of the log density is taken as the last.
LAST_STEP = 1e-8
MODE_STEPS = 100
HALVINGS = 40
INNER_STEPS = 20


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
    profile : of the problem

    A column can have a weight for each of several outputs, all with the same precision. The mean is
    then (m, n_outputs), the covariance the same for all. Where their noise is profiled out, the
    weight precision is relative to that of the noise, and the value one for each output.
    """

    active: np.ndarray
    weight_precision: np.ndarray
    noise_precision: float
    mean: np.ndarray
    gram: np.ndarray
    value: Any
    factor: Factor
    profile: Profile | None = None

    @property
    def n_outputs(self) -> int:
        """How many weights a column has."""
        return 1 if self.mean.ndim == 1 else self.mean.shape[1]

    @cached_property
    def output_precision(self) -> np.ndarray | float:
        """Precision of the noise of each output: n / (||t - Phi mu||^2 + mu' A mu), or 1.

        That is the best one, as prior and noise have this unit in common.
        """
        if self.profile is None:
            return 1.0
        energy = -2.0 * self.value + self.weight_precision @ self.mean**2
        return self.profile.n_rows / np.maximum(energy, self.profile.least_energy)

    @cached_property
    def power(self) -> np.ndarray:
        """Sum over outputs of mu_i^2, in units of the noise where it is profiled out (m,)."""
        if self.mean.ndim == 1:
            return self.mean**2
        return np.sum(self.output_precision * self.mean**2, axis=1)

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
        prior = np.sum(self.weight_precision @ self.mean**2)
        return self.noise_precision * float(np.sum(self.value)) - 0.5 * float(prior)


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
    start = Posterior(
        active, weight_precision, noise_precision, mean, gram, np.nan, factor, problem.profile
    )
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
        gradient -= (posterior.weight_precision * posterior.mean.T).T
        step = _newton_step(problem, posterior, gradient)
        promise = 0.5 * float(np.vdot(gradient, step)) / max(1.0, abs(posterior.log_density))
        if promise <= (LAST_STEP if posterior.factor.jitter == 0.0 else LAST_STEP**2):
            return _last_step(problem, posterior, here, step)
        moved = _line_search(problem, posterior, step)
        if moved is None:
            break
        mean, here = moved
        posterior = _recentred(problem, posterior, mean)
    return replace(posterior, value=here.value)


def _newton_step(problem: Problem, posterior: Posterior, gradient: np.ndarray) -> np.ndarray:
    """(A + beta Phi'W Phi)^-1 gradient: from the factor, or by conjugate gradients.

    Where the factor is of a mean curvature only, it is what these are preconditioned with.
    """
    step = posterior.factor.solve(gradient)
    if problem.likelihood.exact_curvature:
        return step

    def product(direction):
        own = (posterior.weight_precision * direction.T).T
        return own + statistics.bend(problem, posterior.active, posterior.mean, direction)

    return conjugate_gradients(product, posterior.factor.solve, gradient, INNER_STEPS)


def _last_step(problem: Problem, posterior: Posterior, here, step: np.ndarray) -> Posterior:
    """The posterior after a step so short that what is left of the way is its square."""
    mean = posterior.mean + step
    if problem.likelihood.constant_curvature:
        return replace(posterior, mean=mean, value=here.value + _change(here, posterior.gram, step))
    there = statistics.expansion(problem, posterior.active, mean)
    return replace(_recentred(problem, posterior, mean), value=there.value)


def _change(here, gram: np.ndarray, step: np.ndarray):
    """By how much a step changes the value, on its quadratic: of each output, or one number."""
    change = step * (here.score - 0.5 * gram @ step)
    return change.sum(axis=0) if np.ndim(here.value) else change.sum()


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
    active, mean, gram = posterior.active, posterior.mean, posterior.gram
    score = (posterior.weight_precision * mean.T).T / posterior.noise_precision
    here = statistics.Expansion(posterior.value, score)
    if kept is not None:
        away = np.where(kept, 0.0, -mean.T).T
        value = here.value + _change(here, gram, away)
        here = statistics.Expansion(value, (score - gram @ away)[kept])
        active, mean, gram = active[kept], mean[kept], gram[np.ix_(kept, kept)]
    factor = _factorise(gram, weight_precision, noise_precision)
    step = factor.solve(noise_precision * here.score - (weight_precision * mean.T).T)
    value = here.value + _change(here, gram, step)
    return Posterior(
        active,
        weight_precision,
        noise_precision,
        mean + step,
        gram,
        value,
        factor,
        posterior.profile,
    )


def _factorise(gram, weight_precision, noise_precision):
    matrix = noise_precision * gram
    matrix.flat[:: len(matrix) + 1] += weight_precision
    return factorise(matrix)
