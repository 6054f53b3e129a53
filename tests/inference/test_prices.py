"""What a column must be worth, and what that does to columns of noise."""

from functools import partial

import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq
from scipy.stats import beta, chi2

from sparsebayes import Bias, GaussianKernel, GivenColumns, Linear, Polynomial
from sparsebayes.hyperpriors import student_t
from sparsebayes.inference import Fast
from sparsebayes.inference.prices import (
    MANY,
    OF_PRECISION,
    Prices,
    automatic,
    check_min_gain,
    check_price,
    prices_of,
)
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians, Multinomial, Softmax
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

N = 20
WIDE = np.random.default_rng(0).normal(size=(N, 30))
NARROW, ONE = WIDE[:, :3], WIDE[:, :1]


def problem(basis, inputs, likelihood=None, target=None):
    target = np.ones(len(inputs)) if target is None else target
    weight = np.ones(len(inputs))
    data = Data(inputs, target, weight)
    return Problem(data, basis.bind(inputs, weight), likelihood or Gaussian())


def each_of(basis, inputs, min_gain="auto", **options):
    return prices_of(min_gain, problem(basis, inputs, **options)).each


# Values.


@pytest.mark.parametrize("n_columns", [2, 3, 30, 10**6])
def test_the_price_of_one_of_many_is_their_logarithm_and_a_nat(n_columns):
    assert_allclose(automatic(n_columns), np.log(n_columns) + 1.0, rtol=1e-15)


def test_a_column_that_was_not_chosen_from_others_has_no_price():
    assert automatic(1) == 0.0


@pytest.mark.parametrize(
    ("basis", "inputs", "n_columns"),
    [
        (Linear(), WIDE, 30),
        (GivenColumns(partial(np.multiply, 2.0)), WIDE, 30),
        (Polynomial(2), NARROW, 9),
        (Linear(), WIDE[:, :6], 6),
        (Linear(), NARROW, 3),
        (Linear(), WIDE[:, :2], 2),
    ],
    ids=["inputs", "given", "products", "fewer than rows", "few", "two"],
)
def test_plain_columns_have_a_price_at_every_number_of_rows(basis, inputs, n_columns):
    found = prices_of("auto", problem(basis, inputs))
    assert_allclose(found.each, np.full(n_columns, np.log(n_columns) + OF_PRECISION))
    assert found.plain
    assert found.any


@pytest.mark.parametrize(
    ("basis", "inputs"),
    [
        (Linear(), ONE),
        (Bias(), WIDE),
        (GaussianKernel(1.0), NARROW),
        (GaussianKernel(1.0) + Linear() + Bias(), NARROW),
    ],
    ids=["one", "bias", "kernel", "kernel and few"],
)
def test_other_columns_have_none(basis, inputs):
    found = prices_of("auto", problem(basis, inputs))
    assert_array_equal(found.each, np.zeros(len(found.each)))
    assert not found.many
    assert not found.any


@pytest.mark.parametrize(("n_columns", "many"), [(4, False), (5, False), (6, True), (7, True)])
def test_columns_are_many_beyond_a_quarter_of_the_rows(n_columns, many):
    assert MANY * N == 5.0
    found = prices_of("auto", problem(Linear(), WIDE[:, :n_columns]))
    assert found.many == many
    assert found.any


def test_a_single_column_of_two_rows_is_many_and_yet_free():
    found = prices_of("auto", problem(Linear(), ONE[:2]))
    assert found.many
    assert not found.any


def test_each_kind_of_columns_is_counted_for_itself():
    """A kernel and a bias are free beside plain columns that are many."""
    found = each_of(GaussianKernel(1.0) + Linear() + Bias(), WIDE)
    assert_allclose(found, np.repeat([0.0, automatic(30), 0.0], [N, 30, 1]))
    twice = each_of(Linear() + Polynomial(1), WIDE)
    assert_allclose(twice, np.full(60, automatic(30)))


def test_two_kinds_of_few_columns_are_not_many_together():
    found = prices_of("auto", problem(Linear() + GivenColumns(np.cos), WIDE[:, :4]))
    assert not found.many
    assert_allclose(found.each, np.full(8, automatic(4)))


