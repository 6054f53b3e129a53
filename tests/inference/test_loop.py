import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose

from sparsebayes import evidence
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference import Outcome
from sparsebayes.inference.loop import (
    Verdict,
    collinear,
    interpolates,
    largest_gradient,
    noise_is_held,
    noise_vanished,
)
from sparsebayes.inference.state import State
from sparsebayes.likelihoods import Gaussians

TOL = 1e-3
ALL = pytest.mark.parametrize("inference", fits.SEARCHES, ids=str)


class Stays:
    """An inference that is where it wants to be from the start, or gives up there."""

    def __init__(self, active, alpha, beta=4.0, **state):
        self.at, self.state = (active, np.full(len(active), alpha), beta), state

    def init(self, problem, candidates=None):
        return State(problems.posterior_at(problem, *self.at), settled=True, **self.state)


# What is found.


@ALL
def test_a_fixed_noise_stays_fixed(inference):
    data = problems.regression(9)
    end = fits.fit(inference, problems.gaussian(*data, noise_std=0.7))
    assert end.outcome is Outcome.CONVERGED
    assert_allclose([step.noise_std for step in end.history], 0.7, rtol=1e-14)
    free = fits.fit(inference, problems.gaussian(*data))
    assert abs(free.history[-1].noise_std - 0.7) > 0.1


@ALL
def test_an_estimated_noise_is_that_of_the_hyperprior_if_it_insists(inference):
    prior = Gamma(1e7, 1e7 * 0.7**2)
    problem = problems.gaussian(*problems.regression(9), noise_hyperprior=prior)
    assert_allclose(fits.fit(inference, problem).noise_std, 0.7, rtol=1e-4)


@pytest.mark.slow
@ALL
def test_noise_stays_positive_where_columns_span_all_rows(inference):
    for seed in range(6):
        problem = problems.gaussian(*problems.regression(seed, 3, 10))
        end = fits.fit(inference, problem, max_iter=500)
        assert end.precisions.noise > 0.0
        assert np.isfinite(end.log_evidence)


@ALL
def test_history_describes_the_end(inference):
    end = fits.fit(inference, problems.gaussian(*problems.regression(15)))
    last, posterior = end.history[-1], fits.anew(end)
    assert end.log_evidence == last.log_evidence
    assert_allclose(last.log_evidence, evidence.log_evidence(posterior), rtol=1e-10)
    assert last.n_active == len(end.active)
    assert last.noise_std == end.precisions.noise**-0.5
    assert_allclose(last.gradient, largest_gradient(posterior), atol=1e-8)
    assert last.gradient <= TOL


# How it ends.


@ALL
@pytest.mark.parametrize("max_iter", [1, 3])
def test_the_iteration_limit(inference, max_iter):
    problem = problems.gaussian(*problems.regression(10))
    end = fits.fit(inference, problem, 0.0, max_iter)
    assert end.outcome is Outcome.ITERATION_LIMIT
    assert not end.outcome.converged
    assert end.n_iter == max_iter == len(end.history) - 1


@ALL
@pytest.mark.parametrize("stop_after", [1, 4])
def test_a_report_hears_of_each_step_and_can_stop(inference, stop_after):
    watch = fits.Watch(stop_after)
    problem = problems.gaussian(*problems.regression(14))
    end = fits.fit(inference, problem, 0.0, report=watch)
    assert end.outcome is Outcome.STOPPED
    assert end.history[1:] == watch.steps
    assert end.n_iter == stop_after


@ALL
def test_nothing_is_relevant_to_a_target_of_zeros(inference):
    design, target = problems.regression(11)
    end = fits.fit(inference, problems.gaussian(design, np.zeros_like(target)))
    assert end.outcome is Outcome.NOTHING_RELEVANT
    assert len(end.active) == 0


