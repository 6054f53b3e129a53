"""The prior covariance of the rows against sums over columns, derivatives by differences."""

import numpy as np
import pytest
from dense_parts import BASES, N, X, differences
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sparsebayes.basis import Bias, GaussianKernel, Linear, LinearKernel, SigmoidKernel
from sparsebayes.dense.parts import ColumnsPart, ProcessPart, own_groups, part_of, prior_covariance

RANDOM = np.random.default_rng(1)
ANY = RANDOM.normal(size=(N, N))
BY_COVARIANCE = {"symmetric": ANY + ANY.T, "not symmetric": ANY}
SHARE = RANDOM.uniform(size=N)
OF_BASIS = pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
OF_BOTH = pytest.mark.parametrize("by_covariance", BY_COVARIANCE.values(), ids=BY_COVARIANCE)


def kinds_of(basis, inputs=X):
    """The kinds of columns, at scales that are not those of the spread."""
    columns = basis.bind(inputs, np.ones(N))
    return columns.rescaled(columns.log_scales + 0.3).kinds


def plain(kind):
    return kind.centre_rows[0] == -1


def some_variances(kinds):
    """Of each plain column one, of each kernel one."""
    random = np.random.default_rng(2)
    return [random.uniform(0.5, 2.0, size=kind.n_columns if plain(kind) else 1) for kind in kinds]


def naive_covariance(kind, variance):
    if kind.positive_definite:
        return variance[0] * kind.formula(X, X)
    design = kind.evaluate(X)
    return design @ np.diag(np.broadcast_to(variance, kind.n_columns)) @ design.T


def naive_sum(by_covariance, kind, variance):
    return np.sum(by_covariance * naive_covariance(kind, variance))


@OF_BASIS
def test_the_prior_covariance_is_the_sum_over_the_kinds(basis):
    kinds = kinds_of(basis)
    variances = some_variances(kinds)
    found = prior_covariance([part_of(kind, X) for kind in kinds], variances)
    exact = sum(map(naive_covariance, kinds, variances))
    assert_allclose(found, exact, rtol=1e-12, atol=1e-12)
    assert_allclose(found, found.T, rtol=1e-14, atol=1e-14)


def test_it_is_what_the_formulas_of_a_sum_say():
    kinds = kinds_of(GaussianKernel(2.0) + Linear() + LinearKernel() + Bias())
    variances = [np.array([0.5]), np.array([2.0, 3.0]), np.array([0.1]), np.array([0.7])]
    found = prior_covariance([part_of(kind, X) for kind in kinds], variances)
    distance = np.sum((X[:, None] - X) ** 2, axis=-1)
    exact = 0.5 * np.exp(-distance / 4.0) + (X * [2.0, 3.0]) @ X.T + 0.1 * X @ X.T + 0.7
    assert_allclose(found, exact, rtol=1e-13, atol=1e-14)


@OF_BASIS
def test_a_part_is_added_to_the_others(basis):
    for kind, variance in zip(kinds_of(basis), some_variances(kinds_of(basis)), strict=True):
        covariance = BY_COVARIANCE["symmetric"].copy()
        part_of(kind, X).add_to(covariance, variance)
        exact = BY_COVARIANCE["symmetric"] + naive_covariance(kind, variance)
        assert_allclose(covariance, exact, rtol=1e-12, atol=1e-12)


@OF_BASIS
def test_a_part_is_itself_unchanged_by_use(basis):
    kinds = kinds_of(basis)
    parts = [part_of(kind, X) for kind in kinds]
    first = prior_covariance(parts, some_variances(kinds))
    assert_array_equal(prior_covariance(parts, some_variances(kinds)), first)


@pytest.mark.parametrize("basis", ["few centres", "given centres"])
def test_a_process_is_that_of_the_rows_whatever_its_centres(basis):
    (few,), (all_of_them, _) = kinds_of(BASES[basis]), kinds_of(BASES["gaussian"])
    assert_array_equal(part_of(few, X).values, part_of(all_of_them, X).values)


