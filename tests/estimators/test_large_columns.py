"""Plain columns of more numbers than are copied: sparse ones stay sparse, dense ones are shared."""

import tracemalloc

import numpy as np
import pytest
from estimator_data import prediction
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import coo_array, csc_array, csr_array
from sklearn.base import ClassifierMixin, clone

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GivenColumns,
    Linear,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

pytestmark = pytest.mark.slow  # the whole module: the quick lane has a minute

N_ROWS, N_COLUMNS = 200, 100_000
ACTIVE = [7, 5000, 40_000, 99_998]
NOISE = 0.05
DENSE_BYTES = 8 * N_ROWS * N_COLUMNS


@pytest.fixture(scope="module")
def wide():
    """One number in 200 is not zero, but one in four of the columns that matter."""
    random, n_values = np.random.default_rng(0), N_ROWS * N_COLUMNS // 200
    rows, columns = random.integers(0, N_ROWS, n_values), random.integers(0, N_COLUMNS, n_values)
    more = np.repeat(ACTIVE, 50)
    rows = np.append(rows, [random.permutation(N_ROWS)[:50] for _ in ACTIVE])
    values = random.normal(size=len(rows))
    places = rows, np.append(columns, more)
    inputs = csr_array(coo_array((values, places), shape=(N_ROWS, N_COLUMNS)))
    target = inputs[:, ACTIVE] @ np.array([2.0, -2.0, 3.0, 1.5])
    return inputs, target + NOISE * random.normal(size=N_ROWS)


def peak_of(function, *arguments):
    """The result, and the most bytes that were in use on the way."""
    tracemalloc.start()
    try:
        return function(*arguments), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("basis", [Linear(), Linear() + Bias()], ids=["alone", "bias"])
def test_a_sparse_matrix_is_not_made_dense(wide, basis):
    model, peak = peak_of(SparseBayesRegressor(basis).fit, *wide)
    assert_array_equal(model.selected_.nonzero()[0], ACTIVE)
    assert_allclose(model.noise_std_, NOISE, rtol=0.25)
    assert peak < 64e6 < 0.5 * DENSE_BYTES
    found, peak = peak_of(model.predict, wide[0])
    assert peak < 16e6
    some = wide[0][:20]
    assert_allclose(model.predict(some.toarray()), found[:20], rtol=1e-9, atol=1e-12)
    assert_allclose(model.predict(some), found[:20], rtol=1e-12)


@pytest.mark.slow
@pytest.mark.long
def test_a_sparse_matrix_in_groups_is_not_made_dense(wide):
    groups = np.arange(N_COLUMNS) // 2
    model, peak = peak_of(SparseBayesRegressor(Linear(groups)).fit, *wide)
    pairs = np.isin(groups, np.array(ACTIVE) // 2)
    assert_array_equal(model.selected_, pairs)
    assert peak < 0.75 * DENSE_BYTES


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_sparse_matrix_of_classes_is_not_made_dense(wide):
    inputs, target = wide
    model, peak = peak_of(SparseBayesClassifier(Linear()).fit, inputs, target > 0.1)
    assert np.isfinite(model.predict_proba(inputs)).all()
    assert peak < 0.5 * DENSE_BYTES


def test_any_form_of_a_sparse_matrix_gives_the_same_model(wide):
    inputs, target = wide
    found, expected = (
        SparseBayesRegressor(Linear()).fit(form(inputs), target) for form in (csc_array, csr_array)
    )
    assert_array_equal(found.selected_, expected.selected_)
    assert_allclose(found.coef_, expected.coef_, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.long
def test_a_sparse_matrix_gives_the_model_of_a_dense_one(wide):
    inputs, target = wide
    found = SparseBayesRegressor(Linear()).fit(inputs, target)
    expected = SparseBayesRegressor(Linear()).fit(inputs.toarray(), target)
    assert_array_equal(found.selected_, expected.selected_)
    assert_allclose(found.coef_, expected.coef_, rtol=1e-6)
    assert_allclose(found.coef_std_, expected.coef_std_, rtol=1e-6)
    for one, other in zip(
        found.predict(inputs, return_std=True),
        expected.predict(inputs.toarray(), return_std=True),
        strict=True,
    ):
        assert_allclose(one, other, rtol=1e-6, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.long
def test_dense_inputs_that_are_not_copied_give_the_model_of_a_copy(order):
    """A function of the inputs has columns of its own; without, there is a copy less."""
    random = np.random.default_rng(1)
    inputs = np.asarray(random.normal(size=(150, 70_000)), order=order)
    target = inputs[:, :3] @ [1.0, -1.0, 0.5] + NOISE * random.normal(size=150)
    before, lines = inputs.copy(), SparseBayesRegressor(Linear(), fit_intercept=False)
    found, peak = peak_of(lines.fit, inputs, target)
    assert_array_equal(inputs, before)
    assert peak < 2.5 * inputs.nbytes
    with_copy = SparseBayesRegressor(GivenColumns(np.asarray))
    expected, more = peak_of(with_copy.fit, inputs, target)
    assert more > peak + 0.9 * inputs.nbytes
    assert [f"given({k})" for k in found.selected_.nonzero()[0]] == expected.column_names_
    assert expected.column_names_ == ["given(0)", "given(1)", "given(2)"]
    assert_allclose(found.predict(inputs), expected.predict(inputs), rtol=1e-6, atol=1e-6)


MODELS = {
    "RVR": RVR(gamma=0.01),
    "RVR, linear": RVR("linear"),
    "RVC": RVC(gamma=0.01),
    "columns": SparseBayesRegressor(Linear() + Bias()),
    "columns of classes": SparseBayesClassifier(Linear()),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_large_sparse_inputs_of_models_with_a_dense_form(wide, model):
    """What few columns do not explain, in the 120 rows that make more than 1e7 numbers."""
    inputs = wide[0][:120]
    target = np.random.default_rng(3).normal(size=120)
    target = target > 0.0 if isinstance(model, ClassifierMixin) else target
    found = clone(model).fit(inputs, target)
    assert np.isfinite(prediction(found, inputs)).all()
