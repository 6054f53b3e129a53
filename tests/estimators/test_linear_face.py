"""Models that are linear in their inputs look like scikit-learn's linear models."""

import pickle
import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix, hstack
from scipy.sparse import random as sparse_random
from sklearn.base import clone
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import SVR

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    Fast,
    GaussianKernel,
    Linear,
    LinearKernel,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from sparsebayes.columns import Effort, input_effects

pytestmark = pytest.mark.slow  # the whole module: the quick lane has a minute

N, D = 80, 12
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N, D)) * np.logspace(-1, 1, D) + 3.0
TRUE = np.zeros(D)
TRUE[[2, 5, 9]] = [3.0, -2.0, 0.5]
Y = X @ TRUE + 40.0 + RANDOM.normal(size=N)
OUTPUTS = np.column_stack([Y, -10.0 * Y + 5.0 * X[:, 7] + RANDOM.normal(size=N)])
LABELS = np.array(["no", "yes"])[(np.median(Y) < Y).astype(int)]
CLASSES = np.digitize(Y, np.quantile(Y, [0.3, 0.7]))
NEW = RANDOM.normal(size=(20, D)) * 5.0
INFERENCES = ("fast", "projection", "variational", "mackay", "em")
NAMES = ("coef_", "coef_std_", "selected_")

not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def regressor(basis=None, **options):
    return SparseBayesRegressor(Linear() + Bias() if basis is None else basis, **options)


def classifier(**options):
    return SparseBayesClassifier(Linear() + Bias(), **options)


PLAIN = regressor(inference=Fast(min_gain=3.0)).fit(X, Y)
DUAL = RVR(kernel="linear").fit(X, Y)


# The law: predictions are sums of inputs.


@not_converged
@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("target", [Y, OUTPUTS], ids=["one", "several"])
@pytest.mark.parametrize("multi_output", ["shared", "separate"])
@pytest.mark.parametrize(
    "basis",
    [Linear(), Linear() + Bias(), Linear() + Bias(centre_target=False), LinearKernel() + Bias()],
    ids=["linear", "bias", "column", "kernel"],
)
def test_a_regression_is_its_coefficients(inference, target, multi_output, basis):
    if inference == "variational" and target.ndim == 2:
        multi_output = "separate"
    model = regressor(basis, inference=inference, multi_output=multi_output).fit(X, target)
    expected = LinearRegression().fit(X, target)
    assert model.coef_.shape == model.coef_std_.shape == expected.coef_.shape
    assert np.shape(model.intercept_) == np.shape(expected.intercept_)
    found = NEW @ model.coef_.T + model.intercept_
    assert_allclose(found, model.predict(NEW), rtol=1e-9, atol=1e-9 * np.abs(target).max())


@not_converged
@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("fit_intercept", [True, "column", False])
def test_a_linear_kernel_machine_is_its_coefficients(inference, fit_intercept):
    model = RVR(kernel="linear", inference=inference, fit_intercept=fit_intercept).fit(X, Y)
    assert model.coef_.shape == SVR(kernel="linear").fit(X, Y).coef_.shape
    found = NEW @ model.coef_[0] + model.intercept_
    assert_allclose(found, model.predict(NEW), rtol=1e-9, atol=1e-9 * np.abs(Y).max())
    several = RVR(kernel="linear", inference="fast", fit_intercept=fit_intercept).fit(X, OUTPUTS)
    assert several.coef_.shape == (2, D)


@not_converged
@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("labels", [LABELS, CLASSES], ids=["two", "three"])
@pytest.mark.parametrize("model", [classifier(), RVC(kernel="linear")], ids=["plain", "dual"])
def test_a_classification_is_its_coefficients(inference, labels, model):
    model = clone(model).set_params(inference=inference).fit(X, labels)
    expected = LogisticRegression(max_iter=10_000).fit(X, labels)
    assert model.coef_.shape == model.coef_std_.shape == expected.coef_.shape
    assert model.intercept_.shape == expected.intercept_.shape
    latent = model.latent_mean_and_variance(NEW)[0].reshape(len(NEW), -1)
    found = NEW @ model.coef_.T + model.intercept_
    assert_allclose(found, latent, rtol=1e-9, atol=1e-9 * np.abs(latent).max())


