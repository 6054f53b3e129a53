"""The kinds of estimators that laws run over: those of `carried`, and those that no file carries.

A law holds for every kind but those of the groups here that it leaves out, with the reason.
"""

from __future__ import annotations

import carried
import numpy as np
import pytest
from carried import COUNTS, KERNEL, NEW_KERNEL, OUTPUTS, THREE, TWO, Kind, X, Y
from sklearn.base import clone, is_classifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    Fast,
    GaussianKernel,
    GivenColumns,
    Linear,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

N = len(X)


def gaussian(x, c):
    """A kernel of the user's own."""
    return np.exp(-np.sum((x[:, None] - c) ** 2, axis=2))


# Many columns of which few matter, alone or in groups, and many that say the same.
RANDOM = np.random.default_rng(2)
MANY, NEW_MANY = RANDOM.normal(size=(N, 100)), RANDOM.normal(size=(20, 100))
GROUPS = np.arange(100) // 5
FEW = MANY[:, :5] @ [1.5, -1.0, 2.0, 1.0, -1.5] + 0.1 * RANDOM.normal(size=N)
PEAKS = np.exp(-(((np.linspace(0.0, 1.0, 100) - np.linspace(0.1, 0.9, 8)[:, None]) / 0.08) ** 2))
PARTS = RANDOM.uniform(size=(N + 20, 8))
SPECTRA = PARTS @ PEAKS + 0.01 * RANDOM.normal(size=(N + 20, 100))
SUM = PARTS[:N] @ np.linspace(1.0, 3.0, 8) + 0.1 * RANDOM.normal(size=N)
SIDES = (MANY[:, :2] @ [3.0, -3.0] > 0.0).astype(int)
OBJECT = ConstantKernel() * RBF(length_scale=[1.0, 1.0]) + WhiteKernel()
LEARNED = GaussianKernel(input_scale="learn") + Linear() + Bias()
LINES = GaussianKernel("scale") + Linear() + Bias()
BY_PROJECTION = {"inference": "projection"}
MORE = {
    "lines": Kind(SparseBayesRegressor(LINES, **BY_PROJECTION), OUTPUTS),
    "lines apart": Kind(
        SparseBayesRegressor(LINES, multi_output="separate", **BY_PROJECTION), OUTPUTS
    ),
    "lines of classes": Kind(SparseBayesClassifier(LINES, **BY_PROJECTION), THREE),
    "lines of each class": Kind(
        SparseBayesClassifier(LINES, multi_class="ovr", **BY_PROJECTION), THREE
    ),
    "planes of outputs": Kind(SparseBayesRegressor(Linear() + Bias(), **BY_PROJECTION), OUTPUTS),
    "three classes, laplacian": Kind(RVC("laplacian"), THREE),
    "mackay": Kind(RVR(gamma="scale", inference="mackay"), Y),
    "em": Kind(RVR(gamma="scale", inference="em", max_iter=300), Y),
    "column": Kind(RVR(fit_intercept="column"), Y),
    "effects, outputs": Kind(RVR("effects"), OUTPUTS),
    "effects, outlying": Kind(RVR("effects", likelihood="student_t"), Y),
    "no intercept": Kind(RVR(fit_intercept=False), Y),
    "callable": Kind(RVR(gaussian), Y),
    "known noise": Kind(RVR(noise_std=0.1), Y),
    "centres": Kind(RVR(centres=X[:20]), Y),
    "some centres": Kind(RVR(centres=20), Y),
    "priced": Kind(RVR(inference=Projection(min_gain=2.0)), Y),
    "priced, fast": Kind(RVR(inference=Fast(min_gain=2.0)), Y),
    "learned sum": Kind(SparseBayesRegressor(LEARNED, **BY_PROJECTION), Y),
    "two outputs, fast": Kind(RVR(inference="fast"), OUTPUTS),
    "two outputs apart, fast": Kind(RVR(inference="fast", multi_output="separate"), OUTPUTS),
    "two outputs, linear": Kind(SparseBayesRegressor(Linear() + Bias()), OUTPUTS),
    "precomputed, fast": Kind(RVR("precomputed", inference="fast"), Y, KERNEL, NEW_KERNEL),
    "few of many": Kind(SparseBayesRegressor(Linear() + Bias()), FEW, MANY, NEW_MANY),
    "all of many": Kind(SparseBayesRegressor(Linear() + Bias()), SUM, SPECTRA[:N], SPECTRA[N:]),
    "groups": Kind(SparseBayesRegressor(Linear(GROUPS) + Bias()), FEW, MANY, NEW_MANY),
    "given columns": Kind(SparseBayesRegressor(GivenColumns(np.asarray) + Bias()), Y),
    "kernel object": Kind(RVR(OBJECT), Y),
    "few of many classes": Kind(SparseBayesClassifier(Linear() + Bias()), SIDES, MANY, NEW_MANY),
    "groups of classes": Kind(
        SparseBayesClassifier(Linear(GROUPS) + Bias()), SIDES, MANY, NEW_MANY
    ),
    "kernel object of classes": Kind(RVC(RBF()), THREE),
    "variational classes": Kind(RVC(gamma="scale", inference="variational"), TWO),
    "mackay classes": Kind(RVC(gamma="scale", inference="mackay"), TWO),
    "balanced classes, effects": Kind(RVC("effects", class_weight="balanced"), TWO),
    "plain three classes": Kind(SparseBayesClassifier(Linear() + Bias()), THREE),
    "precomputed classes": Kind(RVC("precomputed"), TWO, KERNEL, NEW_KERNEL),
    "precomputed three classes": Kind(RVC("precomputed"), THREE, KERNEL, NEW_KERNEL),
}
KINDS = carried.KINDS | MORE

