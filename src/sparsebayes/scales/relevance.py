"""Which inputs a model makes use of."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns import spread

# Rows that the effect of an input is averaged over: at most, at least, and as work allows.
MOST_ROWS, LEAST_ROWS, WORK = 500, 20, 1e8
# Rows that these are chosen from, evenly in their order.
MOST_SORTED = 5000
# With more inputs it would take longer than the fit.
MOST_INPUTS = 1000


def input_relevance(columns, weights: np.ndarray, inputs) -> np.ndarray | None:
    """The share of the prediction's variance that each input has a part in (n_features,).

    The total effect of an input in the sense of Sobol: half the mean square by which the prediction
    changes when the input takes the value of another row, relative to the variance of the
    prediction. It is 0 for an input that the model does not use, whatever columns it has, and has
    no unit. Inputs that act together have a part in the same variance, so that the sum can be more
    than one. None for more inputs than can be tried one by one.

    Parameters
    ----------
    columns : those that were kept
    weights : their mean weights (m,), or (m, k) for several classes or outputs
    inputs : training inputs
    """
    n_rows, n_features = inputs.shape
    if n_features > MOST_INPUTS:
        return None
    work = n_features**2 * max(1, columns.n_columns)
    size = int(np.clip(WORK / work, LEAST_ROWS, MOST_ROWS))
    rows = inputs[spread(np.arange(n_rows), MOST_SORTED)]
    rows = rows.toarray() if issparse(rows) else rows
    rows = rows[spread(np.lexsort(rows.T[::-1]), size)]
    other = rows[np.random.default_rng(0).permutation(len(rows))]
    mean = columns.evaluate(rows) @ weights
    variance = float(np.sum(np.var(mean, axis=0)))
    effect = np.zeros(n_features)
    for k in range(n_features):
        changed = rows.copy()
        changed[:, k] = other[:, k]
        change = columns.evaluate(changed) @ weights - mean
        effect[k] = 0.5 * np.sum(np.mean(change**2, axis=0))
    return effect / variance if variance > 0.0 else effect
