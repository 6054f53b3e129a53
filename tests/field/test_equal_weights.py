"""One weight for all rows is no weight, to the last digit."""

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
