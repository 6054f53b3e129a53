"""Regressors of several outputs: with vectors in common, or each for itself."""

import numpy as np
import pytest
from estimator_data import NOISE, OUTPUTS, TRUTH, X
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from sparsebayes import (
    RVR,
    Bias,
    EvidenceSearch,
    Fast,
    Gamma,
    Linear,
    SparseBayesRegressor,
    student_t,
)
from sparsebayes.datasets import noisy_sinc

pytestmark = pytest.mark.slow

NEW = np.linspace(-12.0, 12.0, 23)[:, None]
INFERENCES = ("projection", "fast")


def of(kinds=("shared", "separate"), inferences=INFERENCES):
    """Only regressors of these kinds, by these inferences."""
    chosen = [f"{inference} {kind}" for inference in inferences for kind in kinds]
    return pytest.mark.parametrize("of_outputs", chosen, indirect=True)


SHARED, SEPARATE = of(["shared"]), of(["separate"])
FAST, FAST_SHARED = of(inferences=["fast"]), of(["shared"], ["fast"])
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def same_model(one, other, rtol=1e-6):
    assert_array_equal(np.sort(one.relevance_), np.sort(other.relevance_))
    assert_allclose(one.log_evidence_, other.log_evidence_, rtol=rtol)
    for ours, expected in zip(
        one.predict(NEW, return_std=True), other.predict(NEW, return_std=True), strict=True
    ):
        assert_allclose(ours, expected, rtol=rtol, atol=rtol)


# predictions


def test_noise_and_truth_are_found(of_outputs):
    mean, std = of_outputs.predict(X, return_std=True)
    assert_allclose(of_outputs.noise_std_, NOISE, rtol=0.3)
    assert np.sqrt(np.mean(((mean - TRUTH) / NOISE) ** 2)) < 0.6
    assert np.mean(np.abs(OUTPUTS - mean) < 2.0 * std) > 0.9
    assert np.all(std > of_outputs.noise_std_)


@FAST_SHARED
def test_the_error_bars_of_shared_precisions_follow_from_the_fitted_attributes(of_outputs):
    """sigma_l^2 (1 + phi' (A + Phi'Phi)^-1 phi)"""
    model = of_outputs

    def design(inputs):
        kernel = rbf_kernel(inputs, model.relevance_vectors_, gamma=0.1)
        return np.column_stack([kernel, np.ones(len(inputs))])[:, : len(model.weights_)]

    target = OUTPUTS - model.offset_
    gram = design(X).T @ design(X) + np.diag(model.weight_precision_)
    spread = np.einsum("ni,in->n", design(NEW), np.linalg.solve(gram, design(NEW).T))
    expected = model.noise_std_ * np.sqrt(1.0 + spread)[:, None]
    assert_allclose(model.predict(NEW, return_std=True)[1], expected, rtol=1e-6)
    assert_allclose(
        model.weights_, np.linalg.solve(gram, design(X).T @ target), rtol=1e-5, atol=1e-6
    )


# each for itself


@SEPARATE
def test_separate_outputs_are_separate_fits(of_outputs):
    model = of_outputs
    mean, std = model.predict(NEW, return_std=True)
    covariance = model.predict(NEW, return_cov=True)[1]
    alone = [clone(model).fit(X, y) for y in OUTPUTS.T]
    for k, each in enumerate(alone):
        own_mean, own_std = each.predict(NEW, return_std=True)
        assert_allclose(mean[:, k], own_mean, rtol=1e-10, atol=1e-12)
        assert_allclose(std[:, k], own_std, rtol=1e-10)
        own = each.predict(NEW, return_cov=True)[1]
        assert_allclose(covariance[..., k], own, rtol=1e-9, atol=1e-10)
        assert_allclose(model.noise_std_[k], each.noise_std_, rtol=1e-12)
        own = model.weight_precision_[:, k]
        own = np.sort(own[np.isfinite(own)])
        # Means of several outputs are summed in another order, and precisions feel it.
        assert_allclose(own, np.sort(each.weight_precision_), rtol=1e-10)
    assert_allclose(model.log_evidence_, sum(each.log_evidence_ for each in alone), rtol=1e-12)
    every = np.unique(np.concatenate([each.relevance_ for each in alone]))
    assert_array_equal(np.sort(model.relevance_), every)
    assert len(model.history_) == 3


