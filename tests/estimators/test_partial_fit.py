"""More rows for a model that is fitted: sums add up."""

import io
import pickle

import numpy as np
import pytest
from many_rows_data import NEW, NOISE, TRUTH, N, X, Y
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    EvidenceSearch,
    GaussianKernel,
    Linear,
    SparseBayesClassifier,
    SparseBayesRegressor,
    load,
)

pytestmark = pytest.mark.slow
FIRST = slice(0, 2000)


def begun(**options):
    return RVR(**options).partial_fit(X[FIRST], Y[FIRST])


@pytest.mark.parametrize("sizes", [(10_000,), (5000, 5000), (1, 499, 4500, 3000, 2000)])
def test_rows_in_any_pieces_make_the_same_model(sizes):
    whole, model, start = begun().partial_fit(X[2000:], Y[2000:]), begun(), 2000
    for size in sizes:
        model.partial_fit(X[start : start + size], Y[start : start + size])
        start += size
    for one, other in zip(
        model.predict(NEW, return_std=True), whole.predict(NEW, return_std=True), strict=True
    ):
        assert_allclose(one, other, atol=1e-7)
    assert_array_equal(model.relevance_, whole.relevance_)
    assert model.noise_std_ == pytest.approx(whole.noise_std_, rel=1e-9)
    assert model.intercept_[0] == pytest.approx(Y.mean(), rel=1e-9)


def test_the_order_of_further_pieces_does_not_matter():
    model, other = begun(), begun()
    for rows in (slice(2000, 6000), slice(6000, N)):
        model.partial_fit(X[rows], Y[rows])
    for rows in (slice(6000, N), slice(2000, 6000)):
        other.partial_fit(X[rows], Y[rows])
    assert_allclose(model.predict(NEW), other.predict(NEW), atol=1e-7)


def test_it_says_what_a_fit_of_all_rows_says_at_the_same_centres_and_scales():
    options = {"gamma": 0.5, "centres": X[:150]}
    model = begun(**options).partial_fit(X[2000:], Y[2000:])
    whole = RVR(**options).fit(X, Y)
    gap = np.sqrt(np.mean((model.predict(NEW) - whole.predict(NEW)) ** 2))
    assert gap < 0.03 * NOISE
    assert model.noise_std_ == pytest.approx(whole.noise_std_, rel=1e-3)
    assert model.log_evidence_ == pytest.approx(whole.log_evidence_, abs=1.0)


def test_more_rows_make_it_better():
    few = begun()
    before = np.sqrt(np.mean((few.predict(NEW) - TRUTH) ** 2))
    few.partial_fit(X[2000:], Y[2000:])
    assert np.sqrt(np.mean((few.predict(NEW) - TRUTH) ** 2)) < 0.7 * before


def test_weights_and_outputs():
    both = np.column_stack([Y, 10.0 * Y[::-1] + X[:, 0]])
    weight = np.where(np.arange(N) % 2, 1.0, 2.0)
    model = RVR(centres=80).partial_fit(X[FIRST], both[FIRST], weight[FIRST])
    one = clone(model).partial_fit(X[FIRST], both[FIRST], weight[FIRST])
    model.partial_fit(X[2000:], both[2000:], weight[2000:])
    for rows in (slice(2000, 7000), slice(7000, N)):
        one.partial_fit(X[rows], both[rows], weight[rows])
    assert model.predict(NEW).shape == (len(NEW), 2)
    assert_allclose(model.predict(NEW), one.predict(NEW), atol=1e-6)


def test_a_pickle_goes_on():
    model = pickle.loads(pickle.dumps(begun()))
    model.partial_fit(X[2000:], Y[2000:])
    expected = begun().partial_fit(X[2000:], Y[2000:])
    assert_array_equal(model.predict(NEW), expected.predict(NEW))


def from_a_file(model):
    file = io.BytesIO()
    model.save(file)
    file.seek(0)
    return load(file).to_estimator()


@pytest.mark.parametrize(
    "made",
    [
        lambda: RVR(gamma=0.5, centres=50).fit(X[:200], Y[:200]),
        lambda: begun(gamma=0.5, centres=50).fit(X[:200], Y[:200]),
        lambda: from_a_file(begun(gamma=0.5, centres=50)),
    ],
    ids=["fit", "fit after it", "file"],
)
def test_a_model_without_sums_is_refused_and_stays_as_it_was(made):
    model = made()
    before = model.predict(NEW)
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match=r"this RVR has none: .*clone\(model\).*all rows"):
        model.partial_fit(X[FIRST], Y[FIRST])
    assert_array_equal(model.predict(NEW), before)
    anew = clone(model).partial_fit(X[FIRST], Y[FIRST])
    assert_array_equal(anew.predict(NEW), begun(gamma=0.5, centres=50).predict(NEW))


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (RVR(inference="fast"), "needs inference=\"projection\", got inference='fast': set it, or"),
        (RVR(likelihood="heteroscedastic"), "Gaussian noise has, got likelihood='heteroscedastic'"),
        (RVR(likelihood="student_t"), "got likelihood='student_t': give all rows at once to fit"),
        (RVR(kernel="precomputed"), "precomputed kernel.*give the inputs and a kernel"),
        (RVR(inference="nonsense"), "inference must be one of"),
        (SparseBayesRegressor(Linear()), 'needs inference="projection"'),
        (RVC(), "classifiers have no partial_fit.* give all rows at once to fit"),
        (SparseBayesClassifier(), "classifiers have no partial_fit"),
        (EvidenceSearch(RVR(), {"gamma": [1.0]}), "a search has no partial_fit.* all rows at once"),
    ],
)
def test_where_there_is_none_the_error_says_what_to_do(model, why):
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match=why):
        model.partial_fit(X, Y)


def test_rows_that_are_refused_change_nothing():
    model = begun(gamma=0.5, centres=50)
    before = model.predict(NEW)
    bad = X[2000:].copy()
    bad[7, 1] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        model.partial_fit(bad, Y[2000:])
    with pytest.raises(ValueError, match="X has 1 features, but RVR is expecting 2"):
        model.partial_fit(X[2000:, :1], Y[2000:])
    with pytest.raises(ValueError, match="y has 2 axes"):
        model.partial_fit(X[2000:], np.column_stack([Y, Y])[2000:])
    assert_array_equal(model.predict(NEW), before)
    model.partial_fit(X[2000:], Y[2000:])
    expected = begun(gamma=0.5, centres=50).partial_fit(X[2000:], Y[2000:])
    assert_array_equal(model.predict(NEW), expected.predict(NEW))


def test_any_basis_with_a_dense_model_can():
    basis = GaussianKernel(1.0, centres=50) + Bias()
    assert hasattr(SparseBayesRegressor(basis), "partial_fit")
    assert not hasattr(SparseBayesRegressor(basis, inference="fast"), "partial_fit")
    assert not hasattr(SparseBayesRegressor(Linear()), "partial_fit")
    assert not hasattr(RVR(kernel="precomputed"), "partial_fit")
    assert not hasattr(RVC(), "partial_fit")
    for inference in ("auto", "projection"):
        model = SparseBayesRegressor(basis, inference=inference).partial_fit(X[FIRST], Y[FIRST])
        model.partial_fit(X[2000:], Y[2000:])
        assert np.sqrt(np.mean((model.predict(NEW) - TRUTH) ** 2)) < 0.5 * NOISE


def test_separate_outputs_are_refused():
    both = np.column_stack([Y, Y])
    with pytest.raises(ValueError, match="separate"):
        RVR(multi_output="separate").partial_fit(X, both)
