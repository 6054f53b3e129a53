"""Inferences as parameters of estimators: names, objects, and what they tune."""

import inspect

import numpy as np
import pytest
from estimator_data import INFERENCES, LABELS, MOONS, X, Y, prediction
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold

from sparsebayes import (
    EM,
    RVC,
    RVR,
    Bias,
    Fast,
    Gamma,
    GaussianKernel,
    GivenColumns,
    Linear,
    Mackay,
    Polynomial,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
    Variational,
)
from sparsebayes.estimators._asked import asked_of

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

OBJECTS = dict(zip(INFERENCES, [Fast, Mackay, EM, Variational, Projection], strict=True))
KINDS = pytest.mark.parametrize("kind", [RVR, RVC, SparseBayesRegressor, SparseBayesClassifier])


@pytest.mark.parametrize("name", INFERENCES)
@pytest.mark.parametrize(("kind", "inputs", "y"), [(RVR, X, Y), (RVC, MOONS, LABELS)])
def test_a_name_stands_for_an_object_with_its_defaults(kind, inputs, y, name):
    by_name, by_object = (
        kind(gamma="scale", max_iter=30, inference=inference).fit(inputs, y)
        for inference in (name, OBJECTS[name]())
    )
    assert_array_equal(prediction(by_object, inputs), prediction(by_name, inputs))


@KINDS
def test_no_constructor_has_too_many_parameters(kind):
    most = 15 if kind in (RVC, SparseBayesClassifier) else 14
    assert len(inspect.signature(kind).parameters) <= most


@KINDS
@pytest.mark.parametrize("gone", ["warm_start", "shared_precision", "min_gain", "fidelity"])
def test_parameters_live_with_the_part_they_tune(kind, gone):
    assert gone not in kind().get_params()
    with pytest.raises(TypeError, match=gone):
        kind(**{gone: 1})


@KINDS
def test_parameters_of_an_inference_are_nested(kind):
    model = kind(inference=Projection(fidelity=7.0))
    assert model.get_params()["inference__fidelity"] == 7.0
    assert "inference__fidelity" not in model.get_params(deep=False)
    model.set_params(inference__fidelity=9.0, inference__min_gain=1.0)
    assert (model.inference.fidelity, model.inference.min_gain) == (9.0, 1.0)


def test_names_of_inferences_have_nothing_to_tune():
    assert not [name for name in RVR().get_params() if name.startswith("inference__")]
    words = r"inference__fidelity needs an inference that is an object, .* got inference='proj"
    with pytest.raises(ValueError, match=words):
        RVR().set_params(inference__fidelity=3.0)
    model = RVR().set_params(inference=Projection(), inference__fidelity=4.0)
    assert model.inference.fidelity == 4.0


@pytest.mark.parametrize(
    ("inference", "known"),
    [(Mackay(), "'weight_hyperprior'"), (Projection(), "'fidelity', 'min_gain'"), (Fast(), "'min")],
)
def test_a_parameter_that_an_inference_has_not_is_named(inference, known):
    with pytest.raises(ValueError, match=f"has no parameter 'nope'; its parameters: {known}"):
        RVR(inference=inference).set_params(inference__nope=1)


@pytest.mark.parametrize(
    "inference",
    [
        Fast(min_gain=2.0),
        Fast(0.0, Gamma(1.0, 1.0), Gamma(1.0, 1.0)),
        Mackay(),
        EM(),
        Variational(weight_hyperprior=Gamma(1.0, 2.0)),
        Projection(fidelity=10.0),
    ],
    ids=repr,
)
def test_a_clone_has_an_inference_of_its_own(inference):
    model = RVR(inference=inference)
    copy = clone(model)
    assert repr(copy) == repr(model)
    assert copy.inference is not model.inference
    assert copy.inference.get_params() == inference.get_params()
    assert eval(repr(inference)) == inference


def test_setting_a_parameter_of_a_clone_leaves_the_original():
    model = RVR(inference=Projection())
    clone(model).set_params(inference__fidelity=30.0)
    assert model.inference.fidelity == 10.0


