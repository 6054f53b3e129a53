"""The estimators: what they predict, what they remember, what they report."""

import inspect
import re
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference import bernoulli_predictive
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import pairwise

import sparsebayes
from sparsebayes import (
    RVC,
    RVR,
    Bias,
    CallableKernel,
    CauchyKernel,
    Gamma,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    LinearKernel,
    LinearSplineKernel,
    Outcome,
    PolynomialKernel,
    PrecomputedKernel,
    SigmoidKernel,
    SparseBayesClassifier,
    SparseBayesRegressor,
    predictive,
    student_t,
)
from sparsebayes.datasets import noisy_sinc

X, Y = noisy_sinc(80, random_state=0)
NEW = np.linspace(-12.0, 12.0, 25)[:, None]
MOONS, LABELS = make_moons(80, noise=0.3, random_state=0)

REGRESSOR = RVR(gamma=0.1).fit(X, Y)
CLASSIFIER = RVC(gamma="scale").fit(MOONS, LABELS)
BOTH = pytest.mark.parametrize(
    ("estimator", "inputs", "target"),
    [
        (RVR(gamma=0.1), X, Y),
        (RVC(gamma="scale"), MOONS, LABELS),
        (SparseBayesRegressor(GaussianKernel(3.0) + Linear()), X, Y),
        (SparseBayesClassifier(GaussianKernel(1.0) + Linear() + Bias()), MOONS, LABELS),
    ],
    ids=["RVR", "RVC", "SparseBayesRegressor", "SparseBayesClassifier"],
)


def prediction(model, inputs):
    """A number per row that varies smoothly with the model."""
    ask = getattr(model, "decision_function", model.predict)
    return ask(inputs)


def same_model(found, expected, rtol):
    assert_array_equal(np.sort(found.relevance_), np.sort(expected.relevance_))
    assert_allclose(found.log_evidence_, expected.log_evidence_, rtol=rtol)


# predictions of a regressor


@pytest.mark.parametrize("model", [REGRESSOR, RVR(gamma=0.1).fit(X, Y + 5.0)], ids=["", "bias"])
def test_predictions_follow_from_the_fitted_attributes(model):
    columns = [pairwise.rbf_kernel(NEW, X[model.relevance_], gamma=0.1)]
    columns += [np.ones((len(NEW), 1))] * ("bias" in model.column_names_)
    design = np.hstack(columns)
    assert design.shape[1] == len(model.weights_) == len(model.weight_precision_)
    assert model.covariance_.shape == (design.shape[1], design.shape[1])

    mean, std = model.predict(NEW, return_std=True)
    expected_cov = design @ model.covariance_ @ design.T + model.noise_std_**2 * np.eye(len(NEW))
    assert_allclose(mean, design @ model.weights_, rtol=1e-9, atol=1e-12)
    assert_allclose(std, np.sqrt(np.diag(expected_cov)), rtol=1e-9)
    assert_allclose(model.predict(NEW, return_cov=True)[1], expected_cov, rtol=1e-9, atol=1e-12)


def test_the_bias_of_an_offset_target_is_a_column_with_a_covariance():
    model = RVR(gamma=0.1).fit(X, Y + 5.0)
    assert model.column_names_[-1] == "bias"
    assert_allclose(model.intercept_, [5.0], atol=0.2)
    far = model.predict([[1e3]], return_cov=True)[1]
    assert_allclose(far, [[model.covariance_[-1, -1] + model.noise_std_**2]], rtol=1e-12)


def test_the_three_forms_of_predict_agree():
    mean = REGRESSOR.predict(NEW)
    with_std, std = REGRESSOR.predict(NEW, return_std=True)
    with_cov, cov = REGRESSOR.predict(NEW, return_cov=True)
    assert_array_equal(with_std, mean)
    assert_array_equal(with_cov, mean)
    assert_allclose(np.sqrt(np.diag(cov)), std, rtol=1e-12)
    assert_allclose(cov, cov.T, rtol=1e-12)


def test_std_and_cov_cannot_both_be_asked():
    with pytest.raises(RuntimeError, match="return_std and return_cov were both set"):
        REGRESSOR.predict(NEW, return_std=True, return_cov=True)


