"""Each pass over the rows, as an object that can be sent to where the rows are.

A pass is called with the design matrix, the targets and the weights of a block of rows. It returns
a tuple of numbers and arrays that add up over blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods import Likelihood, Placement, Quadratic


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
        """Of a block of rows."""
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
        """Of a block of rows."""
        active, mean = self.at.active, self.at.mean
        latent, moved = active.latent(design, mean), active.latent(design, self.direction)
        return (active.score(design, self.at.likelihood.curvature_product(latent, moved), weight),)


@dataclass(frozen=True)
class GramPass:
    """Phi' diag(weight * curvature) Phi of the active candidates. `design` has their columns."""

    at: At

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """Of a block of rows."""
        curvature = self.at.expand(design, target).curvature
        return (self.at.active.gram(design, curvature, weight),)


@dataclass(frozen=True)
class GramOfPass:
    """The same of any candidates. `design` has their columns, then the active ones."""

    at: At
    candidates: Placement

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """Of a block of rows."""
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
        """Of a block of rows."""
        active = self.at.active
        quadratic = self.at.expand(design[:, active.columns], target)
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
        """Of a block of rows."""
        active = self.at.active
        quadratic = self.at.expand(design[:, active.columns], target)
        return (active.every_score(design, quadratic.slope, weight),)


@dataclass(frozen=True)
class ProductsPass:
    """Entries of the Gram matrix between all candidates and some, where the curvature is constant.

    `at` is a point without active weights. `design` has all columns.
    """

    at: At
    candidates: Placement

    def __call__(self, design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
        """Of a block of rows."""
        curvature = self.at.expand(design[:, :0], target).curvature
        return (self.candidates.every_product(design, curvature, weight),)
