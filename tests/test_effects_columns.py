"""Columns of the kernel of effects: slopes for their scales, sparse inputs, what is learned."""

import numpy as np
import pytest
from laws.parts import differences
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sparsebayes.basis import EffectsKernel, GaussianKernel, LinearKernel
from sparsebayes.basis.effects_kernel import MOST_EFFECTS, MOST_SCALES, DefaultKernel
from sparsebayes.columns import EffectScales, FreeEffects

RANDOM = np.random.default_rng(0)
N = 12
# Of numbers, two levels, and many zeros; the last one does not vary.
X = np.column_stack(
    [
        RANDOM.normal(size=N),
        RANDOM.integers(0, 2, N),
        RANDOM.normal(size=N) * (RANDOM.random(N) < 0.5),
        np.full(N, 7.0),
    ]
)
NEW = X[:5] + 0.5 * RANDOM.normal(size=(5, 4))
WEIGHT = np.ones(N)
D = RANDOM.normal(size=(5, N))
SYMMETRIC = RANDOM.normal(size=(N, N))


def bound(inputs=X, weight=WEIGHT, **options):
    """Columns at scales away from where a search starts."""
    columns = EffectsKernel(**options).bind(inputs, weight)
    moves = np.random.default_rng(1).normal(size=len(columns.log_scales))
    return columns.rescaled(columns.log_scales + 0.5 * moves)


# Slopes.


