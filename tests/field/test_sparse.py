"""A sparse matrix is a way to store inputs: it changes no answer."""

import re
import warnings

import numpy as np
import pytest
from field.input_tables import random_table
from numpy.testing import assert_allclose
from sklearn.base import clone

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    CauchyKernel,
    GaussianKernel,
    Linear,
    LinearKernel,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

REGRESSORS = (
    RVR(),
    RVR(inference="fast"),
    RVR(inference="variational", gamma="learn"),
    RVR(gamma="scale", inference="mackay"),
    RVR(kernel="poly", degree=2),
    RVR(kernel="linear"),
    SparseBayesRegressor(),
    SparseBayesRegressor(Linear() + Bias()),
    SparseBayesRegressor(GaussianKernel(input_scale="learn") + Linear() + Bias()),
    SparseBayesRegressor(CauchyKernel("learn") + LinearKernel(scaling="standard") + Bias()),
)
CLASSIFIERS = (
    RVC(),
    RVC(inference="fast"),
    RVC(inference="variational", multi_class="ovr"),
    SparseBayesClassifier(Linear() + Bias()),
    SparseBayesClassifier(),
)


def answers(model, inputs):
    """Everything that a model says of rows (n, k)."""
    if hasattr(model, "classes_"):
        found = [model.predict_proba(inputs)]
    else:
        found = list(model.predict(inputs, return_std=True))
    if getattr(model, "inference", None) == "projection":
        found.append(model.novelty(inputs))
    return np.column_stack(found)


def drawn(seed):
    """A model, and a table with targets for it."""
    table = random_table(seed)
    models = (*REGRESSORS, *CLASSIFIERS, *CLASSIFIERS)
    which = np.random.default_rng(seed).integers(len(models))
    n_classes = 2 if which < len(REGRESSORS) + len(CLASSIFIERS) else 3
    labels = which >= len(REGRESSORS)
    return clone(models[which]), table, table.labels(n_classes) if labels else table.target


def fit(model, table, inputs, target):
    """A fitted copy. Whether it converged does not matter here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(model).fit(inputs, target, sample_weight=table.weight)


def assert_sparse_equals_dense(seed):
    """Fit and predictions, one or both of them sparse, to 1e-8 of targets of about 1."""
    model, table, target = drawn(seed)
    rows, new = table.form(table.inputs), table.form(table.new)
    try:
        dense = fit(model, table, table.inputs, target)
    except ValueError as error:
        with pytest.raises(ValueError, match=re.escape(str(error)[:30])):
            fit(model, table, rows, target)
        return
    sparse = fit(model, table, rows, target)
    expected = answers(dense, table.new)
    for each, inputs in (dense, new), (sparse, new), (sparse, table.new):
        assert_allclose(answers(each, inputs), expected, rtol=1e-8, atol=1e-8)


MORE_TABLES = [pytest.param(seed, marks=pytest.mark.long) for seed in (0, *range(9, 24))]
SOME_TABLES = [*range(1, 9), *MORE_TABLES]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SOME_TABLES)
def test_sparse_equals_dense(seed):
    assert_sparse_equals_dense(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 600))
def test_sparse_equals_dense_in_500_tables(seed):
    assert_sparse_equals_dense(seed)
