"""A dense model, a sparse fit to what it says, and what is carried over."""

import fits
import numpy as np
import pytest
from dense_parts import CountingGaussian
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, LEARNED, LIMITS, OUTPUTS, SEVERAL, N, X, Y, problem
from scipy.special import log_softmax

from sparsebayes import EM, Fast, GaussianKernel, Mackay, Outcome, Projection
from sparsebayes.dense.covering import covering_of
from sparsebayes.dense.fit import fit_dense
from sparsebayes.dense.labels.classes import fit_dense_classes
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussian, Multinomial
from sparsebayes.problem import Problem
from sparsebayes.procedures import Direct, Projected, WithScales
from sparsebayes.procedures.procedure import NOTHING, Known
from sparsebayes.procedures.projected import Searched, pursued
from sparsebayes.procedures.with_scales import scaled
from sparsebayes.projection import carry_over, goal_problem, pursue
from sparsebayes.rows import Data

FIDELITY = 10.0


def projected(inference, fidelity, limits=LIMITS):
    return Projected(Searched(Direct(inference, limits)), pursued, fidelity)


PROJECTED = projected(Fast(), FIDELITY)
BASES = {"given scales": GIVEN, "learned scales": LEARNED}
bases = pytest.mark.parametrize("basis", BASES.values(), ids=BASES)


def fitted(name, basis):
    """The problem at the scales that it ends with, settings known by then, and its fits."""
    given = problem(name, basis)
    at_scales, learned = scaled(given, Report())
    settings = None if learned is None else learned.settings
    return at_scales, settings, WithScales(PROJECTED).fit(given, Report())


def latents_of(fit):
    return fit.problem.columns.evaluate(X, fit.active) @ fit.mean


def missed(latents, expected, dense):
    """What is missed of dense means (n, k), as a part of what the dense model leaves uncertain."""
    wide = dense.columns.evaluate(X)
    spread = np.einsum("ij,jk,ik->i", wide, dense.posterior.covariance, wide)
    uncertain = expected.shape[1] * dense.row_precision @ spread
    return np.sum(dense.row_precision @ (latents - expected) ** 2) / uncertain


# One latent value.


@pytest.mark.parametrize("name", ["gaussian", "fixed noise", "bernoulli"])
def test_it_is_a_dense_fit_a_sparse_fit_and_what_is_carried_over(name):
    given, direct = problem(name, GIVEN), Direct(Projection(), LIMITS)
    (found,) = projected(Projection(), 4.0).fit(given, Report())
    dense = fit_dense(given)
    (sparse,) = direct.fit(goal_problem(given, dense, 4.0), Report())
    expected = carry_over(given, dense, sparse, 4.0)
    assert_array_equal(found.active, expected.active)
    assert_array_equal(found.root, expected.root)
    assert found.precisions.noise == expected.precisions.noise
    assert found.log_evidence == dense.log_evidence
    assert found.problem is given


@bases
@pytest.mark.parametrize("name", ["gaussian", "fixed noise", "bernoulli"])
def test_it_says_what_the_dense_model_says(name, basis):
    given, settings, (fit,) = fitted(name, basis)
    dense = fit_dense(given, *Known(settings).of(0))
    assert fit.outcome is Outcome.CONVERGED
    assert missed(latents_of(fit), dense.latents, dense) < 2.0 / FIDELITY
    assert 0 < len(fit.active) < 0.6 * N
    assert_allclose(fit.covering.variance(X), covering_of(dense).variance(X), rtol=1e-8)


@pytest.mark.parametrize("inference", [Fast(), Mackay(), EM()], ids=str)
@pytest.mark.parametrize("name", ["gaussian", "bernoulli"])
def test_any_inference_can_choose_the_columns(inference, name):
    given = problem(name, GIVEN)
    (fit,) = projected(inference, 10.0).fit(given, Report())
    assert fit.outcome is Outcome.CONVERGED
    latent = given.columns.keep(fit.active).evaluate(X) @ fit.mean[:, 0]
    dense = fit_dense(given).latents[:, 0]
    assert np.std(latent - dense) < 0.15 * np.std(dense)
    assert len(fit.active) < N


def test_it_tells_of_the_dense_model():
    watch = fits.Watch()
    given = problem("gaussian", GIVEN)
    (fit,) = projected(Fast(), 3.0).fit(given, watch)
    size = fit_dense(given).columns.n_columns
    assert watch.notes == [f"dense model: {size} columns, log evidence {fit.log_evidence:.6g}"]
    assert watch.steps == fit.history[1:]


def test_a_report_that_asks_to_stop_ends_the_search():
    watch = fits.Watch(stop_after=1)
    procedure = projected(Mackay(), 3.0, Limits(tol=0.0))
    (fit,) = procedure.fit(problem("gaussian", GIVEN), watch)
    assert fit.outcome is Outcome.STOPPED
    assert np.isfinite(fit.root).all()


