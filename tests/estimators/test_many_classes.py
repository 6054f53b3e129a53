"""Classifiers of three and more classes: what they predict, remember and refuse."""

import numpy as np
import pytest
from estimator_data import BLOBS, CLASSES, NEW_BLOBS
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.utils.class_weight import compute_sample_weight

from sparsebayes import (
    RVC,
    Bias,
    EvidenceSearch,
    Fast,
    Linear,
    SparseBayesClassifier,
    student_t,
)
from sparsebayes.estimators.evidence_search import OCCAM_FACTOR

pytestmark = pytest.mark.slow

KINDS = ["ovr", "softmax", "shared_softmax"]
INFERENCES = ("projection", "fast")


def of(kinds=KINDS, inferences=INFERENCES):
    """Only classifiers of these kinds, by these inferences."""
    chosen = [f"{inference} {kind}" for inference in inferences for kind in kinds]
    return pytest.mark.parametrize("of_classes", chosen, indirect=True)


OVR, SHARED, JOINT = map(of, (KINDS[:1], KINDS[2:], KINDS[1:]))
FAST = of(inferences=["fast"])
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


# predictions


@pytest.mark.parametrize(("load", "least"), [(load_iris, 0.9), (load_wine, 0.93)])
def test_rows_left_out_are_classified(of_classes, load, least):
    inputs, y = load(return_X_y=True)
    inputs = StandardScaler().fit_transform(inputs)
    model = clone(of_classes).set_params(gamma="scale").fit(inputs[::2], y[::2])
    assert model.score(inputs[1::2], y[1::2]) >= least
    assert 0 < len(model.relevance_) < 50


@SHARED
def test_shared_precisions_need_fewer_vectors_than_one_against_the_rest(of_classes):
    ovr = clone(of_classes).set_params(multi_class="ovr").fit(BLOBS, CLASSES)
    assert len(of_classes.relevance_) < len(ovr.relevance_)


# labels


@pytest.mark.parametrize("multi_class", KINDS)
def test_two_classes_of_booleans_are_as_ever(multi_class):
    model = RVC(gamma=0.5, multi_class=multi_class).fit(BLOBS, CLASSES > 0)
    assert_array_equal(model.classes_, [False, True])
    assert model.decision_function(NEW_BLOBS).shape == (40,)
    expected = RVC(gamma=0.5).fit(BLOBS, CLASSES > 0).predict_proba(NEW_BLOBS)
    assert_array_equal(model.predict_proba(NEW_BLOBS), expected)


def test_a_class_of_one_row(of_classes):
    y = np.where(np.arange(60) == 7, 3, CLASSES)
    model = clone(of_classes).fit(BLOBS, y)
    probability = model.predict_proba(BLOBS)
    assert probability.shape == (60, 4)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    assert probability[:, 3].mean() < 0.1


@not_converged
def test_a_class_that_is_missing_in_a_fold(of_classes):
    y = np.where(np.arange(60) < 3, 3, CLASSES)
    rows = np.arange(60)
    folds = [(rows[30:], rows[:30]), (rows[:30], rows[30:])]
    assert 3 not in y[30:]
    with pytest.warns(RuntimeWarning, match="Number of classes in training fold"):
        found = cross_val_predict(clone(of_classes), BLOBS, y, cv=folds, method="predict_proba")
    assert found.shape == (60, 4)
    assert_allclose(found.sum(axis=1), 1.0, rtol=1e-9)
    assert np.all(found[:30, 3] == 0.0)


# weights


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
@pytest.mark.parametrize(("n_classes", "given"), [(2, "dict"), (3, "balanced")])
def test_weights_of_classes_are_weights_of_their_rows(of_classes, n_classes, given):
    used = (n_classes > CLASSES) & ((CLASSES != 1) | (BLOBS[:, 0] < 2.0))  # in unequal numbers
    inputs, y = BLOBS[used], CLASSES[used]
    class_weight = "balanced" if given == "balanced" else {0: 2.0, 1: 0.5, 2: 1.0}
    own = np.random.default_rng(3).uniform(0.5, 1.5, len(y))
    model = clone(of_classes).set_params(class_weight=class_weight)
    model.fit(inputs, y, sample_weight=own)
    weight = own * compute_sample_weight(class_weight, y)
    expected = clone(of_classes).fit(inputs, y, sample_weight=weight)
    assert_array_equal(model.predict_proba(NEW_BLOBS), expected.predict_proba(NEW_BLOBS))
    plain = clone(of_classes).fit(inputs, y, sample_weight=own)
    assert np.abs(model.predict_proba(NEW_BLOBS) - plain.predict_proba(NEW_BLOBS)).max() > 0.003


