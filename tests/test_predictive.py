import numpy as np
import pytest
from numpy.testing import assert_allclose
from problems import GivenColumns
from scipy import stats
from scipy.integrate import quad
from scipy.special import gammaln, ndtr
from sparsebayes.predictive import LatentModel, gaussian_quantiles, mixture_quantiles

from sparsebayes import Gamma, predictive

BLOCKS = pytest.mark.parametrize("block_numbers", [2**22, 1, 4, 20, 33])


def make_model():
    random = np.random.default_rng(0)
    mean, root = random.normal(size=4), random.normal(size=(4, 4))
    inputs = random.normal(size=(11, 4))
    return LatentModel(GivenColumns(4), mean, root), inputs, mean, root @ root.T


@BLOCKS
def test_mean_and_variance(monkeypatch, block_numbers):
    """[T01] (21)-(22)"""
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", block_numbers)
    model, inputs, mean, covariance = make_model()
    assert_allclose(model.predict_mean(inputs), inputs @ mean, rtol=1e-12)
    expected = np.diag(inputs @ covariance @ inputs.T)
    assert_allclose(model.predict_variance(inputs), expected, rtol=1e-12)


def test_covariance():
    model, inputs, _, covariance = make_model()
    ours = model.predict_covariance(inputs)
    assert_allclose(ours, inputs @ covariance @ inputs.T, rtol=1e-11, atol=1e-12)
    assert_allclose(np.diag(ours), model.predict_variance(inputs), rtol=1e-12)


@pytest.mark.parametrize(("block_numbers", "largest"), [(2**22, 11), (20, 5), (1, 1)])
def test_blocks_bound_the_rows_that_are_evaluated(monkeypatch, block_numbers, largest):
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", block_numbers)
    model, inputs, mean, _ = make_model()
    seen = []

    class Watched(GivenColumns):
        def evaluate(self, inputs, active=None):
            seen.append(len(inputs))
            return super().evaluate(inputs, active)

    LatentModel(Watched(4), mean, model.root).predict_mean(inputs)
    assert max(seen) == largest
    assert sum(seen) == 11


def test_draws_have_the_moments_of_the_posterior():
    """Within five standard errors of 40 000 draws."""
    model, inputs, mean, covariance = make_model()
    n_draws = 40_000
    draws = model.sample(inputs, n_draws, np.random.default_rng(1))
    assert draws.shape == (11, n_draws)
    expected = inputs @ covariance @ inputs.T
    variance = np.diag(expected)
    error = np.abs(draws.mean(axis=1) - inputs @ mean) / np.sqrt(variance / n_draws)
    assert error.max() < 5.0
    spread = np.sqrt((np.outer(variance, variance) + expected**2) / n_draws)
    assert np.max(np.abs(np.cov(draws) - expected) / spread) < 5.0


@BLOCKS
def test_draws_do_not_depend_on_the_blocks(monkeypatch, block_numbers):
    model, inputs, _, _ = make_model()
    whole = model.sample(inputs, 3, np.random.default_rng(2))
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", block_numbers)
    assert_allclose(model.sample(inputs, 3, np.random.default_rng(2)), whole, rtol=1e-12)


@BLOCKS
def test_a_model_without_columns_predicts_zero(monkeypatch, block_numbers):
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", block_numbers)
    model = LatentModel(GivenColumns(4), np.empty(0), np.empty((0, 0)))
    inputs = np.empty((6, 0))
    assert_allclose(model.predict_mean(inputs), np.zeros(6), atol=0.0)
    assert_allclose(model.predict_variance(inputs), np.zeros(6), atol=0.0)
    assert_allclose(model.predict_covariance(inputs), np.zeros((6, 6)), atol=0.0)
    assert model.sample(inputs, 2, np.random.default_rng(0)).shape == (6, 2)


# Some of the columns.


class Chosen:
    """Columns of the inputs, with these numbers."""

    def __init__(self, numbers):
        self.numbers = np.asarray(numbers)

    def evaluate(self, inputs):
        return inputs[:, self.numbers]

    def keep(self, kept):
        return Chosen(self.numbers[kept])


@pytest.mark.parametrize("kept", [[], [2], [0, 3], [1, 2, 3], [0, 1, 2, 3]])
def test_a_restricted_model_is_the_conditional_gaussian(kept):
    """mu_k - S_kd S_dd^-1 mu_d and S_kk - S_kd S_dd^-1 S_dk: w_k given that w_d = 0."""
    full, inputs, mean, covariance = make_model()
    kept = np.array(kept, dtype=np.intp)
    dropped = np.setdiff1d(np.arange(4), kept)
    model = LatentModel(Chosen(range(4)), full.mean, full.root).restricted_to(kept)
    gain = covariance[np.ix_(kept, dropped)] @ np.linalg.inv(covariance[np.ix_(dropped, dropped)])
    conditional = covariance[np.ix_(kept, kept)] - gain @ covariance[np.ix_(dropped, kept)]
    assert_allclose(model.mean, mean[kept] - gain @ mean[dropped], rtol=1e-9)
    assert_allclose(model.root @ model.root.T, conditional, rtol=1e-9, atol=1e-12)
    assert_allclose(model.predict_mean(inputs), inputs[:, kept] @ model.mean, rtol=1e-12)


# Quantiles.


LEVELS = np.array([1e-3, 0.05, 0.3, 0.5, 0.6, 0.95, 0.999])
MEAN = np.array([-2.0, 0.0, 5.0])


def test_quantiles_of_a_gaussian():
    std = np.array([0.1, 1.0, 3.0])
    expected = stats.norm.ppf(LEVELS, MEAN[:, None], std[:, None])
    assert_allclose(gaussian_quantiles(MEAN, std, LEVELS), expected, rtol=1e-12, atol=1e-12)


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


def test_the_median_of_a_mixture_is_its_mean():
    median = mixture_quantiles(MEAN, np.ones(3), Gamma(2.0, 1.0), np.array([0.5]))
    assert_allclose(median[:, 0], MEAN, rtol=1e-15)


def test_a_known_noise_makes_a_mixture_gaussian():
    variance, noise = np.array([0.1, 1.0, 3.0]), Gamma(1e8, 4e8)
    gaussian = gaussian_quantiles(MEAN, np.sqrt(variance + 4.0), LEVELS)
    assert_allclose(mixture_quantiles(MEAN, variance, noise, LEVELS), gaussian, rtol=1e-6)


@pytest.mark.parametrize("unit", [1e-30, 1e30])
def test_quantiles_of_a_mixture_in_other_units(unit):
    variance = np.array([0.1, 1.0, 3.0])
    plain = mixture_quantiles(MEAN, variance, Gamma(3.0, 2.0), LEVELS)
    noise = Gamma(3.0, 2.0 * unit**2)
    scaled = mixture_quantiles(unit * MEAN, unit**2 * variance, noise, LEVELS)
    assert_allclose(scaled / unit, plain, rtol=1e-9)


def test_a_quantile_far_out_is_finite():
    quantile = mixture_quantiles(np.zeros(1), np.ones(1), Gamma(3.0, 2.0), np.array([1e-9]))
    assert np.isfinite(quantile).all()
    assert np.all(quantile < -5.0)
