"""The papers' formulas, written naively with N x N matrices. Nothing here knows the package."""

from __future__ import annotations

import mpmath
import numpy as np
from scipy.optimize import minimize
from scipy.special import expit


def marginal_covariance(design, weight_precision, noise_precision):
    """C = sigma^2 I + Phi A^-1 Phi'. [T01] (15); one noise precision, or one per row."""
    noise = np.broadcast_to(1.0 / np.asarray(noise_precision), len(design))
    return np.diag(noise) + (design / weight_precision) @ design.T


def log_evidence(design, target, weight_precision, noise_precision):
    """log N(t | 0, C), in double precision. [T01] (15)"""
    covariance = marginal_covariance(design, weight_precision, noise_precision)
    _, log_determinant = np.linalg.slogdet(covariance)
    energy = target @ np.linalg.solve(covariance, target)
    return -0.5 * (len(target) * np.log(2.0 * np.pi) + log_determinant + energy)


def exact_log_evidence(design, target, weight_precision, noise_precision, digits=60):
    """log N(t | 0, C) in `digits` digits, of the very numbers given, rounded to double at last."""
    with mpmath.workdps(digits):
        columns, t = mpmath.matrix(design.tolist()), mpmath.matrix(target.tolist())
        prior = mpmath.diag([1 / mpmath.mpf(float(alpha)) for alpha in weight_precision])
        noise = mpmath.eye(len(target)) / mpmath.mpf(float(noise_precision))
        lower = mpmath.cholesky(noise + columns * prior * columns.T)
        white = mpmath.lu_solve(lower, t)
        log_determinant = 2 * sum(mpmath.log(lower[i, i]) for i in range(len(target)))
        energy = (white.T * white)[0]
        return float(-(len(target) * mpmath.log(2 * mpmath.pi) + log_determinant + energy) / 2)


def gaussian_posterior(design, target, weight_precision, noise_precision):
    """Sigma = (beta Phi'Phi + A)^-1 and mu = beta Sigma Phi't. [T01] (12)-(13)"""
    hessian = noise_precision * design.T @ design + np.diag(weight_precision)
    covariance = np.linalg.inv(hessian)
    return noise_precision * covariance @ design.T @ target, covariance


def bernoulli_mode(design, target, weight_precision):
    """The mode of sum_n log p(t_n | w) - 1/2 w'Aw, by a general optimiser. [T01] (24)"""
    sign = 2.0 * target - 1.0

    def loss(weights):
        energy = np.logaddexp(0.0, -sign * (design @ weights)).sum()
        return energy + 0.5 * weight_precision @ weights**2

    def gradient(weights):
        return design.T @ (expit(design @ weights) - target) + weight_precision * weights

    def hessian(weights):
        return laplace_hessian(design, weights, weight_precision)

    start = np.zeros(design.shape[1])
    found = minimize(
        loss, start, jac=gradient, hess=hessian, method="trust-exact", options={"gtol": 1e-10}
    )
    return found.x, -found.fun


def laplace_hessian(design, weights, weight_precision):
    """Phi'B Phi + A. [T01] (25)"""
    probability = expit(design @ weights)
    curvature = probability * (1.0 - probability)
    return design.T @ (curvature[:, None] * design) + np.diag(weight_precision)


def laplace_log_evidence(design, target, weight_precision):
    """log p(t | w) p(w) at the mode, with the volume of its Gaussian approximation."""
    mode, log_joint = bernoulli_mode(design, target, weight_precision)
    hessian = laplace_hessian(design, mode, weight_precision)
    log_determinant = np.linalg.slogdet(hessian)[1]
    return log_joint + 0.5 * np.log(weight_precision).sum() - 0.5 * log_determinant


def working_response(design, target, mode):
    """t_hat = Phi mu + B^-1 (t - y), and B. [T01] (27), as mended in the design"""
    probability = expit(design @ mode)
    curvature = probability * (1.0 - probability)
    return design @ mode + (target - probability) / curvature, curvature


def sparsity_and_quality(column, others, target, weight_precision, noise_precision):
    """s = phi'C^-1 phi and q = phi'C^-1 t, C without this column. [TF03]"""
    inverse = np.linalg.inv(marginal_covariance(others, weight_precision, noise_precision))
    return column @ inverse @ column, column @ inverse @ target


def bernoulli_predictive(mean, variance):
    """The integral of sigmoid(f) N(f | mean, variance), by the trapezium rule.

    The integrand is smooth and dies out at both ends, so the rule is exact to rounding.
    """
    grid = np.linspace(-12.0, 12.0, 24001)
    density = np.exp(-0.5 * grid**2) / np.sqrt(2.0 * np.pi)
    return float(expit(mean + np.sqrt(variance) * grid) @ density * (grid[1] - grid[0]))