@pytest.mark.parametrize(("inference", "share"), [("fast", 0.7), ("projection", 0.75)])
def test_correlated_outputs_share_their_vectors(inference, share):
    inputs, _ = noisy_sinc(100, random_state=1)
    random = np.random.default_rng(2)
    wave = np.column_stack([np.sin(inputs[:, 0]), np.cos(inputs[:, 0])])
    truth = wave @ random.normal(size=(2, 6))
    y = truth + 0.1 * random.normal(size=truth.shape)
    shared = RVR(gamma=0.3, inference=inference).fit(inputs, y)
    separate = RVR(gamma=0.3, multi_output="separate", inference=inference).fit(inputs, y)
    assert len(shared.relevance_) < share * len(separate.relevance_)
    error = [np.sqrt(np.mean((m.predict(inputs) - truth) ** 2)) for m in (shared, separate)]
    assert error[0] < 1.3 * error[1]


@not_converged
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"multi_output": "separate"},
        {"inference": "fast"},
        {"inference": "fast", "multi_output": "separate"},
        {"multi_output": "separate", "noise_std": 0.1},
        {"multi_output": "separate", "inference": "variational"},
        {"inference": "em", "max_iter": 20},
        {"inference": Fast(weight_hyperprior=student_t(1.0))},
    ],
    ids=str,
)
def test_a_column_of_targets_is_a_single_target(settings):
    model = RVR(gamma=0.1, **settings).fit(X, OUTPUTS[:, :1])
    alone = RVR(gamma=0.1, **settings).fit(X, OUTPUTS[:, 0])
    mean, std = model.predict(NEW, return_std=True)
    assert mean.shape == std.shape == (23, 1)
    expected = alone.predict(NEW, return_std=True)
    assert_allclose(mean[:, 0], expected[0], rtol=1e-7, atol=1e-12)
    assert_allclose(std[:, 0], expected[1], rtol=1e-7)
    assert_allclose(model.log_evidence_, alone.log_evidence_, rtol=1e-9)


@pytest.mark.parametrize(
    "settings",
    [
        {"inference": "variational"},
        {"noise_std": 0.1},
        {"noise_std": 0.1, "inference": "fast"},
        {"inference": Fast(noise_hyperprior=Gamma(1.0, 1e-3))},
    ],
    ids=str,
)
def test_a_column_is_flattened_where_several_outputs_could_not_be_fitted(settings):
    """As scikit-learn's regressors of one output do."""
    model = RVR(gamma=0.1, **settings)
    assert not model.__sklearn_tags__().target_tags.multi_output
    with pytest.warns(DataConversionWarning, match="column-vector y was passed"):
        model.fit(X, OUTPUTS[:, :1])
    expected = RVR(gamma=0.1, **settings).fit(X, OUTPUTS[:, 0])
    assert_array_equal(model.predict(NEW), expected.predict(NEW))
    with pytest.raises(ValueError, match='multi_output="separate"'):
        model.fit(X, OUTPUTS)


# units, constants


@not_converged
@pytest.mark.parametrize("constant", [0.0, 5.0, 1e6])
def test_a_constant_output_leaves_the_others_as_they_are(of_outputs, constant):
    y = np.column_stack([OUTPUTS[:, 0], np.full(80, constant), OUTPUTS[:, 1]])
    model = clone(of_outputs).fit(X, y)
    mean, std = model.predict(X, return_std=True)
    assert_allclose(mean[:, 1], constant, rtol=1e-4, atol=1e-4)
    assert_allclose(model.noise_std_[[0, 2]], NOISE[:2], rtol=0.3)
    assert np.isfinite(std).all()
    assert np.all(std > 0.0)
    error = (mean[:, [0, 2]] - TRUTH[:, :2]) / NOISE[:2]
    assert np.sqrt(np.mean(error**2)) < 0.7


def test_an_exact_fit_warns(of_outputs):
    """As that of one output does."""
    exact = np.column_stack([X[:, 0], X[:, 0] ** 2])
    model = SparseBayesRegressor(Linear() + Bias(), multi_output=of_outputs.multi_output)
    with pytest.warns(ConvergenceWarning, match="passes through the training targets"):
        model.fit(np.column_stack([X, X**2]), exact)
    assert_allclose(model.predict(np.column_stack([X, X**2])), exact, atol=1e-3)


