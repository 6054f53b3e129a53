"""Functions that NumPy lacks, against those of SciPy."""

import numpy as np
import pytest
from scipy import special as scipy_special

from sparsebayes.model import special

WIDE = np.concatenate([np.linspace(-40.0, 40.0, 4001), [-1e3, -0.0, 0.0, 1e3, 1e-300]])


def test_erfcx_has_fifteen_digits():
    z = np.concatenate([np.linspace(0.0, 10.0, 5001), np.geomspace(10.0, 1e150, 500)])
    np.testing.assert_allclose(special.erfcx(z), scipy_special.erfcx(z), rtol=2e-15)


def test_the_distribution_function_has_its_digits_in_the_tail():
    x = WIDE[np.abs(WIDE) < 37.0]
    np.testing.assert_allclose(special.ndtr.__wrapped__(x), scipy_special.ndtr(x), rtol=2e-13)


def test_its_inverse():
    levels = np.concatenate([np.geomspace(1e-12, 0.5, 50), 1.0 - np.geomspace(1e-9, 0.5, 50)])
    found = special.ndtri.__wrapped__(levels)
    np.testing.assert_allclose(found, scipy_special.ndtri(levels), 1e-9, 1e-14)


@pytest.mark.parametrize("name", ["expit", "log_expit"])
def test_functions_of_two_classes(name):
    ours = getattr(special, name)
    found, expected = getattr(ours, "__wrapped__", ours)(WIDE), getattr(scipy_special, name)(WIDE)
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=0.0)


@pytest.mark.parametrize("name", ["ndtr", "ndtri", "expit"])
def test_where_scipy_is_loaded_its_functions_are_called(name):
    levels = np.linspace(0.01, 0.99, 9)
    expected = getattr(scipy_special, name)(levels)
    np.testing.assert_array_equal(getattr(special, name)(levels), expected)


def test_functions_of_several_classes():
    values = np.random.default_rng(0).normal(0.0, 300.0, size=(50, 4, 3))
    found = special.log_softmax(values, axis=1)
    np.testing.assert_allclose(found, scipy_special.log_softmax(values, axis=1), 1e-12, 1e-12)
    total = scipy_special.logsumexp(values, axis=2, keepdims=True)
    np.testing.assert_allclose(special.log_sum(values, 2), total, rtol=1e-14)
