"""Regressors of several outputs: with vectors in common, or each for itself."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.stats import norm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from sparsebayes import (
    RVR,
    Bias,
    EvidenceSearch,
    Gamma,
    GaussianKernel,
    Linear,
    Outcome,
    SparseBayesRegressor,
    student_t,
)
from sparsebayes.datasets import noisy_sinc

RANDOM = np.random.default_rng(0)
X = noisy_sinc(80, random_state=0)[0]
SINC = np.sinc(X[:, 0] / np.pi)
TRUTH = np.column_stack([SINC, 0.1 * X[:, 0], 50.0 * SINC + 5.0 * X[:, 0] + 300.0])
NOISE = np.array([0.1, 0.05, 8.0])
Y = TRUTH + NOISE * RANDOM.normal(size=TRUTH.shape)
NEW = np.linspace(-12.0, 12.0, 23)[:, None]
KINDS = {"shared": RVR(gamma=0.1), "separate": RVR(gamma=0.1, shared_precision=False)}
MODELS = {name: clone(kind).fit(X, Y) for name, kind in KINDS.items()}
NAMES = pytest.mark.parametrize("name", KINDS)
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def same_model(one, other, rtol=1e-6):
    assert_array_equal(np.sort(one.relevance_), np.sort(other.relevance_))
    assert_allclose(one.log_evidence_, other.log_evidence_, rtol=rtol)
    for ours, expected in zip(
        one.predict(NEW, return_std=True), other.predict(NEW, return_std=True), strict=True
    ):
        assert_allclose(ours, expected, rtol=rtol, atol=rtol)


# predictions


@NAMES
def test_shapes(name):
    model, n_vectors = MODELS[name], len(MODELS[name].relevance_)
    mean, std = model.predict(NEW, return_std=True)
    assert mean.shape == std.shape == model.predict(NEW).shape == (23, 3)
    mean, covariance = model.predict(NEW, return_cov=True)
    assert mean.shape == (23, 3)
    assert covariance.shape == (23, 23, 3)
    assert model.sample_y(NEW, 5).shape == (23, 3, 5)
    assert model.predict_quantiles(NEW).shape == (23, 3, 3)
    assert model.predict_quantiles(NEW, [0.1, 0.9]).shape == (23, 2, 3)
    assert model.noise_std_.shape == model.intercept_.shape == (3,)
    assert model.dual_coef_.shape == (3, n_vectors)
    n_kept = len(model.column_names_)
    assert model.weights_.shape == (n_kept, 3)
    precision = model.weight_precision_
    assert precision.shape == ((n_kept,) if name == "shared" else (n_kept, 3))
    assert not hasattr(model, "covariance_")
    assert model.outcome_ is Outcome.CONVERGED


@NAMES
def test_the_three_forms_of_predict_agree(name):
    model = MODELS[name]
    mean, std = model.predict(NEW, return_std=True)
    same, covariance = model.predict(NEW, return_cov=True)
    assert_allclose(model.predict(NEW), mean, rtol=1e-12)
    assert_allclose(same, mean, rtol=1e-12)
    assert_allclose(np.sqrt(np.einsum("nnl->nl", covariance)), std, rtol=1e-10)
    with pytest.raises(RuntimeError, match="at most one"):
        model.predict(NEW, return_std=True, return_cov=True)


@NAMES
def test_noise_and_truth_are_found(name):
    mean, std = MODELS[name].predict(X, return_std=True)
    assert_allclose(MODELS[name].noise_std_, NOISE, rtol=0.3)
    assert np.sqrt(np.mean(((mean - TRUTH) / NOISE) ** 2)) < 0.6
    assert np.mean(np.abs(Y - mean) < 2.0 * std) > 0.9
    assert np.all(std > MODELS[name].noise_std_)


@NAMES
def test_dual_coefficients_reproduce_the_prediction(name):
    model = MODELS[name]
    assert_array_equal(model.relevance_vectors_, X[model.relevance_])
    kernel = rbf_kernel(NEW, model.relevance_vectors_, gamma=model.gamma_)
    by_hand = kernel @ model.dual_coef_.T + model.intercept_
    assert_allclose(model.predict(NEW), by_hand, rtol=1e-9, atol=1e-10)


def test_the_error_bars_of_shared_precisions_follow_from_the_fitted_attributes():
    """sigma_l^2 (1 + phi' (A + Phi'Phi)^-1 phi)"""
    model = MODELS["shared"]

    def design(inputs):
        kernel = rbf_kernel(inputs, model.relevance_vectors_, gamma=0.1)
        return np.column_stack([kernel, np.ones(len(inputs))])[:, : len(model.weights_)]

    gram = design(X).T @ design(X) + np.diag(model.weight_precision_)
    spread = np.einsum("ni,in->n", design(NEW), np.linalg.solve(gram, design(NEW).T))
    expected = model.noise_std_ * np.sqrt(1.0 + spread)[:, None]
    assert_allclose(model.predict(NEW, return_std=True)[1], expected, rtol=1e-6)
    assert_allclose(model.weights_, np.linalg.solve(gram, design(X).T @ Y), rtol=1e-5, atol=1e-6)


@NAMES
def test_samples_have_the_predictive_moments(name):
    model, few = MODELS[name], NEW[8:14]
    draws = model.sample_y(few, 20000, random_state=1)
    mean, covariance = model.predict(few, return_cov=True)
    for k in range(3):
        std = np.sqrt(np.diag(covariance[..., k]))
        assert_allclose((draws[:, k].mean(axis=1) - mean[:, k]) / std, 0.0, atol=0.03)
        found = np.cov(draws[:, k]) / np.outer(std, std)
        assert_allclose(found, covariance[..., k] / np.outer(std, std), atol=0.04)
    noise = draws[:, 0] - mean[:, [0]], draws[:, 1] - mean[:, [1]]
    assert abs(np.corrcoef(noise[0][0], noise[1][0])[0, 1]) < 0.03
    assert_array_equal(draws, model.sample_y(few, 20000, random_state=1))


@NAMES
def test_quantiles_are_those_of_a_gaussian(name):
    mean, std = MODELS[name].predict(NEW, return_std=True)
    found = MODELS[name].predict_quantiles(NEW, [0.05, 0.5, 0.9])
    for q, level in enumerate([0.05, 0.5, 0.9]):
        assert_allclose(found[:, q], norm.ppf(level, mean, std), rtol=1e-10, atol=1e-12)


@NAMES
def test_the_score_is_the_mean_over_outputs(name):
    expected = np.mean([r2_score(Y[:, k], MODELS[name].predict(X)[:, k]) for k in range(3)])
    assert_allclose(MODELS[name].score(X, Y), expected, rtol=1e-12)
    assert expected > 0.9


# each for itself


def test_separate_outputs_are_separate_fits():
    model = MODELS["separate"]
    mean, std = model.predict(NEW, return_std=True)
    covariance = model.predict(NEW, return_cov=True)[1]
    alone = [RVR(gamma=0.1).fit(X, y) for y in Y.T]
    for k, each in enumerate(alone):
        own_mean, own_std = each.predict(NEW, return_std=True)
        assert_allclose(mean[:, k], own_mean, rtol=1e-10, atol=1e-12)
        assert_allclose(std[:, k], own_std, rtol=1e-10)
        own = each.predict(NEW, return_cov=True)[1]
        assert_allclose(covariance[..., k], own, rtol=1e-9, atol=1e-10)
        assert_allclose(model.noise_std_[k], each.noise_std_, rtol=1e-12)
        assert_array_equal(
            np.sort(model.weight_precision_[np.isfinite(model.weight_precision_[:, k]), k]),
            np.sort(each.weight_precision_),
        )
    assert_allclose(model.log_evidence_, sum(each.log_evidence_ for each in alone), rtol=1e-12)
    every = np.unique(np.concatenate([each.relevance_ for each in alone]))
    assert_array_equal(np.sort(model.relevance_), every)
    assert len(model.history_) == 3


def test_correlated_outputs_share_their_vectors():
    inputs, _ = noisy_sinc(100, random_state=1)
    random = np.random.default_rng(2)
    wave = np.column_stack([np.sin(inputs[:, 0]), np.cos(inputs[:, 0])])
    truth = wave @ random.normal(size=(2, 6))
    y = truth + 0.1 * random.normal(size=truth.shape)
    shared = RVR(gamma=0.3).fit(inputs, y)
    separate = RVR(gamma=0.3, shared_precision=False).fit(inputs, y)
    assert len(shared.relevance_) < 0.7 * len(separate.relevance_)
    error = [np.sqrt(np.mean((m.predict(inputs) - truth) ** 2)) for m in (shared, separate)]
    assert error[0] < 1.3 * error[1]


@not_converged
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"shared_precision": False},
        {"inference": "em", "max_iter": 20},
        {"inference": "variational"},
        {"noise_std": 0.1},
        {"noise_hyperprior": Gamma(1.0, 1e-3)},
        {"weight_hyperprior": student_t(1.0)},
    ],
    ids=str,
)
def test_a_column_of_targets_is_a_single_target(settings):
    model = RVR(gamma=0.1, **settings).fit(X, Y[:, :1])
    alone = RVR(gamma=0.1, **settings).fit(X, Y[:, 0])
    mean, std = model.predict(NEW, return_std=True)
    assert mean.shape == std.shape == (23, 1)
    expected = alone.predict(NEW, return_std=True)
    assert_allclose(mean[:, 0], expected[0], rtol=1e-7, atol=1e-12)
    assert_allclose(std[:, 0], expected[1], rtol=1e-7)
    assert_allclose(model.log_evidence_, alone.log_evidence_, rtol=1e-9)


# units, constants


@NAMES
@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_the_unit_of_an_output_changes_nothing_else(name, unit):
    units = np.array([1.0, unit, 1.0])
    mean, std = clone(KINDS[name]).fit(X, Y * units).predict(NEW, return_std=True)
    expected = MODELS[name].predict(NEW, return_std=True)
    assert_allclose(mean / units, expected[0], rtol=1e-5, atol=1e-6)
    assert_allclose(std / units, expected[1], rtol=1e-5)


@not_converged
@NAMES
@pytest.mark.parametrize("constant", [0.0, 5.0, 1e6])
def test_a_constant_output_leaves_the_others_as_they_are(name, constant):
    y = np.column_stack([Y[:, 0], np.full(80, constant), Y[:, 1]])
    model = clone(KINDS[name]).fit(X, y)
    mean, std = model.predict(X, return_std=True)
    assert_allclose(mean[:, 1], constant, rtol=1e-4, atol=1e-4)
    assert_allclose(model.noise_std_[[0, 2]], NOISE[:2], rtol=0.3)
    assert np.isfinite(std).all()
    assert np.all(std > 0.0)
    error = (mean[:, [0, 2]] - TRUTH[:, :2]) / NOISE[:2]
    assert np.sqrt(np.mean(error**2)) < 0.7


@NAMES
def test_an_exact_fit_warns(name):
    """As that of one output does."""
    exact = np.column_stack([X[:, 0], X[:, 0] ** 2])
    model = SparseBayesRegressor(Linear() + Bias(), shared_precision=name == "shared")
    with pytest.warns(ConvergenceWarning, match="passes through the training targets"):
        model.fit(np.column_stack([X, X**2]), exact)
    assert_allclose(model.predict(np.column_stack([X, X**2])), exact, atol=1e-3)


@NAMES
def test_a_kernel_so_narrow_that_the_model_passes_through_the_targets_warns(name):
    """As that of one output does."""
    with pytest.warns(ConvergenceWarning, match="passes through the training targets"):
        RVR(gamma=1e3).fit(X, Y[:, 0])
    with pytest.warns(ConvergenceWarning, match="passes through the training targets"):
        clone(KINDS[name]).set_params(gamma=1e3).fit(X, Y)


def test_an_output_too_small_to_be_squared_is_refused():
    """As a single target of this size is."""
    with pytest.raises(ValueError, match="y must be zero or of a size between"):
        RVR(shared_precision=False).fit(X, Y * [1.0, 1e-80, 1.0])


@NAMES
def test_the_order_of_outputs_changes_nothing(name):
    model = clone(KINDS[name]).fit(X, Y[:, ::-1])
    assert_allclose(model.predict(NEW)[:, ::-1], MODELS[name].predict(NEW), rtol=1e-6, atol=1e-6)


@NAMES
def test_the_same_output_twice_has_the_same_predictions(name):
    mean, std = clone(KINDS[name]).fit(X, Y[:, [0, 0]]).predict(NEW, return_std=True)
    assert_allclose(mean[:, 0], mean[:, 1], rtol=1e-9, atol=1e-12)
    assert_allclose(std[:, 0], std[:, 1], rtol=1e-9)


# weights


@NAMES
def test_a_weight_is_a_number_of_rows(name):
    times = np.random.default_rng(3).integers(0, 3, 80)
    weighted = clone(KINDS[name]).fit(X, Y, sample_weight=times)
    rows = np.repeat(np.arange(80), times)
    repeated = clone(KINDS[name]).fit(X[rows], Y[rows])
    assert_allclose(weighted.weights_, repeated.weights_, rtol=1e-5, atol=1e-7)
    assert_allclose(weighted.noise_std_, repeated.noise_std_, rtol=1e-6)
    assert_allclose(weighted.log_evidence_, repeated.log_evidence_, rtol=1e-7)


# errors


@NAMES
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_and_infinite_targets(name, bad):
    y = Y.copy()
    y[3, 1] = bad
    with pytest.raises(ValueError, match=r"Input y contains (NaN|infinity)"):
        clone(KINDS[name]).fit(X, y)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"inference": "variational"}, 'inference="variational"'),
        ({"noise_std": 0.1}, "noise_std"),
        ({"noise_hyperprior": Gamma(1.0, 1.0)}, "noise_hyperprior"),
    ],
)
def test_what_outputs_with_shared_precisions_cannot_have(settings, words):
    with pytest.raises(ValueError, match=rf"{words} cannot be had .* use shared_precision=False"):
        RVR(**settings).fit(X, Y)
    RVR(gamma=0.1, shared_precision=False, **settings).fit(X, Y[:, :2])


@NAMES
def test_targets_of_the_wrong_shape(name):
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples"):
        clone(KINDS[name]).fit(X, Y[:3])
    with pytest.raises(ValueError, match=r"y|dim 3"):
        clone(KINDS[name]).fit(X, Y[:, :, None])


@NAMES
def test_no_targets_at_all_are_refused(name):
    with pytest.raises(ValueError, match=r"0 feature|y must|output"):
        clone(KINDS[name]).fit(X, Y[:, :0])


@NAMES
def test_text_is_refused(name):
    with pytest.raises(ValueError, match="y of RVR must hold numbers, got 'yes'"):
        clone(KINDS[name]).fit(X, np.full((80, 2), "yes"))


@pytest.mark.parametrize("value", ["no", None, 2])
def test_a_bad_flag_of_shared_precisions(value):
    with pytest.raises(ValueError, match="shared_precision must be True or False, got"):
        RVR(shared_precision=value).fit(X, Y)


def test_only_a_single_output_can_be_pruned():
    model = RVR(gamma=0.1, inference="variational", shared_precision=False).fit(X, Y[:, :2])
    assert len(model.relevance_) < len(model.weights_)
    with pytest.raises(ValueError, match=r"prune is for a model of .* one output"):
        model.prune()
    flat = MODELS["shared"]
    assert flat.prune() is flat  # there is nothing to drop


# variational inference, one output at a time


def test_variational_outputs_are_separate_fits():
    settings = {"gamma": 0.1, "inference": "variational"}
    model = RVR(shared_precision=False, **settings).fit(X, Y[:, :2])
    alone = [RVR(**settings).fit(X, y) for y in Y[:, :2].T]
    quantiles = model.predict_quantiles(NEW)
    for k, each in enumerate(alone):
        assert_allclose(quantiles[..., k], each.predict_quantiles(NEW), rtol=1e-9)
        assert model.noise_posterior_[k] == each.noise_posterior_
    total = sum(each.lower_bound_ for each in alone)
    assert_allclose(model.lower_bound_, total, rtol=1e-12)


# scikit-learn


@NAMES
@pytest.mark.parametrize("inference", ["mackay", "em"])
def test_inferences_find_an_equally_good_model(name, inference):
    model = clone(KINDS[name]).set_params(inference=inference).fit(X, Y)
    assert abs(model.log_evidence_ - MODELS[name].log_evidence_) < 3.0
    error = (model.predict(X) - MODELS[name].predict(X)) / NOISE
    assert np.sqrt(np.mean(error**2)) < 0.2


@NAMES
def test_a_warm_start_begins_where_the_last_fit_ended(name):
    model = clone(KINDS[name]).set_params(warm_start=True, inference="mackay").fit(X, Y)
    first = model.log_evidence_
    model.fit(X, Y)
    histories = model.history_ if name == "separate" else [model.history_]
    start = sum(history[0].log_evidence for history in histories)
    assert_allclose(start, first, rtol=1e-6)
    assert_allclose(model.log_evidence_, first, rtol=1e-6)


@NAMES
def test_one_output_after_several_and_back(name):
    model = clone(KINDS[name]).fit(X, Y)
    model.fit(X, Y[:, 0])
    assert np.ndim(model.noise_std_) == 0
    assert model.covariance_.shape == (len(model.weights_), len(model.weights_))
    expected = RVR(gamma=0.1).fit(X, Y[:, 0])
    assert_array_equal(model.predict(NEW), expected.predict(NEW))
    model.fit(X, Y)
    assert not hasattr(model, "covariance_")
    assert_array_equal(model.predict(NEW), MODELS[name].predict(NEW))


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_a_warm_start_with_another_number_of_outputs(unit):
    """Precisions of shared outputs are relative to the noise, those of one output are not."""
    model = RVR(gamma=0.1, warm_start=True)
    for y in (Y[:, 0], Y[:, :2], Y[:, 0], Y):
        model.fit(X, unit * y)
        cold = RVR(gamma=0.1).fit(X, unit * y)
        assert model.log_evidence_ > cold.log_evidence_ - 3.0


@NAMES
def test_a_price_per_column_leaves_fewer(name):
    model = clone(KINDS[name]).set_params(min_gain=3.0).fit(X, Y)
    assert 0 < len(model.weights_) <= len(MODELS[name].weights_)
    assert model.score(X, Y) > 0.9


@NAMES
def test_a_small_cache_gives_the_same_model(name):
    same_model(clone(KINDS[name]).set_params(cache_size=0.001).fit(X, Y), MODELS[name])


@NAMES
def test_sparse_inputs_and_precomputed_kernels(name):
    same_model(clone(KINDS[name]).fit(csr_array(X), Y), MODELS[name])
    model = clone(KINDS[name]).set_params(kernel="precomputed").fit(rbf_kernel(X, gamma=0.1), Y)
    found = model.predict(rbf_kernel(NEW, X, gamma=0.1))
    assert_allclose(found, MODELS[name].predict(NEW), rtol=1e-6, atol=1e-6)


@NAMES
def test_tables_of_targets(name):
    pandas = pytest.importorskip("pandas")
    targets = pandas.DataFrame(Y, columns=["a", "b", "c"])
    same_model(clone(KINDS[name]).fit(X, targets), MODELS[name], rtol=1e-12)
    whole = clone(KINDS[name]).fit(X, targets.round().astype(int))
    assert whole.predict(NEW).shape == (23, 3)


@NAMES
def test_copies_predict_the_same(name):
    model = pickle.loads(pickle.dumps(MODELS[name]))
    assert_array_equal(model.predict(NEW), MODELS[name].predict(NEW))
    assert repr(clone(model)) == repr(KINDS[name])
    assert not hasattr(clone(model), "weights_")


def test_searches():
    folds = KFold(3, shuffle=True, random_state=0)
    assert cross_val_score(RVR(gamma=0.1), X, Y, cv=folds).min() > 0.8
    grid = {"shared_precision": [True, False]}
    search = GridSearchCV(RVR(gamma=0.1), grid, cv=folds).fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    search = EvidenceSearch(RVR(), {"gamma": [1e-3, 0.1, 10.0]}).fit(X, Y[:, [0, 2]])
    assert search.best_params_ == {"gamma": 0.1}


def test_any_basis_is_that_of_the_kernel_machine():
    model = SparseBayesRegressor(GaussianKernel(0.1**-0.5) + Bias()).fit(X, Y)
    same_model(model, MODELS["shared"])
    linear = SparseBayesRegressor(Linear() + Bias()).fit(X, Y[:, 1:])
    assert linear.column_names_ == ["x0", "bias"]
    by_hand = np.column_stack([NEW, np.ones(23)]) @ linear.weights_
    assert_allclose(linear.predict(NEW), by_hand, rtol=1e-10)


def test_the_history_reports_the_noise():
    """As for one output: something that varies, and not a constant of the algorithm."""
    assert np.ptp([np.ravel(step.noise_std)[0] for step in MODELS["shared"].history_]) > 0.0