def test_one_dense_fit_serves_scales_and_projection():
    """From the settings where scales were learned, to the same precisions in fewer evaluations.

    The noise is a tenth of the target's variance: what is thought of noise while scales are learned
    does not pull at it there.
    """
    basis, procedure = GaussianKernel(input_scale="learn"), projected(Fast(), 3.0)
    noisy = Y + np.random.default_rng(0).normal(0.0, 0.3, N)
    count = []

    def counted(make):
        given = Problem(Data(X, noisy, np.ones(N)), basis.bind(X, np.ones(N)), CountingGaussian())
        (fit,) = make(given)
        count.append(given.likelihood.count[0])
        return fit

    counted(lambda given: scaled(given, Report())[:1])
    whole = counted(lambda given: WithScales(procedure).fit(given, Report()))
    anew = counted(lambda given: procedure.fit(scaled(given, Report())[0], Report()))
    learning, shared, twice = count
    assert shared - learning < twice - learning
    assert_allclose(whole.log_evidence, anew.log_evidence, atol=0.02)
    assert_allclose(whole.precisions.noise, anew.precisions.noise, rtol=0.1)


# What is known.


def test_what_is_known_of_each_target():
    settings, latents = np.arange(6.0).reshape(2, 3), np.arange(8.0).reshape(2, 4)
    known = Known(settings, np.array([3, 1]), latents)
    for k in range(2):
        own_settings, own_latents = known.of(k)
        assert_array_equal(own_settings, settings[k])
        assert_array_equal(own_latents, latents[k])


@pytest.mark.parametrize("known", [NOTHING, Known(candidates=np.arange(3))])
def test_of_nothing_nothing_is_known(known):
    assert known.of(1) == (None, None)


def test_latents_need_not_be_known():
    assert Known(np.ones((1, 2))).of(0)[1] is None


@pytest.mark.parametrize("name", ["gaussian", "bernoulli", "outputs"])
def test_settings_that_are_known_are_those_of_the_dense_models(name):
    given = problem(name, GIVEN)
    n_targets = 2 if name == "outputs" else 1
    settings = np.array([[2.0, 1.0, 3.0], [0.5, -1.0, 4.0]])[:n_targets]
    settings = settings[:, :2] if name == "bernoulli" else settings
    for k, fit in enumerate(PROJECTED.fit(given, Report(), Known(settings))):
        assert_allclose(fit.covering.amplitude[0, 0], np.exp(-settings[k, 0]), rtol=1e-12)


# Several outputs that share their vectors.


def each_dense(given, settings=None):
    """The dense model of each output."""
    known, found = Known(settings), []
    for k, own in enumerate(given.data.target.T):
        alone = given.changed(data=given.data._replace(target=own), likelihood=Gaussian())
        found.append(fit_dense(alone, *known.of(k)))
    return found


@bases
def test_outputs_share_their_vectors(basis):
    given, settings, found = fitted("outputs", basis)
    denses = each_dense(given, settings)
    assert len(found) == len(denses) == 2
    assert_array_equal(found[0].active, found[1].active)
    assert 0 < len(found[0].active) < N
    for k, (fit, dense) in enumerate(zip(found, denses, strict=True)):
        assert fit.mean.shape == (len(fit.active), 1)
        assert fit.outcome is Outcome.CONVERGED
        assert missed(latents_of(fit), dense.latents, dense) < 2.0 / FIDELITY
        assert_array_equal(fit.problem.data.target, OUTPUTS[:, k])
        assert fit.problem.likelihood == Gaussian()


@bases
def test_each_output_has_the_evidence_noise_and_covering_of_its_dense_model(basis):
    given, settings, found = fitted("outputs", basis)
    for fit, dense in zip(found, each_dense(given, settings), strict=True):
        assert_allclose(fit.log_evidence, dense.log_evidence, rtol=1e-12)
        apart = np.mean((latents_of(fit) - dense.latents) ** 2)
        assert_allclose(fit.noise_std**2, [dense.noise_variance + apart], rtol=1e-8)
        assert_allclose(fit.covering.variance(X), covering_of(dense).variance(X), rtol=1e-10)


def test_units_of_outputs_do_not_matter():
    given, _, found = fitted("outputs", GIVEN)
    units = np.array([1e4, 1e-3])
    other = given.changed(data=given.data._replace(target=units * OUTPUTS))
    for unit, one, fit in zip(units, PROJECTED.fit(other, Report()), found, strict=True):
        assert_array_equal(one.active, fit.active)
        design = given.columns.evaluate(X, fit.active)
        rounding = 1e-5 * np.abs(OUTPUTS).max()
        assert_allclose(design @ one.mean / unit, design @ fit.mean, atol=rounding)
        assert_allclose(one.noise_std / unit, fit.noise_std, rtol=1e-5)


def test_equal_outputs_are_fitted_as_one():
    """Two of the same are known twice as well, but ask for the same."""
    twice = np.column_stack([Y, Y])
    given = problem("outputs", GIVEN)
    given = given.changed(data=given.data._replace(target=twice))
    one, two = PROJECTED.fit(given, Report())
    assert_array_equal(one.mean, two.mean)
    assert one.noise_std == two.noise_std
    dense = fit_dense(problem("gaussian", GIVEN))
    assert missed(latents_of(one), dense.latents, dense) < 2.0 / FIDELITY


