import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes._linear_algebra import (
    LAST_JITTER,
    conjugate_gradients,
    factorise,
    pivoted_factor,
)


def positive_definite(seed, size):
    root = np.random.default_rng(seed).normal(size=(size + 5, size))
    return root.T @ root


def both_ways(matrix, scale):
    return matrix * scale[:, None] * scale


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_agrees_with_numpy(size):
    matrix = positive_definite(0, size)
    factor = factorise(matrix)
    inverse = np.linalg.inv(matrix)
    assert factor.jitter == 0.0
    assert_allclose(factor.inverse, inverse, rtol=1e-9, atol=1e-12)
    assert_allclose(factor.inverse_diagonal, np.diag(inverse), rtol=1e-9)
    assert_allclose(factor.log_determinant, np.linalg.slogdet(matrix)[1], rtol=1e-11)
    assert_allclose(factor.whitener.T @ factor.whitener, inverse, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("shape", [(7,), (7, 3)])
def test_solves_for_one_or_several(shape):
    matrix = positive_definite(1, 7)
    right = np.random.default_rng(2).normal(size=shape)
    solution = factorise(matrix).solve(right)
    assert solution.shape == shape
    assert_allclose(matrix @ solution, right, atol=1e-12)


def test_does_not_change_its_argument():
    matrix = positive_definite(3, 4)
    before = matrix.copy()
    factorise(matrix)
    assert_allclose(matrix, before, rtol=0.0)


@pytest.mark.parametrize("size", [1e-8, 1e8])
def test_units_of_a_column_do_not_matter(size):
    matrix = positive_definite(4, 6)
    scale = np.array([1.0, size, 1.0, size**2, 1.0 / size, 1.0])
    plain, scaled = factorise(matrix), factorise(both_ways(matrix, scale))
    assert scaled.jitter == 0.0
    assert_allclose(both_ways(scaled.inverse, scale), plain.inverse, rtol=1e-11)
    assert_allclose(scaled.inverse_diagonal * scale**2, plain.inverse_diagonal, rtol=1e-12)
    shift = 2.0 * np.log(scale).sum()
    assert_allclose(scaled.log_determinant - shift, plain.log_determinant, rtol=1e-10)


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_columns_collinear_to_rounding_need_jitter(size):
    root = np.random.default_rng(5).normal(size=(9, 3))
    root = np.column_stack([root, root @ [1.0, -2.0, 0.5], size * root[:, 0]])
    matrix = root.T @ root
    matrix[3, 3] *= 1.0 - 1e-14
    factor = factorise(matrix)
    assert 0.0 < factor.jitter <= 1e-12
    jittered = matrix + factor.jitter * np.diag(np.diag(matrix))
    scale = 1.0 / np.sqrt(np.diag(matrix))
    rebuilt = both_ways(factor.lower @ factor.lower.T, 1.0 / scale)
    assert_allclose(both_ways(rebuilt, scale), both_ways(jittered, scale), atol=1e-14)
    assert np.isfinite(factor.inverse).all()
    assert np.isfinite(factor.log_determinant)


def test_jitter_is_no_larger_than_needed():
    """Least eigenvalue of the unit-diagonal matrix: -1e-7."""
    matrix = np.array([[1.0, 1.0 + 1e-7], [1.0 + 1e-7, 1.0]])
    assert 1e-7 < factorise(matrix).jitter <= 1.1e-6


def test_an_empty_matrix_is_its_own_factor():
    factor = factorise(np.empty((0, 0)))
    assert factor.jitter == 0.0
    assert factor.log_determinant == 0.0
    assert factor.inverse.shape == (0, 0)
    assert factor.inverse_diagonal.shape == (0,)
    assert factor.solve(np.empty(0)).shape == (0,)


def test_an_indefinite_matrix_has_the_factor_of_one_without_its_negative_directions():
    factor = factorise(np.array([[4.0, 8.0], [8.0, 4.0]]))
    assert factor.jitter == LAST_JITTER
    kept = 0.5 * np.array([[1.0, 1.0], [1.0, 1.0]]) * 12.0
    raised = 0.5 * np.array([[1.0, -1.0], [-1.0, 1.0]]) * 4.0 * LAST_JITTER
    assert_allclose(np.linalg.inv(factor.inverse), kept + raised)


@pytest.mark.parametrize(
    "matrix",
    [
        pytest.param([[1.0, np.inf], [np.inf, 1.0]], id="inf off diagonal"),
        pytest.param([[np.nan, np.nan], [np.nan, np.nan]], id="nan"),
        pytest.param([[1.0, np.nan], [np.nan, 1.0]], id="nan off diagonal"),
        pytest.param([[np.inf, 0.0], [0.0, 1.0]], id="inf"),
        pytest.param([[-1.0, 0.0], [0.0, 1.0]], id="negative"),
        pytest.param([[0.0, 0.0], [0.0, 1.0]], id="zero"),
    ],
)
def test_entries_of_no_positive_definite_matrix_are_refused(matrix):
    with pytest.raises(FloatingPointError, match="not those of a positive definite matrix"):
        factorise(np.array(matrix))


# Conjugate gradients.


def gradients(matrix, precondition, right, max_steps, tolerance=0.0):
    calls = []

    def product(vector):
        calls.append(vector)
        return matrix @ vector

    found = conjugate_gradients(product, precondition, right, max_steps, tolerance)
    return found, len(calls)


@pytest.mark.parametrize("shape", [(7,), (7, 2)])
def test_conjugate_gradients_solve_in_as_many_steps_as_unknowns(shape):
    matrix, right = positive_definite(6, 7), np.random.default_rng(7).normal(size=shape)
    found, n_products = gradients(matrix, lambda x: x, right, right.size)
    assert n_products <= right.size
    assert_allclose(matrix @ found, right, atol=1e-8)


def test_with_the_inverse_to_precondition_one_step_is_enough():
    matrix, right = positive_definite(8, 7), np.ones((7, 2))
    found, n_products = gradients(matrix, factorise(matrix).solve, right, 20, 1e-8)
    assert n_products == 1
    assert_allclose(matrix @ found, right, atol=1e-10)


def test_a_right_side_of_zero_needs_no_step():
    found, n_products = gradients(np.eye(3), lambda x: x, np.zeros(3), 20)
    assert n_products == 0
    assert not found.any()


# Pivots.


def naive_pivots(matrix, least):
    """Row by row: the one with the largest entry left, until that is small."""
    left, rows = matrix.copy(), []
    while not rows or left.diagonal().max() > least:
        row = int(np.argmax(left.diagonal()))
        if left[row, row] <= 0.0:
            break
        rows.append(row)
        left -= np.outer(left[:, row], left[row]) / left[row, row]
        left[row] = left[:, row] = 0.0
    return np.array(rows, dtype=int), left.diagonal()


@pytest.mark.parametrize("size", [1, 2, 7, 40, 63, 64, 65, 200])
@pytest.mark.parametrize("share", [0.0, 1e-2, 0.5])
def test_pivots_are_the_naive_ones(size, share):
    matrix = positive_definite(9, size)
    least = share * matrix.diagonal().max()
    rows, left = naive_pivots(matrix, least)
    found = pivoted_factor(matrix.copy(), least)
    assert_array_equal(found.rows, rows)
    assert left.max() <= max(least, 1e-9)
    chosen = matrix[np.ix_(rows, rows)]
    assert_allclose(found.lower @ found.lower.T, chosen, rtol=1e-9, atol=1e-9)
    assert not np.triu(found.lower, 1).any()


@pytest.mark.parametrize("size", [10, 100])
@pytest.mark.parametrize("least", [1e-1, 1e-3, 1e-6])
def test_pivots_leave_at_most_the_least_of_any_entry(size, least):
    points = np.linspace(-1.0, 1.0, size)
    matrix = np.exp(-((points[:, None] - points) ** 2))
    rows, lower = pivoted_factor(matrix.copy(), least)
    known = np.linalg.solve(lower, matrix[rows])
    left = 1.0 - np.sum(known**2, axis=0)
    assert left.max() <= least * (1.0 + 1e-6)
    assert len(rows) < size


def test_pivots_of_a_singular_matrix_end_at_its_rank():
    root = np.random.default_rng(3).normal(size=(30, 4))
    rows, lower = pivoted_factor(root @ root.T, 1e-10)
    assert len(rows) == 4
    assert_allclose(lower @ lower.T, root[rows] @ root[rows].T, rtol=1e-10)


def test_the_first_pivot_is_taken_whatever_the_least():
    found = pivoted_factor(np.diag([1.0, 3.0, 2.0]), 10.0)
    assert_array_equal(found.rows, [1])
    assert_allclose(found.lower, [[np.sqrt(3.0)]])


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan])
def test_a_matrix_with_nothing_positive_has_no_pivots(value):
    rows, lower = pivoted_factor(np.diag(np.full(3, value)), 1e-10)
    assert rows.shape == (0,)
    assert lower.shape == (0, 0)