@pytest.mark.parametrize("class_weight", ["heavy", 3, {0: -1.0}, {0: np.nan}, {0: np.inf}])
def test_bad_weights_of_classes_are_refused(class_weight):
    with pytest.raises((ValueError, TypeError), match=r"class_weight|weight"):
        RVC(class_weight=class_weight).fit(BLOBS, CLASSES)


def test_weights_of_classes_that_are_all_zero_are_refused():
    with pytest.raises(ValueError, match="positive weight"):
        RVC(class_weight={0: 0.0, 1: 0.0, 2: 0.0}).fit(BLOBS, CLASSES)


# one against the rest


@OVR
def test_one_against_the_rest_is_that_of_scikit_learn(of_classes):
    theirs = OneVsRestClassifier(clone(of_classes)).fit(BLOBS, CLASSES)
    assert_allclose(of_classes.predict_proba(NEW_BLOBS), theirs.predict_proba(NEW_BLOBS), rtol=1e-6)
    parts = np.column_stack([each.decision_function(NEW_BLOBS) for each in theirs.estimators_])
    assert_allclose(of_classes.decision_function(NEW_BLOBS), parts, rtol=1e-6, atol=1e-9)
    total = sum(each.log_evidence_ for each in theirs.estimators_)
    assert_allclose(of_classes.log_evidence_, total, rtol=1e-9)
    assert len(of_classes.history_) == 3
    every = np.unique(np.concatenate([each.relevance_ for each in theirs.estimators_]))
    assert_array_equal(np.sort(of_classes.relevance_), every)


@pytest.mark.slow
def test_variational_inference_is_for_one_against_the_rest():
    model = RVC(gamma=0.5, inference="variational").fit(BLOBS, CLASSES)
    theirs = OneVsRestClassifier(RVC(gamma=0.5, inference="variational")).fit(BLOBS, CLASSES)
    assert_allclose(model.predict_proba(NEW_BLOBS), theirs.predict_proba(NEW_BLOBS), rtol=1e-6)
    total = sum(each.lower_bound_ for each in theirs.estimators_)
    assert_allclose(model.lower_bound_, total, rtol=1e-9)


@pytest.mark.slow
def test_several_classes_can_be_pruned():
    model = RVC(gamma=0.5, inference="variational").fit(BLOBS[::2], CLASSES[::2])
    before, rows = model.predict_proba(BLOBS), model.relevance_
    assert len(rows) < len(model.weights_)
    assert model.prune() is model
    assert_array_equal(model.relevance_, rows)
    assert len(model.weights_) <= len(rows) + 1
    assert_allclose(model.predict_proba(BLOBS), before, atol=0.05)


# inferences and hyperpriors


@pytest.mark.slow
@not_converged
@pytest.mark.parametrize(
    ("of_classes", "inference"),
    [
        ("fast softmax", "mackay"),
        ("fast shared_softmax", "mackay"),
        ("fast ovr", "mackay"),
        ("fast ovr", "em"),
    ],
    indirect=["of_classes"],
)
def test_inferences_find_an_equally_good_model(of_classes, inference):
    model = clone(of_classes).set_params(inference=inference, max_iter=300).fit(BLOBS, CLASSES)
    assert abs(model.log_evidence_ - of_classes.log_evidence_) < 3.0
    assert_allclose(model.predict_proba(BLOBS), of_classes.predict_proba(BLOBS), atol=0.25)


@FAST
@not_converged
def test_a_proper_hyperprior_keeps_all_columns(of_classes):
    inference = Fast(weight_hyperprior=student_t(1.0))
    model = clone(of_classes).set_params(inference=inference).fit(BLOBS[::2], CLASSES[::2])
    assert len(model.weights_) == 31
    assert len(model.relevance_) < 30
    assert model.score(BLOBS, CLASSES) > 0.7


