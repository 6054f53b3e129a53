"""Columns that a function gives some of: the same model, and no more columns than are needed."""

import pickle
from functools import partial

import numpy as np
import pytest
from estimator_data import prediction
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone

from sparsebayes import Bias, GivenColumns, Linear, SparseBayesClassifier, SparseBayesRegressor
from sparsebayes.rows.in_memory import FEWEST_NUMBERS

N_COLUMNS = 300
CENTRES = np.linspace(-10.0, 10.0, N_COLUMNS)
RANDOM = np.random.default_rng(0)
X = np.sort(RANDOM.uniform(-10.0, 10.0, 80))[:, None]
NOISE = 0.05
Y = 2.0 * np.tanh(X[:, 0] - CENTRES[100]) - np.tanh(X[:, 0] - CENTRES[250])
Y = Y + NOISE * RANDOM.normal(size=80)
TABLE = RANDOM.normal(size=(80, N_COLUMNS))
RESPONSE = TABLE[:, 3] - 2.0 * TABLE[:, 200] + NOISE * RANDOM.normal(size=80)
taken = partial(np.take, axis=1)  # (inputs, columns) -> inputs[:, columns]


def steps(inputs, columns):
    return np.tanh(inputs - CENTRES[columns])


def all_steps(inputs):
    return np.tanh(inputs - CENTRES)


class Counting:
    """A function that remembers what it was asked for."""

    def __init__(self, function):
        self.function, self.asked = function, []

    def __call__(self, inputs, columns):
        self.asked.append((len(inputs), columns.copy()))
        return self.function(inputs, columns)

    def __deepcopy__(self, memo):
        return self  # a clone of the basis asks the same function


def assert_same(found, expected, inputs):
    assert found.column_names_ == expected.column_names_
    assert_allclose(prediction(found, inputs), prediction(expected, inputs), rtol=1e-7, atol=1e-9)


# The same model.


@pytest.mark.parametrize("bias", [None, Bias()], ids=["alone", "bias"])
@pytest.mark.parametrize("cache_size", [1000, 0])
def test_some_columns_make_the_model_of_all(bias, cache_size):
    some, every = GivenColumns(steps, N_COLUMNS), GivenColumns(all_steps)
    some, every = (each if bias is None else each + bias for each in (some, every))
    found = SparseBayesRegressor(some, cache_size=cache_size).fit(X, Y)
    assert_same(found, SparseBayesRegressor(every).fit(X, Y), X)
    assert_allclose(found.noise_std_, NOISE, rtol=0.4)


@pytest.mark.parametrize("cache_size", [1000, 0])
def test_columns_of_inputs_make_the_model_of_inputs(cache_size):
    some = GivenColumns(taken, N_COLUMNS)
    found = SparseBayesRegressor(some, cache_size=cache_size).fit(TABLE, RESPONSE)
    expected = SparseBayesRegressor(Linear(), fit_intercept=False).fit(TABLE, RESPONSE)
    assert_array_equal(expected.selected_.nonzero()[0], [3, 200])
    assert found.column_names_ == ["given(3)", "given(200)"]
    assert_allclose(found.predict(TABLE), expected.predict(TABLE), rtol=1e-9)
    for one, other in zip(
        found.predict(TABLE, return_std=True), expected.predict(TABLE, return_std=True), strict=True
    ):
        assert_allclose(one, other, rtol=1e-7)


@pytest.mark.parametrize("cache_size", [1000, 0])
def test_classes(cache_size):
    labels = RESPONSE > 0.5
    some, every = GivenColumns(taken, N_COLUMNS), GivenColumns(np.asarray)
    found = SparseBayesClassifier(some + Bias(), cache_size=cache_size).fit(TABLE, labels)
    assert_same(found, SparseBayesClassifier(every + Bias()).fit(TABLE, labels), TABLE)
    assert "given(200)" in found.column_names_


def test_several_outputs():
    targets = np.column_stack([RESPONSE, TABLE[:, 3] + NOISE * X[:, 0]])
    found = SparseBayesRegressor(GivenColumns(taken, N_COLUMNS)).fit(TABLE, targets)
    assert_same(found, SparseBayesRegressor(GivenColumns(np.asarray)).fit(TABLE, targets), TABLE)


# What is asked for.


def test_a_prediction_asks_only_for_the_columns_that_were_kept():
    function = Counting(taken)
    model = SparseBayesRegressor(GivenColumns(function, N_COLUMNS)).fit(TABLE, RESPONSE)
    function.asked.clear()
    model.predict(TABLE[:7])
    model.predict(TABLE[:7], return_std=True)
    assert function.asked
    for n_rows, columns in function.asked:
        assert n_rows == 7
        assert_array_equal(columns, [3, 200])


