"""The prior covariance of the latent values at the rows, as a sum of parts.

    K = sum_g K_g / alpha_g

A kernel that is a covariance gives its values between the rows, with one precision: a Gaussian
process. Columns that are none have independent weights, and give Phi diag(1 / alpha) Phi': with
one precision for those of a kernel, and with one each for plain columns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import blas

from sparsebayes._parameters import LARGEST
from sparsebayes.columns import NO_ROW, Columns
from sparsebayes.rows import largest_size


class Part(ABC):
    """One kind of columns, evaluated at the rows.

    Attributes
    ----------
    n_groups : how many precisions it has
    inputs : of the rows
    """

    n_groups: int
    inputs: Any

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.inputs.shape[0]

    @abstractmethod
    def energy(self, share: np.ndarray) -> np.ndarray:
        """Mean square of the latent values at unit precision, rows weighted (n_groups,)."""

    @abstractmethod
    def add_to(self, covariance: np.ndarray, variance: np.ndarray) -> None:
        """Add K of this part, in place.

        Parameters
        ----------
        covariance : of other parts (n, n), symmetric and in C order
        variance : the inverse of the precisions (n_groups,)
        """

    @abstractmethod
    def latent_at(self, inputs: Any, variance: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """K(inputs, rows) pull: the part that this makes of the latent values there (n_inputs,)."""

    @abstractmethod
    def by_variance(self, by_covariance: np.ndarray) -> np.ndarray:
        """Derivatives for the variances (n_groups,), from those for the entries of K."""

    @abstractmethod
    def by_scale(self, variance: np.ndarray, by_covariance: np.ndarray) -> np.ndarray:
        """Derivatives for the log scales, from those for the entries of K."""


@dataclass(frozen=True)
class ProcessPart(Part):
    """A kernel that is a covariance.

    Parameters
    ----------
    kind : its columns, centred on the rows
    inputs : of the rows
    values : of the kernel between the rows (n, n)
    """

    kind: Columns
    inputs: Any
    values: np.ndarray
    n_groups = 1

    def energy(self, share: np.ndarray) -> np.ndarray:
        """The mean variance."""
        return np.array([share @ np.diag(self.values)])

    def add_to(self, covariance: np.ndarray, variance: np.ndarray) -> None:
        """The values, times the variance."""
        blas.daxpy(self.values.ravel(order="K"), covariance.ravel(), a=variance[0])

    def latent_at(self, inputs: Any, variance: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """K(inputs, rows) pull, by the values of the kernel between them."""
        return variance[0] * (self.kind.between(inputs, self.inputs) @ pull)

    def by_variance(self, by_covariance: np.ndarray) -> np.ndarray:
        """sum_nm D_nm K_nm."""
        return np.array([np.einsum("nm,nm", by_covariance, self.values)])

    def by_scale(self, variance: np.ndarray, by_covariance: np.ndarray) -> np.ndarray:
        """Derivatives for the log scales, by the slope of the kernel."""
        slope = self.kind.scale_gradient(self.inputs, by_covariance, self.values)
        return variance[0] * slope


@dataclass(frozen=True)
class ColumnsPart(Part):
    """Columns with independent weights.

    Parameters
    ----------
    kind : the columns
    inputs : of the rows
    design : the columns at the rows (n, m)
    group : which of the precisions each column has (m,)
    """

    kind: Columns
    inputs: Any
    design: np.ndarray
    group: np.ndarray

    @property
    def n_groups(self) -> int:  # type: ignore[override]
        """One, or one for each column."""
        return int(self.group.max(initial=-1)) + 1

    def energy(self, share: np.ndarray) -> np.ndarray:
        """Mean squares, summed over the columns of a group."""
        return np.bincount(self.group, share @ self.design**2)

    def add_to(self, covariance: np.ndarray, variance: np.ndarray) -> None:
        """Phi diag(variance) Phi'."""
        if not self.design.size:
            return
        half = self.design * np.sqrt(variance)[self.group]
        blas.dgemm(1.0, half, half, 1.0, covariance.T, trans_b=1, overwrite_c=1)

    def latent_at(self, inputs: Any, variance: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Phi diag(variance) Phi' pull."""
        return self.kind.evaluate(inputs) @ (variance[self.group] * (pull @ self.design))

    def by_variance(self, by_covariance: np.ndarray) -> np.ndarray:
        """phi'D phi, summed over the columns of a group."""
        product = by_covariance @ self.design
        return np.bincount(self.group, np.einsum("nm,nm->m", self.design, product))

    def by_scale(self, variance: np.ndarray, by_covariance: np.ndarray) -> np.ndarray:
        """Derivatives for the log scales, by those for the columns, (D + D') Phi."""
        if self.kind.free is None:
            return np.empty(0)
        by_design = by_covariance @ self.design + by_covariance.T @ self.design
        return variance[0] * self.kind.scale_gradient(self.inputs, by_design, self.design)


def part_of(kind: Columns, inputs: Any) -> Part:
    """The part that these columns make at some rows."""
    if kind.positive_definite:
        here = replace(kind, items=inputs, centre_rows=np.arange(inputs.shape[0]))
        return ProcessPart(here, inputs, _representable(kind.between, inputs, inputs))
    return ColumnsPart(kind, inputs, _representable(kind.evaluate, inputs), own_groups(kind))


def _representable(evaluate: Callable[..., np.ndarray], *inputs: Any) -> np.ndarray:
    """Values whose squares are representable; a FloatingPointError if they are not.

    Scales that are tried can lead there. Those of the user were tried before.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        values = evaluate(*inputs)
    if not largest_size(values) < LARGEST:
        raise FloatingPointError("values of the basis at these scales are too large")
    return values


def prior_covariance(parts: Sequence[Part], variances: Sequence[np.ndarray]) -> np.ndarray:
    """K of all parts together."""
    covariance = np.zeros((parts[0].n_rows, parts[0].n_rows))
    for part, variance in zip(parts, variances, strict=True):
        part.add_to(covariance, variance)
    return covariance


def groups(kinds: tuple[Columns, ...]) -> np.ndarray:
    """The group of each column (n_columns,): one for a kernel, one for each plain column."""
    starts = group_starts(kinds)
    own = [start + own_groups(kind) for start, kind in zip(starts, kinds, strict=True)]
    return np.concatenate(own)


def group_starts(kinds: tuple[Columns, ...]) -> np.ndarray:
    """The first group of each kind (n_kinds,)."""
    sizes = [own_groups(kind).max(initial=-1) + 1 for kind in kinds]
    return np.cumsum([0, *sizes])[:-1]


def own_groups(kind: Columns) -> np.ndarray:
    """The group of each column within its kind: one for a kernel, one for each plain column."""
    plain = kind.centre_rows == NO_ROW
    return np.where(plain, np.cumsum(plain) - 1, 0)


def kernel_groups(kinds: tuple[Columns, ...]) -> np.ndarray:
    """Which of the groups are those of a kernel (n_groups,)."""
    flags: list[bool] = []
    for kind in kinds:
        plain = int(np.sum(kind.centre_rows == NO_ROW))
        flags += [False] * plain if plain else [True] * bool(kind.n_columns)
    return np.array(flags, dtype=bool)
