"""Which columns matter, at every shape; and the mean of targets that no column can say."""

import warnings
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import (
    RVR,
    Bias,
    Fast,
    GivenColumns,
    Linear,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

N_DRAWS = 10
WITH_BIAS = Linear() + Bias()


def table(seed, n_rows, n_columns, n_active, correlated=0.0, noise=1.0, least=1.0):
    """Inputs, targets, and which inputs act; each acts with `least` to 2."""
    random = np.random.default_rng([seed, n_rows, n_columns, n_active])
    inputs = random.normal(size=(n_rows, n_columns))
    for k in range(1, n_columns):
        own = np.sqrt(1.0 - correlated**2) * inputs[:, k]
        inputs[:, k] = correlated * inputs[:, k - 1] + own
    weights = np.zeros(n_columns)
    active = random.permutation(n_columns)[:n_active]
    weights[active] = random.choice([-1, 1], n_active) * random.uniform(least, 2, n_active)
    return inputs, inputs @ weights + noise * random.normal(size=n_rows), weights != 0


def wrong(shape, model=None, change=None, draws=N_DRAWS, **options):
    """False columns and missed ones of each fit (n_draws, 2)."""
    model = model or SparseBayesRegressor(WITH_BIAS)
    found = []
    for seed in range(draws):
        inputs, target, active = table(seed, *shape, **options)
        if change is not None:
            inputs, target = change(inputs, target)
        selected = model.fit(inputs, target).selected_
        found.append([np.sum(selected & ~active), np.sum(~selected & active)])
    return np.mean(found, axis=0)


# Columns that do not matter.


@pytest.mark.parametrize("n_active", [1, 3, 6])
@pytest.mark.parametrize("n_rows", [30, 79, 81, 400])
def test_columns_of_noise_are_left_out_at_every_number_of_rows(n_rows, n_active):
    """There was a cliff at 80 rows, four times the columns: six false ones beyond it."""
    false, missed = wrong((n_rows, 20, n_active), noise=0.5)
    assert false <= 0.1
    assert missed == 0.0


@pytest.mark.parametrize("shape", [(100, 2, 1), (100, 3, 1), (100, 5, 2), (400, 50, 6)])
@pytest.mark.parametrize("correlated", [0.0, 0.7])
def test_columns_of_noise_are_left_out_of_few_and_of_many(shape, correlated):
    false, missed = wrong(shape, correlated=correlated)
    assert false <= 0.2
    assert missed == 0.0


@pytest.mark.long
@pytest.mark.parametrize("n_active", [1, 3, 6])
@pytest.mark.parametrize("n_rows", [81, 120, 400, 2000])
@pytest.mark.parametrize("correlated", [0.0, 0.7])
@pytest.mark.parametrize("noise", [0.5, 1.0])
def test_a_tenth_of_a_false_column_per_fit(n_rows, n_active, correlated, noise):
    false, missed = wrong((n_rows, 20, n_active), correlated=correlated, noise=noise, draws=30)
    assert false <= 0.1
    assert missed <= 0.1


WEAK = {"least": 0.5, "draws": 60}


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [40, 70])
@pytest.mark.filterwarnings("ignore:No column is relevant")
def test_a_dense_model_brings_none_in_where_few_act_weakly(n_rows):
    """All of 20 columns were taken by three to five nats, sixteen or more of them for nothing."""
    false = [wrong((n_rows, 20, n_active), **WEAK)[0] for n_active in (1, 3)]
    assert np.mean(false) <= 0.1


@pytest.mark.long
@pytest.mark.parametrize("n_rows", [30, 40, 50, 70])
@pytest.mark.filterwarnings("ignore:No column is relevant")
def test_a_tenth_of_a_false_column_per_fit_where_few_act_weakly(n_rows):
    false = [wrong((n_rows, 20, n_active), least=0.5, draws=300)[0] for n_active in (1, 3)]
    assert np.mean(false) <= 0.1


