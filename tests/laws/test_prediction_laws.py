"""What a fitted model says of new rows, for every kind of estimator."""

from copy import deepcopy

import numpy as np
import pytest
from laws.kinds import (
    CLASSES,
    COUNTED,
    GIVEN,
    KINDS,
    ORDERED,
    REGRESSIONS,
    assert_same,
    fitted,
    is_counted,
    n_latent,
    over,
    said,
)
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.base import is_classifier
from sklearn.metrics import accuracy_score, r2_score

from sparsebayes import Projection

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95]
OF_CLASSES, OF_NUMBERS = over(of=CLASSES), over(of=REGRESSIONS)


def asks(model):
    """What can be asked of new rows, by name."""
    if is_classifier(model):
        names = ("predict", "predict_proba", "predict_log_proba", "decision_function")
        found = {name: getattr(model, name) for name in names}
        found["latent variance"] = lambda new: model.latent_mean_and_variance(new)[1]
        found["latent mean"] = lambda new: model.latent_mean_and_variance(new)[0]
    else:
        found = {name: getattr(model, name) for name in ("predict", "predict_quantiles")}
        found["std"] = lambda new: model.predict(new, return_std=True)[1]
    return found | ({"novelty": model.novelty} if hasattr(model, "covering_") else {})


@over()
def test_a_row_is_predicted_in_the_same_way_beside_any_others(kind):
    for name, ask in asks(fitted(kind)).items():
        whole = ask(kind.new)
        alone = np.concatenate([ask(row[None]) for row in kind.new])
        assert alone.dtype == whole.dtype
        if whole.dtype.kind == "f":
            size = np.abs(whole).max(axis=0)
            assert np.all(np.abs(alone - whole) <= 1e-9 * size), name
            assert np.all(np.abs(ask(kind.new[::-3]) - whole[::-3]) <= 1e-9 * size), name
        else:
            assert_array_equal(alone, whole)


def wrong_inputs(new):
    yield new[:, :1], "X has 1 features, but .* is expecting"
    yield np.full(new.shape, np.nan), "Input X contains NaN"
    yield np.full(new.shape, np.inf), "Input X contains infinity"
    yield new[0], "Expected 2D array, got 1D array"
    yield new[:0], "Found array with 0 sample"


@over()
def test_wrong_inputs_are_refused_whatever_is_asked(kind):
    for ask in asks(fitted(kind)).values():
        for inputs, words in wrong_inputs(kind.new):
            with pytest.raises(ValueError, match=words):
                ask(inputs)


@over(GIVEN)
def test_rows_far_away_have_finite_predictions(kind):
    signs = np.sign(kind.new[:2]) * [[1.0], [0.5]]
    for ask in asks(fitted(kind)).values():
        for far in (1e3, 1e9):
            found = ask(far * signs)
            assert found.dtype.kind != "f" or np.isfinite(found).all()


@over()
def test_a_fit_leaves_as_many_weights_as_names_and_its_history(kind):
    model = fitted(kind)
    n_kept, k = len(model.column_names_), n_latent(kind)
    assert model.weights_.shape == ((n_kept, k) if k > 1 else (n_kept,))
    assert model.weight_precision_.shape in ((n_kept,), (n_kept, k))
    assert np.shape(getattr(model, "covariance_", None)) == ((n_kept, n_kept) if k == 1 else ())
    assert np.isfinite(model.weights_).all()
    assert np.isfinite(model.log_evidence_)
    assert model.n_features_in_ == kind.inputs.shape[1]
    assert len(model.history_) > 0


@over(GIVEN, {"centres"})
def test_vectors_are_rows_of_the_training_inputs(kind):
    model = fitted(kind)
    for rows, vectors in (
        ("relevance_", "relevance_vectors_"),
        ("covering_", "covering_vectors_"),
    ):
        if hasattr(model, vectors):
            assert_array_equal(getattr(model, vectors), kind.inputs[getattr(model, rows)])
            assert np.all(np.diff(getattr(model, rows)) > 0)


RBF = {
    name
    for name, kind in KINDS.items()
    if getattr(kind.estimator, "kernel", None) == "rbf" and name not in COUNTED
}


