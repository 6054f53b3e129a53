"""Models that are linear in the inputs: their coefficients, and how well these are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from sparsebayes.columns import AnyColumns
from sparsebayes.predictors.predictor import Predictor, map_rows

# The input that a constant is.
NO_INPUT = -1


def is_linear(columns: AnyColumns) -> bool:
    """Whether any weights of these columns make a linear function of the inputs, and a constant."""
    return all(kind.formula.linear for kind in columns.kinds)


def inputs_of(columns: AnyColumns) -> np.ndarray | None:
    """The input that each column is, `NO_INPUT` for a constant (n_columns,).

    None where a column is neither.
    """
    found = []
    for kind in columns.kinds:
        none = np.full(kind.n_columns, NO_INPUT) if kind.formula.constant else None
        own = kind.formula.own_inputs(kind.items) if none is None else none
        if own is None:
            return None
        found.append(own)
    return np.concatenate(found)


@dataclass(frozen=True)
class LinearFace:
    """f(x) = intercept + sum_j w_j x_j of a predictor whose columns are linear.

    What a column adds to w_j is its value at the unit vector e_j less that at zero. Unit vectors
    are evaluated in blocks, as rows are, so that many inputs take no more memory than few.

    Parameters
    ----------
    predictor : of linear columns
    n_features : how many inputs there are
    block_numbers : about how many values of columns are computed at a time
    """

    predictor: Predictor
    n_features: int
    block_numbers: int = 2**20

    @property
    def intercept(self) -> np.ndarray:
        """The latent values where all inputs are zero (k,)."""
        return self._at_zero @ self.predictor.weights.mean

    @property
    def coefficients(self) -> np.ndarray:
        """The posterior mean of w (n_features, k)."""
        mean = self.predictor.weights.mean
        return self._map(lambda units: self._slopes(units) @ mean)

    @property
    def variance(self) -> np.ndarray:
        """The posterior variance of each w_j (n_features, k).

        Where covering rows stand for a process, w is that of the process, of which a few vectors
        carry no more than the mean.
        """
        if self.predictor.covering is not None:
            return self._map(self.predictor.covering.without_constants().variance)
        weights = self.predictor.weights
        return self._map(lambda units: weights.variance(self._slopes(units)))

    def used(self, columns: np.ndarray) -> np.ndarray:
        """Which inputs some columns, given by a mask, depend on (n_features,)."""
        return self._map(lambda units: (self._slopes(units)[:, columns] != 0.0).any(axis=1))

    @property
    def _at_zero(self) -> np.ndarray:
        """The columns where all inputs are zero (m,)."""
        return self.predictor.columns.evaluate(csr_matrix((1, self.n_features)))[0]

    def _slopes(self, units: Any) -> np.ndarray:
        """By how much each column grows with each of some inputs (n, m)."""
        return self.predictor.columns.evaluate(units) - self._at_zero

    def _map(self, function: Callable[[Any], np.ndarray]) -> np.ndarray:
        """The arrays of function(unit vectors of some inputs), strung together."""

        def of_some(features: slice) -> tuple[np.ndarray]:
            own = np.arange(features.start, features.stop)
            entries = np.ones(len(own)), (np.arange(len(own)), own)
            return (function(csr_matrix(entries, (len(own), self.n_features))),)

        return map_rows(of_some, self.n_features, self.predictor.width, self.block_numbers)[0]