@ALL
def test_nothing_is_relevant_to_orthogonal_columns(inference):
    wave = np.arange(16) * np.pi / 8.0
    design, target = np.column_stack([np.cos(wave), np.sin(wave)]), np.cos(3.0 * wave)
    end = fits.fit(inference, problems.gaussian(design, target))
    assert end.outcome is Outcome.NOTHING_RELEVANT
    assert_allclose(end.precisions.noise, 2.0, rtol=0.01)


@ALL
def test_noise_vanishes_for_exact_data(inference):
    design, target = problems.regression(12, noise=0.0)
    end = fits.fit(inference, problems.gaussian(design, target))
    assert end.outcome is Outcome.NOISE_VANISHED
    assert_allclose(end.noise_std, 1e-5 * np.std(target), rtol=1e-9)
    assert_allclose(design[:, end.active] @ end.mean[:, 0], target, rtol=1e-6)


@pytest.mark.parametrize(
    ("alpha", "outcome"), [(1e-20, Outcome.ILL_CONDITIONED), (1.0, Outcome.CONVERGED)]
)
def test_active_columns_collinear_to_rounding_are_ill_conditioned(alpha, outcome):
    design, target = problems.regression(13)
    problem = problems.gaussian(design[:, [0, 0]], target)
    assert fits.fit(Stays([0, 1], alpha), problem).outcome is outcome


def test_an_inference_that_can_do_no_more_is_stalled():
    problem = problems.gaussian(*problems.regression(13))
    assert fits.fit(Stays([0, 1], 1.0, stalled=True), problem).outcome is Outcome.STALLED


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_is_a_sentence(outcome):
    assert outcome.value.endswith(".")
    assert len(outcome.value) > 40
    assert outcome.converged == (outcome is Outcome.CONVERGED)


# What is worth a word.


def test_a_fit_with_about_as_many_weights_as_rows_interpolates():
    problem = problems.gaussian(*problems.regression(0, 8, 8))
    loose, tight = (
        problems.posterior_at(problem, np.arange(8), np.full(8, alpha), 1e4)
        for alpha in (1e-9, 1e9)
    )
    assert interpolates(loose)
    assert not interpolates(tight)
    assert not interpolates(loose, Verdict(interpolates_below=0.0))
    given = problem.changed(likelihood=type(problem.likelihood)(0.01))
    assert not interpolates(problems.posterior_at(given, np.arange(8), np.full(8, 1e-9), 1e4))


def test_many_columns_in_few_directions_are_collinear():
    random = np.random.default_rng(0)
    design = random.normal(size=(40, 1)) + 1e-3 * random.normal(size=(40, 60))
    problem = problems.gaussian(design, random.normal(size=40))
    posterior = problems.posterior_at(problem, np.arange(60), np.full(60, 100.0), 1.0)
    assert collinear(posterior)
    assert not collinear(posterior, Verdict(collinear_below=1e-3))
    plain = problems.gaussian(*problems.regression(0))
    assert not collinear(problems.posterior_at(plain, np.arange(8), np.ones(8), 1.0))


def test_noise_is_held_where_it_is_given_or_presses_against_its_ceiling():
    data = problems.regression(0, noise=0.0)
    free, given = problems.gaussian(*data), problems.gaussian(*data, noise_std=0.5)
    ceiling = free.noise_precision_ceiling

    def at(problem, beta, active=(0, 1, 2)):
        return problems.posterior_at(problem, list(active), np.ones(len(active)), beta)

    assert noise_is_held(at(given, 4.0))
    assert not noise_is_held(at(free, 4.0))
    assert noise_is_held(at(free, ceiling))
    assert not noise_is_held(at(free, ceiling, (5,)))  # a poor fit wants more noise


def test_noise_of_several_outputs_has_vanished_if_that_of_one_has():
    design, targets = problems.outputs(0)
    exact = targets.copy()
    exact[:, 1] = design[:, 0]
    for each, vanished in ((targets, False), (exact, True)):
        problem = problems.problem(design, each, Gaussians(3))
        posterior = problems.posterior_at(problem, [0, 1, 2], np.full(3, 1e-14))
        assert noise_vanished(posterior) == vanished
