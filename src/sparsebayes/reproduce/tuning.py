"""Kernel widths, and what an SVM needs besides, chosen by 5-fold cross-validation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR

SQUARED = "neg_mean_squared_error"
TRADE_OFFS = (0.1, 1.0, 10.0, 100.0)
# In units of the standard deviation of the targets.
TUBES = (0.03, 0.1, 0.3)


def gammas(widths: Sequence[float], unit: float = 1.0) -> list[float]:
    """gamma = (width unit)^-2 for each: the papers' Gaussian is exp(-||x - x'||^2 / r^2)."""
    return [float((width * unit) ** -2) for width in widths]


def median_distance(X) -> float:
    """The unit of widths for inputs of several kinds, once they are standardised."""
    return float(np.median(pdist(X[:1000])))


def standardised(X, X_test):
    """Both with the means and scales of the training inputs taken out."""
    mean, scale = X.mean(axis=0), X.std(axis=0)
    scale = np.where(scale == 0.0, 1.0, scale)
    return (X - mean) / scale, (X_test - mean) / scale


def tuned(model, grid: dict, X, y, scoring: str | None = None):
    """The model of the best setting of the grid, fitted to all rows; no search for one setting."""
    if all(len(values) == 1 for values in grid.values()):
        return model.set_params(**{name: values[0] for name, values in grid.items()}).fit(X, y)
    return GridSearchCV(model, grid, scoring=scoring).fit(X, y).best_estimator_


def tuned_svc(grid: dict, X, y, **fixed):
    """An SVC with its trade-off, and what is in the grid, by accuracy."""
    return tuned(SVC(**fixed), {"C": list(TRADE_OFFS), **grid}, X, y)


def tuned_svr(grid: dict, X, y, **fixed):
    """An SVR with trade-off, tube, and what is in the grid, by squared error; targets scaled.

    Returns the model, and a function that predicts in units of the targets.
    """
    centre, scale = float(np.mean(y)), float(np.std(y))
    full = {"C": list(TRADE_OFFS), "epsilon": list(TUBES), **grid}
    model = tuned(SVR(**fixed), full, X, (y - centre) / scale, SQUARED)
    return model, lambda inputs: centre + scale * model.predict(inputs)


def rms(predicted, truth) -> float:
    """Root of the mean squared difference."""
    return float(np.sqrt(np.mean((np.asarray(predicted) - truth) ** 2)))


def percent_wrong(predicted, truth) -> float:
    """Share of rows in the wrong class, in percent."""
    return float(100.0 * np.mean(np.asarray(predicted) != truth))
