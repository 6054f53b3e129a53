import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sparsebayes.predictors.input_effects import Effort, input_effects, typical_rows


class Given:
    """Columns that are functions of the inputs."""

    def __init__(self, *functions):
        self.functions = functions
        self.n_columns = len(functions)

    def evaluate(self, inputs):
        return np.column_stack([function(inputs) for function in self.functions])


INPUTS = np.random.default_rng(0).normal(size=(400, 3))
SUM = Given(lambda x: x[:, 0], lambda x: x[:, 1])
PRODUCT = Given(lambda x: x[:, 0] * x[:, 1])


def test_effects_of_a_sum_are_shares_of_its_variance():
    many = np.random.default_rng(0).normal(size=(4000, 3))
    effects = input_effects(SUM, np.array([[1.0], [2.0]]), many, Effort(most_rows=4000))
    assert_allclose(effects, [0.2, 0.8, 0.0], atol=0.03)
    assert effects[2] == 0.0


def test_both_inputs_of_a_product_have_a_part_in_all_of_the_variance():
    assert_allclose(input_effects(PRODUCT, np.ones((1, 1)), INPUTS), [1.0, 1.0, 0.0], atol=0.15)


def test_effects_are_half_mean_squared_changes():
    mean = np.array([[1.0, -1.0], [2.0, 0.5]])
    rows = INPUTS[np.lexsort(INPUTS.T[::-1])]
    other = rows[np.random.default_rng(0).permutation(400)]
    prediction = SUM.evaluate(rows) @ mean
    naive = []
    for k in range(3):
        changed = np.where(np.arange(3) == k, other, rows)
        naive.append(0.5 * np.mean((SUM.evaluate(changed) @ mean - prediction) ** 2, axis=0).sum())
    expected = np.array(naive) / prediction.var(axis=0).sum()
    assert_allclose(input_effects(SUM, mean, INPUTS), expected, rtol=1e-10)


def test_neither_units_nor_the_order_of_rows_matter():
    mean = np.array([[1.0], [2.0]])
    effects = input_effects(SUM, mean, INPUTS)
    order = np.random.default_rng(1).permutation(400)
    assert_allclose(input_effects(SUM, 1e6 * mean, INPUTS[order]), effects, rtol=1e-9)


def test_a_constant_prediction_has_no_effects():
    assert_array_equal(input_effects(SUM, np.zeros((2, 1)), INPUTS), np.zeros(3))


def test_sparse_inputs():
    mean = np.array([[1.0], [2.0]])
    ours = input_effects(SUM, mean, csr_array(INPUTS))
    assert_array_equal(ours, input_effects(SUM, mean, INPUTS))


def test_too_many_inputs_are_not_tried():
    assert input_effects(SUM, np.ones((2, 1)), INPUTS, Effort(most_inputs=2)) is None


@pytest.mark.parametrize(
    ("effort", "n_rows"),
    [
        (Effort(), 400),
        (Effort(most_rows=50), 50),
        (Effort(work=1.0), 20),
        (Effort(most_sorted=30), 30),
    ],
)
def test_effort_bounds_the_rows(effort, n_rows):
    assert len(typical_rows(INPUTS, 2, effort)) == n_rows


def test_rows_as_work_allows():
    assert Effort(work=1e4).n_rows(n_features=10, n_columns=2) == 50
