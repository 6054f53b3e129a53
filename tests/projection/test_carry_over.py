"""What becomes of a dense posterior, by N x N matrices."""

from dataclasses import replace

import fits
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from projection_parts import (
    KINDS,
    NEW,
    SHARED,
    WEIGHT,
    N,
    X,
    Y,
    dense_and_sparse,
    problem,
    spread_at,
)

from sparsebayes import Bias, GaussianKernel, LaplacianKernel, Linear, SigmoidKernel
from sparsebayes.dense.covering import covering_of
from sparsebayes.dense.fit import fit_dense
from sparsebayes.inference import Fast, Outcome
from sparsebayes.likelihoods import Gaussian
from sparsebayes.problem import Precisions
from sparsebayes.projection import carry_over, goal_problem
from sparsebayes.projection.carry_over import (
    mean_square_apart,
    spread_of,
    square_root,
    with_spread,
)
from sparsebayes.rows import ChunkedRows

kinds = pytest.mark.parametrize(("target", "likelihood"), KINDS.values(), ids=KINDS)
EVERY = KINDS | SHARED
every = pytest.mark.parametrize(("target", "likelihood"), EVERY.values(), ids=EVERY)
fidelities = pytest.mark.parametrize("fidelity", [0.05, 4.0])


def project(target, likelihood, fidelity=4.0, **options):
    """The dense fit, the fit to the goal, and the projected fit."""
    given = problem(target, likelihood, **options)
    dense, sparse = dense_and_sparse(given, fidelity)
    return dense, sparse, carry_over(given, dense, sparse, fidelity)


def design_of(fit):
    return fit.problem.columns.evaluate(X, fit.active)


def projector(dense, sparse, fidelity):
    """Phi, and the map from function values to the weights nearest to them."""
    design, share = design_of(sparse), fidelity * dense.row_precision
    gram = design.T @ (share[:, None] * design) + np.diag(sparse.precisions.weight)
    return design, np.linalg.solve(gram, design.T * share)


def missed_of_draws(dense, sparse, fidelity):
    """Mean square of what the nearest weights leave of a draw about its mean."""
    design, map_ = projector(dense, sparse, fidelity)
    left = np.eye(N) - design @ map_
    return np.average(np.diag(left @ spread_at(dense, X) @ left.T), weights=dense.row_precision)


def missed_of_mean(dense, fit):
    apart = np.sum((dense.latents - design_of(fit) @ fit.mean) ** 2, axis=1)
    return np.average(apart, weights=dense.row_precision)


@every
def test_the_weights_are_nearest_to_the_dense_model(target, likelihood):
    """Gradient of the divergence of Gaussians with the precision of rows, and of the prior."""
    dense, _, fit = project(target, likelihood)
    design, row_precision = design_of(fit), dense.row_precision

    def divergence(weights):
        apart = np.sum((dense.latents - design @ weights) ** 2, axis=1)
        prior = fit.precisions.weight @ np.sum(weights**2, axis=1)
        return 0.5 * (4.0 * row_precision @ apart + prior)

    here = fit.mean
    for place in np.ndindex(here.shape):
        step = np.zeros(here.shape)
        step[place] = 1e-4 * (abs(here[place]) + 1e-2)
        rise = divergence(here + step) - divergence(here - step)
        curve = divergence(here + step) + divergence(here - step) - 2.0 * divergence(here)
        assert abs(rise) < 1e-2 * curve


@fidelities
@every
def test_the_covariance_is_that_of_projected_draws(target, likelihood, fidelity):
    """Functions drawn from the dense posterior, each fitted by weighted least squares."""
    dense, sparse, fit = project(target, likelihood, fidelity)
    _, map_ = projector(dense, sparse, fidelity)
    expected = map_ @ spread_at(dense, X) @ map_.T
    assert fit.root.shape == (len(fit.active), len(fit.active))
    assert_allclose(fit.root @ fit.root.T, expected, rtol=1e-5, atol=1e-9)


@fidelities
@kinds
def test_what_is_missed_of_draws(target, likelihood, fidelity):
    dense, sparse, fit = project(target, likelihood, fidelity)
    expected = missed_of_draws(dense, sparse, fidelity)
    assert expected > 1e-3 * np.average(np.diag(spread_at(dense, X)), weights=dense.row_precision)
    assert_allclose(spread_of(dense, sparse, fidelity).missed, expected, rtol=1e-7)
    left = unexplained_by_columns(dense)
    assert 0.0 < left < 1e-4 * dense.noise_variance
    assert_allclose(fit.missed, expected + left, rtol=1e-7)


