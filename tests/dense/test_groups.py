import numpy as np
from dense_parts import BASES, N, X
from numpy.testing import assert_array_equal

from sparsebayes.basis import GaussianKernel, Linear, SigmoidKernel
from sparsebayes.dense.whitened import groups, not_covariance


def kinds_of(basis):
    return basis.bind(X, np.ones(N)).kinds


def test_groups_are_the_kernels_and_each_plain_column():
    expected = [0] * N + [1, 2] + [3] * N + [4] * N + [5]
    assert_array_equal(groups(kinds_of(BASES["sum"])), expected)


def test_kernels_that_are_no_covariance_are_known():
    kinds = kinds_of(SigmoidKernel(0.1) + Linear() + GaussianKernel(1.0))
    assert_array_equal(not_covariance(kinds), [True, False, False, False])
    assert len(not_covariance(kinds)) == groups(kinds).max() + 1
