"""The factor of a positive definite matrix, and what is read off it.

A matrix is first scaled to a unit diagonal, so that the units of a column never matter, and then
factored by Cholesky. Columns of wide kernels are collinear to rounding: where the factorisation
fails, the unit diagonal is raised by a jitter, ten times larger at each try. Where even the last
jitter does not do, eigenvalues below it are raised to it. So every matrix of finite numbers with a
positive diagonal has a factor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from sparsebayes._cached import cached_property
from sparsebayes.model.arrays import squared_lengths as squared_lengths
from sparsebayes.model.arrays import times_lower_transposed as times_lower_transposed

# Rounding of a unit diagonal, and a jitter beyond which the matrix is not what it should be.
FIRST_JITTER = 1e-15
LAST_JITTER = 1e-3
NOT_POSITIVE = (
    "a matrix could not be factorised: its entries are not those of a positive definite matrix. "
    "Please check the columns for infinite or extreme values."
)


@dataclass(frozen=True)
class Factor:
    """H = diag(1/scale) L L' diag(1/scale), with L lower triangular.

    `jitter` is what had to be added to the unit diagonal; 0 for a matrix that needed none.
    """

    scale: np.ndarray
    lower: np.ndarray
    jitter: float

    @cached_property
    def whitener(self) -> np.ndarray:
        """R = L^-1 diag(scale), so that H^-1 = R' R."""
        if not self.lower.size:
            return self.lower
        inverse, _ = lapack.dtrtri(self.lower, lower=1)
        return inverse * self.scale

    @property
    def log_determinant(self) -> float:
        """log |H|."""
        return 2.0 * float(np.log(self.lower.diagonal() / self.scale).sum())

    def solve(self, right: np.ndarray) -> np.ndarray:
        """H^-1 right, for a vector (m,) or for several (m, k)."""
        if not self.lower.size:
            return right
        scale = self.scale if right.ndim == 1 else self.scale[:, None]
        solution, _ = lapack.dpotrs(self.lower, scale * right, lower=1)
        return scale * solution

    @cached_property
    def inverse_diagonal(self) -> np.ndarray:
        """The diagonal of H^-1."""
        return np.einsum("ij,ij->j", self.whitener, self.whitener)

    @cached_property
    def inverse(self) -> np.ndarray:
        """H^-1."""
        return self.whitener.T @ self.whitener


def factorise(matrix: np.ndarray) -> Factor:
    """The `Factor` of a symmetric matrix (m, m) that is positive definite up to rounding."""
    diagonal = matrix.diagonal()
    if not diagonal.size:
        return Factor(diagonal, matrix, 0.0)
    if not 0.0 < diagonal.min() <= diagonal.max() < np.inf:
        raise FloatingPointError(NOT_POSITIVE)
    scale = 1.0 / np.sqrt(diagonal)
    scaled = matrix * scale
    scaled *= scale[:, None]
    jitter = 0.0
    while jitter <= LAST_JITTER:
        scaled.flat[:: len(scaled) + 1] = 1.0 + jitter
        lower, failed = lapack.dpotrf(scaled, lower=1, clean=1)
        if not failed and np.isfinite(lower[-1]).all():
            return Factor(scale, lower, jitter)
        jitter = max(10.0 * jitter, FIRST_JITTER)
    return Factor(scale, _nearest_factor(scaled), LAST_JITTER)


def _nearest_factor(scaled: np.ndarray) -> np.ndarray:
    """The Cholesky factor of a matrix whose eigenvalues are raised to the last jitter."""
    if not np.isfinite(scaled).all():
        raise FloatingPointError(NOT_POSITIVE)
    scaled.flat[:: len(scaled) + 1] = 1.0
    values, vectors = np.linalg.eigh(scaled)
    repaired = (vectors * np.maximum(values, LAST_JITTER)) @ vectors.T
    lower, _ = lapack.dpotrf(repaired, lower=1, clean=1)
    return lower


def lower_factor(matrix: np.ndarray) -> np.ndarray:
    """The Cholesky factor L of a well-conditioned matrix, which is overwritten."""
    lower, failed = lapack.dpotrf(matrix.T, lower=1, clean=0, overwrite_a=1)
    if failed or not np.isfinite(lower[-1, -1]):
        raise FloatingPointError(NOT_POSITIVE)
    return lower


def solve_lower(lower: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(L L')^-1 right; what is above the diagonal of L does not matter."""
    return lapack.dpotrs(lower, right, lower=1)[0]


class Pivoted(NamedTuple):
    """Positions of the rows that a matrix was factored by (k,), and the factor of these (k, k)."""

    rows: np.ndarray
    lower: np.ndarray


def pivoted_factor(matrix: np.ndarray, least: float) -> Pivoted:
    """Cholesky with pivots: the next row is always the one with the largest entry left.

    It ends when what is left of every diagonal entry is at most `least`. The matrix is overwritten.
    """
    lower, rows, rank, _ = lapack.dpstrf(matrix.T, tol=least, lower=1, overwrite_a=1)
    return Pivoted(rows[:rank] - 1, np.tril(lower[:rank, :rank]))


def inverse_of(lower: np.ndarray, overwrite: bool = False) -> np.ndarray:
    """(L L')^-1, in the place of L if that may be overwritten."""
    inverse, _ = lapack.dpotri(lower, lower=1, overwrite_c=overwrite)
    mirror_lower(inverse)
    return inverse


# Which entries of a block are on or below the diagonal.
BELOW = np.tri(64, dtype=bool)


def mirror_lower(matrix: np.ndarray) -> None:
    """Make a matrix symmetric by what is below its diagonal, block by block, in place."""
    size, block = len(matrix), len(BELOW)
    for start in range(0, size, block):
        end = min(start + block, size)
        corner = matrix[start:end, start:end]
        corner[...] = np.where(BELOW[: end - start, : end - start], corner, corner.T)
        matrix[start:end, end:] = matrix[end:, start:end].T


def conjugate_gradients(
    product: Callable[[np.ndarray], np.ndarray],
    precondition: Callable[[np.ndarray], np.ndarray],
    right: np.ndarray,
    max_steps: int,
    tolerance: float = 0.01,
) -> np.ndarray:
    """An approximate solution of H x = right for positive definite H, any shape of x.

    Parameters
    ----------
    product : x -> H x
    precondition : x -> about H^-1 x
    tolerance : the residual at which it ends, relative to the first; a step of Newton's method
        needs no more than two digits
    """
    solution, residual = np.zeros_like(right), right.copy()
    white = precondition(residual)
    direction, size = white, float(np.vdot(residual, white))
    enough = tolerance**2 * size
    for _ in range(max_steps):
        if size <= enough:
            break
        bent = product(direction)
        length = size / float(np.vdot(direction, bent))
        solution += length * direction
        residual = residual - length * bent
        white = precondition(residual)
        before, size = size, float(np.vdot(residual, white))
        direction = white + (size / before) * direction
    return solution
