"""Real targets, and quantiles where the precision of their noise is uncertain."""

import numpy as np
import pytest
import scipy
from model_parts import DESIGN, KINDS, latent_at, latent_covariance
from numpy.testing import assert_allclose
from scipy import stats
from scipy.integrate import quad
from scipy.special import gammaln, ndtr
from scipy.stats import norm

from sparsebayes.model.mixtures import RULE, MixtureRule, precision_nodes, quantiles_with_noise
from sparsebayes.model.real import uncertain_noise
from sparsebayes.model.responses import RealTargets

KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
NOISE, OFFSET = np.array([0.5, 2.0]), np.array([-1.0, 10.0])
LEVELS = np.array([0.05, 0.5, 0.9])


def mixture_quantiles(mean, variance, noise, levels, rule=RULE):
    """Quantiles with noise whose precision has a Gamma distribution of this shape and rate."""
    return quantiles_with_noise(mean, variance, precision_nodes(*noise, rule), levels, rule)


@KIND
def test_moments_of_targets_are_those_of_latent_values_with_noise_and_offset(make):
    plain, covariance = make(2)
    response, latent = RealTargets(OFFSET, NOISE), latent_at(plain, DESIGN)
    mean, std = response.mean_and_std(latent)
    assert_allclose(mean, DESIGN @ plain.weights + OFFSET, rtol=1e-12)
    assert_allclose(response.mean(latent), mean, rtol=1e-15)
    variance = np.einsum("nknk->nk", latent_covariance(covariance, DESIGN))
    assert_allclose(std**2, variance + NOISE**2, rtol=1e-10)


@KIND
def test_the_covariance_of_targets_has_the_noise_on_its_diagonal(make):
    plain, covariance = make(2)
    ours = RealTargets(OFFSET, NOISE).covariance(latent_at(plain, DESIGN))
    every = latent_covariance(covariance, DESIGN)
    for k in range(2):
        expected = every[:, k, :, k] + NOISE[k] ** 2 * np.eye(len(DESIGN))
        assert_allclose(ours[..., k], expected, rtol=1e-10, atol=1e-11)


@KIND
def test_quantiles_are_those_of_a_gaussian(make):
    plain, _ = make(2)
    response, latent = RealTargets(OFFSET, NOISE), latent_at(plain, DESIGN)
    mean, std = response.mean_and_std(latent)
    ours = response.quantiles(latent, LEVELS)
    expected = norm.ppf(LEVELS[:, None], mean[:, None], std[:, None])
    assert_allclose(ours, expected, rtol=1e-11, atol=1e-11)


def test_quantiles_integrate_over_the_noise_of_each_output():
    plain, _ = KINDS["independent"](2)
    noise = np.array([[3.0, 1.0], [20.0, 80.0]])
    latent = latent_at(plain, DESIGN)
    ours = uncertain_noise(OFFSET, NOISE, noise).quantiles(latent, LEVELS)
    for k in range(2):
        mean, variance = latent.mean[:, k] + OFFSET[k], latent.variance[:, k]
        alone = mixture_quantiles(mean, variance, noise[k], LEVELS)
        assert_allclose(ours[..., k], alone, rtol=1e-12)


def test_noise_of_draws_has_its_standard_deviation():
    """Within five standard errors of 40 000 draws."""
    latent_draws = np.zeros((2, 40_000, 2))
    draws = RealTargets(OFFSET, NOISE).with_noise(latent_draws, np.random.default_rng(0), None)
    assert np.all(np.abs(draws.mean(axis=1) - OFFSET) < 5.0 * NOISE / 200.0)
    assert_allclose(draws.std(axis=1), np.tile(NOISE, (2, 1)), rtol=5.0 / np.sqrt(80_000))


def test_more_noise_adds_to_the_variance_of_each_output():
    plain, _ = KINDS["independent"](2)
    response, latent = RealTargets(OFFSET, NOISE), latent_at(plain, DESIGN)
    more = np.array([0.3, 4.0])
    mean, std = response.with_more_noise(more).mean_and_std(latent)
    plain_mean, plain_std = response.mean_and_std(latent)
    assert_allclose(mean, plain_mean, rtol=1e-15)
    assert_allclose(std**2, plain_std**2 + more, rtol=1e-12)
    assert_allclose(response.noise_std, NOISE, rtol=1e-15)


def test_no_more_noise_changes_nothing():
    found = RealTargets(OFFSET, NOISE).with_more_noise(np.zeros(2))
    assert_allclose(found.noise_std, NOISE, rtol=1e-15)
    assert_allclose(found.offset, OFFSET, rtol=0.0)


# Quantiles of mixtures.

MANY_LEVELS = np.array([1e-3, 0.05, 0.3, 0.5, 0.6, 0.95, 0.999])
MEAN = np.array([-2.0, 0.0, 5.0])