@not_converged
@pytest.mark.parametrize("multi_class", ["ovr", "softmax", "shared_softmax"])
def test_every_way_with_classes_has_coefficients(multi_class):
    model = classifier(multi_class=multi_class, inference=Fast(min_gain=3.0)).fit(X, CLASSES)
    latent, _ = model.latent_mean_and_variance(NEW)
    assert_allclose(NEW @ model.coef_.T + model.intercept_, latent, rtol=1e-9, atol=1e-9)
    assert np.all((model.coef_std_ > 0.0).any(axis=0) == model.selected_)
    assert model.inclusion_.shape == (D,)
    assert model.inclusion_[model.selected_].min() > model.inclusion_[~model.selected_].max()


def test_an_output_that_is_a_column_keeps_its_axis():
    model = regressor().fit(X, Y[:, None])
    assert model.coef_.shape == (1, D)
    assert model.intercept_.shape == (1,)


def test_a_model_without_columns_has_coefficients_of_zero():
    with pytest.warns(UserWarning, match="No column is relevant"):
        model = regressor(inference=Fast(min_gain=1e6)).fit(X, Y)
    assert_array_equal(model.coef_, np.zeros(D))
    assert_array_equal(model.coef_std_, np.zeros(D))
    assert not model.selected_.any()
    assert_array_equal(model.input_relevance_, np.zeros(D))
    assert_allclose(model.intercept_, Y.mean())


# Only linear models have them.


@pytest.mark.parametrize(
    "model",
    [RVR(), RVR(kernel="poly", gamma=0.01), regressor(GaussianKernel(10.0) + Linear())],
    ids=["rbf", "poly", "beside"],
)
@pytest.mark.parametrize("name", NAMES)
@not_converged
def test_a_model_that_is_not_linear_says_so(model, name):
    model = clone(model).fit(X, Y)
    assert not hasattr(model, name)
    with pytest.raises(AttributeError, match=f"{name} needs a model that is linear"):
        getattr(model, name)
    assert hasattr(model, "intercept_") == isinstance(model, RVR)


@pytest.mark.parametrize("name", [*NAMES, "intercept_", "inclusion_"])
def test_an_unfitted_model_says_that_it_is_unfitted(name):
    assert not hasattr(regressor(), name)
    with pytest.raises(AttributeError, match="not fitted"):
        getattr(regressor(), name)


# Error bars.


def test_error_bars_of_plain_columns_are_those_of_the_weights():
    kept = [int(name[1:]) for name in PLAIN.column_names_ if name != "bias"]
    expected = np.zeros(D)
    expected[kept] = np.sqrt(np.diag(PLAIN.covariance_))[: len(kept)]
    assert_allclose(PLAIN.coef_std_, expected, rtol=1e-12)
    assert_array_equal(PLAIN.coef_std_ > 0.0, PLAIN.selected_)


def exact(model, X, y):
    """The posterior of the coefficients of ridge regression, at the settings of a model."""
    covering = model._fitted.predictor.plain.spread
    precision = X.T @ X / model.noise_std_**2 + np.eye(X.shape[1]) / covering.amplitude[0, 0]
    covariance = np.linalg.inv(precision)
    return covariance @ X.T @ y / model.noise_std_**2, covariance