def test_error_bars_hold_the_noise_and_the_truth():
    mean, std = REGRESSOR.predict(X, return_std=True)
    assert np.all(std > REGRESSOR.noise_std_)
    assert_allclose(REGRESSOR.noise_std_, 0.1, rtol=0.3)
    assert np.mean(np.abs(mean - Y) < 2 * std) > 0.9


def test_samples_have_the_predictive_moments():
    inputs, n = NEW[::6], 40_000
    draws = REGRESSOR.sample_y(inputs, n, random_state=0)
    mean, cov = REGRESSOR.predict(inputs, return_cov=True)
    assert draws.shape == (5, n)
    std = np.sqrt(np.diag(cov))
    # Four standard errors of a mean and of a covariance.
    assert np.all(np.abs(draws.mean(axis=1) - mean) < 4 * std / np.sqrt(n))
    assert np.all(np.abs(np.cov(draws) - cov) < 4 * np.sqrt(2 / n) * np.outer(std, std))


def test_samples_are_repeatable():
    first = REGRESSOR.sample_y(NEW, 3, random_state=1)
    assert_array_equal(first, REGRESSOR.sample_y(NEW, 3, random_state=1))
    assert not np.array_equal(first, REGRESSOR.sample_y(NEW, 3, random_state=2))
    assert REGRESSOR.sample_y(NEW).shape == (25, 1)


# predictions of a classifier


def test_probabilities_are_moderated_by_the_latent_variance():
    mean, variance = CLASSIFIER.latent_mean_and_variance(MOONS)
    exact = [bernoulli_predictive(*moments) for moments in zip(mean, variance, strict=True)]
    probability = CLASSIFIER.predict_proba(MOONS)
    assert_allclose(probability[:, 1], exact, atol=0.001)
    assert_allclose(expit(CLASSIFIER.decision_function(MOONS)), probability[:, 1], rtol=1e-12)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-15)
    assert np.all(np.abs(probability[:, 1] - 0.5) <= np.abs(expit(mean) - 0.5))


def test_latent_moments_follow_from_the_fitted_attributes():
    model = CLASSIFIER
    design = pairwise.rbf_kernel(MOONS, model.relevance_vectors_, gamma=model.gamma_)
    if "bias" in model.column_names_:
        design = np.column_stack([design, np.ones(80)])
    mean, variance = model.latent_mean_and_variance(MOONS)
    assert_allclose(mean, design @ model.weights_, rtol=1e-9, atol=1e-12)
    expected = np.einsum("ij,jk,ik->i", design, model.covariance_, design)
    assert_allclose(variance, expected, rtol=1e-9)


@pytest.mark.parametrize(
    "labels", [np.array(["no", "yes"]), np.array([False, True]), np.array([-1, 1]), [2.0, 7.0]]
)
def test_labels_may_be_anything(labels):
    model = RVC().fit(MOONS, np.asarray(labels)[LABELS])
    assert_array_equal(model.classes_, labels)
    expected = np.asarray(labels)[CLASSIFIER.predict(MOONS)]
    assert_array_equal(model.predict(MOONS), expected)
    assert model.predict(MOONS).dtype == np.asarray(labels).dtype
    assert model.score(MOONS, np.asarray(labels)[LABELS]) > 0.85


def test_swapping_the_classes_swaps_the_probabilities():
    swapped = RVC(gamma="scale").fit(MOONS, 1 - LABELS).predict_proba(MOONS)
    assert_allclose(swapped[:, ::-1], CLASSIFIER.predict_proba(MOONS), rtol=1e-6)


# fitted attributes


def test_dual_coefficients_reproduce_the_prediction():
    model = RVR(gamma=0.1).fit(X, Y + 5.0)
    n = len(model.relevance_)
    assert model.dual_coef_.shape == (1, n)
    assert model.intercept_.shape == (1,)
    assert_array_equal(model.relevance_vectors_, X[model.relevance_])
    kernel = pairwise.rbf_kernel(NEW, model.relevance_vectors_, gamma=model.gamma_)
    by_hand = kernel @ model.dual_coef_[0] + model.intercept_
    assert_allclose(model.predict(NEW), by_hand, rtol=1e-9, atol=1e-12)


