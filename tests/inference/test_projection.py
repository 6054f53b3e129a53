import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_array_equal

from sparsebayes.inference import Fast, Projection
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians, Multinomial, Softmax


@pytest.mark.parametrize("min_gain", [0.0, 2.0])
def test_its_search_is_that_of_fast(min_gain):
    problem = problems.gaussian(*problems.regression(0, 60, 20))
    found = fits.fit(Projection(min_gain=min_gain), problem)
    expected = fits.fit(Fast(min_gain=min_gain), problem)
    assert found.history == expected.history
    assert_array_equal(found.mean, expected.mean)


@pytest.mark.parametrize("fidelity", [1, 3.0, np.float64(10.0), 1e12])
def test_fidelity_may_be_any_positive_number(fidelity):
    Projection(fidelity=fidelity).check()


@pytest.mark.parametrize("fidelity", [0, -1.0, np.nan, np.inf, 1e13, "high", None, True])
def test_fidelity_must_be_a_positive_number(fidelity):
    with pytest.raises(ValueError, match=r"fidelity must be a positive number up to 1e\+12, got"):
        Projection(fidelity=fidelity).check()


def test_its_price_is_checked_as_well():
    with pytest.raises(ValueError, match="min_gain must be a number of 0 or more"):
        Projection(min_gain=-1.0).check()


@pytest.mark.parametrize("likelihood", [Gaussians(3), Softmax(3), Multinomial(3)])
def test_it_needs_a_dense_model(likelihood):
    assert "dense model" in Projection().objection(likelihood)
    assert Projection().objection(Gaussian()) is None
    assert Projection().objection(Bernoulli()) is None
