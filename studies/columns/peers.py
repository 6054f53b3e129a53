"""Other methods that find columns.

Those that are told know how many columns are active. The compiled core of fastrvm takes columns;
its estimators take kernels of the rows only.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np
from sklearn.linear_model import (
    ARDRegression,
    LassoCV,
    MultiTaskLassoCV,
    OrthogonalMatchingPursuit,
    OrthogonalMatchingPursuitCV,
)

from studies.columns.matching import pursuit
from studies.columns.problems import Problem
from studies.columns.scores import Found
from studies.peers import fastrvm

OMP_TOLD, OMP_CV, LASSO, ARD, FASTRVM = "OMP, told k", "OMP by CV", "LassoCV", "ARD", "fastrvm"
FOLDS = 5
# The longest path of OMP that cross-validation looks at, in active columns.
LONGEST = 3


def omp_told(one: Problem) -> Found:
    """Orthogonal matching pursuit of scikit-learn, which is told the number of columns."""
    model = OrthogonalMatchingPursuit(n_nonzero_coefs=one.n_active, fit_intercept=False)
    return Found(model.fit(one.X, one.y).coef_)


def omp_cv(one: Problem) -> Found:
    """Orthogonal matching pursuit, the length of its path by cross-validation."""
    most = min(LONGEST * one.n_active, len(one.y) * (FOLDS - 1) // FOLDS)
    model = OrthogonalMatchingPursuitCV(max_iter=most, cv=FOLDS, fit_intercept=False)
    return Found(model.fit(one.X, one.y).coef_)


def lasso_cv(one: Problem) -> Found:
    """The lasso, its penalty by cross-validation."""
    return Found(LassoCV(cv=FOLDS, fit_intercept=False).fit(one.X, one.y).coef_)


def ard(one: Problem) -> Found:
    """Automatic relevance determination of scikit-learn, with its threshold."""
    model = ARDRegression(fit_intercept=False).fit(one.X, one.y)
    return Found(model.coef_, float(model.alpha_) ** -0.5)


def fast_rvm(one: Problem) -> Found:
    """The core of fastrvm, with the defaults of its regressor."""
    core = import_module("fastrvm._sparsebayes_bindings")
    settings = 10_000, False, False, False, True, False, None
    result = core.SparseBayes(core.Likelihood.Gaussian, *settings).inference(one.X, one.y)
    weights = np.zeros(one.X.shape[1])
    weights[np.ravel(result["relevant_idx"])] = np.ravel(result["mean"])
    return Found(weights, float(result["beta"]) ** -0.5)


def multi_task_lasso(one: Problem) -> Found:
    """A lasso whose outputs share their columns, its penalty by cross-validation."""
    return Found(MultiTaskLassoCV(cv=FOLDS, fit_intercept=False).fit(one.X, one.y).coef_.T)


def pursuit_told(one: Problem) -> Found:
    """Greedy pursuit of this study, which takes several outputs, groups, and complex columns."""
    n_steps = one.n_active
    if one.groups is not None:
        n_steps = len(np.unique(one.groups[one.support]))
    return Found(pursuit(one.X, one.y, n_steps, one.groups))


METHODS = {OMP_TOLD: omp_told, OMP_CV: omp_cv, LASSO: lasso_cv, ARD: ard}
if fastrvm is not None:
    METHODS[FASTRVM] = fast_rvm
