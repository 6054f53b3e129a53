"""Kernel widths, and what an SVM needs besides, chosen by 5-fold cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.base import is_classifier
from sklearn.compose import TransformedTargetRegressor
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from sparsebayes.columns.definitions import linear_spline

SQUARED = "neg_mean_squared_error"
Grid = Mapping[str, Sequence[float]]
# Tubes (epsilon) are in units of the standard deviation of the targets.
SVC_GRID: Grid = {"C": (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)}
SVR_GRID: Grid = {**SVC_GRID, "epsilon": (0.03, 0.1, 0.3, 0.6)}
# For searches that have widths besides.
COARSE_SVC_GRID: Grid = {"C": (0.1, 1.0, 10.0, 100.0)}
COARSE_SVR_GRID: Grid = {**COARSE_SVC_GRID, "epsilon": (0.03, 0.1, 0.3)}
# Values of the spline reach thousands: C is small, and the solver slow where it is not. The tube
# matters where noise is uniform ([T01] Figure 2): tubes of 0.01 to 0.3 for sinc, in fine steps.
SPLINE_GRID: Grid = {
    "C": (0.1, 0.3, 1.0, 3.0, 10.0),
    "epsilon": (0.03, 0.06, 0.14, 0.28, 0.42, 0.56, 0.84),
}
SPLINE = {"kernel": linear_spline, "max_iter": 200_000}
# The spline of [T01] (29) is positive definite, which an SVM needs, for inputs of 0 and more only:
# those of [-10, 10] are moved by this.
SPLINE_SHIFT = 10.0


def gammas(widths: Sequence[float], unit: float = 1.0) -> list[float]:
    """Each width as gamma = (width unit)^-2; the papers' Gaussian is exp(-||x - x'||^2 / r^2)."""
    return [float((width * unit) ** -2) for width in widths]


def median_distance(X) -> float:
    """The unit of widths for inputs of several kinds, once they are standardised."""
    return float(np.median(pdist(X[:1000])))


def folds(model) -> KFold | StratifiedKFold:
    """Five shuffled folds: rows in the order of their inputs would else ask for extrapolation."""
    kind = StratifiedKFold if is_classifier(model) else KFold
    return kind(5, shuffle=True, random_state=0)


def tuned(model, grid: Grid, X, y, scoring: str | None = None):
    """The model of the best setting of the grid, fitted to all rows; no search for one setting."""
    if all(len(values) == 1 for values in grid.values()):
        return model.set_params(**{name: values[0] for name, values in grid.items()}).fit(X, y)
    lists = {name: list(values) for name, values in grid.items()}
    return GridSearchCV(model, lists, scoring=scoring, cv=folds(model)).fit(X, y).best_estimator_


def tuned_svc(X, y, grid: Grid = SVC_GRID, **fixed) -> SVC:
    """An SVC with what is in the grid by accuracy."""
    return tuned(SVC(**fixed), grid, X, y)


def tuned_svr(X, y, grid: Grid = SVR_GRID, **fixed) -> TransformedTargetRegressor:
    """An SVR on standardised targets, with what is in the grid by squared error.

    It predicts in units of the targets; `regressor_` is the SVR itself.
    """
    model = TransformedTargetRegressor(SVR(**fixed), transformer=StandardScaler())
    inner = {f"regressor__{name}": values for name, values in grid.items()}
    return tuned(model, inner, X, y, SQUARED)
