"""The posterior over the active weights, from one factorisation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes import statistics
from sparsebayes._cached import cached_property
from sparsebayes._linear_algebra import Factor, conjugate_gradients, factorise
from sparsebayes.problem import Precisions, Problem
from sparsebayes.statistics import Expansion


@dataclass(frozen=True)
class ModeSearch:
    """How far the search for the mode goes.

    Attributes
    ----------
    last_step : a Newton step that promises less than this part of the log density is the last;
        what is then left of the way is its square. The square of it where columns are collinear,
        and where the log density is not concave, as steps are then not Newton's
    max_steps : separable classes with weak priors need some tens of Newton steps
    max_refinements : steps where the curvature is constant, so that the first would do but for
        rounding, and for the jitter of collinear columns
    max_halvings : of a step that would lower the log density, down to rounding
    max_inner_steps : of conjugate gradients, where the factor is only of a mean curvature
    """

    last_step: float = 1e-8
    max_steps: int = 100
    max_refinements: int = 20
    max_halvings: int = 40
    max_inner_steps: int = 20


MODE_SEARCH = ModeSearch()


@dataclass(frozen=True)
class Posterior:
    """Gaussian over the active weights: exact for a Gaussian likelihood, else Laplace's.

    Sigma = (A + beta gram)^-1, mean = the mode.  [T01] (12)-(13), (26)-(27)

    A candidate can have a weight for each of several outputs, all with the same precision. The
    covariance is then the same for all outputs. Where their noise is always at its best, the
    weight precisions are relative to that of the noise, and the value is one for each output.

    Attributes
    ----------
    problem : the problem, for its rows, its noise and its likelihood
    active : indices of the active candidates (m,)
    precisions : of their weights and of the noise
    mean : posterior mean, or mode (m, n_outputs)
    gram : Phi' diag(curvature) Phi at the mode (m, m)
    value : log density of the rows at the mode, for unit noise precision
    factor : of A + beta gram
    """

    problem: Problem
    active: np.ndarray
    precisions: Precisions
    mean: np.ndarray
    gram: np.ndarray
    value: Any
    factor: Factor

    @property
    def weight_precision(self) -> np.ndarray:
        """alpha (m,)."""
        return self.precisions.weight

    @property
    def noise_precision(self) -> float:
        """beta."""
        return self.precisions.noise

    @property
    def n_outputs(self) -> int:
        """How many weights a candidate has."""
        return self.mean.shape[1]

    @cached_property
    def output_precision(self) -> Any:
        """Noise precision of each output, relative to beta (n_outputs,); 1 if it is the same.

        n / (||t - Phi mu||^2 + mu' A mu) is the best one, as prior and noise have it in common.
        """
        if not self.problem.noise.profiled:
            return 1.0
        n_rows = self.problem.total_weight
        energy = -2.0 * self.value + self.weight_precision @ self.mean**2
        return n_rows / np.maximum(energy, n_rows / self.problem.noise_precision_ceiling)

    @cached_property
    def power(self) -> np.ndarray:
        """Sum over outputs of mu_i^2, in units of the noise of each (m,)."""
        return np.einsum("ml,ml->m", self.output_precision * self.mean, self.mean)

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
        return np.minimum(np.maximum(1.0 - self.weight_precision * self.variance, 0.0), 1.0)

    @property
    def residual_energy(self) -> float:
        """||t - Phi mean||^2, rows weighted (for a Gaussian likelihood)."""
        return -2.0 * self.value

    @property
    def pull(self) -> np.ndarray:
        """A mean: how strongly the prior pulls at each weight (m, n_outputs)."""
        return self.weight_precision[:, None] * self.mean

    @property
    def log_density(self) -> float:
        """Log p(t | mean) + log p(mean), both without their normalisers. [T01] (24), (41)"""
        prior = float(np.vdot(self.pull, self.mean))
        return self.noise_precision * float(np.sum(self.value)) - 0.5 * prior

    def refreshed(self, search: ModeSearch = MODE_SEARCH) -> Posterior:
        """The posterior at the same precisions, its mode found anew from the rows."""
        if self.problem.likelihood.constant_curvature:
            return _climb_to_mode(self, search)
        return find_posterior(self.problem, self.active, self.precisions, self.mean, search=search)

    def at(self, precisions: Precisions, kept: np.ndarray | None = None) -> Posterior:
        """The posterior at other precisions, without a pass over the rows.

        It moves on the quadratic of the log density at the mode, where beta score = A mean:

            mean_new = mean + Sigma_new (beta_new score - A_new mean).

        Exact for a Gaussian likelihood; for others the curvature is held.

        Parameters
        ----------
        precisions : of the candidates that are kept
        kept : a mask of the active candidates; the others are deleted
        """
        active, mean, gram = self.active, self.mean, self.gram
        here = Expansion(self.value, self.pull / self.noise_precision)
        if kept is not None:
            here = _without(here, gram, np.where(kept[:, None], 0.0, -mean), kept)
            active, mean, gram = active[kept], mean[kept], gram[np.ix_(kept, kept)]
        factor = _factorise(self.problem, gram, precisions)
        step = factor.solve(precisions.noise * here.score - precisions.weight[:, None] * mean)
        value = here.value + change_of(here, gram, step)
        return Posterior(self.problem, active, precisions, mean + step, gram, value, factor)


def find_posterior(
    problem: Problem,
    active: np.ndarray,
    precisions: Precisions,
    mean: np.ndarray | None = None,
    gram: np.ndarray | None = None,
    search: ModeSearch = MODE_SEARCH,
) -> Posterior:
    """The posterior for given precisions, its mode found from the rows.

    Parameters
    ----------
    mean : where the search starts; at zero by default
    gram : of the active candidates at `mean`, where it is known
    """
    mean = problem.no_weights(len(active)) if mean is None else mean
    gram = statistics.gram(problem, active, mean) if gram is None else gram
    factor = _factorise(problem, gram, precisions)
    start = Posterior(problem, active, precisions, mean, gram, np.nan, factor)
    return _climb_to_mode(start, search)


def _climb_to_mode(posterior: Posterior, search: ModeSearch) -> Posterior:
    """Newton's method with line search on the log density of weights and rows.

    The gradient is taken from the residuals at every step, so for a Gaussian likelihood the second
    step removes the rounding errors of the first, which solved normal equations.
    """
    here = statistics.expansion(posterior.problem, posterior.active, posterior.mean)
    constant = posterior.problem.likelihood.constant_curvature
    for _ in range(search.max_refinements if constant else search.max_steps):
        posterior = replace(posterior, value=here.value)
        gradient = posterior.noise_precision * here.score - posterior.pull
        step = _newton_step(posterior, gradient, search)
        promise = 0.5 * float(np.vdot(gradient, step)) / max(1.0, abs(posterior.log_density))
        exact = posterior.factor.jitter == 0.0 and posterior.problem.likelihood.log_concave
        if promise <= search.last_step ** (1 if exact else 2):
            return _last_step(posterior, here, step)
        moved = _line_search(posterior, step, search)
        if moved is None:
            break
        mean, here = moved
        posterior = _recentred(posterior, mean)
        if posterior.problem.work.exhausted:
            break
    return replace(posterior, value=here.value)


def _newton_step(posterior: Posterior, gradient: np.ndarray, search: ModeSearch) -> np.ndarray:
    """(A + beta Phi'W Phi)^-1 gradient: from the factor, or by conjugate gradients.

    Where the factor is of a mean curvature only, it is what these are preconditioned with.
    """
    if posterior.problem.likelihood.exact_curvature:
        return posterior.factor.solve(gradient)
    product = _hessian_product(posterior)
    return conjugate_gradients(product, posterior.factor.solve, gradient, search.max_inner_steps)


def _hessian_product(posterior: Posterior) -> Callable[[np.ndarray], np.ndarray]:
    """direction -> (A + Phi'W Phi) direction."""
    problem, active, mean = posterior.problem, posterior.active, posterior.mean

    def product(direction: np.ndarray) -> np.ndarray:
        bent = statistics.curvature_product(problem, active, mean, direction)
        return posterior.weight_precision[:, None] * direction + bent

    return product


def _last_step(posterior: Posterior, here: Expansion, step: np.ndarray) -> Posterior:
    """The posterior after a step so short that what is left of the way is its square."""
    mean = posterior.mean + step
    if posterior.problem.likelihood.constant_curvature:
        return replace(
            posterior, mean=mean, value=here.value + change_of(here, posterior.gram, step)
        )
    there = statistics.expansion(posterior.problem, posterior.active, mean)
    return replace(_recentred(posterior, mean), value=there.value)


def change_of(here: Expansion, gram: np.ndarray, step: np.ndarray) -> Any:
    """The change of the value by a step, on its quadratic: of each output, or one number."""
    change = step * (here.score - 0.5 * gram @ step)
    return change.sum(axis=0) if np.ndim(here.value) else change.sum()


def _without(here: Expansion, gram: np.ndarray, away: np.ndarray, kept: np.ndarray) -> Expansion:
    """The expansion after a step `away` from the weights that are not kept, of the others only."""
    value = here.value + change_of(here, gram, away)
    return Expansion(value, (here.score - gram @ away)[kept])


def _recentred(posterior: Posterior, mean: np.ndarray) -> Posterior:
    """The posterior with its mean moved, and with the curvature there."""
    if posterior.problem.likelihood.constant_curvature:
        return replace(posterior, mean=mean)
    gram = statistics.gram(posterior.problem, posterior.active, mean)
    factor = _factorise(posterior.problem, gram, posterior.precisions)
    return replace(posterior, mean=mean, gram=gram, factor=factor)


def _line_search(
    posterior: Posterior, step: np.ndarray, search: ModeSearch
) -> tuple[np.ndarray, Expansion] | None:
    """The first of mean + step, mean + step / 2, ... with a higher log density, or None."""
    for halving in range(search.max_halvings):
        mean = posterior.mean + step * 0.5**halving
        there = statistics.expansion(posterior.problem, posterior.active, mean)
        if replace(posterior, mean=mean, value=there.value).log_density > posterior.log_density:
            return mean, there
    return None


def _factorise(problem: Problem, gram: np.ndarray, precisions: Precisions) -> Factor:
    """The factor of A + beta gram."""
    problem.work.add(len(gram) ** 3)
    return factorise(precision_matrix(gram, precisions))


def precision_matrix(gram: np.ndarray, precisions: Precisions) -> np.ndarray:
    """A + beta gram: the precision of weights given the targets (m, m)."""
    matrix = precisions.noise * gram
    matrix.flat[:: len(matrix) + 1] += precisions.weight
    return matrix