def test_without_an_intercept_it_is_zero():
    model = RVR(gamma=0.1, fit_intercept=False).fit(X, Y)
    assert_array_equal(model.intercept_, [0.0])
    assert "bias" not in model.column_names_
    assert_allclose(model.predict([[1e3]]), [0.0], atol=1e-12)


def test_relevance_vectors_of_a_precomputed_kernel_are_rows():
    gram = pairwise.rbf_kernel(X, gamma=0.1)
    model = RVR("precomputed").fit(gram, Y)
    assert_array_equal(np.sort(model.relevance_), np.sort(REGRESSOR.relevance_))
    assert model.relevance_vectors_.shape == (0, 0)


@pytest.mark.parametrize("kernel", ["rbf", "cauchy", "poly", "sigmoid"])
def test_gamma_as_a_number(kernel):
    model = RVC(kernel, gamma="scale").fit(MOONS, LABELS)
    assert_allclose(model.gamma_, 1 / (2 * MOONS.var()), rtol=1e-12)
    assert_allclose(RVC(kernel, gamma="auto").fit(MOONS, LABELS).gamma_, 0.5, rtol=1e-12)
    assert_allclose(RVC(kernel, gamma=0.3).fit(MOONS, LABELS).gamma_, 0.3, rtol=1e-12)


def test_gamma_of_the_laplacian():
    model = RVC("laplacian", gamma="scale").fit(MOONS, LABELS)
    assert_allclose(model.gamma_, 1 / (2 * MOONS.std()), rtol=1e-12)
    assert_allclose(RVC("laplacian", gamma=0.3).fit(MOONS, LABELS).gamma_, 0.3, rtol=1e-12)


@pytest.mark.parametrize("kernel", ["linear", "linear_spline", pairwise.linear_kernel])
def test_kernels_without_a_gamma_have_none(kernel):
    model = RVC(kernel).fit(MOONS, LABELS)
    with pytest.raises(AttributeError, match="has no gamma"):
        model.gamma_  # noqa: B018


@BOTH
def test_history(estimator, inputs, target):
    pandas = pytest.importorskip("pandas")
    model = clone(estimator).fit(inputs, target)
    frame = pandas.DataFrame(model.history_)
    assert list(frame) == [
        *("log_evidence", "n_active", "noise_std", "gradient", "largest_gain", "lower_bound")
    ]
    assert len(frame) == model.n_iter_ + 1
    assert frame["log_evidence"].iloc[-1] == model.log_evidence_
    assert frame["log_evidence"].iloc[-1] > frame["log_evidence"].iloc[0]
    assert frame["n_active"].iloc[-1] == len(model.weights_) < frame["n_active"].iloc[0]
    assert frame["gradient"].iloc[-1] < model.tol
    assert 0 <= frame["largest_gain"].iloc[-1] <= model.tol
    assert np.isfinite(frame.drop(columns=["largest_gain", "lower_bound"]).to_numpy()).all()
    assert frame["lower_bound"].isna().all()
    assert model.outcome_ is Outcome.CONVERGED


def test_log_evidence_is_the_density_of_the_targets():
    model = REGRESSOR
    design = pairwise.rbf_kernel(X, X[model.relevance_], gamma=0.1)
    if "bias" in model.column_names_:
        design = np.column_stack([design, np.ones(80)])
    covariance = model.noise_std_**2 * np.eye(80) + design / model.weight_precision_ @ design.T
    _, log_determinant = np.linalg.slogdet(2 * np.pi * covariance)
    expected = -0.5 * (log_determinant + Y @ np.linalg.solve(covariance, Y))
    assert_allclose(model.log_evidence_, expected, rtol=1e-9)


def test_column_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"dose": X[:, 0]})
    y = Y + 0.3 * X[:, 0] + 2.0
    model = SparseBayesRegressor(GaussianKernel(3.0) + Linear() + Bias()).fit(frame, y)
    kernels = [f"gaussiankernel({row})" for row in model.relevance_]
    assert model.column_names_ == [*kernels, "dose", "bias"]
    unnamed = SparseBayesRegressor(Linear() + Bias()).fit(X, y)
    assert unnamed.column_names_ == ["x0", "bias"]


