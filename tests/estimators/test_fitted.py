"""What a fit leaves behind: attributes, and files that predict the same."""

import io
import pickle

import numpy as np
import pytest
from estimator_data import LABELS, MOONS, RESPONSE, X, Y, prediction
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone, is_classifier
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    EvidenceSearch,
    Fast,
    Gamma,
    GaussianKernel,
    Linear,
    Outcome,
    Polynomial,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
    Variational,
)
from sparsebayes.export import skops_types

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


# attributes


@pytest.mark.parametrize(
    ("estimator", "inputs", "target"),
    [
        (RVR(gamma=0.1, inference="fast"), X, Y),
        (RVC(gamma="scale", inference="fast"), MOONS, LABELS),
        (SparseBayesRegressor(GaussianKernel(3.0) + Linear(), inference="fast"), X, Y),
        (
            SparseBayesClassifier(GaussianKernel(1.0) + Linear() + Bias(), inference="fast"),
            MOONS,
            LABELS,
        ),
    ],
    ids=["RVR", "RVC", "SparseBayesRegressor", "SparseBayesClassifier"],
)
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


@pytest.mark.parametrize("fixture", ["regressor", "classifier"])
def test_the_history_of_a_projection_is_that_of_the_search_for_vectors(fixture, request):
    """Its evidence is that of the mean of the dense model, and not of the targets."""
    model = request.getfixturevalue(fixture)
    last = model.history_[-1]
    assert len(model.history_) == model.n_iter_ + 1
    assert last.n_active == len(model.weights_) == len(model.relevance_)
    assert last.gradient < model.tol
    assert 0 <= last.largest_gain <= model.tol
    assert last.log_evidence != model.log_evidence_
    assert last.log_evidence > model.history_[0].log_evidence


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lower_bound_", 'needs inference="variational"'),
        ("noise_posterior_", 'needs inference="variational"'),
        ("input_relevance_", "needs a scale for each input"),
    ],
)
def test_attributes_that_a_fit_has_not_say_what_they_need(regressor, name, words):
    assert not hasattr(regressor, name)
    with pytest.raises(AttributeError, match=words):
        getattr(regressor, name)


def test_attributes_cannot_be_set():
    with pytest.raises(AttributeError):
        RVR().weights_ = 1.0


# files


class Arrays(pickle.Pickler):
    """Notes the shape of every array that is pickled."""

    def __init__(self):
        super().__init__(io.BytesIO(), protocol=5)
        self.shapes = []

    def reducer_override(self, thing):
        if isinstance(thing, np.ndarray):
            self.shapes.append(thing.shape)
        return NotImplemented


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
@pytest.mark.parametrize(
    "estimator",
    [RVR(), RVC(), RVR(inference="fast"), RVC(inference="fast")],
    ids=str,
)
def test_a_pickle_holds_no_training_data(estimator, kernel):
    n = 400
    inputs = np.random.default_rng(0).normal(size=(n, 2))
    y = np.sin(inputs[:, 0]) + 0.1 * np.random.default_rng(1).normal(size=n)
    y = y > 0 if is_classifier(estimator) else y
    gram = rbf_kernel(inputs, gamma=0.5)
    data = gram if kernel == "precomputed" else inputs
    model = clone(estimator).set_params(kernel=kernel, gamma=0.5).fit(data, y)
    assert len(pickle.dumps(model)) < 0.1 * gram.nbytes
    arrays = Arrays()
    arrays.dump(model)
    assert arrays.shapes
    assert not any(n in shape for shape in arrays.shapes)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict(data), model.predict(data))


