"""The goal of a sparse fit, by the formulas that it stands for."""

import fits
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from projection_parts import GAMMA, KINDS, SHARED, WEIGHT, N, X, Y, dense_of, kernel, problem
from scipy.special import softmax

from sparsebayes.dense.fit import fit_dense
from sparsebayes.inference import Fast
from sparsebayes.likelihoods import Gaussian, Gaussians, Multinomial
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions
from sparsebayes.projection import common_goal, goal_problem, part_of_common

FIDELITY = 4.0
EVERY = KINDS | SHARED
every = pytest.mark.parametrize(("target", "likelihood"), EVERY.values(), ids=EVERY)


def with_goal(target, likelihood):
    given = problem(target, likelihood)
    dense = dense_of(given)
    return given, dense, goal_problem(given, dense, FIDELITY)


def precision_of_rows(goal):
    """How well a row of a goal is known: its weight, times the precision of the noise."""
    return goal.data.weight * goal.noise.settle(np.nan)


def ridge(design, target, row_precision, weight_precision):
    """Weights at the minimum of sum_n W_n (f_n - phi_n' w)^2 + sum_i A_i w_i^2."""
    gram = design.T @ (row_precision[:, None] * design) + np.diag(weight_precision)
    return np.linalg.solve(gram, design.T @ (row_precision[:, None] * target))


@every
def test_the_targets_are_the_means_of_the_dense_model(target, likelihood):
    given, dense, goal = with_goal(target, likelihood)
    means = dense.columns.evaluate(X) @ dense.posterior.mean
    assert_allclose(goal.data.target.reshape(N, -1), means, rtol=1e-10, atol=1e-12)
    assert goal.data.target.ndim == (1 if given.layout.single else 2)
    assert_array_equal(goal.data.inputs, X)
    assert goal.columns is given.columns


def test_they_are_the_mean_of_a_gaussian_process():
    _, dense, goal = with_goal(Y, Gaussian())
    process, bias = dense.prior_variance[[0, -1]]
    prior = process * kernel(X, X) + bias
    noise = np.diag(dense.noise_variance / WEIGHT)
    expected = prior @ np.linalg.solve(prior + noise, Y)
    assert_allclose(goal.data.target, expected, atol=1e-4 * dense.noise_variance**0.5)


@pytest.mark.parametrize(("target", "likelihood"), KINDS.values(), ids=KINDS)
def test_a_row_counts_by_the_precision_of_its_latent_value(target, likelihood):
    """The precision of the dense weights is A + V'WV; with the goal, W is `fidelity` times it."""
    _, dense, goal = with_goal(target, likelihood)
    wide = dense.columns.evaluate(X)
    row_precision = precision_of_rows(goal) / FIDELITY
    precision = np.diag(1.0 / dense.prior_variance) + wide.T @ (row_precision[:, None] * wide)
    size = np.abs(precision).max()
    assert_allclose(np.linalg.inv(dense.posterior.covariance), precision, atol=1e-6 * size)


def test_rows_of_a_softmax_count_by_how_far_they_are_from_even_odds():
    """Twice their divergence from even odds, over the square of their latent values."""
    _, dense, goal = with_goal(*SHARED["shared softmax"])
    of_classes = dense.latents @ Multinomial(3).contrasts.T
    probability = softmax(of_classes, axis=1)
    even = np.sum(probability * np.log(3.0 * probability), axis=1)
    expected = 2.0 * even / np.sum(of_classes**2, axis=1)
    assert_allclose(precision_of_rows(goal), FIDELITY * WEIGHT * expected, rtol=1e-8)


def test_rows_with_gaussian_noise_count_by_their_weight():
    _, dense, goal = with_goal(Y, Gaussian())
    assert_allclose(goal.data.weight, FIDELITY * WEIGHT, rtol=1e-12)
    assert_allclose(goal.noise.settle(7.0), dense.posterior.noise_precision, rtol=1e-12)


def test_rows_of_certain_classes_count_little():
    """Their likelihood hardly varies; and none is curved by more than at even odds, by 1/4."""
    _, dense, goal = with_goal(*KINDS["classification"])
    sure = np.abs(dense.latents[:, 0]) > 0.9 * np.abs(dense.latents).max()
    share = precision_of_rows(goal) / WEIGHT
    assert share[sure].max() < 0.9 * share[np.abs(dense.latents[:, 0]) < 0.3].min()
    assert share.max() <= 0.25 * FIDELITY * (1.0 + 1e-6)


