"""Bound columns: formulas by name, functions of the user, even subsets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sparsebayes import RVR, SparseBayesRegressor
from sparsebayes.basis import (
    Bias,
    CallableKernel,
    GaussianKernel,
    GivenColumns,
    Linear,
    LinearKernel,
    PrecomputedKernel,
)
from sparsebayes.columns import NO_ROW, Columns, Formula, identity_columns, spread
from sparsebayes.columns.formulas import DEFINITIONS

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(8, 3))
NEW = RANDOM.normal(size=(5, 3))
WEIGHT = np.ones(8)


# formulas


def test_columns_can_be_made_from_names_and_numbers():
    formula = Formula("polynomial", 0.5, {"coef0": 1.0, "degree": 2})
    columns = Columns(formula, X, np.arange(8), "mykernel")
    assert_allclose(columns.evaluate(NEW), (0.5 * NEW @ X.T + 1.0) ** 2, rtol=1e-12)
    assert columns.names("abc")[7] == "mykernel(7)"


def test_a_formula_without_a_definition():
    with pytest.raises(ValueError, match=r"name .* one of 'gaussian', .*, got 'gausian'"):
        Formula("gausian", 1.0)


@pytest.mark.parametrize("name", [name for name in DEFINITIONS if not DEFINITIONS[name].slope])
def test_a_formula_without_gamma_has_no_slope(name):
    assert Formula(name).gamma is None
    with pytest.raises(ValueError, match=f"formula '{name}' has no slope, as it has no gamma"):
        Formula(name).slope(NEW, X, np.ones((5, 8)))


def test_identity_columns_are_the_inputs():
    columns = identity_columns(3)
    assert_array_equal(columns.evaluate(NEW), NEW)
    assert_array_equal(columns.evaluate(csr_array(NEW), np.array([2, 0])), NEW[:, [2, 0]])
    assert_array_equal(columns.centre_rows, [NO_ROW] * 3)


# centres


@pytest.mark.parametrize("kernel", [GaussianKernel(1.0), GaussianKernel([1, 2]), LinearKernel()])
def test_kernels_stand_on_their_centres(kernel):
    columns = kernel.bind(X, WEIGHT)
    assert_array_equal(columns.centres, X[columns.centre_rows])


@pytest.mark.parametrize("basis", [PrecomputedKernel(), Bias(), Linear(), GivenColumns(np.cos)])
def test_other_columns_have_no_centres(basis):
    assert basis.bind(X @ X.T, WEIGHT).centres is None


# functions of the user


def writing_kernel(inputs, centres):
    inputs -= 5.0
    centres -= 5.0
    return np.exp(-((inputs[:, None] - centres) ** 2).sum(axis=2))


def writing_columns(inputs):
    inputs *= 2.0
    return inputs


def test_a_kernel_function_that_writes_to_its_arguments_changes_nothing_else():
    inputs = X.copy()
    columns = CallableKernel(writing_kernel).bind(inputs, WEIGHT)
    first = columns.evaluate(inputs)
    assert_array_equal(columns.evaluate(inputs), first)
    assert_array_equal(inputs, X)
    assert_array_equal(columns.items, X[columns.centre_rows])
    assert_allclose(first, GaussianKernel(1.0).bind(X, WEIGHT).evaluate(X), rtol=1e-12)


def test_given_columns_that_write_to_their_argument_change_nothing_else():
    inputs = X.copy()
    columns = GivenColumns(writing_columns).bind(inputs, WEIGHT)
    assert_array_equal(columns.evaluate(inputs), 2.0 * X)
    assert_array_equal(inputs, X)


@pytest.mark.parametrize(
    "model",
    [
        RVR(kernel=writing_kernel, noise_std=0.1),
        SparseBayesRegressor(CallableKernel(writing_kernel) + GivenColumns(writing_columns)),
    ],
)
def test_fit_and_predict_with_a_function_that_writes(model):
    inputs, target = X.copy(), np.sin(X[:, 0])
    model.fit(inputs, target)
    first = model.predict(inputs)
    assert_array_equal(model.predict(inputs), first)
    assert_array_equal(inputs, X)


def test_the_relevance_vectors_of_a_function_that_writes_are_training_rows():
    model = RVR(kernel=writing_kernel, noise_std=0.1).fit(X, np.sin(X[:, 0]))
    model.predict(NEW)
    assert_array_equal(model.relevance_vectors_, X[model.relevance_])


# even subsets


@pytest.mark.parametrize("most", [1, 2, 3, 7, 10, 99, 100, 101])
@pytest.mark.parametrize("total", [1, 2, 10, 100])
def test_spread_is_even(total, most):
    chosen = spread(np.arange(total), most)
    assert len(chosen) == min(total, most)
    assert chosen[0] == 0
    if len(chosen) > 1:
        assert chosen[-1] == total - 1
        assert np.diff(chosen).min() > 0
        assert np.ptp(np.diff(chosen)) <= 1


def test_spread_of_items():
    assert_array_equal(spread(np.array([5, 3, 9, 1, 7]), 3), [5, 9, 7])
    assert_array_equal(spread(np.arange(0), 3), [])
