"""Columns that follow a dense softmax, against naive divergences and naive picks."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from projection_parts import BASIS, CLASSES, GAMMA, WEIGHT, N, X, problem
from scipy.special import log_softmax

from sparsebayes import Bias, CauchyKernel, GaussianKernel, Linear
from sparsebayes.dense.labels.classes import fit_dense_classes
from sparsebayes.inference import Outcome
from sparsebayes.likelihoods import Multinomial
from sparsebayes.projection import pursue
from sparsebayes.projection.pursuit import PURSUIT_RULE, PursuitRule
from sparsebayes.rows import ChunkedRows

RBF = GaussianKernel(GAMMA**-0.5)
BASES = {
    "kernel and bias": BASIS,
    "kernel, line and bias": RBF + Linear() + Bias(),
    "two kernels": RBF + Bias() + CauchyKernel(3.0),
    "line": Linear() + Bias(),
    "several widths": GaussianKernel([1.0, 3.0]) + Bias(),
}
bases = pytest.mark.parametrize("name", BASES)
kernels = pytest.mark.parametrize("name", [name for name in BASES if name != "line"])
fidelities = pytest.mark.parametrize("fidelity", [1.0, 4.0, 30.0])
CONTRASTS = Multinomial(3).contrasts


@cache
def given(name="kernel and bias"):
    """A problem of three classes, and its dense model."""
    aim = problem(CLASSES, Multinomial(3), basis=BASES[name])
    return aim, fit_dense_classes(aim)


def divergence(latents, others):
    """sum_n weight_n KL(softmax(f_n) || softmax(g_n))."""
    one, other = (log_softmax(each @ CONTRASTS.T, axis=1) for each in (latents, others))
    return WEIGHT @ np.sum(np.exp(one) * (one - other), axis=1)


def most(dense, fidelity):
    """How far probabilities may be."""
    loss = -dense.left_out.log_density
    told = WEIGHT.sum() * np.log(3.0) - loss
    return np.inf if told <= 3.0 else min(max(told, 0.1 * loss), loss) / fidelity


def latents_of(fit):
    return fit.problem.columns.evaluate(X, fit.active) @ fit.mean


def with_log_density(dense, log_density):
    return replace(dense, left_out=dense.left_out._replace(log_density=log_density))


@fidelities
@bases
def test_it_is_near_enough_where_it_says_so(name, fidelity):
    aim, dense = given(name)
    fit, near = pursue(aim, dense, fidelity)
    apart = divergence(dense.latents, latents_of(fit))
    assert near == (apart <= most(dense, fidelity))
    assert near or name == "line"


def naive_picks(aim, dense, limit):
    """Each column the one that lowers sum_n W_n |f_n - phi_n' w|^2 most, until near enough."""
    root = np.sqrt(dense.row_precision)[:, None]
    design, target, chosen = root * aim.columns.evaluate(X), root * dense.latents, []

    def left(some):
        return target - design[:, some] @ np.linalg.lstsq(design[:, some], target, rcond=None)[0]

    while divergence(dense.latents, dense.latents - left(chosen) / root) > limit:
        errors = [np.sum(left([*chosen, j]) ** 2) for j in range(aim.n_columns)]
        chosen.append(int(np.argmin(errors)))
    return chosen


@fidelities
@kernels
def test_each_column_is_the_one_that_is_missed_most(name, fidelity):
    aim, dense = given(name)
    fit, _ = pursue(aim, dense, fidelity)
    assert_array_equal(fit.active, np.sort(naive_picks(aim, dense, most(dense, fidelity))))


@kernels
def test_active_columns_are_sorted(name):
    fit, _ = pursue(*given(name), 10.0)
    assert np.all(np.diff(fit.active) > 0)
    assert len(fit.active) > 1


@kernels
def test_weights_are_those_whose_probabilities_are_nearest(name):
    """Where probabilities alone do not hold them, latent values do, by 0.1 of their curvature."""
    aim, dense = given(name)
    fit, _ = pursue(aim, dense, 4.0)
    design = aim.columns.evaluate(X, fit.active)

    def loss(weights):
        latents = design @ weights
        apart = np.sum((latents - dense.latents) ** 2, axis=1)
        return divergence(dense.latents, latents) + 0.05 * dense.row_precision @ apart

    best, random = loss(fit.mean), np.random.default_rng(0)
    for _ in range(20):
        step = random.normal(size=fit.mean.shape)
        step *= 0.1 / np.abs(design @ step).max()
        rise = loss(fit.mean + step) - loss(fit.mean - step)
        curve = loss(fit.mean + step) + loss(fit.mean - step) - 2.0 * best
        assert curve > 0.0
        assert abs(rise) < 0.05 * curve


