"""The evidence is the naive one, and so is all that is said of its changes."""

import numpy as np
import problems
import pytest
from laws.parts import (
    LIKELIHOODS,
    differences,
    over,
    some_posterior,
    some_row_weights,
)
from numpy.testing import assert_allclose

from sparsebayes import evidence, statistics
from sparsebayes.hyperpriors import FLAT, Gamma, student_t
from sparsebayes.problem import Precisions

SEEDS = pytest.mark.parametrize("seed", range(3))
HYPERPRIORS = pytest.mark.parametrize(
    ("weights", "noise"),
    [(FLAT, FLAT), (student_t(3.0), FLAT), (FLAT, Gamma(2.0, 0.1)), (Gamma(1.0, 0.2), Gamma(3, 2))],
    ids=["flat", "student t", "noise", "both"],
)
WEIGHTED = pytest.mark.parametrize("weight", [None, some_row_weights(24)], ids=["", "weighted"])


@over(LIKELIHOODS)
@pytest.mark.parametrize("seed", range(8))
def test_the_evidence_is_the_naive_one(part, seed):
    posterior = some_posterior(part, seed)
    naive = part.log_evidence(posterior, posterior.active, posterior.weight_precision)
    assert_allclose(evidence.log_evidence(posterior), naive, rtol=1e-8)


@over(LIKELIHOODS)
def test_a_row_of_weight_two_is_the_row_twice(part):
    times = np.arange(24) % 3
    weighted = some_posterior(part, weight=times * 1.0)
    design, target = part.data(0, 24, 5)
    twice = np.repeat(np.arange(24), times)
    problem = problems.problem(design[twice], target[twice], part.likelihood)
    repeated = problems.posterior_at(problem, weighted.active, *weighted.precisions)
    assert_allclose(weighted.output_precision, repeated.output_precision, rtol=1e-10)
    expected = evidence.log_evidence(repeated)
    assert_allclose(evidence.log_evidence(weighted), expected, rtol=1e-10)


@over(LIKELIHOODS)
@HYPERPRIORS
@WEIGHTED
def test_gradients_are_those_of_the_objective_with_the_curvature_held(part, weights, noise, weight):
    options = {"weight": weight, "weight_hyperprior": weights, "noise_hyperprior": noise}
    posterior = some_posterior(part, **options)
    alpha, beta = posterior.precisions

    def objective(log_alpha, log_beta):
        precisions = Precisions(np.exp(log_alpha), float(np.exp(log_beta)))
        return evidence.objective(posterior.at(precisions))

    here = np.log(alpha), np.log(beta)
    by_alpha = differences(lambda x: objective(x, here[1]), here[0], 1e-4)
    assert_allclose(evidence.weight_gradient(posterior), by_alpha, rtol=1e-6, atol=1e-6)
    by_beta = 0.0
    if posterior.problem.noise.estimated:
        by_beta = differences(lambda x: objective(here[0], x), here[1], 1e-4)
    assert_allclose(evidence.noise_gradient(posterior), by_beta, rtol=1e-6, atol=1e-6)


# Sparsity and quality.


def rise(relevance, i, precision):
    """What a candidate adds to the log evidence at a precision. [TF03]

    1/2 (log alpha - log(alpha + s) + q^2 / (alpha + s)), summed over outputs.
    """
    whole = precision + relevance.sparsity[i]
    return 0.5 * np.sum(np.log(precision / whole) + relevance.quality[i] ** 2 / whole)


def naive_rise(part, posterior, candidate, precision):
    """The naive evidence with a candidate at a precision less that without, curvature held."""
    data, others = posterior.problem.data, posterior.active != candidate
    latent = part.expanded(data.inputs, posterior.active) @ posterior.mean.ravel()
    active, alpha = posterior.active[others], posterior.weight_precision[others]
    without = part.log_evidence(posterior, active, alpha, latent)
    active, alpha = np.append(active, candidate), np.append(alpha, precision)
    return part.log_evidence(posterior, active, alpha, latent) - without


def candidates_of(posterior):
    every = statistics.candidates(posterior.problem, posterior.active, posterior.mean)
    return evidence.candidate_relevance(posterior, every)


@pytest.mark.slow
@over(LIKELIHOODS)
@SEEDS
def test_sparsity_and_quality_of_a_candidate_foretell_the_evidence_with_it(part, seed):
    posterior = some_posterior(part, seed).refreshed()
    relevance = candidates_of(posterior)
    for j in np.setdiff1d(np.arange(posterior.problem.n_candidates), posterior.active):
        for precision in relevance.sparsity[j] * np.array([0.01, 1.0, 10.0]):
            naive = naive_rise(part, posterior, j, precision)
            assert_allclose(rise(relevance, j, precision), naive, rtol=1e-6, atol=1e-7)


@pytest.mark.slow
@over(LIKELIHOODS)
@SEEDS
def test_sparsity_and_quality_of_an_active_candidate_are_those_it_has_outside(part, seed):
    posterior = some_posterior(part, seed).refreshed()
    relevance = evidence.active_relevance(posterior)
    for i, candidate in enumerate(posterior.active):
        for precision in relevance.sparsity[i] * np.array([0.01, 1.0, 10.0]):
            naive = naive_rise(part, posterior, candidate, precision)
            assert_allclose(rise(relevance, i, precision), naive, rtol=1e-6, atol=1e-7)


@over(LIKELIHOODS)
@SEEDS
def test_a_gain_is_the_most_that_any_precision_adds(part, seed):
    posterior = some_posterior(part, seed)
    relevance = candidates_of(posterior)
    assert not relevance.gain[posterior.active].any()
    for j in np.flatnonzero(relevance.gain):
        best = relevance.best_precision[j]
        assert relevance.gain[j] > 0.0
        assert_allclose(relevance.gain[j], rise(relevance, j, best), rtol=1e-9, atol=1e-12)
        assert rise(relevance, j, 0.9 * best) < relevance.gain[j] > rise(relevance, j, 1.1 * best)
    for j in np.flatnonzero(~np.isfinite(relevance.best_precision) & (relevance.sparsity > 0.0)):
        assert rise(relevance, j, 1e3 * relevance.sparsity[j]) <= 0.0
