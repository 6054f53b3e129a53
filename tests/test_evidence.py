"""Evidence at the edges. That it is the naive one: laws/test_evidence_laws.py."""

import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose

from sparsebayes import evidence, statistics
from sparsebayes.hyperpriors import Gamma, student_t

ACTIVE = np.array([0, 2, 3, 5])
ALPHA = np.array([0.5, 3.0, 1e-3, 20.0])
BETA = 4.0


def evidence_at(design, target, active, alpha, beta):
    problem = problems.gaussian(design, target)
    return evidence.log_evidence(problems.posterior_at(problem, active, alpha, beta))


# The value.


@pytest.mark.parametrize(("n_rows", "n_columns"), [(2, 6), (12, 6), (25, 6)])
@pytest.mark.parametrize("beta", [1e-2, 1.0, 1e4])
def test_log_evidence_is_the_gaussian_density(n_rows, n_columns, beta):
    design, target = problems.regression(0, n_rows, n_columns)
    ours = evidence_at(design, target, ACTIVE, ALPHA, beta)
    chosen = design[:, ACTIVE]
    assert_allclose(ours, reference.log_evidence(chosen, target, ALPHA, beta), rtol=1e-8)
    assert_allclose(ours, reference.exact_log_evidence(chosen, target, ALPHA, beta), rtol=1e-8)


@pytest.mark.parametrize("bias_precision", [1e-12, 1e-3])
def test_log_evidence_with_an_offset_of_a_million(bias_precision):
    design, target = problems.regression(1, 25)
    design[:, 0] = 1.0
    alpha = np.array([bias_precision, *ALPHA[1:]])
    ours = evidence_at(design, target + 1e6, ACTIVE, alpha, BETA)
    exact = reference.exact_log_evidence(design[:, ACTIVE], target + 1e6, alpha, BETA)
    assert_allclose(ours, exact, rtol=1e-8)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_log_evidence_in_other_units_of_the_target(unit, offset):
    design, target = problems.regression(2, 25)
    design[:, 0] = 1.0
    target = unit * (target + offset)
    alpha, beta = np.array([1e-12, *ALPHA[1:]]) / unit**2, BETA / unit**2
    ours = evidence_at(design, target, ACTIVE, alpha, beta)
    exact = reference.exact_log_evidence(design[:, ACTIVE], target, alpha, beta)
    assert_allclose(ours, exact, rtol=1e-8)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_log_evidence_in_other_units_of_a_column(unit):
    design, target = problems.regression(3, 25)
    plain = evidence_at(design, target, ACTIVE, ALPHA, BETA)
    alpha = ALPHA.copy()
    design[:, 2] *= unit
    alpha[1] *= unit**2
    assert_allclose(evidence_at(design, target, ACTIVE, alpha, BETA), plain, rtol=1e-10)


def test_log_evidence_of_no_columns_is_that_of_noise():
    design, target = problems.regression(4)
    none = np.empty(0, dtype=np.intp)
    ours = evidence_at(design, target, none, np.empty(0), BETA)
    expected = reference.log_evidence(design[:, :0], target, np.empty(0), BETA)
    assert_allclose(ours, expected, rtol=1e-12)


def test_objective_adds_the_hyperpriors():
    design, target = problems.regression(6)
    weights, noise = student_t(3.0), Gamma(2.0, 0.1)
    problem = problems.gaussian(design, target, weight_hyperprior=weights, noise_hyperprior=noise)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, BETA)
    added = np.sum(1.5 * np.log(ALPHA) - 1.5 * ALPHA) + 2.0 * np.log(BETA) - 0.1 * BETA
    total = evidence.log_evidence(posterior) + added
    assert_allclose(evidence.objective(posterior), total, rtol=1e-12)


def test_a_fixed_noise_has_no_hyperprior():
    design, target = problems.regression(6)
    noise = Gamma(2.0, 0.1)
    problem = problems.gaussian(design, target, noise_std=0.5, noise_hyperprior=noise)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, 4.0)
    assert evidence.objective(posterior) == evidence.log_evidence(posterior)
    assert evidence.noise_gradient(posterior) == 0.0


# Sparsity and quality.


def candidates_of(posterior):
    every = statistics.candidates(posterior.problem, posterior.active, posterior.mean)
    return evidence.candidate_relevance(posterior, every)


def test_a_column_in_the_span_of_the_active_ones_has_no_gain():
    """Its sparsity is 1e-13 of its energy, which rounding would drown."""
    design, target = problems.regression(10)
    design[:, 7] = design[:, 0] - 2.0 * design[:, 1]
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, [0, 1], np.full(2, 1e-12), BETA)
    relevance = candidates_of(posterior)
    assert relevance.sparsity[7] == relevance.gain[7] == 0.0
    assert relevance.gain[2] > 0.0


def test_gain_and_best_precision_of_columns_that_do_not_belong():
    relevance = evidence.Relevance(
        np.array([1.0, 4.0, 1.0, 0.0]), np.array([[1.0], [1.0], [2.0], [0.0]])
    )
    assert_allclose(relevance.gain, [0.0, 0.0, 0.5 * (3.0 - np.log(4.0)), 0.0], rtol=1e-14)
    assert_allclose(relevance.best_precision, [np.inf, np.inf, 1.0 / 3.0, np.inf])