TWO = np.column_stack([RESPONSE, MOONS[:, 1] - RESPONSE])
THREE = LABELS + (MOONS[:, 0] > 1.0)
EVERY_KIND = {
    "RVR": (RVR(), RESPONSE),
    "given noise": (RVR(noise_std=0.2), RESPONSE),
    "fast": (RVR(gamma=1.0, inference=Fast(min_gain=0.5)), RESPONSE),
    "mackay": (RVR(gamma=1.0, inference="mackay", max_iter=50), RESPONSE),
    "em": (RVR(gamma=1.0, inference="em", max_iter=50), RESPONSE),
    "variational": (RVR(gamma=1.0, inference=Variational(Gamma(1e-3, 1e-3))), RESPONSE),
    "projection": (RVR(inference=Projection(fidelity=5.0)), RESPONSE),
    "shared outputs": (RVR(), TWO),
    "fast outputs": (RVR(gamma=1.0, inference="fast"), TWO),
    "separate outputs": (RVR(multi_output="separate"), TWO),
    "variational outputs": (RVR(multi_output="separate", inference="variational"), TWO),
    "laplacian": (RVR("laplacian", gamma=[1.0, 2.0]), RESPONSE),
    "poly": (RVR("poly", coef0=1.0), RESPONSE),
    "spline": (RVR("linear_spline"), RESPONSE),
    "bias of the paper": (RVR(gamma=1.0, fit_intercept="column"), RESPONSE),
    "no intercept": (RVR("linear", fit_intercept=False), RESPONSE),
    "centres": (RVR(gamma=1.0, centres=MOONS[:9]), RESPONSE),
    "a function": (RVR(laplacian_kernel), RESPONSE),
    "RVC": (RVC(), LABELS),
    "words": (RVC(gamma=1.0), np.where(LABELS, "yes", "no")),
    "several classes": (RVC(gamma=1.0), THREE),
    "ovr": (RVC(gamma=1.0, multi_class="ovr"), THREE),
    "softmax": (RVC("poly", multi_class="softmax"), THREE),
    "variational classes": (RVC(gamma=1.0, inference="variational"), LABELS),
    "fast classes": (RVC(gamma=1.0, inference="fast"), LABELS),
    "fast softmax": (RVC(gamma=1.0, multi_class="softmax", inference="fast"), THREE),
    "fast shared softmax": (RVC(gamma=1.0, multi_class="shared_softmax", inference="fast"), THREE),
    "any basis": (
        SparseBayesRegressor(GaussianKernel(1.0) + Linear() + Polynomial(2) + Bias()),
        RESPONSE,
    ),
    "any basis of classes": (SparseBayesClassifier(Linear() + Bias()), LABELS),
    "projection of any basis": (
        SparseBayesRegressor(GaussianKernel(1.0) + Linear() + Bias(), inference="projection"),
        RESPONSE,
    ),
    "search": (EvidenceSearch(RVR(), {"gamma": [0.1, 1.0]}), RESPONSE),
}


@pytest.fixture(scope="module", params=EVERY_KIND)
def kept(request):
    """A fitted model of every kind."""
    estimator, y = EVERY_KIND[request.param]
    return clone(estimator).fit(MOONS, y)


def assert_same_predictions(found, expected):
    assert_array_equal(prediction(found, MOONS), prediction(expected, MOONS))
    assert_array_equal(found.predict(MOONS), expected.predict(MOONS))
    if hasattr(expected, "predict_quantiles"):
        assert_array_equal(found.predict_quantiles(MOONS), expected.predict_quantiles(MOONS))
        assert_array_equal(found.predict(MOONS, return_std=True)[1], deviation(expected))
    else:
        assert_array_equal(found.predict_proba(MOONS), expected.predict_proba(MOONS))


def deviation(model):
    return model.predict(MOONS, return_std=True)[1]


@pytest.mark.slow
def test_a_skops_file_predicts_the_same(kept):
    files = pytest.importorskip("skops.io")
    data = files.dumps(kept)
    found = files.loads(data, trusted=files.get_untrusted_types(data=data))
    assert_same_predictions(found, kept)
    if not isinstance(kept, EvidenceSearch):
        assert found.outcome_ is kept.outcome_
        assert_allclose(found.log_evidence_, kept.log_evidence_)
        assert found.column_names_ == kept.column_names_


@pytest.mark.slow
def test_a_skops_file_needs_trust_in_classes_of_the_package_only(kept):
    """No private function, no functools.partial: nothing that could run code by itself."""
    files = pytest.importorskip("skops.io")
    names = files.get_untrusted_types(data=files.dumps(kept))
    assert names
    for name in set(names) - {"sklearn.metrics.pairwise.laplacian_kernel"}:  # the user's own
        module, _, last = name.rpartition(".")
        assert module.startswith("sparsebayes."), name
        assert not last.startswith("_"), name
        assert isinstance(getattr(__import__(module, fromlist=[last]), last), type), name


@pytest.mark.slow
def test_a_skops_file_needs_no_trust_beyond_the_list(kept):
    files = pytest.importorskip("skops.io")
    if not callable(getattr(kept, "kernel", None)):
        assert_same_predictions(files.loads(files.dumps(kept), trusted=skops_types()), kept)


def test_the_types_that_a_skops_file_of_a_regressor_holds(regressor):
    """A list to show in documentation; a change of it is a change for readers of files."""
    files = pytest.importorskip("skops.io")
    names = files.get_untrusted_types(data=files.dumps(regressor))
    assert [name.removeprefix("sparsebayes.") for name in names] == [
        "basis.basis.Sum",
        "basis.features.Bias",
        "basis.radial.GaussianKernel",
        "columns.columns.Columns",
        "columns.formulas.Formula",
        "estimators._fitted.Fitted",
        "estimators.rvr.RVR",
        "inference.state.Step",
        "likelihoods.gaussian.Gaussian",
        "model.latent.Plain",
        "model.predictor.Predictor",
        "model.real.RealTargets",
        "model.spread.Spread",
    ]