def test_attributes_of_an_unfitted_model_do_not_exist():
    for name in "relevance_", "weights_", "noise_std_", "column_names_", "dual_coef_", "gamma_":
        assert not hasattr(RVR(), name)
    with pytest.raises(NotFittedError, match="not fitted"):
        RVR().column_names_  # noqa: B018


@pytest.mark.parametrize("name", ["relevance_vectors_", "gamma_", "dual_coef_", "intercept_"])
def test_attributes_of_an_unfitted_model_say_that_it_is_unfitted(name):
    with pytest.raises(AttributeError, match="not fitted"):
        getattr(RVR(), name)


# kernels and bases


KERNELS = {
    "rbf": GaussianKernel(0.5**-0.5),
    "cauchy": CauchyKernel(0.5**-0.5),
    "laplacian": LaplacianKernel(2.0),
    "linear": LinearKernel(),
    "poly": PolynomialKernel(2, 0.5, 0.7),
    "sigmoid": SigmoidKernel(0.5, 0.7),
    "linear_spline": LinearSplineKernel(),
    pairwise.chi2_kernel: CallableKernel(pairwise.chi2_kernel),
}


@pytest.mark.parametrize(("kernel", "basis"), KERNELS.items())
def test_every_kernel_fits_and_equals_its_basis(kernel, basis):
    inputs = np.abs(MOONS)
    params = {"kernel": kernel, "gamma": 0.5, "degree": 2, "coef0": 0.7}
    target = inputs[:, 0] + np.random.default_rng(0).normal(0.0, 0.2, 80)
    for named, general, y in (
        (RVR(**params), SparseBayesRegressor(basis + Bias()), target),
        (RVC(**params), SparseBayesClassifier(basis + Bias()), LABELS),
    ):
        named.fit(inputs, y)
        general.fit(inputs, y)
        assert named.outcome_ is Outcome.CONVERGED
        expected = prediction(general, inputs)
        assert_allclose(prediction(named, inputs), expected, rtol=1e-8, atol=1e-10)
        assert np.std(prediction(named, inputs)) > 0.1


def test_the_default_basis_is_that_of_the_kernel_machine():
    found = SparseBayesRegressor().fit(X, Y).predict(NEW)
    assert_allclose(found, RVR().fit(X, Y).predict(NEW), rtol=1e-12)


def test_a_precomputed_kernel_can_be_part_of_a_basis():
    gram = pairwise.rbf_kernel(X, gamma=0.1)
    model = SparseBayesRegressor(PrecomputedKernel() + Bias()).fit(gram, Y)
    new = pairwise.rbf_kernel(NEW, X, gamma=0.1)
    assert_allclose(model.predict(new), REGRESSOR.predict(NEW), rtol=1e-6, atol=1e-9)


def test_a_kernel_need_not_be_positive_definite():
    kernel = pairwise.sigmoid_kernel(MOONS, gamma=2.0, coef0=-1.0)
    assert np.linalg.eigvalsh(kernel).min() < -0.1
    model = RVC("sigmoid", gamma=2.0, coef0=-1.0).fit(MOONS, LABELS)
    assert model.outcome_ is Outcome.CONVERGED
    assert model.score(MOONS, LABELS) > 0.8


def test_a_kernel_need_not_be_symmetric():
    model = RVR(lambda x, c: np.maximum(x - c.T, 0.0)).fit(X, Y)
    mean, std = model.predict(X, return_std=True)
    assert np.mean(np.abs(mean - np.sinc(X[:, 0] / np.pi)) < 2 * std) > 0.9


def test_centres_of_the_users_own():
    basis = GaussianKernel(3.0, centres=np.linspace(-10, 10, 9)[:, None])
    model = SparseBayesRegressor(basis).fit(X, Y)
    assert model.relevance_.max() < 9
    assert np.abs(model.predict(X) - np.sinc(X[:, 0] / np.pi)).max() < 0.15


@pytest.mark.parametrize("centres", [1, 9, 79])
def test_so_many_centres_are_spread_over_the_rows(centres):
    kernel = GaussianKernel(3.0, centres=centres).bind(X, np.ones(80))
    assert kernel.n_columns == centres
    assert_array_equal(kernel.items, X[kernel.centre_rows])
    if centres > 1:
        places = np.flatnonzero(np.isin(np.sort(X[:, 0]), kernel.items[:, 0]))
        assert (places[0], places[-1]) == (0, 79)
        assert np.ptp(np.diff(places)) <= 1