@pytest.mark.skipif(
    scipy.__version__.startswith("1.12"), reason="its Student t has fewer digits than ours"
)
@pytest.mark.parametrize(
    ("shape", "rtol"), [(0.5, 1e-3), (1.0, 1e-6), (1.5, 1e-9), (2.5, 1e-9), (20, 1e-9), (5e3, 1e-9)]
)
def test_without_variance_the_quantiles_are_students(shape, rtol):
    """The shape is half the number of rows: two or more, unless weights are small."""
    ours = mixture_quantiles(MEAN, np.zeros(3), (shape, 2.0 * shape), MANY_LEVELS)
    expected = stats.t.ppf(MANY_LEVELS, 2.0 * shape, scale=np.sqrt(2.0))
    assert_allclose(ours - MEAN[:, None], np.tile(expected, (3, 1)), rtol=rtol, atol=1e-12)


@pytest.mark.parametrize("variance", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("shape", [1.0, 3.0, 50.0])
def test_quantiles_of_a_mixture_invert_its_distribution_function(shape, variance):
    """The integral over tau = exp(u) / rate, by an adaptive rule."""

    def below(distance):
        def integrand(u):
            log_density = shape * u - np.exp(u) - gammaln(shape)
            spread = np.sqrt(variance + 2.0 * shape * np.exp(-u))
            return np.exp(log_density) * ndtr(distance / spread)

        peak = np.log(shape)
        parts = (quad(integrand, *ends, epsabs=1e-12)[0] for ends in [(-40, peak), (peak, 8)])
        return sum(parts)

    noise = (shape, 2.0 * shape)
    quantiles = mixture_quantiles(np.zeros(1), np.array([variance]), noise, MANY_LEVELS)[0]
    assert_allclose([below(quantile) for quantile in quantiles], MANY_LEVELS, rtol=1e-7)


def test_quantiles_of_a_mixture_are_symmetric_and_rise():
    variance = np.array([0.0, 0.3, 30.0])
    distance = mixture_quantiles(MEAN, variance, (2.0, 1.0), MANY_LEVELS) - MEAN[:, None]
    mirrored = mixture_quantiles(MEAN, variance, (2.0, 1.0), 1.0 - MANY_LEVELS) - MEAN[:, None]
    assert_allclose(distance, -mirrored, rtol=1e-9, atol=1e-12)
    assert np.all(np.diff(distance, axis=1) > 0.0)


@pytest.mark.parametrize("levels", [[0.5], [0.5, 0.5], [0.9, 0.5, 0.1, 0.9], [0.1], []])
def test_levels_may_repeat_and_come_in_any_order(levels):
    levels = np.array(levels)
    together = mixture_quantiles(MEAN, np.ones(3), (2.0, 1.0), levels)
    assert together.shape == (3, len(levels))
    for level, quantile in zip(levels, together.T, strict=True):
        alone = mixture_quantiles(MEAN, np.ones(3), (2.0, 1.0), np.array([level]))
        assert_allclose(quantile, alone[:, 0], rtol=1e-12)
        assert level != 0.5 or np.all(quantile == MEAN)


def test_a_known_noise_makes_a_mixture_gaussian():
    variance, noise = np.array([0.1, 1.0, 3.0]), (1e8, 4e8)
    gaussian = norm.ppf(MANY_LEVELS, MEAN[:, None], np.sqrt(variance + 4.0)[:, None])
    assert_allclose(mixture_quantiles(MEAN, variance, noise, MANY_LEVELS), gaussian, rtol=1e-6)


@pytest.mark.parametrize("block_numbers", [1, 500, 1000])
def test_blocks_of_rows_change_nothing(block_numbers):
    variance, noise = np.array([0.0, 0.3, 30.0]), (2.0, 1.0)
    whole = mixture_quantiles(MEAN, variance, noise, MANY_LEVELS)
    rule = MixtureRule(block_numbers=block_numbers)
    assert_allclose(mixture_quantiles(MEAN, variance, noise, MANY_LEVELS, rule), whole, rtol=1e-11)


def test_few_newton_steps_are_enough():
    """Six, of the fifty that are allowed, and the median does not ask for more."""
    variance, noise = np.exp(np.linspace(-20.0, 20.0, 41)), (5.0, 2.0)
    levels = np.array([0.05, 0.5, 0.95])
    few = mixture_quantiles(np.zeros(41), variance, noise, levels, MixtureRule(most_steps=6))
    assert_allclose(few, mixture_quantiles(np.zeros(41), variance, noise, levels), rtol=1e-9)


@pytest.mark.parametrize("shape", [1.5, 10.0, 1e4])
def test_nodes_have_the_moments_of_the_distribution(shape):
    value, share = precision_nodes(shape, 3.0)
    assert_allclose(value @ share, shape / 3.0, rtol=1e-8)
    assert_allclose((value - shape / 3.0) ** 2 @ share, shape / 9.0, rtol=1e-8)
