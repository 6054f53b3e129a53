"""The rows of a dense model, and some of them that stand for all."""

import numpy as np
import pytest
from dense_parts import CLASS, Y2, N, X, Y, row_weight
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array, issparse

from sparsebayes.dense.rows import DenseRows
from sparsebayes.likelihoods import Gaussian, Gaussians, Multinomial, Softmax
from sparsebayes.rows import Data
from sparsebayes.rows.merging import own_order, row_order, sortable

COARSE = np.round(X)
INPUTS = {"distinct": X, "with ties": COARSE, "constant": np.zeros((N, 2))}
TARGETS = {"one": Y[None], "several": Y2.T, "class": CLASS[None]}
OF_INPUTS = pytest.mark.parametrize("inputs", INPUTS.values(), ids=INPUTS)
OF_TARGETS = pytest.mark.parametrize("targets", TARGETS.values(), ids=TARGETS)
OF_SOME = pytest.mark.parametrize("most", [1, 2, 6, N - 1])


def rows_of(inputs=X, targets=TARGETS["several"], weight=None):
    weight = row_weight(True) if weight is None else weight
    return DenseRows(inputs, targets, weight, Gaussian(), np.arange(len(weight)))


def in_order(rows, order):
    """Rows of data in another order, or some of them."""
    inputs, targets, weight = rows.inputs[order], rows.targets[:, order], rows.weight[order]
    return DenseRows(inputs, targets, weight, rows.likelihood, np.arange(len(weight)))


def assert_same(found, expected):
    sparse = issparse(expected.inputs)
    pair = [rows.inputs.toarray() if sparse else rows.inputs for rows in (found, expected)]
    assert_array_equal(*pair)
    assert_array_equal(found.targets, expected.targets)
    assert_array_equal(found.weight, expected.weight)
    assert found.likelihood == expected.likelihood


def naive_equals(rows):
    """Each row that differs in inputs or targets, in their order, with its whole weight."""
    weights = {}
    for x, t, weight in zip(rows.inputs, rows.targets.T, rows.weight, strict=True):
        key = (*x, *t)
        weights[key] = weights.get(key, 0.0) + weight
    n_inputs, n_targets = rows.inputs.shape[1], len(rows.targets)
    values, weight = np.array(list(weights)), np.array(list(weights.values()))
    order = own_order(values, n_targets)
    values, weight = values[order], weight[order]
    return DenseRows(values[:, :n_inputs], values[:, n_inputs:].T, weight, rows.likelihood, None)


# All of them.


def test_rows_of_one_target():
    rows = DenseRows.of(Data(X, Y, row_weight(True)), Gaussian())
    assert_same(rows, rows_of(targets=Y[None]))
    assert rows.n_rows == N


def test_several_outputs_are_each_for_itself():
    assert_same(DenseRows.of(Data(X, Y2, row_weight(True)), Gaussians(2)), rows_of())
    assert_same(DenseRows.of(Data(X, Y2, row_weight(True)), Gaussian()), rows_of())


@pytest.mark.parametrize("likelihood", [Softmax(3), Multinomial(3)])
def test_several_classes_are_one_target(likelihood):
    labels = np.digitize(Y, [-0.3, 0.4]).astype(float)
    rows = DenseRows.of(Data(X, labels, np.ones(N)), likelihood)
    assert_array_equal(rows.targets, labels[None])
    assert rows.likelihood == Multinomial(3)


# Some of them.


@pytest.mark.parametrize("most", [N, N + 1, 1000])
@OF_INPUTS
def test_few_rows_stay_as_they_are(inputs, most):
    rows = rows_of(inputs)
    assert rows.some(most) is rows


@OF_SOME
def test_of_many_rows_some_serve_spread_evenly_in_the_order_of_their_inputs(most):
    rows = rows_of()
    chosen = own_order(X)[np.linspace(0, N - 1, most).round().astype(int)]
    found = rows.some(most)
    assert found.n_rows == most
    assert_same(found, in_order(rows, chosen))


@OF_SOME
@OF_INPUTS
@OF_TARGETS
def test_some_rows_are_spread_evenly_over_those_that_differ(inputs, targets, most):
    rows = rows_of(inputs, targets)
    differ = naive_equals(rows)
    most_of_them = min(most, differ.n_rows)
    chosen = np.linspace(0, differ.n_rows - 1, most_of_them).round().astype(int)
    assert_same(rows.some(most), in_order(differ, chosen))


@OF_SOME
@OF_INPUTS
@OF_TARGETS
def test_a_weight_of_two_equals_the_row_twice(inputs, targets, most):
    weight = row_weight(True)
    heavy = rows_of(inputs, targets, 2.0 * weight)
    often = rows_of(np.vstack([inputs] * 2), np.hstack([targets] * 2), np.tile(weight, 2))
    assert_same(often.some(most), heavy.some(most))


@pytest.mark.parametrize("most", [N, 2 * N - 1])
def test_rows_that_are_few_once_equals_are_one_all_serve(most):
    twice = rows_of(np.vstack([X, X]), np.hstack([Y2.T] * 2), np.tile(row_weight(True), 2))
    heavy = rows_of(weight=2.0 * row_weight(True))
    assert_same(twice.some(most), in_order(heavy, own_order(X)))