@every
def test_the_noise_of_a_goal_is_given(target, likelihood):
    given, dense, goal = with_goal(target, likelihood)
    noise_std = dense.noise_variance**0.5
    if given.layout.single:
        assert goal.likelihood == Gaussian(noise_std)
    else:
        assert goal.likelihood == Gaussians(2, noise_std)
    assert not goal.noise.estimated
    assert not goal.noise.profiled


@every
def test_the_weights_that_fit_it_are_nearest_to_the_dense_model(target, likelihood):
    _, dense, goal = with_goal(target, likelihood)
    active = np.array([3, 11, 20, 33, N])
    precisions = Precisions(np.array([1.0, 2.0, 0.5, 3.0, 0.1]), goal.noise.settle(np.nan))
    found = find_posterior(goal, active, precisions).mean
    design = goal.columns.keep(active).evaluate(X)
    row_precision = FIDELITY * dense.row_precision
    expected = ridge(design, dense.latents, row_precision, precisions.weight)
    assert_allclose(found, expected, rtol=1e-8)


# Several outputs.

UNITS = np.array([1.0, 1e3, 1e-4])
SIGNALS = np.column_stack([Y, np.cos(X[:, 0] / 2.0), 0.02 * X[:, 0] ** 2])
NOISE = 0.1 * np.random.default_rng(2).normal(size=SIGNALS.shape)
OUTPUTS = UNITS * (SIGNALS + NOISE)


def several():
    """The problem of all outputs, those of each of them, and their dense models."""
    given = problem(OUTPUTS, Gaussians(3))
    each = [problem(target, Gaussian()) for target in OUTPUTS.T]
    return given, each, [fit_dense(one) for one in each]


def test_the_common_goal_has_the_means_of_all_in_units_of_their_noise():
    given, _, denses = several()
    goal = common_goal(given, denses, FIDELITY)
    for k, dense in enumerate(denses):
        noise_std = dense.posterior.noise_precision**-0.5
        assert_allclose(goal.data.target[:, k], dense.latents[:, 0] / noise_std, rtol=1e-12)
    assert goal.likelihood == Gaussians(3, 1.0)
    assert_allclose(goal.data.weight, FIDELITY * WEIGHT, rtol=1e-12)
    assert goal.columns is given.columns


def test_units_of_outputs_do_not_matter_to_the_common_goal():
    given, _, denses = several()
    target = common_goal(given, denses, FIDELITY).data.target
    plain = problem(OUTPUTS / UNITS, Gaussians(3))
    same = [fit_dense(problem(own, Gaussian())) for own in plain.data.target.T]
    assert_allclose(common_goal(plain, same, FIDELITY).data.target, target, rtol=1e-6, atol=1e-8)


def test_a_part_of_the_common_fit_is_nearest_to_the_dense_model_of_its_output():
    """Given its precisions, it is the posterior of the goal of that output alone."""
    given, each, denses = several()
    shared = fits.fit(Fast(), common_goal(given, denses, FIDELITY))
    design = given.columns.evaluate(X, shared.active)
    for k, (own, dense) in enumerate(zip(each, denses, strict=True)):
        goal = goal_problem(own, dense, FIDELITY)
        part = part_of_common(shared, goal, k)
        assert part.problem is goal
        assert_array_equal(part.active, shared.active)
        row_precision = FIDELITY * WEIGHT * dense.posterior.noise_precision
        expected = ridge(design, dense.latents, row_precision, part.precisions.weight)
        assert part.mean.shape == expected.shape
        assert_allclose(design @ part.mean, design @ expected, atol=1e-7 * UNITS[k])
        assert_allclose(part.noise_std, [dense.posterior.noise_precision**-0.5], rtol=1e-12)
        assert_allclose(part.latents, design @ part.mean, rtol=1e-10)


def test_precisions_of_a_part_are_relative_to_the_noise_of_its_output():
    given, each, denses = several()
    shared = fits.fit(Fast(), common_goal(given, denses, FIDELITY))
    for k, (own, dense) in enumerate(zip(each, denses, strict=True)):
        part = part_of_common(shared, goal_problem(own, dense, FIDELITY), k)
        relative = part.precisions.weight / part.precisions.noise
        assert_allclose(relative, shared.precisions.weight, rtol=1e-12)


def test_the_kernel_of_these_tests_is_that_of_the_columns():
    columns = problem(Y, Gaussian()).columns.kinds[0]
    assert_allclose(columns.between(X, X), kernel(X, X), rtol=1e-12)
    assert_allclose(columns.formula.gamma, GAMMA, rtol=1e-12)
