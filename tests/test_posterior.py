"""Posteriors that are hard to find. That they are the right ones: laws/test_posterior_laws.py."""

import numpy as np
import problems
import pytest
import reference
from laws.parts import gradient_size
from numpy.testing import assert_allclose

ALPHA = np.array([0.5, 3.0, 1e-4, 20.0])
ACTIVE = np.array([1, 2, 4, 5])


@pytest.mark.parametrize("noise_precision", [1e-3, 7.0, 1e5])
def test_a_gaussian_posterior_is_the_papers(noise_precision):
    """[T01] (12)-(13)"""
    design, target = problems.regression(0)
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, noise_precision)
    chosen = design[:, ACTIVE]
    mean, covariance = reference.gaussian_posterior(chosen, target, ALPHA, noise_precision)
    assert_allclose(posterior.mean[:, 0], mean, rtol=1e-10)
    assert_allclose(posterior.covariance, covariance, rtol=1e-10, atol=1e-16)
    assert_allclose(posterior.residual_energy, np.sum((target - chosen @ mean) ** 2), rtol=1e-10)


def test_a_second_newton_step_removes_the_rounding_of_the_first():
    """Two columns that differ by 1e-6, and an offset of 1e6: the normal equations alone err."""
    random = np.random.default_rng(4)
    column = random.normal(size=50)
    design = np.column_stack([np.ones(50), column, column + 1e-6 * random.normal(size=50)])
    problem = problems.gaussian(design, 1e6 + column + 0.1 * random.normal(size=50))
    alpha = np.array([1e-12, 1e-3, 1e-3])
    assert gradient_size(problems.posterior_at(problem, [0, 1, 2], alpha, 100.0)) < 1e-5


def test_classes_that_can_be_separated_have_a_mode():
    inputs = np.linspace(-1.0, 1.0, 30)
    design, target = np.column_stack([np.ones(30), inputs]), (inputs > 0.0).astype(float)
    problem = problems.bernoulli(design, target)
    posterior = problems.posterior_at(problem, [0, 1], np.array([1e-8, 1e-8]))
    assert posterior.mean[1, 0] > 100.0
    assert gradient_size(posterior) < 1e-4


def test_well_determined_lies_between_0_and_1_for_collinear_columns():
    design, target = problems.regression(10)
    design = np.column_stack([design, design])
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, np.arange(16), np.full(16, 1e-14), 1.0)
    assert np.all((posterior.well_determined >= 0.0) & (posterior.well_determined <= 1.0))
