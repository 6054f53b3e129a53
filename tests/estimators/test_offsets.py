"""An offset of y is nothing to regressors with an intercept, whatever the inference."""

import numpy as np
import pytest
from estimator_data import INFERENCES
from numpy.testing import assert_allclose
from sklearn.metrics import r2_score

from sparsebayes import RVR

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(50, 3))
TRUTH = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1]
Y = TRUTH + 0.1 * RANDOM.normal(size=50)
SD = Y.std()
OFFSETS = [1e-3, 1.0, 1e4, -1e8]  # in standard deviations of y
EVERY = pytest.mark.parametrize("inference", INFERENCES)


def tolerance(offset):
    """In standard deviations: y + offset itself is rounded to eps * offset, 2e-8 of sd at 1e8.

    A fit hands that on about as it is. All of it is below 1e-6.
    """
    return max(1e-10, 16 * np.finfo(float).eps * abs(offset))


def gap(model, y, offset, **weights):
    """How far an offset moves mean and deviation, in standard deviations of y."""
    before = model.fit(X, y, **weights).predict(X, return_std=True)
    mean, std = model.fit(X, y + offset * SD, **weights).predict(X, return_std=True)
    return max(
        np.abs(mean - offset * SD - before[0]).max() / SD, np.abs(std - before[1]).max() / SD
    )


@EVERY
@pytest.mark.parametrize("gamma", ["scale", "ard"])
@pytest.mark.parametrize("offset", OFFSETS)
def test_an_offset_of_the_target_moves_the_prediction_by_itself(inference, gamma, offset):
    model = RVR("rbf", gamma=gamma, inference=inference, max_iter=100)
    # How a mean depends on scales that are known roughly is found from differences.
    least = 1e-9 if gamma == "ard" and inference == "projection" else 0.0
    assert gap(model, Y, offset) < max(least, tolerance(offset)) < 1e-6


@pytest.mark.parametrize("offset", OFFSETS)
def test_an_offset_moves_a_sum_of_effects_by_itself(offset):
    """But for the rounding of differences, as above."""
    found = gap(RVR("effects"), Y, offset)
    assert found < max(1e-9, tolerance(offset)) < 1e-6


@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
@EVERY
@pytest.mark.parametrize("offset", [1.0, 1e8])
def test_an_offset_of_weighted_targets(inference, offset):
    weight = RANDOM.uniform(0.5, 2.0, 50)
    model = RVR(gamma="scale", inference=inference, max_iter=100)
    assert gap(model, Y, offset, sample_weight=weight) < tolerance(offset)


@pytest.mark.parametrize(
    ("multi_output", "inference"),
    [
        *(("separate", name) for name in INFERENCES),
        *(("shared", name) for name in INFERENCES if name not in ("em", "variational")),
    ],
)
def test_each_of_several_outputs_may_have_an_offset_of_its_own(multi_output, inference):
    targets = np.column_stack([Y, -2 * Y + X[:, 2]])
    offset = np.array([1e4, -1e8])
    model = RVR(gamma="scale", multi_output=multi_output, inference=inference, max_iter=100)
    assert gap(model, targets, offset) < tolerance(1e8)


@pytest.mark.parametrize("gamma", ["scale", "ard"])
def test_the_projection_is_not_lost_at_a_large_offset(gamma):
    model = RVR(gamma=gamma, inference="projection").fit(X, Y + 1e8)
    assert r2_score(TRUTH, model.predict(X) - 1e8) > 0.98
    assert_allclose(model.noise_std_, 0.1, rtol=0.4)


@pytest.mark.parametrize("offset", [0.0, 1e6, -1e6, 1e10])
def test_the_bias_of_the_paper_holds_an_offset_too(offset):
    """It explains the offset as a weight, so that the model need not be quite the same."""
    model = RVR(gamma="scale", fit_intercept="column", inference="fast").fit(X, Y + offset)
    assert r2_score(TRUTH, model.predict(X) - offset) > 0.98
    assert_allclose(model.noise_std_, 0.1, rtol=0.5)
