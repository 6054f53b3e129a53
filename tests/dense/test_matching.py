"""Moments of rows, matched by expectation propagation, against integrals of the posterior."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import log_expit

from sparsebayes.basis import Bias, GaussianKernel, Linear
from sparsebayes.dense.fit import dense_posterior
from sparsebayes.dense.matching import Matching, matched, quadratic_factors, with_factors
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

# Many fits: `make quick` leaves them out.
pytestmark = pytest.mark.slow

TWO = np.array([[0.0], [0.7]])
LINE = np.linspace(-2.0, 2.0, 12)[:, None]
EXACT = Matching(close=1e-9, max_rounds=500)


def posterior(inputs, target, amplitude=4.0, weight=None, likelihood=None, basis=None):
    """Laplace's, of a dense model with this prior variance."""
    weight = np.ones(len(inputs)) if weight is None else weight
    columns = (GaussianKernel(1.0) if basis is None else basis).bind(inputs, weight)
    data = Data(inputs, np.asarray(target, dtype=float), weight)
    problem = Problem(data, columns, likelihood or Bernoulli())
    n_groups = 1 if basis is None else len(columns.kinds)
    return dense_posterior(problem, np.full(n_groups, -np.log(amplitude)))


def moments(posterior):
    """Mean (n, k) and covariance (n, n) of the latent values at the rows."""
    design = posterior.problem.columns.evaluate(posterior.problem.data.inputs)
    return design @ posterior.mean, design @ posterior.covariance @ design.T


def kernel(inputs):
    return np.exp(-((inputs - inputs.T) ** 2))


@cache
def integrals(target, amplitude, weight=(1.0, 1.0), size=801):
    """Mean and variance of two latent values under their exact posterior, on a fine grid."""
    line = np.linspace(-9.0, 9.0, size)
    white = np.stack(np.meshgrid(line, line, indexing="ij"), -1).reshape(-1, 2)
    latent = white @ np.linalg.cholesky(amplitude * kernel(TWO)).T
    sign = 2.0 * np.array(target) - 1.0
    log_share = log_expit(sign * latent) @ np.array(weight) - 0.5 * np.sum(white**2, axis=1)
    share = np.exp(log_share - log_share.max())
    share /= share.sum()
    mean = share @ latent
    return mean, share @ (latent - mean) ** 2


def errors(posterior, exact):
    """Of means in standard deviations, and of the logarithms of variances."""
    mean, covariance = moments(posterior)
    distance = np.abs(mean[:, 0] - exact[0]) / np.sqrt(exact[1])
    return distance.max(), np.abs(np.log(np.diag(covariance) / exact[1])).max()


@pytest.mark.parametrize("target", [(1.0, 1.0), (1.0, 0.0), (0.0, 0.0)])
@pytest.mark.parametrize("amplitude", [1.0, 4.0, 25.0, 100.0])
def test_moments_of_two_rows_are_far_closer_than_those_of_laplace(target, amplitude):
    exact = integrals(target, amplitude)
    mode = posterior(TWO, target, amplitude)
    for found, limit in ((matched(mode), 0.5), (matched(mode, EXACT), 0.3)):
        for error, of_laplace in zip(errors(found, exact), errors(mode, exact), strict=True):
            assert error < limit * of_laplace


@pytest.mark.parametrize("target", [(1.0, 1.0), (1.0, 0.0)])
@pytest.mark.parametrize("amplitude", [0.1, 1.0, 4.0])
def test_moments_of_two_rows_are_nearly_exact_when_all_is_matched(target, amplitude):
    found = errors(matched(posterior(TWO, target, amplitude), EXACT), integrals(target, amplitude))
    assert max(found) < 5e-3


@pytest.mark.parametrize("weight", [(0.5, 1.0), (2.0, 1.0), (3.0, 0.25)])
def test_weights_of_rows_are_powers_of_their_likelihood(weight):
    exact = integrals((1.0, 0.0), 4.0, weight)
    mode = posterior(TWO, (1.0, 0.0), 4.0, np.array(weight))
    found = errors(matched(mode, EXACT), exact)
    assert max(found) < 0.3 * max(errors(mode, exact))
    assert max(found) < 0.05


def random_rows(n, seed=0):
    random = np.random.default_rng(seed)
    inputs = random.uniform(-2.0, 2.0, (n, 1))
    return inputs, 1.0 * (np.sin(2.0 * inputs[:, 0]) + 0.5 * random.normal(size=n) > 0.0)


def test_a_weight_of_two_is_the_row_twice():
    inputs, target = random_rows(20)
    times = np.arange(20) % 3 + 1
    weighted = matched(posterior(inputs, target, weight=1.0 * times))
    again = np.repeat(np.arange(20), times)
    repeated = matched(posterior(inputs[again], target[again]))
    first = np.unique(again, return_index=True)[1]
    mean, covariance = moments(weighted)
    others, other_covariance = moments(repeated)
    assert_allclose(mean, others[first], rtol=1e-6, atol=1e-8)
    assert_allclose(np.diag(covariance), np.diag(other_covariance)[first], rtol=1e-6)


