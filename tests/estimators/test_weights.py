"""Weights of rows and classes, and known noise of rows."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.metrics import roc_auc_score

from sparsebayes import RVC

RANDOM = np.random.default_rng(0)


# Weights of classes.


def rare(seed, n_rows, n_rare):
    """Two overlapping classes, one of them rare; two of five inputs tell them apart."""
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(n_rows, 5))
    inputs[:n_rare, :2] += 1.7
    return inputs, np.repeat([1, 0], [n_rare, n_rows - n_rare])


@pytest.mark.parametrize("more", [{}, {"multi_class": "ovr"}, {"inference": "fast"}])
def test_weights_of_classes_leave_learned_scales_alone(more):
    inputs, y = rare(0, 200, 15)
    y[inputs[:, 2] > 1.0] = 2 if "multi_class" in more else 0
    plain, balanced = (RVC(class_weight=each, **more).fit(inputs, y) for each in (None, "balanced"))
    assert_array_equal(balanced.gamma_, plain.gamma_)
    assert balanced.predict_proba(inputs)[:, 1].mean() > plain.predict_proba(inputs)[:, 1].mean()


def test_a_class_of_no_weight_has_no_part_in_scales():
    inputs, y = rare(0, 200, 60)
    y[150:] = 2
    some = RVC(class_weight={2: 0.0}).fit(inputs, y)
    assert_array_equal(some.gamma_, RVC().fit(inputs[:150], y[:150]).gamma_)


@pytest.mark.slow
def test_weights_of_classes_hardly_change_the_order_of_rows():
    """20 rows that count as 300 would otherwise be learned by heart: 0.898 instead of 0.952."""
    new, expected = rare(1000, 20_000, 10_000)
    plain, balanced = (
        roc_auc_score(
            expected, RVC(class_weight=each).fit(*rare(0, 600, 20)).decision_function(new)
        )
        for each in (None, "balanced")
    )
    assert balanced > plain - 0.01
