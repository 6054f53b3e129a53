"""Likelihoods at extreme values, and their predictions. Else: laws/test_likelihood_laws.py."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference import bernoulli_predictive
from scipy.special import expit, log_expit, rel_entr, softmax
from scipy.stats import norm

from sparsebayes.likelihoods import (
    Bernoulli,
    Bounded,
    Frozen,
    Gaussian,
    Gaussians,
    Multinomial,
    Resemblance,
    Softmax,
    secant_curvature,
)
from sparsebayes.likelihoods.softmax import mean_curvature
from sparsebayes.model.response import usual_quadrature

LATENT = np.linspace(-4.0, 4.0, 17)


@pytest.mark.parametrize("noise_precision", [1e-12, 1.0, 37.0, 1e12])
def test_gaussian_is_its_quadratic_and_normaliser(noise_precision):
    target = np.sqrt(1.0 / noise_precision) * LATENT[::-1]
    likelihood = Gaussian()
    value = likelihood.expand(target, 0.5 * target).value
    log_density = likelihood.log_normaliser(noise_precision) + noise_precision * value
    assert_allclose(log_density, norm.logpdf(target, 0.5 * target, noise_precision**-0.5))


@pytest.mark.parametrize(
    ("likelihood", "estimated", "inferred", "settled"),
    [
        (Gaussian(), True, True, 7.0),
        (Gaussian(0.1), False, False, 100.0),
        (Gaussians(3), False, True, 1.0),
        (Gaussians(3, 0.1), False, False, 100.0),
        (Bernoulli(), False, False, 1.0),
        (Bounded(Bernoulli()), False, False, 1.0),
        (Frozen(Softmax(3)), False, False, 1.0),
    ],
    ids=str,
)
def test_the_noise_is_estimated_given_or_at_its_best(likelihood, estimated, inferred, settled):
    noise = likelihood.noise
    assert (noise.estimated, noise.inferred) == (estimated, inferred)
    assert_allclose(noise.settle(7.0), settled)


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
        log_odds = usual_quadrature().log_odds(mean, np.full(101, deviation**2))
        worst = max(worst, np.abs(expit(log_odds) - exact).max())
        if deviation <= 1.0:
            assert worst < 1e-6
    assert 0.003 < worst < 0.004


def test_moderation_leaves_the_certain_and_the_even_alone():
    log_odds = usual_quadrature().log_odds
    assert_allclose(log_odds(LATENT, np.zeros(17)), LATENT)
    assert_allclose(log_odds(np.zeros(3), np.array([0.0, 1.0, 1e6])), 0.0)


def test_moderation_is_odd_and_moves_towards_even():
    log_odds = usual_quadrature().log_odds
    variance = np.array([0.0, 0.1, 1.0, 10.0, 1e3])
    some = log_odds(np.full(5, 3.0), variance)
    assert np.all(np.diff(some) < 0.0)
    assert np.all(some > 0.0)
    assert_allclose(log_odds(np.full(5, -3.0), variance), -some)


# The quadratic bound.


@pytest.mark.parametrize("tangent", [0.0, 1e-300, 1e-5, 1e-4, 0.3, 2.0, 30.0, 1e3, 1e8])
def test_the_bound_of_any_tangent_is_finite(tangent):
    quadratic = Bernoulli().bound(np.ones(3), np.array([-1e3, 0.0, 1e3]), np.full(3, tangent))
    assert np.isfinite(quadratic).all()
    assert np.all((quadratic.curvature > 0.0) & (quadratic.curvature <= 0.25))


def test_the_curvature_of_the_bound_is_continuous_and_falls_with_the_tangent():
    """tanh(xi / 2) / (2 xi): 1/4 at 0, and no step where its series takes over."""
    tangent = np.concatenate([np.linspace(0.99e-4, 1.01e-4, 21), np.linspace(0.01, 20.0, 500)])
    assert_allclose(Bernoulli().bound(1.0, 0.0, np.zeros(1)).curvature, 0.25, rtol=1e-15)
    curvature = Bernoulli().bound(np.ones(521), np.zeros(521), tangent).curvature
    assert_allclose(curvature, np.tanh(tangent / 2.0) / (2.0 * tangent), rtol=1e-14)
    assert np.all(np.diff(curvature[21:]) < 0.0)


# Several classes.


def test_contrasts_are_an_orthonormal_basis_of_what_sums_to_zero():
    contrasts = Multinomial(5).contrasts
    assert_allclose(contrasts.T @ contrasts, np.eye(4), atol=1e-15)
    assert_allclose(contrasts.sum(axis=0), 0.0, atol=1e-15)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_a_mean_curvature_lies_between_the_eigenvalues(n_classes):
    probability = np.random.default_rng(0).dirichlet(np.ones(n_classes), 50)
    matrices = np.array([np.diag(p) - np.outer(p, p) for p in probability])
    eigenvalues = np.linalg.eigvalsh(matrices)
    found = mean_curvature(probability)
    assert np.all(found <= eigenvalues[:, -1] * (1.0 + 1e-12))
    assert np.all(found >= eigenvalues[:, 1] * (1.0 - 1e-12))


def test_the_mean_curvature_of_two_classes_is_exact():
    latent = np.linspace(-40.0, 40.0, 17)[:, None]
    curvature = Multinomial(2).expand(np.zeros(17), latent).curvature
    exact = 2.0 * Bernoulli().expand(np.zeros(17), np.sqrt(2.0) * latent[:, 0]).curvature
    assert_allclose(curvature, exact, rtol=1e-12)


@pytest.mark.parametrize("size", [40.0, 800.0, 1e6, 1e300])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_saturated_rows_of_many_classes_stay_finite(size, n_classes):
    probability = softmax(size * np.vstack([np.eye(n_classes), -np.eye(n_classes)]), axis=1)
    curvature = mean_curvature(probability)
    assert np.all((curvature >= 0.0) & (curvature <= 1.0))
    assert np.all(curvature[:n_classes] < 1e-15)
    target = np.arange(n_classes) * 1.0
    sure = Softmax(n_classes).expand(target, size * np.eye(n_classes))
    assert_allclose(sure.value, 0.0, atol=1e-15)
    wrong = Softmax(n_classes).expand(target, -size * np.eye(n_classes))
    assert_allclose(wrong.value, -size, rtol=0.05)
    assert all(np.isfinite(part).all() for part in (*sure, *wrong))


def test_a_mean_curvature_has_full_relative_accuracy():
    """p = (1, e, 0) with e = exp(-40): W is e (1, -1; -1, 1), its one eigenvalue 2 e."""
    curvature = mean_curvature(softmax([[40.0, 0.0, -500.0]], axis=1))
    assert_allclose(curvature, 2.0 * np.exp(-40.0), rtol=1e-14)


def test_classes_of_a_softmax_are_taken_together_in_contrasts():
    assert Softmax(4).together() == Multinomial(4)
    for likelihood in (Multinomial(4), Bernoulli(), Gaussian(0.1)):
        assert likelihood.together() is likelihood


def test_a_frozen_multinomial_has_the_exact_curvature_of_zero():
    """There all probabilities are the same, and so are the eigenvalues of W: 1 / K."""
    curvature = Frozen(Multinomial(4)).expand(np.arange(4.0), np.ones((4, 3))).curvature
    assert_allclose(curvature, 0.25, rtol=1e-14)


# Resemblance.


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_a_secant_is_a_parabola_through_the_loss_of_even_odds(n_classes):
    random = np.random.default_rng(0)
    for size in (0.1, 1.0, 10.0):
        latent = size * random.normal(size=(20, n_classes))
        latent -= latent.mean(axis=1, keepdims=True)
        probability = softmax(latent, axis=1)
        loss = np.sum(rel_entr(probability, 1.0 / n_classes), axis=1)
        square = np.sum(latent**2, axis=1)
        far = square > 1e-4 * n_classes  # nearer, it is the curvature at even odds
        found = 0.5 * secant_curvature(latent) * square
        assert_allclose(found[far], loss[far], rtol=1e-9)
        assert_allclose(found, loss, rtol=1e-4)
        assert far.sum() > 10


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_the_secant_at_even_odds_is_the_curvature_there(n_classes):
    direction = np.linspace(-1.0, 1.0, n_classes)
    latent = np.array([0.0, 1e-8, 1e-4, 1e-3])[:, None] * direction
    assert_allclose(secant_curvature(latent), 1.0 / n_classes, rtol=1e-3)
    around = np.linspace(0.9, 1.1, 41)[:, None] * np.sqrt(1e-4 * n_classes) * direction
    found = secant_curvature(around / np.linalg.norm(direction))
    assert np.ptp(found) < 0.01 / n_classes  # no step where it takes over


@pytest.mark.parametrize("size", [40.0, 800.0, 1e6, 1e100])
def test_the_secant_of_a_sure_row_falls_as_one_over_the_square(size):
    latent = size * np.array([[1.0, -0.5, -0.5]])
    assert_allclose(secant_curvature(latent), 2.0 * np.log(3.0) / (1.5 * size**2), rtol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_nothing_resembles_the_target_more_than_itself(n_classes):
    random = np.random.default_rng(0)
    target = 3.0 * random.normal(size=(30, n_classes - 1))
    likelihood = Resemblance(n_classes)
    itself = likelihood.expand(target, target)
    assert_allclose(itself.value, 0.0, atol=1e-14)
    assert_allclose(itself.slope, 0.0, atol=1e-14)
    assert np.all(likelihood.expand(target, target + random.normal(size=target.shape)).value < 0.0)


def test_without_stiffness_it_is_the_divergence_of_probabilities():
    random = np.random.default_rng(0)
    target, latent = random.normal(size=(2, 30, 2))
    one, other = (softmax(each @ Multinomial(3).contrasts.T, axis=1) for each in (target, latent))
    found = Resemblance(3, 0.0).expand(target, latent)
    assert_allclose(found.value, -rel_entr(one, other).sum(axis=1), rtol=1e-10)


@pytest.mark.parametrize("size", [40.0, 800.0, 1e6])
def test_the_resemblance_of_sure_rows_is_finite_and_curved(size):
    target = size * np.array([[1.0, 0.0], [-1.0, 0.5]])
    for latent in (target, -target, 0.0 * target):
        found = Resemblance(3).expand(target, latent)
        assert all(np.isfinite(part).all() for part in found)
        assert np.all(found.curvature > 0.0)
        bent = Resemblance(3).curvature_at(target, latent)(target)
        assert np.all(np.sum(bent * target, axis=1) > 0.0)


def test_the_classes_of_a_softmax_are_one_target_in_contrasts():
    codes = np.array([0.0, 2.0, 1.0])
    for likelihood in (Softmax(3), Multinomial(3)):
        targets, of_each = likelihood.one_by_one(codes)
        assert_array_equal(targets, codes[None])
        assert of_each == Multinomial(3)


# Moments of a latent value given its target.


def integrate(points, log_share):
    """Mean of points (j, k) with these logarithms of shares, and their mean variance over k."""
    share = np.exp(log_share - log_share.max())
    share /= share.sum()
    mean = share @ points
    return mean, share @ np.mean((points - mean) ** 2, axis=1)


def tilted_class(target, mean, variance, power, size=200_001):
    """Moments of N(f | mean, variance) p(t | f)^power for two classes, by the trapezium rule."""
    reach = 12.0 * np.sqrt(variance) + power * variance
    latent = np.linspace(mean - reach, mean + reach, size)
    log_density = target * log_expit(latent) + (1.0 - target) * log_expit(-latent)
    log_share = power * log_density - 0.5 * (latent - mean) ** 2 / variance
    (found,), spread = integrate(latent[:, None], log_share)
    return found, spread


@pytest.mark.slow
@pytest.mark.parametrize("power", [1.0, 0.3])
@pytest.mark.parametrize("target", [1.0, 0.0, 0.8])
@pytest.mark.parametrize(
    ("variance", "tolerance"), [(1e-4, 1e-9), (0.01, 1e-9), (1.0, 1e-9), (4.0, 1e-5), (25.0, 0.02)]
)
def test_moments_of_a_class_are_the_integrals(target, variance, tolerance, power):
    mean = np.sqrt(variance) * np.linspace(-3.0, 3.0, 7)
    given = np.full(7, target), mean[:, None], np.full(7, variance), np.full(7, power)
    found = Bernoulli().tilted(*given)
    assert found.mean.shape == (7, 1)
    assert found.variance.shape == (7,)
    for i, at in enumerate(mean):
        centre, spread = tilted_class(target, at, variance, power)
        assert abs(found.mean[i, 0] - centre) < tolerance * np.sqrt(spread)
        assert_allclose(found.variance[i], spread, rtol=tolerance)


@pytest.mark.parametrize("variance", [1e-6, 1.0, 1e4, 1e12])
@pytest.mark.parametrize("size", [0.0, 1.0, 1e3, 1e6])
def test_moments_of_extreme_rows_are_finite(variance, size):
    mean = size * np.array([[1.0], [-1.0]])
    found = Bernoulli().tilted(np.ones(2), mean, np.full(2, variance), np.ones(2))
    assert np.isfinite(found.mean).all()
    assert np.all((found.variance >= 0.0) & (found.variance <= 1.1 * variance))


def test_moments_of_a_target_with_unit_noise_are_those_of_a_product_of_gaussians():
    mean, variance, target = np.array([0.5, -2.0]), np.array([0.3, 2.0]), np.array([1.0, 0.0])
    found = Gaussian(1.0).tilted(target, mean[:, None], variance, np.array([1.0, 0.5]))
    precision = 1.0 / variance + np.array([1.0, 0.5])
    assert_allclose(found.variance, 1.0 / precision, rtol=1e-8)
    centre = (mean / variance + np.array([1.0, 0.5]) * target) / precision
    assert_allclose(found.mean[:, 0], centre, rtol=1e-8)
