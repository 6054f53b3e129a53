"""Rows in an order of their own, equal ones as one."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from sparsebayes.rows import Data, merged
from sparsebayes.rows.merging import own_order

RANDOM = np.random.default_rng(0)
INPUTS = {
    "plain": RANDOM.normal(size=(20, 3)),
    "few values": np.unique(RANDOM.integers(0, 3, size=(20, 4)).astype(float), axis=0),
    "one input": RANDOM.normal(size=(20, 1)),
}
OVER = pytest.mark.parametrize("inputs", INPUTS.values(), ids=list(INPUTS))


@OVER
def test_the_order_is_one_of_all_rows(inputs):
    assert_array_equal(np.sort(own_order(inputs)), np.arange(len(inputs)))


@OVER
def test_the_order_depends_neither_on_that_of_rows_nor_on_that_of_inputs(inputs):
    first = inputs[own_order(inputs)]
    rows, columns = (RANDOM.permutation(size) for size in inputs.shape)
    mixed = inputs[np.ix_(rows, columns)]
    back = np.argsort(columns)
    assert_array_equal(mixed[own_order(mixed)][:, back], first)


@OVER
def test_the_order_does_not_depend_on_units(inputs):
    units = np.exp(RANDOM.normal(0.0, 5.0, inputs.shape[1]))
    assert_array_equal(own_order(inputs * units + 3.0), own_order(inputs))


def test_last_columns_count_last():
    rows = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 1.0]])
    assert_array_equal(own_order(rows, 1), [2, 1, 0])


def data():
    inputs = INPUTS["few values"]
    return Data(inputs, np.arange(len(inputs)) % 2.0, RANDOM.integers(1, 4, len(inputs)) * 1.0)


def assert_equal(one, other):
    for here, there in zip(one, other, strict=True):
        assert_array_equal(here, there)


def test_repeated_rows_become_one_with_the_sum_of_their_weights():
    given = data()
    times = given.weight.astype(int)
    mixed = RANDOM.permutation(np.repeat(np.arange(len(times)), times))
    often = given._replace(weight=np.ones_like(given.weight)).take(mixed)
    assert_equal(merged(often), merged(given))
    assert len(merged(often).target) == len(times)


def test_rows_of_other_targets_stay_apart():
    given = data()
    twice = Data(
        np.vstack([given.inputs] * 2),
        np.arange(2.0 * len(given.target)),
        np.ones(2 * len(given.target)),
    )
    assert len(merged(twice).target) == 2 * len(given.target)


def test_sparse_rows_are_merged_as_dense_ones():
    given = data()
    sparse = merged(given._replace(inputs=csr_array(given.inputs)))
    assert_equal(sparse._replace(inputs=sparse.inputs.toarray()), merged(given))


def test_many_rows_stay_as_they_are():
    given = data()
    assert merged(given, most=len(given.target) - 1) is given
