"""What holds for every basis, and for sums of them."""

import pickle
from dataclasses import fields, is_dataclass
from numbers import Number

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.gaussian_process.kernels import DotProduct, Matern
from sklearn.metrics.pairwise import rbf_kernel

from sparsebayes import basis as recipes
from sparsebayes.basis import (
    Bias,
    CallableKernel,
    CauchyKernel,
    EffectsKernel,
    GaussianKernel,
    GivenColumns,
    LaplacianKernel,
    Linear,
    LinearKernel,
    LinearSplineKernel,
    Matern12Kernel,
    Matern32Kernel,
    Matern52Kernel,
    Polynomial,
    PolynomialKernel,
    PrecomputedKernel,
    ProcessKernel,
    SigmoidKernel,
)

# Square, so that they can stand for kernel values as well.
INPUTS = np.random.default_rng(0).normal(size=(6, 6))
NEW = np.random.default_rng(1).normal(size=(4, 6))
WEIGHT = np.array([1.0, 2.0, 0.0, 1.0, 0.5, 1.0])
OBJECT = Matern() + DotProduct()

BASES = [
    Bias(),
    CallableKernel(rbf_kernel),
    CauchyKernel(),
    EffectsKernel(),
    GaussianKernel(),
    GaussianKernel(2.0, centres=NEW),
    GivenColumns(np.cos),
    LaplacianKernel(),
    Linear(),
    LinearKernel(),
    LinearKernel(scaling="unit"),
    LinearKernel(scaling="standard"),
    LinearSplineKernel(),
    Matern12Kernel(),
    Matern32Kernel(),
    Matern52Kernel(),
    Polynomial(),
    PolynomialKernel(),
    PrecomputedKernel(),
    ProcessKernel(OBJECT),
    SigmoidKernel(),
    CauchyKernel([1.0, 3.0]),
    GaussianKernel([2.0, 1.0], input_scale="learn"),
    PolynomialKernel(gamma="ard"),
]


# What the user passed above.
FUNCTIONS = (rbf_kernel, np.cos)
SUMS = [
    GaussianKernel() + Bias(),
    Bias() + GaussianKernel(0.5) + GaussianKernel(2.0) + Linear(),
    (Linear() + Polynomial()) + (Bias() + PrecomputedKernel()),
]


def name(basis):
    parts = [part for _, part in getattr(basis, "parts", [("", basis)])]
    return "+".join(type(part).__name__ for part in parts)


over_all = pytest.mark.parametrize("basis", BASES + SUMS, ids=name)


def bound(basis):
    return basis.bind(INPUTS, WEIGHT)


def subset(data, n, ascending=False):
    some = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    return np.array(sorted(some) if ascending else some, dtype=np.intp)


def same(found, expected):
    """Equal but for the order in which a product of matrices adds up."""
    assert found.shape == expected.shape
    assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@over_all
@settings(max_examples=10, deadline=None, derandomize=True)
@given(data=st.data())
def test_evaluating_some_columns_selects_them(basis, data):
    columns = bound(basis)
    some = subset(data, columns.n_columns)
    same(columns.evaluate(NEW, some), columns.evaluate(NEW)[:, some])


@over_all
@settings(max_examples=10, deadline=None, derandomize=True)
@given(data=st.data())
def test_keep_selects(basis, data):
    columns, names = bound(basis), [f"x{k}" for k in range(6)]
    some = subset(data, columns.n_columns, ascending=True)
    kept = columns.keep(some)
    same(kept.evaluate(NEW), columns.evaluate(NEW)[:, some])
    assert kept.n_columns == len(some)
    assert_array_equal(kept.centre_rows, columns.centre_rows[some])
    assert kept.names(names) == [columns.names(names)[i] for i in some]


@over_all
@settings(max_examples=10, deadline=None, derandomize=True)
@given(data=st.data())
def test_keep_after_keep_composes(basis, data):
    columns = bound(basis)
    first = subset(data, columns.n_columns, ascending=True)
    second = subset(data, max(1, len(first)), ascending=True)[: len(first)]
    twice, once = columns.keep(first).keep(second), columns.keep(first[second])
    same(twice.evaluate(NEW), once.evaluate(NEW))
    assert_array_equal(twice.centre_rows, once.centre_rows)


@over_all
def test_a_column_does_not_depend_on_the_other_rows_of_the_inputs(basis):
    columns = bound(basis)
    same(np.vstack([columns.evaluate(row[None]) for row in NEW]), columns.evaluate(NEW))


