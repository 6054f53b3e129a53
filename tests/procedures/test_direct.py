from functools import cache

import fits
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, INFERENCES, LIMITS, PAIRS, TARGETS, problem

from sparsebayes import EM, RVC, RVR, Fast, Gamma, Mackay, Outcome, Variational
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.state import Report
from sparsebayes.procedures import (
    Direct,
    Guarded,
    Projected,
    Reweighted,
    Tuned,
    WithScales,
    check_pairing,
    procedure_at_scales,
    procedure_with_scales,
)
from sparsebayes.procedures.procedure import Known
from sparsebayes.procedures.projected import Searched, pursued

CONCLUSIVE = (Outcome.CONVERGED, Outcome.NOISE_VANISHED)
NOT_BOUNDED = [
    (inference, name)
    for inference, name in PAIRS
    if not (inference.needs_proper_hyperpriors and name == "bernoulli")
]


@cache
def fit_of(kind, name):
    (fit,) = Direct(kind(), LIMITS).fit(problem(name, GIVEN), Report())
    return fit


@pytest.mark.parametrize(("inference", "name"), PAIRS, ids=str)
def test_every_inference_fits_every_likelihood_it_does_not_object_to(inference, name):
    fit = fit_of(type(inference), name)
    assert fit.outcome in CONCLUSIVE
    assert fit.history[-1].gradient <= LIMITS.tol
    n_outputs = fit.problem.layout.n_outputs
    assert fit.mean.shape == (len(fit.active), n_outputs)


@pytest.mark.parametrize(("inference", "name"), NOT_BOUNDED, ids=str)
def test_a_fit_is_the_posterior_of_its_problem_at_its_precisions(inference, name):
    fit = fit_of(type(inference), name)
    posterior = fits.anew(fit)
    size = np.abs(posterior.mean).max()
    assert_allclose(fit.mean, posterior.mean, rtol=1e-5, atol=1e-5 * size)
    spread = np.abs(posterior.covariance).max()
    assert_allclose(fit.root @ fit.root.T, posterior.covariance, rtol=1e-5, atol=1e-5 * spread)
    assert_array_equal(fit.precisions.weight, posterior.weight_precision)
    relative = np.ones(len(fit.noise_std)) * posterior.output_precision
    assert_allclose(fit.noise_std, (posterior.noise_precision * relative) ** -0.5, rtol=1e-5)


def test_the_problem_has_the_hyperpriors_of_the_inference():
    prior = Gamma(2.0, 1.0)
    inference = Mackay(weight_hyperprior=prior, noise_hyperprior=Gamma(1.0, 0.1))
    (fit,) = Direct(inference, LIMITS).fit(problem("gaussian", GIVEN), Report())
    assert fit.problem.weight_hyperprior == prior
    assert fit.problem.noise_hyperprior == Gamma(1.0, 0.1)


def test_it_can_start_with_given_candidates_and_has_its_limits():
    direct, given = Direct(Fast(), LIMITS), problem("gaussian", GIVEN)
    (first,) = direct.fit(given, Report())
    (again,) = direct.fit(given, Report(), Known(candidates=first.active))
    assert len(first.active) <= again.history[0].n_active < given.n_columns
    (short,) = Direct(Fast(), Limits(max_iter=1, tol=0.0)).fit(given, Report())
    assert short.outcome is Outcome.ITERATION_LIMIT


def test_a_report_that_asks_to_stop_ends_it():
    watch = fits.Watch(stop_after=2)
    (fit,) = Direct(Mackay(), Limits(tol=0.0)).fit(problem("gaussian", GIVEN), watch)
    assert fit.outcome is Outcome.STOPPED
    assert fit.n_iter == len(watch.steps) == 2


# What an inference is composed to.


@pytest.mark.parametrize("inference", INFERENCES, ids=str)
def test_an_inference_is_direct_unless_it_follows_a_dense_model(inference):
    direct = Direct(inference, LIMITS)
    projected = inference.fidelity is not None
    at_scales = Guarded(
        Projected(Searched(direct), pursued, 10.0) if projected else Reweighted(Tuned(direct))
    )
    assert procedure_at_scales(inference, LIMITS) == at_scales
    assert procedure_with_scales(inference, LIMITS) == WithScales(at_scales)


# Wrong pairings.

PRIOR = Gamma(1.0, 1.0)
REFUSED = {
    "softmax": 'several classes in one softmax: {why}. Use multi_class="ovr", or inference="fast".',
    "outputs": "several outputs that share precisions: {why}. "
    'Use multi_output="separate", or inference="fast".',
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_pairing_is_refused_with_a_sentence(name):
    with pytest.raises(ValueError, match="cannot be used with") as error:
        check_pairing(Variational(), TARGETS[name][1])
    sentence = REFUSED[name].format(why="it needs a lower bound of the likelihood")
    assert str(error.value) == f"Variational() cannot be used with {sentence}"


@pytest.mark.parametrize("kind", [Fast, Mackay, EM, Variational])
@pytest.mark.parametrize("name", ["bernoulli", "fixed noise"])
def test_a_prior_of_a_noise_that_is_not_there_is_refused(kind, name):
    with pytest.raises(ValueError, match="needs one noise that is estimated") as error:
        check_pairing(kind(noise_hyperprior=PRIOR), TARGETS[name][1])
    assert str(error.value).endswith('Use inference="fast".')


@pytest.mark.parametrize(("inference", "name"), PAIRS, ids=str)
def test_other_pairings_are_fine(inference, name):
    check_pairing(inference, TARGETS[name][1])


@pytest.mark.parametrize(
    ("model", "name"),
    [(RVC(gamma=1.0, multi_class="softmax"), "softmax"), (RVR(gamma=1.0), "outputs")],
    ids=["softmax", "outputs"],
)
def test_estimators_refuse_a_wrong_pairing(model, name):
    given = problem(name, GIVEN)
    with pytest.raises(ValueError, match=r"cannot be used with several .* Use multi_"):
        model.set_params(inference="variational").fit(given.data.inputs, given.data.target)