def test_more_centres_than_rows_are_all_rows():
    expected = RVR(gamma=0.1, centres=None).fit(X, Y)
    for centres in ("auto", 80, 1000):
        same_model(RVR(gamma=0.1, centres=centres).fit(X, Y), expected, rtol=1e-12)


def test_few_centres_leave_all_rows_in_the_likelihood():
    model = RVR(gamma=0.1, centres=12).fit(X, Y)
    assert 0 < len(model.relevance_) <= 12
    assert_array_equal(model.relevance_vectors_, X[model.relevance_])
    assert np.abs(model.predict(X) - np.sinc(X[:, 0] / np.pi)).max() < 0.2
    assert_allclose(model.noise_std_, 0.1, rtol=0.3)


# settings


@pytest.mark.parametrize("inference", ["fast", "mackay", "em", "variational", "projection"])
def test_a_given_noise_stays(inference):
    model = RVR(gamma=0.1, noise_std=0.25, inference=inference).fit(X, Y)
    assert_allclose(model.noise_std_, 0.25, rtol=1e-12)
    assert_allclose([step.noise_std for step in model.history_], 0.25, rtol=1e-12)


def test_inferences_find_an_equally_good_model():
    em = RVR(gamma=0.1, inference="em", max_iter=20_000).fit(X, Y)
    assert em.outcome_ is Outcome.CONVERGED
    assert abs(em.log_evidence_ - REGRESSOR.log_evidence_) < 1.0
    assert np.all(np.diff([step.log_evidence for step in em.history_]) > -1e-6)
    assert_allclose(em.predict(X), REGRESSOR.predict(X), atol=0.05)


def test_a_proper_hyperprior_keeps_columns_that_a_flat_one_deletes():
    proper = RVR(gamma=0.1, weight_hyperprior=student_t(2.0)).fit(X, Y)
    assert len(proper.weights_) > len(REGRESSOR.weights_)
    assert np.abs(proper.predict(X) - np.sinc(X[:, 0] / np.pi)).max() < 0.15


def test_a_strong_noise_hyperprior_sets_the_noise():
    # Mode of the noise precision: (n + 2 shape) / (residual energy + 2 rate).
    model = RVR(gamma=0.1, noise_hyperprior=Gamma(1e7, 1e7 * 0.3**2)).fit(X, Y)
    assert_allclose(model.noise_std_, 0.3, rtol=1e-3)


def test_a_looser_tolerance_takes_fewer_iterations():
    loose = RVR(gamma=0.1, tol=1.0).fit(X, Y)
    assert loose.n_iter_ < REGRESSOR.n_iter_
    assert loose.outcome_ is Outcome.CONVERGED


@BOTH
def test_a_warm_start_begins_where_the_last_fit_ended(estimator, inputs, target):
    model = clone(estimator).set_params(warm_start=True).fit(inputs, target)
    first, iterations = prediction(model, inputs), model.n_iter_
    assert_array_equal(first, prediction(clone(estimator).fit(inputs, target), inputs))
    model.fit(inputs, target)
    assert model.n_iter_ < iterations
    assert_allclose(prediction(model, inputs), first, rtol=1e-2, atol=1e-2)


def test_a_warm_start_with_another_number_of_candidates_is_a_cold_one():
    model = RVR(gamma=0.1, warm_start=True).fit(X, Y).fit(X[::2], Y[::2])
    assert_array_equal(model.weights_, RVR(gamma=0.1).fit(X[::2], Y[::2]).weights_)


def test_a_warm_start_takes_a_noise_that_is_given_since():
    model = RVR(gamma=0.1, warm_start=True).fit(X, Y).set_params(noise_std=0.3).fit(X, Y)
    assert_allclose(model.noise_std_, 0.3, rtol=1e-12)


