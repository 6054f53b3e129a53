"""Complex dictionaries and targets, by their real and imaginary parts."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone

from sparsebayes import RVR, Bias, Linear, SparseBayesRegressor

N, M, ACTIVE = 60, 100, (3, 40, 77)
NOISE = 0.1


def circular(random, *shape):
    """Complex noise with E|e|^2 = 1."""
    return (random.normal(size=shape) + 1j * random.normal(size=shape)) / np.sqrt(2.0)


def data(seed=0, n_outputs=None, n_rows=N):
    random = np.random.default_rng(seed)
    X = circular(random, n_rows, M)
    weights = np.zeros((M, n_outputs or 1), dtype=complex)
    weights[list(ACTIVE)] = np.exp(2j * np.pi * random.uniform(size=(3, n_outputs or 1)))
    y = X @ weights + NOISE * circular(random, n_rows, n_outputs or 1)
    return X, (y if n_outputs else y[:, 0]), (weights if n_outputs else weights[:, 0])


X, Y, WEIGHTS = data()
MODEL = SparseBayesRegressor(Linear()).fit(X, Y)


@pytest.mark.parametrize("seed", range(4))
def test_the_active_columns_are_found_with_phase_and_noise(seed):
    columns, target, weights = data(seed)
    model = SparseBayesRegressor(Linear()).fit(columns, target)
    assert_array_equal(np.flatnonzero(model.selected_), ACTIVE)
    assert np.abs(model.coef_ - weights).max() < 5.0 * model.coef_std_.max()
    assert_allclose(model.noise_std_, NOISE, rtol=0.25)
    assert model.n_features_in_ == M


def test_several_outputs_share_their_columns():
    columns, target, weights = data(1, 3)
    model = SparseBayesRegressor(Linear()).fit(columns, target)
    assert_array_equal(np.flatnonzero(model.selected_), ACTIVE)
    assert model.coef_.shape == model.coef_std_.shape == (3, M)
    assert_allclose(model.coef_, weights.T, atol=0.1)
    assert model.predict(columns).shape == target.shape
    assert model.score(columns, target) > 0.98


def exact_posterior(model):
    """Mean and covariance of the kept weights: (A + X^H X / sigma^2)^-1, with complex algebra."""
    kept = X[:, model.selected_]
    precision = np.diag(model.weight_precision_) + kept.conj().T @ kept / model.noise_std_**2
    covariance = np.linalg.inv(precision)
    return covariance @ kept.conj().T @ Y / model.noise_std_**2, covariance


def test_weights_and_their_covariance_are_those_of_complex_algebra():
    mean, covariance = exact_posterior(MODEL)
    assert_allclose(MODEL.weights_, mean, rtol=1e-6)
    assert_allclose(MODEL.covariance_, covariance, rtol=1e-6, atol=1e-12)
    assert_allclose(MODEL.coef_[list(ACTIVE)], mean, rtol=1e-6)
    std = np.sqrt(np.diag(covariance).real)
    assert_allclose(MODEL.coef_std_[list(ACTIVE)], std, rtol=1e-6)
    assert MODEL.column_names_ == [f"x{k}" for k in ACTIVE]


def test_the_evidence_is_the_density_of_circular_targets():
    kept = X[:, MODEL.selected_]
    variance = kept / MODEL.weight_precision_ @ kept.conj().T + MODEL.noise_std_**2 * np.eye(N)
    _, log_determinant = np.linalg.slogdet(variance)
    energy = (Y.conj() @ np.linalg.solve(variance, Y)).real
    assert_allclose(MODEL.log_evidence_, -N * np.log(np.pi) - log_determinant - energy, rtol=1e-9)


def test_predictions_are_those_of_complex_algebra():
    new = data(9)[0]
    mean, covariance = exact_posterior(MODEL)
    kept = new[:, MODEL.selected_]
    expected = kept @ covariance @ kept.conj().T + MODEL.noise_std_**2 * np.eye(N)
    found, std = MODEL.predict(new, return_std=True)
    assert_allclose(found, kept @ mean, rtol=1e-6)
    assert_allclose(found, new @ MODEL.coef_ + MODEL.intercept_, rtol=1e-9)
    assert_allclose(std, np.sqrt(np.diag(expected).real), rtol=1e-6)
    assert_allclose(MODEL.predict(new, return_cov=True)[1], expected, rtol=1e-6, atol=1e-10)


def test_draws_have_the_mean_and_the_spread_of_predictions():
    mean, std = MODEL.predict(X[:5], return_std=True)
    draws = MODEL.sample_y(X[:5], 4000)
    assert draws.shape == (5, 4000)
    assert np.all(np.abs(draws.mean(axis=1) - mean) < 5.0 * std / np.sqrt(4000))
    assert_allclose(np.sqrt(np.mean(np.abs(draws - mean[:, None]) ** 2, axis=1)), std, rtol=0.05)


def test_a_turn_of_the_targets_turns_the_weights():
    turned = SparseBayesRegressor(Linear()).fit(X, 1j * Y)
    assert_allclose(turned.coef_, 1j * MODEL.coef_, rtol=1e-5, atol=1e-9)
    assert_allclose(turned.log_evidence_, MODEL.log_evidence_, rtol=1e-9)


def test_units_of_the_targets_do_not_matter():
    scaled = SparseBayesRegressor(Linear()).fit(X, 1e3 * Y)
    assert_allclose(scaled.coef_, 1e3 * MODEL.coef_, rtol=1e-5, atol=1e-6)
    assert_allclose(scaled.noise_std_, 1e3 * MODEL.noise_std_, rtol=1e-5)


def test_real_columns_of_complex_targets():
    model = SparseBayesRegressor(Linear()).fit(X.real, X.real @ WEIGHTS + 0.1 * Y)
    assert np.iscomplexobj(model.coef_)
    assert set(ACTIVE) <= set(np.flatnonzero(model.selected_))


def test_a_sparse_matrix_is_that_of_its_numbers():
    sparse = SparseBayesRegressor(Linear()).fit(csr_array(X), Y)
    assert_allclose(sparse.coef_, MODEL.coef_, rtol=1e-6, atol=1e-10)
    assert_allclose(sparse.predict(csr_array(X[:3])), MODEL.predict(X[:3]), rtol=1e-6)


def test_weights_and_known_noise_of_rows():
    twice = SparseBayesRegressor(Linear()).fit(X, Y, sample_weight=np.full(N, 2.0))
    repeated = SparseBayesRegressor(Linear()).fit(np.vstack([X, X]), np.append(Y, Y))
    assert_allclose(twice.coef_, repeated.coef_, rtol=1e-6, atol=1e-10)
    known = SparseBayesRegressor(Linear()).fit(X, Y, noise_std=np.full(N, NOISE))
    given = SparseBayesRegressor(Linear(), noise_std=NOISE).fit(X, Y)
    assert_allclose([known.noise_std_, given.noise_std_], NOISE, rtol=1e-9)
    assert_allclose(known.coef_, given.coef_, rtol=1e-6, atol=1e-10)


def test_groups_of_complex_columns():
    labels = np.arange(M) // 2
    model = SparseBayesRegressor(Linear(groups=labels)).fit(X, Y)
    assert_array_equal(np.unique(labels[model.selected_]), [1, 20, 38])
    assert repr(model.basis_).startswith("Linear(groups=")


def test_shares_of_the_variance_add_up_to_about_one():
    assert_array_equal(np.flatnonzero(MODEL.input_relevance_), ACTIVE)
    assert 0.7 < MODEL.input_relevance_.sum() < 1.3


def test_a_model_can_be_copied_stored_and_fitted_to_real_numbers_again():
    copy = pickle.loads(pickle.dumps(MODEL))
    assert_array_equal(copy.predict(X), MODEL.predict(X))
    real = clone(MODEL).fit(X, Y)
    noise = NOISE * np.random.default_rng(0).normal(size=N)
    real.fit(X.real, X.real @ WEIGHTS.real + noise)
    assert not np.iscomplexobj(real.predict(X.real))
    assert not np.iscomplexobj(real.coef_)


REFUSED = {
    "a real y": (SparseBayesRegressor(Linear()), X, Y.real, "y must be complex where X is"),
    "a bias": (SparseBayesRegressor(Linear() + Bias()), X, Y, "append a column of ones"),
    "kernels": (SparseBayesRegressor(), X, Y, "Complex data not supported"),
    "RVR": (RVR(), X, Y, "Complex data not supported"),
    "one axis": (SparseBayesRegressor(Linear()), X[:, 0], Y, "Complex data not supported"),
    "NaN": (SparseBayesRegressor(Linear()), np.where(X.real > 2, np.nan, X), Y, "NaN"),
    "another length": (SparseBayesRegressor(Linear()), X, Y[1:], "inconsistent"),
    "other inferences": (SparseBayesRegressor(Linear(), inference="em"), X, Y, 'inference="fast"'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_with_a_sentence(case):
    model, columns, target, words = REFUSED[case]
    with pytest.raises(ValueError, match=words):
        model.fit(columns, target)


def test_new_inputs_of_another_shape_and_quantiles_are_refused():
    with pytest.raises(ValueError, match="must have shape"):
        MODEL.predict(X[:, 1:])
    with pytest.raises(ValueError, match="no quantiles"):
        MODEL.predict_quantiles(X)
