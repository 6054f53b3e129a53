"""The estimators as citizens of scikit-learn: its checks, searches, pipelines, tables, weights."""

import inspect
from contextlib import nullcontext

import numpy as np
import pytest
import sklearn
from estimator_data import INFERENCES, LABELS, MOONS, NEW, RESPONSE, X, Y
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

pytestmark = pytest.mark.slow

not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# Few iterations where they are slow: a check asks for shapes and types, not for convergence.
SCALE = {"gamma": "scale"}
ESTIMATORS = [
    RVR(),
    RVC(),
    RVR(inference="fast", centres=8, tol=0.1),
    RVC(**SCALE, inference="fast", centres=15, tol=0.1),
    RVR(kernel="precomputed"),
    RVC(kernel="precomputed"),
    RVR(kernel="precomputed", inference="fast"),
    RVC(kernel="precomputed", inference="fast"),
    SparseBayesRegressor(GaussianKernel() + Bias()),
    SparseBayesRegressor(Linear() + Bias()),
    SparseBayesClassifier(Linear() + Bias()),
]
OTHER_SETTINGS = [
    RVR(**SCALE, inference="mackay", max_iter=20),
    RVC(**SCALE, inference="mackay", max_iter=5, centres=15),
    RVR(**SCALE, inference="em", max_iter=20),
    RVC(**SCALE, inference="em", max_iter=5, centres=15),
    RVR(**SCALE, inference="variational"),
    RVC(**SCALE, inference="variational", max_iter=5, centres=15),
    RVR(**SCALE, centres=20),
    RVC(**SCALE, inference=Projection(fidelity=3.0), centres=15, tol=0.1),
    SparseBayesRegressor(Linear() + Bias(), inference="variational"),
    SparseBayesClassifier(Linear() + Bias(), inference="projection", tol=0.1),
    RVC(**SCALE, multi_class="ovr", centres=15, tol=0.1),
    RVC(**SCALE, multi_class="shared_softmax", centres=15, max_iter=5),
    RVC(**SCALE, inference="fast", multi_class="softmax", centres=15, tol=0.1),
    RVC(**SCALE, inference="fast", multi_class="shared_softmax", centres=15, max_iter=5),
    RVR(**SCALE, multi_output="separate"),
    RVR(**SCALE, inference="fast", multi_output="separate"),
]


def excused(estimator):
    """Only a check that hands raw features, 80 x 2, to an estimator of kernel values."""
    if isinstance(estimator, RVC) and estimator.kernel == "precomputed":
        return {"check_decision_proba_consistency": "passes features in place of kernel values"}
    return {}


STRICT = (
    {"xfail_strict": True}
    if "xfail_strict" in inspect.signature(parametrize_with_checks).parameters
    else {}  # scikit-learn before 1.7
)


# check_array_api_input is skipped by scikit-learn unless SCIPY_ARRAY_API is set.
@pytest.mark.slow
@not_converged
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=excused, **STRICT)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.long
@not_converged
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(OTHER_SETTINGS, expected_failed_checks=excused, **STRICT)
def test_scikit_learn_checks_of_other_settings(estimator, check):
    check(estimator)


FOLDS = KFold(3, shuffle=True, random_state=0)


def test_the_excused_check_holds_with_a_kernel_matrix():
    model = RVC(kernel="precomputed").fit(rbf_kernel(MOONS), LABELS)
    new = rbf_kernel(np.random.default_rng(0).normal(size=(40, 2)), MOONS)
    order = np.argsort(model.decision_function(new))
    assert np.all(np.diff(model.predict_proba(new)[order, 1]) >= 0)
    probability = model.predict_proba(new)[:, 1]
    assert_array_equal(model.decision_function(new) > 0, probability > 0.5)
    with pytest.raises(ValueError, match="square"):
        RVC(kernel="precomputed").fit(MOONS, LABELS)


@not_converged
@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("multi_output", ["shared", "separate"])
def test_the_tag_for_several_outputs_is_true_where_a_fit_agrees(inference, multi_output):
    model = RVR(gamma="scale", inference=inference, multi_output=multi_output, max_iter=3)
    tag = model.__sklearn_tags__().target_tags.multi_output
    assert tag is (multi_output == "separate" or inference != "variational")
    refusal = pytest.raises(ValueError, match='Use multi_output="separate"')
    with nullcontext() if tag else refusal:
        model.fit(MOONS, np.column_stack([RESPONSE, -RESPONSE]))