@pytest.mark.parametrize("kind", ["regression", "classification"])
def test_a_price_per_column_leaves_fewer(kind):
    estimator, inputs, target = (
        (RVR(gamma=1.0), X, Y) if kind == "regression" else (RVC(gamma=3.0), MOONS, LABELS)
    )
    sizes = [
        len(clone(estimator).set_params(min_gain=price).fit(inputs, target).weights_)
        for price in (0.0, 2.0)
    ]
    assert 0 < sizes[1] < sizes[0]


def test_nothing_is_worth_an_exorbitant_price():
    with pytest.warns(ConvergenceWarning, match="No column is relevant"):
        model = RVR(gamma=0.1, min_gain=1e6).fit(X, Y)
    assert model.outcome_ is Outcome.NOTHING_RELEVANT
    assert_allclose(model.noise_std_, np.sqrt(np.mean(Y**2)), rtol=1e-2)


@pytest.mark.parametrize("inference", ["mackay", "em"])
def test_only_the_default_inference_knows_prices(inference):
    with pytest.raises(ValueError, match=r'inference="fast" or "projection", got min_gain=2.0'):
        RVR(inference=inference, min_gain=2.0).fit(X, Y)


@BOTH
def test_the_iteration_limit_warns_and_points_at_the_caller(estimator, inputs, target):
    with pytest.warns(ConvergenceWarning, match="Increase max_iter") as caught:
        model = clone(estimator).set_params(inference="mackay", max_iter=3).fit(inputs, target)
    assert caught[0].filename == __file__
    assert model.n_iter_ == 3
    assert model.outcome_ is Outcome.ITERATION_LIMIT
    assert np.isfinite(prediction(model, inputs)).all()


@BOTH
def test_a_small_cache_gives_the_same_model(estimator, inputs, target):
    in_memory = clone(estimator).fit(inputs, target)
    # 0.002 MB are 250 numbers: three rows of 80 columns.
    chunked = clone(estimator).set_params(cache_size=0.002).fit(inputs, target)
    same_model(chunked, in_memory, rtol=1e-8)
    assert_allclose(prediction(chunked, inputs), prediction(in_memory, inputs), rtol=1e-6)


def test_no_cache_at_all():
    model = RVR(gamma=0.1, cache_size=0).fit(X[::2], Y[::2])
    expected = RVR(gamma=0.1).fit(X[::2], Y[::2]).predict(NEW)
    assert_allclose(model.predict(NEW), expected, rtol=1e-6, atol=1e-9)


@BOTH
def test_rows_are_predicted_one_by_one_as_in_blocks(estimator, inputs, target, monkeypatch):
    model = clone(estimator).fit(inputs, target)
    whole = prediction(model, inputs)
    assert_allclose([prediction(model, row[None])[0] for row in inputs], whole, rtol=1e-10)
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", 7 * len(model.weights_))
    assert_allclose(prediction(model, inputs), whole, rtol=1e-10)


def test_std_and_samples_in_blocks(monkeypatch):
    std, draws = REGRESSOR.predict(NEW, return_std=True)[1], REGRESSOR.sample_y(NEW, 2)
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", 1)
    assert_allclose(REGRESSOR.predict(NEW, return_std=True)[1], std, rtol=1e-10)
    assert_allclose(REGRESSOR.sample_y(NEW, 2), draws, rtol=1e-10)


# the caller's things


@BOTH
def test_fit_changes_neither_parameters_nor_data(estimator, inputs, target):
    inputs, target, weight = inputs.copy(), target.copy(), np.linspace(0.5, 1.5, len(target))
    before = [array.copy() for array in (inputs, target, weight)]
    for array in inputs, target, weight:
        array.flags.writeable = False
    model = clone(estimator)
    params = model.get_params()
    assert model.fit(inputs, target, sample_weight=weight) is model
    model.predict(inputs)
    assert_array_equal([*map(id, model.get_params().values())], [*map(id, params.values())])
    for array, copy in zip((inputs, target, weight), before, strict=True):
        assert_array_equal(array, copy)


@BOTH
def test_a_fitted_model_does_not_change_with_the_callers_array(estimator, inputs, target):
    mine = inputs.copy()
    model = clone(estimator).fit(mine, target)
    before = prediction(model, inputs)
    mine[:] = 0.0
    assert_array_equal(prediction(model, inputs), before)


