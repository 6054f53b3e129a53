"""Which repeats of rows are observations, and what weights count as."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sparsebayes.rows import Data, effective_factor, merged
from sparsebayes.rows.weighing import by_chance, observed_repeats


def counted(inputs, target):
    """Different rows, and how often each occurs."""
    inputs = np.asarray(inputs, dtype=float)
    return merged(Data(inputs, np.asarray(target, dtype=float), np.ones(len(inputs))))


def table(kind, n_rows=300, seed=0):
    """Inputs of one kind."""
    random = np.random.default_rng(seed)
    return {
        "measured": lambda: random.normal(size=(n_rows, 3)),
        "one input": lambda: random.normal(size=(n_rows, 1)),
        "a dummy beside": lambda: np.column_stack(
            [random.normal(size=n_rows), random.integers(0, 2, n_rows)]
        ),
        "levels": lambda: random.integers(0, 4, (n_rows, 3)),
        "one-hot": lambda: np.eye(6)[random.integers(0, 6, n_rows)],
        "ages": lambda: np.column_stack(
            [random.integers(20, 70, n_rows), random.integers(0, 2, n_rows)]
        ),
    }[kind]()


MEASURED, LEVELS = ["measured", "one input", "a dummy beside"], ["levels", "one-hot", "ages"]


@pytest.mark.parametrize("density", [True, False])
@pytest.mark.parametrize("kind", MEASURED)
def test_a_sample_of_measured_rows_with_replacement_has_copies(kind, density):
    inputs = table(kind)
    target = inputs[:, 0] > 0.0
    rows = np.random.default_rng(1).integers(0, 300, 300)
    assert not observed_repeats(counted(inputs[rows], target[rows]), True, density)


@pytest.mark.parametrize("kind", LEVELS)
def test_a_table_of_few_levels_has_observations(kind):
    """Of classes also where each cell has one of them."""
    inputs = table(kind)
    assert observed_repeats(counted(inputs, inputs[:, 0] > inputs[:, 0].mean()), True, False)
    noisy = np.random.default_rng(1).integers(0, 2, 300)
    assert observed_repeats(counted(inputs, noisy), True, False)
    assert observed_repeats(counted(inputs, noisy), True, True)


@pytest.mark.parametrize("kind", MEASURED)
def test_measured_inputs_with_several_classes_have_observations(kind):
    inputs = np.repeat(table(kind, 60), 5, axis=0)
    target = np.random.default_rng(1).integers(0, 2, 300)
    assert observed_repeats(counted(inputs, target), True, False)


def test_pairs_by_chance_are_expected_as_counted():
    """64 cells of 300 rows: as many equal pairs as the product over inputs says."""
    inputs, observed = np.unique(table("levels"), axis=0, return_counts=True)
    assert by_chance(inputs, observed, part=0.7)
    assert not by_chance(inputs, observed, part=1.3)


def test_weights_count_as_many_rows_of_equal_weight():
    weight = np.array([1.0, 1.0, 2.0, 4.0])
    assert_allclose(effective_factor(weight) * weight.sum(), 64.0 / 22.0)
