import numpy as np
import pytest
from dense_parts import BASES, N, X, Y, differences, problem
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis import GaussianKernel
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussian
from sparsebayes.scales.objective import ScaleObjective
from sparsebayes.scales.prior import Beliefs, ScalePrior


def prior_of(name, many_inputs=False, **beliefs):
    return ScalePrior(BASES[name].bind(X, np.ones(N)).kinds, Beliefs(**beliefs), many_inputs)


@pytest.mark.parametrize("name", ["sum", "gaussian", "several widths", "width"])
def test_its_gradient(name):
    prior = prior_of(name)
    point = prior.middle + np.random.default_rng(0).normal(size=len(prior.middle))
    assert_allclose(prior.gradient(point), differences(prior.log_density, point), rtol=1e-7)


def test_it_has_its_maximum_in_the_middle_and_knows_one_scale_from_several():
    prior = prior_of("sum")
    assert prior.log_density(prior.middle) == 0.0
    assert_array_equal(prior.gradient(prior.middle), np.zeros(3))
    # The first kernel's only scale is the common part, with a standard deviation of 4.
    assert_allclose(prior.log_density(prior.middle + np.array([4.0, 0.0, 0.0])), -0.5)
    assert_allclose(prior.log_density(prior.middle + np.array([0.0, 4.0, 4.0])), -0.5)
    apart = prior.middle + np.array([0.0, 0.7, -0.7])
    assert_allclose(prior.log_density(apart), -2.0 * np.log(2.0))


def test_other_beliefs():
    prior = prior_of("sum", common_std=2.0, own_width=0.35, lowest=-1.0, highest=2.0, step=0.5)
    assert_allclose(prior.log_density(prior.middle + np.array([2.0, 0.0, 0.0])), -0.5)
    apart = prior.middle + np.array([0.0, 0.35, -0.35])
    assert_allclose(prior.log_density(apart), -2.0 * np.log(2.0))
    assert_allclose(prior.limits - prior.middle[:, None], np.tile([-1.0, 2.0], (3, 1)))
    assert_allclose(prior.rounded(prior.middle + 0.7) - prior.middle, 0.5)


def test_scales_are_rounded_from_the_middle():
    prior = prior_of("gaussian")
    rounded = prior.rounded(prior.middle + np.array([0.024, -0.26]))
    assert_allclose(rounded - prior.middle, [0.0, -0.25], atol=1e-12)
    assert_allclose(prior.rounded(rounded), rounded, rtol=1e-14)


def test_kernels_wider_than_a_sparse_fit_can_use_are_narrowed_together():
    prior = prior_of("sum")
    wide = prior.middle + np.array([-5.0, -7.0, -4.5])
    assert_allclose(prior.widest(wide) - prior.middle, [-3.0, -5.5, -3.0])
    narrow = prior.middle + np.array([0.0, -7.0, -2.9])
    assert_allclose(prior.widest(narrow), narrow)


def test_kernels_may_be_wider_where_inputs_outnumber_rows():
    prior = prior_of("sum", many_inputs=True)
    wide = prior.middle + np.array([-5.0, -9.0, -8.5])
    assert_allclose(prior.widest(wide) - prior.middle, [-5.0, -7.5, -7.0])
    assert_array_equal(prior.widest(prior.widest(wide)), prior.widest(wide))


def test_how_wide_kernels_may_be_is_a_belief():
    beliefs = {"widest": -1.0, "widest_of_many": -2.0}
    for many, least in ((False, -1.0), (True, -2.0)):
        prior = prior_of("gaussian", many, **beliefs)
        assert_allclose(prior.widest(prior.middle - 6.0) - prior.middle, least)


def test_the_number_of_inputs_changes_nothing_but_the_widest_kernel():
    few, many = prior_of("sum"), prior_of("sum", many_inputs=True)
    point = few.middle + np.array([-5.0, -9.0, 1.0])
    assert many.log_density(point) == few.log_density(point)
    assert_array_equal(many.gradient(point), few.gradient(point))
    assert_array_equal(many.limits, few.limits)


@pytest.mark.parametrize(("n_inputs", "least"), [(N - 1, -3.0), (N, -3.0), (N + 1, -7.0)])
def test_inputs_outnumber_rows_from_one_more_on(n_inputs, least):
    inputs = np.random.default_rng(0).normal(size=(N, n_inputs))
    given = problem(GaussianKernel("learn"), Y, Gaussian(), inputs=inputs)
    model = DenseModel(given.columns, DenseRows.of(given.data, given.likelihood))
    prior = ScaleObjective(model, Report()).prior
    assert_allclose(prior.widest(prior.middle - 10.0) - prior.middle, least)