@BOTH
def test_fitting_twice_gives_the_same(estimator, inputs, target):
    model = clone(estimator).fit(inputs, target)
    first = model.weights_, model.covariance_, model.history_
    model.fit(inputs[:40], target[:40])
    model.fit(inputs, target)
    assert_array_equal(model.weights_, first[0])
    assert_array_equal(model.covariance_, first[1])
    assert model.history_ == first[2]


@BOTH
def test_the_order_of_the_rows_does_not_matter(estimator, inputs, target):
    order = np.random.default_rng(0).permutation(len(target))
    model, shuffled = (
        clone(estimator).fit(inputs[rows], target[rows]) for rows in (slice(None), order)
    )
    assert_allclose(prediction(shuffled, inputs), prediction(model, inputs), rtol=1e-6)
    assert_array_equal(np.sort(order[shuffled.relevance_]), np.sort(model.relevance_))


# progress


def test_verbose_prints(capsys):
    RVR(gamma=0.1).fit(X, Y)
    assert capsys.readouterr().out == ""
    model = RVR(gamma=0.1, verbose=2).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == model.n_iter_ + 1
    assert lines[-1] == f"RVR CONVERGED after {model.n_iter_} iterations"
    assert re.fullmatch(
        r"RVR iteration 1: log evidence -?[\d.]+, \d+ columns, gradient \S+", lines[0]
    )
    RVR(gamma=0.1, verbose=1).fit(X, Y)
    few = capsys.readouterr().out.splitlines()
    assert few == [*lines[:-1:50], lines[-1]]


class Recorder:
    """A callback that counts, and stops the fit at a given iteration."""

    def __init__(self, stop_at=None):
        self.stop_at, self.begun, self.ended, self.notes = stop_at, 0, 0, []

    def setup(self, estimator, context):
        self.open = True

    def teardown(self, estimator, context):
        self.open = False

    def on_fit_task_begin(self, estimator, context, **rest):
        self.begun += context.task_name == "iteration"

    def on_fit_task_end(self, estimator, context, *, metadata=None, **rest):
        if context.task_name == "iteration":
            self.ended += 1
            self.notes.append(metadata)
        return self.ended == self.stop_at


@BOTH
def test_callbacks_are_called_at_every_iteration(estimator, inputs, target):
    pytest.importorskip("sklearn.callback")
    recorder = Recorder()
    model = clone(estimator).set_callbacks(recorder).fit(inputs, target)
    assert recorder.begun == recorder.ended == model.n_iter_
    assert [note["log_evidence"] for note in recorder.notes] == [
        step.log_evidence for step in model.history_[1:]
    ]
    assert not recorder.open
    plain = clone(estimator).fit(inputs, target)
    assert_array_equal(model.weights_, plain.weights_)


@BOTH
def test_a_callback_can_stop_the_fit(estimator, inputs, target):
    pytest.importorskip("sklearn.callback")
    model = clone(estimator).set_params(inference="mackay").set_callbacks(Recorder(stop_at=4))
    with pytest.warns(ConvergenceWarning, match="callback ended the fit"):
        model.fit(inputs, target)
    assert model.n_iter_ == 4
    assert model.outcome_ is Outcome.STOPPED
    assert np.isfinite(prediction(model, inputs)).all()


def test_a_callback_closes_when_the_fit_fails():
    pytest.importorskip("sklearn.callback")
    recorder = Recorder()

    def kernel(x, c):
        if recorder.ended == 3:
            raise ArithmeticError("enough")
        return pairwise.rbf_kernel(x, c, gamma=0.1)

    with pytest.raises(ArithmeticError, match="enough"):
        RVR(kernel, cache_size=0.01, inference="mackay").set_callbacks(recorder).fit(X, Y)
    assert recorder.ended == 3
    assert not recorder.open


def test_progress_bar(capsys):
    callback = pytest.importorskip("sklearn.callback")
    pytest.importorskip("rich")
    model = RVR(gamma=0.1).set_callbacks(callback.ProgressBar()).fit(X, Y)
    assert "RVR" in capsys.readouterr().out
    assert_array_equal(model.weights_, REGRESSOR.weights_)


# documentation


