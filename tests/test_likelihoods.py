import numpy as np
import pytest
from numpy.testing import assert_allclose
from reference import bernoulli_predictive
from scipy.special import expit, log_expit
from scipy.stats import norm

from sparsebayes.likelihoods import Bernoulli, Bounded, Gaussian

LATENT = np.linspace(-4.0, 4.0, 17)
CASES = [
    pytest.param(Gaussian(), LATENT[::-1] ** 2, id="gaussian"),
    pytest.param(Bernoulli(), np.zeros(17), id="bernoulli 0"),
    pytest.param(Bernoulli(), np.ones(17), id="bernoulli 1"),
    pytest.param(Bernoulli(), np.linspace(0.0, 1.0, 17), id="bernoulli probabilities"),
]


@pytest.mark.parametrize(("likelihood", "target"), CASES)
def test_expand_agrees_with_finite_differences(likelihood, target):
    h = 1e-4
    low, here, high = (likelihood.expand(target, LATENT + shift) for shift in (-h, 0.0, h))
    assert_allclose(here.slope, (high.value - low.value) / (2 * h), rtol=1e-7, atol=1e-9)
    assert_allclose(here.curvature, (low.slope - high.slope) / (2 * h), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("noise_precision", [1e-12, 1.0, 37.0, 1e12])
def test_gaussian_is_its_quadratic_and_normaliser(noise_precision):
    target = np.sqrt(1.0 / noise_precision) * LATENT[::-1]
    likelihood = Gaussian()
    value = likelihood.expand(target, 0.5 * target).value
    log_density = likelihood.log_normaliser(noise_precision) + noise_precision * value
    assert_allclose(log_density, norm.logpdf(target, 0.5 * target, noise_precision**-0.5))


def test_gaussian_noise_is_free_or_fixed():
    assert Gaussian().fixed_noise_precision is None
    assert_allclose(Gaussian(noise_std=0.1).fixed_noise_precision, 100.0)


def test_gaussian_has_constant_curvature_and_bernoulli_has_not():
    assert Gaussian.constant_curvature
    assert np.ptp(Gaussian().expand(LATENT, LATENT**3).curvature) == 0.0
    assert not Bernoulli.constant_curvature
    assert np.ptp(Bernoulli().expand(np.ones(17), LATENT).curvature) > 0.1


def test_bernoulli_is_a_distribution():
    one = Bernoulli().expand(np.ones(17), LATENT).value
    zero = Bernoulli().expand(np.zeros(17), LATENT).value
    assert_allclose(np.exp(one), expit(LATENT))
    assert_allclose(np.exp(one) + np.exp(zero), 1.0)
    assert Bernoulli().log_normaliser(1.0) == 0.0


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.5, 0.7, 1.0])
def test_a_target_between_the_classes_is_a_mixture_of_them(probability):
    """The expected log density, which is largest where that is the model's probability."""
    value = Bernoulli().expand(np.full(17, probability), LATENT).value
    mixture = probability * log_expit(LATENT) + (1.0 - probability) * log_expit(-LATENT)
    assert_allclose(value, mixture, rtol=1e-13)


@pytest.mark.parametrize("likelihood", [Gaussian(), Bernoulli()], ids=["gaussian", "bernoulli"])
def test_the_expected_target_has_no_slope(likelihood):
    expected = likelihood.expected(LATENT)
    assert_allclose(likelihood.expand(expected, LATENT).slope, 0.0, atol=1e-15)


def test_the_noise_can_be_given():
    assert Gaussian().with_noise(25.0) == Gaussian(0.2)
    assert Bernoulli().with_noise(1.0) == Bernoulli()


@pytest.mark.parametrize("size", [40.0, 800.0, 1e6, 1e300])
def test_saturated_rows_stay_finite(size):
    latent = np.array([size, -size, size, -size])
    quadratic = Bernoulli().expand(np.array([1.0, 0.0, 0.0, 1.0]), latent)
    assert_allclose(quadratic.value, [0.0, 0.0, -size, -size], atol=1e-17)
    assert_allclose(quadratic.slope, [0.0, 0.0, -1.0, 1.0], atol=1e-17)
    assert np.all((quadratic.curvature >= 0.0) & (quadratic.curvature < 1e-17))


def test_curvature_of_saturated_rows_has_full_relative_accuracy():
    """p (1 - p) at f = 40 is exp(-40), not the 0 that 1 - p gives."""
    curvature = Bernoulli().expand(np.ones(2), np.array([40.0, -40.0])).curvature
    assert_allclose(curvature, np.exp(-40.0), rtol=1e-14)


