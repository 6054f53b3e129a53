import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sparsebayes.columns.input_effects import Effort, input_effects, typical_rows


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


@pytest.mark.parametrize(("n_rows", "n_times"), [(400, 1), (100, 5)])
def test_effects_are_squared_changes_relative_to_those_by_all_inputs(n_rows, n_times):
    mean = np.array([[1.0, -1.0], [2.0, 0.5]])
    rows = INPUTS[:n_rows][np.lexsort(INPUTS[:n_rows].T[::-1])]
    prediction = SUM.evaluate(rows) @ mean
    random, changes, whole = np.random.default_rng(0), np.zeros(3), 0.0
    for _ in range(n_times):
        other = rows[random.permutation(n_rows)]
        whole += np.sum((SUM.evaluate(other) @ mean - prediction) ** 2)
        for k in range(3):
            changed = np.where(np.arange(3) == k, other, rows)
            changes[k] += np.sum((SUM.evaluate(changed) @ mean - prediction) ** 2)
    assert_allclose(input_effects(SUM, mean, INPUTS[:n_rows]), changes / whole, rtol=1e-10)


def test_an_only_input_has_all_of_the_variance():
    column = Given(lambda x: np.sin(x[:, 0]))
    assert_allclose(input_effects(column, np.ones((1, 1)), INPUTS[:30, :1]), [1.0], rtol=1e-12)


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
    assert len(typical_rows(INPUTS, effort.n_rows(3, 2), effort)) == n_rows


def test_rows_as_work_allows():
    assert Effort(work=1e4).n_rows(n_features=10, n_columns=2) == 50
