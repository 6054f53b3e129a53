"""What inference needs of the rows: numbers that add up over them.

Each function is one pass over the rows, which adds up what the function after it makes of the
columns, targets and weights of a block. All of them are taken at a point `mean` in the space of the
active weights, and for a noise precision of one.

    latent    = Phi mean                 slope, curvature: of the likelihood's quadratic there
    value     = sum_n weight_n value_n   (one for each output, where each has noise of its own)
    score     = Phi' (weight * slope)
    gram      = Phi' diag(weight * curvature) Phi
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

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

    def among_all(self, design: Any, target: np.ndarray) -> Quadratic:
        """The quadratic of each row there; `design` has all columns, and may be sparse."""
        return self.expand(some_columns(design, self.active.columns), target)


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


Array: TypeAlias = np.ndarray


def expansion(problem: Problem, active: Array, mean: Array) -> Expansion:
    """`Expansion` at `mean`, in n_samples x m operations."""
    at = _at(problem, active, mean)
    return Expansion(*problem.fold(partial(_expansion, at), at.active.columns))


def _expansion(at: At, design: Array, target: Array, weight: Array) -> tuple:
    quadratic = at.expand(design, target)
    return weight @ quadratic.value, at.active.score(design, quadratic.slope, weight)


def curvature_product(problem: Problem, active: Array, mean: Array, direction: Array) -> Array:
    """Phi' W Phi direction, where the likelihood's quadratic has no more than a mean curvature."""
    at = _at(problem, active, mean)
    return problem.fold(partial(_curvature_product, at, direction), at.active.columns)[0]


def _curvature_product(
    at: At, direction: Array, design: Array, target: Array, weight: Array
) -> tuple:
    latent, moved = (at.active.latent(design, each) for each in (at.mean, direction))
    bent = at.likelihood.curvature_at(target, latent)(moved)
    return (at.active.score(design, bent, weight),)


def gram(problem: Problem, active: Array, mean: Array) -> Array:
    """Phi' diag(weight * curvature) Phi of the active candidates (m, m), at `mean`."""
    at = _at(problem, active, mean)
    return problem.fold(partial(_gram, at), at.active.columns, len(active))[0]


def _gram(at: At, design: Array, target: Array, weight: Array) -> tuple:
    return (at.active.gram(design, at.expand(design, target).curvature, weight),)


def gram_of(problem: Problem, candidates: Array, active: Array, mean: Array) -> Array:
    """The Gram matrix of any candidates (k, k), at `mean` of the active ones."""
    at, chosen = _at(problem, active, mean), problem.place(candidates)
    columns = np.concatenate([chosen.columns, at.active.columns])
    return problem.fold(partial(_gram_of, at, chosen), columns, len(candidates))[0]


def _gram_of(at: At, chosen: Placement, design: Array, target: Array, weight: Array) -> tuple:
    size = len(chosen.columns)
    curvature = at.expand(design[:, size:], target).curvature
    return (chosen.gram(design[:, :size], curvature, weight),)


def group_grams(problem: Problem, members: Array, active: Array, mean: Array) -> Array:
    """The Gram matrices of groups of candidates (G, size) at `mean` (G, size, size)."""
    at = _at(problem, active, mean)
    columns = np.concatenate([members.ravel(), at.active.columns])
    return problem.fold(partial(_group_grams, at, members.shape), columns, members.shape[1])[0]


def _group_grams(
    at: At, shape: tuple[int, ...], design: Array, target: Array, weight: Array
) -> tuple:
    size = int(np.prod(shape))
    curvature = at.expand(design[:, size:], target).curvature
    scaled = (np.sqrt(weight * curvature)[:, None] * design[:, :size]).T
    each = scaled.reshape(*shape, -1)
    return (each @ each.transpose(0, 2, 1),)


def candidates(problem: Problem, active: Array, mean: Array) -> CandidateStatistics:
    """`CandidateStatistics` at `mean`, in n_samples x M x m operations."""
    at = _at(problem, active, mean)
    return CandidateStatistics(*problem.fold(partial(_candidates, at), None, len(active)))


def _candidates(at: At, design: Any, target: Array, weight: Array) -> tuple:
    quadratic = at.among_all(design, target)
    return (
        at.active.every_score(design, quadratic.slope, weight),
        at.active.every_energy(design, quadratic.curvature, weight),
        at.active.every_product(design, quadratic.curvature, weight),
    )


def scores(problem: Problem, active: Array, mean: Array) -> Array:
    """Phi' (weight * slope) of every candidate (M, n_outputs), at `mean`."""
    return problem.fold(partial(_scores, _at(problem, active, mean)), None)[0]


def _scores(at: At, design: Any, target: Array, weight: Array) -> tuple:
    return (at.active.every_score(design, at.among_all(design, target).slope, weight),)


def inner_products(problem: Problem, candidates: Array) -> Array:
    """Phi' diag(weight * curvature) Phi_c (M, k), where the curvature is constant."""
    nowhere = _at(problem, np.empty(0, dtype=np.intp), problem.no_weights(0))
    products = partial(_products, nowhere, problem.place(candidates))
    return problem.fold(products, None, len(candidates))[0]


def _products(nowhere: At, chosen: Placement, design: Any, target: Array, weight: Array) -> tuple:
    curvature = nowhere.expand(np.empty((len(target), 0)), target).curvature
    return (chosen.every_product(design, curvature, weight),)


def _at(problem: Problem, active: Array, mean: Array) -> At:
    return At(problem.likelihood, problem.place(active), mean)
