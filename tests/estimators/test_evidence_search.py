"""EvidenceSearch: the choice of a loop by hand, in the clothes of GridSearchCV."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics import r2_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    EvidenceSearch,
    GaussianKernel,
    Linear,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from sparsebayes.datasets import noisy_sinc

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

X, Y = noisy_sinc(60, random_state=0)
MOONS, LABELS = make_moons(60, noise=0.3, random_state=0)
WIDTHS = [1e-3, 1e-2, 0.1, 1.0, 10.0]
GRID = {"gamma": WIDTHS}


def price(model):
    """What a column costs: a uniform prior of 12 decades, a Gaussian of curvature 1/2.

    A Gaussian process has one precision for all columns of its kernel.
    """
    process = model.inference == "projection"
    kernels = 1 if process else len(model.relevance_)
    return (kernels + ("bias" in model.column_names_)) * np.log(
        12.0 * np.log(10.0) / np.sqrt(4.0 * np.pi)
    )


CRITERIA = {
    "log_evidence": lambda model: model.log_evidence_,
    "marginal": lambda model: model.log_evidence_ - price(model),
    "lower_bound": lambda model: model.lower_bound_,
}


@pytest.mark.parametrize(
    ("inference", "criterion"),
    [
        ("projection", "log_evidence"),
        ("projection", "marginal"),
        ("fast", "log_evidence"),
        ("fast", "marginal"),
        ("variational", "lower_bound"),
    ],
)
@pytest.mark.parametrize(("kind", "inputs", "target"), [(RVR, X, Y), (RVC, MOONS, LABELS)])
def test_it_picks_what_a_loop_picks(kind, inputs, target, inference, criterion):
    estimator = kind(inference=inference)
    models = [clone(estimator).set_params(gamma=gamma).fit(inputs, target) for gamma in WIDTHS]
    values = [CRITERIA[criterion](model) for model in models]
    best = int(np.argmax(values))
    search = EvidenceSearch(estimator, GRID, criterion=criterion).fit(inputs, target)
    assert_allclose(search.cv_results_["mean_test_score"], values, rtol=1e-9)
    assert search.best_index_ == best
    assert search.best_params_ == {"gamma": WIDTHS[best]}
    assert_allclose(search.best_score_, values[best], rtol=1e-9)
    assert_array_equal(search.best_estimator_.weights_, models[best].weights_)
    assert_array_equal(search.predict(inputs), models[best].predict(inputs))
    assert np.ptp(values) > 1.0


def test_its_table_has_one_split_per_candidate():
    table = EvidenceSearch(RVR(), GRID).fit(X, Y).cv_results_
    assert table["params"] == [{"gamma": gamma} for gamma in WIDTHS]
    assert_array_equal(table["split0_test_score"], table["mean_test_score"])
    assert not any(name.startswith("split1") for name in table)
    order = np.argsort(-table["mean_test_score"])
    assert_array_equal(table["rank_test_score"][order], np.arange(1, 6))


def test_each_candidate_is_fitted_once_and_the_best_again():
    fits = []

    class Counted(RVR):
        def fit(self, X, y, sample_weight=None):
            fits.append(len(y))
            return super().fit(X, y, sample_weight)

    EvidenceSearch(Counted(), GRID).fit(X, Y)
    assert fits == [60] * 6


def test_scores_are_those_of_the_best_estimator():
    search = EvidenceSearch(RVR(), GRID).fit(X, Y)
    assert search.score(X, Y) == r2_score(Y, search.predict(X)) > 0.8
    search = EvidenceSearch(RVC(), GRID).fit(MOONS, LABELS)
    assert search.score(MOONS, LABELS) == np.mean(search.predict(MOONS) == LABELS) > 0.8
    assert search.predict_proba(MOONS).shape == (60, 2)


# What can be searched.


def test_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), RVR())
    search = EvidenceSearch(pipeline, {"rvr__gamma": [0.1, 3.0, 100.0]}).fit(X, Y)
    inputs = StandardScaler().fit_transform(X)
    direct = EvidenceSearch(RVR(), {"gamma": [0.1, 3.0, 100.0]}).fit(inputs, Y)
    assert search.best_params_ == {"rvr__gamma": direct.best_params_["gamma"]}
    table = [found.cv_results_["mean_test_score"] for found in (search, direct)]
    assert_allclose(*table, rtol=1e-9)


def test_a_list_of_grids():
    grids = [{"kernel": ["rbf", "cauchy"], "gamma": [0.1, 1.0]}, {"kernel": ["linear_spline"]}]
    search = EvidenceSearch(RVR(), grids).fit(X, Y)
    assert len(search.cv_results_["params"]) == 5
    values = [
        EvidenceSearch(RVR(), [{name: [value] for name, value in params.items()}])
        .fit(X, Y)
        .best_score_
        for params in search.cv_results_["params"]
    ]
    assert_allclose(search.cv_results_["mean_test_score"], values, rtol=1e-12)


def test_whole_bases():
    bases = [
        Linear() + Bias(),
        GaussianKernel(3.0) + Bias(),
        GaussianKernel(0.1) + Linear() + Bias(),
    ]
    slope = 0.3 * X[:, 0] + 0.1 * np.random.default_rng(0).normal(size=60)
    for target, best in ((Y, 1), (slope, 0)):
        search = EvidenceSearch(SparseBayesRegressor(), {"basis": bases}).fit(X, target)
        assert search.best_index_ == best


def test_a_classifier_over_bases():
    bases = [Linear() + Bias(), GaussianKernel(1.0) + Bias()]
    ring = (np.hypot(*MOONS.T) > 1.0).astype(int)
    line = (MOONS[:, 0] + 0.2 * np.random.default_rng(0).normal(size=60) > 0.5).astype(int)
    for labels, best in ((ring, 1), (line, 0)):
        search = EvidenceSearch(SparseBayesClassifier(), {"basis": bases}).fit(MOONS, labels)
        assert search.best_index_ == best


# What the best estimator can.


def test_error_bars_quantiles_and_samples_of_the_best_estimator():
    search = EvidenceSearch(RVR(), GRID).fit(X, Y)
    best = search.best_estimator_
    for option in ({"return_std": True}, {"return_cov": True}):
        for found, expected in zip(
            search.predict(X, **option), best.predict(X, **option), strict=True
        ):
            assert_array_equal(found, expected)
    assert_array_equal(search.predict_quantiles(X, [0.1]), best.predict_quantiles(X, [0.1]))
    assert_array_equal(search.predict_quantiles(X), best.predict_quantiles(X))
    assert_array_equal(search.sample_y(X, 3, 1), best.sample_y(X, 3, 1))


def test_error_bars_of_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), RVR())
    search = EvidenceSearch(pipeline, {"rvr__gamma": [3.0]}).fit(X, Y)
    mean, std = search.predict(X, return_std=True)
    assert_array_equal(mean, search.predict(X))
    assert mean.shape == std.shape == (60,)


@pytest.mark.parametrize("name", ["predict_quantiles", "sample_y"])
def test_what_a_classifier_cannot_is_not_offered(name):
    for search in (EvidenceSearch(RVC(), GRID), EvidenceSearch(RVC(), GRID).fit(MOONS, LABELS)):
        assert not hasattr(search, name)
        assert hasattr(search, "predict")
        assert hasattr(search, "predict_proba")
    assert hasattr(EvidenceSearch(RVR(), GRID), name)


def test_options_that_a_classifier_has_not_are_refused():
    search = EvidenceSearch(RVC(), GRID).fit(MOONS, LABELS)
    with pytest.raises(TypeError, match="return_std"):
        search.predict(MOONS, return_std=True)


@pytest.mark.parametrize("name", ["predict", "predict_quantiles", "sample_y"])
def test_an_unfitted_search_says_that_it_is_unfitted(name):
    with pytest.raises(NotFittedError, match="EvidenceSearch instance is not fitted"):
        getattr(EvidenceSearch(RVR(), GRID), name)(X)


def test_parameters_of_an_inference_can_be_searched():
    grid = {"inference__fidelity": [1.0, 10.0]}
    estimator = RVR(gamma=0.1, inference=Projection())
    search = EvidenceSearch(estimator, grid, criterion="log_evidence").fit(X, Y)
    assert len(search.cv_results_["params"]) == 2
    assert search.best_estimator_.inference.fidelity in (1.0, 10.0)


# How it is called.


@pytest.mark.slow
@pytest.mark.long
def test_two_jobs_find_the_same():
    one, two = (EvidenceSearch(RVR(), GRID, n_jobs=n).fit(X, Y) for n in (None, 2))
    assert_allclose(
        two.cv_results_["mean_test_score"], one.cv_results_["mean_test_score"], rtol=1e-12
    )


def test_without_a_refit_there_is_no_estimator():
    search = EvidenceSearch(RVR(), GRID, refit=False).fit(X, Y)
    assert search.best_params_ == EvidenceSearch(RVR(), GRID).fit(X, Y).best_params_
    assert not hasattr(search, "best_estimator_")
    for name in ("predict", "predict_quantiles", "sample_y"):
        assert not hasattr(search, name)


def test_parameters_and_copies():
    search = EvidenceSearch(RVR(), GRID, criterion="log_evidence", n_jobs=1)
    names = {"estimator", "param_grid", "criterion", "n_jobs", "refit", "verbose", "error_score"}
    assert set(search.get_params(deep=False)) == names
    search.set_params(estimator__tol=0.1, criterion="marginal")
    copy = clone(search)
    assert copy.estimator.tol == 0.1
    assert copy.criterion == "marginal"
    assert repr(copy) == repr(search)
    assert "EvidenceSearch" in search._repr_html_()


def test_the_search_leaves_the_estimator_alone():
    estimator = RVR(gamma="scale")
    EvidenceSearch(estimator, GRID).fit(X, Y)
    assert estimator.gamma == "scale"
    assert not hasattr(estimator, "weights_")


def test_a_search_can_be_pickled():
    search = EvidenceSearch(RVR(), GRID).fit(X, Y)
    assert_array_equal(pickle.loads(pickle.dumps(search)).predict(X), search.predict(X))


@pytest.mark.filterwarnings("ignore:.* does not support sample_weight:UserWarning")
@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_weights_are_passed_to_the_fit(inference):
    weight = np.random.default_rng(0).integers(1, 4, 60)
    estimator = RVR(inference=inference)
    search = EvidenceSearch(estimator, GRID).fit(X, Y, sample_weight=weight)
    models = [
        clone(estimator).set_params(gamma=gamma).fit(X, Y, sample_weight=weight) for gamma in WIDTHS
    ]
    values = [CRITERIA["marginal"](model) for model in models]
    assert_allclose(search.cv_results_["mean_test_score"], values, rtol=1e-9)
    plain = EvidenceSearch(estimator, GRID).fit(X, Y)
    assert abs(plain.best_score_ - search.best_score_) > 1.0


def test_weights_are_no_cause_for_a_warning():
    """The evidence has counted them already."""
    EvidenceSearch(RVR(), {"gamma": [0.1]}).fit(X, Y, sample_weight=np.ones(60))


def test_weights_reach_the_last_step_of_a_pipeline():
    weight = np.random.default_rng(0).integers(1, 4, 60)
    pipeline = make_pipeline(StandardScaler(), RVR(gamma=3.0))
    search = EvidenceSearch(pipeline, {"rvr__tol": [1e-3]}, criterion="log_evidence")
    search.fit(X, Y, rvr__sample_weight=weight)
    inputs = StandardScaler().fit_transform(X)
    direct = RVR(gamma=3.0).fit(inputs, Y, sample_weight=weight)
    assert_allclose(search.best_score_, direct.log_evidence_, rtol=1e-9)


def test_a_table():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": MOONS[:, 0], "b": MOONS[:, 1]})
    search = EvidenceSearch(RVC(), GRID).fit(frame, pandas.Series(LABELS))
    assert search.best_estimator_.feature_names_in_.tolist() == ["a", "b"]
    plain = EvidenceSearch(RVC(), GRID).fit(MOONS, LABELS)
    assert search.best_params_ == plain.best_params_
    assert_array_equal(search.predict(frame), plain.predict(MOONS))


def test_a_sparse_matrix():
    search = EvidenceSearch(RVC(), GRID).fit(csr_array(MOONS), LABELS)
    plain = EvidenceSearch(RVC(), GRID).fit(MOONS, LABELS)
    assert_allclose(
        search.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"], rtol=1e-6
    )


def test_a_precomputed_kernel():
    gram = np.exp(-0.1 * (X - X.T) ** 2)
    grid = {"fit_intercept": [True, False]}
    search = EvidenceSearch(RVR("precomputed", inference="fast"), grid).fit(gram, Y)
    direct = EvidenceSearch(RVR(gamma=0.1, inference="fast"), grid).fit(X, Y)
    assert_allclose(
        search.cv_results_["mean_test_score"], direct.cv_results_["mean_test_score"], rtol=1e-6
    )


# What is wrong.


@pytest.mark.parametrize("criterion", ["nope", "accuracy", None, 3])
def test_a_criterion_that_does_not_exist(criterion):
    words = "criterion must be one of 'marginal', 'log_evidence', 'lower_bound', got"
    with pytest.raises(ValueError, match=words):
        EvidenceSearch(RVR(), GRID, criterion=criterion).fit(X, Y)


def test_the_bound_of_an_inference_that_has_none():
    search = EvidenceSearch(RVR(), GRID, criterion="lower_bound", error_score="raise")
    words = r"criterion='lower_bound' needs .* inference=\"variational\"; got RVR\(gamma=0.001\)"
    with pytest.raises(ValueError, match=words):
        search.fit(X, Y)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_an_estimator_that_is_not_ours(criterion):
    search = EvidenceSearch(SVR(), GRID, criterion=criterion, error_score="raise")
    words = r"needs an estimator of this package, .*; got SVR\(gamma=0.001\)"
    with pytest.raises(ValueError, match=words):
        search.fit(X, Y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_a_candidate_that_fails_does_not_win():
    search = EvidenceSearch(RVR(), {"gamma": [-1.0, 0.1]}, error_score=np.nan)
    with pytest.warns(UserWarning, match="One or more of the test scores are non-finite"):
        search.fit(X, Y)
    assert np.isnan(search.cv_results_["mean_test_score"][0])
    assert search.best_params_ == {"gamma": 0.1}
