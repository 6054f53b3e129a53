"""The mean of y is taken out by default. A model that has to say it, and cannot, tells so."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import rbf_kernel

from sparsebayes import (
    RVR,
    Bias,
    CallableKernel,
    CauchyKernel,
    GaussianKernel,
    GivenColumns,
    Linear,
    LinearSplineKernel,
    Matern32Kernel,
    PolynomialKernel,
    PrecomputedKernel,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

KERNELS = {
    "a given width": GaussianKernel(width=1.5),
    "a learned width": GaussianKernel(input_scale="learn"),
    "a Cauchy kernel": CauchyKernel(width=2.0),
    "a Matern kernel": Matern32Kernel(width=6.0),
    "a spline": LinearSplineKernel(),
    "a polynomial": PolynomialKernel(degree=2),
    "a function": CallableKernel(lambda x, c: rbf_kernel(x, c, gamma=0.3)),
    "a sum": GaussianKernel(width=1.5) + Linear(),
}


def bent(seed=0, n_rows=120):
    """A smooth function of two of three inputs, with noise of 0.1."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 3))
    return X, np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.1 * random.normal(size=n_rows)


@pytest.mark.parametrize("inference", ["auto", "fast"])
@pytest.mark.parametrize("name", KERNELS)
def test_an_offset_of_the_targets_moves_predictions_and_nothing_else(name, inference):
    """Kernels without a bias had R^2 of -10 where y had a mean of 100, and said CONVERGED."""
    (X, y), model = bent(), SparseBayesRegressor(KERNELS[name], inference=inference)
    (new, _), far = bent(1), 1e6
    near_mean, near_std = model.fit(X, y).predict(new, return_std=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mean, std = model.fit(X, y + far).predict(new, return_std=True)
    assert_allclose(mean - far, near_mean, atol=1e-6)
    assert_allclose(std, near_std, rtol=1e-6)


def test_kernel_values_have_an_intercept_too():
    X, y = bent()
    values = rbf_kernel(X, gamma=0.3)
    model = SparseBayesRegressor(PrecomputedKernel()).fit(values, y + 1e4)
    assert model.score(values, y + 1e4) > 0.95


@pytest.mark.parametrize("basis", [KERNELS["a given width"], KERNELS["a sum"]])
def test_a_constant_input_is_no_reason_to_leave_the_mean_to_a_kernel(basis):
    (X, y), ones = bent(), np.ones((120, 1))
    model = SparseBayesRegressor(basis)
    plain = model.fit(X, y + 1e4).predict(X)
    assert_allclose(model.fit(np.hstack([X, ones]), y + 1e4).predict(np.hstack([X, ones])), plain)


def test_a_kernel_that_was_refused_a_constant_has_none():
    X, y = bent()
    model = SparseBayesRegressor(GaussianKernel(1.5), fit_intercept=False, inference="fast")
    assert "bias" not in model.fit(X, y).column_names_


@pytest.mark.parametrize(
    "model",
    [
        SparseBayesRegressor(GaussianKernel(1.5), fit_intercept=False, inference="fast"),
        SparseBayesRegressor(GivenColumns(np.tanh), inference="fast"),
        RVR(inference="fast", gamma=0.4, fit_intercept=False),
    ],
)
def test_a_model_that_says_less_than_the_mean_tells_why(model):
    X, y = bent()
    with pytest.warns(ConvergenceWarning, match=r"y has a mean of 1e\+04, .* Add Bias\(\)"):
        model.fit(X, y + 1e4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SparseBayesRegressor(GivenColumns(np.tanh) + Bias(), inference="fast").fit(X, y + 1e4)


def rare(seed=0, n_rows=600):
    """Two classes, one of them rare, by one of four inputs."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4))
    return X, (random.uniform(size=n_rows) < expit(1.5 * X[:, 0] - 2.5)).astype(int)


def test_a_rare_class_has_its_odds_by_default():
    """Log loss was 0.65 where it is 0.30, because odds were even where all inputs are 0."""
    X, y = rare()
    plain, given = SparseBayesClassifier(Linear()), SparseBayesClassifier(Linear() + Bias())
    expected = given.fit(X, y).predict_proba(X)
    assert_allclose(plain.fit(X, y).predict_proba(X), expected, rtol=1e-10)
    assert log_loss(y, expected) < 0.9 * log_loss(y, np.full(len(y), y.mean()))
    even = SparseBayesClassifier(Linear(), fit_intercept=False).fit(X, y)
    assert_allclose(even.predict_proba(np.zeros((1, 4))), 0.5)


@pytest.mark.slow
def test_rows_in_blocks_have_an_intercept_too():
    X, y = rare(n_rows=12_000)
    model = SparseBayesClassifier(GaussianKernel(3.0), inference="projection").fit(X, y)
    assert "bias" in dict(model.basis_.parts)


def test_intercepts_of_classes_are_true_or_false():
    with pytest.raises(ValueError, match="fit_intercept must be True or False, got 1"):
        SparseBayesClassifier(Linear(), fit_intercept=1).fit(*rare())
