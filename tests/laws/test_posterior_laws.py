"""Each posterior is the naive one, however it is come by."""

import numpy as np
import problems
import pytest
import reference
from laws.parts import (
    LIKELIHOODS,
    constant,
    curved,
    gradient_size,
    over,
    some_posterior,
    some_row_weights,
    some_weights,
)
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import statistics
from sparsebayes.likelihoods import Counts, Variances
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions

SEEDS = pytest.mark.parametrize("seed", range(3))
WEIGHT = some_row_weights(24)
KEPT = pytest.mark.parametrize(
    "keep", [[True], [True, False], [False]], ids=["all", "some", "none"]
)


def assert_same(found, expected, rtol, atol):
    """The same weights, relative to the largest of each output."""
    size = np.abs(expected.mean).max(axis=0, initial=1e-300)
    assert_allclose(found.mean / size, expected.mean / size, rtol=rtol, atol=atol)
    assert_allclose(found.covariance, expected.covariance, rtol=rtol, atol=atol)
    assert_allclose(found.value, expected.value, rtol=rtol)


@over(LIKELIHOODS)
@SEEDS
def test_the_posterior_is_the_naive_one(part, seed):
    posterior = some_posterior(part, seed, weight=WEIGHT)
    data, beta, size = posterior.problem.data, part.noise_precision, posterior.n_outputs
    rows = part.expanded(data.inputs, posterior.active), data.target, data.weight
    prior = np.repeat(posterior.weight_precision, size)
    mode, log_joint = reference.mode(part.density, *rows, prior, beta)
    gram = reference.sums(part.volume_density, *rows, posterior.mean.ravel())[2]
    covariance = np.linalg.inv(beta * gram + np.diag(prior))[::size, ::size]
    rtol, atol = (1e-8, 1e-9) if constant(part) else (1e-4, 1e-5)
    unit = np.abs(posterior.mean).max(axis=0)
    assert_allclose(posterior.mean / unit, mode.reshape(-1, size) / unit, rtol=rtol, atol=atol)
    assert_allclose(posterior.covariance, covariance, rtol=1e-9, atol=1e-14)
    assert_allclose(posterior.variance, np.diag(covariance), rtol=1e-9)
    assert_allclose(posterior.log_density, log_joint, rtol=1e-9)
    shrinkage = posterior.weight_precision * np.diag(covariance)
    assert_allclose(posterior.well_determined, 1.0 - shrinkage, rtol=1e-9)


@over(LIKELIHOODS)
@SEEDS
def test_the_mode_has_no_gradient(part, seed):
    assert gradient_size(some_posterior(part, seed)) < (1e-7 if constant(part) else 1e-4)


def exponential(part):
    """Whether the log density falls as an exponential on one side."""
    return isinstance(part.likelihood, Counts | Variances)


@over(LIKELIHOODS, lambda part: part.likelihood.log_concave and not exponential(part))
@pytest.mark.parametrize("size", [1.0, 30.0, 1e3, 1e5])
def test_the_start_does_not_matter(part, size):
    """Also where the start saturates every row, so that the curvature there is 0."""
    assert_found_from(part, size)


@over(LIKELIHOODS, exponential)
@pytest.mark.parametrize("size", [1.0, 30.0])
def test_the_start_does_not_matter_where_means_grow_exponentially(part, size):
    """Newton's steps lead down from exp(f) by one in f each, so that there is no way from 1000."""
    assert_found_from(part, size)


def assert_found_from(part, size):
    plain = some_posterior(part)
    start = size * some_weights(plain.problem, plain.active)
    moved = find_posterior(plain.problem, plain.active, plain.precisions, start)
    unit = np.abs(plain.mean).max(axis=0)
    assert_allclose(moved.mean / unit, plain.mean / unit, rtol=1e-5, atol=1e-6)


@over(LIKELIHOODS)
def test_a_start_near_the_mode_is_not_taken_for_it(part):
    plain = some_posterior(part)
    start = plain.mean + 1e-6 * np.sqrt(plain.variance)[:, None]
    near = find_posterior(plain.problem, plain.active, plain.precisions, start)
    assert gradient_size(near) < (1e-9 if part.likelihood.exact_curvature else 1e-7)


@over(LIKELIHOODS, constant)
@KEPT
def test_at_other_precisions_it_is_the_one_found_anew(part, keep):
    posterior = some_posterior(part, weight=WEIGHT)
    kept = np.resize(keep, len(posterior.active))
    beta = 0.5 * part.noise_precision if posterior.problem.noise.estimated else part.noise_precision
    precisions = Precisions(posterior.weight_precision[kept][::-1], beta)
    found = posterior.at(precisions, kept)
    assert_array_equal(found.active, posterior.active[kept])
    anew = find_posterior(posterior.problem, found.active, precisions)
    assert_same(found, anew, 1e-9, 1e-12)
    assert gradient_size(found) < 1e-7


@over(LIKELIHOODS, curved)
@pytest.mark.parametrize("keep", [[True], [True, False]], ids=["all", "some"])
def test_at_other_precisions_it_moves_on_its_quadratic(part, keep):
    """The naive quadratic at the mode, under the new prior, from weights that are not kept too."""
    posterior = some_posterior(part)
    data, size = posterior.problem.data, posterior.n_outputs
    expanded = part.expanded(data.inputs, posterior.active)
    held = reference.taylor(part.volume_density, expanded @ posterior.mean.ravel())
    kept = np.resize(keep, len(posterior.active))
    prior = 3.0 * posterior.weight_precision[kept]
    found = posterior.at(Precisions(prior, 1.0), kept)
    rows = part.expanded(data.inputs, found.active), data.target, data.weight
    mode, log_joint = reference.mode(held, *rows, np.repeat(prior, size))
    assert_allclose(found.mean.ravel(), mode, rtol=1e-4, atol=1e-5)
    assert_allclose(found.log_density, log_joint, rtol=1e-8)


@over(LIKELIHOODS)
@KEPT
def test_refreshed_it_is_the_one_found_anew(part, keep):
    posterior = some_posterior(part)
    kept = np.resize(keep, len(posterior.active))
    precisions = Precisions(3.0 * posterior.weight_precision[kept], part.noise_precision)
    fresh = posterior.at(precisions, kept).refreshed()
    anew = find_posterior(posterior.problem, posterior.active[kept], precisions)
    assert_array_equal(fresh.weight_precision, precisions.weight)
    assert_same(fresh, anew, 1e-5, 1e-6)
    assert gradient_size(fresh) < 1e-5


@over(LIKELIHOODS)
def test_a_known_gram_is_used(part):
    plain = some_posterior(part)
    zero = plain.problem.no_weights(len(plain.active))
    gram = statistics.gram(plain.problem, plain.active, zero)
    known = find_posterior(plain.problem, plain.active, plain.precisions, zero, gram)
    assert (known.gram is gram) == constant(part)
    assert_allclose(known.mean, plain.mean, rtol=1e-12)


@over(LIKELIHOODS)
def test_a_posterior_without_candidates(part):
    none = np.empty(0, dtype=np.intp)
    posterior = problems.posterior_at(part.problem(), none, np.empty(0), part.noise_precision)
    assert posterior.mean.shape == (0, part.likelihood.layout.n_outputs)
    assert posterior.covariance.shape == (0, 0)
    assert posterior.well_determined.shape == (0,)
    target = posterior.problem.data.target
    n_latents = part.expanded(np.ones((1, 1))).shape[1]
    expected = part.density(target, np.zeros((len(target), n_latents)))[0].sum()
    assert_allclose(np.sum(posterior.value), expected, rtol=1e-12)