def test_more_fidelity_is_nearer_with_more_columns():
    aim, dense = given()
    found = [pursue(aim, dense, fidelity).fit for fidelity in (1.0, 10.0, 100.0)]
    sizes = [len(fit.active) for fit in found]
    apart = [divergence(dense.latents, latents_of(fit)) for fit in found]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert apart[0] > apart[1] > apart[2]


# How near is near enough.


@pytest.mark.parametrize("worse", [-2.9, 0.0, 10.0])
def test_where_rows_left_out_say_no_more_than_chance_there_is_nothing_to_follow(worse):
    aim, dense = given()
    nothing = with_log_density(dense, -WEIGHT.sum() * np.log(3.0) - worse)
    fit, near = pursue(aim, nothing, 10.0)
    assert len(fit.active) == 0
    assert fit.mean.shape == (0, 2)
    assert near


def test_where_rows_left_out_say_little_a_part_of_their_loss_counts():
    aim, dense = given()
    loss = WEIGHT.sum() * np.log(3.0) - 3.1
    little = with_log_density(dense, -loss)
    assert_allclose(most(little, 10.0), 0.1 * loss / 10.0, rtol=1e-12)
    fit, _ = pursue(aim, little, 10.0)
    assert_array_equal(fit.active, np.sort(naive_picks(aim, dense, most(little, 10.0))))
    less, _ = pursue(aim, little, 10.0, PursuitRule(least_told=0.01))
    assert len(less.active) > len(fit.active)


def test_where_rows_left_out_lose_little_that_is_the_measure():
    aim, dense = given()
    sure = with_log_density(dense, -0.5)
    assert_allclose(most(sure, 2.0), 0.25, rtol=1e-12)
    fit, near = pursue(aim, sure, 2.0)
    assert near
    assert divergence(dense.latents, latents_of(fit)) <= 0.25
    assert_array_equal(fit.active, np.sort(naive_picks(aim, dense, 0.25)))


def test_columns_that_cannot_follow_are_not_near():
    """Those of lines, to a dense model of kernels."""
    _, dense = given()
    lines = problem(CLASSES, Multinomial(3), basis=BASES["line"])
    fit, near = pursue(lines, dense, 100.0)
    assert not near
    assert_array_equal(fit.active, [0, 1])


# The rest.


def test_it_is_a_fit_to_the_goal_that_has_converged():
    aim, dense = given()
    fit, _ = pursue(aim, dense, 10.0)
    size = len(fit.active)
    assert fit.outcome is Outcome.CONVERGED
    assert fit.mean.shape == (size, 2)
    assert fit.root.shape == (size, size)
    assert fit.relevant.all()
    assert len(fit.precisions.weight) == size
    assert_array_equal(fit.problem.data.target, dense.latents)
    assert [step.n_active for step in fit.history] == [0, size]
    assert fit.history[-1].log_evidence == fit.log_evidence


def test_the_order_of_rows_does_not_matter():
    aim, dense = given()
    order = np.random.default_rng(0).permutation(N)
    other = replace(aim, data=aim.data.take(order))
    fit, again = pursue(aim, dense, 10.0).fit, pursue(other, dense_in(dense, order), 10.0).fit
    assert_array_equal(again.active, fit.active)
    assert_allclose(latents_of(again), latents_of(fit), atol=1e-5)


def dense_in(dense, order):
    """The same dense model, with its rows in this order."""
    return replace(dense, latents=dense.latents[order], row_precision=dense.row_precision[order])


def test_chunks_of_rows_change_nothing():
    inputs, codes, weight = np.tile(X, (11, 1)), np.tile(CLASSES, 11), np.tile(WEIGHT, 11)
    whole = problem(codes, Multinomial(3), weight, inputs)
    parts = problem(codes, Multinomial(3), weight, inputs, cache_size=1e-9)
    assert isinstance(parts.rows, ChunkedRows)
    dense = fit_dense_classes(whole)
    one, other = (pursue(each, dense, 10.0).fit for each in (whole, parts))
    assert_array_equal(one.active, other.active)
    assert_allclose(latents_of(one), latents_of(other), atol=1e-5)


def test_it_needs_what_rows_left_out_tell():
    aim, dense = given()
    with pytest.raises(AssertionError, match="softmax"):
        pursue(aim, replace(dense, left_out=None), 10.0)


def test_the_rule_of_these_tests_is_the_default():
    assert PURSUIT_RULE.least_told == 0.1
