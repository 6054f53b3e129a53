"""What inference needs of the rows: numbers that add up over them.

Each function is one pass over the rows. All of them are taken at a point `mean` in the space of
the active weights, and for a noise precision of one.

    latent    = Phi mean                 slope, curvature: of the likelihood's quadratic there
    value     = sum_n weight_n value_n   (one for each output, where each has noise of its own)
    score     = Phi' (weight * slope)
    gram      = Phi' diag(weight * curvature) Phi
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sparsebayes.problem import Problem
from sparsebayes.statistics.passes import (
    At,
    CandidatesPass,
    CurvatureProductPass,
    ExpansionPass,
    GramOfPass,
    GramPass,
    ProductsPass,
    ScoresPass,
)


class Expansion(NamedTuple):
    """Log density of all rows at a point, and its gradient for the active weights (m, n_outputs).

    For the Gaussian the value is minus half the residual energy ||t - Phi mean||^2. It is summed
    from the residuals, never expanded from t't, Phi't and Phi'Phi, where it would cancel.
    """

    value: Any
    score: np.ndarray


class CandidateStatistics(NamedTuple):
    """Of every candidate (M,), at the mode of the active ones."""

    score: np.ndarray
    energy: np.ndarray
    cross_gram: np.ndarray


def expansion(problem: Problem, active: np.ndarray, mean: np.ndarray) -> Expansion:
    """`Expansion` at `mean`, in n_samples x m operations."""
    at = _at(problem, active, mean)
    return Expansion(*problem.rows.fold(ExpansionPass(at), at.active.columns))


def curvature_product(
    problem: Problem, active: np.ndarray, mean: np.ndarray, direction: np.ndarray
) -> np.ndarray:
    """Phi' W Phi direction, where the likelihood's quadratic has no more than a mean curvature."""
    at = _at(problem, active, mean)
    return problem.rows.fold(CurvatureProductPass(at, direction), at.active.columns)[0]


def gram(problem: Problem, active: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Phi' diag(weight * curvature) Phi of the active candidates (m, m), at `mean`."""
    at = _at(problem, active, mean)
    return problem.rows.fold(GramPass(at), at.active.columns)[0]


def gram_of(
    problem: Problem, candidates: np.ndarray, active: np.ndarray, mean: np.ndarray
) -> np.ndarray:
    """The same of any candidates (k, k), at `mean` of the active ones."""
    at, chosen = _at(problem, active, mean), problem.place(candidates)
    columns = np.concatenate([chosen.columns, at.active.columns])
    return problem.rows.fold(GramOfPass(at, chosen), columns)[0]


def candidates(problem: Problem, active: np.ndarray, mean: np.ndarray) -> CandidateStatistics:
    """`CandidateStatistics` at `mean`, in n_samples x M x m operations."""
    return CandidateStatistics(*problem.rows.fold(CandidatesPass(_at(problem, active, mean))))


def scores(problem: Problem, active: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Phi' (weight * slope) of every candidate (M, n_outputs), at `mean`."""
    return problem.rows.fold(ScoresPass(_at(problem, active, mean)))[0]


def inner_products(problem: Problem, candidates: np.ndarray) -> np.ndarray:
    """Phi' diag(weight * curvature) Phi_c (M, k), where the curvature is constant."""
    nothing = _at(problem, np.empty(0, dtype=np.intp), problem.no_weights(0))
    return problem.rows.fold(ProductsPass(nothing, problem.place(candidates)))[0]


def _at(problem: Problem, active: np.ndarray, mean: np.ndarray) -> At:
    return At(problem.likelihood, problem.place(active), mean)
