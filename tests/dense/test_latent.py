"""Latent values of a Gaussian process against naive formulas, derivatives by differences."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
import reference
from dense_parts import CLASS, N, X, Y, differences, row_weight
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from scipy.stats import multivariate_normal

from sparsebayes.dense.latent import (
    Factored,
    LatentSearch,
    Mode,
    Observed,
    Point,
    evidence_at,
    find_mode,
)
from sparsebayes.likelihoods import Bernoulli, Gaussian

DISTANCE = np.sum((X[:, None] - X) ** 2, axis=-1)
K = 2.0 * np.exp(-0.7 * DISTANCE) + 0.3 + 0.05 * np.eye(N)
OTHER_K = 40.0 / (1.0 + 3.0 * DISTANCE)
NOISE = 4.0
RANDOM = np.random.default_rng(0)
STARTS = {
    "zeros": np.zeros(N),
    "random": RANDOM.normal(size=N),
    "thirty": np.full(N, 30.0),
    "wrong side": 30.0 - 60.0 * CLASS,
    "very far": 800.0 * (-1.0) ** np.arange(N),
}
INTEGER = np.arange(N) % 3 + 1
EXACT = LatentSearch(last_step=1e-20)
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
OF_START = pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)


def real(weight, noise=NOISE):
    return Observed(Gaussian(), Y, weight, noise)


def classes(weight, target=CLASS):
    return Observed(Bernoulli(), target, weight, 1.0)


OBSERVED = {"gaussian": real(row_weight(True)), "bernoulli": classes(row_weight(True))}
OF_BOTH = pytest.mark.parametrize("observed", OBSERVED.values(), ids=OBSERVED)


def evidence(observed, covariance=K, search=EXACT):
    return evidence_at(find_mode(covariance, observed, np.zeros(len(covariance)), search), observed)


def each_row_often(covariance, target, times):
    rows = np.repeat(np.arange(N), times)
    return covariance[np.ix_(rows, rows)], target[rows]


def assert_derivative_for_covariance(observed, covariance=K):
    found = evidence(observed, covariance).by_covariance
    numeric = differences(lambda x: evidence(observed, 0.5 * (x + x.T)).value, covariance)
    assert_allclose(0.5 * (found + found.T), numeric, rtol=1e-7, atol=1e-8)


# The parts.


@OF_BOTH
def test_slope_and_curvature_are_derivatives_of_the_log_density_of_all_rows(observed):
    latent = STARTS["random"]
    rows = observed.expand(latent)
    by_latent = differences(lambda x: observed.expand(x).value, latent)
    assert_allclose(rows.slope, by_latent, rtol=1e-8, atol=1e-9)
    bent = -differences(lambda x: observed.expand(x).slope.sum(), latent)
    assert_allclose(rows.curvature, bent, rtol=1e-8, atol=1e-9)


def test_value_and_normaliser_are_the_log_density_of_the_rows():
    observed, latent = real(INTEGER.astype(float)), STARTS["random"]
    density = multivariate_normal(np.zeros(1), 1.0 / NOISE).logpdf(Y - latent)
    assert_allclose(observed.expand(latent).value + observed.log_normaliser, INTEGER @ density)


@OF_BOTH
def test_the_relative_rise_of_the_curvature(observed):
    latent = STARTS["random"]
    rise = differences(lambda x: np.log(observed.expand(x).curvature).sum(), latent)
    assert_allclose(observed.relative_rise(latent), rise, rtol=1e-8, atol=1e-9)


def test_a_curvature_that_vanishes_does_not_rise():
    assert_array_equal(classes(np.ones(N)).relative_rise(STARTS["very far"]), 0.0)


@OF_BOTH
def test_the_factor_is_that_of_one_plus_the_scaled_covariance(observed):
    latent, right, before = STARTS["random"], RANDOM.normal(size=N), K.copy()
    rows = observed.expand(latent)
    factored = Factored.at(K, latent, rows)
    root = np.diag(np.sqrt(rows.curvature))
    exact = np.linalg.cholesky(np.eye(N) + root @ K @ root)
    assert_allclose(np.tril(factored.lower), exact, rtol=1e-12, atol=1e-12)
    solution = np.linalg.solve(np.eye(N) + np.diag(rows.curvature) @ K, right)
    assert_allclose(factored.solve(K, right), solution, rtol=1e-11, atol=1e-11)
    assert_array_equal(K, before)


@OF_BOTH
def test_the_value_of_a_point_is_the_log_density_of_rows_and_latent_values(observed):
    pull = STARTS["random"]
    latent = K @ pull
    rows = observed.expand(latent)
    prior = -0.5 * latent @ np.linalg.solve(K, latent)
    assert_allclose(Point(pull, latent, rows).value, rows.value + prior, rtol=1e-11)


# Gaussian noise.


@WEIGHTED
def test_the_evidence_is_that_of_a_gaussian_process(weighted):
    """A weight w makes of N(t | f, 1 / beta) its power, not a density of variance 1 / (w beta)."""
    weight = row_weight(weighted)
    whole = multivariate_normal(np.zeros(N), K + np.diag(1.0 / (NOISE * weight)))
    powers = weight * np.log(NOISE / (2.0 * np.pi)) - np.log(NOISE * weight / (2.0 * np.pi))
    exact = whole.logpdf(Y) + 0.5 * powers.sum()
    assert_allclose(evidence(real(weight)).value, exact, rtol=1e-12)


def test_a_weight_is_how_often_a_real_target_counts():
    covariance, target = each_row_often(K, Y, INTEGER)
    whole = multivariate_normal(np.zeros(len(target)), covariance + np.eye(len(target)) / NOISE)
    found = evidence(real(INTEGER.astype(float)))
    assert_allclose(found.value, whole.logpdf(target), rtol=1e-11)


@WEIGHTED
def test_the_mode_is_the_mean_of_the_process(weighted):
    observed = real(row_weight(weighted))
    found = find_mode(K, observed, np.zeros(N)).point
    pull = np.linalg.solve(K + np.diag(1.0 / (NOISE * observed.weight)), Y)
    assert_allclose(found.pull, pull, rtol=1e-10, atol=1e-12)
    assert_allclose(found.latent, K @ pull, rtol=1e-11)


@OF_START
def test_one_step_finds_the_mode_of_gaussian_noise(start):
    none = LatentSearch(max_factors=0)
    expected = find_mode(K, real(row_weight(True)), np.zeros(N)).point
    found = find_mode(K, real(row_weight(True)), start, none).point
    assert_allclose(found.latent, expected.latent, rtol=1e-10, atol=1e-10)


@WEIGHTED
def test_the_derivative_for_the_covariance_of_a_gaussian_process(weighted):
    assert_derivative_for_covariance(real(row_weight(weighted)))


@WEIGHTED
def test_the_derivative_for_the_log_noise_precision(weighted):
    weight = row_weight(weighted)
    found = evidence(real(weight)).by_noise
    numeric = differences(lambda x: evidence(real(weight, np.exp(x))).value, np.log(NOISE))
    assert_allclose(found, numeric, rtol=1e-8)


# Little noise under a wide prior.

SMOOTH_INPUTS = np.random.default_rng(1).uniform(-2.0, 2.0, (40, 2))
SMOOTH = np.sin(2.0 * SMOOTH_INPUTS[:, 0]) + 0.5 * SMOOTH_INPUTS[:, 1] ** 2
SMOOTH_DISTANCE = ((SMOOTH_INPUTS[:, None] - SMOOTH_INPUTS) ** 2) @ [0.1, 0.002]


def exact_evidence(covariance, target, noise_std, digits=50):
    """The log density of a target with noise, of the very numbers given, in many digits."""
    n = len(target)
    with mpmath.workdps(digits):
        whole = mpmath.matrix(covariance.tolist()) + mpmath.mpf(noise_std) ** 2 * mpmath.eye(n)
        lower = mpmath.cholesky(whole)
        white = mpmath.lu_solve(lower, mpmath.matrix(target.tolist()))
        log_determinant = 2 * sum(mpmath.log(lower[i, i]) for i in range(n))
        energy = (white.T * white)[0]
        return float(-(n * mpmath.log(2 * mpmath.pi) + log_determinant + energy) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("amplitude", [1.0, 1e2, 3e4])
@pytest.mark.parametrize("noise", [1e-2, 1e-3, 5e-4, 1e-4])
def test_little_noise_under_a_wide_prior_costs_few_digits_of_the_evidence(amplitude, noise):
    """Wherever the search starts: climbs compare values that are found from different starts."""
    covariance = amplitude * np.exp(-SMOOTH_DISTANCE)
    target = SMOOTH + noise * np.random.default_rng(2).normal(size=40)
    observed = Observed(Gaussian(), target, np.ones(40), noise**-2)
    exact = exact_evidence(covariance, target, noise)
    for start in (np.zeros(40), target, target + 10.0 * noise, np.full(40, 3.0)):
        found = evidence_at(find_mode(covariance, observed, start), observed)
        assert_allclose(found.value, exact, rtol=1e-4, atol=0.1)


# Classes.


def naive_laplace(covariance, target, weight):
    """log p(t, f) at the mode - 1/2 log |I + K W|, f = L u by a general optimiser."""
    lower, once = np.linalg.cholesky(covariance), np.ones(len(target))
    white, log_joint = reference.mode(reference.bernoulli, lower[:, None], target, weight, once)
    probability = expit(lower @ white)
    curvature = weight * probability * (1.0 - probability)
    whole = np.eye(len(target)) + covariance @ np.diag(curvature)
    return log_joint - 0.5 * np.log(np.linalg.det(whole))


def assert_at_mode(found, covariance, observed, **tolerance):
    pull = observed.weight * (observed.target - expit(found.latent))
    assert_allclose(found.latent, covariance @ pull, **tolerance)
    assert_allclose(found.latent, covariance @ found.pull, **tolerance)


@WEIGHTED
def test_the_evidence_of_classes_is_laplaces(weighted):
    weight = row_weight(weighted)
    exact = naive_laplace(K, CLASS, weight)
    assert_allclose(evidence(classes(weight)).value, exact, rtol=1e-9)


def test_a_weight_is_how_often_a_class_counts():
    covariance, target = each_row_often(K, CLASS, INTEGER)
    often = evidence(classes(np.ones(len(target)), target), covariance).value
    assert_allclose(evidence(classes(INTEGER.astype(float))).value, often, rtol=1e-12)


@OF_BOTH
def test_a_row_of_weight_zero_is_no_row(observed):
    weight = np.where(np.arange(N) < 4, 0.0, observed.weight)
    without = replace(observed, target=observed.target[4:], weight=weight[4:])
    value = evidence(replace(observed, weight=weight)).value
    assert_allclose(value, evidence(without, K[4:, 4:]).value, rtol=1e-12)


@OF_START
@pytest.mark.parametrize("covariance", [K, OTHER_K], ids=["smooth", "steep"])
def test_the_mode_is_where_the_slope_is_the_pull_wherever_the_search_starts(start, covariance):
    observed = classes(row_weight(True))
    found = find_mode(covariance, observed, start, EXACT).point
    expected = find_mode(covariance, observed, np.zeros(N), EXACT).point
    assert_at_mode(found, covariance, observed, rtol=1e-11, atol=1e-12)
    assert_allclose(found.latent, expected.latent, rtol=1e-11, atol=1e-12)


def test_the_mode_of_another_covariance_is_a_start_like_any():
    observed = classes(np.ones(N))
    start = find_mode(OTHER_K, observed, np.zeros(N)).point.latent
    found = evidence_at(find_mode(K, observed, start, EXACT), observed)
    expected = evidence(observed)
    assert_allclose(found.value, expected.value, rtol=1e-13)
    assert_allclose(found.by_covariance, expected.by_covariance, rtol=1e-10, atol=1e-12)


@WEIGHTED
def test_the_derivative_of_laplaces_evidence_for_the_covariance(weighted):
    assert_derivative_for_covariance(classes(row_weight(weighted)))


def test_the_derivative_where_the_covariance_is_singular():
    assert_derivative_for_covariance(classes(row_weight(True)), X @ X.T)


WIDE = {
    "smooth": (1e6 * np.exp(-DISTANCE), CLASS),
    "linear": (1e6 * X @ X.T, 1.0 * (X @ [1.0, -2.0] > 0.0)),
    "one class": (np.full((N, N), 1e6), np.ones(N)),
}


OF_WIDE = pytest.mark.parametrize(("covariance", "target"), WIDE.values(), ids=WIDE)


@OF_START
@OF_WIDE
def test_separable_classes_with_a_wide_prior_have_a_mode(covariance, target, start):
    observed = classes(np.ones(N), target)
    found = find_mode(covariance, observed, start, EXACT).point
    assert_at_mode(found, covariance, observed, rtol=1e-9)
    assert_array_equal(found.latent > 0.0, target == 1.0)


# The search.


@OF_START
@OF_WIDE
def test_separable_classes_with_a_wide_prior_have_an_evidence(covariance, target, start):
    observed = classes(np.ones(N), target)
    found = evidence_at(find_mode(covariance, observed, start), observed)
    assert_allclose(found.value, evidence(observed, covariance).value, rtol=0.0, atol=2e-4)
    assert np.isfinite(found.by_covariance).all()


@OF_START
@pytest.mark.parametrize(
    "covariance", [K, OTHER_K, 1e-2 * WIDE["smooth"][0]], ids=["smooth", "steep", "wide"]
)
def test_the_default_search_goes_far_enough(covariance, start):
    observed = classes(row_weight(True))
    found = evidence_at(find_mode(covariance, observed, start), observed)
    assert_allclose(found.value, evidence(observed, covariance).value, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("covariance", [K, WIDE["smooth"][0]], ids=["", "wide"])
def test_more_factors_never_lower_the_log_density(covariance):
    observed, start = classes(row_weight(True)), STARTS["wrong side"]
    searches = [LatentSearch(shrinks=0.0, max_factors=k) for k in range(20)]
    values = [find_mode(covariance, observed, start, each).point.value for each in searches]
    assert np.all(np.diff(values) >= -1e-12)
    assert values[0] < values[1]


def test_a_determinant_next_to_the_mode_is_corrected_to_first_order():
    """A tenth of the distance from the mode leaves a hundredth of the error."""
    observed = classes(row_weight(True))
    point = find_mode(K, observed, np.zeros(N), EXACT).point
    exact, errors = evidence(observed).value, []
    for distance in (1e-2, 1e-3):
        latent = point.latent + distance * STARTS["random"]
        near = Factored.at(K, latent, observed.expand(latent))
        errors.append(evidence_at(Mode(K, point, near), observed).value - exact)
    assert abs(errors[0]) > 1e-7
    assert_allclose(errors[1], errors[0] / 100.0, rtol=0.1)
