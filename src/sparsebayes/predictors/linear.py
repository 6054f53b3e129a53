"""Models that are linear in the inputs: their coefficients, and how well these are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

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

    Inputs are looked at in blocks, as rows are, so that many take no more memory than few.

    Parameters
    ----------
    predictor : of linear columns
    n_features : how many inputs there are
    block_numbers : about how many derivatives of columns are computed at a time
    """

    predictor: Predictor
    n_features: int
    block_numbers: int = 2**20

    @property
    def intercept(self) -> np.ndarray:
        """The latent values where all inputs are zero (k,)."""
        at_zero = self.predictor.columns.evaluate(np.zeros((1, self.n_features)))
        return at_zero[0] @ self.predictor.weights.mean

    @property
    def coefficients(self) -> np.ndarray:
        """The posterior mean of w (n_features, k)."""
        mean = self.predictor.weights.mean
        return self._map(lambda features: self._gradient(features) @ mean)

    @property
    def variance(self) -> np.ndarray:
        """The posterior variance of each w_j (n_features, k).

        Where covering rows stand for a process, w is that of the process, of which a few vectors
        carry no more than the mean.
        """
        weights, covering = self.predictor.weights, self.predictor.covering
        if covering is None:
            return self._map(lambda features: weights.variance(self._gradient(features)))
        return self._map(lambda features: covering.gradient_variance(features))

    def used(self, columns: np.ndarray) -> np.ndarray:
        """Which inputs some columns, given by a mask, depend on (n_features,)."""
        return self._map(lambda some: np.abs(self._gradient(some)[:, columns]).sum(axis=1) > 0.0)

    def _gradient(self, features: np.ndarray) -> np.ndarray:
        """Derivatives of the columns for some of the inputs (n_inputs, m)."""
        return np.hstack([kind.gradient(features) for kind in self.predictor.columns.kinds])

    def _map(self, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The arrays of function(some of the inputs), strung together."""

        def of_some(features: slice) -> tuple[np.ndarray]:
            return (function(np.arange(features.start, features.stop)),)

        return map_rows(of_some, self.n_features, self.predictor.width, self.block_numbers)[0]
