"""The factor of a positive definite matrix, and what is read off it.

A matrix is first scaled to a unit diagonal, so that the units of a column never matter, and then
factored by Cholesky. Columns of wide kernels are collinear to rounding: where the factorisation
fails, the unit diagonal is raised by a jitter, ten times larger at each try.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import lapack

FIRST_JITTER = 1e-15
LAST_JITTER = 1e-3


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
        return float(2.0 * (np.log(np.diag(self.lower)).sum() - np.log(self.scale).sum()))

    def solve(self, right: np.ndarray) -> np.ndarray:
        """H^-1 right, for a vector or a matrix."""
        return self.whitener.T @ (self.whitener @ right)

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
    scale = 1.0 / np.sqrt(np.diag(matrix))
    scaled = matrix * scale[:, None] * scale
    if not scaled.size:
        return Factor(scale, scaled, 0.0)
    jitter = 0.0
    while jitter <= LAST_JITTER:
        np.fill_diagonal(scaled, 1.0 + jitter)
        lower, failed = lapack.dpotrf(scaled, lower=1, clean=1)
        if not failed:
            return Factor(scale, lower, jitter)
        jitter = max(10.0 * jitter, FIRST_JITTER)
    raise FloatingPointError(
        f"a matrix of {len(scale)} columns could not be factorised: its entries are not those of a "
        "positive definite matrix. Please check the columns for infinities or extreme values."
    )
