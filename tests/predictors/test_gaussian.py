import numpy as np
import pytest
from numpy.testing import assert_allclose
from predictor_parts import DESIGN, KINDS, latent_at, latent_covariance
from scipy.stats import norm

from sparsebayes import Gamma
from sparsebayes.predictors import GaussianResponse
from sparsebayes.predictors.gaussian import mixture_quantiles

KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
NOISE, OFFSET = np.array([0.5, 2.0]), np.array([-1.0, 10.0])
LEVELS = np.array([0.05, 0.5, 0.9])


@KIND
def test_moments_of_targets_are_those_of_latent_values_with_noise_and_offset(make):
    weights, covariance = make(2)
    response, latent = GaussianResponse(NOISE, offset=OFFSET), latent_at(weights, DESIGN)
    mean, std = response.mean_and_std(latent)
    assert_allclose(mean, DESIGN @ weights.mean + OFFSET, rtol=1e-12)
    assert_allclose(response.mean(latent), mean, rtol=1e-15)
    variance = np.einsum("nknk->nk", latent_covariance(covariance, DESIGN))
    assert_allclose(std**2, variance + NOISE**2, rtol=1e-10)


@KIND
def test_the_covariance_of_targets_has_the_noise_on_its_diagonal(make):
    weights, covariance = make(2)
    ours = GaussianResponse(NOISE, offset=OFFSET).covariance(latent_at(weights, DESIGN))
    every = latent_covariance(covariance, DESIGN)
    for k in range(2):
        expected = every[:, k, :, k] + NOISE[k] ** 2 * np.eye(len(DESIGN))
        assert_allclose(ours[..., k], expected, rtol=1e-10, atol=1e-11)


@KIND
def test_quantiles_are_those_of_a_gaussian(make):
    weights, _ = make(2)
    response, latent = GaussianResponse(NOISE, offset=OFFSET), latent_at(weights, DESIGN)
    mean, std = response.mean_and_std(latent)
    ours = response.quantiles(latent, LEVELS)
    expected = norm.ppf(LEVELS[:, None], mean[:, None], std[:, None])
    assert_allclose(ours, expected, rtol=1e-11, atol=1e-11)


def test_quantiles_integrate_over_the_noise_of_each_output():
    weights, _ = KINDS["independent"](2)
    noise = (Gamma(3.0, 1.0), Gamma(20.0, 80.0))
    response, latent = GaussianResponse(NOISE, noise, OFFSET), latent_at(weights, DESIGN)
    mean, variance = latent.moments()
    ours = response.quantiles(latent, LEVELS)
    for k in range(2):
        alone = mixture_quantiles(mean[:, k] + OFFSET[k], variance[:, k], noise[k], LEVELS)
        assert_allclose(ours[..., k], alone, rtol=1e-12)


def test_noise_of_draws_has_its_standard_deviation():
    """Within five standard errors of 40 000 draws."""
    latent_draws = np.zeros((2, 40_000, 2))
    draws = GaussianResponse(NOISE, offset=OFFSET).with_noise(
        latent_draws, np.random.default_rng(0), None
    )
    assert np.all(np.abs(draws.mean(axis=1) - OFFSET) < 5.0 * NOISE / 200.0)
    assert_allclose(draws.std(axis=1), np.tile(NOISE, (2, 1)), rtol=5.0 / np.sqrt(80_000))


def test_more_noise_adds_to_the_variance_of_each_output():
    weights, _ = KINDS["independent"](2)
    response, latent = GaussianResponse(NOISE, offset=OFFSET), latent_at(weights, DESIGN)
    more = np.array([0.3, 4.0])
    mean, std = response.with_more_noise(more).mean_and_std(latent)
    plain_mean, plain_std = response.mean_and_std(latent)
    assert_allclose(mean, plain_mean, rtol=1e-15)
    assert_allclose(std**2, plain_std**2 + more, rtol=1e-12)
    assert_allclose(response.noise_std, NOISE, rtol=1e-15)


def test_no_more_noise_changes_nothing():
    found = GaussianResponse(NOISE, offset=OFFSET).with_more_noise(np.zeros(2))
    assert_allclose(found.noise_std, NOISE, rtol=1e-15)
    assert_allclose(found.offset, OFFSET, rtol=0.0)
