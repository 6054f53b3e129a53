"""The dense model by its covering rows, by N x N matrices."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from projection_parts import (
    BASIS,
    GAMMA,
    KINDS,
    NEW,
    SHARED,
    N,
    X,
    Y,
    dense_and_sparse,
    dense_of,
    kernel,
    problem,
    spread_at,
)
from scipy.linalg import block_diag

from sparsebayes import Bias, CauchyKernel, GaussianKernel, Linear
from sparsebayes.columns import first_columns
from sparsebayes.dense.covering import covering_sizes
from sparsebayes.dense.fit import fit_dense
from sparsebayes.inference import Outcome
from sparsebayes.likelihoods import Gaussian
from sparsebayes.projection import carry_over
from sparsebayes.projection.carry_over import mean_square_apart
from sparsebayes.projection.whole import Closeness, covering_candidates, follows, whole_fit

EVERY = KINDS | SHARED
every = pytest.mark.parametrize(("target", "likelihood"), EVERY.values(), ids=EVERY)
kinds = pytest.mark.parametrize(("target", "likelihood"), KINDS.values(), ids=KINDS)
RBF = GaussianKernel(GAMMA**-0.5)
BASES = {
    "a kernel": RBF,
    "with a bias": BASIS,
    "with plain columns": Linear() + RBF + Bias(),
    "two kernels": RBF + Linear() + CauchyKernel(3.0) + Bias(),
    "few centres": GaussianKernel(GAMMA**-0.5, centres=25) + Bias(),
}
bases = pytest.mark.parametrize("basis", BASES.values(), ids=BASES)


# Whether a fit follows.


@pytest.mark.parametrize("fidelity", [0.5, 4.0])
@kinds
def test_it_follows_as_long_as_what_it_misses_is_small(target, likelihood, fidelity):
    """sum_n W_n (f_n - phi_n' w)^2 <= missed / fidelity * sum_n W_n var f_n."""
    dense, sparse = dense_and_sparse(problem(target, likelihood), fidelity)
    apart = dense.latents - sparse.problem.columns.evaluate(X, sparse.active) @ sparse.mean
    uncertain = dense.latents.shape[1] * dense.row_precision @ np.diag(spread_at(dense, X))
    limit = fidelity * np.sum(dense.row_precision @ apart**2) / uncertain
    assert limit > 0.0
    assert follows(dense, sparse, fidelity, Closeness(1.0001 * limit))
    assert not follows(dense, sparse, fidelity, Closeness(0.9999 * limit))


@every
def test_a_search_to_its_end_follows(target, likelihood):
    dense, sparse = dense_and_sparse(problem(target, likelihood), 10.0)
    assert follows(dense, sparse, 10.0)


def test_one_of_its_vectors_alone_does_not_follow():
    dense, sparse = dense_and_sparse(problem(Y, Gaussian()), 10.0)
    short = replace(
        sparse,
        active=sparse.active[:1],
        mean=sparse.mean[:1],
        precisions=sparse.precisions.of(np.arange(1)),
    )
    assert not follows(dense, short, 10.0)


def test_where_nothing_is_left_to_follow_anything_does():
    """A dense model with the prior variance of nothing has the mean zero."""
    dense, sparse = dense_and_sparse(problem(Y, Gaussian()), 1e-9)
    assert not len(sparse.active)
    assert follows(dense, sparse, 1e-9)


# The whole.


def covering_model(dense, given, inputs):
    """Mean and covariance, at new inputs, of the model that has the covering columns alone.

    Weights of a kernel have the prior N(0, a K_cc^-1), those of plain columns N(0, 1 / alpha); rows
    have the precision W and the targets of the dense posterior.
    """
    rows = dense.posterior.problem.data
    precision, start, train, new = [], 0, [], []
    sizes = covering_sizes(dense)
    for kind, part, size in zip(given.columns.kinds, dense.columns.parts, sizes, strict=True):
        variance = dense.prior_variance[start : start + part.n_columns]
        if kind.positive_definite:
            centres = rows.inputs[part.kind.centre_rows[:size]]
            precision.append(kind.between(centres, centres) / variance[0])
            train.append(kind.between(rows.inputs, centres))
            new.append(kind.between(inputs, centres))
        else:
            precision.append(np.diag(1.0 / variance))
            train.append(kind.evaluate(rows.inputs))
            new.append(kind.evaluate(inputs))
        start += part.n_columns
    train, new = np.hstack(train), np.hstack(new)
    weighted = train.T * dense.row_precision
    covariance = np.linalg.inv(block_diag(*precision) + weighted @ train)
    target = rows.target.reshape(len(rows.weight), -1)
    return new @ covariance @ (weighted @ target), new @ covariance @ new.T


def whole_at(given, dense, inputs):
    _, sparse = dense_and_sparse(given, 10.0)
    whole = whole_fit(given, dense, sparse)
    design = given.columns.evaluate(inputs, whole.active)
    half = design @ whole.root
    return whole, design @ whole.mean, half @ half.T


@kinds
@bases
def test_it_is_the_dense_model_of_its_covering_columns(basis, target, likelihood):
    given = problem(target, likelihood, basis=basis)
    dense = dense_of(given)
    whole, mean, covariance = whole_at(given, dense, NEW)
    expected_mean, expected_covariance = covering_model(dense, given, NEW)
    assert len(whole.active) == sum(covering_sizes(dense)) < N
    assert mean.shape == expected_mean.shape
    assert_allclose(mean, expected_mean, atol=1e-6 * np.abs(expected_mean).max())
    size = np.diag(expected_covariance).max()
    assert_allclose(covariance, expected_covariance, atol=1e-6 * size)


@bases
def test_that_of_classes_is_nearest_by_the_precision_of_their_weights(basis):
    """P (u - m) = 0 at the covering columns, where P u is P m; the covariance is P_cc^-1."""
    given = problem(*SHARED["shared softmax"], basis=basis)
    dense = dense_of(given)
    _, mean, covariance = whole_at(given, dense, NEW)
    kept = first_columns(dense.columns, covering_sizes(dense))
    precision = np.linalg.inv(dense.posterior.covariance)
    inner = np.linalg.inv(precision[np.ix_(kept, kept)])
    design = dense.columns.evaluate(NEW)[:, kept]
    expected = design @ inner @ (precision @ dense.posterior.mean)[kept]
    assert_allclose(mean, expected, atol=1e-5 * np.abs(expected).max())
    expected = design @ inner @ design.T
    assert_allclose(covariance, expected, atol=1e-5 * np.abs(expected).max())


@pytest.mark.slow
@every
@bases
def test_it_follows_the_dense_model(basis, target, likelihood):
    """As closely as a sparse fit is asked to by default, and with its spread."""
    given = problem(target, likelihood, basis=basis)
    dense = dense_of(given)
    whole, mean, covariance = whole_at(given, dense, X)
    assert follows(dense, whole, 10.0)
    assert_allclose(whole.latents, mean, rtol=1e-8, atol=1e-8)
    std = np.sqrt(np.diag(spread_at(dense, X)))
    assert_allclose(np.sqrt(np.diag(covariance)), std, rtol=0.25)


@every
def test_its_columns_are_those_that_cover_the_process(target, likelihood):
    given = problem(target, likelihood)
    dense, sparse = dense_and_sparse(given, 4.0)
    whole = whole_fit(given, dense, sparse)
    size = covering_sizes(dense)[0]
    rows = given.columns.centre_rows[whole.active]
    assert_array_equal(rows[:size], dense.columns.parts[0].kind.centre_rows[:size])
    assert rows[size:] == [-1]
    assert whole.relevant.all()
    assert len(whole.precisions.weight) == len(whole.mean) == len(whole.root) == size + 1
    assert_allclose(whole.precisions.weight[0], 1.0 / dense.prior_variance[0], rtol=1e-12)
    assert whole.outcome is sparse.outcome
    assert whole.history == sparse.history


def shuffled(given, seed=0):
    """The same problem with its columns in any order."""
    order = np.random.default_rng(seed).permutation(given.n_columns)
    return replace(given, columns=given.columns.keep(order))


@every
@bases
def test_candidates_are_found_in_any_order(basis, target, likelihood):
    given = shuffled(problem(target, likelihood, basis=basis))
    dense = dense_of(given)
    found = covering_candidates(given.columns, dense, covering_sizes(dense))
    kinds = [part.kind for part in dense.columns.parts]
    sizes = covering_sizes(dense)
    rows = [kind.centre_rows[:size] for kind, size in zip(kinds, sizes, strict=True)]
    assert_array_equal(given.columns.centre_rows[found], np.concatenate(rows))
    if dense.left_out is None:
        _, mean, covariance = whole_at(given, dense, NEW)
        expected_mean, expected_covariance = covering_model(dense, given, NEW)
        assert_allclose(mean, expected_mean, atol=1e-6 * np.abs(expected_mean).max())
        size = np.diag(expected_covariance).max()
        assert_allclose(covariance, expected_covariance, atol=1e-6 * size)


def test_given_centres_are_candidates():
    centres = np.linspace(10.0, -10.0, 30)[:, None]
    given = problem(Y, Gaussian(), basis=GaussianKernel(GAMMA**-0.5, centres=centres) + Bias())
    dense, sparse = dense_and_sparse(given, 4.0)
    whole = whole_fit(given, dense, sparse)
    mean = given.columns.evaluate(X, whole.active) @ whole.mean
    assert np.mean((mean - dense.latents) ** 2) < 0.02 * dense.noise_variance


def test_of_many_centres_the_dense_model_has_some():
    """Those are the candidates, wherever they stand among all of them."""
    given = problem(Y, Gaussian())
    fewer = replace(given, columns=given.columns.keep(np.append(np.arange(0, N, 2), N)))
    dense = fit_dense(fewer)
    found = covering_candidates(given.columns, dense, covering_sizes(dense))
    rows = dense.columns.parts[0].kind.centre_rows
    expected = np.append(rows[: covering_sizes(dense)[0]], -1)
    assert_array_equal(given.columns.centre_rows[found], expected)


def test_several_widths_that_are_learned_have_no_covering_candidates():
    """Their dense model has one of the widths, and a row has a column for each."""
    basis = GaussianKernel([1.0, 3.0], input_scale="learn") + Bias()
    given = problem(Y, Gaussian(), basis=basis)
    dense, sparse = dense_and_sparse(given, 4.0)
    assert covering_candidates(given.columns, dense, covering_sizes(dense)) is None
    assert whole_fit(given, dense, sparse) is None


def test_without_a_whole_a_fit_that_does_not_follow_stays_what_it_is():
    basis = GaussianKernel([1.0, 3.0], input_scale="learn") + Bias()
    given = problem(Y, Gaussian(), basis=basis)
    dense, sparse = dense_and_sparse(given, 4.0)
    short = replace(
        sparse,
        active=sparse.active[:1],
        mean=sparse.mean[:1],
        precisions=sparse.precisions.of(np.arange(1)),
    )
    assert not follows(dense, short, 4.0)
    found = carry_over(given, dense, short, 4.0)
    assert_array_equal(found.active, short.active)
    assert found.precisions.noise < 0.5 * dense.posterior.noise_precision


def test_columns_that_are_no_process_are_all_there():
    given = problem(Y, Gaussian(), basis=GaussianKernel([1.0, 3.0]) + Bias())
    dense, sparse = dense_and_sparse(given, 4.0)
    whole = whole_fit(given, dense, sparse)
    assert_array_equal(whole.active, np.arange(given.n_columns))
    mean = given.columns.evaluate(X) @ whole.mean
    assert_allclose(mean, dense.latents, atol=1e-6)


# Where the search ends too early.

LINE = np.random.default_rng(3).uniform(-1.0, 1.0, (30, 1))
FINE = np.linspace(-0.95, 0.95, 101)[:, None]


def smooth(inputs):
    return np.sin(3.0 * inputs[:, 0]) + 0.3 * inputs[:, 0] ** 2


@cache
def collinear(noise_std):
    """Wide kernels on a target without noise: the problem, its dense model, and a sparse fit."""
    basis = GaussianKernel(2.0)
    given = problem(smooth(LINE), Gaussian(noise_std), np.ones(30), LINE, basis)
    return given, *dense_and_sparse(given, 10.0)


tiny = pytest.mark.parametrize("noise_std", [1e-5, 3e-6])


@pytest.mark.slow
@tiny
@pytest.mark.long
def test_collinear_columns_without_noise_end_as_the_dense_model(noise_std):
    given, dense, sparse = collinear(noise_std)
    assert not follows(dense, sparse, 10.0)
    found = carry_over(given, dense, sparse, 10.0)
    assert_array_equal(
        found.active, covering_candidates(given.columns, dense, covering_sizes(dense))
    )
    assert follows(dense, found, 10.0)
    mean = given.columns.evaluate(FINE, found.active) @ found.mean
    expected = dense.columns.evaluate(FINE) @ dense.posterior.mean
    errors = [np.sqrt(np.mean((each[:, 0] - smooth(FINE)) ** 2)) for each in (mean, expected)]
    assert errors[1] < 1e-3
    assert errors[0] < 1.1 * errors[1] + 0.05 * dense.noise_variance**0.5


@pytest.mark.slow
@pytest.mark.long
@tiny
def test_the_noise_of_the_whole_is_that_of_the_dense_model(noise_std):
    given, dense, sparse = collinear(noise_std)
    found = carry_over(given, dense, sparse, 10.0)
    assert 0.0 <= found.missed <= 0.2 * dense.noise_variance  # what covering rows leave
    assert_allclose(1.0 / found.precisions.noise, dense.noise_variance, rtol=0.01)


@pytest.mark.slow
def test_the_whole_is_told_as_what_it_is():
    given, dense, sparse = collinear(1e-5)
    ended = replace(sparse, outcome=Outcome.ILL_CONDITIONED)
    found = carry_over(given, dense, ended, 10.0)
    assert found.outcome is Outcome.CONVERGED
    assert found.log_evidence == dense.log_evidence
    assert found.covering is not None


def test_the_whole_is_not_farther_from_the_dense_model_than_what_it_replaces():
    """A fit of more fidelity than covering rows have, with a price on its columns."""
    given = problem(*KINDS["classification"])
    dense, sparse = dense_and_sparse(given, 1e6, min_gain=2.0)
    found = carry_over(given, dense, sparse, 1e6)
    assert mean_square_apart(dense, found) <= 1.01 * mean_square_apart(dense, sparse)


def test_the_kernel_of_these_tests_is_that_of_the_columns():
    kind = problem(Y, Gaussian()).columns.kinds[0]
    assert_allclose(kind.between(X, NEW), kernel(X, NEW), rtol=1e-12)
