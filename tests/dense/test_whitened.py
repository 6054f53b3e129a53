import numpy as np
import pytest
from dense_parts import X
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis import Bias, GaussianKernel, Linear, PolynomialKernel, SigmoidKernel
from sparsebayes.dense.whitened import NUGGET, whitened

NEW = X[:7] + 0.3
COVARIANCES = [GaussianKernel(2.0), GaussianKernel(2.0, centres=6), PolynomialKernel(2, 0.3)]


def only_kind(basis):
    return basis.bind(X, np.ones(len(X))).kinds[0]


@pytest.mark.parametrize("basis", COVARIANCES, ids=str)
def test_products_of_whitened_columns_are_the_covariance_of_a_gaussian_process(basis):
    """V V' = K_xc (K_cc + nugget)^-1 K_cx, the nugget relative to the mean variance."""
    kind = only_kind(basis)
    columns = whitened(kind)
    inner, cross = kind.evaluate(kind.items), kind.evaluate(NEW)
    inner += NUGGET * np.trace(inner) / len(inner) * np.eye(len(inner))
    design = columns.evaluate(NEW)
    assert design.shape == (7, columns.n_columns) == (7, kind.n_columns)
    assert_allclose(design @ design.T, cross @ np.linalg.solve(inner, cross.T), rtol=1e-6)


def test_where_every_row_is_a_centre_it_is_the_kernel_itself():
    kind = only_kind(GaussianKernel(0.5))
    design = whitened(kind).evaluate(kind.items)
    assert_allclose(design @ design.T, kind.evaluate(kind.items), atol=1e-6)


@pytest.mark.parametrize(
    "basis", [SigmoidKernel(0.1), Linear(), Bias(), GaussianKernel([1.0, 2.0])], ids=str
)
def test_columns_that_are_no_covariance_stay_as_they_are(basis):
    kind = only_kind(basis)
    assert whitened(kind).whitener is None
    assert_array_equal(whitened(kind).evaluate(NEW), kind.evaluate(NEW))


def test_a_covariance_of_zeros_stays_as_it_is():
    kind = PolynomialKernel(1, 1.0, coef0=0.0).bind(np.zeros((4, 1)), np.ones(4)).kinds[0]
    assert whitened(kind).whitener is None


@pytest.mark.parametrize("basis", [COVARIANCES[0], SigmoidKernel(0.1)], ids=str)
def test_some_of_the_columns(basis):
    columns, some = whitened(only_kind(basis)), np.array([4, 0, 9])
    assert_allclose(columns.evaluate(NEW, some), columns.evaluate(NEW)[:, some], rtol=1e-12)
