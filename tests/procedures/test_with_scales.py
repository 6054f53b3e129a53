import dense_parts
import fits
import numpy as np
import pytest
from dense_parts import BASES, TARGETS
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, LIMITS, PAIRS, X, problem

from sparsebayes import Fast, Mackay, Outcome, Projection, Variational
from sparsebayes.dense import DenseModel, DenseRows
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussian
from sparsebayes.procedures import Direct, WithScales, procedure_with_scales
from sparsebayes.procedures.with_scales import scaled
from sparsebayes.projection import following_columns
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
    _, found = scaled(given, Report())
    assert_array_equal(inner.known.settings, found.settings)
    assert_array_equal(inner.known.latents, found.latents)
    joined = given.layout.join(found.following, given.n_columns)
    assert_array_equal(inner.known.candidates, joined)
    assert joined.max() < given.n_candidates


# What is learned beside scales.


@pytest.mark.parametrize("name", ["two targets", "two classes each"])
def test_columns_and_latent_values_are_those_of_the_dense_models(name):
    target, likelihood = TARGETS[name]
    given = dense_parts.problem(BASES["gaussian"], target, likelihood)
    at_scales, found = scaled(given, Report())
    model = DenseModel(given.columns, DenseRows.of(given.data, given.likelihood))
    expected = following_columns(model, at_scales.columns, found.settings)
    for one, other in zip(found.following, expected, strict=True):
        assert_array_equal(one, other)
    log_scales = at_scales.columns.log_scales
    model.evaluate(found.settings, log_scales)
    expected = model.latents_at(dense_parts.X, found.settings, log_scales)
    assert found.latents.shape == (2, dense_parts.N)
    assert_allclose(found.latents, expected, rtol=1e-4, atol=1e-5)


def test_latent_values_of_equal_rows_are_equal_and_in_the_order_of_the_data():
    """With so many rows that equal ones are taken together."""
    random = np.random.default_rng(0)
    inputs = np.tile(random.uniform(-2.0, 2.0, (70, 2)), (2, 1))
    target = np.tile(np.sin(2.0 * inputs[:70, 0]) + 0.1 * random.normal(size=70), 2)
    given = dense_parts.problem(BASES["gaussian"], target, Gaussian(), None, inputs)
    found = scaled(given, Report())[1].latents
    assert found.shape == (1, 140)
    assert_allclose(found[0, :70], found[0, 70:], rtol=1e-9)
    assert np.corrcoef(found[0], target)[0, 1] > 0.97
