"""Columns of a covariance with independent weights, in the order of their pivots."""

from dataclasses import replace

import numpy as np
import pytest
from dense_parts import X
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis import (
    Bias,
    CallableKernel,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    LinearKernel,
    PolynomialKernel,
    PrecomputedKernel,
    SigmoidKernel,
)
from sparsebayes.columns.whitened import LEAST_LEFT, whitened

NEW = X[:7] + 0.3
MANY = np.random.default_rng(7).uniform(-4.0, 4.0, (150, 1))
COVARIANCES = [
    GaussianKernel(2.0),
    GaussianKernel(2.0, centres=6),
    LaplacianKernel(1.0),
    PolynomialKernel(2, 0.3),
    LinearKernel(),
    LinearKernel(scaling="standard"),
]
covariances = pytest.mark.parametrize("basis", COVARIANCES, ids=str)


def only_kind(basis, inputs=X):
    return basis.bind(inputs, np.ones(len(inputs))).kinds[0]


def left_at_centres(columns, kind):
    """What the columns leave of the variance at each centre of a kind."""
    design = columns.evaluate(kind.items)
    return np.diag(kind.between_items()) - np.sum(design**2, axis=1)


@covariances
def test_products_of_whitened_columns_are_the_covariance_of_a_gaussian_process(basis):
    """V V' = K_xc K_cc^-1 K_cx."""
    kind = only_kind(basis)
    columns = whitened(kind)
    inner, cross = kind.evaluate(kind.items), kind.evaluate(NEW)
    design = columns.evaluate(NEW)
    assert design.shape == (7, columns.n_columns)
    expected = cross @ np.linalg.lstsq(inner, cross.T, rcond=1e-13)[0]
    assert_allclose(design @ design.T, expected, rtol=1e-6)


@covariances
def test_at_the_centres_it_is_the_kernel_itself(basis):
    kind = only_kind(basis)
    design = whitened(kind).evaluate(kind.items)
    covariance = kind.between_items()
    assert_allclose(design @ design.T, covariance, atol=1e-10 * covariance.max())


@covariances
def test_columns_come_by_pivots(basis):
    """The next is always the one whose variance those before explain least."""
    kind = only_kind(basis)
    columns = whitened(kind)
    for size in range(columns.n_columns):
        left = left_at_centres(columns.first(size), kind)
        place = np.flatnonzero(kind.centre_rows == columns.kind.centre_rows[size])
        assert_allclose(left[place], left.max(), rtol=1e-8)


@covariances
def test_the_first_columns_are_those_of_the_first_centres_alone(basis):
    kind = only_kind(basis)
    columns = whitened(kind)
    design = columns.evaluate(NEW)
    for size in range(1, columns.n_columns + 1):
        first = columns.first(size)
        assert first.n_columns == size
        assert_allclose(first.evaluate(NEW), design[:, :size], rtol=1e-12)
        inner = first.kind.between_items()
        root = np.linalg.cholesky(inner + 1e-15 * np.trace(inner) * np.eye(size))
        naive = np.linalg.solve(root, first.kind.evaluate(NEW).T).T
        assert_allclose(first.evaluate(NEW), naive, rtol=1e-4, atol=1e-6)
    assert columns.first(0).evaluate(NEW).shape == (7, 0)


@pytest.mark.parametrize("inputs", [X, MANY], ids=["few", "many"])
@pytest.mark.parametrize("basis", [GaussianKernel(2.0), LaplacianKernel(1.0)], ids=str)
@pytest.mark.parametrize("least", [0.5, 1e-1, 1e-3, 1e-6])
def test_the_least_bounds_what_is_left_at_every_centre(basis, inputs, least):
    """With no more columns than that takes. More than 64 rows are factored in blocks."""
    kind = only_kind(basis, inputs)
    columns = whitened(kind, least)
    assert left_at_centres(columns, kind).max() <= least * (1.0 + 1e-6)
    before = columns.first(columns.n_columns - 1)
    assert left_at_centres(before, kind).max() > least


@pytest.mark.parametrize("least", [0.5, 1e-1, 1e-3, 1e-6])
def test_fewer_columns_are_the_first_of_more(least):
    kind = only_kind(GaussianKernel(2.0), MANY)
    few, all_ = whitened(kind, least), whitened(kind)
    assert few.n_columns < all_.n_columns
    assert_array_equal(few.kind.centre_rows, all_.kind.centre_rows[: few.n_columns])
    assert_allclose(few.evaluate(NEW[:, :1]), all_.evaluate(NEW[:, :1])[:, : few.n_columns])


