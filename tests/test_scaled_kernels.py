"""Kernels with a scale for each input or with several widths, and columns at other scales."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sparsebayes import SparseBayesClassifier, SparseBayesRegressor
from sparsebayes.basis import (
    Bias,
    CauchyKernel,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    LinearKernel,
    Matern12Kernel,
    Matern32Kernel,
    Matern52Kernel,
    Polynomial,
    PolynomialKernel,
    SigmoidKernel,
)
from sparsebayes.columns import NO_ROW

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(9, 3))
X[2, 1] = X[5] = 0.0
NEW = RANDOM.normal(size=(6, 3))
WEIGHT = np.ones(9)
GAMMA = np.array([0.3, 0.05, 1.7])
D = RANDOM.normal(size=(6, 9))


def naive_gaussian(x, c, gamma):
    return np.exp(-sum(g * (a - b) ** 2 for g, a, b in zip(gamma, x, c, strict=True)))


def naive_cauchy(x, c, gamma):
    return 1.0 / (1.0 + sum(g * (a - b) ** 2 for g, a, b in zip(gamma, x, c, strict=True)))


def naive_laplacian(x, c, gamma):
    return np.exp(-sum(g * abs(a - b) for g, a, b in zip(gamma, x, c, strict=True)))


def naive_radius(x, c, gamma, twice_nu):
    return np.sqrt(twice_nu * sum(g * (a - b) ** 2 for g, a, b in zip(gamma, x, c, strict=True)))


def naive_matern12(x, c, gamma):
    return np.exp(-naive_radius(x, c, gamma, 1.0))


def naive_matern32(x, c, gamma):
    radius = naive_radius(x, c, gamma, 3.0)
    return (1.0 + radius) * np.exp(-radius)


def naive_matern52(x, c, gamma):
    radius = naive_radius(x, c, gamma, 5.0)
    return (1.0 + radius + radius**2 / 3.0) * np.exp(-radius)


def naive_polynomial(x, c, gamma):
    return (sum(g * a * b for g, a, b in zip(gamma, x, c, strict=True)) + 0.7) ** 3


def naive_sigmoid(x, c, gamma):
    return np.tanh(sum(g * a * b for g, a, b in zip(gamma, x, c, strict=True)) - 0.2)


def gaussian(gamma):
    return GaussianKernel(1.0, input_scale=np.sqrt(gamma))


def cauchy(gamma):
    return CauchyKernel(1.0, input_scale=np.sqrt(gamma))


def laplacian(gamma):
    return LaplacianKernel(1.0, input_scale=gamma)


def matern12(gamma):
    return Matern12Kernel(1.0, input_scale=np.sqrt(gamma))


def matern32(gamma):
    return Matern32Kernel(1.0, input_scale=np.sqrt(gamma))


def matern52(gamma):
    return Matern52Kernel(1.0, input_scale=np.sqrt(gamma))


def polynomial(gamma):
    return PolynomialKernel(3, gamma, coef0=0.7)


def sigmoid(gamma):
    return SigmoidKernel(gamma, coef0=-0.2)


KERNELS = {
    gaussian: naive_gaussian,
    cauchy: naive_cauchy,
    laplacian: naive_laplacian,
    matern12: naive_matern12,
    matern32: naive_matern32,
    matern52: naive_matern52,
    polynomial: naive_polynomial,
    sigmoid: naive_sigmoid,
}
over_kernels = pytest.mark.parametrize("kernel", KERNELS, ids=lambda f: f.__name__)
over_sparse = pytest.mark.parametrize(
    "kernel", [gaussian, cauchy, matern12, matern52, polynomial, sigmoid], ids=lambda f: f.__name__
)
over_radial = pytest.mark.parametrize(
    "kernel", [gaussian, cauchy, laplacian], ids=lambda f: f.__name__
)
over_types = pytest.mark.parametrize("kind", [GaussianKernel, CauchyKernel, LaplacianKernel])


def formula_at(kernel, gamma):
    return kernel(GAMMA).bind(X, WEIGHT).formula.at(gamma)


def numeric_slope(value, log_gamma, sensitivity=D, step=1e-5):
    """sum_nm sensitivity_nm d value_nm / d log gamma_k, by central differences."""
    steps = step * np.eye(len(log_gamma))
    changes = [(value(log_gamma + h) - value(log_gamma - h)) / (2.0 * step) for h in steps]
    return np.array([np.vdot(sensitivity, change) for change in changes])


# formulas


@over_kernels
def test_a_scale_for_each_input(kernel):
    naive = [[KERNELS[kernel](x, c, GAMMA) for c in X] for x in NEW]
    columns = kernel(GAMMA).bind(X, WEIGHT)
    assert_allclose(columns.evaluate(NEW), np.array(naive)[:, columns.centre_rows], rtol=1e-12)


@over_kernels
def test_equal_scales_are_one_scale(kernel):
    one, each = formula_at(kernel, 0.4), formula_at(kernel, np.full(3, 0.4))
    assert_allclose(each(NEW, X), one(NEW, X), rtol=1e-12)
    assert_allclose(each.slope(NEW, X, D), one.slope(NEW, X, D), rtol=1e-12)


@over_kernels
def test_an_input_of_scale_zero_does_not_count(kernel):
    formula = formula_at(kernel, np.array([0.3, 0.0, 1.7]))
    other = NEW + np.array([0.0, 100.0, 0.0])
    assert_allclose(formula(other, X), formula(NEW, X), rtol=1e-12)
    assert formula.slope(NEW, X, D)[1] == 0.0


@over_sparse
@pytest.mark.parametrize("gamma", [0.4, GAMMA], ids=["one", "each"])
@pytest.mark.parametrize(
    ("inputs", "centres"), [(csr_array, csr_array), (csr_array, np.array), (np.array, csr_array)]
)
def test_sparse_inputs_and_centres(kernel, gamma, inputs, centres):
    formula = formula_at(kernel, gamma)
    inputs, centres = inputs(NEW), centres(X)
    assert_allclose(formula(inputs, centres), formula(NEW, X), rtol=1e-12)
    slope = formula.slope(inputs, centres, D)
    assert_allclose(slope, formula.slope(NEW, X, D), rtol=1e-11, atol=1e-13)


@over_kernels
def test_slope_for_each_scale(kernel):
    formula = formula_at(kernel, GAMMA)
    numeric = numeric_slope(lambda g: formula.at(np.exp(g))(NEW, X), np.log(GAMMA))
    assert_allclose(formula.slope(NEW, X, D), numeric, rtol=1e-7, atol=1e-9)


@over_kernels
def test_slopes_add_up_to_that_of_one_scale(kernel):
    formula = formula_at(kernel, 0.4)
    numeric = numeric_slope(lambda g: formula.at(np.exp(g[0]))(NEW, X), np.log([0.4]))
    assert_allclose(formula.slope(NEW, X, D).sum(), numeric[0], rtol=1e-7)


@over_radial
@pytest.mark.parametrize("gamma", [0.4, GAMMA], ids=["one", "each"])
def test_an_offset_of_the_inputs_costs_no_digits_of_a_slope(kernel, gamma):
    """But those of the inputs: 1e6 leaves ten."""
    formula = formula_at(kernel, gamma)
    expected = formula.slope(NEW, X, D)
    assert_allclose(formula.slope(NEW + 1e6, X + 1e6, D), expected, rtol=1e-8, atol=1e-9)
    assert_allclose(formula(NEW + 1e6, X + 1e6), formula(NEW, X), rtol=1e-8)


@over_radial
@pytest.mark.parametrize("far", [1e3, 1e5, 1e7])
def test_rows_that_are_far_away_cost_few_digits_of_a_slope(kernel, far):
    """Such as those with a code: kernels between them and others are zero."""
    inputs, weight = X.copy(), np.random.default_rng(2).normal(size=(9, 9))
    inputs[[0, 4], 0] = far
    formula = formula_at(kernel, GAMMA)

    def numeric(step):
        value = lambda g: formula.at(np.exp(g))(inputs, inputs)  # noqa: E731
        return numeric_slope(value, np.log(GAMMA), weight, step)

    found, expected = formula.slope(inputs, inputs, weight), numeric(1e-5)
    assert np.all(np.abs(found - expected) <= 3.0 * np.abs(numeric(1e-4) - expected) + 1e-8)


@over_kernels
def test_the_slope_of_a_row_is_that_of_its_values(kernel):
    """Linear in the sensitivity, so that rows can be taken in any parts."""
    formula = formula_at(kernel, GAMMA)
    parts = formula.slope(NEW[:2], X, D[:2]) + formula.slope(NEW[2:], X, D[2:])
    assert_allclose(parts, formula.slope(NEW, X, D), rtol=1e-10, atol=1e-12)


# widths and scales as parameters


@over_types
def test_width_and_input_scale_are_a_ratio(kind):
    scale = np.array([0.5, 2.0, 1.0])
    columns = kind(3.0, input_scale=scale).bind(X, WEIGHT)
    scaled = kind(3.0).bind(X * scale, WEIGHT)
    assert_allclose(columns.evaluate(NEW), scaled.evaluate(NEW * scale), rtol=1e-12)


@over_types
def test_the_spread_of_scaled_inputs(kind):
    scale = np.array([0.5, 2.0, 1.0])
    gamma = kind("scale", input_scale=scale).resolve_gamma(X, WEIGHT)
    whole = kind("scale").resolve_gamma(X * scale, WEIGHT)
    assert_allclose(gamma, whole * scale ** kind().power, rtol=1e-12)


@pytest.mark.parametrize(
    "kernel",
    [
        GaussianKernel(input_scale="learn"),
        CauchyKernel(input_scale="learn"),
        PolynomialKernel(gamma="ard"),
        SigmoidKernel(gamma="ard"),
    ],
)
def test_learned_scales_start_at_the_spread_of_each_input(kernel):
    """A constant input has none, and does not count."""
    weight = np.arange(9.0)
    inputs = np.column_stack([X, np.full(9, 0.1)])
    share = weight / weight.sum()
    variance = share @ (X - share @ X) ** 2
    expected = np.append(1.0 / (3 * variance), 0.0)
    for given in (inputs, csr_array(inputs)):
        assert_allclose(kernel.resolve_gamma(given, weight), expected, rtol=1e-12)
        columns = kernel.bind(given, weight)
        assert_allclose(columns.log_spreads, np.log(expected[:3]), rtol=1e-12)
        assert_array_equal(columns.log_scales, columns.log_spreads)


def test_learned_scales_of_the_laplacian_start_at_the_spread_of_each_input():
    gamma = LaplacianKernel(input_scale="learn").resolve_gamma(X, WEIGHT)
    assert_allclose(gamma, 1.0 / (3 * X.std(axis=0)), rtol=1e-12)


@over_types
def test_a_constant_input_does_not_change_where_learned_scales_start(kind):
    kernel = kind(input_scale="learn")
    wide = np.column_stack([X[:, 0], np.full(9, 7.0), X[:, 1:], np.zeros(9)])
    expected = np.insert(kernel.resolve_gamma(X, WEIGHT), [1, 3], 0.0)
    assert_allclose(kernel.resolve_gamma(wide, WEIGHT), expected, rtol=1e-12)


def some_codes(inputs, code=-999.0, often=30):
    """One row in so many has a code in place of its first input."""
    coded = inputs.copy()
    coded[::often, 0] = code
    return coded


@over_types
@pytest.mark.parametrize("code", [-999.0, 1e6])
def test_a_few_codes_hardly_move_where_learned_scales_start(kind, code):
    inputs = np.random.default_rng(1).normal(size=(150, 3)) * [1.0, 100.0, 0.01]
    kernel = kind(input_scale="learn")
    plain, coded = (
        kernel.resolve_gamma(each, np.ones(150)) for each in (inputs, some_codes(inputs, code))
    )
    assert_array_equal(coded[1:], plain[1:])
    assert 0.3 < coded[0] / plain[0] < 1.0


@over_types
def test_learned_scales_start_from_values_within_five_interquartile_ranges(kind):
    inputs = some_codes(np.random.default_rng(1).normal(size=(150, 3)))
    lower, median, upper = np.quantile(inputs, [0.25, 0.5, 0.75], axis=0, method="inverted_cdf")
    reach = 5.0 * (upper - lower)
    variance = np.clip(inputs, median - reach, median + reach).var(axis=0)
    expected = (3.0 * np.sqrt(variance)) ** -1 if kind is LaplacianKernel else 1.0 / (3 * variance)
    found = kind(input_scale="learn").resolve_gamma(inputs, np.ones(150))
    assert_allclose(found, expected, rtol=1e-12)


def test_a_learned_width_keeps_the_ratios_of_given_scales():
    scale = np.array([1.0, 0.0, 4.0])
    columns = GaussianKernel("learn", input_scale=scale).bind(X, WEIGHT)
    assert columns.log_scales.shape == (1,)
    moved = columns.rescaled(columns.log_scales + np.log(9.0))
    assert_allclose(moved.formula.gamma, 9.0 * columns.formula.gamma, rtol=1e-12)
    assert_allclose(moved.formula.gamma / moved.formula.gamma[0], scale**2, rtol=1e-12)


@over_types
@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("input_scale", "x", "input_scale must be None, 'learn' or an array, got 'x'"),
        ("input_scale", [1.0, -1.0, 1.0], r"input_scale, .*got \[1.0, -1.0, 1.0\]"),
        ("input_scale", [1.0, 2.0], r"input_scale, .* array of 3 .*got \[1.0, 2.0\]"),
        ("input_scale", [0.0, 0.0, 0.0], r"input_scale, .*not all 0.*got \[0.0, 0.0, 0.0\]"),
        ("input_scale", [np.nan, 1.0, 1.0], r"input_scale, .*got \[nan, 1.0, 1.0\]"),
        ("width", [], r"width, if a list, .*got \[\]"),
        ("width", [1, -1], r"width, if a list, .*got \[1, -1\]"),
        ("width", [1.0, np.inf], r"width, if a list, .*got \[1.0, inf\]"),
        ("width", [[1.0, 2.0]], r"width, if a list, .*got \[\[1.0, 2.0\]\]"),
        ("width", ["learn"], r"width, if a list, .*got \['learn'\]"),
    ],
)
def test_bad_parameters_of_radial_kernels(kind, name, value, words):
    with pytest.raises(ValueError, match=words):
        kind(**{name: value}).bind(X, WEIGHT)


@pytest.mark.parametrize("kind", [PolynomialKernel, SigmoidKernel])
@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("ARD", "gamma must be .*'ard'.*got 'ARD'"),
        ([1.0, 2.0], r"gamma, if one for each input, .* of 3 .*got \[1.0, 2.0\]"),
        ([1.0, -2.0, 1.0], r"gamma, if one for each input, .*got \[1.0, -2.0, 1.0\]"),
        ([], r"gamma, if one for each input, .*got \[\]"),
    ],
)
def test_bad_parameters_of_product_kernels(kind, value, words):
    with pytest.raises(ValueError, match=words):
        kind(gamma=value).bind(X, WEIGHT)


# several widths

WIDTHS = [0.5, 1.0, 2.0, 4.0]
SCALE = np.array([0.5, 2.0, 1.0])


@over_types
@pytest.mark.parametrize("scale", [None, SCALE], ids=["", "scaled"])
def test_columns_of_several_widths_are_those_of_each(kind, scale):
    columns = kind(WIDTHS, input_scale=scale).bind(X, WEIGHT)
    each = [kind(width, input_scale=scale).bind(X, WEIGHT) for width in WIDTHS]
    assert_allclose(columns.evaluate(NEW), np.hstack([one.evaluate(NEW) for one in each]))
    assert_array_equal(columns.centre_rows, np.concatenate([one.centre_rows for one in each]))


def test_several_widths_of_sparse_inputs():
    dense, sparse = (GaussianKernel(WIDTHS).bind(x, WEIGHT) for x in (X, csr_array(X)))
    found = sparse.evaluate(csr_array(NEW))[:, np.argsort(sparse.centre_rows, kind="stable")]
    assert_allclose(found, dense.evaluate(NEW)[:, np.argsort(dense.centre_rows, kind="stable")])


def test_the_order_of_widths_and_widths_given_twice_do_not_matter():
    columns = GaussianKernel(WIDTHS).bind(X, WEIGHT)
    other = GaussianKernel((4.0, 0.5, 2, 0.5, 1.0, 4.0)).bind(X, WEIGHT)
    assert_array_equal(other.evaluate(NEW), columns.evaluate(NEW))


def test_names_of_several_widths():
    columns = GaussianKernel([2.0, 1.0], centres=X[:2]).bind(X, WEIGHT)
    assert columns.names(["a", "b", "c"]) == [
        "gaussiankernel(0, width x 1)",
        "gaussiankernel(1, width x 1)",
        "gaussiankernel(0, width x 2)",
        "gaussiankernel(1, width x 2)",
    ]


@over_types
def test_keeping_columns_of_several_widths(kind):
    columns = kind(WIDTHS).bind(X, WEIGHT)
    active = np.array([30, 2, 17, 8, 35])
    chosen = columns.evaluate(NEW)[:, active]
    assert_allclose(columns.evaluate(NEW, active), chosen)
    assert_allclose(columns.keep(active).evaluate(NEW), chosen)
    assert_array_equal(columns.keep(active).centre_rows, columns.centre_rows[active])
    names = columns.names("abc")
    assert columns.keep(active).names("abc") == [names[i] for i in active]
    assert columns.keep(active[:0]).evaluate(NEW).shape == (6, 0)


@over_types
def test_slope_of_several_widths(kind):
    columns = kind(WIDTHS, input_scale=SCALE).bind(X, WEIGHT)
    formula, places = columns.formula, columns.items
    sensitivity = RANDOM.normal(size=(6, 36))
    found = formula.slope(NEW, places, sensitivity)
    log_gamma = np.log(formula.gamma)
    numeric = numeric_slope(lambda g: formula.at(np.exp(g))(NEW, places), log_gamma, sensitivity)
    assert_allclose(found, numeric, rtol=1e-7, atol=1e-9)


def test_learned_widths_keep_their_ratios():
    columns = GaussianKernel([3.0, 6.0], input_scale="learn").bind(X, WEIGHT)
    moved = columns.rescaled(np.log(GAMMA))
    narrow, wide = np.split(moved.evaluate(NEW), 2, axis=1)
    one = gaussian(GAMMA).bind(X, WEIGHT).evaluate(NEW)
    assert_allclose(narrow, one, rtol=1e-12)
    assert_allclose(wide, one**0.25, rtol=1e-12)


@over_types
def test_the_smallest_width_stands_for_all(kind):
    columns = kind([3.0, 6.0], input_scale="learn").bind(X, WEIGHT)
    few = columns.subset(100)
    one = kind(input_scale="learn").bind(X, WEIGHT)
    assert few.positive_definite
    assert_allclose(few.evaluate(NEW), one.evaluate(NEW), rtol=1e-12)
    assert_array_equal(few.log_scales, one.log_scales)
    assert_allclose(few.scale_gradient(NEW, D), one.scale_gradient(NEW, D))


# a model of several widths

LINE = np.linspace(-10.0, 10.0, 80)[:, None]
TWO_WIDTHS = np.sin(0.3 * LINE[:, 0]) + 2.0 * np.exp(-((LINE[:, 0] - 2.0) ** 2) / 0.5)
NOISY = TWO_WIDTHS + np.random.default_rng(1).normal(0.0, 0.05, 80)


def test_one_width_in_a_list_is_that_width():
    one = SparseBayesRegressor(GaussianKernel(2.0) + Bias(), inference="fast").fit(LINE, NOISY)
    listed = SparseBayesRegressor(GaussianKernel([2.0]) + Bias(), inference="fast").fit(LINE, NOISY)
    assert_allclose(listed.predict(LINE), one.predict(LINE), rtol=1e-10)
    assert_array_equal(listed.relevance_, one.relevance_)


def test_a_target_of_two_widths_needs_both():
    """Better than either alone, by the evidence and by the error."""
    bias = Bias(centre_target=False)
    both = SparseBayesRegressor(GaussianKernel([0.7, 7.0]) + bias, inference="fast").fit(
        LINE, NOISY
    )
    for width in (0.7, 7.0):
        one = SparseBayesRegressor(GaussianKernel(width) + bias, inference="fast").fit(LINE, NOISY)
        assert both.log_evidence_ > one.log_evidence_ + 10.0
        assert error(both) < 0.5 * error(one)
    kept = {name.split(", ")[-1] for name in both.column_names_ if "width" in name}
    assert kept == {"width x 1)", "width x 10)"}


def error(model):
    return np.mean((model.predict(LINE) - TWO_WIDTHS) ** 2)


def test_no_column_of_any_width_would_add_to_the_evidence():
    model = SparseBayesRegressor(GaussianKernel(WIDTHS) + Bias()).fit(LINE, NOISY)
    assert model.history_[-1].largest_gain <= model.tol
    assert len(model.weights_) < 30


def test_relevance_of_several_widths_are_rows():
    model = SparseBayesRegressor(GaussianKernel([0.7, 7.0]), fit_intercept=False).fit(LINE, NOISY)
    rows = [int(name.split("(")[1].split(",")[0]) for name in model.column_names_]
    assert_array_equal(model.relevance_, rows)
    assert np.all(np.diff(rows) >= 0)
    centres = model._model.columns.kinds[0].items.centres
    assert_array_equal(centres, LINE[model.relevance_])


def test_classes_over_several_widths():
    labels = (NOISY > 0.5).astype(int)
    model = SparseBayesClassifier(GaussianKernel([0.7, 7.0]) + Bias()).fit(LINE, labels)
    assert model.score(LINE, labels) > 0.95


# columns at other scales

SUM = (
    GaussianKernel(input_scale="learn")
    + Linear()
    + LaplacianKernel("learn")
    + Polynomial()
    + PolynomialKernel(2, "ard")
    + LinearKernel()
    + GaussianKernel(2.0)
    + SigmoidKernel("learn")
    + CauchyKernel([1.0, 3.0], input_scale="learn")
    + Bias()
)
N_SCALES = [3, 0, 1, 0, 3, 0, 0, 1, 3, 0]


def bound():
    return SUM.bind(X, WEIGHT)


def test_every_kernel_has_its_own_scales():
    columns = bound()
    assert [len(kind.log_scales) for kind in columns.kinds] == N_SCALES
    assert_array_equal(
        columns.log_scales, np.concatenate([kind.log_scales for kind in columns.kinds])
    )
    assert_array_equal(
        columns.log_spreads, np.concatenate([kind.log_spreads for kind in columns.kinds])
    )
    assert sum(kind.n_columns for kind in columns.kinds) == columns.n_columns


def test_kinds_of_a_sum_of_sums():
    nested = type(bound())((bound(), bound()))
    assert len(nested.kinds) == 20
    shifted = nested.rescaled(np.r_[bound().log_scales, bound().log_scales + 1.0])
    assert_allclose(shifted.parts[0].log_scales, bound().log_scales, rtol=1e-12)
    assert_allclose(shifted.parts[1].log_scales, bound().log_scales + 1.0, rtol=1e-12)


def test_scales_come_back_and_columns_with_them():
    columns = bound()
    log_scales = columns.log_scales + RANDOM.normal(size=11)
    moved = columns.rescaled(log_scales)
    assert_allclose(moved.log_scales, log_scales, rtol=1e-12)
    assert_array_equal(moved.log_spreads, columns.log_spreads)
    assert not np.allclose(moved.evaluate(NEW), columns.evaluate(NEW))
    back = moved.rescaled(columns.log_scales)
    assert_allclose(back.evaluate(NEW), columns.evaluate(NEW), rtol=1e-10)
    assert_array_equal(moved.centre_rows, columns.centre_rows)


def test_columns_without_a_scale_stay_as_they_are():
    columns = bound()
    moved = columns.rescaled(columns.log_scales + 1.0)
    for before, after, n_scales in zip(columns.kinds, moved.kinds, N_SCALES, strict=True):
        if n_scales == 0:
            assert after is before
        else:
            assert not np.allclose(before.evaluate(NEW), after.evaluate(NEW))


def test_rescaling_and_keeping_commute():
    columns = bound()
    active = np.sort(RANDOM.permutation(columns.n_columns)[:25])
    log_scales = columns.log_scales + RANDOM.normal(size=11)
    one = columns.rescaled(log_scales).keep(active)
    other = columns.keep(active).rescaled(log_scales)
    assert_array_equal(one.evaluate(NEW), other.evaluate(NEW))
    assert_allclose(other.log_scales, log_scales, rtol=1e-12)


@pytest.mark.parametrize("known", [False, True], ids=["", "known values"])
def test_gradient_for_the_scales_of_each_kind(known):
    for kind in bound().kinds:
        log_scales = kind.log_scales + 0.1
        columns = kind.rescaled(log_scales)
        values = columns.evaluate(NEW)
        sensitivity = RANDOM.normal(size=values.shape)
        found = columns.scale_gradient(NEW, sensitivity, values if known else None)
        ends = [
            [
                np.vdot(sensitivity, kind.rescaled(log_scales + h).evaluate(NEW))
                for h in (step, -step)
            ]
            for step in 1e-5 * np.eye(len(log_scales))
        ]
        assert_allclose(found, [(up - down) / 2e-5 for up, down in ends], rtol=1e-6, atol=1e-8)


def test_gradient_of_no_columns():
    columns = bound()
    none = np.empty(0, dtype=int)
    for kind in columns.kinds:
        found = kind.keep(none[:0]).scale_gradient(NEW, np.empty((6, 0)))
        assert_array_equal(found, np.zeros(len(kind.log_scales)))
    assert_array_equal(columns.keep(none).rescaled(columns.log_scales).evaluate(NEW).shape, (6, 0))


def test_a_subset_has_few_of_each_kernel_and_all_plain_columns():
    for kind in bound().kinds:
        few = kind.subset(4)
        if kind.centre_rows[0] == NO_ROW:
            assert few is kind
            continue
        assert few.n_columns == 4
        assert_array_equal(few.log_scales, kind.log_scales)
        assert_array_equal(few.log_spreads, kind.log_spreads)
        where = [list(kind.centre_rows).index(row) for row in few.centre_rows]
        assert_allclose(few.evaluate(NEW), kind.evaluate(NEW)[:, where], rtol=1e-12)
        assert kind.subset(1000).n_columns == len(np.unique(kind.centre_rows))


# resolved


@pytest.mark.parametrize(
    "basis",
    [
        GaussianKernel(),
        GaussianKernel("learn"),
        GaussianKernel(input_scale="learn"),
        GaussianKernel("learn", input_scale=SCALE),
        GaussianKernel([1.0, 2.0, 1.0]),
        GaussianKernel([1.0, 2.0], input_scale="learn"),
        CauchyKernel([1.0, 2.0], input_scale=SCALE),
        LaplacianKernel([1.0, 2.0], input_scale="learn"),
        LaplacianKernel("learn"),
        PolynomialKernel(gamma="ard"),
        SigmoidKernel(gamma="learn"),
        SUM,
    ],
    ids=lambda basis: str(basis)[:40],
)
def test_a_resolved_basis_makes_the_same_columns_and_has_nothing_to_learn(basis):
    columns = basis.bind(X, WEIGHT)
    columns = columns.rescaled(columns.log_scales + RANDOM.normal(size=len(columns.log_scales)))
    resolved = basis.resolved(columns)
    again = resolved.bind(X, WEIGHT)
    assert_allclose(again.evaluate(NEW), columns.evaluate(NEW), rtol=1e-10)
    assert len(again.log_scales) == 0
    assert again.names("abc") == columns.names("abc")
    twice = resolved.resolved(again).bind(X, WEIGHT)
    assert_allclose(twice.evaluate(NEW), columns.evaluate(NEW), rtol=1e-10)
