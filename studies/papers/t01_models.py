"""The models of the benchmark tables: widths by cross-validation as in [T01], and learned ones."""

from __future__ import annotations

import numpy as np
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, SVR

from sparsebayes import RVC, RVR, SparseBayesClassifier, SparseBayesRegressor
from sparsebayes.basis import Bias, GaussianKernel, Linear
from sparsebayes.reproduce.samples import REGRESSION, Sample
from sparsebayes.reproduce.tuning import SQUARED, tuned, tuned_svc

# Relative to the median distance of the training rows.
WIDTHS = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
SVR_GRID = {"C": [1.0, 10.0, 100.0], "epsilon": [0.1, 0.2, 0.4]}
SVC_GRID = {"C": [0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0]}
# U.S.P.S.: gamma times the total variance of the pixels, and C, both fixed; the first is the best
# of five on 3000 rows held out from the training set, with 1500 others to learn from.
USPS_GAMMA, USPS_C = 2.0, 10.0
# Vectors that follow the Gaussian process closely.
CLOSE = {"inference": "projection", "fidelity": 10.0}


def rvm(name: str, one: Sample):
    """One width by 5-fold cross-validation: squared error, or log loss."""
    grid = {"gamma": one.gammas(WIDTHS)}
    if name in REGRESSION:
        return tuned(RVR(), grid, one.X, one.y, SQUARED)
    return tuned(RVC(), grid, one.X, one.y, "neg_log_loss")


def svm(name: str, one: Sample):
    """C, width and epsilon by 5-fold cross-validation: squared error, or errors."""
    grid = {"gamma": one.gammas(WIDTHS)}
    if name in REGRESSION:  # the targets of a sample are standardised
        return tuned(SVR(), {**SVR_GRID, **grid}, one.X, one.y, SQUARED)
    return tuned_svc(one.X, one.y, {**SVC_GRID, **grid})


def default(name: str):
    """Nothing chosen: one scale per input, learned from the evidence."""
    return RVR() if name in REGRESSION else RVC()


def best(name: str):
    """Nothing chosen, either: scales learned, linear columns besides, and a close projection."""
    basis = GaussianKernel(input_scale="learn") + Linear() + Bias()
    kind = SparseBayesRegressor if name in REGRESSION else SparseBayesClassifier
    return kind(basis, **CLOSE)


def _usps_gamma(one: Sample) -> float:
    return USPS_GAMMA / float(one.X.shape[1] * one.X.var())


def usps_rvm(one: Sample):
    """Ten classifiers, each one against the rest, with one width for all."""
    return RVC(gamma=_usps_gamma(one)).fit(one.X, one.y)


def usps_best(one: Sample):
    """Ten classifiers with one width, learned for all, each a close projection."""
    return RVC(gamma="learn", **CLOSE).fit(one.X, one.y)


def usps_svm(one: Sample):
    """Ten classifiers, each one against the rest, with the width of the RVM."""
    return OneVsRestClassifier(SVC(C=USPS_C, gamma=_usps_gamma(one))).fit(one.X, one.y)


def n_vectors(model) -> int:
    """Kernels or columns in use, without the bias; of several classifiers the sum."""
    if hasattr(model, "estimators_"):
        return sum(n_vectors(each) for each in model.estimators_)
    if hasattr(model, "support_"):
        return len(model.support_)
    if hasattr(model, "dual_coef_"):
        return int(np.count_nonzero(model.dual_coef_))
    return sum(name != "bias" for name in model.column_names_)
