import numpy as np
import pytest
from model_parts import (
    DESIGN,
    KINDS,
    N_COLUMNS,
    N_ROWS,
    Chosen,
    draws_of,
    latent_at,
    latent_covariance,
)
from numpy.testing import assert_allclose

from sparsebayes.assembly import conditional, restricted, shared
from sparsebayes.model.arrays import finite, symmetric_root
from sparsebayes.model.latent import Plain
from sparsebayes.model.spread import one_each

KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
LATENT = pytest.mark.parametrize("n_latent", [1, 2, 3])


@KIND
@LATENT
def test_moments(make, n_latent):
    """[T01] (21)-(22)"""
    plain, covariance = make(n_latent)
    latent = latent_at(plain, DESIGN)
    assert_allclose(latent.mean, DESIGN @ plain.weights, rtol=1e-12)
    expected = np.einsum("nknk->nk", latent_covariance(covariance, DESIGN))
    assert_allclose(latent.variance, expected, rtol=1e-10)
    for k, spread in enumerate(covariance.reshape(n_latent, N_COLUMNS, n_latent, N_COLUMNS)):
        assert_allclose(plain.spread.of_weights(k), spread[:, k], rtol=1e-10, atol=1e-12)


@LATENT
def test_covariance_between_the_latent_values_of_a_row(n_latent):
    """Of one set of weights; others have one process for all, or are independent."""
    plain, covariance = KINDS["full"](n_latent)
    expected = np.einsum("nknl->nkl", latent_covariance(covariance, DESIGN))
    assert_allclose(latent_at(plain, DESIGN).row_covariance, expected, rtol=1e-10, atol=1e-11)


@KIND
@LATENT
def test_covariance_of_a_latent_value_between_rows(make, n_latent):
    plain, covariance = make(n_latent)
    expected = latent_covariance(covariance, DESIGN)
    for k in range(n_latent):
        ours = latent_at(plain, DESIGN).joint_covariance(k)
        assert_allclose(ours, expected[:, k, :, k], rtol=1e-10, atol=1e-11)


@KIND
@LATENT
def test_draws_have_the_moments_of_the_posterior(make, n_latent):
    """Within five standard errors of 40 000 draws."""
    plain, covariance = make(n_latent)
    n_draws, each = 40_000, np.eye(N_COLUMNS)
    draws = draws_of(plain.spread, each, n_draws, np.random.default_rng(1), each)
    assert draws.shape == (N_COLUMNS, n_draws, n_latent)
    flat = draws.transpose(2, 0, 1).reshape(n_latent * N_COLUMNS, n_draws)
    variance = np.diag(covariance)
    assert np.all(np.abs(flat.mean(axis=1)) <= 5.0 * np.sqrt(variance / n_draws) + 1e-12)
    spread = np.sqrt((np.outer(variance, variance) + covariance**2) / n_draws)
    assert np.all(np.abs(np.cov(flat) - covariance) <= 5.0 * spread + 1e-12)


@KIND
@pytest.mark.parametrize("kept", [[], [2], [3, 0], [1, 2, 3], [0, 1, 2, 3]])
def test_restricted_weights_are_the_conditional_gaussian(make, kept):
    """mu_k - S_kd S_dd^-1 mu_d and S_kk - S_kd S_dd^-1 S_dk: w_k given that w_d = 0."""
    plain, covariance = make(2)
    kept = np.array(kept, dtype=np.intp)
    stays = np.concatenate([kept, N_COLUMNS + kept])
    goes = np.setdiff1d(np.arange(2 * N_COLUMNS), stays)
    mean = plain.weights.T.ravel()
    gain = covariance[np.ix_(stays, goes)] @ np.linalg.pinv(covariance[np.ix_(goes, goes)])
    expected = covariance[np.ix_(stays, stays)] - gain @ covariance[np.ix_(goes, stays)]
    found = restricted(plain, kept)
    assert found.columns[0].numbers.tolist() == kept.tolist()
    assert found.weights.shape == (len(kept), 2)
    conditional_mean = (mean[stays] - gain @ mean[goes]).reshape(2, -1).T
    assert_allclose(found.weights, conditional_mean, rtol=1e-7, atol=1e-9)
    blocks = expected.reshape(2, len(kept), 2, len(kept))
    for k in range(2):
        own = found.spread.of_weights(k)
        assert_allclose(own, blocks[k, :, k], rtol=1e-6, atol=1e-8)
    if found.spread.together:
        across = found.spread.roots[0] @ found.spread.roots[1].T
        assert_allclose(across, blocks[0, :, 1], rtol=1e-6, atol=1e-8)


EMPTY = np.empty((0, 0))


@pytest.mark.parametrize("spread", [shared(EMPTY, np.eye(2)), one_each([EMPTY, EMPTY])])
def test_weights_without_columns_are_zero(spread):
    design = np.empty((N_ROWS, 0))
    latent = latent_at(Plain((Chosen(np.arange(0)),), np.empty((0, 2)), spread), design)
    assert_allclose(latent.mean, np.zeros((N_ROWS, 2)), atol=0.0)
    assert_allclose(latent.variance, np.zeros((N_ROWS, 2)), atol=0.0)
    assert_allclose(latent.joint_covariance(1), np.zeros((N_ROWS, N_ROWS)), atol=0.0)
    draws = draws_of(spread, design, 3, np.random.default_rng(0), design)
    assert_allclose(draws, np.zeros((N_ROWS, 3, 2)), atol=0.0)


def test_the_contrasts_of_a_shared_softmax_have_no_variance_in_their_sum():
    spread = shared(np.eye(4), np.eye(3) - 1.0 / 3.0)
    draws = draws_of(spread, np.eye(4), 7, np.random.default_rng(0), np.eye(4))
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


# What is not finite.


@KIND
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_columns_that_are_not_finite_are_refused(make, bad):
    plain, _ = make(2)
    design = DESIGN.copy()
    design[3] = bad
    latent = latent_at(plain, design)
    draws, _ = plain.spread.draw(design, 3, np.random.default_rng(0))
    questions = (
        lambda: latent.mean,
        lambda: latent.variance,
        lambda: latent.process_variance,
        lambda: latent.joint_covariance(0),
        lambda: latent.drawn(draws),
    )
    for ask in questions:
        with np.errstate(invalid="ignore"), pytest.raises(ValueError, match="infinite or NaN at"):
            ask()


@pytest.mark.parametrize("n_latent", [1, 2, 3, 5])
@KIND
def test_a_variance_that_overflows_is_refused(make, n_latent):
    latent = latent_at(make(n_latent)[0], 1e200 * DESIGN)
    assert np.isfinite(latent.mean).all()
    for ask in (lambda: latent.variance, lambda: latent.process_variance):
        with np.errstate(over="ignore"), pytest.raises(ValueError, match="infinite or NaN at"):
            ask()


def test_finite_values_are_handed_on():
    values = np.arange(3.0)
    assert finite(values) is values