@pytest.mark.parametrize("n_columns", [2, 5, 20])
def test_where_all_columns_matter_all_are_kept(n_columns):
    """A price of log M for each would cost more than the evidence of all: M log M nats."""
    false, missed = wrong((10 * n_columns, n_columns, n_columns), noise=0.5)
    assert false == missed == 0.0


def units(inputs, target):
    return inputs * 10.0 ** np.linspace(-6, 6, inputs.shape[1]), target


def offsets(inputs, target):
    return inputs + np.linspace(-3, 3, inputs.shape[1]), target + 1e3


def sparse(inputs, target):
    return csr_array(inputs), target


def two(inputs, target):
    noise = np.random.default_rng(len(target)).normal(size=len(target))
    return inputs, np.column_stack([target, noise - 2.0 * target])


@pytest.mark.parametrize("change", [units, offsets, sparse, two])
def test_messy_tables_leave_them_out_too(change):
    false, missed = wrong((150, 20, 3), change=change)
    assert false <= 0.1
    assert missed == 0.0


def test_a_constant_input_is_no_column_of_noise():
    inputs, target, active = table(0, 200, 20, 3)
    model = SparseBayesRegressor(WITH_BIAS).fit(np.column_stack([inputs, np.ones(200)]), target)
    assert_array_equal(model.selected_[:20], active)


@pytest.mark.parametrize("n_rows", [60, 200])
def test_outliers_bring_none_in(n_rows):
    model = SparseBayesRegressor(WITH_BIAS, likelihood="student_t")

    def change(inputs, target):
        target = target.copy()
        target[::20] += 30.0
        return inputs, target

    false, missed = wrong((n_rows, 12, 2), model=model, change=change, draws=4)
    assert false <= 0.25
    assert missed == 0.0


@pytest.mark.parametrize("n_rows", [70, 400])
def test_classes_leave_them_out_at_both_sides_of_four_rows_for_a_column(n_rows):
    model = SparseBayesClassifier(WITH_BIAS)
    false, missed = wrong((n_rows, 20, 1), model=model, change=lambda x, y: (x, y > 0), draws=5)
    assert false <= 0.2
    assert missed == 0.0


def test_groups_are_left_out_as_a_whole():
    labels = np.arange(20) // 4
    kept = []
    for seed in range(N_DRAWS):
        inputs, target, _ = table(seed, 200, 20, 0)
        target = target + inputs[:, :4] @ [1.0, -1.0, 0.5, 1.0]
        model = SparseBayesRegressor(Linear(groups=labels) + Bias()).fit(inputs, target)
        kept.append(np.unique(labels[model.selected_]))
    assert all(each[0] == 0 for each in kept)
    assert np.mean([len(each) for each in kept]) <= 1.1


def test_complex_columns_of_noise_are_left_out():
    false = 0
    for seed in range(5):
        random = np.random.default_rng(seed)
        inputs = random.normal(size=(150, 12)) + 1j * random.normal(size=(150, 12))
        noise = random.normal(size=150) + 1j * random.normal(size=150)
        model = SparseBayesRegressor(Linear()).fit(inputs, (1 - 2j) * inputs[:, 2] + noise)
        assert model.selected_[2]
        false += model.selected_.sum() - 1
    assert false <= 1


def test_the_papers_have_no_price():
    inputs, target, _ = table(0, 400, 20, 1)
    free = SparseBayesRegressor(WITH_BIAS, inference=Fast(min_gain=0.0)).fit(inputs, target)
    assert free.selected_.sum() > 3
    assert SparseBayesRegressor(WITH_BIAS).fit(inputs, target).selected_.sum() == 1


# The mean of the targets.


@cache
def plane():
    random = np.random.default_rng(0)
    inputs = random.normal(size=(100, 8))
    return inputs, inputs[:, [0, 3]] @ [2.0, -1.0] + random.normal(0, 0.1, 100)


