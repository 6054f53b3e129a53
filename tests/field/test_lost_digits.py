"""A row that is far from all others costs no digits; a file says what its estimator says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import RVC, RVR, Outcome
from sparsebayes.columns.geometry import (
    absolute_distance,
    squared_distance,
    squared_distance_slope,
)
from sparsebayes.procedures.advice import worst_outcome

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
FAR = [1e8, 1e12]
fars = pytest.mark.parametrize("far", FAR)
GAMMA = np.array([0.05, 0.1])


def rows_with_a_far_one(far, seed=0, n_rows=50, n_inputs=2):
    """Rows of which the first is far from all others."""
    X = np.random.default_rng(seed).normal(size=(n_rows, n_inputs))
    X[0] = far
    return X


@fars
@pytest.mark.parametrize("n_inputs", [2, 20])
def test_a_distance_has_its_digits_though_the_first_centre_is_far(far, n_inputs):
    X, gamma = rows_with_a_far_one(far, n_inputs=n_inputs), np.full(n_inputs, 0.7)
    apart = X[:, None] - X
    assert_allclose(squared_distance(X, X, gamma), apart**2 @ gamma, rtol=1e-12, atol=1e-13)
    assert_allclose(absolute_distance(X, X, gamma), np.abs(apart) @ gamma, rtol=1e-12, atol=1e-13)


@fars
def test_a_slope_has_its_digits_though_the_first_centre_is_far(far):
    X = rows_with_a_far_one(far)
    factor = np.exp(-squared_distance(X, X, GAMMA))
    expected = [
        -g * np.vdot(factor, (x[:, None] - x) ** 2) for g, x in zip(GAMMA, X.T, strict=True)
    ]
    assert_allclose(squared_distance_slope(X, X, GAMMA, factor), expected, rtol=1e-12)


@fars
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
@pytest.mark.parametrize("inference", ["projection", "fast", "mackay"])
def test_a_file_agrees_with_its_estimator_though_a_row_is_far(far, kernel, inference):
    """What the file says was up to .04 spreads of y from what the estimator says."""
    for seed in (3, 4):
        random = np.random.default_rng(seed)
        X = random.normal(size=(50, 2))
        y = np.sin(2.0 * X[:, 0]) + 0.5 * X[:, 1] + 0.05 * random.normal(size=50)
        X[random.integers(50)] = far if seed % 2 else -far
        model = RVR(kernel=kernel, gamma=GAMMA, inference=inference).fit(X, y)
        mean, std = model.predict(X, return_std=True)
        of_file = model.to_portable().predict(X, return_std=True)
        assert_allclose(of_file[0], mean, atol=1e-9)
        assert_allclose(of_file[1], std, rtol=1e-6)


@fars
def test_a_file_agrees_on_probabilities_though_a_row_is_far(far):
    random = np.random.default_rng(1)
    X = random.normal(size=(60, 2))
    labels = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int) + (X[:, 0] > 1.0)
    X[[3, 30]] = far, -far
    for y in (labels, labels > 0):
        model = RVC(gamma=GAMMA, multi_class="ovr").fit(X, y)
        assert_allclose(model.to_portable().predict_proba(X), model.predict_proba(X), atol=1e-9)


class Ended:
    """A fit that ended so."""

    def __init__(self, outcome):
        self.outcome = outcome


@pytest.mark.parametrize("other", [Outcome.WORK_LIMIT, Outcome.CONVERGED, Outcome.NOISE_VANISHED])
def test_of_several_fits_lost_digits_are_told_first(other):
    ends = [Outcome.NOTHING_RELEVANT, other, Outcome.OUT_OF_RANGE]
    assert worst_outcome([Ended(each) for each in ends]) is Outcome.OUT_OF_RANGE


def exact_rows_far_from_zero(offset):
    """A smooth function without noise, whose values are far from zero for their spread."""
    X = np.linspace(-3.0, 3.0, 40)[:, None]
    return X, np.sin(X[:, 0]) + 0.05 * np.random.default_rng(0).normal(size=40) + offset


def without_a_constant():
    return RVR(gamma=1.0 / 16.0, fit_intercept=False)


def test_error_bars_that_are_rounding_are_told():
    """Half a per cent of an error bar was rounding where a process stood for a mean of 4e4."""
    X, y = exact_rows_far_from_zero(1e6)
    with pytest.warns(ConvergenceWarning, match=r"Add Bias\(\) to the basis"):
        model = without_a_constant().fit(X, y)
    assert model.outcome_ is Outcome.OUT_OF_RANGE


def test_error_bars_that_have_their_digits_are_not():
    X, y = exact_rows_far_from_zero(1e6)
    assert RVR(gamma=1.0 / 16.0).fit(X, y).outcome_ is Outcome.CONVERGED
    near = exact_rows_far_from_zero(1e2)
    assert without_a_constant().fit(*near).outcome_ is Outcome.CONVERGED


def collinear_rows_far_from_zero():
    """Inputs that are one but for 1e-9 of it, and a line whose values are 6e5 above zero."""
    random = np.random.default_rng(0)
    X = random.normal(size=(97, 1)) * random.normal(size=28) + 1e-9 * random.normal(size=(97, 28))
    return X, X.sum(axis=1) + 0.3 * random.normal(size=97) + 6e5


def test_an_offset_does_not_hide_that_digits_are_lost():
    """A file and its estimator were 5e-5 spreads of y apart, by weights of 1e11, CONVERGED."""
    X, y = collinear_rows_far_from_zero()
    with pytest.warns(ConvergenceWarning, match=r"Add Bias\(\) to the basis"):
        model = RVR(fit_intercept=False).fit(X, y)
    assert model.outcome_ is Outcome.OUT_OF_RANGE
    plain = RVR().fit(X, y)
    assert plain.outcome_ is Outcome.CONVERGED
    assert_allclose(plain.to_portable().predict(X), plain.predict(X), rtol=0.0, atol=1e-8)