def test_a_kernel_whose_whole_variance_is_below_the_least_keeps_one_column():
    kind = only_kind(GaussianKernel(2.0))
    assert whitened(kind, 5.0).n_columns == 1


def test_what_is_rounding_is_left_out():
    """Collinear centres: fifteen points on a line have rank one in a product."""
    kind = only_kind(LinearKernel(), X[:, :1])
    columns = whitened(kind)
    assert columns.n_columns == 1
    assert left_at_centres(columns, kind).max() <= LEAST_LEFT * np.max(X[:, 0] ** 2)
    wide = whitened(only_kind(GaussianKernel(1e3)))
    assert wide.n_columns < 10
    assert np.isfinite(wide.evaluate(NEW)).all()
    assert np.all(np.sum(wide.evaluate(NEW) ** 2, axis=1) <= 1.0 + 1e-6)


def test_a_centre_that_occurs_twice_counts_once():
    kind = only_kind(GaussianKernel(0.5))
    twice = kind.keep(np.tile(np.arange(kind.n_columns), 2))
    one, other = whitened(kind), whitened(twice)
    assert other.n_columns == one.n_columns
    assert_allclose(
        other.evaluate(NEW) @ other.evaluate(NEW).T, one.evaluate(NEW) @ one.evaluate(NEW).T
    )


@pytest.mark.parametrize("unit", [1e-100, 1e-6, 1e6, 1e100])
def test_the_unit_of_a_kernel_does_not_matter(unit):
    def kernel(left, right):
        return unit * np.exp(-((left[:, None] - right) ** 2).sum(axis=2))

    plain = only_kind(GaussianKernel(1.0))
    kind = only_kind(CallableKernel(kernel)).tested()
    assert kind.positive_definite
    design, expected = whitened(kind).evaluate(NEW), whitened(plain).evaluate(NEW)
    assert_allclose(design / np.sqrt(unit), expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "basis", [SigmoidKernel(0.1), Linear(), Bias(), GaussianKernel([1.0, 2.0])], ids=str
)
def test_columns_that_are_no_covariance_stay_as_they_are(basis):
    kind = only_kind(basis)
    columns = whitened(kind)
    assert columns.whitener is None
    assert_array_equal(columns.evaluate(NEW), kind.evaluate(NEW))
    assert columns.first(1) is columns


def test_a_covariance_of_zeros_stays_as_it_is():
    kind = PolynomialKernel(1, 1.0, coef0=0.0).bind(np.zeros((4, 1)), np.ones(4)).kinds[0]
    assert kind.positive_definite
    assert whitened(kind).whitener is None
    assert_array_equal(whitened(kind).evaluate(NEW[:, :1]), np.zeros((7, 1)))


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_a_covariance_that_is_not_finite_stays_as_it_is(value):
    kind = only_kind(PolynomialKernel(2, 0.3))
    broken = replace(kind, items=np.full_like(kind.items, value))
    assert whitened(broken).whitener is None


@pytest.mark.parametrize("basis", [GaussianKernel(2.0), SigmoidKernel(0.1)], ids=str)
def test_no_columns_stay_none(basis):
    none = only_kind(basis).keep(np.empty(0, dtype=np.intp))
    columns = whitened(none)
    assert columns.n_columns == 0
    assert columns.evaluate(NEW).shape == (7, 0)


@pytest.mark.parametrize("basis", [COVARIANCES[0], SigmoidKernel(0.1)], ids=str)
def test_some_of_the_columns(basis):
    columns, some = whitened(only_kind(basis)), np.array([4, 0, 9])
    assert_allclose(columns.evaluate(NEW, some), columns.evaluate(NEW)[:, some], rtol=1e-12)


def test_a_given_kernel_needs_its_table_for_the_fit_alone():
    table = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    across = np.exp(-((NEW[:, None] - X) ** 2).sum(axis=2))
    columns = whitened(only_kind(PrecomputedKernel(), table).tested())
    design = columns.for_new_inputs().evaluate(across)
    assert columns.for_new_inputs().kind.formula.function is None
    assert_array_equal(design, columns.evaluate(across))
    expected = across @ np.linalg.solve(table, across.T)
    assert_allclose(design @ design.T, expected, rtol=1e-8)
