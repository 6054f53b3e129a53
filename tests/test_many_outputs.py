"""Several real targets with shared precisions in the numerical core, their noise profiled out."""

import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose

from sparsebayes import evidence, statistics
from sparsebayes.hyperpriors import FLAT, student_t
from sparsebayes.inference import Fast, Outcome, em, mackay, run
from sparsebayes.inference.deletion import deletion_gain, single_deletion_gain
from sparsebayes.inference.newton import derivatives
from sparsebayes.likelihoods import Gaussians
from sparsebayes.posterior import refresh, revise

ALL = np.arange(8)
ALPHA = np.geomspace(1e-2, 1e3, 8)
UNITS = np.array([1.0, 1e-3, 50.0])


def case(seed=0, alpha=ALPHA, active=ALL, **options):
    """Three outputs in different units."""
    design, targets = problems.outputs(seed)
    targets = targets * UNITS
    problem = problems.problem(design, targets, Gaussians(3), **options)
    return problem, design, targets, problems.posterior_at(problem, active, alpha[: len(active)])


def naive(design, targets, active, alpha):
    """The largest log evidence over the noise of each output."""
    design = design[:, active]
    best = reference.best_noise_std(design, targets, alpha)
    return reference.outputs_log_evidence(design, targets, alpha, best)


def held(posterior, design, targets, active, alpha):
    """The log evidence at the noise of a posterior."""
    noise_std = posterior.output_precision**-0.5
    return reference.outputs_log_evidence(design[:, active], targets, alpha, noise_std)


# Posterior and evidence.


@pytest.mark.parametrize("seed", range(3))
def test_the_noise_and_the_evidence_are_the_best_ones(seed):
    problem, design, targets, posterior = case(seed)
    best = reference.best_noise_std(design, targets, ALPHA)
    assert_allclose(posterior.output_precision**-0.5, best, rtol=1e-10)
    expected = naive(design, targets, ALL, ALPHA)
    assert_allclose(evidence.log_evidence(problem, posterior), expected, rtol=1e-10)
    for factor in (0.9, 1.1):
        worse = reference.outputs_log_evidence(design, targets, ALPHA, factor * best)
        assert worse < expected


def test_the_mean_of_each_output_is_its_own():
    _, design, targets, posterior = case(1)
    noise_std = posterior.output_precision**-0.5
    for k in range(3):
        precision = ALPHA / noise_std[k] ** 2
        mean, covariance = reference.gaussian_posterior(
            design, targets[:, k], precision, noise_std[k] ** -2
        )
        assert_allclose(posterior.mean[:, k], mean, rtol=1e-9, atol=1e-12 * UNITS[k])
        ours = noise_std[k] ** 2 * posterior.covariance
        assert_allclose(ours, covariance, rtol=1e-9, atol=1e-13 * UNITS[k] ** 2)


def test_weighted_rows_are_repeated_rows():
    design, targets = problems.outputs(2)
    times = np.arange(40) % 3
    weighted = problems.problem(design, targets, Gaussians(3), weight=times * 1.0)
    repeated = problems.problem(
        np.repeat(design, times, axis=0), np.repeat(targets, times, axis=0), Gaussians(3)
    )
    one, other = (problems.posterior_at(each, ALL, ALPHA) for each in (weighted, repeated))
    assert_allclose(one.output_precision, other.output_precision, rtol=1e-10)
    expected = evidence.log_evidence(repeated, other)
    assert_allclose(evidence.log_evidence(weighted, one), expected, rtol=1e-10)


def test_chunks_of_rows_change_nothing():
    whole, parts = case(3)[-1], case(3, chunk_rows=7)[-1]
    assert_allclose(parts.mean, whole.mean, rtol=1e-10)
    assert_allclose(parts.value, whole.value, rtol=1e-10)


def test_a_revised_posterior_is_the_one_found_anew():
    problem, _, _, posterior = case(4)
    kept = np.array([True, True, False, True, True, False, True, True])
    revised = revise(posterior, 2.0 * ALPHA[kept], 1.0, kept)
    again = problems.posterior_at(problem, ALL[kept], 2.0 * ALPHA[kept])
    assert_allclose(revised.mean, again.mean, rtol=1e-9, atol=1e-12)
    assert_allclose(revised.value, again.value, rtol=1e-9)
    assert_allclose(revised.output_precision, again.output_precision, rtol=1e-10)
    assert_allclose(refresh(problem, revised).mean, again.mean, rtol=1e-9, atol=1e-12)


# Derivatives.


