"""What inference needs of the rows: numbers that add up over them.

Each function is one pass over the rows. All of them are taken at a point `mean` in the space of
the active weights, and for a noise precision of one.

    latent    = Phi mean                 slope, curvature: of the likelihood's quadratic there
    value     = sum_n weight_n value_n   (one for each output, where each has noise of its own)
    score     = Phi' (weight * slope)
    gram      = Phi' diag(weight * curvature) Phi
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.likelihoods import Likelihood, Placement, Quadratic
from sparsebayes.likelihoods.layout import some_columns
from sparsebayes.problem import Problem


@dataclass(frozen=True)
class At:
    """A point in the space of the active weights.

    Attributes
    ----------
    likelihood : of the targets
    active : the active candidates, placed on the columns
    mean : their weights (m, n_outputs)
    """

    likelihood: Likelihood
    active: Placement
    mean: np.ndarray

    def expand(self, design: np.ndarray, target: np.ndarray) -> Quadratic:
        """The quadratic of each row there; `design` has the active columns."""
        return self.likelihood.expand(target, self.active.latent(design, self.mean))


@dataclass(frozen=True)
class ExpansionPass:
    """Log density and its gradient for the active weights. `design` has the active columns."""

    at: At

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """The sums over a block of rows."""
        quadratic = self.at.expand(design, target)
        return weight @ quadratic.value, self.at.active.score(design, quadratic.slope, weight)


@dataclass(frozen=True)
class CurvatureProductPass:
    """Phi' W Phi direction, where `expand` has no more than a mean curvature.

    `design` has the active columns.
    """

    at: At
    direction: np.ndarray

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """The sums over a block of rows."""
        active, mean = self.at.active, self.at.mean
        latent, moved = active.latent(design, mean), active.latent(design, self.direction)
        bent = self.at.likelihood.curvature_at(target, latent)(moved)
        return (active.score(design, bent, weight),)


@dataclass(frozen=True)
class GramPass:
    """Phi' diag(weight * curvature) Phi of the active candidates. `design` has their columns."""

    at: At

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """The sums over a block of rows."""
        curvature = self.at.expand(design, target).curvature
        return (self.at.active.gram(design, curvature, weight),)


@dataclass(frozen=True)
class GramOfPass:
    """The Gram matrix of any candidates. `design` has their columns, then the active ones."""

    at: At
    candidates: Placement

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """The sums over a block of rows."""
        size = len(self.candidates.columns)
        curvature = self.at.expand(design[:, size:], target).curvature
        return (self.candidates.gram(design[:, :size], curvature, weight),)


@dataclass(frozen=True)
class CandidatesPass:
    """Score, energy and inner products with the active of every candidate.

    `design` has all columns.
    """

    at: At

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """The sums over a block of rows."""
        active = self.at.active
        quadratic = self.at.expand(some_columns(design, active.columns), target)
        return (
            active.every_score(design, quadratic.slope, weight),
            active.every_energy(design, quadratic.curvature, weight),
            active.every_product(design, quadratic.curvature, weight),
        )


@dataclass(frozen=True)
class ScoresPass:
    """Phi' (weight * slope) of every candidate. `design` has all columns."""

    at: At

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """The sums over a block of rows."""
        active = self.at.active
        quadratic = self.at.expand(some_columns(design, active.columns), target)
        return (active.every_score(design, quadratic.slope, weight),)


@dataclass(frozen=True)
class ProductsPass:
    """Entries of the Gram matrix between all candidates and some, where the curvature is constant.

    `at` is a point without active weights. `design` has all columns.
    """

    at: At
    candidates: Placement

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """The sums over a block of rows."""
        curvature = self.at.expand(np.empty((len(target), 0)), target).curvature
        return (self.candidates.every_product(design, curvature, weight),)


@dataclass(frozen=True)
class GroupGramsPass:
    """The Gram matrix of each of several groups of candidates of one size (G, size, size).

    `design` has the columns of all groups, group after group, then the active ones.
    """

    at: At
    shape: tuple[int, int]

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """The sums over a block of rows."""
        size = self.shape[0] * self.shape[1]
        curvature = self.at.expand(design[:, size:], target).curvature
        scaled = (np.sqrt(weight * curvature)[:, None] * design[:, :size]).T
        each = scaled.reshape(*self.shape, -1)
        return (each @ each.transpose(0, 2, 1),)


class Expansion(NamedTuple):
    """Log density of all rows at a point, and its gradient for the active weights (m, n_outputs).

    For the Gaussian the value is minus half the residual energy ||t - Phi mean||^2. It is summed
    from the residuals, never expanded from t't, Phi't and Phi'Phi, where it would cancel.
    """

    value: Any
    score: np.ndarray


class CandidateStatistics(NamedTuple):
    """Statistics of every candidate (M,), at the mode of the active ones."""

    score: np.ndarray
    energy: np.ndarray
    cross_gram: np.ndarray


def expansion(problem: Problem, active: np.ndarray, mean: np.ndarray) -> Expansion:
    """`Expansion` at `mean`, in n_samples x m operations."""
    at = _at(problem, active, mean)
    return Expansion(*problem.fold(ExpansionPass(at), at.active.columns))


def curvature_product(
    problem: Problem, active: np.ndarray, mean: np.ndarray, direction: np.ndarray
) -> np.ndarray:
    """Phi' W Phi direction, where the likelihood's quadratic has no more than a mean curvature."""
    at = _at(problem, active, mean)
    return problem.fold(CurvatureProductPass(at, direction), at.active.columns)[0]


def gram(problem: Problem, active: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Phi' diag(weight * curvature) Phi of the active candidates (m, m), at `mean`."""
    at = _at(problem, active, mean)
    return problem.fold(GramPass(at), at.active.columns, len(active))[0]


def gram_of(
    problem: Problem, candidates: np.ndarray, active: np.ndarray, mean: np.ndarray
) -> np.ndarray:
    """The Gram matrix of any candidates (k, k), at `mean` of the active ones."""
    at, chosen = _at(problem, active, mean), problem.place(candidates)
    columns = np.concatenate([chosen.columns, at.active.columns])
    return problem.fold(GramOfPass(at, chosen), columns, len(candidates))[0]


def group_grams(
    problem: Problem, members: np.ndarray, active: np.ndarray, mean: np.ndarray
) -> np.ndarray:
    """The Gram matrices of groups of candidates (G, size) at `mean` (G, size, size)."""
    at = _at(problem, active, mean)
    columns = np.concatenate([members.ravel(), at.active.columns])
    return problem.fold(GroupGramsPass(at, members.shape), columns, members.shape[1])[0]


def candidates(problem: Problem, active: np.ndarray, mean: np.ndarray) -> CandidateStatistics:
    """`CandidateStatistics` at `mean`, in n_samples x M x m operations."""
    at = _at(problem, active, mean)
    return CandidateStatistics(*problem.fold(CandidatesPass(at), None, len(active)))


def scores(problem: Problem, active: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Phi' (weight * slope) of every candidate (M, n_outputs), at `mean`."""
    return problem.fold(ScoresPass(_at(problem, active, mean)), None)[0]


def inner_products(problem: Problem, candidates: np.ndarray) -> np.ndarray:
    """Phi' diag(weight * curvature) Phi_c (M, k), where the curvature is constant."""
    nothing = _at(problem, np.empty(0, dtype=np.intp), problem.no_weights(0))
    return problem.fold(ProductsPass(nothing, problem.place(candidates)), None, len(candidates))[0]


def _at(problem: Problem, active: np.ndarray, mean: np.ndarray) -> At:
    return At(problem.likelihood, problem.place(active), mean)
