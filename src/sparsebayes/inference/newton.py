"""Newton's method on the log precisions of the active columns and the log noise precision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from sparsebayes import evidence
from sparsebayes.inference.loop import noise_is_held
from sparsebayes.posterior import Posterior, revise
from sparsebayes.problem import Problem

# No precision changes by more than this factor in one step.
LARGEST_LOG_STEP = 4.0
FIRST_DAMPING = 1e-2
# An undamped step that promises less than this part of the objective is taken unseen.
UNSEEN = 1e-13
LAST_DAMPING = 1e12


class Derivatives(NamedTuple):
    """Of the objective for (log alpha, log beta), the latter only where the noise can move.

    `scale` is the curvature that EM would assume, positive: a step of gradient / scale is an
    EM step to first order, and never downhill if short enough.
    """

    gradient: np.ndarray
    hessian: np.ndarray
    scale: np.ndarray


def derivatives(problem: Problem, posterior: Posterior) -> Derivatives:
    """Gradient and Hessian of the objective, the curvature of the likelihood held.

    With T_ij = alpha_i alpha_j Sigma_ij^2 and v = A mu:

        d2L / dlog alpha_i dlog alpha_j = 1/2 T_ij + v_i Sigma_ij v_j
                                          - delta_ij [1/2 alpha_i (mu_i^2 + Sigma_ii) + b alpha_i]
    """
    alpha, sigma, n_outputs = posterior.weight_precision, posterior.covariance, posterior.n_outputs
    scaled = alpha[:, None] * sigma
    overlap = scaled * scaled.T
    scale = 0.5 * alpha * (posterior.power + n_outputs * posterior.variance)
    scale += problem.weight_hyperprior.rate * alpha
    hessian = 0.5 * n_outputs * overlap + sigma * _pulls(posterior)
    hessian += _profile(posterior)
    hessian.flat[:: len(alpha) + 1] -= scale
    gradient = evidence.weight_gradient(problem, posterior)
    if noise_is_held(problem, posterior):
        return Derivatives(gradient, hessian, scale)
    return _with_noise(problem, posterior, Derivatives(gradient, hessian, scale), overlap)


def _pulls(posterior: Posterior) -> np.ndarray:
    """v v', summed over outputs in units of their noise (m, m)."""
    pull = (posterior.weight_precision * posterior.mean.T).T
    if pull.ndim == 1:
        return np.outer(pull, pull)
    return (posterior.output_precision * pull) @ pull.T


def _profile(posterior: Posterior) -> np.ndarray | float:
    """What the best noise adds to the Hessian as it moves along; 0 where it is no profile.

    1/2 sum_l (beta_l alpha_i mu_il^2) (beta_l alpha_j mu_jl^2) / n
    """
    if posterior.profile is None:
        return 0.0
    share = (posterior.weight_precision * posterior.mean.T**2).T * posterior.output_precision
    return 0.5 * share @ share.T / posterior.profile.n_rows


def _with_noise(problem, posterior, weights: Derivatives, overlap) -> Derivatives:
    """The derivatives with a row for log beta added.

    With P = I - Sigma A, u = Sigma A mu, r2 = ||t - Phi mu||^2:

        d2L / dlog beta^2 = -1/2 [tr P - tr P^2 + beta r2 - 2 v'u] - d beta
        d2L / dlog alpha_i dlog beta = -1/2 [2 v_i u_i - alpha_i Sigma_ii + sum_j T_ij]
    """
    beta = posterior.noise_precision
    pull = posterior.weight_precision * posterior.mean
    shift = posterior.covariance @ pull
    shrinkage = posterior.weight_precision * posterior.variance
    trace = posterior.well_determined.sum()
    trace_of_square = len(pull) - 2.0 * shrinkage.sum() + overlap.sum()
    fit = beta * posterior.residual_energy
    noise = -0.5 * (trace - trace_of_square + fit - 2.0 * pull @ shift)
    noise -= problem.noise_hyperprior.rate * beta
    mixed = -0.5 * (2.0 * pull * shift - shrinkage + overlap.sum(axis=1))
    size = len(pull)
    hessian = np.empty((size + 1, size + 1))
    hessian[:size, :size] = weights.hessian
    hessian[size, :size] = hessian[:size, size] = mixed
    hessian[size, size] = noise
    return Derivatives(
        np.append(weights.gradient, evidence.noise_gradient(problem, posterior)),
        hessian,
        np.append(weights.scale, 0.5 * problem.total_weight + problem.noise_hyperprior.rate * beta),
    )


def ascend(problem: Problem, posterior: Posterior) -> Posterior:
    """One Newton step, damped until the objective rises; the posterior itself if none is found.

    Solves (damping * scale - hessian) step = gradient with the least damping, among 0 and powers
    of ten, for which that matrix is positive definite and the objective rises.
    """
    at = derivatives(problem, posterior)
    if not len(at.gradient):
        return posterior
    now = evidence.objective(problem, posterior)
    rounding = UNSEEN * max(1.0, abs(now))
    damping = 0.0
    while damping <= LAST_DAMPING:
        matrix = -at.hessian
        matrix.flat[:: len(matrix) + 1] += damping * at.scale
        _, step, failed = lapack.dposv(matrix, at.gradient, lower=1)
        if not failed:
            moved = _move(problem, posterior, step)
            too_small_to_see = damping == 0.0 and at.gradient @ step < rounding
            if too_small_to_see or evidence.objective(problem, moved) > now:
                return moved
        damping = max(10.0 * damping, FIRST_DAMPING)
    return posterior


def _move(problem: Problem, posterior: Posterior, step: np.ndarray) -> Posterior:
    """The posterior with log precisions changed by `step`, shortened if it is long."""
    step = step * (LARGEST_LOG_STEP / max(LARGEST_LOG_STEP, np.abs(step).max()))
    size = len(posterior.active)
    noise_precision = posterior.noise_precision
    if len(step) > size:
        noise_precision *= float(np.exp(step[size]))
        noise_precision = min(noise_precision, problem.noise_precision_ceiling)
    return revise(posterior, posterior.weight_precision * np.exp(step[:size]), noise_precision)