@pytest.mark.parametrize("weights", [FLAT, student_t(3.0)], ids=["flat", "student t"])
@pytest.mark.parametrize("weighted", [False, True])
def test_gradient_and_hessian_are_finite_differences(weights, weighted):
    weight = np.random.default_rng(1).uniform(0.3, 2.0, 40) if weighted else None
    problem, _, _, posterior = case(5, weight=weight, weight_hyperprior=weights)
    here, steps = np.log(ALPHA), 1e-4 * np.eye(8)

    def found(logs):
        return problems.posterior_at(problem, ALL, np.exp(logs))

    def differences(function):
        return np.array([(function(here + s) - function(here - s)) / 2e-4 for s in steps])

    ours = derivatives(problem, posterior)
    slope = differences(lambda logs: evidence.objective(problem, found(logs)))
    assert_allclose(ours.gradient, slope, rtol=1e-5, atol=1e-7)
    bend = differences(lambda logs: derivatives(problem, found(logs)).gradient)
    assert_allclose(ours.hessian, bend, rtol=1e-6, atol=1e-8)
    assert_allclose(ours.gradient, evidence.weight_gradient(problem, posterior), rtol=1e-14)
    assert np.all(ours.scale > 0.0)


# Gains.


@pytest.mark.parametrize("block", [[0], [3], [4, 6], [5, 0, 2], list(range(8))])
def test_a_deletion_gains_what_it_does_at_the_noise_held(block):
    problem, design, targets, posterior = case(6)
    kept = np.setdiff1d(ALL, block)
    gain = deletion_gain(posterior, np.array(block))
    here = evidence.log_evidence(problem, posterior)
    at_noise = held(posterior, design, targets, kept, ALPHA[kept])
    assert_allclose(gain, at_noise - here, rtol=1e-8, atol=1e-9)
    assert gain <= naive(design, targets, kept, ALPHA[kept]) - here + 1e-9