@pytest.mark.parametrize("n_columns", [2, 5, 30])
@pytest.mark.parametrize("n_active", [0, 1, 2])
def test_a_column_pays_for_those_that_it_was_chosen_from(n_columns, n_active):
    """Itself and those that are not in the model: the last of all pays for its precision only."""
    found = prices_of("auto", problem(Linear() + Bias(), WIDE[:, :n_columns]))
    price = found.beside(np.append(np.arange(n_active), n_columns))
    outside = n_columns - n_active
    assert_allclose(price[:n_active], np.log(outside + 1.0) + 1.0)
    assert_allclose(price[n_active:n_columns], np.log(max(outside, 1)) + 1.0)
    assert price[n_columns] == 0.0


def test_a_set_is_one_of_all_sets_of_its_size():
    found = prices_of("auto", problem(Linear() + Bias(), WIDE))
    assert_allclose(found.of(np.array([4])), automatic(30))
    assert_allclose(found.of(np.array([4, 7, 9, 30])), np.log(30 * 29 * 28 / 6) + 1.0)
    assert_allclose(found.of(np.arange(31)), 1.0)
    several = found.along(np.array([30, 3, 5]))
    assert_allclose(several, [0.0, 0.0, automatic(30), np.log(30 * 29 / 2) + 1.0])


def test_weights_of_each_class_are_pools_of_their_own():
    """A class chooses its columns from its own."""
    of_classes = problem(Linear(), WIDE, Softmax(3), np.arange(N) % 3.0)
    found = prices_of("auto", of_classes)
    assert_allclose(found.of(np.array([0, 30, 60])), 3.0 * automatic(30))
    assert_allclose(found.beside(np.array([0, 1]))[[0, 2, 30]], np.log([29, 28, 30]) + 1.0)


@pytest.mark.parametrize("min_gain", [0, 0.0, 2, 3.5, np.float32(1.5)])
def test_a_number_is_the_price_of_everything(min_gain):
    for basis in (Linear(), Linear() + GaussianKernel(1.0) + Bias()):
        found = prices_of(min_gain, problem(basis, WIDE))
        assert_array_equal(found.each, np.full(len(found.each), float(min_gain)))
        assert found.many
        assert found.any == (min_gain > 0)


@pytest.mark.parametrize("min_gain", ["auto", 2.0])
def test_under_a_proper_hyperprior_of_weights_only_a_number_is_a_price(min_gain):
    """No column goes, so that none is chosen."""
    proper = problems.gaussian(WIDE, np.ones(N), weight_hyperprior=student_t(3.0))
    expected = np.zeros(30) if min_gain == "auto" else np.full(30, 2.0)
    assert_array_equal(prices_of(min_gain, proper).each, expected)


@pytest.mark.parametrize(
    ("likelihood", "target", "n_classes"),
    [
        (Bernoulli(), np.arange(N) % 2.0, 1),
        (Gaussians(3), np.ones((N, 3)), 1),
        (Multinomial(3), np.arange(N) % 3.0, 1),
        (Softmax(3), np.arange(N) % 3.0, 3),
    ],
    ids=["two classes", "outputs", "shared weights", "weights of each class"],
)
def test_a_column_that_serves_all_has_one_price_and_one_of_each_class_has_its_own(
    likelihood, target, n_classes
):
    found = each_of(Linear() + Bias(), WIDE, likelihood=likelihood, target=target)
    assert_allclose(found, np.tile(np.append(np.full(30, automatic(30)), 0.0), n_classes))


def test_several_columns_cost_their_sum():
    prices = Prices(np.array([0.0, 1.0, 2.5]), many=True)
    assert prices.of(np.array([1, 2])) == 3.5
    assert prices.of(np.array([0])) == 0.0
    assert prices.of(np.array([], dtype=int)) == 0.0


# What is no price.


@pytest.mark.parametrize("value", [-1, -1e-9, np.nan, None, True, "Auto", "2", 1j, [1.0]])
def test_what_is_no_price_is_refused(value):
    with pytest.raises(ValueError, match=r"min_gain must be 'auto' or a number of 0 or more, got"):
        check_min_gain(value)
    with pytest.raises(ValueError, match=r"min_gain must be 'auto' or a number of 0 or more, got"):
        Fast(min_gain=value).check()


