"""How the weights of columns make the latent values of a row, and what that does to sums over rows.

A *candidate* is what has a precision of its own. With one output it is a column and its weight.
With several outputs it can be a column and its weights for all outputs, or a column and its weight
for one class. Weights are always an array (n_candidates, n_outputs).

`Layout.place` says which columns a list of candidates needs; the `Placement` that it returns knows
the sums that a pass over rows adds up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse


class Placement(ABC):
    """Some candidates, placed on the columns of a design matrix.

    Attributes
    ----------
    columns : the column of each candidate (m,)
    """

    columns: np.ndarray

    @abstractmethod
    def latent(self, design: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Latent values of the rows; `design` (n, m) has a column for each candidate."""

    @abstractmethod
    def score(self, design: np.ndarray, slope: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Phi' (weight * slope) of the candidates (m, n_outputs)."""

    @abstractmethod
    def gram(self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Phi' diag(weight * curvature) Phi of the candidates (m, m)."""

    @abstractmethod
    def every_score(self, design: np.ndarray, slope: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """`score` of all candidates there are; `design` (n, M) has all columns."""

    @abstractmethod
    def every_energy(
        self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray
    ) -> np.ndarray:
        """The diagonal of `gram` of all candidates; `design` (n, M) has all columns."""

    @abstractmethod
    def every_product(
        self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray
    ) -> np.ndarray:
        """Entries of `gram` between all candidates and these; `design` (n, M) has all columns."""


class Layout(ABC):
    """How weights make latent values.

    Attributes
    ----------
    n_outputs : how many weights with one precision a candidate has
    n_classes : how many candidates a column has
    single : whether a row has one latent value
    """

    n_outputs: int = 1
    n_classes: int = 1
    single: bool = False

    @abstractmethod
    def place(self, candidates: np.ndarray, n_columns: int) -> Placement:
        """Place candidates on `n_columns` columns."""

    @abstractmethod
    def bend(self, curvature: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """The curvature of each row times latent values."""

    def inner(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """The product of the latent values of each row, summed over these (n,)."""
        return left * right if self.single else np.sum(left * right, axis=1)

    def join(self, columns: Sequence[np.ndarray], n_columns: int) -> np.ndarray:
        """The candidates for some columns of each target, where a candidate is a column."""
        return np.unique(np.concatenate(columns))


@dataclass(frozen=True)
class ColumnPlacement(Placement):
    """Columns with a weight for each output.

    Attributes
    ----------
    single : whether a row has one latent value, and arrays of these one axis
    """

    columns: np.ndarray
    single: bool

    def latent(self, design: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Phi mean (n,) or (n, n_outputs)."""
        return design @ (mean[:, 0] if self.single else mean)

    def score(self, design: np.ndarray, slope: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """(m, n_outputs)."""
        if self.single:
            return (design.T @ (weight * slope))[:, None]
        return design.T @ (weight[:, None] * slope)

    def gram(self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """(m, m)."""
        scaled = design * np.sqrt(weight * curvature)[:, None]
        return scaled.T @ scaled

    def every_score(self, design: np.ndarray, slope: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """(M, n_outputs)."""
        return self.score(design, slope, weight)

    def every_energy(
        self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray
    ) -> np.ndarray:
        """(M,)."""
        return (weight * curvature) @ squares(design)

    def every_product(
        self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray
    ) -> np.ndarray:
        """(M, m)."""
        return design.T @ ((weight * curvature)[:, None] * some_columns(design, self.columns))


@dataclass(frozen=True)
class SharedLatents(Layout):
    """A latent value for each output; the weights of a column for all of them are one candidate.

    The curvature of a row is one number for all its latent values.
    """

    n_outputs: int = 1
    single: bool = False

    def place(self, candidates: np.ndarray, n_columns: int) -> Placement:
        """A candidate is a column."""
        return ColumnPlacement(candidates, self.single)

    def bend(self, curvature: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """(n,) or (n, n_outputs)."""
        return curvature * latent if self.single else curvature[:, None] * latent


ONE_LATENT = SharedLatents(single=True)


@dataclass(frozen=True)
class ClassPlacement(Placement):
    """Candidates with a column and a class each.

    Attributes
    ----------
    label : the class of each candidate (m,)
    n_classes : how many classes there are
    """

    columns: np.ndarray
    label: np.ndarray
    n_classes: int

    @property
    def positions(self) -> list[np.ndarray]:
        """For each class, where its candidates stand."""
        return [np.flatnonzero(self.label == k) for k in range(self.n_classes)]

    def latent(self, design: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """(n, K)."""
        return np.column_stack([design[:, own] @ mean[own, 0] for own in self.positions])

    def score(self, design: np.ndarray, slope: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """(m, 1)."""
        weighted = weight[:, None] * slope
        return np.einsum("nm,nm->m", design, weighted[:, self.label])[:, None]

    def gram(self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """sum_n weight_n phi_i (delta_kl p_k - p_k p_l) phi_j (m, m).

        Within a class p_k (1 - p_k) is p_k times the sum of all others, which does not cancel
        where a row is sure of its class.
        """
        root = np.sqrt(weight)[:, None]
        spread = design * (root * curvature)[:, self.label]
        result = -(spread.T @ spread)
        alone = np.sqrt(curvature * of_others(curvature)) * root
        for k, own in enumerate(self.positions):
            half = design[:, own] * alone[:, [k]]
            result[np.ix_(own, own)] = half.T @ half
        return result

    def every_score(self, design: np.ndarray, slope: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """(K M, 1)."""
        return (design.T @ (weight[:, None] * slope)).T.reshape(-1, 1)

    def every_energy(
        self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray
    ) -> np.ndarray:
        """(K M,)."""
        spread = weight[:, None] * curvature * of_others(curvature)
        return (squares(design).T @ spread).T.ravel()

    def every_product(
        self, design: np.ndarray, curvature: np.ndarray, weight: np.ndarray
    ) -> np.ndarray:
        """(K M, m)."""
        chosen = some_columns(design, self.columns)
        products = np.empty((self.n_classes, design.shape[1], len(self.columns)))
        others = of_others(curvature)
        for k, own in enumerate(self.positions):
            share = -curvature[:, self.label]
            share[:, own] = others[:, [k]]
            products[k] = design.T @ (chosen * share * (weight * curvature[:, k])[:, None])
        return products.reshape(self.n_classes * design.shape[1], len(self.columns))


@dataclass(frozen=True)
class ClassLatents(Layout):
    """A latent value for each of K classes; every class has weights and precisions of its own.

    Candidate k * n_columns + i is column i for class k. The latent values of a row are coupled by
    the curvature W = diag(p) - p p'.
    """

    n_classes: int

    def place(self, candidates: np.ndarray, n_columns: int) -> Placement:
        """A candidate is a column and a class."""
        label, columns = np.divmod(candidates, n_columns)
        return ClassPlacement(columns, label, self.n_classes)

    def join(self, columns: Sequence[np.ndarray], n_columns: int) -> np.ndarray:
        """The candidates for these columns, for every class."""
        own = np.unique(np.concatenate(columns))
        return np.concatenate([k * n_columns + own for k in range(self.n_classes)])

    def bend(self, curvature: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """W f (n, K)."""
        bent = curvature * latent
        return bent - curvature * bent.sum(axis=1, keepdims=True)


def squares(design: Any) -> Any:
    """The squares of the values of columns, which may be sparse."""
    return design.multiply(design) if issparse(design) else design**2


def some_columns(design: Any, columns: np.ndarray) -> np.ndarray:
    """Some of the columns as an array; all of them may be sparse."""
    chosen = design[:, columns]
    return chosen.toarray() if issparse(chosen) else chosen


def of_others(values: np.ndarray) -> np.ndarray:
    """For each class the sum of the values of all other classes (n, K)."""
    return values @ (1.0 - np.eye(values.shape[1]))