def unexplained_by_columns(dense):
    """Prior variance at the rows that the whitened columns do not have, on average."""
    total, start = 0.0, 0
    for part in dense.columns.parts:
        if part.whitener is not None:
            apart = part.kind.variance(X) - np.sum(part.evaluate(X) ** 2, axis=1)
            total += dense.prior_variance[start] * np.average(apart, weights=WEIGHT)
        start += part.n_columns
    return total


def test_a_row_counts_by_its_precision():
    """A row that is known a million times better than others has its draws followed there."""
    given = problem(*KINDS["classification"])
    dense, sparse = dense_and_sparse(given, 4.0)
    sharp = np.where(np.arange(N) == 7, 1e6, 1e-6)
    heavy = replace(dense, row_precision=sharp * dense.row_precision)
    row = design_of(sparse)[7]
    root = spread_of(heavy, sparse, 4.0).root
    assert_allclose(row @ root @ root.T @ row, spread_at(dense, X)[7, 7], rtol=1e-3)


@every
def test_all_columns_with_free_weights_have_the_spread_of_the_dense_model(target, likelihood):
    dense, sparse = dense_and_sparse(problem(target, likelihood), 1e6)
    every = np.arange(sparse.problem.n_columns)
    free = Precisions(np.full(len(every), 1e-4), sparse.precisions.noise)
    root, missed = spread_of(dense, replace(sparse, active=every, precisions=free), 1e6)
    expected = np.diag(spread_at(dense, X))
    half = sparse.problem.columns.evaluate(X) @ root
    assert_allclose(np.sum(half**2, axis=1), expected, rtol=1e-3)
    if dense.left_out is None:
        assert missed < 1e-3 * expected.mean()


def test_without_columns_all_is_missed():
    dense, sparse = dense_and_sparse(problem(*KINDS["classification"]), 0.05)
    assert len(sparse.active) == 0
    root, missed = spread_of(dense, sparse, 0.05)
    assert root.shape == (0, 0)
    expected = np.average(np.diag(spread_at(dense, X)), weights=dense.row_precision)
    assert_allclose(missed, expected, rtol=1e-8)


@kinds
def test_with_spread_changes_nothing_else(target, likelihood):
    dense, sparse = dense_and_sparse(problem(target, likelihood), 4.0)
    found = with_spread(dense, sparse, 4.0)
    assert_array_equal(found.root, spread_of(dense, sparse, 4.0).root)
    others = {name for name in vars(sparse) if name not in ("root", "missed")}
    assert all(getattr(found, name) is getattr(sparse, name) for name in others)


# Noise.


@fidelities
@every
def test_what_is_missed_of_the_mean(target, likelihood, fidelity):
    dense, sparse, _ = project(target, likelihood, fidelity)
    found = mean_square_apart(dense, sparse)
    assert_allclose(found, missed_of_mean(dense, sparse), rtol=1e-8, atol=1e-12)


@fidelities
def test_what_is_missed_of_the_mean_is_added_to_the_noise(fidelity):
    """What is missed of draws is not, as the covering rows say where it is."""
    dense, _, fit = project(Y, Gaussian(), fidelity)
    variance, missed = 1.0 / dense.posterior.noise_precision, missed_of_mean(dense, fit)
    assert missed > 1e-4 * variance
    assert_allclose(1.0 / fit.precisions.noise, variance + missed, rtol=1e-7)
    assert_allclose(fit.noise_std, [fit.precisions.noise**-0.5], rtol=1e-12)


NO_PROCESS = {
    "sigmoid": SigmoidKernel(0.05, coef0=-0.2) + Bias(),
    "several widths": GaussianKernel([1.0, 3.0]) + Bias(),
}


@pytest.mark.parametrize("basis", NO_PROCESS.values(), ids=NO_PROCESS)
def test_without_a_process_what_is_missed_of_draws_is_noise_as_well(basis):
    dense, sparse, fit = project(Y, Gaussian(), basis=basis)
    assert fit.covering is None
    missed = missed_of_mean(dense, sparse) + missed_of_draws(dense, sparse, 4.0)
    expected = 1.0 / dense.posterior.noise_precision + missed
    assert_allclose(1.0 / fit.precisions.noise, expected, rtol=1e-6)
    assert missed_of_draws(dense, sparse, 4.0) > 1e-3 * expected


@pytest.mark.parametrize("basis", [None, *NO_PROCESS.values()], ids=["rbf", *NO_PROCESS])
def test_a_given_noise_stays_as_it_is(basis):
    options = {} if basis is None else {"basis": basis}
    _, _, fit = project(Y, Gaussian(0.1), **options)
    assert_allclose(fit.noise_std, 0.1, rtol=1e-12)