@pytest.mark.parametrize("value", ["auto", 0, 0.0, 7, np.float64(2.5), np.inf])
def test_what_is_one_is_not(value):
    check_min_gain(value)
    Fast(min_gain=value).check()


def test_where_auto_has_no_meaning_it_is_not_offered():
    with pytest.raises(ValueError, match=r"min_gain must be a number of 0 or more, got 'auto'"):
        check_price("auto")


# What a search pays and asks.


def test_the_default_is_auto():
    assert Fast() == Fast(min_gain="auto")


def test_a_search_says_what_its_columns_cost_and_whether_a_dense_model_is_to_be_asked():
    many, few = problem(Linear(), WIDE), problem(Linear(), NARROW)
    some = np.array([0, 2])
    assert_allclose(Fast().price(many, some), np.log(30 * 29 / 2) + 1.0)
    assert_allclose(Fast().price(few, some), np.log(3.0) + 1.0)
    assert Fast(min_gain=1.5).price(few, some) == 3.0
    assert Fast().doubts(many)
    assert not Fast().doubts(few)
    assert not Fast(min_gain=1.5).doubts(many)
    assert not Fast(weight_hyperprior=student_t(3.0)).doubts(many)


# A law: how often a column of noise is kept.


def false_alarms(n_rows, n_columns, n_problems, inference):
    """The share of fits to noise that keep any column."""
    kept = 0
    for seed in range(n_problems):
        random = np.random.default_rng([seed, n_rows, n_columns])
        design, target = random.normal(size=(n_rows, n_columns)), random.normal(size=n_rows)
        kept += len(fits.fit(inference, problems.gaussian(design, target)).active) > 0
    return kept / n_problems


def expected_alarms(n_columns):
    """M P(x > z) for x of a chi-squared distribution, with 1/2 (z - 1 - log z) = price."""
    price = automatic(n_columns)
    z = brentq(lambda z: 0.5 * (z - 1.0 - np.log(z)) - price, 1.0, 1e3)
    return n_columns * chi2.sf(z, 1)


def expected_alarms_of_rows(n_rows, n_columns):
    """The same where the noise is estimated: what a column leaves has a beta distribution.

    A column that leaves a part r of the energy gains 1/2 (n - 1) log u - 1/2 n log(1 + (u - 1) r)
    with u = (1 - r) (n - 1) / r.
    """
    price = automatic(n_columns)

    def missing(left):
        odds = max((1.0 - left) * (n_rows - 1) / left, 1.0)
        gain = 0.5 * (n_rows - 1) * np.log(odds)
        return gain - 0.5 * n_rows * np.log1p((odds - 1.0) * left) - price

    left = brentq(missing, 1e-12, 1.0 - 1.0 / n_rows)
    return n_columns * beta.cdf(left, 0.5 * (n_rows - 1), 0.5)


@pytest.mark.parametrize("n_columns", [2, 10, 100, 10_000, 10**8])
def test_by_theory_few_targets_of_noise_keep_a_column(n_columns):
    """Of columns at right angles and a noise that is known."""
    assert 0.003 < expected_alarms(n_columns) < 0.04
    assert_allclose(
        expected_alarms_of_rows(10**5, n_columns), expected_alarms(n_columns), rtol=0.01
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_rows", "n_columns"), [(40, 20), (60, 60), (50, 200), (30, 300), (12, 100), (8, 40)]
)
def test_a_target_of_noise_keeps_a_column_as_seldom_as_theory_says(n_rows, n_columns):
    """The bound is that of the theory, for each column alone, and three standard errors."""
    n_problems = 100
    share = expected_alarms_of_rows(n_rows, n_columns)
    assert share < 0.04
    error = np.sqrt(share * (1.0 - share) / n_problems)
    assert false_alarms(n_rows, n_columns, n_problems, Fast()) <= share + 3.0 * error


@pytest.mark.parametrize(("n_rows", "n_columns"), [(40, 20), (60, 60), (50, 200)])
def test_without_a_price_nearly_every_target_of_noise_keeps_one(n_rows, n_columns):
    """Each of M columns at right angles gains something with probability P(x > 1) = 0.32."""
    assert false_alarms(n_rows, n_columns, 15, Fast(min_gain=0.0)) > 0.9