@pytest.mark.parametrize("n_features", [D, 200], ids=["tall", "wide"])
def test_error_bars_of_a_linear_kernel_are_those_of_ridge_regression(n_features):
    random = np.random.default_rng(1)
    inputs = random.normal(size=(N, n_features))
    target = inputs @ random.normal(size=n_features) + 0.1 * random.normal(size=N)
    model = RVR(kernel="linear", fit_intercept=False, noise_std=0.1).fit(inputs, target)
    mean, covariance = exact(model, inputs, target)
    assert_allclose(model.coef_std_[0], np.sqrt(np.diag(covariance)), rtol=0.01)
    assert_allclose(model.coef_[0], mean, atol=0.5 * model.coef_std_.max())


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_error_bars_of_a_linear_kernel_are_those_of_a_step_along_an_input(fit_intercept):
    """A bias is at both ends of the step, and has no part in it."""
    model = RVR(kernel="linear", fit_intercept=fit_intercept).fit(X, Y)
    rows = np.vstack([np.eye(D), np.zeros((1, D))])
    _, covariance = model.predict(rows, return_cov=True)
    covariance -= model.noise_std_**2 * np.eye(D + 1)
    step = np.hstack([np.eye(D), -np.ones((D, 1))])
    expected = np.diag(step @ covariance @ step.T)
    assert_allclose(model.coef_std_[0] ** 2, expected, rtol=1e-6)


def test_without_covering_rows_error_bars_are_those_of_the_weights():
    model = RVR(kernel="linear", inference="fast", fit_intercept=False).fit(X, Y)
    vectors = model.relevance_vectors_
    expected = np.einsum("ik,ij,jk->k", vectors, model.covariance_, vectors)
    assert_allclose(model.coef_std_[0] ** 2, expected, rtol=1e-8)
    dropped = RVR(kernel="linear").fit(X, Y).drop_covering()
    assert dropped.coef_std_.shape == (1, D)
    assert np.all(dropped.coef_std_ > 0.0)


# Which inputs.


def test_selected_inputs_are_those_of_the_kept_columns():
    names = [f"x{k}" for k in np.flatnonzero(PLAIN.selected_)]
    assert names == [name for name in PLAIN.column_names_ if name != "bias"]
    assert_array_equal(np.flatnonzero(PLAIN.selected_), [2, 5, 9])
    assert PLAIN.selected_.dtype == bool
    assert DUAL.selected_.all()


def test_selected_inputs_of_a_variational_fit_are_those_that_pay():
    model = regressor(inference="variational").fit(X, Y)
    selected = model.selected_
    assert 0 < selected.sum() < D
    assert np.all(model.coef_ != 0.0)
    assert_array_equal(model.prune().selected_, selected)
    assert_array_equal(model.coef_ != 0.0, selected)


@pytest.mark.parametrize(
    ("model", "y"),
    [(PLAIN, Y), (classifier(inference=Fast(min_gain=3.0)), LABELS), (DUAL, Y)],
    ids=["regressor", "classifier", "kernel"],
)
def test_selectors_of_scikit_learn_work(model, y):
    chosen = SelectFromModel(clone(model)).fit(X, y)
    assert 0 < chosen.get_support().sum() < D
    every = SelectFromModel(clone(model), threshold=1e-10).fit(X, y)
    assert_array_equal(every.get_support(), every.estimator_.selected_)
    assert RFE(clone(model), n_features_to_select=3).fit(X, y).get_support().sum() == 3
    found = permutation_importance(every.estimator_, X, y, n_repeats=3, random_state=0)
    assert_allclose(found.importances_mean[~every.estimator_.selected_], 0.0)
    assert found.importances_mean.max() > 0.1


def test_inputs_keep_their_order_and_their_names():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=[f"band {k}" for k in range(D)])
    chosen = SelectFromModel(regressor(inference=Fast(min_gain=3.0)), threshold=1e-10)
    chosen.fit(table, Y)
    assert list(chosen.get_feature_names_out()) == ["band 2", "band 5", "band 9"]


# Inclusion.


def test_inclusion_is_high_for_what_is_in_the_model_and_low_for_the_rest():
    assert PLAIN.inclusion_.shape == (D,)
    assert PLAIN.inclusion_[PLAIN.selected_].min() > 0.9
    assert PLAIN.inclusion_[~PLAIN.selected_].max() < 0.5
    again = pickle.loads(pickle.dumps(PLAIN))
    assert_array_equal(again.inclusion_, PLAIN.inclusion_)