@OF_INPUTS
@OF_TARGETS
def test_rows_of_which_none_is_left_out_keep_their_weight(inputs, targets):
    rows = rows_of(np.vstack([inputs] * 3), np.hstack([targets] * 3), np.tile(row_weight(True), 3))
    assert rows.some(N).weight.sum() == rows.weight.sum()


@OF_SOME
@OF_INPUTS
@OF_TARGETS
def test_the_order_of_rows_does_not_matter(inputs, targets, most):
    rows = rows_of(inputs, targets)
    order = np.random.default_rng(4).permutation(N)
    assert_same(in_order(rows, order).some(most), rows.some(most))


def test_rows_with_equal_inputs_and_other_targets_stay_apart():
    inputs, targets = np.zeros((4, 2)), np.array([[1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 5.0, 0.0]])
    found = rows_of(inputs, targets, np.array([1.0, 2.0, 4.0, 8.0])).some(3)
    assert_array_equal(found.targets, [[0.0, 1.0, 1.0], [0.0, 0.0, 5.0]])
    assert_array_equal(found.weight, [2.0, 9.0, 4.0])


def test_rows_with_equal_targets_and_other_inputs_stay_apart():
    inputs = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 1.0], [3.0, 1.0]])
    found = rows_of(inputs, np.ones((1, 4)), np.array([1.0, 2.0, 4.0, 8.0])).some(3)
    assert_array_equal(found.inputs, [[0.0, 1.0], [0.0, 2.0], [3.0, 1.0]])
    assert_array_equal(found.weight, [5.0, 2.0, 8.0])


def test_the_rows_themselves_do_not_change():
    weight = row_weight(True)
    rows_of(COARSE.copy(), weight=weight).some(3)
    assert_array_equal(weight, row_weight(True))


# Which of them each row of the data is.


def assert_in_place(rows, inputs, targets):
    """Each row of the data is where it is said to be."""
    held = rows.inputs.toarray() if issparse(rows.inputs) else rows.inputs
    assert_array_equal(held[rows.place], inputs)
    assert_array_equal(rows.targets[:, rows.place], targets)


def test_rows_as_they_are_know_their_place():
    rows = DenseRows.of(Data(X, Y2, row_weight(True)), Gaussians(2))
    assert_array_equal(rows.place, np.arange(N))
    assert_array_equal(rows.some(N).place, np.arange(N))


@OF_INPUTS
@OF_TARGETS
def test_equal_rows_have_one_place(inputs, targets):
    order = np.random.default_rng(0).permutation(3 * N)
    inputs, targets = np.vstack([inputs] * 3)[order], np.hstack([targets] * 3)[:, order]
    rows = rows_of(inputs, targets, np.tile(row_weight(True), 3))
    found = rows.distinct()
    assert found.n_rows <= N
    assert_in_place(found, inputs, targets)
    assert_array_equal(np.bincount(found.place, rows.weight), found.weight)
    assert_in_place(found.distinct(), inputs, targets)
    assert_in_place(rows.some(2 * N), inputs, targets)


def test_equal_sparse_rows_have_one_place():
    inputs = np.vstack([X, X])
    found = rows_of(csr_array(inputs), np.hstack([Y2.T] * 2), np.tile(row_weight(True), 2))
    assert_in_place(found.distinct(), inputs, np.hstack([Y2.T] * 2))


def test_where_rows_are_left_out_there_is_no_place():
    rows = rows_of().thinned(N - 1)
    assert rows.place is None
    assert rows.distinct().place is None
    assert rows_of().some(N - 1).place is None
    assert rows_of().thinned(N).place is not None


# Their order.


def test_the_first_input_counts_first_and_targets_last():
    inputs = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 1.0], [0.0, 1.0]])
    keys = sortable(inputs, np.array([[0.0, 0.0, 5.0, 4.0]]))
    assert_array_equal(row_order(keys), [3, 2, 1, 0])


def test_later_columns_count_where_the_first_few_do_not_tell_rows_apart():
    keys = np.array([[0.0, 0.0, 2.0], [0.0, 0.0, 1.0], [0.0, -1.0, 3.0]])
    for few in (1, 2, 3):
        assert_array_equal(row_order(keys, few), [2, 1, 0])


# Sparse inputs.


@OF_SOME
@OF_INPUTS
@OF_TARGETS
def test_some_sparse_rows_are_those_of_dense_ones(inputs, targets, most):
    dense, sparse = (rows_of(each, targets).some(most) for each in (inputs, csr_array(inputs)))
    assert issparse(sparse.inputs)
    assert_array_equal(sparse.inputs.toarray(), dense.inputs)
    assert_array_equal(sparse.targets, dense.targets)
    assert_array_equal(sparse.weight, dense.weight)


def test_a_large_sparse_matrix_is_not_made_dense():
    inputs = csr_array((np.arange(1.0, 9.0), (np.arange(8), np.arange(8) * 10**6)), (8, 10**7))
    rows = DenseRows(inputs, np.zeros((1, 8)), np.ones(8), Gaussian(), None)
    order = np.random.default_rng(0).permutation(8)
    one, other = rows.some(4), in_order(rows, order).some(4)
    assert_array_equal(one.inputs.indices, other.inputs.indices)
    assert sortable(inputs, rows.targets).shape == (8, 2)


def test_few_sparse_rows_stay_as_they_are():
    rows = rows_of(csr_array(X))
    assert rows.some(N) is rows
