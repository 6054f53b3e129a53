"""Orthogonal matching pursuit of several outputs, of groups, and of complex columns.

It is told how many columns, or groups, there are.
"""

from __future__ import annotations

import numpy as np


def pursuit(X: np.ndarray, y: np.ndarray, n_steps: int, groups: np.ndarray | None = None):
    """Weights of shape (M,) or (M, k), those of all columns not taken zero.

    Each step takes the column, or the group of columns, with the largest sum of squared inner
    products with the residuals of all outputs, and then fits all that were taken.
    """
    targets = np.reshape(y, (len(y), -1))
    labels = np.arange(X.shape[1]) if groups is None else groups
    taken = np.zeros(X.shape[1], bool)
    residual, fitted = targets, targets[:0]
    for _ in range(n_steps):
        products = np.abs(X.conj().T @ residual) ** 2
        score = np.bincount(labels, products.sum(axis=1))
        score[labels[taken]] = -1.0
        taken |= labels == score.argmax()
        fitted = np.linalg.lstsq(X[:, taken], targets)[0]
        residual = targets - X[:, taken] @ fitted
    weights = np.zeros((X.shape[1], targets.shape[1]), fitted.dtype)
    weights[taken] = fitted
    return weights.reshape(X.shape[1], *np.shape(y)[1:])