@FAST
def test_a_kernel_so_narrow_that_the_model_passes_through_the_targets_warns(of_outputs):
    """As that of one output does."""
    with pytest.warns(ConvergenceWarning, match="passes through the training targets"):
        RVR(gamma=1e3, inference="fast").fit(X, OUTPUTS[:, 0])
    with pytest.warns(ConvergenceWarning, match="passes through the training targets"):
        clone(of_outputs).set_params(gamma=1e3).fit(X, OUTPUTS)


# errors


def test_several_outputs_can_be_pruned():
    model = RVR(gamma=0.1, inference="variational", multi_output="separate").fit(X, OUTPUTS)
    before = model.predict(X)
    assert len(model.relevance_) < len(model.weights_)
    rows = model.relevance_
    assert model.prune() is model
    assert_array_equal(model.relevance_, rows)
    assert len(model.weights_) == len(rows) + ("bias" in model.column_names_)
    assert np.all(np.abs(model.predict(X) - before).max(axis=0) < 0.02 * np.ptp(before, axis=0))


@SHARED
def test_pruning_leaves_sparse_outputs_as_they_are(of_outputs):
    weights = of_outputs.weights_
    assert of_outputs.prune() is of_outputs
    assert of_outputs.weights_ is weights


# variational inference, one output at a time


def test_variational_outputs_are_separate_fits():
    settings = {"gamma": 0.1, "inference": "variational"}
    model = RVR(multi_output="separate", **settings).fit(X, OUTPUTS[:, :2])
    alone = [RVR(**settings).fit(X, y) for y in OUTPUTS[:, :2].T]
    quantiles = model.predict_quantiles(NEW)
    for k, each in enumerate(alone):
        assert_allclose(quantiles[..., k], each.predict_quantiles(NEW), rtol=1e-9)
        assert_allclose(model.noise_posterior_[k].rate, each.noise_posterior_.rate, rtol=1e-12)
    total = sum(each.lower_bound_ for each in alone)
    assert_allclose(model.lower_bound_, total, rtol=1e-12)


# scikit-learn


@FAST
@pytest.mark.slow
@pytest.mark.parametrize("inference", ["mackay", "em"])
def test_inferences_find_an_equally_good_model(of_outputs, inference):
    model = clone(of_outputs).set_params(inference=inference).fit(X, OUTPUTS)
    # There are several maxima; that of EM is higher by 3.4 for the first output alone.
    assert model.log_evidence_ > of_outputs.log_evidence_ - 3.0
    error = (model.predict(X) - of_outputs.predict(X)) / NOISE
    assert np.sqrt(np.mean(error**2)) < 0.2


def test_one_output_after_several_and_back(of_outputs):
    model = clone(of_outputs).fit(X, OUTPUTS)
    model.fit(X, OUTPUTS[:, 0])
    assert np.ndim(model.noise_std_) == 0
    assert model.covariance_.shape == (len(model.weights_), len(model.weights_))
    expected = clone(of_outputs).fit(X, OUTPUTS[:, 0])
    assert_array_equal(model.predict(NEW), expected.predict(NEW))
    model.fit(X, OUTPUTS)
    assert not hasattr(model, "covariance_")
    assert_array_equal(model.predict(NEW), of_outputs.predict(NEW))


def test_tables_of_targets(of_outputs):
    pandas = pytest.importorskip("pandas")
    targets = pandas.DataFrame(OUTPUTS, columns=["a", "b", "c"])
    same_model(clone(of_outputs).fit(X, targets), of_outputs, rtol=1e-12)
    whole = clone(of_outputs).fit(X, targets.round().astype(int))
    assert whole.predict(NEW).shape == (23, 3)


@not_converged
def test_searches():
    folds = KFold(3, shuffle=True, random_state=0)
    assert cross_val_score(RVR(gamma=0.1), X, OUTPUTS, cv=folds).min() > 0.8
    grid = {"multi_output": ["shared", "separate"]}
    search = GridSearchCV(RVR(gamma=0.1), grid, cv=folds).fit(X, OUTPUTS)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    search = EvidenceSearch(RVR(), {"gamma": [1e-3, 0.1, 10.0]}).fit(X, OUTPUTS[:, [0, 2]])
    assert search.best_params_ == {"gamma": 0.1}


@FAST_SHARED
def test_the_history_reports_the_noise(of_outputs):
    """As for one output: something that varies, and not a constant of the algorithm."""
    assert np.ptp([np.ravel(step.noise_std)[0] for step in of_outputs.history_]) > 0.0