@over({"variational", "variational classes"}, of=RBF)  # which keep all columns
def test_vectors_and_their_coefficients_make_the_mean(kind):
    model = fitted(kind)
    k = n_latent(kind)
    assert model.dual_coef_.shape == (k, len(model.relevance_))
    assert model.intercept_.shape == (k,)
    apart = kind.new[:, None] - model.relevance_vectors_
    kernel = np.exp(-np.sum(model.gamma_ * apart**2, axis=2))
    mean = said(model, kind.new)[1 if is_classifier(model) else 0]
    by_hand = kernel @ model.dual_coef_.T + model.intercept_
    assert_allclose(mean.reshape(by_hand.shape), by_hand, rtol=1e-9, atol=1e-9)


# Numbers.


@OF_NUMBERS
def test_means_and_deviations_are_real_numbers_of_one_shape(kind):
    model, shape = fitted(kind), (len(kind.new), *kind.y.shape[1:])
    mean, std = model.predict(kind.new, return_std=True)
    assert mean.shape == std.shape == shape
    assert mean.dtype == std.dtype == np.float64
    assert np.all(std > 0.0)
    if hasattr(model, "noise_std_"):
        assert np.shape(model.noise_std_) == kind.y.shape[1:]
        assert np.all(std >= model.noise_std_ * (1.0 - 1e-12))
    assert model.predict_quantiles(kind.new, QUANTILES).shape == (shape[0], 5, *shape[1:])
    assert model.sample_y(kind.new, 4).shape == (*shape, 4)
    assert model.predict(kind.new, return_cov=True)[1].shape == (shape[0], *shape)


@OF_NUMBERS
def test_the_forms_of_predict_agree_and_the_covariance_is_one(kind):
    for model in with_and_without_covering(kind):
        mean, std = model.predict(kind.new, return_std=True)
        same, covariance = model.predict(kind.new, return_cov=True)
        assert_array_equal(model.predict(kind.new), mean)
        assert_array_equal(same, mean)
        assert_allclose(np.sqrt(np.einsum("nn...->n...", covariance)), std, rtol=1e-7)
        for each in np.moveaxis(covariance.reshape(len(mean), len(mean), -1), 2, 0):
            assert_allclose(each, each.T, rtol=1e-12, atol=1e-12 * each.max())
            assert np.linalg.eigvalsh(each).min() > -1e-9 * each.max()
        with pytest.raises(RuntimeError, match=r"return_std and return_cov .* at most one"):
            model.predict(kind.new, return_std=True, return_cov=True)


def with_and_without_covering(kind):
    yield fitted(kind)
    if hasattr(fitted(kind), "covering_"):
        yield deepcopy(fitted(kind)).drop_covering()


@OF_NUMBERS
def test_quantiles_rise_about_the_mean(kind):
    model = fitted(kind)
    found = np.moveaxis(model.predict_quantiles(kind.new, QUANTILES), 1, 0)
    assert np.all(np.diff(found, axis=0) >= 0.0)
    if is_counted(kind):
        assert_array_equal(found, np.floor(found))  # quantiles of counts are counts
        return
    mean = model.predict(kind.new)
    assert_allclose(found[2], mean, rtol=1e-12)
    assert np.all(np.diff(found, axis=0) > 0.0)
    size = np.abs(found[4] - found[0])
    assert np.all(np.abs(found[4] + found[0] - 2.0 * mean) <= 1e-9 * (size + np.abs(mean)))


@OF_NUMBERS
@pytest.mark.parametrize("quantiles", [0.5, [[0.1, 0.9]], [0.0, 0.5], [1.1], [np.nan]])
def test_bad_quantiles_are_refused(kind, quantiles):
    with pytest.raises(ValueError, match="quantiles must be a list of numbers from 1e-9"):
        fitted(kind).predict_quantiles(kind.new, quantiles)


