"""Which inputs a model makes use of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns.columns import spread
from sparsebayes.columns.geometry import input_moments


@dataclass(frozen=True)
class Effort:
    """How much work the effects of the inputs are worth.

    Parameters
    ----------
    most_rows, least_rows : that an effect is averaged over; 500 give it to a few hundredths. Fewer
        rows are paired with each other several times
    work : values of columns times inputs that may be computed, about a second
    most_sorted : rows that these are chosen from, evenly in their order
    most_inputs : with more inputs it would take longer than the fit
    """

    most_rows: int = 500
    least_rows: int = 20
    work: float = 1e8
    most_sorted: int = 5000
    most_inputs: int = 1000

    def n_rows(self, n_features: int, n_columns: int) -> int:
        """How many rows an effect is averaged over."""
        per_row = n_features**2 * max(1, n_columns)
        return int(np.clip(self.work / per_row, self.least_rows, self.most_rows))


EFFORT = Effort()


def input_effects(
    columns: Any,
    mean: np.ndarray,
    inputs: Any,
    effort: Effort = EFFORT,
) -> np.ndarray | None:
    """The share of the prediction's variance that each input has a part in (n_features,).

    The total effect of an input in the sense of Sobol: the mean square by which the prediction
    changes when the input takes the value of another row, relative to that when all inputs do,
    which is twice the variance of the prediction. It is 0 for an input that the model does not use,
    whatever columns it has, and has no unit. Inputs that act together have a part in the same
    variance, so that the sum can be more than one. None for more inputs than can be tried one by
    one.

    Parameters
    ----------
    columns : those that were kept
    mean : of their weights (m, k)
    inputs : training inputs
    """
    n_features = inputs.shape[1]
    if n_features > effort.most_inputs:
        return None
    n_pairs = effort.n_rows(n_features, columns.n_columns)
    rows = typical_rows(inputs, n_pairs, effort)
    prediction = columns.evaluate(rows) @ mean
    random = np.random.default_rng(0)
    effect, whole = np.zeros(n_features), 0.0
    for _ in range(max(1, n_pairs // len(rows))):
        order = random.permutation(len(rows))
        whole += float(np.sum((prediction[order] - prediction) ** 2))
        for k in range(n_features):
            changed = rows.copy()
            changed[:, k] = rows[order, k]
            effect[k] += np.sum((columns.evaluate(changed) @ mean - prediction) ** 2)
    return effect / whole if whole > 0.0 else np.zeros(n_features)


def linear_effects(coefficients: np.ndarray, inputs: Any) -> np.ndarray:
    """The share of each input in the variance of f = sum_k w_k x_k: w_k^2 var(x_k) / var(f).

    Parameters
    ----------
    coefficients : w (n_features, k), for each latent value
    inputs : training inputs
    """
    variance = float(np.sum(np.var(inputs @ coefficients, axis=0)))
    n_rows = inputs.shape[0]
    _, variances = input_moments(inputs, np.full(n_rows, 1.0 / n_rows))
    effect = np.sum(coefficients**2, axis=1) * variances
    return effect / variance if variance > 0.0 else np.zeros(len(effect))


def typical_rows(inputs: Any, most_rows: int, effort: Effort) -> np.ndarray:
    """Some of the rows, spread evenly over all of them in the order of their values."""
    rows = inputs[spread(np.arange(inputs.shape[0]), effort.most_sorted)]
    rows = rows.toarray() if issparse(rows) else rows
    return rows[spread(np.lexsort(rows.T[::-1]), most_rows)]
