import numpy as np
from dense_parts import BASES, N, X
from numpy.testing import assert_array_equal

from sparsebayes.basis import GaussianKernel, Linear, SigmoidKernel
from sparsebayes.dense.parts import groups, kernel_groups


def kinds_of(basis):
    return basis.bind(X, np.ones(N)).kinds


def test_groups_are_the_kernels_and_each_plain_column():
    expected = [0] * N + [1, 2] + [3] * N + [4] * N + [5]
    assert_array_equal(groups(kinds_of(BASES["sum"])), expected)


def test_groups_of_kernels_are_known():
    kinds = kinds_of(SigmoidKernel(0.1) + Linear() + GaussianKernel(1.0))
    assert_array_equal(kernel_groups(kinds), [True, False, False, True])
    assert len(kernel_groups(kinds)) == groups(kinds).max() + 1


def test_a_kernel_without_columns_has_no_group():
    none = kinds_of(GaussianKernel(1.0))[0].keep(np.empty(0, dtype=np.intp))
    assert_array_equal(kernel_groups((none, *kinds_of(Linear()))), [False, False])
    assert kernel_groups((none,)).dtype == bool
