"""Fitted models of every kind, and rows to predict: for files and exports.

A test asks for one by its name: `fitted(name)` is fitted once in a process.
"""

import warnings
from functools import cache
from typing import NamedTuple

import numpy as np

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    NegativeBinomial,
    Ordinal,
    Polynomial,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

RANDOM = np.random.default_rng(0)
N_ROWS = 60
X = RANDOM.uniform(0.0, 2.0, size=(N_ROWS, 2))
Y = 2.0 + np.sin(3.0 * X[:, 0]) + X[:, 1] + 0.1 * RANDOM.normal(size=N_ROWS)
OUTPUTS = np.column_stack([Y, np.cos(2.0 * X[:, 0]) + 0.2 * RANDOM.normal(size=N_ROWS)])
TWO = np.array(["no", "yes"])[(Y + 0.3 * RANDOM.normal(size=N_ROWS) > 3.2).astype(int)]
THREE = np.digitize(Y + 0.2 * RANDOM.normal(size=N_ROWS), [2.8, 3.6])
# Counts, and targets whose noise grows with the first input. They have a generator of their own, so
# that all others stay as they are.
OTHER = np.random.default_rng(1)
COUNTS = OTHER.poisson(np.exp(0.5 * Y)).astype(float)
UNEVEN = np.sin(3.0 * X[:, 0]) + X[:, 1] + np.exp(2.0 * X[:, 0] - 4.0) * OTHER.normal(size=N_ROWS)
KERNEL = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
# Some near the data, some far away.
NEW = np.vstack([X[::6] + 0.1, RANDOM.uniform(-0.5, 4.0, size=(10, 2))])
NEW_KERNEL = np.exp(-np.sum((NEW[:, None] - X) ** 2, axis=2))
# The spline kernel is for inputs that are not negative.
POSITIVE = np.abs(NEW)

KERNELS = (
    *("rbf", "linear", "poly", "sigmoid", "laplacian", "cauchy", "linear_spline"),
    *("matern12", "matern32", "matern52"),
)


class Kind(NamedTuple):
    """An estimator, the targets that it is fitted to, and the rows it is fitted to and predicts."""

    estimator: object
    y: np.ndarray
    inputs: np.ndarray = X
    new: np.ndarray = NEW


REGRESSORS = {
    "default": Kind(RVR(), Y),
    "effects": Kind(RVR("effects"), Y),
    "fast": Kind(RVR(inference="fast"), Y),
    "variational": Kind(RVR(gamma="scale", inference="variational"), Y),
    "linear and kernel": Kind(
        SparseBayesRegressor(GaussianKernel(width=[0.5, 1.0]) + Linear() + Bias()), Y
    ),
    "linear": Kind(SparseBayesRegressor(Linear() + Bias()), Y),
    "powers": Kind(SparseBayesRegressor(Polynomial(3) + Bias()), Y),
    "two outputs": Kind(RVR(), OUTPUTS),
    "two outputs apart": Kind(RVR(multi_output="separate"), OUTPUTS),
    "precomputed": Kind(RVR(kernel="precomputed"), Y, KERNEL, NEW_KERNEL),
    "student": Kind(RVR(likelihood="student_t"), Y),
    "poisson": Kind(RVR(likelihood="poisson"), COUNTS),
    "poisson, fast": Kind(RVR(likelihood="poisson", inference="fast"), COUNTS),
    "poisson, linear": Kind(SparseBayesRegressor(Linear() + Bias(), likelihood="poisson"), COUNTS),
    "negative binomial": Kind(RVR(likelihood=NegativeBinomial(dispersion=0.3)), COUNTS),
    "varying noise": Kind(RVR(likelihood="heteroscedastic"), UNEVEN),
    "varying noise, fast": Kind(RVR(likelihood="heteroscedastic", inference="fast"), UNEVEN),
    **{f"{name} kernel": Kind(RVR(kernel=name, coef0=1.0), Y, X, POSITIVE) for name in KERNELS},
    **{
        f"{name} kernel, fast": Kind(RVR(kernel=name, coef0=1.0, inference="fast"), Y, X, POSITIVE)
        for name in KERNELS
    },
}
CLASSIFIERS = {
    "two classes": Kind(RVC(), TWO),
    "two classes, effects": Kind(RVC("effects"), TWO),
    "two classes, fast": Kind(RVC(inference="fast"), TWO),
    "three classes": Kind(RVC(), THREE),
    "three classes, effects": Kind(RVC("effects"), THREE),
    # Kernels that do not fall off make far rows less certain.
    "three classes, poly": Kind(RVC(kernel="poly", coef0=1.0), THREE),
    "three classes, linear": Kind(RVC(kernel="linear"), THREE),
    "each class": Kind(RVC(multi_class="ovr"), THREE),
    "each class, fast": Kind(RVC(multi_class="ovr", inference="fast"), THREE),
    "softmax": Kind(RVC(multi_class="softmax"), THREE),
    "softmax, fast": Kind(RVC(multi_class="softmax", inference="fast"), THREE),
    "shared softmax": Kind(RVC(multi_class="shared_softmax"), THREE),
    "shared softmax, fast": Kind(RVC(multi_class="shared_softmax", inference="fast"), THREE),
    "plain classes": Kind(SparseBayesClassifier(Linear() + Bias()), TWO),
    "ordered": Kind(RVC(likelihood="ordinal"), THREE),
    "ordered, fast": Kind(RVC(likelihood="ordinal", inference="fast"), THREE),
    "ordered texts": Kind(RVC(likelihood=Ordinal(order=("yes", "no"))), TWO),
    **{f"{name} classes": Kind(RVC(kernel=name, coef0=1.0), TWO, X, POSITIVE) for name in KERNELS},
}
KINDS = {**REGRESSORS, **CLASSIFIERS}
# Those of the quick lane: each response, with and without covering rows.
QUICK = [
    *("default", "linear and kernel", "two outputs", "poly kernel", "two classes, fast"),
    *("each class", "three classes, poly", "shared softmax, fast"),
    *("negative binomial", "ordered"),
]


@cache
def fitted(name):
    """The fitted estimator of this name."""
    kind = KINDS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some do not converge, which does not matter here
        return kind.estimator.fit(kind.inputs, kind.y)


def largest_gap(found, expected):
    """The largest difference relative to what is expected."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape
    assert np.isfinite(found).all()
    return float(np.max(np.abs(found - expected) / np.abs(expected)))