def test_kinds():
    assert is_regressor(RVR())
    assert is_regressor(SparseBayesRegressor())
    assert is_classifier(RVC())
    assert is_classifier(SparseBayesClassifier())
    assert RVC(kernel="precomputed").__sklearn_tags__().input_tags.pairwise
    assert not RVC(kernel="laplacian").__sklearn_tags__().input_tags.sparse


# searches and pipelines


@not_converged
def test_grid_search_over_gamma():
    search = GridSearchCV(RVR(), {"gamma": [1e-3, 0.1, 10.0]}, cv=FOLDS).fit(X, Y)
    assert search.best_params_ == {"gamma": 0.1}
    assert_allclose(search.predict(NEW), RVR(gamma=0.1).fit(X, Y).predict(NEW), rtol=1e-12)


@not_converged
def test_grid_search_over_a_parameter_of_a_part_of_the_basis():
    model = SparseBayesRegressor(GaussianKernel() + Bias())
    grid = {"basis__gaussiankernel__width": [0.3, 3.0, 30.0]}
    search = GridSearchCV(model, grid, cv=FOLDS).fit(X, Y)
    assert search.best_params_ == {"basis__gaussiankernel__width": 3.0}
    assert search.best_estimator_.basis.parts[0][1].width == 3.0
    assert model.basis.parts[0][1].width == "scale"


@not_converged
@pytest.mark.parametrize("inference", ["projection", "fast"])
def test_grid_search_of_a_classifier_by_its_probabilities(inference):
    grid = {"gamma": [1.0, 100.0], "kernel": ["rbf", "cauchy"]}
    model = RVC(inference=inference)
    search = GridSearchCV(model, grid, cv=3, scoring="neg_log_loss").fit(MOONS, LABELS)
    assert search.best_params_["gamma"] == 1.0
    assert search.best_score_ > -0.4


def test_many_classes_by_one_against_the_rest():
    inputs, y = load_iris(return_X_y=True)
    model = OneVsRestClassifier(RVC()).fit(inputs[::2], y[::2])
    assert model.score(inputs[1::2], y[1::2]) > 0.9


def test_pipeline_passes_return_std_on():
    pipeline = make_pipeline(StandardScaler(), RVR()).fit(X, Y)
    scaler = StandardScaler().fit(X)
    alone = RVR().fit(scaler.transform(X), Y)
    for found, expected in zip(
        pipeline.predict(NEW, return_std=True),
        alone.predict(scaler.transform(NEW), return_std=True),
        strict=True,
    ):
        assert_allclose(found, expected, rtol=1e-12)


def test_cross_validation_of_a_precomputed_kernel_equals_that_of_its_inputs():
    fast = {"inference": "fast"}
    gram = rbf_kernel(X, gamma=0.1)
    assert_allclose(
        cross_val_score(RVR(kernel="precomputed", **fast), gram, Y, cv=FOLDS),
        cross_val_score(RVR(gamma=0.1, **fast), X, Y, cv=FOLDS),
        rtol=1e-6,
    )
    gram = rbf_kernel(MOONS, gamma=1.0)
    ask = {"cv": FOLDS, "method": "predict_proba"}
    assert_allclose(
        cross_val_predict(RVC("precomputed", **fast), gram, LABELS, **ask),
        cross_val_predict(RVC(gamma=1.0, **fast), MOONS, LABELS, **ask),
        rtol=1e-6,
    )


def test_cross_validation_of_projections_of_a_precomputed_kernel():
    """Without an intercept: next to a kernel that is not known to fall off they have a bias."""
    gram = rbf_kernel(X, gamma=0.1)
    assert_allclose(
        cross_val_score(RVR("precomputed", fit_intercept=False), gram, Y, cv=FOLDS),
        cross_val_score(RVR(gamma=0.1, fit_intercept=False), X, Y, cv=FOLDS),
        rtol=1e-5,
    )
    gram = rbf_kernel(MOONS, gamma=1.0)
    ask = {"cv": FOLDS, "method": "predict_proba"}
    assert_allclose(
        cross_val_predict(RVC("precomputed", fit_intercept=False), gram, LABELS, **ask),
        cross_val_predict(RVC(gamma=1.0, fit_intercept=False), MOONS, LABELS, **ask),
        atol=0.03,  # variances are those of the covering rows, which may be others
    )