@pytest.mark.parametrize("inputs", [NEW, X], ids=["new rows", "copied centres"])
def test_its_slope(inputs):
    columns, sensitivity = bound(), RANDOM.normal(size=(len(inputs), N))

    def value(log_scales):
        return np.vdot(sensitivity, columns.rescaled(log_scales).evaluate(inputs))

    found = columns.scale_gradient(inputs, sensitivity)
    assert_allclose(found, differences(value, columns.log_scales), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("symmetric", [False, True])
def test_its_slope_between_centres(symmetric):
    """Where inputs are the centres themselves, half of the matrix stands for all."""
    columns = bound()
    sensitivity = SYMMETRIC + SYMMETRIC.T if symmetric else SYMMETRIC
    formula, centres = columns.formula, columns.items
    slope = formula.slope(centres, centres, sensitivity)
    assert_allclose(slope, formula.slope(centres.copy(), centres, sensitivity), rtol=1e-10)

    def value(log_scales):
        moved = columns.rescaled(log_scales).formula
        return np.vdot(sensitivity, moved(centres, centres))

    expected = differences(value, columns.log_scales)
    assert_allclose(columns.free.gather(slope), expected, rtol=1e-6, atol=1e-8)


def test_an_input_that_does_not_vary_has_no_slope():
    slope = EffectScales.of(bound().formula.slope(NEW, X, D))
    assert slope.gamma[3] == slope.size[3] == 0.0
    assert np.abs(slope.gamma[:3]).min() > 0.0


def test_no_columns_and_no_rows_have_no_slope():
    columns = bound()
    none = columns.keep(np.empty(0, dtype=int))
    assert_array_equal(none.scale_gradient(NEW, np.empty((5, 0))), np.zeros(9))
    assert_array_equal(columns.scale_gradient(NEW[:0], D[:0]), np.zeros(9))


# Sparse inputs.


@pytest.mark.parametrize(("left", "right"), [(csr_array, csr_array), (csr_array, np.array)])
def test_sparse_rows_have_the_values_and_the_slope_of_dense_ones(left, right):
    formula = bound().formula
    found = formula(left(NEW), right(X))
    assert_allclose(found, formula(NEW, X), rtol=1e-12)
    slope = formula.slope(left(NEW), right(X), D)
    assert_allclose(slope, formula.slope(NEW, X, D), rtol=1e-12, atol=1e-14)
    assert_allclose(formula.at_itself(left(NEW)), formula.at_itself(NEW), rtol=1e-12)


def test_sparse_inputs_have_the_knots_of_dense_ones():
    one, other = (EffectsKernel().formula(each, WEIGHT) for each in (X, csr_array(X)))
    assert_array_equal(other.options["knots"], one.options["knots"])
    assert_allclose(other.options["shares"], one.options["shares"], rtol=1e-12)
    assert_allclose(other.gamma, one.gamma, rtol=1e-12)


# What is learned.


def test_each_input_that_varies_has_a_width_and_a_size_and_there_are_three_orders():
    columns = EffectsKernel().bind(X, WEIGHT)
    assert len(columns.log_scales) == 2 * 3 + 3
    scales = EffectScales.of(columns.formula.gamma)
    assert scales.gamma[3] == scales.size[3] == 0.0
    assert_allclose(scales.size[:3], 1.0 / 3.0)
    assert_allclose(scales.gamma[:3] * X[:, :3].var(axis=0), scales.gamma[0] * X[:, 0].var())
    assert columns.sorts == ("effect width",) * 3 + ("effect size",) * 3 + ("order",) * 3


def test_scales_come_back():
    free = FreeEffects.of(np.array([2.0, 0.0, 0.5]))
    moved = free.moved(np.zeros(9), np.arange(7.0))
    assert_allclose(free.logarithm(moved), np.arange(7.0))
    assert moved[1] == moved[4] == 0.0
    assert_array_equal(free.gather(np.arange(9.0)), [0.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0])
    assert_allclose(EffectScales.of(moved).vector, moved)


def test_a_row_of_weight_two_is_the_row_twice():
    weight = 1.0 + np.arange(N) % 3
    twice = np.repeat(X, weight.astype(int), axis=0)
    one, other = bound(X, weight), bound(twice, np.ones(len(twice)))
    assert_allclose(other.log_scales, one.log_scales, rtol=1e-12)
    assert_allclose(other.formula(NEW, X), one.formula(NEW, X), rtol=1e-12)


def test_units_and_offsets_of_inputs_do_not_matter():
    """1e6 leaves ten digits of a value."""
    unit, offset = np.array([1e-3, 1.0, 1e4, 5.0]), np.array([1e3, 0.0, 1e6, -3.0])
    plain, moved = (EffectsKernel().bind(each, WEIGHT) for each in (X, X * unit + offset))
    assert_allclose(
        moved.formula(NEW * unit + offset, X * unit + offset), plain.formula(NEW, X), atol=1e-7
    )


def test_a_few_codes_are_usual_values_to_knots_and_to_where_widths_start():
    many = np.random.default_rng(2).normal(size=(150, 2))
    coded = many.copy()
    coded[::30, 0] = -999.0
    plain, found = (EffectsKernel().formula(each, np.ones(150)) for each in (many, coded))
    assert found.options["knots"][0].min() > -20.0
    assert_array_equal(found.options["knots"][1], plain.options["knots"][1])
    assert 0.3 < found.gamma[0] / plain.gamma[0] < 1.0


def test_scales_that_are_given_are_used_as_they_are():
    given = np.array([0.3, 1.0, 0.2, 0.0, 1.0, 0.5, 0.3, 0.0, 0.1, 0.4, 0.2])
    columns = EffectsKernel(scales=given).bind(X, WEIGHT)
    assert_array_equal(columns.formula.gamma, given)
    assert len(columns.log_scales) == 0
    resolved = EffectsKernel().resolved(columns)
    assert_array_equal(resolved.bind(X, WEIGHT).evaluate(NEW), columns.evaluate(NEW))


@pytest.mark.parametrize(
    "scales", ["x", [1.0, 2.0], -np.ones(11), np.full(11, np.nan), np.full(11, np.inf), None]
)
def test_bad_scales(scales):
    with pytest.raises(ValueError, match="scales of EffectsKernel must be 'learn' or 11 numbers"):
        EffectsKernel(scales=scales).bind(X, WEIGHT)


# The default kernel.


def kernels(n_inputs, constant=0):
    inputs = np.random.default_rng(0).normal(size=(30, n_inputs))
    inputs = np.column_stack([inputs, np.ones((30, constant))])
    return DefaultKernel().kernels_for(inputs, np.ones(30))


@pytest.mark.parametrize("constant", [0, 3])
def test_what_the_default_chooses_from(constant):
    def kinds(n_inputs):
        return [type(each) for each in kernels(n_inputs, constant)]

    assert kinds(1) == [GaussianKernel]
    assert kinds(2) == kinds(MOST_EFFECTS) == [GaussianKernel, EffectsKernel]
    wide = [GaussianKernel, GaussianKernel, LinearKernel]
    assert kinds(MOST_EFFECTS + 1) == kinds(MOST_SCALES + 1) == wide


def test_with_very_many_inputs_there_is_no_scale_for_each():
    assert kernels(MOST_SCALES)[0].bind(*wide(MOST_SCALES)).log_scales.shape == (MOST_SCALES,)
    columns = kernels(MOST_SCALES + 1)[0].bind(*wide(MOST_SCALES + 1))
    assert columns.log_scales.shape == (1,)
    inputs, _ = wide(MOST_SCALES + 1)
    assert np.ptp(columns.formula.gamma * inputs.var(axis=0)) < 1e-12


def wide(n_inputs):
    return np.random.default_rng(0).normal(size=(30, n_inputs)), np.ones(30)


def test_the_default_has_the_columns_of_the_first_and_the_others_beside_them():
    columns = DefaultKernel().bind(X, WEIGHT)
    first = GaussianKernel(input_scale="learn").bind(X, WEIGHT)
    assert_array_equal(columns.evaluate(NEW), first.evaluate(NEW))
    (rival,) = columns.rivals
    assert_array_equal(rival.evaluate(NEW), EffectsKernel().bind(X, WEIGHT).evaluate(NEW))


def test_columns_of_a_sample_know_the_numbers_of_their_rows():
    """Those of every kernel: any of them may be chosen."""
    numbers = 100 + np.arange(N)[::-1]
    columns = DefaultKernel(6).bind_sample(X, WEIGHT, numbers, 500)
    for each in (columns, *columns.rivals):
        assert each.n_columns == 6
        assert_array_equal(each.items, X[111 - each.centre_rows])
    assert [each.formula.name for each in columns.rivals] == ["effects"]


@pytest.mark.parametrize("n_inputs", [1, 4, 70, 300])
def test_the_kernel_that_was_chosen_has_its_columns_and_nothing_to_learn(n_inputs):
    inputs, weight = wide(n_inputs)
    bound = DefaultKernel().bind(inputs, weight)
    for each in (bound, *bound.rivals):
        resolved = DefaultKernel().resolved(each)
        again = resolved.bind(inputs, weight)
        assert again.formula.name == each.formula.name
        assert len(again.log_scales) == 0
        assert_allclose(again.evaluate(inputs), each.evaluate(inputs), rtol=1e-10, atol=1e-12)