@pytest.mark.parametrize("multi_class", KINDS)
def test_three_classes_after_two_and_back(multi_class):
    model = RVC(gamma=0.5, multi_class=multi_class).fit(BLOBS, CLASSES > 0)
    assert hasattr(model, "covariance_")
    model.fit(BLOBS, CLASSES)
    assert model.predict_proba(NEW_BLOBS).shape == (40, 3)
    assert not hasattr(model, "covariance_")
    model.fit(BLOBS, CLASSES > 0)
    assert model.decision_function(NEW_BLOBS).shape == (40,)
    assert model.covariance_.shape == (len(model.weights_), len(model.weights_))


@JOINT
def test_nothing_relevant_is_even_odds(of_classes):
    inputs, y = np.repeat(BLOBS[:20], 3, axis=0), np.tile([0, 1, 2], 20)
    model = clone(of_classes).set_params(gamma="scale")
    with pytest.warns(ConvergenceWarning, match="No column is relevant"):
        model.fit(inputs, y)
    assert_allclose(model.predict_proba(NEW_BLOBS), 1.0 / 3.0, rtol=1e-9)
    assert model.weights_.shape == (0, 3)
    assert model.dual_coef_.shape == (3, 0)
    assert_array_equal(model.intercept_, np.zeros(3))


# scikit-learn


@pytest.mark.slow
@pytest.mark.parametrize(
    "model", [RVC(gamma="learn"), RVC(gamma=0.5, inference="fast")], ids=["projection", "fast"]
)
def test_searches_over_kinds_of_models(model):
    shared = clone(model).set_params(multi_class="shared_softmax")
    assert cross_val_score(shared, BLOBS, CLASSES, cv=3).mean() > 0.7
    grid, judged = {"multi_class": KINDS}, {"cv": 2, "scoring": "neg_log_loss"}
    search = GridSearchCV(model, grid, **judged).fit(BLOBS, CLASSES)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    # As good as a plane, which is the truth here, within the spread of its folds.
    planes = cross_val_score(LogisticRegression(), BLOBS, CLASSES, **judged)
    assert search.best_score_ > planes.mean() - 3.0 * planes.std()


@pytest.mark.slow
@JOINT
@not_converged
def test_a_search_by_the_evidence(of_classes):
    # To a process, wide kernels are planes, which predict left-out rows of these classes best.
    other = 1e4 if of_classes.inference == "projection" else 1e-3
    search = EvidenceSearch(clone(of_classes), {"gamma": [0.5, 50.0, other]}).fit(BLOBS, CLASSES)
    assert search.best_params_ == {"gamma": 0.5}
    assert_allclose(search.best_estimator_.log_evidence_, of_classes.log_evidence_, rtol=1e-9)


def test_the_marginal_evidence_counts_every_precision(of_classes):
    """Each of them costs what integrating it out does; a process has one for its kernel."""
    search = EvidenceSearch(clone(of_classes), {"gamma": [0.5]}).fit(BLOBS, CLASSES)
    model = of_classes
    each = model.inference == "fast"
    of_processes = 3 if model.multi_class == "ovr" else 1
    n_precisions = np.isfinite(model.weight_precision_).sum() if each else of_processes
    expected = model.log_evidence_ + OCCAM_FACTOR * n_precisions
    assert_allclose(search.best_score_, expected, rtol=1e-6)


@pytest.mark.parametrize("multi_class", KINDS)
def test_names_of_columns_are_aligned_with_their_weights(multi_class):
    data = load_wine(as_frame=True)
    inputs = (data.data - data.data.mean()) / data.data.std()
    model = SparseBayesClassifier(Linear() + Bias(), multi_class=multi_class).fit(
        inputs, data.target
    )
    assert model.score(inputs, data.target) > 0.97
    assert model.weights_.shape == (len(model.column_names_), 3)
    assert "proline" in model.column_names_
    table = inputs.assign(bias=1.0)[model.column_names_].to_numpy()
    mean, _ = model.latent_mean_and_variance(inputs)
    assert_allclose(mean, table @ model.weights_, rtol=1e-9, atol=1e-10)
