import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, log_expit

from sparsebayes import statistics

ACTIVE = np.array([0, 2, 5])
MEAN = np.array([0.3, -1.0, 0.7])
CHUNKS = [None, 1, 7, 1000]


def gaussian_case(chunk_rows=None):
    design, target = problems.regression(0)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(target))
    problem = problems.gaussian(design, target, weight=weight, chunk_rows=chunk_rows)
    residual = target - design[:, ACTIVE] @ MEAN
    return problem, design, weight * residual, weight, -0.5 * weight @ residual**2


def bernoulli_case(chunk_rows=None):
    design, target = problems.classification(0)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(target))
    problem = problems.bernoulli(design, target, weight=weight, chunk_rows=chunk_rows)
    latent = design[:, ACTIVE] @ MEAN
    probability = expit(latent)
    value = weight @ log_expit((2 * target - 1) * latent)
    curvature = weight * probability * (1 - probability)
    return problem, design, weight * (target - probability), curvature, value


CASES = pytest.mark.parametrize("case", [gaussian_case, bernoulli_case])


@CASES
@pytest.mark.parametrize("chunk_rows", CHUNKS)
def test_expansion(case, chunk_rows):
    problem, design, slope, _, value = case(chunk_rows)
    here = statistics.expansion(problem, ACTIVE, MEAN)
    assert_allclose(here.value, value, rtol=1e-12)
    assert_allclose(here.score, design[:, ACTIVE].T @ slope, rtol=1e-11, atol=1e-12)


@CASES
@pytest.mark.parametrize("chunk_rows", CHUNKS)
def test_gram(case, chunk_rows):
    problem, design, _, curvature, _ = case(chunk_rows)
    chosen = design[:, ACTIVE]
    expected = chosen.T @ np.diag(curvature) @ chosen
    assert_allclose(statistics.gram(problem, ACTIVE, MEAN), expected, rtol=1e-11, atol=1e-12)


@CASES
@pytest.mark.parametrize("chunk_rows", CHUNKS)
def test_candidates(case, chunk_rows):
    problem, design, slope, curvature, _ = case(chunk_rows)
    every = statistics.candidates(problem, ACTIVE, MEAN)
    full_gram = design.T @ np.diag(curvature) @ design
    assert_allclose(every.score, design.T @ slope, rtol=1e-11, atol=1e-12)
    assert_allclose(every.energy, np.diag(full_gram), rtol=1e-12)
    assert_allclose(every.cross_gram, full_gram[:, ACTIVE], rtol=1e-11, atol=1e-12)


@CASES
def test_score_is_the_gradient_of_the_value(case):
    problem, h = case()[0], 1e-5
    score = statistics.expansion(problem, ACTIVE, MEAN).score
    for i, unit in enumerate(np.eye(3)):
        high = statistics.expansion(problem, ACTIVE, MEAN + h * unit).value
        low = statistics.expansion(problem, ACTIVE, MEAN - h * unit).value
        assert_allclose(score[i], (high - low) / (2 * h), rtol=1e-6)


def test_residual_energy_does_not_cancel():
    """A residual of 1e-7 beside an offset of 1e6: t't alone is known to 1e-4 of it at best."""
    random = np.random.default_rng(2)
    design = np.column_stack([np.ones(30), np.arange(30.0)])
    residual = 2.0**-23 * random.integers(-3, 4, 30)
    problem = problems.gaussian(design, 2.0**20 + residual)
    value = statistics.expansion(problem, np.array([0, 1]), np.array([2.0**20, 0.0])).value
    assert_allclose(value, -0.5 * residual @ residual, rtol=1e-14)


@CASES
def test_no_active_columns(case):
    problem, design = case()[:2]
    none = np.empty(0, dtype=np.intp)
    assert statistics.expansion(problem, none, np.empty(0)).score.shape == (0,)
    assert statistics.gram(problem, none, np.empty(0)).shape == (0, 0)
    every = statistics.candidates(problem, none, np.empty(0))
    assert every.cross_gram.shape == (design.shape[1], 0)
    assert every.energy.shape == every.score.shape == (design.shape[1],)