def test_an_output_of_zeros_does_no_harm():
    given = problem("outputs", GIVEN)
    target = np.column_stack([Y, np.zeros(N)])
    one, zero = PROJECTED.fit(given.changed(data=given.data._replace(target=target)), Report())
    assert_array_equal(zero.mean, 0.0)
    dense = fit_dense(problem("gaussian", GIVEN))
    assert missed(latents_of(one), dense.latents, dense) < 2.0 / FIDELITY


def test_outputs_tell_of_a_dense_model_each():
    watch = fits.Watch()
    found = PROJECTED.fit(problem("outputs", GIVEN), watch)
    assert len(watch.notes) == 2
    for fit, note in zip(found, watch.notes, strict=True):
        assert note.endswith(f"columns, log evidence {fit.log_evidence:.6g}")


# Classes of a softmax.


JOINT = pytest.mark.parametrize("name", ["softmax", "shared softmax"])


def dense_classes(given, settings=None):
    """The dense model in contrasts."""
    together = given.changed(likelihood=Multinomial(3))
    return fit_dense_classes(together, Known(settings).of(0)[0])


def divergence(latents, others):
    """Of the probabilities of all rows."""
    contrasts = Multinomial(3).contrasts
    one, other = (log_softmax(each @ contrasts.T, axis=1) for each in (latents, others))
    return np.sum(np.exp(one) * (one - other))


@bases
@JOINT
def test_the_classes_of_a_softmax_share_their_vectors(name, basis):
    given, settings, (fit,) = fitted(name, basis)
    dense = dense_classes(given, settings)
    assert fit.outcome is Outcome.CONVERGED
    assert fit.mean.shape == (len(fit.active), 2)
    assert 0 < len(fit.active) < N
    assert divergence(dense.latents, latents_of(fit)) < -dense.log_evidence / FIDELITY
    assert fit.log_evidence == dense.log_evidence == dense.left_out.log_density
    assert_allclose(fit.covering.variance(X), covering_of(dense).variance(X), rtol=1e-10)


@JOINT
def test_classes_are_pursued_and_carried_over(name):
    given = problem(name, GIVEN)
    (found,) = PROJECTED.fit(given, Report())
    together, dense = given.changed(likelihood=Multinomial(3)), dense_classes(given)
    fit, near = pursue(together, dense, FIDELITY)
    expected = carry_over(together, dense, fit, FIDELITY, guarded=not near)
    assert_array_equal(found.active, expected.active)
    assert_array_equal(found.mean, expected.mean)
    assert_array_equal(found.root, expected.root)


def test_without_a_guard_a_search_chooses_the_vectors_of_classes():
    given, direct = problem("shared softmax", GIVEN), Direct(Fast(), LIMITS)
    search = Searched(direct, trusted=True)
    (found,) = Projected(search, search, FIDELITY).fit(given, Report())
    dense = dense_classes(given)
    (sparse,) = direct.fit(goal_problem(given, dense, FIDELITY), Report())
    assert_array_equal(found.active, sparse.active)
    assert_array_equal(found.mean, sparse.mean)


def test_settings_that_are_known_are_those_of_the_regression_on_labels():
    given, settings = problem("shared softmax", GIVEN), np.array([0.5, -1.0, 2.0])
    (fit,) = PROJECTED.fit(given, Report(), Known(settings[None]))
    sharpness = dense_classes(given, settings[None]).left_out.sharpness
    amplitude = sharpness**2 * np.exp(-settings[0])
    assert_allclose(fit.covering.amplitude[0, 0], amplitude, rtol=1e-10)


@JOINT
def test_classes_are_those_of_the_targets(name):
    given, _, (fit,) = fitted(name, GIVEN)
    assert fit.problem.data.target is given.data.target
    assert fit.problem.likelihood == Multinomial(3)
    found = latents_of(fit) @ Multinomial(3).contrasts.T
    assert np.mean(found.argmax(axis=1) == SEVERAL) > 0.7


def test_classes_report_one_step():
    watch = fits.Watch()
    (fit,) = PROJECTED.fit(problem("shared softmax", GIVEN), watch)
    assert watch.steps == fit.history[1:]
    assert len(watch.steps) == 1


@JOINT
def test_classes_tell_of_one_dense_model(name):
    watch = fits.Watch()
    found = PROJECTED.fit(problem(name, GIVEN), watch)
    total = sum(fit.log_evidence for fit in found)
    assert len(watch.notes) == 1
    assert watch.notes[0].endswith(f"columns, log evidence {total:.6g}")


# Without a limit of fidelity.


@pytest.mark.parametrize("name", ["gaussian", "bernoulli", "outputs"])
def test_with_fidelity_enough_means_are_those_of_the_dense_model(name):
    given = problem(name, GIVEN)
    found = projected(Fast(), 1e8).fit(given, Report())
    latents = np.hstack([latents_of(fit) for fit in found])
    if name == "outputs":
        expected = np.hstack([dense.latents for dense in each_dense(given)])
    else:
        expected = fit_dense(given).latents
    assert_allclose(latents, expected, atol=1e-3 * np.abs(expected).max())