def test_single_deletion_gain_is_that_of_each_column_alone():
    _, _, _, posterior = case(6)
    gains = single_deletion_gain(posterior)
    assert gains.min() < -1.0 < 0.0 < gains.max()
    blocks = [deletion_gain(posterior, np.array([i])) for i in ALL]
    assert_allclose(gains, blocks, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_an_addition_gains_what_it_does_at_the_noise_held(seed):
    active = np.array([0, 5, 6])
    problem, design, targets, posterior = case(seed, np.array([0.1, 1.0, 5.0]), active)
    every = statistics.candidates(problem, active, posterior.mean)
    relevance = evidence.candidate_relevance(posterior, every)
    assert np.all(relevance.gain[active] == 0.0)
    here = evidence.log_evidence(problem, posterior)
    tried = np.flatnonzero(relevance.gain > 0.0)
    assert {1, 2} <= set(tried)
    for column in tried:
        columns = np.append(active, column)
        alpha = np.append(posterior.weight_precision, relevance.best_precision[column])
        at_noise = held(posterior, design, targets, columns, alpha) - here
        assert_allclose(relevance.gain[column], at_noise, rtol=1e-7, atol=1e-8)
        assert relevance.gain[column] <= naive(design, targets, columns, alpha) - here + 1e-9
        for factor in (0.9, 1.1):
            alpha[-1] = factor * relevance.best_precision[column]
            assert held(posterior, design, targets, columns, alpha) - here < at_noise


def test_active_relevance_is_that_of_a_column_outside():
    problem, _, _, posterior = case(7)
    inside = evidence.active_relevance(posterior)
    noise = posterior.output_precision
    for i in ALL:
        kept = i != ALL
        less = revise(posterior, ALPHA[kept], 1.0, kept)
        every = statistics.candidates(problem, less.active, less.mean)
        outside = evidence.candidate_relevance(less, every)
        assert_allclose(inside.sparsity[i], outside.sparsity[i], rtol=1e-7)
        quality = outside.quality[i] * np.sqrt(noise / less.output_precision)
        assert_allclose(inside.quality[i], quality, rtol=1e-6)


# Fits.


TOL = 1e-3


@pytest.mark.parametrize("inference", [Fast, mackay, em])
@pytest.mark.parametrize("seed", range(3))
def test_a_fit_ends_where_nothing_is_left_to_gain(inference, seed):
    design, targets = problems.outputs(seed, 40, 15)
    problem = problems.problem(design, targets * UNITS, Gaussians(3))
    fit = run(inference(TOL), problem, 5000)
    assert fit.outcome is Outcome.CONVERGED
    posterior = fit.posterior
    assert {0, 1, 2} <= set(posterior.active)
    assert len(posterior.active) < 15
    assert np.abs(evidence.weight_gradient(problem, posterior)).max() <= TOL
    every = statistics.candidates(problem, posterior.active, posterior.mean)
    assert evidence.candidate_relevance(posterior, every).gain.max() <= TOL
    assert np.all(evidence.active_relevance(posterior).factor > 0.0)
    assert_allclose(posterior.output_precision**-0.5, 0.3 * UNITS, rtol=0.3)


@pytest.mark.parametrize("inference", [em, Fast])
def test_the_objective_never_falls(inference):
    for seed in range(5):
        problem = problems.problem(*problems.outputs(seed, 30, 12), Gaussians(3))
        state = inference(TOL).init(problem)
        values = [evidence.objective(problem, state.posterior)]
        while not state.settled:
            state = inference(TOL).step(problem, state)
            values.append(evidence.objective(problem, state.posterior))
        assert len(values) > 1
        assert np.diff(values).min() >= -1e-9 * np.abs(values).max()


@pytest.mark.parametrize("inference", [Fast, mackay])
@pytest.mark.parametrize("seed", range(5))
def test_one_output_is_that_of_a_gaussian(inference, seed):
    design, target = problems.regression(seed)
    plain = run(inference(1e-6), problems.gaussian(design, target), 5000)
    ours = run(inference(1e-6), problems.problem(design, target[:, None], Gaussians(1)), 5000)
    assert list(ours.posterior.active) == list(plain.posterior.active)
    assert_allclose(ours.log_evidence, plain.log_evidence, rtol=1e-8)
    assert_allclose(ours.posterior.mean[:, 0], plain.posterior.mean, rtol=1e-3, atol=1e-4)
    noise = ours.posterior.output_precision[0]
    assert_allclose(noise, plain.posterior.noise_precision, rtol=1e-4)
    precision = noise * ours.posterior.weight_precision
    assert_allclose(precision, plain.posterior.weight_precision, rtol=1e-2)


@pytest.mark.parametrize("inference", [Fast, mackay, em])
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_unit_of_an_output_changes_nothing_else(inference, unit):
    design, targets = problems.outputs(8)
    units = np.array([1.0, unit, 1.0])
    plain = run(inference(TOL), problems.problem(design, targets, Gaussians(3)), 5000)
    scaled = run(inference(TOL), problems.problem(design, targets * units, Gaussians(3)), 5000)
    assert list(scaled.posterior.active) == list(plain.posterior.active)
    assert_allclose(scaled.posterior.mean / units, plain.posterior.mean, rtol=1e-6, atol=1e-9)
    noise = scaled.posterior.output_precision * units**2
    assert_allclose(noise, plain.posterior.output_precision, rtol=1e-8)
    shift = -40.0 * np.log(unit)
    assert_allclose(scaled.log_evidence, plain.log_evidence + shift, rtol=1e-8)


@pytest.mark.parametrize("inference", [Fast, mackay, em])
def test_noise_vanishes_for_exact_data(inference):
    design, targets = problems.outputs(9, noise=0.0)
    fit = run(inference(TOL), problems.problem(design, targets, Gaussians(3)), 5000)
    assert fit.outcome is Outcome.NOISE_VANISHED
    assert_allclose(fit.posterior.output_precision**-0.5, 1e-5 * targets.std(axis=0), rtol=1e-9)
    found = design[:, fit.posterior.active] @ fit.posterior.mean
    assert_allclose(found, targets, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("inference", [Fast, mackay, em])
def test_noise_stays_positive_where_columns_span_all_rows(inference):
    for seed in range(10):
        data = problems.outputs(seed, 3, 10, n_outputs=2)
        fit = run(inference(TOL), problems.problem(*data, Gaussians(2)), 500)
        assert np.all(fit.posterior.output_precision > 0.0)
        assert np.isfinite(fit.posterior.output_precision).all()
        assert np.isfinite(fit.log_evidence)


@pytest.mark.parametrize("inference", [Fast, mackay, em])
def test_an_output_without_noise_leaves_the_others_alone(inference):
    design, targets = problems.outputs(9)
    targets[:, 1] = design[:, 2]
    fit = run(inference(TOL), problems.problem(design, targets, Gaussians(3)), 5000)
    assert np.isfinite(fit.log_evidence)
    found = design[:, fit.posterior.active] @ fit.posterior.mean
    assert_allclose(found[:, 1], design[:, 2], atol=1e-3)
    assert_allclose(fit.posterior.output_precision[[0, 2]] ** -0.5, 0.3, rtol=0.3)


@pytest.mark.parametrize("inference", [Fast, mackay, em])
def test_nothing_is_relevant_to_targets_of_zeros(inference):
    design = problems.outputs(10)[0]
    fit = run(inference(TOL), problems.problem(design, np.zeros((40, 2)), Gaussians(2)), 5000)
    assert fit.outcome is Outcome.NOTHING_RELEVANT
    assert fit.posterior.mean.shape == (0, 2)


@pytest.mark.parametrize("inference", [Fast, mackay])
def test_an_output_of_zeros_leaves_the_others_as_they_are(inference):
    design, targets = problems.outputs(11)
    targets[:, 1] = 0.0
    fit = run(inference(TOL), problems.problem(design, targets, Gaussians(3)), 5000)
    assert fit.outcome is Outcome.CONVERGED
    assert_allclose(fit.posterior.mean[:, 1], 0.0, atol=1e-12)
    assert {0, 1, 2} <= set(fit.posterior.active)
    assert_allclose(fit.posterior.output_precision[[0, 2]] ** -0.5, 0.3, rtol=0.3)


def test_history_describes_the_end():
    problem = problems.problem(*problems.outputs(12), Gaussians(3))
    fit = run(Fast(TOL), problem, 5000)
    last = fit.history[-1]
    assert fit.log_evidence == last.log_evidence == evidence.log_evidence(problem, fit.posterior)
    assert last.n_active == len(fit.posterior.active)
    assert last.gradient <= TOL
    assert last.largest_gain <= TOL
