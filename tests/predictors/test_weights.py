import numpy as np
import pytest
from numpy.testing import assert_allclose
from predictor_parts import DESIGN, KINDS, N_COLUMNS, N_ROWS, latent_covariance

from sparsebayes.predictors.weights import (
    FullWeights,
    IndependentWeights,
    SharedWeights,
    conditional,
    symmetric_root,
)

KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
LATENT = pytest.mark.parametrize("n_latent", [1, 2, 3])


@KIND
@LATENT
def test_moments(make, n_latent):
    """[T01] (21)-(22)"""
    weights, covariance = make(n_latent)
    assert_allclose(weights.mean_of(DESIGN), DESIGN @ weights.mean, rtol=1e-12)
    expected = np.einsum("nknk->nk", latent_covariance(covariance, DESIGN))
    assert_allclose(weights.variance(DESIGN), expected, rtol=1e-10)


@KIND
@LATENT
def test_covariance_between_the_latent_values_of_a_row(make, n_latent):
    weights, covariance = make(n_latent)
    expected = np.einsum("nknl->nkl", latent_covariance(covariance, DESIGN))
    ours = weights.covariance(DESIGN)
    assert_allclose(ours, expected, rtol=1e-10, atol=1e-11)
    root = weights.covariance_root(DESIGN)
    assert_allclose(root @ root, expected, rtol=1e-9, atol=1e-10)
    assert_allclose(root, root.transpose(0, 2, 1), atol=1e-12)


@KIND
@LATENT
def test_covariance_of_a_latent_value_between_rows(make, n_latent):
    weights, covariance = make(n_latent)
    expected = latent_covariance(covariance, DESIGN)
    for k in range(n_latent):
        ours = weights.joint_covariance(DESIGN, k)
        assert_allclose(ours, expected[:, k, :, k], rtol=1e-10, atol=1e-11)


@KIND
@LATENT
def test_draws_have_the_moments_of_the_posterior(make, n_latent):
    """Within five standard errors of 40 000 draws."""
    weights, covariance = make(n_latent)
    n_draws = 40_000
    draws = weights.draw(n_draws, np.random.default_rng(1))
    assert draws.shape == (N_COLUMNS, n_draws, n_latent)
    flat = draws.transpose(2, 0, 1).reshape(n_latent * N_COLUMNS, n_draws)
    variance = np.diag(covariance)
    error = np.abs(flat.mean(axis=1) - weights.mean.T.ravel())
    assert np.all(error <= 5.0 * np.sqrt(variance / n_draws) + 1e-12)
    spread = np.sqrt((np.outer(variance, variance) + covariance**2) / n_draws)
    assert np.all(np.abs(np.cov(flat) - covariance) <= 5.0 * spread + 1e-12)


@KIND
def test_samples_are_the_latent_values_of_draws(make):
    weights, _ = make(2)
    draws = weights.draw(5, np.random.default_rng(3))
    samples = weights.sample(DESIGN, 5, np.random.default_rng(3))
    expected = np.stack([[DESIGN @ draws[:, s, k] for s in range(5)] for k in range(2)])
    assert_allclose(samples, expected.transpose(2, 1, 0), rtol=1e-12, atol=1e-13)


@KIND
@pytest.mark.parametrize("kept", [[], [2], [3, 0], [1, 2, 3], [0, 1, 2, 3]])
def test_restricted_weights_are_the_conditional_gaussian(make, kept):
    """mu_k - S_kd S_dd^-1 mu_d and S_kk - S_kd S_dd^-1 S_dk: w_k given that w_d = 0."""
    weights, covariance = make(2)
    kept = np.array(kept, dtype=np.intp)
    stays = np.concatenate([kept, N_COLUMNS + kept])
    goes = np.setdiff1d(np.arange(2 * N_COLUMNS), stays)
    mean = weights.mean.T.ravel()
    gain = covariance[np.ix_(stays, goes)] @ np.linalg.pinv(covariance[np.ix_(goes, goes)])
    expected = covariance[np.ix_(stays, stays)] - gain @ covariance[np.ix_(goes, stays)]
    restricted = weights.restricted_to(kept)
    assert type(restricted) is type(weights)
    assert restricted.mean.shape == (len(kept), 2)
    conditional_mean = (mean[stays] - gain @ mean[goes]).reshape(2, -1).T
    assert_allclose(restricted.mean, conditional_mean, rtol=1e-7, atol=1e-9)
    blocks = expected.reshape(2, len(kept), 2, len(kept))
    design = DESIGN[:, kept]
    row = np.einsum("ni,kilj,nj->nkl", design, blocks, design)
    assert_allclose(restricted.covariance(design), row, rtol=1e-6, atol=1e-8)


EMPTY, NONE = np.empty((0, 2)), np.empty(0, dtype=np.intp)
WITHOUT_COLUMNS = [
    SharedWeights(EMPTY, np.empty((0, 0)), np.eye(2)),
    IndependentWeights(EMPTY, (NONE, NONE), (np.empty((0, 0)), np.empty((0, 0)))),
    FullWeights(EMPTY, NONE, NONE, np.empty((0, 0))),
]


@pytest.mark.parametrize("weights", WITHOUT_COLUMNS, ids=KINDS)
def test_weights_without_columns_are_zero(weights):
    design = np.empty((N_ROWS, 0))
    assert_allclose(weights.mean_of(design), np.zeros((N_ROWS, 2)), atol=0.0)
    assert_allclose(weights.variance(design), np.zeros((N_ROWS, 2)), atol=0.0)
    assert_allclose(weights.covariance_root(design), np.zeros((N_ROWS, 2, 2)), atol=0.0)
    assert_allclose(weights.joint_covariance(design, 1), np.zeros((N_ROWS, N_ROWS)), atol=0.0)
    assert weights.sample(design, 3, np.random.default_rng(0)).shape == (N_ROWS, 3, 2)


def test_the_contrasts_of_a_shared_softmax_have_no_variance_in_their_sum():
    weights = SharedWeights(np.ones((4, 3)), np.eye(4), np.eye(3) - 1.0 / 3.0)
    assert_allclose(weights.covariance(DESIGN).sum(axis=2), 0.0, atol=1e-14)
    draws = weights.draw(7, np.random.default_rng(0)) - 1.0
    assert_allclose(draws.sum(axis=2), 0.0, atol=1e-7)


def test_conditional_of_all_weights_is_the_posterior_itself():
    root = np.random.default_rng(0).normal(size=(3, 3))
    mean, other = conditional(np.arange(3.0), root, np.arange(3))
    assert_allclose(mean, np.arange(3.0), rtol=1e-10, atol=1e-12)
    assert_allclose(other @ other.T, root @ root.T, rtol=1e-9)


def test_symmetric_root_of_several_matrices_and_of_a_singular_one():
    half = np.random.default_rng(0).normal(size=(5, 3, 2))
    matrices = half @ half.transpose(0, 2, 1)
    root = symmetric_root(matrices)
    assert_allclose(root @ root, matrices, atol=1e-12)