def test_at_the_end_each_row_has_the_moments_of_its_likelihood_given_the_others():
    inputs, target = random_rows(15)
    weight = np.resize([1.0, 2.0, 0.5], 15)
    found = matched(posterior(inputs, target, 4.0, weight), EXACT)
    mean, covariance = moments(found)
    variance = np.diag(covariance)
    data = found.problem.data
    once = np.minimum(weight, 1.0)
    precision = once * data.weight / weight
    of_others = 1.0 / variance - precision
    pulls = data.target.reshape(15, -1) * precision[:, None]
    without = (mean / variance[:, None] - pulls) / of_others[:, None]
    tilted = Bernoulli().tilted(target, without, 1.0 / of_others, once)
    assert_allclose(tilted.mean, mean, rtol=1e-5, atol=1e-6)
    assert_allclose(tilted.variance, variance, rtol=1e-5)


def test_of_many_rows_moments_are_nearly_those_at_the_mode():
    """A narrow posterior is Gaussian."""
    inputs, target = random_rows(2000)
    mode = posterior(inputs, target, 4.0, basis=Linear() + Bias())
    found = matched(mode)
    assert found is not mode
    mean, covariance = moments(found)
    at_mode, of_mode = moments(mode)
    assert_allclose(np.diag(covariance), np.diag(of_mode), rtol=0.1)
    assert np.abs(mean - at_mode).max() < 0.1 * np.sqrt(np.diag(of_mode).min())


@pytest.mark.parametrize("target", [LINE[:, 0] > 0.0, LINE[:, 0] > -9.0], ids=["split", "one"])
def test_means_are_farther_from_even_odds_than_modes(target):
    mode = posterior(LINE, target, 25.0)
    mean, latent = moments(matched(mode))[0], moments(mode)[0]
    assert np.all(np.sign(mean) == np.sign(latent))
    assert np.all(np.abs(mean) > np.abs(latent))


def test_it_does_not_matter_which_class_is_called_one():
    inputs, target = random_rows(20)
    one, other = (moments(matched(posterior(inputs, t))) for t in (target, 1.0 - target))
    assert_allclose(one[0], -other[0], rtol=1e-8, atol=1e-10)
    assert_allclose(one[1], other[1], rtol=1e-8, atol=1e-10)


# Where nothing is matched.


def test_gaussian_noise_needs_no_matching():
    given = posterior(LINE, np.sin(LINE[:, 0]), likelihood=Gaussian(0.1))
    assert matched(given) is given


@pytest.mark.parametrize("how", [Matching(max_rounds=0), Matching(max_rounds=1, close=1e-9)])
def test_what_does_not_converge_is_left_as_it_is(how):
    mode = posterior(LINE, LINE[:, 0] > 0.0)
    assert matched(mode, how) is mode


@pytest.mark.parametrize("max_rounds", [3, 6])
def test_rounds_that_do_not_come_close_give_the_nearest_that_they_came_to(max_rounds):
    """Separable classes with a large amplitude: Laplace's method is far from the moments."""
    mode = posterior(LINE, LINE[:, 0] > 0.0, amplitude=1e6)
    exact = moments(matched(mode, EXACT))[0]
    near = moments(matched(mode, Matching(close=0.0, max_rounds=max_rounds)))[0]
    far = moments(mode)[0]
    assert np.abs(near - exact).max() < 0.5 * np.abs(far - exact).max()


def test_many_rows_are_left_as_they_are():
    mode = posterior(LINE, LINE[:, 0] > 0.0)
    assert matched(mode, Matching(most_rows=11)) is mode
    assert matched(mode, Matching(most_rows=12)) is not mode


EXTREME = {
    "separable": (LINE, LINE[:, 0] > 0.0),
    "alternating": (LINE, np.arange(12) % 2),
    "one class": (LINE, np.ones(12)),
    "one of many": (LINE, np.arange(12) == 6),
    "contradicting": (np.repeat([[0.0], [1.0]], 10, axis=0), np.resize([0.0] * 9 + [1.0], 20)),
}


@pytest.mark.parametrize("rows", EXTREME.values(), ids=EXTREME)
@pytest.mark.parametrize("weight", [1e-6, 0.3, 1.0, 1e6])
def test_extreme_amplitudes_give_finite_numbers(rows, weight):
    inputs, target = rows
    for log_amplitude in (-60.0, -20.0, 5.0, 10.0, 20.0, 40.0, 60.0):
        given = np.full(len(inputs), weight)
        mode = posterior(inputs, target, np.exp(log_amplitude), given)
        mean, covariance = moments(matched(mode))
        assert np.isfinite(mean).all()
        assert np.all(np.diag(covariance) >= 0.0)
        assert np.all(np.diag(covariance) <= np.exp(log_amplitude) * (1.0 + 1e-6))


# Factors of rows.


def test_quadratics_at_the_mode_make_the_posterior_of_laplace():
    inputs, target = random_rows(15)
    mode = posterior(inputs, target, 4.0, np.resize([1.0, 2.0, 0.5], 15), Bernoulli())
    problem, latents = mode.problem, moments(mode)[0]
    factors = quadratic_factors(problem, latents)
    found = with_factors(problem, mode.active, mode.precisions, factors)
    assert_allclose(found.mean, mode.mean, atol=1e-5)
    assert_allclose(found.covariance, mode.covariance, atol=1e-5)
