"""How the evidence changes with columns and precisions."""

import numpy as np
import problems
import pytest
import reference
from dense_parts import N, differences, row_weight
from numpy.testing import assert_allclose

from sparsebayes.evidence import objective
from sparsebayes.hyperpriors import Gamma
from sparsebayes.sensitivity import sensitivity

ALPHA = np.array([0.5, 3.0, 1e-2, 20.0, 1.0, 0.1])
BETA = 4.0
LOG_ALPHA, LOG_BETA = np.log(ALPHA), np.log(BETA)
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])


def gaussian_evidence(design, log_alpha, log_beta, target, weight):
    return reference.log_evidence(design, target, np.exp(log_alpha), np.exp(log_beta) * weight)


def test_the_naive_derivative_of_the_paper():
    """D = (C^-1 t t' C^-1 - C^-1) Phi A^-1. [T01] (54)"""
    design, target = problems.regression(0, N, 6)
    inverse = np.linalg.inv(reference.marginal_covariance(design, ALPHA, BETA))
    pull = inverse @ target
    naive = (np.outer(pull, pull) - inverse) @ design / ALPHA
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, np.arange(6), ALPHA, BETA)
    assert_allclose(sensitivity(posterior, design).columns, naive, rtol=1e-9, atol=1e-11)


@WEIGHTED
def test_sensitivity_of_a_regression(weighted):
    """A row of weight w has the noise precision w beta, but for a constant of beta alone."""
    design, target = problems.regression(0, N, 6)
    weight = row_weight(weighted)
    problem = problems.gaussian(design, target, weight=weight)
    found = sensitivity(problems.posterior_at(problem, np.arange(6), ALPHA, BETA), design)

    def value(design=design, log_alpha=LOG_ALPHA, log_beta=LOG_BETA):
        extra = 0.5 * (weight - 1.0).sum() * log_beta
        return gaussian_evidence(design, log_alpha, log_beta, target, weight) + extra

    by_design = differences(lambda x: value(design=x), design)
    assert_allclose(found.columns, by_design, rtol=1e-6, atol=1e-7)
    by_alpha = differences(lambda x: value(log_alpha=x), np.log(ALPHA))
    assert_allclose(found.weight_precision, by_alpha, rtol=1e-6, atol=1e-7)
    by_beta = differences(lambda x: value(log_beta=float(x)), np.array(np.log(BETA)))
    assert_allclose(found.noise_precision, by_beta, rtol=1e-6)


def test_sensitivity_of_two_classes_is_that_of_the_naive_laplace_evidence():
    design, target = problems.classification(0, 25, 6)
    problem = problems.bernoulli(design, target)
    found = sensitivity(problems.posterior_at(problem, np.arange(6), ALPHA), design)
    by_design = differences(
        lambda x: reference.laplace_log_evidence(x, target, ALPHA), design, 1e-4
    )
    assert_allclose(found.columns, by_design, rtol=1e-4, atol=1e-6)
    by_alpha = differences(
        lambda x: reference.laplace_log_evidence(design, target, np.exp(x)), np.log(ALPHA), 1e-4
    )
    assert_allclose(found.weight_precision, by_alpha, rtol=1e-4, atol=1e-6)
    assert found.noise_precision == 0.0


@WEIGHTED
@pytest.mark.parametrize("hyperprior", [Gamma(0.0, 0.0), Gamma(2.0, 0.3)], ids=["flat", "proper"])
def test_sensitivity_of_two_classes(weighted, hyperprior):
    design, target = problems.classification(1, 25, 6)
    options = {"weight": row_weight(weighted, 25), "weight_hyperprior": hyperprior}

    def value(design, log_alpha):
        problem = problems.bernoulli(design, target, **options)
        posterior = problems.posterior_at(problem, np.arange(6), np.exp(log_alpha))
        return objective(posterior)

    problem = problems.bernoulli(design, target, **options)
    found = sensitivity(problems.posterior_at(problem, np.arange(6), ALPHA), design)
    by_design = differences(lambda x: value(x, np.log(ALPHA)), design)
    assert_allclose(found.columns, by_design, rtol=1e-5, atol=1e-7)
    by_alpha = differences(lambda x: value(design, x), np.log(ALPHA))
    assert_allclose(found.weight_precision, by_alpha, rtol=1e-5, atol=1e-7)


def test_the_noise_has_no_derivative_where_it_is_fixed():
    design, target = problems.regression(0, N, 6)
    problem = problems.gaussian(design, target, noise_std=0.5)
    posterior = problems.posterior_at(problem, np.arange(6), ALPHA, BETA)
    assert sensitivity(posterior, design).noise_precision == 0.0


@pytest.mark.parametrize(
    ("make", "data"),
    [
        (problems.gaussian, problems.regression(0, N, 6)),
        (problems.bernoulli, problems.classification(0, N, 6)),
    ],
    ids=["regression", "classification"],
)
def test_a_row_of_weight_two_is_the_row_twice(make, data):
    def found(design, target, weight):
        problem = make(design, target, weight=weight)
        posterior = problems.posterior_at(problem, np.arange(6), ALPHA, BETA)
        return sensitivity(posterior, design)

    one = found(*data, np.full(N, 2.0))
    two = found(np.vstack([data[0]] * 2), np.tile(data[1], 2), np.ones(2 * N))
    assert_allclose(one.columns, two.columns[:N] + two.columns[N:], rtol=1e-7, atol=1e-9)
    assert_allclose(one.weight_precision, two.weight_precision, rtol=1e-7, atol=1e-9)
    assert_allclose(one.noise_precision, two.noise_precision, rtol=1e-7, atol=1e-9)
