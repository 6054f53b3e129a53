"""Classifiers of three and more classes: what they predict, remember and refuse."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.special import expit, softmax
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.utils.class_weight import compute_sample_weight

from sparsebayes import (
    RVC,
    Bias,
    EvidenceSearch,
    GaussianKernel,
    Linear,
    Outcome,
    SparseBayesClassifier,
    student_t,
)
from sparsebayes.estimators.evidence_search import OCCAM_FACTOR

X, Y = make_blobs(90, centers=[[0, 0], [2, 1], [0, 3]], cluster_std=1.0, random_state=0)
NEW = np.random.default_rng(0).uniform(-4.0, 6.0, (40, 2))
KINDS = {
    "separate": RVC(gamma=0.5, multi_class="multinomial"),
    "shared": RVC(gamma=0.5, multi_class="multinomial", shared_precision=True),
    "ovr": RVC(gamma=0.5, multi_class="ovr"),
}
SETTINGS = [
    {},
    {"multi_class": "multinomial"},
    {"multi_class": "multinomial", "shared_precision": True},
]
MODELS = {name: clone(kind).fit(X, Y) for name, kind in KINDS.items()}
NAMES = pytest.mark.parametrize("name", KINDS)
JOINT = pytest.mark.parametrize("name", ["separate", "shared"])
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def same_predictions(one, other, atol=1e-6):
    assert_allclose(one.predict_proba(NEW), other.predict_proba(NEW), atol=atol)
    assert_allclose(one.log_evidence_, other.log_evidence_, rtol=1e-6)


# predictions


@NAMES
@pytest.mark.parametrize(("load", "least"), [(load_iris, 0.9), (load_wine, 0.93)])
def test_rows_left_out_are_classified(name, load, least):
    inputs, y = load(return_X_y=True)
    inputs = StandardScaler().fit_transform(inputs)
    model = clone(KINDS[name]).set_params(gamma="scale").fit(inputs[::2], y[::2])
    assert model.score(inputs[1::2], y[1::2]) >= least
    assert 0 < len(model.relevance_) < 50


@NAMES
def test_probabilities_are_a_distribution_and_the_largest_is_predicted(name):
    model = MODELS[name]
    probability = model.predict_proba(NEW)
    assert probability.shape == (40, 3)
    assert np.all((probability > 0.0) & (probability <= 1.0))
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    assert_array_equal(model.predict(NEW), model.classes_[probability.argmax(axis=1)])
    assert_allclose(np.exp(model.predict_log_proba(NEW)), probability, rtol=1e-12)
    assert len(np.unique(model.predict(NEW))) == 3


@NAMES
def test_shapes(name):
    model, n_vectors = MODELS[name], len(MODELS[name].relevance_)
    assert model.decision_function(NEW).shape == (40, 3)
    mean, variance = model.latent_mean_and_variance(NEW)
    assert mean.shape == variance.shape == (40, 3)
    assert np.all(variance >= 0.0)
    assert model.dual_coef_.shape == (3, n_vectors)
    assert model.intercept_.shape == (3,)
    assert model.relevance_vectors_.shape == (n_vectors, 2)
    n_kept = len(model.column_names_)
    assert model.weights_.shape == (n_kept, 3)
    precision = model.weight_precision_
    assert precision.shape == ((n_kept,) if name == "shared" else (n_kept, 3))
    assert not hasattr(model, "covariance_")
    if name != "shared":
        assert_array_equal(np.isinf(precision), model.weights_ == 0.0)
    assert model.outcome_ is Outcome.CONVERGED


def test_decision_functions_are_log_probabilities_or_log_odds():
    for name in ("separate", "shared"):
        scores = MODELS[name].decision_function(NEW)
        assert_allclose(scores, MODELS[name].predict_log_proba(NEW), rtol=1e-12)
    share = expit(MODELS["ovr"].decision_function(NEW))
    expected = share / share.sum(axis=1, keepdims=True)
    assert_allclose(MODELS["ovr"].predict_proba(NEW), expected, rtol=1e-10)


def draws_of_latent_values(model, inputs, n_draws):
    """Draws of the weights, and with them of f (n_draws, n, K)."""
    latent, random = model._latent, np.random.default_rng(1)
    kernel = rbf_kernel(inputs, model.relevance_vectors_, gamma=model.gamma_)
    design = np.column_stack([kernel, np.ones(len(inputs))])[:, : len(model.weights_)]
    if model.shared_precision:
        contrasts = np.eye(3) - 1.0 / 3.0
        white = random.normal(size=(n_draws, len(latent.root), 3))
        return design @ (model.weights_ + latent.root @ white @ contrasts)
    weights = np.tile(model.weights_, (n_draws, 1, 1))
    white = random.normal(size=(n_draws, len(latent.root)))
    weights[:, latent.position, latent.label] += white @ latent.root.T
    return design @ weights


@JOINT
def test_probabilities_are_the_integral_over_the_posterior(name):
    model = MODELS[name]
    draws = draws_of_latent_values(model, NEW, 20000)
    expected = softmax(draws, axis=2).mean(axis=0)
    assert_allclose(model.predict_proba(NEW), expected, atol=0.01)
    mean, variance = model.latent_mean_and_variance(NEW)
    plain = softmax(mean, axis=1)
    assert np.abs(plain - expected).max() > 0.03  # integration is not in vain
    error = np.sqrt(variance.max() / 20000)
    assert_allclose(draws.mean(axis=0), mean, atol=5.0 * error)
    assert_allclose(draws.var(axis=0), variance, rtol=0.06, atol=1e-9)


@NAMES
def test_the_probabilities_of_a_row_do_not_depend_on_the_other_rows(name):
    model = MODELS[name]
    one_by_one = np.vstack([model.predict_proba(row[None]) for row in NEW])
    assert_allclose(one_by_one, model.predict_proba(NEW), rtol=1e-7, atol=1e-9)


@NAMES
def test_the_probabilities_of_nearly_equal_rows_are_nearly_equal(name):
    """No jumps, as a square root of the covariance that is not continuous would have."""
    model = MODELS[name]
    moved = NEW * (1.0 + 1e-9)
    assert_allclose(model.predict_proba(moved), model.predict_proba(NEW), atol=1e-6)


@NAMES
def test_dual_coefficients_reproduce_the_latent_mean(name):
    model = MODELS[name]
    assert_array_equal(model.relevance_vectors_, X[model.relevance_])
    kernel = rbf_kernel(NEW, model.relevance_vectors_, gamma=model.gamma_)
    by_hand = kernel @ model.dual_coef_.T + model.intercept_
    mean, _ = model.latent_mean_and_variance(NEW)
    assert_allclose(mean, by_hand, rtol=1e-9, atol=1e-11)
    if name == "shared":
        assert_allclose(mean.sum(axis=1), 0.0, atol=1e-10)


def test_shared_precisions_need_fewer_vectors_than_one_against_the_rest():
    n_vectors = {name: len(model.relevance_) for name, model in MODELS.items()}
    assert n_vectors["shared"] < n_vectors["ovr"]


@NAMES
def test_a_row_far_from_all_vectors_is_predicted(name):
    probability = MODELS[name].predict_proba([[1e3, -1e3], [1e200, 1e200]])
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    assert_allclose(probability[0], probability[1], rtol=1e-9)


# labels


@NAMES
@pytest.mark.parametrize("labels", [[3, 5, 11], ["zwei", "eins", "drei"]])
def test_labels_may_be_anything(name, labels):
    labels = np.array(labels)
    model = clone(KINDS[name]).fit(X, labels[Y])
    assert_array_equal(model.classes_, np.sort(labels))
    assert model.predict(NEW).dtype == labels.dtype
    order = np.searchsorted(model.classes_, labels)
    expected = MODELS[name].predict_proba(NEW)
    assert_allclose(model.predict_proba(NEW)[:, order], expected, atol=0.005)
    same = labels[MODELS[name].predict(NEW)]
    clear = np.diff(np.sort(expected, axis=1))[:, -1] > 0.02
    assert_array_equal(model.predict(NEW)[clear], same[clear])
    assert_allclose(model.log_evidence_, MODELS[name].log_evidence_, rtol=1e-5)


@pytest.mark.parametrize("multi_class", ["multinomial", "ovr"])
def test_two_classes_of_booleans_are_as_ever(multi_class):
    model = RVC(multi_class=multi_class, shared_precision=True).fit(X, Y > 0)
    assert_array_equal(model.classes_, [False, True])
    assert model.decision_function(NEW).shape == (40,)
    expected = RVC().fit(X, Y > 0).predict_proba(NEW)
    assert_array_equal(model.predict_proba(NEW), expected)


@NAMES
def test_one_class_only_is_refused(name):
    words = r"RVC needs rows of two classes or more with positive weight, got one class: 2"
    with pytest.raises(ValueError, match=words):
        clone(KINDS[name]).fit(X, np.full(90, 2))


@NAMES
def test_numbers_that_are_no_classes_are_refused(name):
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        clone(KINDS[name]).fit(X, X[:, 0])


@NAMES
def test_labels_of_several_outputs_are_refused(name):
    with pytest.raises(ValueError, match="y should be a 1d array"):
        clone(KINDS[name]).fit(X, np.column_stack([Y, Y]))


@NAMES
def test_a_class_of_one_row(name):
    y = np.where(np.arange(90) == 7, 3, Y)
    model = clone(KINDS[name]).fit(X, y)
    probability = model.predict_proba(X)
    assert probability.shape == (90, 4)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    assert probability[:, 3].mean() < 0.1


@NAMES
def test_a_class_without_weight_is_left_out(name):
    weight = (Y != 1).astype(float)
    model = clone(KINDS[name]).fit(X, Y, sample_weight=weight)
    assert_array_equal(model.classes_, [0, 2])
    expected = RVC(gamma=0.5).fit(X[Y != 1], Y[Y != 1]).predict_proba(NEW)
    assert_allclose(model.predict_proba(NEW), expected, rtol=1e-6, atol=1e-9)
    four = np.where(np.arange(90) % 9 == 0, 3, Y)
    model = clone(KINDS[name]).fit(X, four, sample_weight=(four != 1).astype(float))
    assert_array_equal(model.classes_, [0, 2, 3])
    assert model.predict_proba(NEW).shape == (40, 3)


@not_converged
@NAMES
def test_a_class_that_is_missing_in_a_fold(name):
    y = np.where(np.arange(90) < 3, 3, Y)
    rows = np.arange(90)
    folds = [(rows[45:], rows[:45]), (rows[:45], rows[45:])]
    assert 3 not in y[45:]
    with pytest.warns(RuntimeWarning, match="Number of classes in training fold"):
        found = cross_val_predict(KINDS[name], X, y, cv=folds, method="predict_proba")
    assert found.shape == (90, 4)
    assert_allclose(found.sum(axis=1), 1.0, rtol=1e-9)
    assert np.all(found[:45, 3] == 0.0)


# weights


@NAMES
def test_a_weight_is_a_number_of_rows(name):
    times = np.random.default_rng(2).integers(0, 3, 90)
    weighted = clone(KINDS[name]).fit(X, Y, sample_weight=times)
    rows = np.repeat(np.arange(90), times)
    repeated = clone(KINDS[name]).fit(X[rows], Y[rows])
    assert_array_equal(weighted.relevance_, rows[repeated.relevance_])
    assert_allclose(weighted.weights_, repeated.weights_, rtol=1e-5, atol=1e-8)
    same_predictions(weighted, repeated)


@NAMES
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("given", ["balanced", "dict"])
def test_weights_of_classes_are_weights_of_their_rows(name, n_classes, given):
    used = (n_classes > Y) & ((Y != 1) | (X[:, 0] < 2.0))  # in unequal numbers
    inputs, y = X[used], Y[used]
    class_weight = "balanced" if given == "balanced" else {0: 2.0, 1: 0.5, 2: 1.0}
    own = np.random.default_rng(3).uniform(0.5, 1.5, len(y))
    model = clone(KINDS[name]).set_params(class_weight=class_weight)
    model.fit(inputs, y, sample_weight=own)
    weight = own * compute_sample_weight(class_weight, y)
    expected = clone(KINDS[name]).fit(inputs, y, sample_weight=weight)
    assert_array_equal(model.predict_proba(NEW), expected.predict_proba(NEW))
    plain = clone(KINDS[name]).fit(inputs, y, sample_weight=own)
    assert np.abs(model.predict_proba(NEW) - plain.predict_proba(NEW)).max() > 0.003


@pytest.mark.parametrize("class_weight", ["heavy", 3, {0: -1.0}, {0: np.nan}, {0: np.inf}])
def test_bad_weights_of_classes_are_refused(class_weight):
    with pytest.raises((ValueError, TypeError), match=r"class_weight|weight"):
        RVC(class_weight=class_weight).fit(X, Y)


def test_weights_of_classes_that_are_all_zero_are_refused():
    with pytest.raises(ValueError, match="positive weight"):
        RVC(class_weight={0: 0.0, 1: 0.0, 2: 0.0}).fit(X, Y)


# one against the rest


def test_one_against_the_rest_is_that_of_scikit_learn():
    theirs = OneVsRestClassifier(RVC(gamma=0.5)).fit(X, Y)
    assert_allclose(MODELS["ovr"].predict_proba(NEW), theirs.predict_proba(NEW), rtol=1e-6)
    parts = np.column_stack([each.decision_function(NEW) for each in theirs.estimators_])
    assert_allclose(MODELS["ovr"].decision_function(NEW), parts, rtol=1e-6, atol=1e-9)
    total = sum(each.log_evidence_ for each in theirs.estimators_)
    assert_allclose(MODELS["ovr"].log_evidence_, total, rtol=1e-9)
    assert len(MODELS["ovr"].history_) == 3
    every = np.unique(np.concatenate([each.relevance_ for each in theirs.estimators_]))
    assert_array_equal(np.sort(MODELS["ovr"].relevance_), every)


def test_one_against_the_rest_has_no_precisions_to_share():
    with pytest.raises(ValueError, match='shared_precision=True needs multi_class="multinomial"'):
        RVC(shared_precision=True).fit(X, Y)


def test_jobs_change_nothing():
    model = RVC(gamma=0.5, multi_class="ovr", n_jobs=2).fit(X, Y)
    assert_array_equal(model.predict_proba(NEW), MODELS["ovr"].predict_proba(NEW))


def test_variational_inference_is_for_one_against_the_rest():
    words = r'inference="variational" has no bound for 3 classes .*multi_class="ovr"'
    with pytest.raises(ValueError, match=words):
        RVC(inference="variational", multi_class="multinomial").fit(X, Y)
    model = RVC(gamma=0.5, inference="variational").fit(X, Y)
    theirs = OneVsRestClassifier(RVC(gamma=0.5, inference="variational")).fit(X, Y)
    assert_allclose(model.predict_proba(NEW), theirs.predict_proba(NEW), rtol=1e-6)
    total = sum(each.lower_bound_ for each in theirs.estimators_)
    assert_allclose(model.lower_bound_, total, rtol=1e-9)
    assert len(model.relevance_) < len(model.weights_)
    with pytest.raises(ValueError, match="prune is for a model of two classes"):
        model.prune()


@pytest.mark.parametrize("value", ["one", None, 3, ["ovr"]])
def test_a_bad_choice_of_multi_class(value):
    with pytest.raises(ValueError, match='multi_class must be "ovr" or "multinomial", got'):
        RVC(multi_class=value).fit(X, Y)


@pytest.mark.parametrize("value", ["no", None, 2])
def test_a_bad_flag_of_shared_precisions(value):
    with pytest.raises(ValueError, match="shared_precision must be True or False, got"):
        RVC(shared_precision=value).fit(X, Y)


# inferences and hyperpriors


@not_converged
@pytest.mark.parametrize(
    ("name", "inference"),
    [("separate", "mackay"), ("shared", "mackay"), ("ovr", "mackay"), ("ovr", "em")],
)
def test_inferences_find_an_equally_good_model(name, inference):
    model = clone(KINDS[name]).set_params(inference=inference, max_iter=300).fit(X, Y)
    assert abs(model.log_evidence_ - MODELS[name].log_evidence_) < 3.0
    assert_allclose(model.predict_proba(X), MODELS[name].predict_proba(X), atol=0.25)


@not_converged
@NAMES
def test_a_proper_hyperprior_keeps_all_columns(name):
    model = clone(KINDS[name]).set_params(weight_hyperprior=student_t(1.0)).fit(X[::2], Y[::2])
    assert len(model.weights_) == 46
    assert len(model.relevance_) < 45
    assert model.score(X, Y) > 0.7


@NAMES
def test_a_price_per_column_leaves_fewer(name):
    model = clone(KINDS[name]).set_params(min_gain=2.0).fit(X, Y)
    assert 0 < len(model.weights_) <= len(MODELS[name].weights_)
    assert model.score(X, Y) > 0.7


@NAMES
def test_a_warm_start_begins_where_the_last_fit_ended(name):
    model = clone(KINDS[name]).set_params(warm_start=True, inference="mackay").fit(X, Y)
    first = model.log_evidence_
    model.fit(X, Y)
    histories = model.history_ if name == "ovr" else [model.history_]
    start = sum(history[0].log_evidence for history in histories)
    assert_allclose(start, first, rtol=1e-4)
    assert_allclose(model.log_evidence_, first, rtol=1e-4)


def test_a_warm_start_after_a_fit_of_two_classes():
    for kind in KINDS.values():
        model = clone(kind).set_params(warm_start=True).fit(X, Y > 0)
        assert hasattr(model, "covariance_")
        model.fit(X, Y)
        assert model.predict_proba(NEW).shape == (40, 3)
        assert not hasattr(model, "covariance_")
        model.fit(X, Y > 0)
        assert model.decision_function(NEW).shape == (40,)
        assert model.covariance_.shape == (len(model.weights_), len(model.weights_))


@NAMES
def test_a_small_cache_gives_the_same_model(name):
    same_predictions(clone(KINDS[name]).set_params(cache_size=0.001).fit(X, Y), MODELS[name])


@NAMES
def test_the_order_of_the_rows_does_not_matter(name):
    order = np.random.default_rng(4).permutation(90)
    model = clone(KINDS[name]).fit(X[order], Y[order])
    assert_allclose(model.predict_proba(NEW), MODELS[name].predict_proba(NEW), atol=0.01)
    assert_allclose(model.log_evidence_, MODELS[name].log_evidence_, rtol=1e-3)


@JOINT
def test_nothing_relevant_is_even_odds(name):
    inputs, y = np.repeat(X[:20], 3, axis=0), np.tile([0, 1, 2], 20)
    model = clone(KINDS[name]).set_params(gamma="scale")
    with pytest.warns(ConvergenceWarning, match="No column is relevant"):
        model.fit(inputs, y)
    assert_allclose(model.predict_proba(NEW), 1.0 / 3.0, rtol=1e-9)
    assert model.weights_.shape == (0, 3)
    assert model.dual_coef_.shape == (3, 0)
    assert_array_equal(model.intercept_, np.zeros(3))


# scikit-learn


@NAMES
def test_copies_predict_the_same(name):
    model = pickle.loads(pickle.dumps(MODELS[name]))
    assert_array_equal(model.predict_proba(NEW), MODELS[name].predict_proba(NEW))
    assert not hasattr(clone(MODELS[name]), "classes_")
    assert repr(clone(MODELS[name])) == repr(KINDS[name])
    assert len(pickle.dumps(model)) < 40000


def test_searches_over_kinds_of_models():
    assert cross_val_score(KINDS["shared"], X, Y, cv=3).min() > 0.7
    grid = [
        {"multi_class": ["multinomial"], "shared_precision": [False, True]},
        {"multi_class": ["ovr"]},
    ]
    search = GridSearchCV(RVC(gamma=0.5), grid, cv=2, scoring="neg_log_loss").fit(X, Y)
    assert search.best_score_ > -0.7
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@JOINT
def test_a_search_by_the_evidence(name):
    search = EvidenceSearch(clone(KINDS[name]), {"gamma": [1e-3, 0.5, 50.0]}).fit(X, Y)
    assert search.best_params_ == {"gamma": 0.5}
    assert_allclose(search.best_estimator_.log_evidence_, MODELS[name].log_evidence_, rtol=1e-9)


@NAMES
def test_the_marginal_evidence_counts_every_precision(name):
    """Each of them costs what integrating it out does."""
    search = EvidenceSearch(clone(KINDS[name]), {"gamma": [0.5]}).fit(X, Y)
    model = MODELS[name]
    n_precisions = np.isfinite(model.weight_precision_).sum()
    expected = model.log_evidence_ + OCCAM_FACTOR * n_precisions
    assert_allclose(search.best_score_, expected, rtol=1e-6)


class Counter:
    """A callback that counts iterations."""

    def __init__(self):
        self.count = 0

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context, **rest):
        self.count += context.task_name == "iteration"

    def on_fit_task_end(self, estimator, context, **rest):
        return False


@NAMES
def test_callbacks_are_called_at_every_iteration(name):
    pytest.importorskip("sklearn.callback")
    counter = Counter()
    model = clone(KINDS[name]).set_callbacks(counter).fit(X, Y)
    histories = model.history_ if name == "ovr" else [model.history_]
    assert counter.count == sum(len(history) - 1 for history in histories) > 0
    assert_array_equal(model.weights_, MODELS[name].weights_)


@NAMES
def test_verbose_prints(name, capsys):
    clone(KINDS[name]).set_params(verbose=2).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("RVC iteration 1: log evidence")
    assert lines[-1].startswith("RVC CONVERGED after")


@NAMES
def test_a_sparse_matrix_equals_its_dense_form(name):
    model = clone(KINDS[name]).fit(csr_array(X), Y)
    same_predictions(model, MODELS[name])
    assert_allclose(model.predict_proba(csr_array(NEW)), MODELS[name].predict_proba(NEW), atol=1e-6)


@NAMES
def test_a_precomputed_kernel(name):
    model = clone(KINDS[name]).set_params(kernel="precomputed").fit(rbf_kernel(X, gamma=0.5), Y)
    found = model.predict_proba(rbf_kernel(NEW, X, gamma=0.5))
    assert_allclose(found, MODELS[name].predict_proba(NEW), atol=1e-6)
    assert_array_equal(np.sort(model.relevance_), np.sort(MODELS[name].relevance_))


@pytest.mark.parametrize("settings", SETTINGS)
def test_names_of_columns_are_aligned_with_their_weights(settings):
    data = load_wine(as_frame=True)
    inputs = (data.data - data.data.mean()) / data.data.std()
    model = SparseBayesClassifier(Linear() + Bias(), **settings).fit(inputs, data.target)
    assert model.score(inputs, data.target) > 0.97
    assert model.weights_.shape == (len(model.column_names_), 3)
    assert "proline" in model.column_names_
    table = inputs.assign(bias=1.0)[model.column_names_].to_numpy()
    mean, _ = model.latent_mean_and_variance(inputs)
    assert_allclose(mean, table @ model.weights_, rtol=1e-9, atol=1e-10)


def test_any_basis_is_that_of_the_kernel_machine():
    basis = GaussianKernel(0.5**-0.5) + Bias()
    model = SparseBayesClassifier(basis, multi_class="multinomial").fit(X, Y)
    same_predictions(model, MODELS["separate"])


def test_latent_moments_refuse_columns_that_are_not_finite():
    def kernel(x, c):
        return np.where(x[:, :1] < -100, np.nan, rbf_kernel(x, c, gamma=0.5))

    for settings in SETTINGS:
        model = RVC(kernel, **settings).fit(X, Y)
        for ask in (model.predict_proba, model.latent_mean_and_variance):
            with pytest.raises(ValueError, match="infinite or NaN at these inputs"):
                ask([[-1e3, 0.0]])
