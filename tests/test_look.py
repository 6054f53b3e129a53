import numpy as np
import pytest
from block_parts import blocks_of
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix, issparse

from sparsebayes.rows import LookPass
from sparsebayes.rows.blocks import BLOCK_ROWS

N = 2 * BLOCK_ROWS + 100
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N, 3))
WEIGHT = RANDOM.choice([0.0, 1.0, 2.5], N)


def look_at(inputs, target, weight=None, numeric=True, part=0.1):
    return blocks_of(inputs, target, weight, numeric=numeric).fold(LookPass(numeric, part))[0]


def test_sizes_and_sums_are_those_of_all_rows():
    y = RANDOM.normal(size=(N, 2))
    look = look_at(X, y, WEIGHT)
    used = WEIGHT > 0.0
    assert look.n_rows == used.sum()
    assert_allclose(look.weight, WEIGHT.sum())
    assert look.heaviest == 2.5
    assert_array_equal(look.largest_input, np.abs(X).max(axis=0))
    assert_allclose(look.target_sum, WEIGHT @ y)
    assert_array_equal(look.lowest, y[used].min(axis=0))
    assert_array_equal(look.highest, y[used].max(axis=0))


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
def test_the_sample_holds_rows_of_positive_weight(kind):
    data, numbers = look_at(kind(X), X[:, 0], WEIGHT).sample
    assert not issparse(data.inputs)  # so few numbers are computed with as an array
    inputs = data.inputs
    assert_array_equal(inputs, X[numbers])
    assert_array_equal(data.target, X[numbers, 0])
    assert_array_equal(data.weight, WEIGHT[numbers])
    assert data.weight.min() > 0.0
    assert len(numbers) == int(0.1 * N)


def test_labels_are_counted():
    labels = RANDOM.choice(["a", "b", "c"], N)
    weight = np.where(labels == "c", 0.0, 1.0)
    look = look_at(X, labels, weight, numeric=False)
    assert_array_equal(look.labels, ["a", "b", "c"])
    counts = [np.sum(labels == each) for each in "abc"]
    assert_array_equal(look.label_rows, [counts, [*counts[:2], 0]])


def test_a_look_at_few_rows_takes_all():
    _, numbers = look_at(X[:50], X[:50, 0], part=1.0).sample
    assert_array_equal(numbers, np.arange(50))
