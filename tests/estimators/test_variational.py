"""The estimators with inference="variational": what they remember, quantiles, pruning."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    Fast,
    Gamma,
    GaussianKernel,
    Linear,
    Mackay,
    Outcome,
    SparseBayesClassifier,
    SparseBayesRegressor,
    Variational,
    student_t,
)
from sparsebayes.datasets import noisy_sinc
from sparsebayes.hyperpriors import broad
from sparsebayes.model.mixtures import precision_nodes, quantiles_with_noise

pytestmark = pytest.mark.slow

X, Y = noisy_sinc(60, random_state=0)
NEW = np.linspace(-12.0, 12.0, 25)[:, None]
MOONS, LABELS = make_moons(60, noise=0.3, random_state=0)
REGRESSOR = RVR(gamma=0.1, inference="variational")
CLASSIFIER = RVC(gamma=1.0, inference="variational")
BOTH = pytest.mark.parametrize(
    ("estimator", "inputs", "target"),
    [(REGRESSOR, X, Y), (CLASSIFIER, MOONS, LABELS)],
    ids=["RVR", "RVC"],
)
BASIS = GaussianKernel(2.0) + Linear() + Bias()
ALL = pytest.mark.parametrize(
    ("estimator", "inputs", "target"),
    [
        (REGRESSOR, X, Y + 5.0),
        (CLASSIFIER, MOONS, LABELS),
        (SparseBayesRegressor(BASIS, inference="variational"), X, Y + 0.3 * X[:, 0] + 5.0),
        (SparseBayesClassifier(BASIS, inference="variational"), MOONS, LABELS),
    ],
    ids=["RVR", "RVC", "SparseBayesRegressor", "SparseBayesClassifier"],
)


def prediction(model, inputs):
    return getattr(model, "decision_function", model.predict)(inputs)


# Fitted attributes.


@ALL
def test_the_bound_is_there_only_after_a_variational_fit(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    assert model.lower_bound_ == model.history_[-1].lower_bound
    assert np.isfinite([step.lower_bound for step in model.history_]).all()
    model.set_params(inference="fast").fit(inputs, target)
    assert not hasattr(model, "lower_bound_")
    assert not hasattr(model, "noise_posterior_")
    assert np.isnan([step.lower_bound for step in model.history_]).all()


@pytest.mark.filterwarnings("ignore:sample_weight was multiplied:UserWarning")
@pytest.mark.parametrize("weight", [None, 1.0 + np.arange(60) % 3, np.linspace(0.5, 2.0, 60)])
def test_the_posterior_of_the_noise(weight):
    """[BT00] (26): half a count for each of the rows of equal weight that say as much."""
    n_rows = 60.0 if weight is None else weight.sum() ** 2 / np.sum(weight**2)
    inference = Variational(noise_hyperprior=Gamma(2.0, 0.1))
    model = clone(REGRESSOR).set_params(inference=inference)
    noise = model.fit(X, Y, sample_weight=weight).noise_posterior_
    assert_allclose(noise.shape, 2.0 + 0.5 * n_rows, rtol=1e-12)
    assert_allclose(noise.shape / noise.rate, model.noise_std_**-2, rtol=1e-12)


def test_a_given_noise_has_no_posterior():
    model = clone(REGRESSOR).fit(X, Y)
    assert isinstance(model.noise_posterior_, Gamma)
    model.set_params(noise_std=0.1).fit(X, Y)
    assert not hasattr(model, "noise_posterior_")
    assert_allclose([step.noise_std for step in model.history_], 0.1, rtol=1e-12)
    assert np.isfinite(model.lower_bound_)
    assert not hasattr(clone(CLASSIFIER).fit(MOONS, LABELS), "noise_posterior_")


@ALL
def test_all_columns_stay_and_few_are_relevant(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    assert len(model.weights_) == len(model.column_names_) >= 61
    assert model.covariance_.shape == (len(model.weights_), len(model.weights_))
    assert 0 < len(model.relevance_) < 20


def relevance(model):
    """q^2 > s of every column: q = mu / Sigma_ii and s = (1 - alpha Sigma_ii) / Sigma_ii."""
    variance = np.diag(model.covariance_)
    quality = model.weights_ / variance
    return quality**2 > (1.0 - model.weight_precision_ * variance) / variance


@ALL
def test_columns_are_relevant_whose_quality_exceeds_their_sparsity(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    of_kernels = relevance(model)[:60]
    assert_array_equal(model.relevance_, np.flatnonzero(of_kernels))


@BOTH
def test_relevance_vectors_and_their_weights(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    assert_array_equal(model.relevance_vectors_, inputs[model.relevance_])
    assert_array_equal(model.dual_coef_, model.weights_[:60][model.relevance_][None])
    offset = getattr(model, "offset_", 0.0)
    assert_array_equal(model.intercept_, offset + model.weights_[60:])


def test_relevance_vectors_of_rows_that_occur_twice():
    rows = np.repeat(np.arange(60), 2)
    model = clone(REGRESSOR).fit(X[rows], Y[rows])
    assert len(model.weights_) == 61
    assert_array_equal(X[rows][model.relevance_], model.relevance_vectors_)
    assert model.dual_coef_.shape == (1, len(model.relevance_))


def test_predictions_follow_from_the_fitted_attributes():
    model = clone(REGRESSOR).fit(X, Y)
    design = np.column_stack([rbf_kernel(NEW, X, gamma=0.1), np.ones(25)])
    mean, std = model.predict(NEW, return_std=True)
    assert_allclose(mean, model.offset_ + design @ model.weights_, rtol=1e-9, atol=1e-12)
    variance = np.einsum("ij,jk,ik->i", design, model.covariance_, design)
    assert_allclose(std, np.sqrt(variance + model.noise_std_**2), rtol=1e-9)


# Quantiles.


def test_quantiles_with_the_noise_integrated_out():
    model = clone(REGRESSOR).fit(X[::6], Y[::6])
    mean, std = model.predict(NEW, return_std=True)
    low, middle, high = model.predict_quantiles(NEW).T
    assert_allclose(middle, mean, rtol=1e-12)
    assert_allclose(high - middle, middle - low, rtol=1e-9)
    assert np.all(high - mean > stats.norm.ppf(0.95) * std)
    noise = model.noise_posterior_
    nodes = precision_nodes(noise.shape, noise.rate)
    variance = std**2 - model.noise_std_**2
    expected = quantiles_with_noise(mean, variance, nodes, np.array([0.95]))
    assert_allclose(high, expected[:, 0], rtol=1e-9)


@pytest.mark.parametrize("settings", [{"inference": "fast"}, {"noise_std": 0.1}])
def test_quantiles_with_a_point_estimate_of_the_noise_are_gaussian(settings):
    model = clone(REGRESSOR).set_params(**settings).fit(X, Y)
    mean, std = model.predict(NEW, return_std=True)
    expected = stats.norm.ppf([0.1, 0.7], mean[:, None], std[:, None])
    assert_allclose(model.predict_quantiles(NEW, [0.1, 0.7]), expected, rtol=1e-9)


# Pruning.


@ALL
def test_pruning_leaves_the_relevant_columns(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    relevant = np.flatnonzero(relevance(model))
    names = [model.column_names_[i] for i in relevant]
    rows, precision = model.relevance_.copy(), model.weight_precision_[relevant]
    before = prediction(model, inputs)
    assert model.prune() is model
    assert model.column_names_ == names
    assert_array_equal(model.relevance_, rows)
    assert_array_equal(model.weight_precision_, precision)
    assert_allclose(prediction(model, inputs), before, atol=0.02 * np.ptp(before))


@ALL
def test_pruned_weights_are_those_given_that_the_others_are_zero(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    kept = relevance(model)
    precision = np.linalg.inv(model.covariance_)
    expected = np.linalg.inv(precision[np.ix_(kept, kept)])
    mean = expected @ precision[kept] @ model.weights_
    model.prune()
    assert_allclose(model.covariance_, expected, rtol=1e-6, atol=1e-9)
    assert_allclose(model.weights_, mean, rtol=1e-6, atol=1e-9)


@BOTH
def test_the_vectors_of_a_pruned_model_reproduce_its_prediction(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target).prune()
    assert_array_equal(model.relevance_vectors_, inputs[model.relevance_])
    kernel = rbf_kernel(inputs, model.relevance_vectors_, gamma=model.gamma_)
    latent = kernel @ model.dual_coef_[0] + model.intercept_
    if is_classifier(model):
        assert_allclose(model.latent_mean_and_variance(inputs)[0], latent, rtol=1e-9)
    else:
        assert_allclose(model.predict(inputs), latent, rtol=1e-9, atol=1e-12)


@BOTH
def test_pruning_twice_is_pruning_once(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target).prune()
    once = prediction(model, inputs)
    assert_array_equal(prediction(model.prune(), inputs), once)


@BOTH
def test_a_pruned_model_is_small_and_can_be_pickled(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    size = len(pickle.dumps(model))
    small = pickle.dumps(model.prune())
    assert len(small) < 0.3 * size
    assert_array_equal(prediction(pickle.loads(small), inputs), prediction(model, inputs))


@pytest.mark.parametrize("inference", [Mackay, Fast])
def test_pruning_where_another_inference_kept_all_columns(inference):
    model = RVR(gamma=0.1, inference=inference(weight_hyperprior=Gamma(1e-6, 1e-6))).fit(X, Y)
    before = model.predict(X)
    assert len(model.weights_) == 61
    model.prune()
    assert len(model.weights_) == len(model.relevance_) + ("bias" in model.column_names_)
    assert 0 < len(model.weights_) < 20
    assert_allclose(model.predict(X), before, atol=0.02 * np.ptp(before))


@pytest.mark.parametrize("weights", [Gamma(1e-2, 1e-2), student_t(1.0)])
def test_pruning_leaves_the_prediction_with_an_informative_hyperprior(weights):
    """No column may be missed by itself, and all of them together."""
    inference = Variational(weight_hyperprior=weights)
    model = clone(REGRESSOR).set_params(inference=inference).fit(X, Y)
    before = model.predict(X)
    assert_allclose(model.prune().predict(X), before, atol=0.05 * np.ptp(before))


def test_pruning_leaves_a_sparse_model_as_it_is():
    model = RVR(gamma=0.1).fit(X, Y)
    weights, covariance = model.weights_, model.covariance_
    model.prune()
    assert_array_equal(model.weights_, weights)
    assert_array_equal(model.covariance_, covariance)


@BOTH
def test_a_fit_after_pruning_starts_afresh(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    weights = model.weights_
    assert_array_equal(model.prune().fit(inputs, target).weights_, weights)


# Settings.


@pytest.mark.parametrize("unit", [1e-6, 1e3, 1e6])
def test_units_of_the_target(unit):
    """The default hyperpriors have the target's units."""
    plain = clone(REGRESSOR).set_params(tol=1e-6).fit(X, Y)
    scaled = clone(REGRESSOR).set_params(tol=1e-6).fit(X, unit * Y)
    for one, other in zip(
        plain.predict(X, return_std=True), scaled.predict(X, return_std=True), strict=True
    ):
        assert_allclose(other / unit, one, rtol=1e-6, atol=1e-8)
    assert_allclose(scaled.lower_bound_, plain.lower_bound_ - 60 * np.log(unit), rtol=1e-9)
    assert_allclose(scaled.noise_posterior_.rate, unit**2 * plain.noise_posterior_.rate, rtol=1e-6)
    assert_array_equal(scaled.relevance_, plain.relevance_)


def test_default_hyperpriors_have_the_variance_of_the_target():
    variance = np.var(Y)
    inference = Variational(Gamma(1e-6, 1e-6 * variance), broad(np.sqrt(variance)))
    named = clone(REGRESSOR).set_params(inference=inference)
    assert_allclose(named.fit(X, Y).weights_, clone(REGRESSOR).fit(X, Y).weights_, rtol=1e-6)


def test_default_hyperpriors_of_a_classifier_have_no_units():
    named = clone(CLASSIFIER).set_params(inference=Variational(Gamma(1e-6, 1e-6)))
    expected = clone(CLASSIFIER).fit(MOONS, LABELS).weights_
    assert_array_equal(named.fit(MOONS, LABELS).weights_, expected)


@BOTH
def test_one_iteration_is_not_enough(estimator, inputs, target):
    with pytest.warns(ConvergenceWarning, match="Increase max_iter"):
        model = clone(estimator).set_params(max_iter=1, tol=1e-12).fit(inputs, target)
    assert model.outcome_ is Outcome.ITERATION_LIMIT
    assert len(model.history_) == 2
    assert np.isfinite(prediction(model, inputs)).all()
