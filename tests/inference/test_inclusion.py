"""The probability that a column has a part in the target."""

import fits
import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import Bias, Fast, Linear
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference.inclusion import inclusion
from sparsebayes.inference.loop import end_of
from sparsebayes.inference.state import State
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians, Multinomial, Softmax
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

N_COLUMNS = 12


def copies(design, seed=5):
    """The design with near-copies of its first two columns at the end."""
    design = design.copy()
    random = np.random.default_rng(seed)
    design[:, -2:] = design[:, :2] + 0.2 * random.normal(size=(len(design), 2))
    return design


def fitted(likelihood, design, target, weight=None, basis=None, **options):
    weight = np.ones(len(design)) if weight is None else weight
    columns = (basis or Linear()).bind(design, weight)
    inference = Fast(**{"min_gain": 0.0, **options})
    return fits.fit(inference, Problem(Data(design, target, weight), columns, likelihood))


def one_output(seed, weight=None):
    design, target = problems.regression(seed, n_columns=N_COLUMNS, noise=2.0)
    design = copies(design)
    return design, target, fitted(Gaussian(), design, target, weight)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weighted", [False, True])
def test_of_one_output_is_that_of_densities(seed, weighted):
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, 40) if weighted else np.ones(40)
    design, target, fit = one_output(seed, weight)
    beta = fit.precisions.noise * weight
    expected = reference.inclusion(design, target[:, None], fit.active, fit.precisions.weight, beta)
    assert len(fit.active) >= 2
    assert_allclose(inclusion(fit), expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_of_two_outputs_is_that_of_densities(seed):
    design, target = problems.outputs(seed, n_columns=N_COLUMNS, n_outputs=2, noise=2.0)
    design = copies(design)
    fit = fitted(Gaussians(2), design, target)
    in_units = target * np.sqrt(fit.output_precision)
    expected = reference.inclusion(design, in_units, fit.active, fit.precisions.weight, 1.0)
    assert_allclose(inclusion(fit), expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_of_two_classes_is_that_of_the_working_response(seed):
    design, target = problems.classification(seed, n_columns=N_COLUMNS)
    design = copies(design)
    fit = fitted(Bernoulli(), design, target)
    response, curvature = reference.working_response(design[:, fit.active], target, fit.mean[:, 0])
    expected = reference.inclusion(
        design, response[:, None], fit.active, fit.precisions.weight, curvature
    )
    assert_allclose(inclusion(fit), expected, rtol=1e-5, atol=1e-8)


def test_a_bias_is_conditioned_on_and_has_no_part():
    design, target = problems.regression(1, n_columns=N_COLUMNS, noise=2.0)
    design, target = copies(design), target + 5.0
    fit = fitted(Gaussian(), design, target, basis=Linear() + Bias())
    whole = np.column_stack([design, np.ones(len(design))])
    assert N_COLUMNS in fit.active
    at = fit.active, *fit.precisions
    expected = reference.inclusion(whole, target[:, None], *at, constant=[N_COLUMNS])
    assert_allclose(inclusion(fit), expected, rtol=1e-6, atol=1e-9)
    assert inclusion(fit)[N_COLUMNS] == 0.0


@pytest.mark.parametrize("likelihood", [Softmax(3), Multinomial(3)], ids=["own", "shared"])
def test_classes_have_one_probability_for_each_column(likelihood):
    design, target = problems.classes(0, n_rows=200, n_columns=8)
    found = inclusion(fitted(likelihood, design, target, min_gain=2.0))
    assert found.shape == (8,)
    assert found[:2].min() > 0.9
    assert found[2:].max() < 0.5


def test_copies_share_their_probability():
    random = np.random.default_rng(0)
    design = random.normal(size=(60, 30))
    design[:, 7] = design[:, 3] + 1e-3 * random.normal(size=60)
    target = 2.0 * design[:, 3] + random.normal(size=60)
    found = inclusion(fitted(Gaussian(), design, target, min_gain=np.log(30)))
    assert_allclose(found[3] + found[7], 1.0, atol=0.02)
    assert_allclose(found[[3, 7]], 0.5, atol=0.1)
    assert np.delete(found, [3, 7]).max() < 0.2


def test_units_of_columns_and_of_the_target_do_not_matter():
    design, target, fit = one_output(2)
    size = 10.0 ** np.random.default_rng(0).uniform(-3, 3, N_COLUMNS)
    other = fitted(Gaussian(), design * size, 1e3 * target)
    assert_allclose(inclusion(other), inclusion(fit), rtol=1e-2, atol=1e-4)


def test_a_column_of_zeros_has_no_part():
    design, target = problems.regression(0, noise=1.0)
    design[:, 6] = 0.0
    found = inclusion(fitted(Gaussian(), design, target))
    assert found[6] == 0.0
    assert np.isfinite(found).all()


def test_a_model_of_nothing_has_a_slot_for_what_was_not_found():
    design, _ = problems.regression(0)
    target = np.random.default_rng(9).normal(size=len(design))
    fit = fitted(Gaussian(), design, target, min_gain=20.0)
    assert len(fit.active) == 0
    found = inclusion(fit)
    assert 0.0 < found.sum() < 0.9


def test_columns_too_many_to_look_at_have_none():
    design, target = problems.regression(0)
    fit = fitted(Gaussian(), design, target)
    assert inclusion(fit, most_numbers=10.0) is None


def test_a_model_that_passes_through_the_targets_has_none():
    design, target = problems.regression(0, n_rows=10, n_columns=10, n_relevant=10, noise=0.0)
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, np.arange(10), np.full(10, 1e-6), 1e6)
    assert inclusion(end_of(problem, State(posterior))) is None
    given = problems.gaussian(design, target, noise_std=1e-3)
    posterior = problems.posterior_at(given, np.arange(10), np.full(10, 1e-6), 1e6)
    assert inclusion(end_of(given, State(posterior))) is not None


def test_only_fast_under_a_flat_hyperprior_has_it():
    design, target = problems.regression(0)
    proper = problems.gaussian(design, target, weight_hyperprior=Gamma(1e-3, 1e-3))
    assert Fast().inclusion(fits.fit(Fast(), proper)) is None
    flat = fits.fit(Fast(), problems.gaussian(design, target))
    assert_array_equal(Fast().inclusion(flat), inclusion(flat))
    assert all(each.inclusion(flat) is None for each in fits.SEARCHES[1:])