def test_moderated_probability_is_near_the_integral():
    """Worst error on a grid: 0.0036, where the variance is large; below 1e-6 up to 1."""
    worst = 0.0
    for deviation in [0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 40.0, 100.0]:
        mean = np.linspace(0.0, 4.0, 101) * np.sqrt(1.0 + deviation**2)
        exact = np.array([bernoulli_predictive(m, deviation**2) for m in mean])
        log_odds = Bernoulli().predictive_log_odds(mean, np.full(101, deviation**2))
        worst = max(worst, np.abs(expit(log_odds) - exact).max())
        if deviation <= 1.0:
            assert worst < 1e-6
    assert 0.003 < worst < 0.004


def test_moderation_leaves_the_certain_and_the_even_alone():
    log_odds = Bernoulli().predictive_log_odds
    assert_allclose(log_odds(LATENT, np.zeros(17)), LATENT)
    assert_allclose(log_odds(np.zeros(3), np.array([0.0, 1.0, 1e6])), 0.0)


def test_moderation_is_odd_and_moves_towards_even():
    log_odds = Bernoulli().predictive_log_odds
    variance = np.array([0.0, 0.1, 1.0, 10.0, 1e3])
    some = log_odds(np.full(5, 3.0), variance)
    assert np.all(np.diff(some) < 0.0)
    assert np.all(some > 0.0)
    assert_allclose(log_odds(np.full(5, -3.0), variance), -some)


# The quadratic bound.


CLASSES = pytest.mark.parametrize("target", [0.0, 1.0])
TANGENTS = pytest.mark.parametrize("tangent", [0.0, 1e-300, 1e-5, 1e-4, 0.3, 2.0, 30.0, 1e3, 1e8])


def bound_at(target, latent, tangent):
    return Bernoulli().bound(np.full_like(latent, target), latent, np.full_like(latent, tangent))


@CLASSES
@TANGENTS
def test_the_bound_is_nowhere_above_the_log_density(target, tangent):
    latent = np.concatenate([np.linspace(-50.0, 50.0, 1001), [tangent, -tangent]])
    log_density = log_expit((2.0 * target - 1.0) * latent)
    rounding = 1e-15 * (1.0 + tangent + np.abs(latent))
    assert np.all(bound_at(target, latent, tangent).value <= log_density + rounding)


@CLASSES
@TANGENTS
def test_the_bound_touches_the_log_density_at_its_tangents(target, tangent):
    latent = np.array([tangent, -tangent])
    ours, exact = bound_at(target, latent, tangent), Bernoulli().expand(np.full(2, target), latent)
    assert_allclose(ours.value, exact.value, rtol=1e-12, atol=1e-15 * (1.0 + tangent))
    assert_allclose(ours.slope, exact.slope, rtol=1e-9, atol=1e-15)


@CLASSES
@pytest.mark.parametrize("tangent", [0.0, 1e-4, 0.3, 2.0, 30.0])
def test_the_bound_is_one_quadratic_about_any_point(target, tangent):
    near, far = (bound_at(target, np.array([at]), tangent) for at in (0.5, -7.0))
    step = -7.5
    value = near.value + near.slope * step - 0.5 * near.curvature * step**2
    assert_allclose(far.value, value, rtol=1e-12)
    assert_allclose(far.slope, near.slope - near.curvature * step, rtol=1e-12, atol=1e-15)
    assert_allclose(far.curvature, near.curvature, rtol=1e-15)


@TANGENTS
def test_the_bound_of_any_tangent_is_finite(tangent):
    quadratic = bound_at(1.0, np.array([-1e3, 0.0, 1e3]), tangent)
    assert np.isfinite(quadratic).all()
    assert np.all((quadratic.curvature > 0.0) & (quadratic.curvature <= 0.25))


def test_the_curvature_of_the_bound_is_continuous_and_falls_with_the_tangent():
    """tanh(xi / 2) / (2 xi): 1/4 at 0, and no step where its series takes over."""
    tangent = np.concatenate([np.linspace(0.99e-4, 1.01e-4, 21), np.linspace(0.01, 20.0, 500)])
    curvature = bound_at(1.0, np.zeros(1), 0.0).curvature
    assert_allclose(curvature, 0.25, rtol=1e-15)
    curvature = Bernoulli().bound(np.ones(521), np.zeros(521), tangent).curvature
    assert_allclose(curvature, np.tanh(tangent / 2.0) / (2.0 * tangent), rtol=1e-14)
    assert np.all(np.diff(curvature[21:]) < 0.0)


def test_a_bounded_likelihood_is_the_bound():
    target, tangent = np.arange(17) % 2.0, np.linspace(0.0, 5.0, 17)
    bounded = Bounded(Bernoulli())
    ours = bounded.expand(np.column_stack([target, tangent]), LATENT)
    for one, other in zip(ours, Bernoulli().bound(target, LATENT, tangent), strict=True):
        assert_allclose(one, other, rtol=1e-15)
    assert bounded.constant_curvature
    assert bounded.fixed_noise_precision == 1.0
    assert bounded.log_normaliser(1.0) == 0.0
