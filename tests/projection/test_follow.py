import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sparsebayes.projection.pursuit import FOLLOW_RULE, FollowRule, _nearest_columns

RANDOM = np.random.default_rng(0)


def by_least_squares(design, target, enough):
    """The same by a least squares fit of each column in turn."""
    chosen = []
    while np.sum(left_of(design, target, chosen) ** 2) > enough:
        others = [k for k in range(design.shape[1]) if k not in chosen]
        errors = [np.sum(left_of(design, target, [*chosen, k]) ** 2) for k in others]
        chosen.append(others[int(np.argmin(errors))])
    return chosen


def left_of(design, target, chosen):
    weights = np.linalg.lstsq(design[:, chosen], target, rcond=None)[0]
    return target - design[:, chosen] @ weights


@pytest.mark.parametrize("n_targets", [1, 3])
def test_each_column_is_the_one_that_lowers_the_error_most(n_targets):
    design = RANDOM.normal(size=(30, 20))
    target = design[:, :6] @ RANDOM.normal(size=(6, n_targets))
    enough = 1e-3 * float(np.sum(target**2))
    found = _nearest_columns(design, target, enough, FOLLOW_RULE)
    assert_array_equal(found, by_least_squares(design, target, enough))


def wide_kernels():
    """Columns that are equal in their first digits, and a target that their last ones make."""
    x = np.linspace(-1.0, 1.0, 60)
    design = np.exp(-0.5 * (x[:, None] - x) ** 2)
    return design, np.sin(3.0 * x)[:, None]


def test_columns_of_a_wide_kernel_are_told_apart():
    design, target = wide_kernels()
    energy = float(np.sum(target**2))
    found = _nearest_columns(design, target, 1e-8 * energy, FOLLOW_RULE)
    assert np.sum(left_of(design, target, list(found)) ** 2) <= 2e-8 * energy
    assert len(found) < 15


def test_columns_whose_weights_would_be_rounding_are_left():
    design, target = wide_kernels()
    careful = FollowRule(least_outside=1e-6)
    found = _nearest_columns(design, target, 0.0, careful)
    assert len(found) < len(_nearest_columns(design, target, 0.0, FOLLOW_RULE)) < 60


def test_no_column_is_taken_twice():
    design = np.repeat(RANDOM.normal(size=(20, 5)), 2, axis=1)
    found = _nearest_columns(design, RANDOM.normal(size=(20, 1)), 0.0, FOLLOW_RULE)
    assert len(np.unique(found // 2)) == len(found) == 5


def test_a_target_of_nothing_needs_no_column():
    assert len(_nearest_columns(np.eye(4), np.zeros((4, 1)), 0.0, FOLLOW_RULE)) == 0