def assert_are_draws(draws, mean, covariance):
    """The mean of n draws has the variance c_ii / n, their covariance (c_ii c_jj + c_ij^2) / n."""
    variance, n_draws = np.diag(covariance), draws.shape[1]
    assert np.all(np.abs(draws.mean(axis=1) - mean) < 5.0 * np.sqrt(variance / n_draws))
    apart = np.sqrt((np.outer(variance, variance) + covariance**2) / n_draws)
    assert np.all(np.abs(np.cov(draws) - covariance) < 5.0 * apart)


@over(COUNTED, {"student"}, of=REGRESSIONS)  # whose draws are not normal
def test_draws_have_the_joint_mean_and_covariance(kind):
    model, new = fitted(kind), kind.new[::4]
    mean, covariance = model.predict(new, return_cov=True)
    draws = model.sample_y(new, 4000, random_state=0).reshape(len(new), -1, 4000)
    mean, covariance = mean.reshape(len(new), -1), covariance.reshape(len(new), len(new), -1)
    for k in range(mean.shape[1]):
        assert_are_draws(draws[:, k], mean[:, k], covariance[..., k])


@over(of=COUNTED | {"student"})
def test_draws_lie_about_the_quantiles(kind):
    model = fitted(kind)
    draws = model.sample_y(kind.new, 4000, random_state=0)
    low, high = model.predict_quantiles(kind.new, [0.1, 0.9]).T
    error = np.sqrt(0.1 * 0.9 / 4000)
    assert np.all((draws < low[:, None]).mean(axis=1) < 0.1 + 5.0 * error)
    assert np.all((draws <= high[:, None]).mean(axis=1) > 0.9 - 5.0 * error)
    if is_counted(kind):
        assert_array_equal(draws, np.floor(draws))


@OF_NUMBERS
def test_draws_are_repeatable(kind):
    model = fitted(kind)
    first = model.sample_y(kind.new, 3, random_state=1)
    assert_array_equal(first, model.sample_y(kind.new, 3, random_state=1))
    assert not np.array_equal(first, model.sample_y(kind.new, 3, random_state=2))
    assert model.sample_y(kind.new).shape[-1] == 1


@over(COUNTED, of=REGRESSIONS)
def test_the_score_is_the_share_of_the_variance_explained(kind):
    model = fitted(kind)
    expected = r2_score(kind.y, model.predict(kind.inputs))
    assert_allclose(model.score(kind.inputs, kind.y), expected, rtol=1e-12)


@over({"sigmoid kernel", "sigmoid classes"})  # no kernels for these data
def test_a_model_explains_what_it_was_fitted_to(kind):
    score = fitted(kind).score(kind.inputs, kind.y)
    assert score > (0.4 if kind.y.dtype.kind == "f" else 0.75)


# Classes.


@OF_CLASSES
def test_probabilities_are_a_distribution_and_the_largest_is_predicted(kind):
    model = fitted(kind)
    probability, k = model.predict_proba(kind.new), len(model.classes_)
    assert_array_equal(model.classes_, np.unique(kind.y))
    assert probability.shape == (len(kind.new), k)
    assert np.all((probability >= 0.0) & (probability <= 1.0))
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    assert_array_equal(model.predict(kind.new), model.classes_[probability.argmax(axis=1)])
    assert model.predict(kind.new).dtype == kind.y.dtype
    assert_allclose(np.exp(model.predict_log_proba(kind.new)), probability, rtol=1e-12)
    expected = accuracy_score(kind.y, model.predict(kind.inputs))
    assert model.score(kind.inputs, kind.y) == expected


@OF_CLASSES
def test_decisions_are_log_odds_or_log_probabilities(kind):
    model = fitted(kind)
    probability, decision = model.predict_proba(kind.new), model.decision_function(kind.new)
    if probability.shape[1] == 2:
        assert decision.shape == (len(kind.new),)
        assert_allclose(expit(decision), probability[:, 1], rtol=1e-9)
        return
    assert decision.shape == probability.shape
    if np.ndim(model.history_[0]) == 1:  # steps of one model of all classes
        assert_allclose(np.exp(decision), probability, rtol=1e-9)
    else:
        share = expit(decision)
        assert_allclose(share / share.sum(axis=1, keepdims=True), probability, rtol=1e-9)


