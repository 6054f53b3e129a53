import numpy as np
import pytest
import scipy
from numpy.testing import assert_allclose
from scipy import stats
from scipy.integrate import quad
from scipy.special import gammaln, ndtr

from sparsebayes import Gamma
from sparsebayes.predictors.gaussian import (
    MixtureRule,
    gaussian_quantiles,
    mixture_quantiles,
    precision_nodes,
)

LEVELS = np.array([1e-3, 0.05, 0.3, 0.5, 0.6, 0.95, 0.999])
MEAN = np.array([-2.0, 0.0, 5.0])


def test_quantiles_of_a_gaussian():
    std = np.array([0.1, 1.0, 3.0])
    expected = stats.norm.ppf(LEVELS, MEAN[:, None], std[:, None])
    assert_allclose(gaussian_quantiles(MEAN, std, LEVELS), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.skipif(
    scipy.__version__.startswith("1.12"), reason="its Student t has fewer digits than ours"
)
@pytest.mark.parametrize(
    ("shape", "rtol"), [(0.5, 1e-3), (1.0, 1e-6), (1.5, 1e-9), (2.5, 1e-9), (20, 1e-9), (5e3, 1e-9)]
)
def test_without_variance_the_quantiles_are_students(shape, rtol):
    """The shape is half the number of rows: two or more, unless weights are small."""
    ours = mixture_quantiles(MEAN, np.zeros(3), Gamma(shape, 2.0 * shape), LEVELS)
    expected = stats.t.ppf(LEVELS, 2.0 * shape, scale=np.sqrt(2.0))
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

    noise = Gamma(shape, 2.0 * shape)
    quantiles = mixture_quantiles(np.zeros(1), np.array([variance]), noise, LEVELS)[0]
    assert_allclose([below(quantile) for quantile in quantiles], LEVELS, rtol=1e-7)


def test_quantiles_of_a_mixture_are_symmetric_and_rise():
    variance = np.array([0.0, 0.3, 30.0])
    distance = mixture_quantiles(MEAN, variance, Gamma(2.0, 1.0), LEVELS) - MEAN[:, None]
    mirrored = mixture_quantiles(MEAN, variance, Gamma(2.0, 1.0), 1.0 - LEVELS) - MEAN[:, None]
    assert_allclose(distance, -mirrored, rtol=1e-9, atol=1e-12)
    assert np.all(np.diff(distance, axis=1) > 0.0)


@pytest.mark.parametrize("levels", [[0.5], [0.5, 0.5], [0.9, 0.5, 0.1, 0.9], [0.1], []])
def test_levels_may_repeat_and_come_in_any_order(levels):
    levels = np.array(levels)
    together = mixture_quantiles(MEAN, np.ones(3), Gamma(2.0, 1.0), levels)
    assert together.shape == (3, len(levels))
    for level, quantile in zip(levels, together.T, strict=True):
        alone = mixture_quantiles(MEAN, np.ones(3), Gamma(2.0, 1.0), np.array([level]))
        assert_allclose(quantile, alone[:, 0], rtol=1e-12)
        assert level != 0.5 or np.all(quantile == MEAN)


def test_a_known_noise_makes_a_mixture_gaussian():
    variance, noise = np.array([0.1, 1.0, 3.0]), Gamma(1e8, 4e8)
    gaussian = gaussian_quantiles(MEAN, np.sqrt(variance + 4.0), LEVELS)
    assert_allclose(mixture_quantiles(MEAN, variance, noise, LEVELS), gaussian, rtol=1e-6)


@pytest.mark.parametrize("block_numbers", [1, 500, 1000])
def test_blocks_of_rows_change_nothing(block_numbers):
    variance, noise = np.array([0.0, 0.3, 30.0]), Gamma(2.0, 1.0)
    whole = mixture_quantiles(MEAN, variance, noise, LEVELS)
    rule = MixtureRule(block_numbers=block_numbers)
    assert_allclose(mixture_quantiles(MEAN, variance, noise, LEVELS, rule), whole, rtol=1e-11)


def test_few_newton_steps_are_enough():
    """Six, of the fifty that are allowed, and the median does not ask for more."""
    variance, noise = np.exp(np.linspace(-20.0, 20.0, 41)), Gamma(5.0, 2.0)
    levels = np.array([0.05, 0.5, 0.95])
    few = mixture_quantiles(np.zeros(41), variance, noise, levels, MixtureRule(most_steps=6))
    assert_allclose(few, mixture_quantiles(np.zeros(41), variance, noise, levels), rtol=1e-9)


@pytest.mark.parametrize("shape", [1.5, 10.0, 1e4])
def test_nodes_have_the_moments_of_the_distribution(shape):
    value, share = precision_nodes(Gamma(shape, 3.0), MixtureRule())
    assert_allclose(value @ share, shape / 3.0, rtol=1e-8)
    assert_allclose((value - shape / 3.0) ** 2 @ share, shape / 9.0, rtol=1e-8)