@OF_BASIS
@OF_BOTH
def test_derivatives_for_the_variances(basis, by_covariance):
    kinds = kinds_of(basis)
    for kind, variance in zip(kinds, some_variances(kinds), strict=True):
        numeric = differences(lambda x, kind=kind: naive_sum(by_covariance, kind, x), variance)
        found = part_of(kind, X).by_variance(by_covariance)
        assert_allclose(found, numeric, rtol=1e-8, atol=1e-8)


@OF_BASIS
@OF_BOTH
def test_derivatives_for_the_log_scales(basis, by_covariance):
    kinds = kinds_of(basis)
    for kind, variance in zip(kinds, some_variances(kinds), strict=True):
        numeric = differences(
            lambda x, kind=kind, own=variance: naive_sum(by_covariance, kind.rescaled(x), own),
            kind.log_scales,
        )
        found = part_of(kind, X).by_scale(variance, by_covariance)
        assert_allclose(found, numeric, rtol=1e-7, atol=1e-7)


@OF_BASIS
def test_latent_values_at_inputs_follow_from_the_pull_of_the_rows(basis):
    """K(inputs, rows) pull; at the rows themselves K pull."""
    kinds = kinds_of(basis)
    pull, new = RANDOM.normal(size=N), X[:4] + 0.3
    for kind, variance in zip(kinds, some_variances(kinds), strict=True):
        part = part_of(kind, X)
        covariance = prior_covariance([part], [variance])
        scale = np.abs(covariance).max()
        assert_allclose(part.latent_at(X, variance, pull), covariance @ pull, atol=1e-10 * scale)
        whole = prior_covariance([part_of(kind, np.vstack([new, X]))], [variance])
        found = part.latent_at(new, variance, pull)
        assert_allclose(found, whole[:4, 4:] @ pull, atol=1e-10 * scale)


@OF_BASIS
def test_the_energy_is_the_mean_variance_at_unit_precision(basis):
    for kind in kinds_of(basis):
        part = part_of(kind, X)
        energy = [SHARE @ np.diag(naive_covariance(kind, one)) for one in np.eye(part.n_groups)]
        assert_allclose(part.energy(SHARE), energy, rtol=1e-12)


@OF_BASIS
def test_kernels_have_one_precision_and_plain_columns_one_each(basis):
    for kind in kinds_of(basis):
        part = part_of(kind, X)
        assert part.n_groups == (kind.n_columns if plain(kind) else 1)
        assert part.n_rows == N
        assert isinstance(part, ProcessPart if kind.positive_definite else ColumnsPart)


def test_own_groups_count_from_zero_within_a_kind():
    kernel, columns, bias = kinds_of(SigmoidKernel(0.1) + Linear() + Bias())
    assert_array_equal(own_groups(kernel), np.zeros(N))
    assert_array_equal(own_groups(columns), [0, 1])
    assert_array_equal(own_groups(bias), [0])


def test_the_rows_need_not_be_those_of_the_columns():
    inputs, kinds = X[:6] + 0.2, kinds_of(BASES["sum"])
    parts = [part_of(kind, inputs) for kind in kinds]
    found = prior_covariance(parts, [np.ones(part.n_groups) for part in parts])
    gaussian, linear, products, cauchy, bias = kinds
    exact = sum(kind.formula(inputs, inputs) for kind in (gaussian, products, cauchy))
    exact += sum(kind.evaluate(inputs) @ kind.evaluate(inputs).T for kind in (linear, bias))
    assert_allclose(found, exact, rtol=1e-12)


def test_sparse_inputs_are_the_same():
    dense, sparse = (
        [part_of(kind, inputs) for kind in kinds_of(BASES["gaussian"], inputs)]
        for inputs in (X, csr_array(X))
    )
    variances = [np.array([1.5]), np.array([0.5])]
    covariances = [prior_covariance(parts, variances) for parts in (dense, sparse)]
    assert_allclose(covariances[1], covariances[0], rtol=1e-13)
    for one, other, own in zip(dense, sparse, variances, strict=True):
        assert_allclose(other.energy(SHARE), one.energy(SHARE), rtol=1e-13)
        assert_allclose(other.by_variance(ANY), one.by_variance(ANY), rtol=1e-12)
        assert_allclose(other.by_scale(own, ANY), one.by_scale(own, ANY), rtol=1e-12)