CLASSES = [
    thing
    for _, thing in sorted(vars(sparsebayes).items())
    if inspect.isclass(thing)
    if thing is not Outcome
]


def documented(thing):
    """The names under the numpydoc heading Parameters."""
    section = re.search(r"Parameters\n\s*-+\n(.*?)(\n\s*\n\s*\w[\w ]*\n\s*-+|\Z)", thing, re.S)
    names = re.findall(r"^([\w, ]+?) :", section.group(1), re.M) if section else []
    return [name.strip() for line in names for name in line.split(",")]


def test_every_name_in_all_exists():
    assert all(hasattr(sparsebayes, name) for name in sparsebayes.__all__)
    assert len(CLASSES) >= 18


@pytest.mark.parametrize("thing", CLASSES)
def test_every_parameter_is_documented(thing):
    parameters = list(inspect.signature(thing).parameters)
    assert documented(inspect.getdoc(thing)) == parameters


METHODS = [
    (kind, name)
    for kind in (RVR, RVC)
    for name in (
        *("fit", "predict", "predict_proba", "predict_log_proba", "decision_function"),
        *("latent_mean_and_variance", "predict_quantiles", "sample_y", "prune"),
    )
    if hasattr(kind, name)
]


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_every_parameter_of_a_method_is_documented(kind, name):
    method = getattr(kind, name)
    assert documented(inspect.getdoc(method)) == list(inspect.signature(method).parameters)[1:]


@pytest.mark.parametrize(
    "model",
    [
        REGRESSOR,
        CLASSIFIER,
        RVR(gamma=0.1, inference="variational").fit(X, Y),
        RVC(inference="variational").fit(MOONS, LABELS),
        RVR(gamma=0.1).fit(X, np.column_stack([Y, -Y])),
        RVC().fit(MOONS, LABELS + (MOONS[:, 0] > 1.0)),
    ],
    ids=["RVR", "RVC", "variational RVR", "variational RVC", "two outputs", "three classes"],
)
def test_every_fitted_attribute_is_documented(model):
    text = inspect.getdoc(type(model))
    attributes = {name for name in dir(model) if re.fullmatch(r"[a-z]\w*[a-z]_", name)}
    assert attributes >= {"relevance_", "gamma_", "history_", "n_features_in_"}
    assert not {name for name in attributes if name not in text}


def test_representations():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert repr(RVR(gamma=0.1)) == "RVR(gamma=0.1)"
        assert "RVR" in RVR()._repr_html_()
        assert "GaussianKernel" in SparseBayesRegressor(GaussianKernel() + Bias())._repr_html_()


def test_log_probabilities_stay_finite_far_from_the_boundary():
    inputs = np.array([[-50.0], [50.0]])
    steep = RVC("linear").fit(np.linspace(-1, 1, 40)[:, None], np.arange(40) >= 20)
    logs = steep.predict_log_proba(inputs)
    assert np.isfinite(logs).all()
    assert_allclose(np.exp(logs), steep.predict_proba(inputs), atol=1e-12)


def test_a_tolerance_below_rounding_is_said_to_be_that():
    with pytest.warns(ConvergenceWarning, match="tol is smaller than rounding allows"):
        model = RVR(gamma=0.1, tol=0).fit(X, Y)
    assert model.outcome_ is Outcome.STALLED


def test_a_kernel_too_wide_to_tell_columns_apart_is_said_to_be_that():
    with pytest.warns(ConvergenceWarning, match="collinear to rounding"):
        model = RVR(gamma=1e-7).fit(X, Y)
    assert model.outcome_ is Outcome.ILL_CONDITIONED


def test_a_fit_that_warns_is_complete_when_the_warning_is_an_error():
    model = RVR(gamma=1e-7)
    with pytest.raises(ConvergenceWarning):
        model.fit(X, Y)
    assert np.isfinite(model.predict(X, return_std=True)).all()


def test_a_narrow_kernel_is_not_said_to_be_collinear():
    """Its weights are poorly determined one by one, but its columns are orthogonal."""
    inputs = np.random.default_rng(0).normal(size=(60, 2))
    model = RVC(gamma=1e3).fit(inputs, np.arange(60) % 2)
    assert model.outcome_ is Outcome.CONVERGED
