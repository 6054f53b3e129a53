from dataclasses import replace

import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose

from sparsebayes import evidence
from sparsebayes.hyperpriors import FLAT, Gamma
from sparsebayes.inference import EM, Mackay, Outcome
from sparsebayes.inference.reestimation import admit_best, em_update, mackay_update
from sparsebayes.inference.state import State
from sparsebayes.posterior import find_posterior

ALPHA = np.array([0.5, 3.0, 1e-2, 20.0, 1.0, 0.1, 1e3, 2.0])
BETA = 4.0
PRIORS = pytest.mark.parametrize(
    ("weights", "noise"), [(FLAT, FLAT), (Gamma(2.0, 0.3), Gamma(1.0, 0.1))], ids=["flat", "proper"]
)
BOTH = pytest.mark.parametrize("inference", [Mackay(), EM()])


def case(weights=FLAT, noise=FLAT, noise_std=None, seed=0):
    data = problems.regression(seed)
    priors = {"weight_hyperprior": weights, "noise_hyperprior": noise}
    problem = problems.gaussian(*data, noise_std, **priors)
    return data, problems.posterior_at(problem, np.arange(8), ALPHA, BETA)


def naive(data):
    """Mean, variance and residual energy, and gamma. [T01] (12)-(13), (17)"""
    design, target = data
    covariance = np.linalg.inv(BETA * design.T @ design + np.diag(ALPHA))
    mean = BETA * covariance @ design.T @ target
    variance = np.diag(covariance)
    return mean, variance, np.sum((target - design @ mean) ** 2), 1.0 - ALPHA * variance


@PRIORS
def test_mackays_update_is_that_of_the_paper(weights, noise):
    """[T01] (44), (46)"""
    data, posterior = case(weights, noise)
    mean, _, energy, gamma = naive(data)
    found = mackay_update(posterior)
    expected = (gamma + 2.0 * weights.shape) / (mean**2 + 2.0 * weights.rate)
    assert_allclose(found.weight, expected, rtol=1e-7)
    free = len(data[1]) - gamma.sum() + 2.0 * noise.shape
    assert_allclose(found.noise, free / (energy + 2.0 * noise.rate), rtol=1e-10)


@PRIORS
def test_the_update_of_em_is_that_of_the_paper(weights, noise):
    """[T01] (48), (50)"""
    data, posterior = case(weights, noise)
    mean, variance, energy, gamma = naive(data)
    found = em_update(posterior)
    expected = (1.0 + 2.0 * weights.shape) / (mean**2 + variance + 2.0 * weights.rate)
    assert_allclose(found.weight, expected, rtol=1e-9)
    energy += gamma.sum() / BETA + 2.0 * noise.rate
    assert_allclose(found.noise, (len(data[1]) + 2.0 * noise.shape) / energy, rtol=1e-10)


@pytest.mark.parametrize("update", [mackay_update, em_update])
def test_a_fixed_noise_is_not_re_estimated(update):
    assert update(case(noise_std=0.5)[1]).noise == BETA


@pytest.mark.parametrize("update", [mackay_update, em_update])
def test_the_noise_precision_has_a_ceiling(update):
    problem = problems.gaussian(*problems.regression(5, noise=0.0))
    ceiling = problem.noise_precision_ceiling
    posterior = problems.posterior_at(problem, np.arange(3), np.ones(3), ceiling)
    assert update(posterior).noise == ceiling


def test_where_no_row_is_left_to_the_noise_it_is_that_of_em():
    problem = problems.gaussian(*problems.regression(0, 3, 8))
    posterior = problems.posterior_at(problem, np.arange(8), np.full(8, 1e-9), BETA)
    assert mackay_update(posterior).noise == em_update(posterior).noise > 0.0


def test_a_weight_of_zero_has_a_large_precision_that_is_a_number():
    design, target = problems.regression(0)
    problem = problems.gaussian(design, np.zeros_like(target))
    posterior = problems.posterior_at(problem, np.arange(8), ALPHA, BETA)
    energy = BETA * np.sum(design**2, axis=0)
    assert_allclose(mackay_update(posterior).weight, 1e14 * energy, rtol=1e-10)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("make", ["gaussian", "bernoulli"])
def test_mackay_and_em_agree(make, seed):
    """On problems where they keep the same columns."""
    data = problems.regression(seed) if make == "gaussian" else problems.classification(seed)
    problem = getattr(problems, make)(*data)
    one, other = (fits.fit(inference, problem, 1e-5) for inference in (Mackay(), EM()))
    assert one.outcome is other.outcome is Outcome.CONVERGED
    assert list(one.active) == list(other.active)
    assert max(one.history[-1].gradient, other.history[-1].gradient) < 1e-5
    assert_allclose(one.log_evidence, other.log_evidence, rtol=1e-6)
    assert_allclose(one.mean, other.mean, rtol=1e-3, atol=1e-3)


def test_the_best_candidate_is_admitted_with_its_gain():
    problem = problems.gaussian(*problems.regression(0))
    before = problems.posterior_at(problem, [6, 7], np.array([1.0, 2.0]), BETA)
    after, gain = admit_best(before, 1e-3)
    assert len(after.active) == 3
    assert gain == fits.largest_gain(before) > 1.0
    assert_allclose(evidence.log_evidence(after) - evidence.log_evidence(before), gain, rtol=1e-8)


def test_no_candidate_is_admitted_for_too_small_a_gain_or_under_a_proper_hyperprior():
    problem = problems.gaussian(*problems.regression(0))
    before = problems.posterior_at(problem, [6, 7], np.array([1.0, 2.0]), BETA)
    gain = fits.largest_gain(before)
    assert admit_best(before, gain) == (before, gain)
    proper = problem.changed(weight_hyperprior=Gamma(1.0, 1.0))
    before = problems.posterior_at(proper, [6, 7], np.array([1.0, 2.0]), BETA)
    assert admit_best(before, 1e-3)[0] is before


@BOTH
def test_a_deleted_column_that_is_needed_comes_back(inference):
    """From a start without it."""
    problem = problems.gaussian(*problems.regression(1))
    end = fits.fit(inference, problem)
    others = end.precisions.of(np.arange(1, len(end.active)))
    state = State(find_posterior(problem, end.active[1:], others))
    again = fits.fit(inference, problem, state=state)
    assert list(again.active) == list(end.active)
    assert_allclose(again.log_evidence, end.log_evidence, atol=1e-3)


def test_a_column_whose_curvature_has_underflowed_keeps_its_precision():
    problem = problems.gaussian(*problems.regression(1))
    posterior = problems.posterior_at(problem, [0, 1], np.array([2.0, 3.0]), BETA)
    gram = posterior.gram * np.array([[1.0, 0.0], [0.0, 0.0]])
    found = mackay_update(replace(posterior, gram=gram)).weight
    assert found[1] == 3.0
    assert found[0] != 2.0
