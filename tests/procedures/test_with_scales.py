import fits
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, LIMITS, PAIRS, X, problem

from sparsebayes import Fast, Mackay, Outcome, Projection, Variational
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.state import Report
from sparsebayes.procedures import Direct, Refined, WithScales, procedure_with_scales
from sparsebayes.procedures.with_scales import scaled, tethered_evidence
from sparsebayes.scales import CLIMB, learn_scales

CONCLUSIVE = (Outcome.CONVERGED, Outcome.NOISE_VANISHED)


def learned(name):
    return learn_scales(problem(name), Report()).log_scales


@pytest.mark.slow
@pytest.mark.parametrize(("inference", "name"), PAIRS, ids=str)
def test_scales_are_learned_under_every_inference_and_for_every_likelihood(inference, name):
    given = problem(name)
    fit = procedure_with_scales(inference, given.likelihood, LIMITS).fit(given, Report())
    found, anchor = fit.problem.columns.log_scales, learned(name)
    assert fit.outcome in CONCLUSIVE
    assert not np.array_equal(found, given.columns.log_spreads)
    flat_and_single = fit.problem.layout.single and fit.problem.weight_hyperprior.is_flat
    if flat_and_single and inference.fidelity is None:
        assert np.abs(found - anchor).max() < 5.0 * CLIMB.tether_std
    else:
        assert_allclose(found, anchor, atol=1e-12)
    latent = fit.problem.columns.evaluate(X)
    assert np.isfinite(latent).all()


@pytest.mark.parametrize("inference", [Fast(), Variational(), Projection()], ids=str)
def test_where_no_scale_is_free_it_is_the_inner_fit(inference):
    given = problem("gaussian", GIVEN)
    inner = Direct(inference, LIMITS)
    watch = fits.Watch()
    found, expected = WithScales(inner).fit(given, watch), inner.fit(given, Report())
    assert_array_equal(found.history, expected.history)
    assert not watch.values
    assert scaled(given, Report()) == (given, None)


def test_it_tells_how_many_scales_were_learned():
    watch = fits.Watch()
    WithScales(Direct(Fast(), LIMITS)).fit(problem("gaussian"), watch)
    assert watch.notes == ["learned 2 scales"]
    assert len(watch.values) > 3


def test_a_report_can_stop_learning_and_the_fit_goes_on():
    watch = fits.Watch(stop_learning_after=2)
    fit = WithScales(Direct(Fast(), LIMITS)).fit(problem("gaussian"), watch)
    assert len(watch.values) == 2
    assert fit.outcome is Outcome.CONVERGED


def test_a_report_can_stop_learning_and_iterations():
    watch = fits.Watch(stop_after=1, stop_learning_after=1)
    fit = WithScales(Refined(Direct(Mackay(), LIMITS))).fit(problem("gaussian"), watch)
    assert fit.outcome is Outcome.STOPPED
    assert len(watch.values) == len(watch.steps) == fit.n_iter == 1
    assert_allclose(fit.problem.columns.log_scales, problem("gaussian").columns.log_spreads)


def test_settings_that_were_learned_go_to_the_inner_fit():
    seen = []

    class Inner:
        def fit(self, problem, report, known):
            seen.append(known.settings)

    given = problem("gaussian")
    WithScales(Inner()).fit(given, Report())
    assert_array_equal(seen[0], learn_scales(given, Report()).settings[0])


# Refinements.


def refined(name, direct, **options):
    given, _ = scaled(problem(name), Report())
    first, report = direct.fit(given, Report()), fits.Watch()
    return first, Refined(direct, **options).fit(given, report), report


@pytest.mark.parametrize("inference", [Fast(), Mackay()], ids=str)
@pytest.mark.parametrize("name", ["gaussian", "bernoulli"])
def test_refinements_never_lower_the_evidence(inference, name):
    first, last, report = refined(name, Direct(inference, LIMITS))
    anchor = first.problem.columns.log_scales
    assert tethered_evidence(first, anchor) == first.log_evidence
    assert tethered_evidence(last, anchor) >= first.log_evidence
    assert last.history[-1].log_evidence == last.log_evidence
    assert last.n_iter == len(last.history) - 1 <= len(report.steps)


def test_refinements_raise_the_evidence_now_and_then():
    first, last, _ = refined("gaussian", Direct(Fast(), LIMITS))
    assert last.log_evidence > first.log_evidence + 0.2


def test_there_can_be_none():
    first, last, _ = refined("gaussian", Direct(Fast(), LIMITS), max_climbs=0)
    assert_array_equal(last.history, first.history)


def test_a_fit_that_keeps_all_columns_is_not_refined():
    first, last, _ = refined("gaussian", Direct(Variational(), LIMITS))
    assert_array_equal(last.history, first.history)
    assert_array_equal(last.problem.columns.log_scales, first.problem.columns.log_scales)


def test_a_fit_that_did_not_converge_is_not_refined():
    _, last, report = refined("gaussian", Direct(Mackay(), Limits(max_iter=1)))
    assert last.outcome is Outcome.ITERATION_LIMIT
    assert len(report.steps) == 1


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_never_more_iterations_than_allowed(more):
    first, last, _ = refined("gaussian", Direct(Fast(), Limits()))
    for most in (first.n_iter + more, last.n_iter + more):
        fit = refined("gaussian", Direct(Fast(), Limits(max_iter=most)))[1]
        assert fit.n_iter <= most