def test_inputs_of_several_targets_count_if_any_target_has_them():
    price = Fast(min_gain=3.0)
    model = regressor(inference=price, multi_output="separate").fit(X, OUTPUTS)
    each = [regressor(inference=price).fit(X, y).inclusion_ for y in OUTPUTS.T]
    assert_allclose(1.0 - model.inclusion_, np.prod(1.0 - np.array(each), axis=0), atol=1e-9)
    shared = regressor(inference=price).fit(X, OUTPUTS)
    assert shared.inclusion_[[2, 5, 7]].min() > 0.9


@pytest.mark.parametrize(
    "model",
    [RVR(kernel="linear", inference="fast"), regressor(inference="mackay"), RVR()],
    ids=["kernel", "mackay", "rbf"],
)
@not_converged
def test_inclusion_needs_plain_columns_and_fast(model):
    model = clone(model).fit(X, Y)
    assert not hasattr(model, "inclusion_")
    with pytest.raises(AttributeError, match='inclusion_ needs inference="fast"'):
        model.inclusion_  # noqa: B018


# Input relevance.


@pytest.mark.parametrize("shape", [(4,), (4, 2)], ids=["one", "several"])
def test_input_relevance_is_that_of_trying_each_input(shape):
    random = np.random.default_rng(3)
    inputs = random.normal(size=(5000, 4))
    latent = inputs @ random.normal(size=shape)
    model = regressor().fit(inputs, latent + random.normal(size=latent.shape))
    fitted = model._fitted
    effort = Effort(most_rows=5000, work=1e12)
    expected = input_effects(fitted.columns, fitted.predictor.plain.weights, inputs, effort)
    assert_allclose(model.input_relevance_, expected, rtol=0.05, atol=0.002)


def test_input_relevance_in_closed_form():
    share = PLAIN.coef_**2 * X.var(axis=0) / np.var(PLAIN.predict(X))
    assert_allclose(PLAIN.input_relevance_, share, rtol=1e-9)
    share = DUAL.coef_[0] ** 2 * X.var(axis=0) / np.var(DUAL.predict(X))
    assert_allclose(DUAL.input_relevance_, share, rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-70, 1e70])
def test_input_relevance_has_no_unit(unit):
    model = clone(PLAIN).fit(X, unit * Y)
    assert_allclose(model.input_relevance_, PLAIN.input_relevance_, rtol=1e-4)
    assert_allclose(model.inclusion_, PLAIN.inclusion_, atol=1e-3)


@pytest.mark.parametrize("model", [PLAIN, DUAL], ids=["plain", "dual"])
def test_sparse_inputs_say_what_dense_ones_say(model):
    inputs = np.where(np.abs(X - 3.0) < 0.5, 0.0, X)
    dense = clone(model).fit(inputs, Y)
    sparse = clone(model).fit(csr_matrix(inputs), Y)
    for name in (*NAMES, "input_relevance_", "intercept_"):
        found = getattr(sparse, name)
        assert isinstance(found, (np.ndarray, float))
        assert_allclose(found, getattr(dense, name), rtol=1e-5, atol=1e-8)


# Many inputs.


@pytest.mark.slow
@not_converged
@pytest.mark.parametrize("model", [PLAIN, DUAL], ids=["plain", "dual"])
def test_a_hundred_thousand_inputs_take_little_memory(model):
    n_features = 100_000
    random = np.random.default_rng(0)
    columns = random.normal(size=(60, 2))
    inputs = sparse_random(60, n_features - 2, density=1e-3, format="csr", random_state=0)
    inputs = hstack([csr_matrix(columns), inputs], format="csr")
    target = columns @ [2.0, -1.0] + 0.1 * random.normal(size=60)
    model = clone(model).fit(inputs, target)
    tracemalloc.start()
    shapes = {np.shape(getattr(model, name))[-1] for name in NAMES}
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert shapes == {n_features}
    assert most < 2e8
    assert np.abs(model.coef_).argmax() == model.input_relevance_.argmax() == 0