def test_columns_in_memory_are_asked_for_once():
    function = Counting(taken)
    SparseBayesRegressor(GivenColumns(function, N_COLUMNS)).fit(TABLE, RESPONSE)
    values = sum(n_rows * len(columns) for n_rows, columns in function.asked)
    assert TABLE.size <= values <= 2.5 * TABLE.size


def test_without_a_cache_no_more_than_a_block_is_asked_for_at_a_time():
    function = Counting(taken)
    basis = GivenColumns(function, N_COLUMNS)
    SparseBayesRegressor(basis, cache_size=0).fit(TABLE, RESPONSE)
    sizes = [n_rows * len(columns) for n_rows, columns in function.asked]
    assert max(sizes) <= FEWEST_NUMBERS < TABLE.size
    assert len(sizes) > 3


# What is refused.


def raising(inputs, columns):
    raise ArithmeticError("enough")


WRONG = {
    "a row too few": (lambda x, c: taken(x, c)[1:], ValueError, "returned an array of shape"),
    "a column too few": (lambda x, c: taken(x, c)[:, 1:], ValueError, "returned an array of shape"),
    "all columns and one": (lambda x, c: np.ones((len(x), 301)), ValueError, "expected shape"),
    "one axis": (lambda x, c: x[:, 0], ValueError, "returned an array of shape"),
    "NaN": (lambda x, c: taken(x, c) * np.nan, ValueError, "returned NaN or infinite values"),
    "infinite": (lambda x, c: taken(x, c) + np.inf, ValueError, "returned NaN or infinite values"),
    "text": (lambda x, c: "text", ValueError, "returned str; expected a dense array"),
    "sparse": (lambda x, c: csr_array(taken(x, c)), ValueError, "expected a dense array"),
    "complex": (lambda x, c: taken(x, c) + 1j, ValueError, "expected a dense array of real"),
    "raises": (raising, ArithmeticError, "enough"),
    "one argument": (lambda x: x, TypeError, "argument"),
}


@pytest.mark.parametrize(("function", "error", "words"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("cache_size", [1000, 0])
def test_an_error_names_the_function(function, error, words, cache_size):
    model = SparseBayesRegressor(GivenColumns(function, N_COLUMNS), cache_size=cache_size)
    with pytest.raises(error, match=words) as raised:
        model.fit(TABLE, RESPONSE)
    notes = getattr(raised.value, "__notes__", [])
    assert "of GivenColumns" in "\n".join([str(raised.value), *notes])


def test_an_error_at_a_prediction_names_the_function():
    function = Counting(taken)
    model = SparseBayesRegressor(GivenColumns(function, N_COLUMNS)).fit(TABLE, RESPONSE)
    function.function = lambda inputs, columns: np.full((len(inputs), len(columns)), np.nan)
    with pytest.raises(ValueError, match="of GivenColumns returned NaN"):
        model.predict(TABLE)


@pytest.mark.parametrize("number", [0, -1, 2.5, 300.0, True, "300", [300]])
def test_a_number_of_columns_that_cannot_be_is_refused(number):
    words = "n_columns of GivenColumns must be None or an integer of 1 or more, got"
    with pytest.raises(ValueError, match=words):
        SparseBayesRegressor(GivenColumns(taken, number)).fit(TABLE, RESPONSE)


def test_any_kind_of_integer_is_a_number_of_columns():
    model = SparseBayesRegressor(GivenColumns(taken, np.int32(N_COLUMNS))).fit(TABLE, RESPONSE)
    assert model.column_names_ == ["given(3)", "given(200)"]


def test_a_label_is_asked_for_of_each_column():
    basis = GivenColumns(taken, N_COLUMNS, groups=np.zeros(N_COLUMNS - 1))
    with pytest.raises(ValueError, match=r"groups of GivenColumns .* each of 300 columns"):
        SparseBayesRegressor(basis).fit(TABLE, RESPONSE)


# As an estimator.


def test_a_function_that_can_be_imported_survives_pickling_and_cloning():
    model = SparseBayesRegressor(GivenColumns(taken, N_COLUMNS) + Bias()).fit(TABLE, RESPONSE)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict(TABLE), model.predict(TABLE))
    assert again.get_params()["basis__givencolumns__n_columns"] == N_COLUMNS
    anew = clone(model).fit(TABLE, RESPONSE)
    assert_array_equal(anew.predict(TABLE), model.predict(TABLE))


def test_the_number_of_columns_is_a_parameter():
    model = SparseBayesRegressor(GivenColumns(taken, N_COLUMNS))
    model.set_params(basis__n_columns=100).fit(TABLE, TABLE[:, 3] + NOISE * X[:, 0])
    assert model.column_names_ == ["given(3)"]