def test_a_fit_does_not_change_its_inference():
    for inference in (Fast(min_gain=1.0), Variational(), Projection(fidelity=5.0)):
        before = repr(inference), dict(vars(inference))
        RVR(gamma=0.1, inference=inference).fit(X, Y)
        assert (repr(inference), dict(vars(inference))) == before


def test_grid_search_over_fidelity():
    grid = {"inference__fidelity": [0.01, 10.0]}
    folds = KFold(3, shuffle=True, random_state=0)
    estimator = RVR(gamma=0.1, inference=Projection(fidelity=30.0))
    search = GridSearchCV(estimator, grid, cv=folds).fit(X, Y)
    assert search.best_params_ == {"inference__fidelity": 10.0}
    assert search.best_estimator_.inference.fidelity == 10.0
    assert estimator.inference.fidelity == 30.0
    expected = RVR(gamma=0.1, inference=Projection(fidelity=10.0)).fit(X, Y)
    assert_array_equal(search.predict(X), expected.predict(X))


def test_grid_search_over_names_and_objects():
    grid = {"inference": ["fast", Projection(fidelity=10.0), Fast(min_gain=2.0)]}
    search = GridSearchCV(RVC(gamma="scale"), grid, cv=2).fit(MOONS, LABELS)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_more_fidelity_takes_more_vectors():
    few, many = (
        len(RVR(gamma=0.1, inference=Projection(fidelity=fidelity)).fit(X, Y).relevance_)
        for fidelity in (0.3, 100.0)
    )
    assert few < many


def test_an_inference_is_shown_as_it_was_made():
    assert repr(RVR(inference=Projection(fidelity=3))) == "RVR(inference=Projection(fidelity=3))"
    assert "Projection" in RVR(inference=Projection(fidelity=3))._repr_html_()


def test_the_kernel_machines_are_projections_and_any_basis_is_what_it_holds():
    assert RVR().inference == RVC().inference == "projection"
    assert SparseBayesRegressor().inference == SparseBayesClassifier().inference == "auto"
    assert Projection().fidelity == 10.0


@pytest.mark.parametrize("model", [SparseBayesRegressor, SparseBayesClassifier])
@pytest.mark.parametrize(
    ("basis", "expected"),
    [
        (None, Projection()),
        (GaussianKernel(1.0) + Linear() + Bias(), Projection()),
        (GaussianKernel(1.0) + Linear(groups=[0, 0]), Fast()),
        (GaussianKernel(width=[1.0, 2.0]) + Bias(), Fast()),
        (Linear() + Bias(), Fast()),
        (Polynomial(2), Fast()),
        (GivenColumns(np.asarray), Fast()),
    ],
    ids=["default", "trend", "groups", "no covariance", "inputs", "products", "given"],
)
def test_a_kernel_that_is_a_covariance_follows_a_process(model, basis, expected):
    """Error bars of "fast" shrink away from the data: 26 % of a future in intervals of 90 %."""
    assert asked_of(model(basis)).inference == expected
    assert asked_of(model(basis, inference="fast")).inference == Fast()


def test_a_trend_beside_a_kernel_goes_on_with_error_bars_that_hold():
    """Of "fast" they hold a third of the future here."""
    held = []
    for seed in range(4):
        random = np.random.default_rng(seed)
        time = np.linspace(0.0, 10.0, 140)[:, None]
        y = 2.0 * np.log1p(time[:, 0]) + 0.5 * time[:, 0] + random.normal(0.0, 0.2, 140)
        basis = GaussianKernel(input_scale="learn") + Linear() + Bias()
        model = SparseBayesRegressor(basis).fit(time[:90], y[:90])
        low, high = model.predict_quantiles(time[90:], [0.05, 0.95]).T
        held.append(np.mean((low < y[90:]) & (y[90:] < high)))
    assert np.mean(held) > 0.7


def test_auto_is_no_inference_of_a_kernel_machine():
    with pytest.raises(ValueError, match="inference must be one of"):
        RVR(inference="auto").fit(np.arange(5.0)[:, None], np.arange(5.0))