def test_grid_search_of_a_precomputed_kernel_equals_that_of_its_inputs():
    grid, gram = {"fit_intercept": [True, False]}, rbf_kernel(X, gamma=0.1)
    precomputed, direct = (
        GridSearchCV(RVR(kernel, gamma=0.1, inference="fast"), grid, cv=FOLDS).fit(inputs, Y)
        for kernel, inputs in (("precomputed", gram), ("rbf", X))
    )
    for key in "split0_test_score", "split1_test_score", "mean_test_score":
        assert_allclose(precomputed.cv_results_[key], direct.cv_results_[key], rtol=1e-6)
    new = rbf_kernel(NEW, X, gamma=0.1)
    assert_allclose(precomputed.predict(new), direct.predict(NEW), rtol=1e-6, atol=1e-9)
    relevance = np.sort(direct.best_estimator_.relevance_)
    assert_array_equal(np.sort(precomputed.best_estimator_.relevance_), relevance)


# tables and sparse matrices


def table(kind, array):
    module = pytest.importorskip(kind)
    columns = {f"f{k}": array[:, k] for k in range(array.shape[1])}
    return module.table(columns) if kind == "pyarrow" else module.DataFrame(columns)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize(("estimator", "y"), [(RVR(gamma=1.0), RESPONSE), (RVC(gamma=1.0), LABELS)])
def test_tables_keep_their_names_and_change_no_prediction(estimator, y, kind):
    frame = table(kind, MOONS)
    model, plain = clone(estimator).fit(frame, y), clone(estimator).fit(MOONS, y)
    assert model.feature_names_in_.tolist() == ["f0", "f1"]
    assert not hasattr(plain, "feature_names_in_")
    assert_allclose(model.predict(frame), plain.predict(MOONS), rtol=1e-9)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(MOONS)


def test_tables_name_the_columns_of_the_model():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"dose": MOONS[:, 0], "age": MOONS[:, 1]})
    model = SparseBayesRegressor(Linear() + Bias()).fit(frame, RESPONSE + 5 * MOONS[:, 1] + 3)
    assert model.column_names_ == ["dose", "age", "bias"]


@pytest.mark.parametrize("estimator", [RVR(), RVC()])
def test_a_lazy_frame_is_refused_in_words(estimator):
    polars = pytest.importorskip("polars")
    lazy = polars.LazyFrame({"f0": MOONS[:, 0], "f1": MOONS[:, 1]})
    with pytest.raises(TypeError, match=r"X is a lazy frame, .* call X.collect\(\) first"):
        estimator.fit(lazy, LABELS)


@pytest.mark.parametrize("estimator", [RVR(), RVC()])
def test_a_lazy_frame_is_refused_in_words_by_predict(estimator):
    polars = pytest.importorskip("polars")
    model = clone(estimator).fit(MOONS, LABELS)
    with pytest.raises(TypeError, match=r"X is a lazy frame, .* call X.collect\(\) first"):
        model.predict(polars.LazyFrame({"f0": MOONS[:, 0], "f1": MOONS[:, 1]}))


# metadata routing


def test_sample_weight_is_routed():
    weight = np.random.default_rng(0).integers(1, 3, 80).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = RVR().set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, model).fit(X, Y, sample_weight=weight)
    inputs = StandardScaler().fit_transform(X)
    expected = RVR().fit(inputs, Y, sample_weight=weight).predict(inputs)
    assert_allclose(pipeline.predict(X), expected, rtol=1e-12)
    assert not np.allclose(RVR().fit(inputs, Y).predict(inputs), expected, rtol=1e-6)


def test_return_std_is_routed():
    with sklearn.config_context(enable_metadata_routing=True):
        model = RVR().set_predict_request(return_std=True)
        mean, std = make_pipeline(StandardScaler(), model).fit(X, Y).predict(NEW, return_std=True)
    assert mean.shape == std.shape == (25,)
