"""What inference needs of the rows: numbers that add up over them.

Each function is one pass over the rows. All of them are taken at a point `mean` in the space of
the active weights, and for a noise precision of one.

    latent    = Phi mean                 slope, curvature: of the likelihood's quadratic there
    value     = sum_n weight_n value_n   (one for each output, where the noise is profiled out)
    score     = Phi' (weight * slope)
    gram      = Phi' diag(weight * curvature) Phi
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes import _coupled
from sparsebayes.problem import Problem


class Expansion(NamedTuple):
    """Log density of all rows at a point, and its gradient for the active weights (m,).

    For the Gaussian the value is minus half the residual energy ||t - Phi mean||^2. It is summed
    from the residuals, never expanded from t't, Phi't and Phi'Phi, where it would cancel.
    """

    value: float
    score: np.ndarray


class CandidateStatistics(NamedTuple):
    """Of every candidate column (M,), at the mode of the active ones."""

    score: np.ndarray
    energy: np.ndarray
    cross_gram: np.ndarray


def expansion(problem: Problem, active: np.ndarray, mean: np.ndarray) -> Expansion:
    """`Expansion` at `mean`, in n_samples x m operations."""
    if problem.likelihood.coupled:
        return Expansion(*_coupled.expansion(problem, active, mean))

    def block(design, target, weight):
        quadratic = problem.likelihood.expand(target, design @ mean)
        return weight @ quadratic.value, design.T @ _weighted(quadratic.slope, weight)

    return Expansion(*problem.rows.fold(block, active))


def bend(
    problem: Problem, active: np.ndarray, mean: np.ndarray, direction: np.ndarray
) -> np.ndarray:
    """Phi' W Phi direction, where the likelihood's quadratic has no more than a mean curvature."""

    def block(design, target, weight):
        bent = problem.likelihood.bend(design @ mean, design @ direction)
        return (design.T @ _weighted(bent, weight),)

    return problem.rows.fold(block, active)[0]


def gram(problem: Problem, active: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Phi' diag(weight * curvature) Phi of the active columns (m, m), at `mean`."""
    if problem.likelihood.coupled:
        return _coupled.gram(problem, active, mean)

    def block(design, target, weight):
        quadratic = problem.likelihood.expand(target, design @ mean)
        return (_weighted_gram(design, weight * quadratic.curvature),)

    return problem.rows.fold(block, active)[0]


def candidates(problem: Problem, active: np.ndarray, mean: np.ndarray) -> CandidateStatistics:
    """`CandidateStatistics` at `mean`, in n_samples x M x m operations."""
    if problem.likelihood.coupled:
        return CandidateStatistics(*_coupled.candidates(problem, active, mean))

    def block(design, target, weight):
        chosen = design[:, active]
        quadratic = problem.likelihood.expand(target, chosen @ mean)
        curvature = weight * quadratic.curvature
        return (
            design.T @ _weighted(quadratic.slope, weight),
            curvature @ design**2,
            design.T @ (curvature[:, None] * chosen),
        )

    return CandidateStatistics(*problem.rows.fold(block))


def scores(problem: Problem, active: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Phi' (weight * slope) of every candidate (M,), at `mean`."""

    def block(design, target, weight):
        quadratic = problem.likelihood.expand(target, design[:, active] @ mean)
        return (design.T @ _weighted(quadratic.slope, weight),)

    return problem.rows.fold(block)[0]


def inner_products(problem: Problem, columns: np.ndarray) -> np.ndarray:
    """Phi' diag(weight * curvature) Phi_columns (M, k), where the curvature is constant."""

    def block(design, target, weight):
        nowhere = design[:, :0] @ problem.no_weights(0)
        curvature = problem.likelihood.expand(target, nowhere).curvature
        return (design.T @ ((weight * curvature)[:, None] * design[:, columns]),)

    return problem.rows.fold(block)[0]


def gram_of(
    problem: Problem, columns: np.ndarray, active: np.ndarray, mean: np.ndarray
) -> np.ndarray:
    """Phi_c' diag(weight * curvature) Phi_c of any columns (k, k), at `mean` of the active ones."""
    if problem.likelihood.coupled:
        return _coupled.gram_of(problem, columns, active, mean)
    size = len(columns)

    def block(design, target, weight):
        quadratic = problem.likelihood.expand(target, design[:, size:] @ mean)
        return (_weighted_gram(design[:, :size], weight * quadratic.curvature),)

    return problem.rows.fold(block, np.concatenate([columns, active]))[0]


def _weighted(slope: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Slopes times the weights of their rows, for one output (n,) or several (n, k)."""
    return (slope.T * weight).T


def _weighted_gram(design: np.ndarray, weight: np.ndarray) -> np.ndarray:
    scaled = design * np.sqrt(weight)[:, None]
    return scaled.T @ scaled
