"""What becomes of a dense posterior, by N x N matrices."""

from dataclasses import replace

import fits
import numpy as np
import pytest
from numpy.testing import assert_allclose
from projection_parts import KINDS, WEIGHT, N, X, Y, problem
from scipy.special import expit, log_expit

from sparsebayes.dense import fit_dense
from sparsebayes.inference import Fast, Outcome
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.projection import carry_over, goal_problem
from sparsebayes.projection.carry_over import square_root
from sparsebayes.rows import ChunkedRows

kinds = pytest.mark.parametrize(("target", "likelihood"), KINDS.values(), ids=KINDS)


def project(target, likelihood, fidelity=4.0):
    """The dense fit, the fit to the goal, and the projected fit."""
    given = problem(target, likelihood)
    dense = fit_dense(given)
    sparse = fits.fit(Fast(), goal_problem(given, dense, fidelity))
    return dense, sparse, carry_over(given, dense, sparse, fidelity)


def design_of(fit):
    return fit.problem.columns.keep(fit.active).evaluate(X)


def projector(dense, sparse, weight):
    """Phi, and the map from function values to the weights nearest to them."""
    design = design_of(sparse)
    ridge = np.diag(sparse.precisions.weight)
    return design, np.linalg.solve(design.T @ (weight[:, None] * design) + ridge, design.T * weight)


@kinds
def test_the_weights_are_nearest_to_the_dense_model(target, likelihood):
    """Gradient of the divergence of the two models, written naively, and of the prior."""
    dense, _, fit = project(target, likelihood)
    design, beta = design_of(fit), dense.posterior.noise_precision

    def divergence(weights):
        f, g = dense.latent, design @ weights
        if likelihood == Bernoulli():
            p = expit(f)
            each = p * (log_expit(f) - log_expit(g)) + (1 - p) * (log_expit(-f) - log_expit(-g))
        else:
            each = 0.5 * beta * (f - g) ** 2
        return 4.0 * WEIGHT @ each + 0.5 * fit.precisions.weight @ weights**2

    here = fit.mean[:, 0]
    for k in range(len(here)):
        step = np.zeros(len(here))
        step[k] = 1e-4 * (abs(here[k]) + 1e-2)
        rise = divergence(here + step) - divergence(here - step)
        curve = divergence(here + step) + divergence(here - step) - 2.0 * divergence(here)
        assert abs(rise) < 1e-2 * curve


@kinds
def test_the_covariance_is_that_of_projected_draws(target, likelihood):
    """Functions drawn from the dense posterior, each fitted by weighted least squares."""
    dense, sparse, fit = project(target, likelihood)
    curvature = np.ones(N)
    if likelihood == Bernoulli():
        latent = design_of(sparse) @ sparse.mean[:, 0]
        curvature = expit(latent) * expit(-latent)
    weight = 4.0 * WEIGHT * curvature * dense.posterior.noise_precision
    wide = dense.columns.evaluate(X)
    spread = wide @ dense.posterior.covariance @ wide.T
    _, map_ = projector(dense, sparse, weight)
    assert_allclose(fit.root @ fit.root.T, map_ @ spread @ map_.T, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("fidelity", [0.05, 4.0])
def test_what_is_missed_of_the_dense_model_is_added_to_the_noise(fidelity):
    """Of its mean, and of functions that it draws."""
    dense, sparse, fit = project(Y, Gaussian(), fidelity)
    posterior, wide = dense.posterior, dense.columns.evaluate(X)
    design, map_ = projector(dense, sparse, fidelity * WEIGHT * posterior.noise_precision)
    left = np.eye(N) - design @ map_
    drawn = np.diag(left @ wide @ posterior.covariance @ wide.T @ left.T)
    missed = (dense.latent - design @ fit.mean[:, 0]) ** 2 + drawn
    missed = np.average(missed, weights=WEIGHT)
    variance = 1.0 / posterior.noise_precision
    assert missed > 1e-3 * variance
    assert_allclose(1.0 / fit.precisions.noise, variance + missed, rtol=1e-7)
    assert_allclose(fit.noise_std, fit.precisions.noise**-0.5)


def test_a_given_noise_stays_as_it_is():
    _, _, fit = project(Y, Gaussian(0.1))
    assert_allclose(fit.noise_std, 0.1, rtol=1e-12)


@kinds
def test_the_evidence_is_that_of_the_dense_model_for_the_targets_themselves(target, likelihood):
    dense, sparse, fit = project(target, likelihood)
    assert fit.log_evidence == dense.log_evidence != sparse.log_evidence
    assert fit.n_precisions == 0
    assert fit.problem.data.target is target
    assert fit.outcome is sparse.outcome is Outcome.CONVERGED


def test_a_dense_model_without_noise_is_told():
    _, sparse, fit = project(np.sinc(X[:, 0] / np.pi), Gaussian())
    assert sparse.outcome is Outcome.CONVERGED
    assert fit.outcome is Outcome.NOISE_VANISHED


@kinds
def test_chunks_of_rows_change_nothing(target, likelihood):
    inputs, target, weight = np.tile(X, (11, 1)), np.tile(target, 11), np.tile(WEIGHT, 11)
    given = problem(target, likelihood, weight, inputs)
    dense = fit_dense(given)
    fit = fits.fit(Fast(), goal_problem(given, dense, 2.0))
    chunked = replace(fit, problem=replace(fit.problem, cache_size=1e-9))
    assert isinstance(chunked.problem.rows, ChunkedRows)
    whole, parts = (carry_over(given, dense, each, 2.0) for each in (fit, chunked))
    covariance = whole.root @ whole.root.T
    rounding = 1e-8 * np.abs(covariance).max()
    assert_allclose(parts.root @ parts.root.T, covariance, rtol=1e-6, atol=rounding)
    assert_allclose(parts.precisions.noise, whole.precisions.noise, rtol=1e-10)


@pytest.mark.parametrize("shape", [(3, 7), (3, 3), (5, 2), (0, 4), (3, 0)])
def test_a_square_root_has_the_same_product(shape):
    wide = np.random.default_rng(0).normal(size=shape)
    root = square_root(wide)
    assert root.shape == (shape[0], shape[0])
    assert_allclose(root @ root.T, wide @ wide.T, rtol=1e-12, atol=1e-14)
