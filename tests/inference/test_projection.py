import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import (
    Bias,
    CallableKernel,
    CauchyKernel,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    LinearKernel,
    LinearSplineKernel,
    PrecomputedKernel,
)
from sparsebayes.inference import EM, Fast, Mackay, Projection, Variational
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians, Multinomial, Softmax

INPUTS = np.random.default_rng(0).normal(size=(12, 2))


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


@pytest.mark.parametrize(
    "likelihood",
    [Gaussian(), Gaussian(0.1), Bernoulli(), Gaussians(3), Softmax(3), Multinomial(3)],
    ids=str,
)
def test_it_objects_to_no_likelihood(likelihood):
    assert Projection().objection(likelihood) is None


# Which columns serve.


def chosen(basis, centred=True, inputs=INPUTS):
    return Projection().chosen_columns(basis.bind(inputs, np.ones(len(inputs))), centred)


def names(columns):
    return columns.names(["x0", "x1"])


KERNELS = {"rbf": GaussianKernel(), "cauchy": CauchyKernel(), "laplacian": LaplacianKernel()}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_there_is_no_bias_next_to_kernels_that_fall_off_to_zero(kernel):
    assert names(chosen(kernel + Bias())) == names(chosen(kernel))


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_the_bias_stays_where_targets_are_not_centred(kernel):
    assert names(chosen(kernel + Bias(), centred=False))[-1] == "bias"


OTHERS = {
    "several widths": (GaussianKernel([1.0, 3.0]) + Bias(), False),
    "two kernels": (GaussianKernel() + CauchyKernel() + Bias(), False),
    "a linear kernel": (LinearKernel() + Bias(), True),
    "a spline": (LinearSplineKernel() + Bias(), True),
    "plain columns": (GaussianKernel() + Linear() + Bias(), True),
    "nothing else": (Bias(), True),
    "a function": (CallableKernel(lambda a, b: a @ b.T) + Bias(), True),
}


@pytest.mark.parametrize(("basis", "stays"), OTHERS.values(), ids=OTHERS)
def test_the_bias_goes_only_if_all_others_fall_off_to_zero(basis, stays):
    assert ("bias" in names(chosen(basis))) == stays


@pytest.mark.parametrize("inference", [Fast(), Mackay(), EM(), Variational()], ids=str)
def test_other_inferences_take_all_columns_as_they_are(inference):
    columns = (GaussianKernel() + Bias()).bind(INPUTS, np.ones(12))
    assert inference.chosen_columns(columns, True) is columns


FUNCTIONS = {
    "a product": (lambda a, b: a @ b.T, True),
    "not symmetric": (lambda a, b: a[:, :1] + 0.0 * b[:, 0], False),
    "with a negative eigenvalue": (lambda a, b: -(a @ b.T), False),
    "zero": (lambda a, b: np.zeros((len(a), len(b))), False),
}


@pytest.mark.parametrize(("function", "is_covariance"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_kernel_of_the_user_is_tested_for_being_a_covariance(function, is_covariance):
    basis = CallableKernel(function) + Bias()
    kernel, bias = chosen(basis).kinds
    assert kernel.positive_definite == is_covariance
    assert not bias.positive_definite
    assert not basis.bind(INPUTS, np.ones(12)).kinds[0].positive_definite


@pytest.mark.parametrize(("unit", "is_covariance"), [(1.0, True), (-1.0, False)])
def test_a_precomputed_kernel_is_tested_for_being_a_covariance(unit, is_covariance):
    values = unit * GaussianKernel().bind(INPUTS, np.ones(12)).between(INPUTS, INPUTS)
    found = chosen(PrecomputedKernel(), inputs=values)
    assert found.positive_definite == is_covariance


def test_a_precomputed_kernel_has_the_variance_of_its_training_rows():
    values = 3.0 * GaussianKernel().bind(INPUTS, np.ones(12)).between(INPUTS, INPUTS)
    found = chosen(PrecomputedKernel(), inputs=values)
    assert_allclose(found.for_new_inputs().variance(0.1 * values[:4]), np.full(4, 3.0))