@over_all
def test_evaluate_leaves_the_inputs_alone(basis):
    inputs = INPUTS.copy()
    inputs.flags.writeable = False
    design = basis.bind(inputs, WEIGHT).evaluate(inputs)
    assert design.dtype == np.float64
    assert design.shape == (6, bound(basis).n_columns)


def test_the_laws_hold_for_every_recipe():
    assert {type(basis).__name__ for basis in BASES} == {*recipes.__all__} - {"Basis"}


@over_all
def test_bound_columns_survive_pickling(basis):
    columns = bound(basis)
    again = pickle.loads(pickle.dumps(columns))
    assert_array_equal(again.evaluate(NEW), columns.evaluate(NEW))
    assert again.names(list("abcdef")) == columns.names(list("abcdef"))
    assert_array_equal(again.log_scales, columns.log_scales)


def not_plain(value):
    """Whatever is in there that is neither a number, a word, an array nor a record of these."""
    if is_dataclass(value):
        return [each for own in fields(value) for each in not_plain(getattr(value, own.name))]
    if isinstance(value, dict | tuple):
        parts = value.values() if isinstance(value, dict) else value
        return [each for part in parts for each in not_plain(part)]
    if isinstance(value, np.ndarray | csr_array):
        return [] if value.dtype.kind in "fi" else [value]
    return [] if value is None or isinstance(value, str | Number) else [value]


@over_all
def test_bound_columns_are_plain_data_but_for_what_the_user_passed(basis):
    columns = bound(basis)
    moved = columns.rescaled(columns.log_scales + 1.0)
    few = [kind.subset(2) for kind in moved.kinds]
    for each in (columns, columns.keep(np.arange(1)), moved, *few):
        assert all(value in FUNCTIONS or value == OBJECT for value in not_plain(each))


@pytest.mark.parametrize("basis", [each for each in BASES if each.accepts_sparse], ids=name)
def test_columns_bound_to_sparse_inputs_are_plain_data(basis):
    assert not_plain(basis.bind(csr_array(INPUTS), WEIGHT)) == []


@over_all
def test_rows_of_weight_zero_are_no_centres(basis):
    assert 2 not in bound(basis).centre_rows or getattr(basis, "centres", None) is not None


@pytest.mark.parametrize("left", BASES, ids=name)
@pytest.mark.parametrize("right", [*BASES[:4], SUMS[1]], ids=name)
def test_plus_concatenates(left, right):
    both, (one, other) = bound(left + right), (bound(left), bound(right))
    same(both.evaluate(NEW), np.hstack([one.evaluate(NEW), other.evaluate(NEW)]))
    assert_array_equal(both.centre_rows, np.concatenate([one.centre_rows, other.centre_rows]))
    letters = list("abcdef")
    assert both.names(letters) == one.names(letters) + other.names(letters)


def test_plus_is_associative():
    a, b, c = GaussianKernel(2.0), Linear(), GaussianKernel(3.0)
    assert repr((a + b) + c) == repr(a + (b + c)) == repr(a + b + c)


@over_all
def test_parameters_round_trip(basis):
    params = basis.get_params()
    again = clone(basis).set_params(**clone(basis).get_params())
    assert again is not basis
    assert repr(again) == repr(basis)
    assert again.get_params().keys() == params.keys()
    same(bound(again).evaluate(NEW), bound(basis).evaluate(NEW))


def test_parts_are_named_by_class_and_numbered_where_they_repeat():
    basis = GaussianKernel(1.0) + Bias() + GaussianKernel(2.0)
    assert [name for name, _ in basis.parts] == ["gaussiankernel-1", "bias", "gaussiankernel-2"]
    renumbered = basis + GaussianKernel(3.0)
    assert [name for name, _ in renumbered.parts][-1] == "gaussiankernel-3"
    assert len(basis.parts) == 3


def test_nested_parameters_are_set():
    basis = GaussianKernel(1.0) + Bias() + GaussianKernel(2.0)
    copy = clone(basis).set_params(**{"gaussiankernel-2__width": 5.0})
    assert copy.get_params()["gaussiankernel-2__width"] == 5.0
    assert copy.get_params()["gaussiankernel-1__width"] == 1.0
    assert basis.get_params()["gaussiankernel-2__width"] == 2.0


def test_a_part_can_be_replaced():
    basis = (GaussianKernel(1.0) + Bias()).set_params(gaussiankernel=Linear())
    same(bound(basis).evaluate(NEW), np.column_stack([NEW, np.ones(4)]))


def test_an_unknown_part_is_an_error():
    with pytest.raises(ValueError, match="Invalid parameter 'cauchykernel'"):
        (GaussianKernel() + Bias()).set_params(cauchykernel__width=1.0)
