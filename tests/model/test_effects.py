"""The kernel of effects against its definition, pair of rows by pair of rows."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis.effects_kernel import knots_of
from sparsebayes.model.effects import N_KNOTS, Effects, blocks_of, effects, effects_itself

RANDOM = np.random.default_rng(0)
N = 23
X = np.column_stack(
    [
        RANDOM.normal(size=N),
        RANDOM.integers(0, 2, N).astype(float),
        50.0 * RANDOM.uniform(size=N),
        RANDOM.integers(0, 4, N) - 999.0,
    ]
)
NEW = X[:7] + RANDOM.normal(size=(7, 4)) * [1.0, 0.3, 20.0, 2.0]
GAMMA = np.array([0.4, 0.9, 2e-3, 0.05])
SIZE = np.array([1.0, 0.3, 0.6, 0.1])
ORDERS = np.array([0.2, 0.7, 0.4])


def knots(inputs, weight=None):
    """Knots and shares of each input."""
    weight = np.ones(len(inputs)) if weight is None else weight
    found = [knots_of(values, weight) for values in inputs.T]
    return [np.array(each) for each in zip(*found, strict=True)]


KNOTS, SHARES = knots(X)


def bell(a, b, gamma):
    return np.exp(-gamma * (a - b) ** 2)


def naive_effect(a, b, gamma, size, points, shares):
    """One effect of one input, straight from its definition."""
    whole = list(zip(points, shares, strict=True))

    def mean(x):
        return sum(share * bell(x, z, gamma) for z, share in whole)

    v = sum(share * mean(z) for z, share in whole)
    norm = sum(share * (1.0 - mean(z) ** 2 / v) for z, share in whole)
    return size / norm * (bell(a, b, gamma) - mean(a) * mean(b) / v)


def naive(x, c, gamma=GAMMA, size=SIZE, orders=ORDERS, points=KNOTS, shares=SHARES):
    """The kernel of two rows."""
    used = [k for k in range(len(x)) if size[k] > 0.0]
    each = [naive_effect(x[k], c[k], gamma[k], size[k], points[k], shares[k]) for k in used]
    pairs = sum(one * other for one, other in combinations(each, 2))
    product = np.prod([bell(x[k], c[k], gamma[k]) for k in used])
    return orders[0] + sum(each) + orders[1] * pairs + orders[2] * product


def matrix(inputs, centres, gamma=GAMMA, size=SIZE, orders=ORDERS, points=KNOTS, shares=SHARES):
    return effects(inputs, centres, gamma, size, orders, points, shares)


@pytest.mark.parametrize("orders", [ORDERS, np.zeros(3), *np.eye(3)], ids=str)
def test_the_kernel_is_its_definition(orders):
    expected = [[naive(x, c, orders=orders) for c in X] for x in NEW]
    assert_allclose(matrix(NEW, X, orders=orders), expected, rtol=1e-10, atol=1e-12)


def test_a_symmetric_matrix_is_that_of_equal_inputs():
    assert_allclose(matrix(X, X), matrix(X, X.copy()), rtol=1e-12, atol=1e-14)
    assert_array_equal(matrix(X, X), matrix(X, X).T)


def test_its_variance_is_its_diagonal():
    for rows in (X, NEW):
        found = effects_itself(rows, GAMMA, SIZE, ORDERS, KNOTS, SHARES)
        assert_allclose(found, np.diag(matrix(rows, rows)), rtol=1e-12)


def test_an_effect_has_mean_zero_over_the_training_rows():
    each = Effects.of(GAMMA, SIZE, KNOTS, SHARES)
    centres = each.values(NEW)
    at_knots = np.exp(-each.apart(each.knots, centres))
    found = each.centred(at_knots, each.means(each.knots), each.means(centres))
    assert_allclose(np.einsum("kq,kqm->km", each.shares, found), 0.0, atol=1e-14)


def test_where_an_input_has_few_values_the_mean_is_that_over_the_rows_themselves():
    one = (GAMMA[3:], SIZE[3:], np.zeros(3), KNOTS[3:], SHARES[3:])
    found = effects(X[:, 3:], NEW[:, 3:], *one)
    assert_allclose(found.mean(axis=0), 0.0, atol=1e-14)


def test_the_size_of_an_effect_is_its_mean_variance():
    for k, values in enumerate(KNOTS):
        some = slice(k, k + 1)
        own = GAMMA[some], SIZE[some], np.zeros(3), KNOTS[some], SHARES[some]
        assert_allclose(SHARES[k] @ effects_itself(values[:, None], *own), SIZE[k], rtol=1e-12)


@pytest.mark.parametrize("orders", [ORDERS, *np.eye(3)], ids=str)
@pytest.mark.parametrize("factor", [1e-3, 1.0, 100.0])
def test_it_is_positive_semidefinite(orders, factor):
    both = np.vstack([X, NEW])
    found = np.linalg.eigvalsh(matrix(both, both, factor * GAMMA, orders=orders))
    assert found.min() > -1e-9 * found.max()


def test_where_gamma_is_small_an_effect_is_linear():
    """size (x - m) (c - m) / variance, with mean and variance over the knots."""
    gamma, size = 1e-7 * GAMMA, np.array([1.0, 0.0, 0.0, 0.0])
    middle = SHARES[0] @ KNOTS[0]
    variance = SHARES[0] @ (KNOTS[0] - middle) ** 2
    expected = np.outer(NEW[:, 0] - middle, X[:, 0] - middle) / variance
    assert_allclose(matrix(NEW, X, gamma, size, np.zeros(3)), expected, atol=1e-5)


def test_an_input_of_size_zero_does_not_matter():
    size = np.array([1.0, 0.0, 0.6, 0.0])
    some = [0, 2]
    less = matrix(
        NEW[:, some], X[:, some], GAMMA[some], size[some], ORDERS, KNOTS[some], SHARES[some]
    )
    assert_allclose(matrix(NEW, X, size=size), less, rtol=1e-13)
    moved = NEW + np.array([0.0, 1e6, 0.0, -5.0])
    assert_array_equal(matrix(moved, X, size=size), matrix(NEW, X, size=size))


def test_without_an_input_that_varies_it_is_a_constant():
    none = np.zeros(4)
    assert_allclose(matrix(NEW, X, size=none), ORDERS[0] + ORDERS[2])
    assert_allclose(effects_itself(NEW, GAMMA, none, ORDERS, KNOTS, SHARES), ORDERS[0] + ORDERS[2])


def test_an_offset_and_a_unit_of_an_input_do_not_matter():
    unit, offset = np.array([1e-3, 1.0, 1e4, 7.0]), np.array([1e3, 0.0, -1e6, 5.0])
    moved = [each * unit + offset for each in (NEW, X)]
    found = matrix(*moved, GAMMA / unit**2, points=KNOTS * unit[:, None] + offset[:, None])
    assert_allclose(found, matrix(NEW, X), rtol=1e-6, atol=1e-8)


# Knots.


def test_all_values_are_knots_where_they_are_few():
    points, shares = knots_of(np.array([3.0, 1.0, 3.0, 7.0]), np.array([1.0, 2.0, 1.0, 4.0]))
    assert points.shape == shares.shape == (N_KNOTS,)
    assert_array_equal(points[:3], [1.0, 3.0, 7.0])
    assert_allclose(shares[:3], [0.25, 0.25, 0.5])
    assert_array_equal(shares[3:], 0.0)
    assert set(points[3:]) == {1.0}


def test_knots_of_two_levels_and_of_a_constant():
    points, shares = knots_of(np.array([0.0, 1.0, 1.0, 1.0]), np.ones(4))
    assert_allclose(shares[:2], [0.25, 0.75])
    points, shares = knots_of(np.full(4, 5.0), np.ones(4))
    assert_array_equal(points, 5.0)
    assert_array_equal(shares, np.eye(N_KNOTS)[0])


def test_of_many_values_knots_are_the_middles_of_parts_of_equal_weight():
    values = np.random.default_rng(3).permutation(np.arange(160.0))
    points, shares = knots_of(values, np.ones(160))
    assert_allclose(points, 10.0 * np.arange(16) + 4.0)
    assert_allclose(shares, 1.0 / 16.0)
    assert_array_equal(knots_of(values, np.full(160, 0.1))[0], points)


def test_a_row_of_weight_two_is_the_row_twice():
    weight = 1.0 + np.arange(N) % 3
    twice = np.repeat(X, weight.astype(int), axis=0)
    for found, expected in zip(knots(X, weight), knots(twice), strict=True):
        assert_allclose(found, expected, rtol=1e-13)


# Blocks.


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("n_effects", [0, 3, 5000])
def test_blocks_cover_a_matrix_once(symmetric, n_effects):
    seen = np.zeros((N, N), dtype=int)
    for rows, columns in blocks_of(N, N, symmetric, n_effects):
        seen[rows, columns] += 1
    if symmetric:
        assert np.all(seen[np.triu_indices(N)] >= 1)
    else:
        assert_array_equal(seen, 1)


def test_there_may_be_no_rows_and_no_columns():
    assert matrix(X[:0], X).shape == (0, N)
    assert matrix(X, X[:0]).shape == (N, 0)


def test_many_rows_are_those_of_several_blocks():
    many = np.tile(X, (20, 1)) + 0.1 * RANDOM.normal(size=(20 * N, 4))
    found = matrix(many, many)
    for rows in (slice(0, 5), slice(200, 210), slice(450, 460)):
        assert_allclose(found[rows], matrix(many[rows], many), rtol=1e-12, atol=1e-13)
