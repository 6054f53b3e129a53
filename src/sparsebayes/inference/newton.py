"""Newton's method on the log precisions of the active candidates and the log noise precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from sparsebayes import evidence
from sparsebayes.inference.loop import noise_is_held
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Precisions


@dataclass(frozen=True)
class Damping:
    """How a Newton step is kept safe.

    Attributes
    ----------
    first, last : the least and the largest damping that is tried, in powers of ten, relative to
        the curvature that EM would assume
    largest_log_step : no precision changes by more than exp of this in one step
    unseen : an undamped step that promises less than this part of the objective is taken without
        looking; a rise that small cannot be seen in double precision
    """

    first: float = 1e-2
    last: float = 1e12
    largest_log_step: float = 4.0
    unseen: float = 1e-13


DAMPING = Damping()


class Derivatives(NamedTuple):
    """Derivatives of the objective for (log alpha, log beta); beta where the noise can move.

    `em_curvature` is the curvature that EM would assume, positive: a step of gradient /
    em_curvature is an EM step to first order, and never downhill if short enough.
    """

    gradient: np.ndarray
    hessian: np.ndarray
    em_curvature: np.ndarray


def derivatives(posterior: Posterior) -> Derivatives:
    """Gradient and Hessian of the objective, the curvature of the likelihood held.

    With T_ij = alpha_i alpha_j Sigma_ij^2 and v = A mu:

        d2L / dlog alpha_i dlog alpha_j = 1/2 T_ij + v_i Sigma_ij v_j
                                          - delta_ij [1/2 alpha_i (mu_i^2 + Sigma_ii) + b alpha_i]

    summed over outputs in units of their noise. Where the noise of outputs is always at its best,
    it moves along, which adds 1/2 sum_l (beta_l v_il mu_il) (beta_l v_jl mu_jl) / n.
    """
    problem, n_outputs = posterior.problem, posterior.n_outputs
    alpha, sigma, pull = posterior.weight_precision, posterior.covariance, posterior.pull
    scaled = alpha[:, None] * sigma
    overlap = scaled * scaled.T
    em_curvature = 0.5 * alpha * (posterior.power + n_outputs * posterior.variance)
    em_curvature += problem.weight_hyperprior.rate * alpha
    hessian = 0.5 * n_outputs * overlap + sigma * ((posterior.output_precision * pull) @ pull.T)
    if problem.noise.profiled:
        share = pull * posterior.mean * posterior.output_precision
        hessian += 0.5 * share @ share.T / problem.total_weight
    hessian.flat[:: len(alpha) + 1] -= em_curvature
    weights = Derivatives(evidence.weight_gradient(posterior), hessian, em_curvature)
    if not noise_is_held(posterior):
        weights = _with_noise(posterior, weights, overlap)
    places = _places(posterior, len(weights.gradient))
    return weights if places is None else _tied(weights, places)


def _places(posterior: Posterior, size: int) -> np.ndarray | None:
    """The group of each derivative, that for the noise last; None without groups (size,)."""
    labels = posterior.problem.labels
    if labels is None:
        return None
    groups, place = np.unique(labels[posterior.active], return_inverse=True)
    return np.append(place, np.arange(len(groups), len(groups) + size - len(place)))


def _tied(each: Derivatives, places: np.ndarray) -> Derivatives:
    """The derivatives for log precisions that candidates of a group have in common."""
    ties = np.zeros((len(places), places.max(initial=-1) + 1))
    ties[np.arange(len(places)), places] = 1.0
    return Derivatives(
        ties.T @ each.gradient, ties.T @ each.hessian @ ties, ties.T @ each.em_curvature
    )


def _with_noise(posterior: Posterior, weights: Derivatives, overlap: np.ndarray) -> Derivatives:
    """The derivatives with a row for log beta added.

    With P = I - Sigma A, u = Sigma A mu, r2 = ||t - Phi mu||^2:

        d2L / dlog beta^2 = -1/2 [tr P - tr P^2 + beta r2 - 2 v'u] - d beta
        d2L / dlog alpha_i dlog beta = -1/2 [2 v_i u_i - alpha_i Sigma_ii + sum_j T_ij]
    """
    problem, beta = posterior.problem, posterior.noise_precision
    pull = posterior.pull[:, 0]
    shift = posterior.covariance @ pull
    shrinkage = posterior.weight_precision * posterior.variance
    trace = posterior.well_determined.sum()
    trace_of_square = len(pull) - 2.0 * shrinkage.sum() + overlap.sum()
    fit = beta * posterior.residual_energy
    noise = -0.5 * (trace - trace_of_square + fit - 2.0 * pull @ shift)
    noise -= problem.noise_hyperprior.rate * beta
    mixed = -0.5 * (2.0 * pull * shift - shrinkage + overlap.sum(axis=1))
    own = 0.5 * problem.total_weight + problem.noise_hyperprior.rate * beta
    hessian = np.empty((len(pull) + 1, len(pull) + 1))
    hessian[:-1, :-1] = weights.hessian
    hessian[-1, :-1] = hessian[:-1, -1] = mixed
    hessian[-1, -1] = noise
    return Derivatives(
        np.append(weights.gradient, evidence.noise_gradient(posterior)),
        hessian,
        np.append(weights.em_curvature, own),
    )


def newton_step(posterior: Posterior, damping: Damping = DAMPING) -> Posterior:
    """One Newton step, damped until the objective rises; the posterior itself if none is found.

    Solves (d * em_curvature - hessian) step = gradient with the least d, among 0 and powers of
    ten, for which that matrix is positive definite and the objective rises.
    """
    at = derivatives(posterior)
    if not len(at.gradient):
        return posterior
    now = evidence.objective(posterior)
    rounding = damping.unseen * max(1.0, abs(now))
    d = 0.0
    while d <= damping.last:
        matrix = -at.hessian
        matrix.flat[:: len(matrix) + 1] += d * at.em_curvature
        posterior.problem.work.add(2.0 * len(matrix) ** 3)  # this solution, and the derivatives
        _, step, failed = lapack.dposv(matrix, at.gradient, lower=1)
        if not failed and np.isfinite(step).all():
            moved = _move(posterior, step, damping.largest_log_step)
            too_small_to_see = d == 0.0 and at.gradient @ step < rounding
            if too_small_to_see or evidence.objective(moved) > now:
                return moved
        d = max(10.0 * d, damping.first)
    return posterior


def _move(posterior: Posterior, step: np.ndarray, largest: float) -> Posterior:
    """The posterior with log precisions changed by `step`, shortened if it is long."""
    longest = float(np.abs(step).max())
    if longest > largest:
        step = largest * (step / longest)
    size = len(posterior.active)
    places = _places(posterior, size if noise_is_held(posterior) else size + 1)
    step = step if places is None else step[places]
    noise_precision = posterior.noise_precision
    if len(step) > size:
        noise_precision *= float(np.exp(step[size]))
        noise_precision = min(noise_precision, posterior.problem.noise_precision_ceiling)
    return posterior.at(
        Precisions(posterior.weight_precision * np.exp(step[:size]), noise_precision)
    )
