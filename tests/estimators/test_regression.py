"""Regressors of one output: what they predict, and what follows from their attributes."""

import numpy as np
import pytest
from estimator_data import INFERENCES, NEW, SINC, X, Y
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel

from sparsebayes import RVR, Fast, Gamma, Outcome, student_t


def design_of(model, inputs):
    """The kept columns by hand: kernels, then a bias if there is one."""
    kernel = rbf_kernel(inputs, model.relevance_vectors_, gamma=model.gamma_)
    bias = [np.ones((len(inputs), 1))] * ("bias" in model.column_names_)
    return np.hstack([kernel, *bias])


# predictions


@pytest.mark.parametrize("fixture", ["fast", "with_bias", "without_covering"])
def test_predictions_follow_from_the_fitted_attributes(fixture, request):
    model = request.getfixturevalue(fixture)
    design = design_of(model, NEW)
    assert model.covariance_.shape == (design.shape[1], design.shape[1])
    mean, std = model.predict(NEW, return_std=True)
    covariance = design @ model.covariance_ @ design.T + model.noise_std_**2 * np.eye(len(NEW))
    assert_allclose(mean, model.offset_ + design @ model.weights_, rtol=1e-9, atol=1e-12)
    assert_allclose(std, np.sqrt(np.diag(covariance)), rtol=1e-9)
    assert_allclose(model.predict(NEW, return_cov=True)[1], covariance, rtol=1e-9, atol=1e-12)


def test_log_evidence_is_the_density_of_the_targets_without_their_offset(fast):
    model = fast
    design = design_of(model, X)
    covariance = model.noise_std_**2 * np.eye(80) + design / model.weight_precision_ @ design.T
    _, log_determinant = np.linalg.slogdet(2 * np.pi * covariance)
    rest = Y - model.offset_
    expected = -0.5 * (log_determinant + rest @ np.linalg.solve(covariance, rest))
    assert_allclose(model.log_evidence_, expected, rtol=1e-9)


@pytest.mark.parametrize("fixture", ["regressor", "fast", "without_covering"])
def test_error_bars_hold_the_noise_and_the_truth(fixture, request):
    model = request.getfixturevalue(fixture)
    mean, std = model.predict(X, return_std=True)
    assert np.all(std > model.noise_std_)
    assert_allclose(model.noise_std_, 0.1, rtol=0.3)
    assert np.mean(np.abs(mean - SINC) < 2 * std) > 0.9


# the intercept


def test_the_mean_of_the_target_is_taken_out(regressor):
    assert_allclose(regressor.offset_, Y.mean(), rtol=1e-12)
    assert_allclose(RVR(gamma=0.1).fit(X, Y - Y.mean()).offset_, 0.0, atol=1e-15)


@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
def test_rows_count_by_their_weight_in_the_offset():
    weight = np.linspace(0.0, 2.0, 80)
    model = RVR(gamma=0.1).fit(X, Y, sample_weight=weight)
    assert_allclose(model.offset_, np.average(Y, weights=weight), rtol=1e-12)


def test_the_bias_of_the_paper_explains_the_offset_itself(with_bias):
    assert with_bias.offset_ == 0.0
    assert with_bias.column_names_[-1] == "bias"
    assert_allclose(with_bias.intercept_, with_bias.weights_[-1:], rtol=1e-15)
    assert_allclose(with_bias.intercept_, [5.0], atol=0.2)
    far = with_bias.predict([[1e3]], return_cov=True)[1]
    expected = with_bias.covariance_[-1, -1] + with_bias.noise_std_**2
    assert_allclose(far, [[expected]], rtol=1e-12)


def test_the_intercept_is_the_offset_and_the_weight_of_the_bias():
    model = RVR(gamma=1.0).fit(X[:40], Y[:40] + 5.0)
    bias = model.weights_[-1] if model.column_names_[-1] == "bias" else 0.0
    assert_allclose(model.intercept_, [model.offset_ + bias], rtol=1e-14)
    assert_allclose(model.predict([[1e3]]), model.intercept_, rtol=1e-14)


def test_a_bias_is_found_beside_the_offset():
    """The mean of y is not the value far from all kernels, to the machine of the papers."""
    y = np.where(np.abs(X[:, 0]) < 5.0, 1.0, -1.0) + np.random.default_rng(0).normal(0, 0.1, 80)
    model = RVR(gamma=0.02, inference="fast").fit(X, y + 100.0)
    assert_allclose(model.offset_, 100.0, atol=0.2)
    assert "bias" in model.column_names_
    assert_allclose(model.intercept_, model.predict([[1e3]]), rtol=1e-12)


def test_without_an_intercept_it_is_zero():
    model = RVR(gamma=0.1, fit_intercept=False).fit(X, Y)
    assert_array_equal(model.intercept_, [0.0])
    assert model.offset_ == 0.0
    assert "bias" not in model.column_names_
    assert_allclose(model.predict([[1e3]]), [0.0], atol=1e-12)


# noise, hyperpriors, prices


@pytest.mark.parametrize("inference", INFERENCES)
def test_a_given_noise_stays(inference):
    model = RVR(gamma=0.1, noise_std=0.25, inference=inference).fit(X, Y)
    assert_allclose(model.noise_std_, 0.25, rtol=1e-12)
    assert_allclose([step.noise_std for step in model.history_], 0.25, rtol=1e-12)


def test_a_strong_noise_hyperprior_sets_the_noise():
    """Mode of the noise precision: (n + 2 shape) / (residual energy + 2 rate)."""
    inference = Fast(noise_hyperprior=Gamma(1e7, 1e7 * 0.3**2))
    assert_allclose(RVR(gamma=0.1, inference=inference).fit(X, Y).noise_std_, 0.3, rtol=1e-3)


def test_a_proper_hyperprior_keeps_columns_that_a_flat_one_deletes(fast):
    inference = Fast(weight_hyperprior=student_t(2.0))
    proper = RVR(gamma=0.1, inference=inference).fit(X, Y)
    assert len(proper.weights_) > len(fast.weights_)
    assert np.abs(proper.predict(X) - SINC).max() < 0.15


def test_em_finds_an_equally_good_model(fast):
    em = RVR(gamma=0.1, inference="em", max_iter=20_000).fit(X, Y)
    assert em.outcome_ is Outcome.CONVERGED
    assert abs(em.log_evidence_ - fast.log_evidence_) < 1.0
    assert np.all(np.diff([step.log_evidence for step in em.history_]) > -1e-6)
    assert_allclose(em.predict(X), fast.predict(X), atol=0.05)


def test_nothing_is_worth_an_exorbitant_price():
    with pytest.warns(ConvergenceWarning, match="No column is relevant"):
        model = RVR(gamma=0.1, inference=Fast(min_gain=1e6)).fit(X, Y)
    assert model.outcome_ is Outcome.NOTHING_RELEVANT
    assert_allclose(model.noise_std_, np.std(Y), rtol=1e-2)
    assert_allclose(model.predict(NEW), Y.mean(), rtol=1e-12)


# number types
