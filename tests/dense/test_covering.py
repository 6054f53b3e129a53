"""Variance, covariance and draws of a process by its covering rows, against N x N matrices."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from dense_parts import N, X, Y, row_weight
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import block_diag
from scipy.sparse import csr_array

from sparsebayes.basis import (
    Bias,
    CallableKernel,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    LinearKernel,
    PolynomialKernel,
    PrecomputedKernel,
    SigmoidKernel,
)
from sparsebayes.dense.covering import CoveringRule, covering_of, covering_sizes, joined
from sparsebayes.dense.fit import fit_dense
from sparsebayes.dense.labels.classes import fit_dense_classes
from sparsebayes.dense.parts import groups
from sparsebayes.dense.rows import Budget
from sparsebayes.likelihoods import Bernoulli, Gaussian, Multinomial
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

WEIGHT = row_weight(True)
NEW = np.vstack([X[:3] + 0.2, X[:2], [[4.0, -3.0]], [[30.0, 40.0]]])
EVERY = CoveringRule(enough=0.0)
WHOLE = Budget(unseen=0.0)
LABELS = (Y > 0.2).astype(float)
SEVERAL = np.digitize(Y, [-0.3, 0.4]).astype(float)


def shifted(left, right):
    """A covariance of the user, which is not the same everywhere."""
    return (1.0 + left[:, :1] * right[:, 0]) * np.exp(-np.abs(left[:, 1:] - right[:, 1]))


BASES = {
    "one kernel": GaussianKernel(1.0),
    "wide": GaussianKernel(6.0),
    "narrow": GaussianKernel(0.2),
    "few centres": GaussianKernel(1.0, centres=N),
    "polynomial": PolynomialKernel(2, 0.3),
    "of the user": CallableKernel(shifted),
    "standard linear": LinearKernel(scaling="standard"),
    "sum of kernels": GaussianKernel(1.0) + LaplacianKernel(3.0),
    "kernel and columns": GaussianKernel(1.0) + Linear() + Bias(),
    "kernel that is none": SigmoidKernel(0.3) + GaussianKernel(1.0),
    "three kernels": LinearKernel() + GaussianKernel(0.5) + LaplacianKernel(2.0) + Bias(),
}
TARGETS = {
    "gaussian": (Y, Gaussian()),
    "known noise": (Y, Gaussian(0.3)),
    "classes": (LABELS, Bernoulli()),
}
over_bases = pytest.mark.parametrize("basis", BASES)
over_targets = pytest.mark.parametrize("target", TARGETS)
some_bases = pytest.mark.parametrize("basis", ["one kernel", "sum of kernels", "three kernels"])


@cache
def dense_of(basis, target="gaussian", noise=0.1):
    """A dense model at some settings, and all its columns."""
    values, likelihood = TARGETS[target]
    columns = BASES[basis].bind(X, WEIGHT)
    columns = columns.tested()
    problem = Problem(Data(X, values, WEIGHT), columns, likelihood)
    n_groups = groups(columns.kinds).max() + 1
    settings = np.log(np.linspace(0.5, 2.0, n_groups))
    if likelihood.noise.estimated:
        settings = np.append(settings, -np.log(noise))
    return fit_dense(problem, settings, budget=WHOLE)


class Exact:
    """The process itself: prior and posterior covariance, from N x N matrices."""

    def __init__(self, dense):
        starts = np.cumsum([0, *(part.n_columns for part in dense.columns.parts)])
        self.kinds = [
            (part, dense.prior_variance[start:end])
            for part, start, end in zip(dense.columns.parts, starts[:-1], starts[1:], strict=True)
        ]
        data = dense.posterior.problem.data
        self.noise = np.diag(1.0 / (dense.posterior.noise_precision * data.weight))

    def prior(self, left, right, processes=False):
        total = np.zeros((len(left), len(right)))
        for part, variance in self.kinds:
            if part.whitener is not None:
                total += variance[0] * part.kind.formula(left, right)
            elif not processes:
                total += part.kind.evaluate(left) * variance @ part.kind.evaluate(right).T
        return total

    def posterior(self, inputs, processes=False):
        across = self.prior(inputs, X, processes)
        gain = np.linalg.solve(self.prior(X, X) + self.noise, across.T)
        return self.prior(inputs, inputs, processes) - across @ gain


@over_bases
@over_targets
def test_with_every_row_it_is_the_process_itself(basis, target):
    dense = dense_of(basis, target)
    covering, exact = covering_of(dense, EVERY), Exact(dense).posterior(NEW)
    assert_allclose(covering.variance(NEW)[:, 0], np.diag(exact), rtol=1e-6)
    tolerance = 1e-7 * np.diag(exact).max()
    assert_allclose(covering.joint_covariance(NEW, 0), exact, rtol=1e-6, atol=tolerance)
    assert_allclose(covering.covariance_root(NEW)[:, 0, 0] ** 2, np.diag(exact), rtol=1e-6)


@over_bases
def test_before_there_were_data_it_has_the_variance_of_the_processes(basis):
    dense = dense_of(basis)
    expected = np.diag(Exact(dense).prior(NEW, NEW, processes=True))
    assert_allclose(covering_of(dense).prior_variance(NEW)[:, 0], expected, rtol=1e-12)


@over_bases
def test_novelty_is_the_share_of_the_variance_of_the_processes_that_is_left(basis):
    dense = dense_of(basis)
    exact = Exact(dense)
    left, prior = exact.posterior(NEW, processes=True), exact.prior(NEW, NEW, processes=True)
    expected = np.diag(left) / np.diag(prior)
    assert_allclose(covering_of(dense, EVERY).novelty(NEW), expected, rtol=1e-6)


# Fewer rows.


def naive(dense, rule, inputs):
    """sum_g a_g (k_g - |v_g|^2) + v (A + V'WV)^-1 v', with v_g = k_gc L^-T and L L' = K_gcc."""
    at_rows, at_inputs, prior, left = [], [], [], np.zeros((len(inputs), len(inputs)))
    for (part, variance), size in zip(Exact(dense).kinds, covering_sizes(dense, rule), strict=True):
        kind = part.kind.keep(np.arange(size))
        at_rows.append(kind.evaluate(X))
        at_inputs.append(kind.evaluate(inputs))
        prior.append(variance[:size])
        if part.whitener is not None:
            lower = np.linalg.cholesky(kind.formula(kind.items, kind.items))
            at_rows[-1], at_inputs[-1] = (
                np.linalg.solve(lower, values.T).T for values in (at_rows[-1], at_inputs[-1])
            )
            known = at_inputs[-1] @ at_inputs[-1].T
            left += variance[0] * (kind.formula(inputs, inputs) - known)
    rows, new = np.hstack(at_rows), np.hstack(at_inputs)
    noise = np.diag(Exact(dense).noise)
    precision = np.diag(1.0 / np.concatenate(prior)) + rows.T @ (rows / noise[:, None])
    return left + new @ np.linalg.solve(precision, new.T)


@over_bases
@over_targets
@pytest.mark.parametrize("enough", [0.1, 1.0, 10.0])
def test_with_fewer_rows_it_is_the_formula(basis, target, enough):
    dense, rule = dense_of(basis, target), CoveringRule(enough=enough)
    covering, expected = covering_of(dense, rule), naive(dense, rule, NEW)
    assert_allclose(covering.variance(NEW)[:, 0], np.diag(expected), rtol=1e-7)
    tolerance = 1e-9 * np.diag(expected).max()
    assert_allclose(covering.joint_covariance(NEW, 0), expected, rtol=1e-7, atol=tolerance)


@over_bases
@pytest.mark.parametrize("enough", [0.1, 1.0, 10.0])
def test_rows_are_as_many_as_it_takes(basis, enough):
    """What is left of each process is on average a part of the noise, with one row less more."""
    dense = dense_of(basis)
    sizes = covering_sizes(dense, CoveringRule(enough=enough))
    share = WEIGHT / WEIGHT.sum()

    def left(part, variance, size):
        design = part.first(size).evaluate(X)
        return variance[0] * share @ (part.kind.variance(X) - np.sum(design**2, axis=1))

    for (part, variance), size in zip(Exact(dense).kinds, sizes, strict=True):
        if part.whitener is None:
            assert size == part.n_columns
            continue
        assert left(part, variance, size) <= enough * 0.1 * (1.0 + 1e-9)
        assert size == 1 or left(part, variance, size - 1) > enough * 0.1


def test_a_quiet_process_needs_more_rows():
    sizes = [sum(covering_sizes(dense_of("wide", noise=noise))) for noise in (1.0, 1e-2, 1e-4)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


@over_bases
@over_targets
def test_by_default_the_variance_of_a_target_is_hardly_below_that_of_the_process(basis, target):
    """Covering rows take the little that they leave at the rows for known: a tenth of the noise."""
    dense = dense_of(basis, target)
    inputs = np.vstack([X, NEW, np.random.default_rng(1).normal(0.0, 2.0, (200, 2))])
    found, exact = covering_of(dense).variance(inputs)[:, 0], Exact(dense).posterior(inputs)
    noise = dense.noise_variance
    assert np.min((found + noise) / (np.diag(exact) + noise)) > 0.85
    assert np.mean(found[:N] - np.diag(exact)[:N]) < 0.1 * noise
    assert np.all(found <= np.diag(Exact(dense).prior(inputs, inputs)) * (1.0 + 1e-9))


@pytest.mark.parametrize("basis", ["one kernel", "wide", "narrow", "sum of kernels"])
@over_targets
def test_far_from_the_data_the_variance_is_that_of_the_prior(basis, target):
    covering, far = covering_of(dense_of(basis, target)), np.full((3, 2), 1e4)
    assert_allclose(covering.variance(far), covering.prior_variance(far), rtol=1e-12)
    assert_array_equal(covering.novelty(far), np.ones(3))
    joint = covering.joint_covariance(np.vstack([far[:1], -far[:1]]), 0)
    assert_allclose(joint, np.diag(np.diag(joint)), atol=1e-12)


@over_bases
@over_targets
def test_novelty_is_a_share_that_is_least_among_the_rows(basis, target):
    covering = covering_of(dense_of(basis, target))
    inputs = np.vstack([X, NEW, np.random.default_rng(2).normal(0.0, 5.0, (200, 2))])
    novelty = covering.novelty(inputs)
    assert np.all((novelty >= 0.0) & (novelty <= 1.0))


@pytest.mark.parametrize("basis", ["one kernel", "wide"])
def test_novelty_grows_away_from_the_rows(basis):
    dense = dense_of(basis, noise=1e-3)
    away = X.mean(axis=0) + np.outer(np.array([0.0, 5.0, 10.0, 20.0, 100.0]), [0.6, 0.8])
    novelty = covering_of(dense).novelty(np.vstack([X, away]))
    assert novelty[:N].max() < 0.01
    assert np.all(np.diff(novelty[N:]) >= 0.0)
    assert novelty[-1] > 0.999


# What it holds.


@over_bases
def test_its_rows_are_those_of_the_kernels_that_are_a_process(basis):
    dense = dense_of(basis)
    covering = covering_of(dense)
    kept = [
        part.kind.centre_rows[:size]
        for part, size in zip(dense.columns.parts, covering_sizes(dense), strict=True)
        if part.whitener is not None
    ]
    assert_array_equal(covering.rows, np.unique(np.concatenate(kept)))
    assert covering.n_columns == sum(covering_sizes(dense))


@pytest.mark.parametrize("basis", [Linear() + Bias(), SigmoidKernel(0.3), GaussianKernel([1, 2])])
def test_columns_that_are_no_process_have_no_covering(basis):
    columns = basis.bind(X, WEIGHT)
    n_groups = groups(columns.kinds).max() + 1
    problem = Problem(Data(X, Y, WEIGHT), columns, Gaussian(0.3))
    assert covering_of(fit_dense(problem, np.zeros(n_groups))) is None


def test_sparse_inputs_are_the_same():
    covering = covering_of(dense_of("one kernel"))
    sparse = csr_array(NEW)
    assert_allclose(covering.variance(sparse), covering.variance(NEW), rtol=1e-9)
    assert_allclose(covering.novelty(sparse), covering.novelty(NEW), rtol=1e-9)
    joint, expected = (covering.joint_covariance(each, 0) for each in (sparse, NEW))
    assert_allclose(joint, expected, atol=1e-9)
    seeds = [np.random.default_rng(0) for _ in range(2)]
    one, other = (covering.draw(x, 3, r) for x, r in zip((sparse, NEW), seeds, strict=True))
    assert_allclose(one, other, atol=1e-6)


def test_of_no_rows_there_is_nothing_to_say():
    covering, none = covering_of(dense_of("three kernels")), np.empty((0, 2))
    assert covering.variance(none).shape == (0, 1)
    assert covering.novelty(none).shape == (0,)
    assert covering.joint_covariance(none, 0).shape == (0, 0)
    assert covering.draw(none, 4, np.random.default_rng(0)).shape == (0, 4, 1)


# Draws.


def moments_of_draws(covering, inputs, n_samples=40_000, **options):
    """Mean and covariance of draws at all inputs, of all latent values in turn."""
    draws = covering.draw(inputs, n_samples, np.random.default_rng(0), **options)
    assert draws.shape[:2] == (len(inputs), n_samples)
    flat = draws.transpose(2, 0, 1).reshape(-1, n_samples)
    return flat.mean(axis=1), np.cov(flat)


def assert_like_draws(found, expected, n_samples=40_000):
    """A covariance within five standard errors of its entries."""
    mean, covariance = found
    std = np.sqrt(np.diag(expected))
    scale = np.outer(std, std)
    assert np.abs(mean / std).max() < 5.0 / np.sqrt(n_samples)
    error = np.sqrt((scale**2 + expected**2) / n_samples)
    assert np.all(np.abs(covariance - expected) < 5.0 * error)


@some_bases
@pytest.mark.parametrize("target", ["gaussian", "classes"])
@pytest.mark.parametrize("rule", [EVERY, CoveringRule()], ids=["every row", "few rows"])
def test_draws_have_the_joint_covariance(basis, target, rule):
    covering = covering_of(dense_of(basis, target), rule)
    expected = covering.joint_covariance(NEW, 0)
    assert_like_draws(moments_of_draws(covering, NEW), expected)


def test_draws_of_every_row_are_those_of_the_process():
    dense = dense_of("kernel and columns")
    found = moments_of_draws(covering_of(dense, EVERY), NEW)
    assert_like_draws(found, Exact(dense).posterior(NEW))


def test_of_many_rows_some_are_drawn_together_and_others_about_these():
    """Chosen rows have their covariance, all others their variance and that with these."""
    covering, rule = covering_of(dense_of("narrow")), CoveringRule(drawn_rows=3)
    _, found = moments_of_draws(covering, NEW, rule=rule)
    exact = covering.joint_covariance(NEW, 0)
    together = np.array([0, 3, 6])
    scale = np.sqrt(np.outer(np.diag(exact), np.diag(exact)))
    assert_allclose(np.diag(found), np.diag(exact), rtol=0.05)
    assert_allclose(found[together] / scale[together], exact[together] / scale[together], atol=0.03)


def test_draws_are_functions_of_the_inputs():
    """A row that occurs twice has one value in a draw, and one nearby nearly the same."""
    covering = covering_of(dense_of("one kernel"))
    inputs = np.vstack([NEW, NEW, NEW + 1e-4])
    first, again, near = np.split(covering.draw(inputs, 20, np.random.default_rng(0)), 3)
    assert_allclose(again, first, atol=1e-4)
    assert_allclose(near, first, atol=1e-2)


def test_a_state_of_the_old_kind_draws_as_well():
    covering = covering_of(dense_of("one kernel"))
    one, other = (covering.draw(NEW, 2, np.random.RandomState(3)) for _ in range(2))
    assert_array_equal(one, other)


# A kernel whose values are given.


@cache
def looked_up():
    """The same process by a function and by its values between rows."""
    table = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    settings = np.log([0.7, 10.0])
    fits = []
    for basis, inputs in ((GaussianKernel(1.0), X), (PrecomputedKernel(), table)):
        columns = basis.bind(inputs, WEIGHT).tested()
        columns = columns.keep(columns.order_by_row())  # pivots that are equal go by the order
        problem = Problem(Data(inputs, Y, WEIGHT), columns, Gaussian())
        fits.append(covering_of(fit_dense(problem, settings)))
    return fits, np.exp(-((NEW[:, None] - X) ** 2).sum(axis=2))


def test_a_process_whose_values_are_given_has_the_same_variance():
    (plain, given), across = looked_up()
    assert_allclose(given.variance(across), plain.variance(NEW), rtol=1e-8)
    assert_allclose(given.novelty(across), plain.novelty(NEW), rtol=1e-8)
    assert_array_equal(given.rows, plain.rows)


def test_what_rows_do_not_say_of_a_given_process_is_independent_at_new_rows():
    """The kernel between two new rows is not known."""
    (plain, given), across = looked_up()
    variance, design = plain.variance(NEW)[:, 0], plain.parts[0].evaluate(NEW)
    known = design @ plain.roots[0]
    expected = known @ known.T
    expected[np.diag_indices(len(NEW))] = variance
    assert_allclose(given.joint_covariance(across, 0), expected, atol=1e-8)
    assert_like_draws(moments_of_draws(given, across), expected)


# Several latent values.


def outputs(basis="sum of kernels"):
    """Coverings of three outputs that need different numbers of rows."""
    return [covering_of(dense_of(basis, noise=noise)) for noise in (1.0, 1e-4, 1e-2)]


@pytest.mark.parametrize(
    "basis", ["sum of kernels", "kernel and columns", "kernel that is none", "three kernels"]
)
def test_coverings_that_are_joined_say_what_each_says_alone(basis):
    each = outputs(basis)
    assert len({covering.n_columns for covering in each}) > 1
    whole = joined(each)
    assert whole.n_columns == max(covering.n_columns for covering in each)
    assert_array_equal(whole.rows, each[1].rows)
    variances = np.hstack([covering.variance(NEW) for covering in each])
    assert_allclose(whole.variance(NEW), variances, rtol=1e-9)
    priors = np.hstack([covering.prior_variance(NEW) for covering in each])
    assert_allclose(whole.prior_variance(NEW), priors, rtol=1e-12)
    novelties = [covering.novelty(NEW) for covering in each]
    assert_allclose(whole.novelty(NEW), np.mean(novelties, axis=0), rtol=1e-8)
    for k, covering in enumerate(each):
        joint = covering.joint_covariance(NEW, 0)
        assert_allclose(whole.joint_covariance(NEW, k), joint, atol=1e-9 * joint.max())


def test_outputs_that_are_joined_are_drawn_apart():
    each = outputs()
    expected = block_diag(*(covering.joint_covariance(NEW[:3], 0) for covering in each))
    assert_like_draws(moments_of_draws(joined(each), NEW[:3]), expected)


def test_one_that_is_joined_stays_as_it_is():
    covering = covering_of(dense_of("three kernels"))
    assert_allclose(joined([covering]).variance(NEW), covering.variance(NEW), rtol=1e-12)


@cache
def classes():
    """The dense model of three classes in one softmax, and its covering."""
    columns = BASES["one kernel"].bind(X, WEIGHT)
    problem = Problem(Data(X, SEVERAL, WEIGHT), columns, Multinomial(3))
    dense = fit_dense_classes(problem, np.log([0.5, 4.0]))
    return dense, covering_of(dense)


def test_classes_of_a_softmax_have_one_process_and_a_covariance_between_them():
    dense, covering = classes()
    one = replace(covering, between=None)
    between = np.eye(3) - 1.0 / 3.0
    assert_allclose(dense.between, between, rtol=1e-12)
    variance = one.variance(NEW)
    assert_allclose(covering.variance(NEW), variance * np.diag(between), rtol=1e-12)
    root = covering.covariance_root(NEW)
    product = root @ np.swapaxes(root, 1, 2)
    assert_allclose(product, variance[:, :, None] * between, atol=1e-12 * variance.max())
    assert_allclose(covering.novelty(NEW), one.novelty(NEW), rtol=1e-12)
    for k in range(3):
        expected = 2.0 / 3.0 * one.joint_covariance(NEW, 0)
        assert_allclose(covering.joint_covariance(NEW, k), expected, rtol=1e-12)


def test_the_process_of_classes_is_that_of_their_rows():
    dense, _ = classes()
    covering, exact = covering_of(dense, EVERY), Exact(dense).posterior(NEW)
    assert_allclose(covering.variance(NEW)[:, 1], 2.0 / 3.0 * np.diag(exact), rtol=1e-6)


def test_draws_of_classes_have_the_covariance_between_them():
    _, covering = classes()
    one = replace(covering, between=None).joint_covariance(NEW[:3], 0)
    draws = covering.draw(NEW[:3], 40_000, np.random.default_rng(0))
    assert_allclose(draws.sum(axis=2), 0.0, atol=1e-6)
    _, found = moments_of_draws(covering, NEW[:3])
    expected = np.kron(np.eye(3) - 1.0 / 3.0, one)
    assert_allclose(found, expected, atol=0.03 * one.max())
