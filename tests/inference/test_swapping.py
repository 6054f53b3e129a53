"""Kept columns in exchange for ones that are like them."""

import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_array_equal

from sparsebayes import Fast, Linear, SparseBayesRegressor
from sparsebayes.evidence import log_evidence
from sparsebayes.inference.addition import first_products
from sparsebayes.inference.deletion import worth
from sparsebayes.inference.prices import prices_of
from sparsebayes.inference.swapping import SwapRule, best_swap, cosines, exchangeable
from sparsebayes.likelihoods import Gaussian, Gaussians
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions

N, M = 80, 60


def neighbours(seed, active=(20, 40), n_outputs=0, width=3.0):
    """Bumps along an axis, each like those beside it, and targets of some of them."""
    random = np.random.default_rng(seed)
    place = np.linspace(0.0, M - 1.0, N)
    design = np.exp(-(((place[:, None] - np.arange(M)) / width) ** 2))
    shape = (len(active), n_outputs) if n_outputs else len(active)
    target = design[:, list(active)] @ random.choice([-1.0, 1.0], shape)
    return design, target + 0.02 * random.normal(size=target.shape)


def standing(design, target, active, likelihood=None):
    """The posterior of these columns after a few steps, what is known of them, and prices."""
    problem = problems.problem(design, target, likelihood or Gaussian())
    noise = 1.0 if target.ndim == 2 else 400.0
    start = find_posterior(problem, np.array(active), Precisions(np.ones(len(active)), noise))
    return start, first_products(start), prices_of("auto", problem)


@pytest.mark.parametrize("seed", range(3))
def test_a_column_beside_the_right_one_is_exchanged_for_it(seed):
    start, products, prices = standing(*neighbours(seed), [21, 40])
    found = best_swap(start, products, prices, 0.1)
    assert_array_equal(found.posterior.active, [20, 40])
    assert worth(found.posterior, prices) > worth(start, prices) + 0.1


def test_two_beside_the_right_one_are_exchanged_for_it():
    start, products, prices = standing(*neighbours(0), [19, 21, 40])
    found = best_swap(start, products, prices, 0.1)
    assert_array_equal(found.posterior.active, [20, 40])


def test_one_between_two_is_exchanged_for_them():
    design, target = neighbours(0, (20, 24))
    design, target = design, design[:, [20, 24]].sum(axis=1) + 0.01 * np.sin(np.arange(N) ** 2)
    start, products, prices = standing(design, target, [22])
    found = best_swap(start, products, prices, 0.1)
    assert len(found.posterior.active) == 2
    assert worth(found.posterior, prices) > worth(start, prices)


def test_what_is_known_afterwards_is_what_the_columns_say():
    start, products, prices = standing(*neighbours(1), [21, 40])
    found = best_swap(start, products, prices, 0.1)
    anew = fits.anew(found.posterior)
    np.testing.assert_allclose(log_evidence(anew), log_evidence(found.posterior), rtol=1e-9)
    inner = found.products.inner[:, found.products.positions(found.posterior.active)]
    design = start.problem.data.inputs
    np.testing.assert_allclose(inner, design.T @ design[:, found.posterior.active], atol=1e-12)


def test_nothing_is_exchanged_where_nothing_is_better():
    start, products, prices = standing(*neighbours(0), [20, 40])
    found = best_swap(start, products, prices, 1e6)
    assert found is None


def test_columns_that_no_other_is_like_are_not_tried():
    design, target = problems.regression(0, 200, 60)
    start, products, _ = standing(design, target, [0, 1, 2])
    assert exchangeable(start, products, 0.5) == []
    assert len(exchangeable(start, products, 0.0)) == 6


def test_cosines_are_those_of_the_columns():
    design, target = neighbours(0)
    start, products, _ = standing(design, target, [20, 40])
    length = np.linalg.norm(design, axis=0)
    expected = np.abs(design.T @ design[:, [20, 40]]) / np.outer(length, length[[20, 40]])
    np.testing.assert_allclose(cosines(products, start.active), expected, rtol=1e-10)


def test_it_is_not_tried_where_it_would_take_long():
    start, products, prices = standing(*neighbours(0), [21, 40])
    assert best_swap(start, products, prices, 0.1, SwapRule(work=1.0)) is None


def test_of_several_outputs_the_noise_moves_along():
    design, target = neighbours(2, (20, 40), n_outputs=3)
    start, products, prices = standing(design, target, [21, 40], Gaussians(3))
    found = best_swap(start, products, prices, 0.1)
    assert_array_equal(found.posterior.active, [20, 40])


@pytest.mark.parametrize("seed", range(5))
def test_neighbours_on_a_grid_are_told_apart(seed):
    active = (15, 20, 45)
    design, target = neighbours(seed, active, width=2.0)
    model = SparseBayesRegressor(Linear()).fit(design, target)
    assert_array_equal(np.flatnonzero(model.selected_), active)


def test_the_evidence_less_price_never_falls_by_swaps():
    design, target = neighbours(3, (15, 19, 23, 45), width=4.0)
    problem = problems.problem(design, target, Gaussian())
    prices, inference = prices_of("auto", problem), Fast()
    state = inference.init(problem)
    values, swaps = [], 0
    while not state.settled:
        before, state = state, inference.step(problem, state, 1e-3)
        if state.memory.swaps > swaps:
            swaps = state.memory.swaps
            values.append(worth(state.posterior, prices) - worth(before.posterior, prices))
    assert all(value > 0.0 for value in values)
