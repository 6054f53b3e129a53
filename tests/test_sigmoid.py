import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, ndtr

from sparsebayes.likelihoods._sigmoid import PROBIT, TailFit, sigmoid_remainder


def test_the_remainder_is_that_of_the_two_functions():
    latent = np.concatenate([np.linspace(-60.0, 60.0, 24_001), [-1e300, -1e3, 1e3, 1e300, 0.0]])
    expected = expit(latent) - ndtr(PROBIT * latent)
    assert_allclose(sigmoid_remainder(latent), expected, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("latent", [-0.1, -1.0, -2.5, -5.0, -9.0, -11.0, -20.0, -100.0, -700.0])
def test_the_remainder_has_its_digits_where_the_sigmoid_is_small(latent):
    with mpmath.workdps(40):
        sigmoid = 1 / (1 + mpmath.exp(-mpmath.mpf(latent)))
        exact = sigmoid - mpmath.ncdf(mpmath.sqrt(mpmath.pi / 8) * latent)
        error = abs(sigmoid_remainder(np.array([latent]))[0] - exact) / sigmoid
    assert error < 1e-13


def test_the_remainder_is_odd():
    latent = np.linspace(0.0, 30.0, 301)
    assert_allclose(sigmoid_remainder(-latent), -sigmoid_remainder(latent), rtol=0.0, atol=0.0)


def test_a_lower_degree_is_less_exact():
    latent = np.linspace(-10.0, 0.0, 101)
    low = sigmoid_remainder(latent, TailFit(degree=5))
    assert 1e-9 < np.abs(low - sigmoid_remainder(latent)).max() < 1e-4
