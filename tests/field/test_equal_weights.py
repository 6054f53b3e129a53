"""One weight for all rows is no weight, to the last digit."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sparsebayes import RVC


@pytest.mark.parametrize("weight", [0.01, 1.1, 3.0, 1.0 / 34.0])
@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
def test_doubled_rows_of_classes_have_no_second_meaning_under_equal_weights(weight):
    """Without weights each pair is one row; with 1/n it was two."""
    random = np.random.default_rng(0)
    X = np.tile(random.normal(size=(17, 1)), (2, 1))
    y = np.tile(random.integers(0, 3, 17), 2)
    model = RVC(gamma=0.5, inference="fast", multi_class="ovr")
    plain = model.fit(X, y).predict_proba(X)
    assert_array_equal(model.fit(X, y, sample_weight=np.full(34, weight)).predict_proba(X), plain)


@pytest.mark.parametrize("n_rows", range(20, 30))
def test_widths_do_not_see_one_weight_for_all(n_rows):
    """A width that is off by rounding can end a search of separable classes elsewhere."""
    random = np.random.default_rng(n_rows)
    X = random.normal(size=(n_rows, 2))
    y = X[:, 0] > 0.0
    for model in RVC(gamma="scale", inference="fast"), RVC(inference="fast"):
        width, expected = model.fit(X, y).gamma_, model.predict_proba(X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it says that the weights were multiplied
            model.fit(X, y, sample_weight=np.full(n_rows, 1.0 / n_rows))
        assert_array_equal(model.gamma_, width)
        assert_array_equal(model.predict_proba(X), expected)


@pytest.mark.parametrize("weight", [3.0, 100.0, 0.01, 1.0 / 29.0])
@pytest.mark.parametrize("likelihood", ["ordinal", "categorical"])
def test_classes_with_weights_of_their_own_do_not_see_one_weight_for_all(weight, likelihood):
    """It was multiplied by the weights of the classes, and its last digits decided on a search."""
    random = np.random.default_rng(1)
    X = np.repeat(random.normal(size=(9, 2)), 4, axis=0)[:29]
    y = random.integers(0, 3, 29)
    given = np.where(np.arange(29) < 26, weight, 0.0)
    model = RVC(gamma=0.5, inference="fast", class_weight="balanced", likelihood=likelihood)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        expected = model.fit(X, y, sample_weight=given > 0).predict_proba(X)
        assert not any("multiplied" in str(each.message) for each in said)
        found = model.fit(X, y, sample_weight=given).predict_proba(X)
    assert_array_equal(found, expected)
    told = [str(each.message) for each in said if "multiplied by" in str(each.message)]
    assert len(told) == (weight < 1.0)
