import fits
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, LIMITS, PAIRS, X, problem

from sparsebayes import Fast, Mackay, Outcome, Projection, Variational
from sparsebayes.inference.state import Report
from sparsebayes.procedures import Direct, WithScales, procedure_with_scales
from sparsebayes.procedures.with_scales import scaled
from sparsebayes.scales import learn_scales

CONCLUSIVE = (Outcome.CONVERGED, Outcome.NOISE_VANISHED)


def learned(name):
    return learn_scales(problem(name), Report()).log_scales


@pytest.mark.slow
@pytest.mark.parametrize(("inference", "name"), PAIRS, ids=str)
def test_scales_are_learned_under_every_inference_and_for_every_likelihood(inference, name):
    given = problem(name)
    expected = learned(name)
    assert not np.array_equal(expected, given.columns.log_spreads)
    for fit in procedure_with_scales(inference, LIMITS).fit(given, Report()):
        assert fit.outcome in CONCLUSIVE
        assert_allclose(fit.problem.columns.log_scales, expected, atol=1e-12)
        assert np.isfinite(fit.problem.columns.evaluate(X)).all()


@pytest.mark.parametrize("inference", [Fast(), Variational(), Projection()], ids=str)
def test_where_no_scale_is_free_it_is_the_inner_fit(inference):
    given = problem("gaussian", GIVEN)
    inner = Direct(inference, LIMITS)
    watch = fits.Watch()
    (found,), (expected,) = WithScales(inner).fit(given, watch), inner.fit(given, Report())
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
    (fit,) = WithScales(Direct(Fast(), LIMITS)).fit(problem("gaussian"), watch)
    assert len(watch.values) == 2
    assert fit.outcome is Outcome.CONVERGED


def test_a_report_can_stop_learning_and_iterations():
    watch = fits.Watch(stop_after=1, stop_learning_after=1)
    (fit,) = WithScales(Direct(Mackay(), LIMITS)).fit(problem("gaussian"), watch)
    assert fit.outcome is Outcome.STOPPED
    assert len(watch.values) == len(watch.steps) == fit.n_iter == 1
    assert_allclose(fit.problem.columns.log_scales, problem("gaussian").columns.log_spreads)


class Inner:
    """Keeps what it is told."""

    def fit(self, problem, report, known):
        self.known = known


@pytest.mark.parametrize("name", ["gaussian", "outputs", "softmax", "shared softmax"])
def test_what_was_learned_goes_to_the_inner_fit(name):
    given, inner = problem(name), Inner()
    WithScales(inner).fit(given, Report())
    found = learn_scales(given, Report())
    assert_array_equal(inner.known.settings, found.settings)
    assert_array_equal(inner.known.latents, found.latents)
    joined = given.layout.join(found.following, given.n_columns)
    assert_array_equal(inner.known.candidates, joined)
    assert joined.max() < given.n_candidates