# Names of the kinds that some laws leave out.
CLASSES = {name for name, kind in KINDS.items() if is_classifier(kind.estimator)}
REGRESSIONS = KINDS.keys() - CLASSES
COUNTED = {name for name, kind in KINDS.items() if kind.y is COUNTS}
SEVERAL = {name for name, kind in KINDS.items() if kind.y.ndim == 2}
GIVEN = {name for name, kind in KINDS.items() if kind.inputs is KERNEL}
OBJECTS = {"kernel object", "kernel object of classes"}
DENSE_ONLY = (
    OBJECTS
    | {"callable", "powers", "given columns"}
    | {name for name in KINDS if "laplacian" in name or name.startswith("linear_spline")}
)
GROUPED = {"groups", "groups of classes"}
PLANES = GROUPED | {
    *("given columns", "few of many", "all of many", "few of many classes"),
    *(name for name in KINDS if "lin" in name or "plan" in name or "plain" in name),
}
CURVES = {name for name in KINDS if name.startswith(("poly ", "sigmoid"))} | {
    *("powers", "three classes, poly"),
}
SPLINES = {name for name in KINDS if name.startswith("linear_spline")}
WIDTH_GIVEN = {"callable", "centres", "linear and kernel"} | SPLINES | OBJECTS
WIDTH_OF_ALL = {
    *("variational", "mackay", "em", "variational classes", "mackay classes"),
    *(name for name in KINDS if name.startswith("lines")),
}
BALANCED = {"balanced classes, effects"}  # counts rows of a class, whatever they weigh
ORDERED = {"ordered", "ordered, fast", "ordered texts"}
SEARCHED_SOFTMAX = {"softmax, fast", "shared softmax, fast"}

SLOW = {"varying noise, fast", "ordered, fast", "em"}  # several fits in one, or hundreds of steps
# What each lane has: the quick one a kind of each target, the long one each kernel beside the rest.
QUICK = {
    *("default", "fast", "two outputs", "student", "negative binomial"),
    *("two classes", "three classes", "plain classes", "ordered"),
}


def lane(name):
    """The marks of a kind."""
    if name.startswith("matern") or name.endswith(" kernel, fast") or name in SLOW:
        return [pytest.mark.long]
    return [] if name in QUICK else [pytest.mark.slow]


def over(*but, of=frozenset(KINDS)):
    """A law over all kinds of a group, but those of others."""
    names = [name for name in KINDS if name in of and not any(name in each for each in but)]
    marked = [pytest.param(KINDS[name], id=name, marks=lane(name)) for name in names]
    return pytest.mark.parametrize("kind", marked)


def fit(kind, inputs=None, y=None, **options):
    """A new model of a kind, of other inputs and targets where they are given."""
    inputs, y = kind.inputs if inputs is None else inputs, kind.y if y is None else y
    return clone(kind.estimator).fit(inputs, y, **options)


def fitted(kind):
    """The model of the kind's own data, which no test may change."""
    if kind.estimator not in FITTED:  # a copy of an estimator is another key
        FITTED[kind.estimator] = fit(kind)
    return FITTED[kind.estimator]


FITTED = {}


def is_counted(kind):
    """Whether targets are counts."""
    return kind.y is COUNTS


def n_latent(kind):
    """How many latent values a row has: one of two classes, and of classes in an order."""
    if not is_classifier(kind.estimator):
        return kind.y[0].size
    n_classes = len(np.unique(kind.y))
    return 1 if n_classes == 2 or kind.estimator.likelihood != "categorical" else n_classes


def rows_of(kind, rows):
    """Training inputs, targets and new inputs, for a fit to some of the rows."""
    if kind.inputs is KERNEL:
        return kind.inputs[np.ix_(rows, rows)], kind.y[rows], kind.new[:, rows]
    return kind.inputs[rows], kind.y[rows], kind.new


def said(model, inputs):
    """All that a model says of new rows: a tuple of arrays."""
    if is_classifier(model):
        return (model.predict_proba(inputs), *model.latent_mean_and_variance(inputs))
    return model.predict(inputs, return_std=True)


def assert_same(found, expected, part=1e-6):
    """What two models say differs by a part of its size at most."""
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        assert np.all(np.abs(one - other) <= part * np.abs(other).max(axis=0))
