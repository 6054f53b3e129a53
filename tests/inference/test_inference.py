"""Inference objects as users and scikit-learn handle them."""

import pickle

import numpy as np
import problems
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from sparsebayes import EM, RVC, RVR, Fast, Gamma, Mackay, Projection, Variational, student_t
from sparsebayes.hyperpriors import FLAT
from sparsebayes.inference import INFERENCES
from sparsebayes.inference.phases import Schedule
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians, Softmax

PRIORS = ["weight_hyperprior", "noise_hyperprior"]
PARAMETERS = {
    Fast: ["min_gain", *PRIORS, "schedule"],
    Mackay: PRIORS,
    EM: PRIORS,
    Variational: PRIORS,
    Projection: ["fidelity", "min_gain"],
}
CHANGED = {
    "Fast(min_gain=2.0)": Fast(min_gain=2.0),
    "Fast(weight_hyperprior=Gamma(shape=1.0, rate=2.0))": Fast(weight_hyperprior=Gamma(1.0, 2.0)),
    "Mackay()": Mackay(),
    "EM(noise_hyperprior=Gamma(shape=1.0, rate=2.0))": EM(noise_hyperprior=Gamma(1.0, 2.0)),
    "Variational()": Variational(),
    "Projection(fidelity=3)": Projection(fidelity=3),
    "Projection(fidelity=3, min_gain=1.0)": Projection(3, 1.0),
}
KINDS = pytest.mark.parametrize("kind", PARAMETERS)
X = np.linspace(-5.0, 5.0, 40)[:, None]
Y = np.sinc(X[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=40)


def test_every_inference_has_a_name():
    assert list(INFERENCES.values()) == [Fast, Mackay, EM, Variational, Projection]
    assert list(INFERENCES) == ["fast", "mackay", "em", "variational", "projection"]


@KINDS
def test_parameters_are_the_fields(kind):
    assert list(kind().get_params()) == PARAMETERS[kind]
    assert kind(**kind().get_params()) == kind()


@pytest.mark.parametrize(("text", "inference"), CHANGED.items())
def test_what_is_shown_is_what_was_changed(text, inference):
    assert repr(inference) == text
    assert text in repr(RVR(inference=inference))


@pytest.mark.parametrize("inference", CHANGED.values(), ids=str)
def test_clones_and_pickles_are_equal(inference):
    model = clone(RVR(inference=inference))
    assert model.inference == inference
    assert model.inference is not inference
    assert pickle.loads(pickle.dumps(inference)) == inference
    assert inference != Fast(schedule=Schedule(start_steps=1))


def test_parameters_can_be_set():
    assert Fast().set_params(min_gain=2.0) == Fast(min_gain=2.0)
    model = RVR(inference=Projection()).set_params(inference__fidelity=7.0)
    assert model.inference.fidelity == model.get_params()["inference__fidelity"] == 7.0
    assert Projection().fidelity == 10.0


@pytest.mark.parametrize("kind", [Fast, Mackay])
def test_an_unknown_parameter_is_refused_with_the_known_ones(kind):
    with pytest.raises(ValueError, match=f"{kind.__name__} has no parameter 'fidelity'; .*noise"):
        kind().set_params(fidelity=3.0)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("model", "target"), [(RVR(gamma=1.0), Y), (RVC(gamma=1.0), Y > 0.1)], ids=["RVR", "RVC"]
)
def test_a_grid_can_search_the_parameters_of_an_inference(model, target):
    model.set_params(inference=Projection())
    grid = {"inference__fidelity": [1e-3, 3.0]}
    search = GridSearchCV(model, grid, cv=3).fit(X, target)
    assert search.best_params_ == {"inference__fidelity": 3.0}
    assert search.best_estimator_.inference == Projection(3.0)
    assert model.inference == Projection()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_grid_can_search_inferences():
    grid = {"inference": ["fast", Fast(min_gain=2.0), Mackay(), Projection(3)]}
    search = GridSearchCV(RVR(gamma=1.0), grid, cv=2).fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("name", INFERENCES)
def test_a_name_is_the_inference_with_all_defaults(name):
    models = [RVR(gamma=1.0, inference=each).fit(X, Y) for each in (name, INFERENCES[name]())]
    np.testing.assert_array_equal(*(model.predict(X) for model in models))


@pytest.mark.parametrize("inference", ["FAST", 3, Fast, None])
def test_anything_else_is_refused(inference):
    with pytest.raises(ValueError, match=r"inference must be one of 'fast', .*, or of Fast"):
        RVR(gamma=1.0, inference=inference).fit(X, Y)


# Hyperpriors.


@pytest.mark.parametrize("kind", [Fast, Mackay, EM])
def test_hyperpriors_are_flat_unless_they_are_given(kind):
    plain = problems.gaussian(*problems.regression(0))
    problem = kind().with_hyperpriors(plain)
    assert problem.weight_hyperprior == problem.noise_hyperprior == FLAT
    given = kind(weight_hyperprior=student_t(1.0), noise_hyperprior=Gamma(2.0, 3.0))
    problem = given.with_hyperpriors(plain)
    assert problem.weight_hyperprior == student_t(1.0)
    assert problem.noise_hyperprior == Gamma(2.0, 3.0)


def test_a_projection_has_flat_hyperpriors():
    problem = Projection().with_hyperpriors(problems.gaussian(*problems.regression(0)))
    assert problem.weight_hyperprior == problem.noise_hyperprior == FLAT


@pytest.mark.parametrize("kind", [Fast, Mackay, EM, Variational])
@pytest.mark.parametrize("name", PRIORS)
def test_a_hyperprior_is_a_gamma(kind, name):
    kind(**{name: Gamma(1.0, 1.0)}).check()
    with pytest.raises(ValueError, match=rf"{name} must be None \((flat|broad)\) or a Gamma"):
        kind(**{name: 1.0}).check()


@pytest.mark.parametrize("name", PRIORS)
def test_those_of_a_bound_must_be_proper(name):
    Fast(**{name: FLAT}).check()
    with pytest.raises(ValueError, match=f"{name} of Variational must have a positive shape"):
        Variational(**{name: FLAT}).check()


@pytest.mark.parametrize("kind", [Fast, Mackay, EM, Variational])
@pytest.mark.parametrize("likelihood", [Bernoulli(), Gaussian(0.5)])
def test_a_prior_of_a_noise_that_is_not_estimated_is_objected_to(kind, likelihood):
    assert kind().objection(likelihood) is None
    objection = kind(noise_hyperprior=Gamma(1.0, 1.0)).objection(likelihood)
    assert objection == "noise_hyperprior needs one noise that is estimated"


@pytest.mark.parametrize("kind", [Fast, Mackay, EM])
def test_evidence_needs_nothing_of_a_likelihood(kind):
    for likelihood in (Gaussian(), Bernoulli(), Gaussians(2), Softmax(3)):
        assert kind().objection(likelihood) is None


@pytest.mark.parametrize("value", [2, 2.0, np.int64(2), np.float32(2.0)])
def test_a_price_is_any_real_number(value):
    Fast(min_gain=value).check()
    Projection(min_gain=value).check()


def test_a_schedule_is_checked():
    with pytest.raises(ValueError, match=r"schedule must be a .*Schedule, got 3"):
        Fast(schedule=3).check()