@pytest.mark.parametrize("name", ["classification", "shared softmax"])
def test_classes_have_no_noise(name):
    _, _, fit = project(*EVERY[name])
    assert fit.precisions.noise == 1.0


# Usual variance.

LOCAL = GaussianKernel(2.0)


@pytest.mark.parametrize("basis", [LOCAL + Bias(), LOCAL + Linear(), Linear() + Bias()], ids=str)
def test_the_usual_variance_of_classes_is_the_largest_of_rows_left_out(basis):
    dense, _, fit = project(*SHARED["shared softmax"], basis=basis)
    assert fit.usual_variance == dense.left_out.largest_variance
    assert 0.0 < fit.usual_variance < np.inf


@pytest.mark.parametrize("basis", [LOCAL, LOCAL + LaplacianKernel(3.0)], ids=str)
def test_where_kernels_fall_off_to_zero_no_variance_is_unusual(basis):
    assert project(*SHARED["shared softmax"], basis=basis)[-1].usual_variance == np.inf


@kinds
def test_one_latent_value_has_no_usual_variance(target, likelihood):
    assert project(target, likelihood)[-1].usual_variance == np.inf


# The rest.


@every
def test_the_evidence_is_that_of_the_dense_model_for_the_targets_themselves(target, likelihood):
    dense, sparse, fit = project(target, likelihood)
    assert fit.log_evidence == dense.log_evidence != sparse.log_evidence
    assert fit.n_precisions == 2  # of the kernel, and of the bias
    assert fit.problem.data.target is target
    assert fit.history == sparse.history
    assert fit.outcome is sparse.outcome is Outcome.CONVERGED


@every
def test_it_has_the_covering_of_the_dense_model(target, likelihood):
    dense, _, fit = project(target, likelihood)
    assert_array_equal(fit.covering.variance(NEW), covering_of(dense).variance(NEW))


OUTCOMES = {
    Outcome.CONVERGED: Outcome.CONVERGED,
    Outcome.STALLED: Outcome.CONVERGED,
    Outcome.ILL_CONDITIONED: Outcome.CONVERGED,
    Outcome.NOISE_VANISHED: Outcome.CONVERGED,
    Outcome.ITERATION_LIMIT: Outcome.ITERATION_LIMIT,
    Outcome.STOPPED: Outcome.STOPPED,
}


@pytest.mark.parametrize(("found", "told"), OUTCOMES.items(), ids=lambda each: each.name)
def test_how_it_ended(found, told):
    """How well vectors are determined one by one does not matter, as long as they follow."""
    given = problem(Y, Gaussian())
    dense, sparse = dense_and_sparse(given, 4.0)
    ended = replace(sparse, outcome=found)
    assert carry_over(given, dense, ended, 4.0).outcome is told
    vanished = replace(dense, noise_vanished=True)
    assert carry_over(given, vanished, ended, 4.0).outcome is Outcome.NOISE_VANISHED


@pytest.mark.parametrize("vanished", [False, True])
def test_a_model_of_nothing_does_not_pass_through_the_targets(vanished):
    given = problem(*KINDS["classification"])
    dense, sparse = dense_and_sparse(given, 0.05)
    assert not len(sparse.active)
    told = carry_over(given, replace(dense, noise_vanished=vanished), sparse, 0.05).outcome
    assert told is Outcome.NOTHING_RELEVANT


def test_where_the_search_found_nothing_to_a_mean_that_is_there_the_whole_is_told():
    given = problem(Y, Gaussian())
    dense, sparse = dense_and_sparse(given, 4.0)
    none = np.empty(0, dtype=np.intp)
    nothing = replace(
        sparse,
        active=none,
        mean=sparse.mean[none],
        root=np.empty((0, 0)),
        relevant=sparse.relevant[none],
        precisions=sparse.precisions.of(none),
        outcome=Outcome.NOTHING_RELEVANT,
    )
    found = carry_over(given, dense, nothing, 4.0)
    assert len(found.active)
    assert found.outcome is Outcome.CONVERGED


def test_a_dense_model_without_noise_is_told():
    _, sparse, fit = project(np.sinc(X[:, 0] / np.pi), Gaussian())
    assert sparse.outcome is not Outcome.NOISE_VANISHED
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
    assert_allclose(parts.missed, whole.missed, rtol=1e-6)


@pytest.mark.parametrize("shape", [(3, 7), (3, 3), (5, 2), (0, 4), (3, 0)])
def test_a_square_root_has_the_same_product(shape):
    wide = np.random.default_rng(0).normal(size=shape)
    root = square_root(wide)
    assert root.shape == (shape[0], shape[0])
    assert_allclose(root @ root.T, wide @ wide.T, rtol=1e-12, atol=1e-14)