@OF_CLASSES
def test_latent_moments_have_a_shape_and_variances_are_not_negative(kind):
    model = fitted(kind)
    mean, variance = model.latent_mean_and_variance(kind.new)
    assert mean.shape == variance.shape == (len(kind.new), *[3] * (n_latent(kind) == 3))
    assert np.isfinite(mean).all()
    assert np.all(variance >= 0.0)


# Novelty and covering rows.


@over()
def test_novelty_is_a_share_or_there_is_none(kind):
    model = fitted(kind)
    if not hasattr(model, "covering_"):
        for ask in (lambda: model.novelty(kind.new), lambda: model.covering_):
            with pytest.raises(
                AttributeError, match=r"no covering rows: they need inference=.*pro"
            ):
                ask()
        return
    novelty = model.novelty(kind.new)
    assert novelty.shape == (len(kind.new),)
    assert np.all((novelty >= 0.0) & (novelty <= 1.0))
    assert np.median(model.novelty(kind.inputs)) < novelty.max()
    words = "a model whose covering was not dropped"
    dropped = deepcopy(model).drop_covering()
    for ask in (lambda: dropped.novelty(kind.new), lambda: dropped.covering_):
        with pytest.raises(AttributeError, match=words):
            ask()


@over()
def test_without_covering_rows_means_stay_and_dropping_them_twice_changes_nothing(kind):
    covered, model = hasattr(fitted(kind), "covering_"), deepcopy(fitted(kind))
    evidence, before = model.log_evidence_, said(model, kind.new)
    assert model.drop_covering() is model
    once = said(model, kind.new)
    assert not hasattr(model, "covering_")
    assert model.log_evidence_ == evidence
    for each, other in zip(once, said(model.drop_covering(), kind.new), strict=True):
        assert_array_equal(each, other)
    if not covered:
        assert_same(once, before, 0.0)
    elif not is_counted(kind):  # error bars shrink where they are widest
        assert np.all(np.max(once[-1], axis=0) < np.max(before[-1], axis=0))
    mean = 1 if is_classifier(model) else 0
    if is_counted(kind):  # the mean of a count grows with the variance of its logarithm
        logs = [each._model.predictor.latent_moments(kind.new) for each in (model, fitted(kind))]
        assert_same(logs[0][:1], logs[1][:1], 1e-9)
        grown = np.exp(0.5 * (logs[1][1] - logs[0][1]).ravel())
        assert_same([once[mean] * grown], before[mean : mean + 1], 1e-9)
    else:
        assert_same(once[mean : mean + 1], before[mean : mean + 1], 1e-9)


def falls_off(name):
    """Whether the kernel of a kind is next to nothing far from its centres, and has a process."""
    model = KINDS[name].estimator
    kernel, inference = getattr(model, "kernel", ""), model.inference
    local = isinstance(kernel, str) and kernel.startswith(("rbf", "laplacian", "cauchy", "matern"))
    return local and (inference == "projection" or isinstance(inference, Projection))


@over(ORDERED, COUNTED, {"centres", "student"}, of={name for name in KINDS if falls_off(name)})
def test_far_away_a_process_knows_the_mean_of_the_targets_or_nothing(kind):
    model, far = fitted(kind), np.array([[1e9, 1e9], [-1e9, 0.0]])
    assert_allclose(model.novelty(far), 1.0, rtol=1e-9)
    known, unknown = said(model, kind.inputs), said(model, far)
    assert np.all(unknown[-1] > known[-1].max(axis=0) * (1.0 - 1e-9))
    assert_allclose(unknown[-1][0], unknown[-1][1], rtol=1e-9)
    if is_classifier(model):
        assert_allclose(unknown[0], 1.0 / len(model.classes_), rtol=1e-9)
        return
    intercept = model.intercept_ if kind.y.ndim == 2 else model.intercept_[0]
    assert_allclose(unknown[0], [intercept] * 2, rtol=1e-6)
    if model.fit_intercept is True:
        assert_allclose(intercept, kind.y.mean(axis=0), rtol=1e-6)
        assert "bias" not in model.column_names_