def same_model(model, change, offset):
    """Models of targets and of the targets plus an offset, and inputs for them."""
    inputs, target = plane()
    inputs, target = change(inputs, target)
    return model.fit(inputs, target).predict(inputs), model.fit(inputs, target + offset), inputs


@pytest.mark.parametrize("offset", [100.0, -1e6])
@pytest.mark.parametrize("change", [lambda x, y: (x, y), sparse, two])
@pytest.mark.parametrize("inference", ["fast", "em", "projection"])
def test_an_offset_of_the_targets_changes_nothing_but_the_intercept(offset, change, inference):
    """R2 was -7504 at an offset of 100."""
    model = SparseBayesRegressor(Linear(), inference=inference)
    expected, found, inputs = same_model(model, change, offset)
    assert_allclose(found.predict(inputs) - offset, expected, atol=1e-6)
    by_hand = inputs @ found.coef_.T + found.intercept_
    assert_allclose(found.predict(inputs), by_hand, rtol=1e-9)
    assert_allclose(found.to_portable().predict(inputs), found.predict(inputs), rtol=1e-9)


def test_an_offset_of_the_inputs_has_an_intercept_to_go_to():
    inputs, target = plane()
    model = SparseBayesRegressor(Linear()).fit(inputs + 5.0, target)
    assert_allclose(model.intercept_, -5.0, atol=0.25)
    assert_array_equal(np.flatnonzero(model.selected_), [0, 3])


def test_weights_move_the_intercept():
    inputs, target = plane()
    weight = np.repeat([1, 3], 50)
    found = SparseBayesRegressor(Linear()).fit(inputs, target + 50.0, sample_weight=weight)
    expected = SparseBayesRegressor(WITH_BIAS).fit(inputs, target + 50.0, sample_weight=weight)
    assert_allclose(found.coef_, expected.coef_, rtol=1e-9)
    assert found.intercept_ == pytest.approx(expected.intercept_, rel=1e-9)


def test_rows_that_come_in_parts_have_an_intercept_too():
    inputs, target = plane()
    model = SparseBayesRegressor(Linear(), inference="projection")
    for part in (slice(0, 50), slice(50, 100)):
        model.partial_fit(inputs[part], target[part] + 100.0)
    assert model.score(inputs, target + 100.0) > 0.99


def test_without_an_intercept_the_prediction_is_zero_at_zero():
    inputs, target = plane()
    model = SparseBayesRegressor(Linear(), fit_intercept=False).fit(inputs, target)
    assert model.predict(np.zeros((1, 8))) == 0.0
    assert model.column_names_ == ["x0", "x3"]
    with pytest.raises(ValueError, match="fit_intercept must be True or False, got 'yes'"):
        SparseBayesRegressor(Linear(), fit_intercept="yes").fit(inputs, target)


def test_a_dictionary_with_a_constant_says_the_mean_itself():
    inputs, target = plane()
    model = SparseBayesRegressor(Linear()).fit(np.column_stack([inputs, np.ones(100)]), target + 3)
    assert model.intercept_ == 0.0
    assert_allclose(model.coef_[8], 3.0, atol=0.05)


@pytest.mark.parametrize("basis", [GivenColumns(np.asarray), GivenColumns(np.asarray) + Linear()])
def test_a_dictionary_of_your_own_is_taken_as_it_is(basis):
    inputs, target = plane()
    model = SparseBayesRegressor(basis, inference="fast").fit(inputs, target)
    assert "bias" not in model.column_names_


def test_the_warning_names_the_mean_as_the_cause():
    """It blamed min_gain."""
    inputs, target = plane()
    model = SparseBayesRegressor(Linear(), fit_intercept=False)
    with pytest.warns(ConvergenceWarning, match=r"y has a mean of 99.99, .* Add Bias\(\)"):
        model.fit(inputs, target + 100.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RVR(kernel="linear").fit(inputs, target + 100.0)
