"""Noise that varies: two models in turn, and one noise where that is as likely."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from procedure_parts import LEARNED, LIMITS, RANDOM

from sparsebayes.inference import Fast, Outcome, Projection
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussian, Heteroscedastic, Variances
from sparsebayes.problem import Problem
from sparsebayes.procedures import Varying, procedure_with_scales
from sparsebayes.procedures.varying import Alternation, effective, expected_squares, volume
from sparsebayes.rows import Data, known_noise

N = 100
X = RANDOM.uniform(-2.0, 2.0, (N, 1))
SIGMA = np.exp(X[:, 0] - 1.0)
UNEVEN = np.sin(2.0 * X[:, 0]) + SIGMA * RANDOM.normal(size=N)
EVEN = np.sin(2.0 * X[:, 0]) + 0.3 * RANDOM.normal(size=N)
INFERENCES = pytest.mark.parametrize("inference", [Projection(), Fast()], ids=repr)


def fits(target, inference, how=None):
    problem = Problem(Data(X, target, np.ones(N)), LEARNED.bind(X, np.ones(N)), Heteroscedastic())
    inner = procedure_with_scales(inference, LIMITS)
    return (Varying(inner) if how is None else Varying(inner, how)).fit(problem, Report())


@INFERENCES
def test_both_models_are_found(inference):
    _mean, spread = fits(UNEVEN, inference)
    assert isinstance(spread.problem.likelihood, Variances)
    assert np.sqrt(np.mean((0.5 * effective(spread) - np.log(SIGMA)) ** 2)) < 0.35


@INFERENCES
def test_one_noise_is_a_fit_of_one_noise(inference):
    (found,) = fits(EVEN, inference)
    problem = Problem(Data(X, EVEN, np.ones(N)), LEARNED.bind(X, np.ones(N)), Gaussian())
    (plain,) = procedure_with_scales(inference, LIMITS).fit(problem, Report())
    assert found.log_evidence == plain.log_evidence


def test_the_evidence_is_that_of_the_mean_and_of_the_integral_over_the_noise():
    """N x N: the targets given the noise of each row, and Laplace's volume of the log variance."""
    mean, spread = fits(UNEVEN, Projection())
    likelihood = spread.problem.likelihood
    sigma = np.exp(0.5 * np.clip(effective(spread), *likelihood.limits))
    noise = known_noise(sigma, np.ones(N))
    own = mean.log_evidence - volume(spread) - noise.log_factor
    again = Problem(Data(X, UNEVEN, noise.weight), LEARNED.bind(X, np.ones(N)), Gaussian(noise.std))
    (plain,) = procedure_with_scales(Projection(), LIMITS).fit(again, Report())
    assert_allclose(own, plain.log_evidence, atol=1e-6)


def test_expected_squares_hold_what_is_not_known_of_the_mean():
    mean, _ = fits(UNEVEN, Projection())
    error = UNEVEN - mean.latents[:, 0]
    assert (expected_squares(mean, UNEVEN) > error**2).all()


def test_noise_keeps_within_its_range():
    narrow = Alternation(range=(0.5, 2.0))
    found = fits(UNEVEN, Projection(), narrow)
    low, high = found[-1].problem.likelihood.limits
    assert_allclose(high - low, np.log(4.0))


def test_where_noise_has_vanished_there_is_none_to_vary():
    (found,) = fits(np.sin(X[:, 0]), Projection())
    assert found.outcome is Outcome.NOISE_VANISHED
