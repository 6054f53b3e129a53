"""The bases: formulas, widths, centres, names, errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, csr_matrix
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics import pairwise

from sparsebayes import RVR
from sparsebayes.basis import KERNELS as BY_KEYWORD
from sparsebayes.basis import (
    Bias,
    CallableKernel,
    CauchyKernel,
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
    SigmoidKernel,
)
from sparsebayes.basis.kernel import (
    CentreBudget,
    automatic_number,
    input_variances,
    squared_width,
)
from sparsebayes.basis.usual import usual_inputs, weighted_quantile

RANDOM = np.random.default_rng(0)
INPUTS = RANDOM.normal(size=(7, 3)) * (RANDOM.random((7, 3)) < 0.6)
NEW = RANDOM.normal(size=(5, 3)) * (RANDOM.random((5, 3)) < 0.6)
ONES = np.ones(len(INPUTS))
MEAN, MEAN_SQUARE = INPUTS.mean(axis=0), np.mean(INPUTS**2, axis=0)


def spline(x, c):
    """[T01] (29) for one input."""
    least = min(x, c)
    return 1 + x * c + x * c * least - (x + c) / 2 * least**2 + least**3 / 3


def matern32(distance):
    """nu = 3/2."""
    return (1.0 + np.sqrt(3.0) * distance) * np.exp(-np.sqrt(3.0) * distance)


def matern52(distance):
    """nu = 5/2."""
    polynomial = 1.0 + np.sqrt(5.0) * distance + 5.0 / 3.0 * distance**2
    return polynomial * np.exp(-np.sqrt(5.0) * distance)


# One pair of points at a time, straight from the definitions.
PAIRWISE = {
    "gaussian": (GaussianKernel(2.0), lambda x, c: np.exp(-np.sum((x - c) ** 2) / 2.0**2)),
    "cauchy": (CauchyKernel(2.0), lambda x, c: 1 / (1 + np.sum((x - c) ** 2) / 2.0**2)),
    "laplacian": (LaplacianKernel(2.0), lambda x, c: np.exp(-np.sum(np.abs(x - c)) / 2.0)),
    "matern12": (Matern12Kernel(2.0), lambda x, c: np.exp(-np.linalg.norm(x - c) / 2.0)),
    "matern32": (Matern32Kernel(2.0), lambda x, c: matern32(np.linalg.norm(x - c) / 2.0)),
    "matern52": (Matern52Kernel(2.0), lambda x, c: matern52(np.linalg.norm(x - c) / 2.0)),
    "linear": (LinearKernel(), lambda x, c: np.sum(x * c)),
    "linear, unit": (LinearKernel(scaling="unit"), lambda x, c: np.sum(x * c / MEAN_SQUARE)),
    "linear, standard": (
        LinearKernel(scaling="standard"),
        lambda x, c: np.sum((x - MEAN) * (c - MEAN) / INPUTS.var(axis=0)),
    ),
    "poly": (PolynomialKernel(4, 0.5, 0.3), lambda x, c: (0.5 * np.sum(x * c) + 0.3) ** 4),
    "sigmoid": (SigmoidKernel(0.5, -0.3), lambda x, c: np.tanh(0.5 * np.sum(x * c) - 0.3)),
    "spline": (LinearSplineKernel(), lambda x, c: np.prod([*map(spline, x, c)])),
    "callable": (CallableKernel(pairwise.chi2_kernel), None),
}
KERNELS = [kernel for kernel, _ in PAIRWISE.values()]
PAIRS = [(kernel, pair) for kernel, pair in PAIRWISE.values() if pair]
SCIKIT_LEARN = [
    (GaussianKernel(2.0), lambda x, c: pairwise.rbf_kernel(x, c, gamma=0.25)),
    (LaplacianKernel(2.0), lambda x, c: pairwise.laplacian_kernel(x, c, gamma=0.5)),
    (Matern12Kernel(2.0), Matern(2.0, nu=0.5)),
    (Matern32Kernel(2.0), Matern(2.0, nu=1.5)),
    (Matern52Kernel(2.0), Matern(2.0, nu=2.5)),
    (LinearKernel(), pairwise.linear_kernel),
    (PolynomialKernel(2, 0.5, 0.3), lambda x, c: pairwise.polynomial_kernel(x, c, 2, 0.5, 0.3)),
    (SigmoidKernel(0.5, -0.3), lambda x, c: pairwise.sigmoid_kernel(x, c, 0.5, -0.3)),
]
TAKE_SPARSE = [kernel for kernel in KERNELS if kernel.accepts_sparse]


def kind(part):
    return type(part).__name__ if hasattr(part, "bind") else None


def design(basis, inputs=INPUTS, new=NEW, weight=None):
    """The columns that the basis makes of `inputs`, on `new`."""
    weight = np.ones(inputs.shape[0]) if weight is None else weight
    return basis.bind(inputs, weight).evaluate(new)


# formulas


@pytest.mark.parametrize(("kernel", "pair"), PAIRS, ids=kind)
def test_a_kernel_is_its_formula_at_every_pair(kernel, pair):
    columns = kernel.bind(INPUTS, ONES)
    expected = [[pair(x, INPUTS[row]) for row in columns.centre_rows] for x in NEW]
    assert_allclose(columns.evaluate(NEW), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("kernel", "reference"), SCIKIT_LEARN, ids=kind)
def test_a_kernel_agrees_with_scikit_learn(kernel, reference):
    columns = kernel.bind(INPUTS, ONES)
    expected = reference(NEW, INPUTS[columns.centre_rows])
    assert_allclose(columns.evaluate(NEW), expected, rtol=1e-12, atol=1e-15)


def test_a_callable_kernel_is_called_with_inputs_and_centres():
    kernel = CallableKernel(lambda x, c: np.add.outer(x[:, 0], 10 * c[:, 1]))
    columns = kernel.bind(INPUTS, ONES)
    expected = NEW[:, :1] + 10 * INPUTS[columns.centre_rows, 1]
    assert_allclose(columns.evaluate(NEW), expected, rtol=1e-15)


def test_a_precomputed_kernel_takes_columns_of_the_inputs():
    gram = pairwise.rbf_kernel(INPUTS)
    columns = PrecomputedKernel().bind(gram, ONES)
    new = pairwise.rbf_kernel(NEW, INPUTS)
    assert_array_equal(columns.evaluate(new), new[:, columns.centre_rows])
    assert_array_equal(np.sort(columns.centre_rows), np.arange(len(INPUTS)))


def test_plain_columns():
    assert_array_equal(design(Bias()), np.ones((5, 1)))
    assert_array_equal(design(Linear()), NEW)
    assert_array_equal(design(GivenColumns(np.cos)), np.cos(NEW))


def test_polynomial_has_all_products_up_to_its_degree():
    a, b = NEW[:, 0], NEW[:, 1]
    columns = Polynomial(degree=3).bind(INPUTS[:, :2], ONES)
    products = [a, b, a * a, a * b, b * b, a**3, a * a * b, a * b * b, b**3]
    assert_allclose(columns.evaluate(NEW[:, :2]), np.transpose(products), rtol=1e-14)
    assert columns.names(["a", "b"]) == [
        *("a", "b", "a^2", "a b", "b^2", "a^3", "a^2 b", "a b^2", "b^3")
    ]


# sparse inputs


@pytest.mark.parametrize("sparse", [csr_matrix, csr_array])
@pytest.mark.parametrize("kernel", [*TAKE_SPARSE, Bias(), Linear(), Linear() + Bias()], ids=kind)
def test_sparse_inputs_give_what_dense_ones_give(kernel, sparse):
    dense = kernel.bind(INPUTS, ONES)
    as_sparse = kernel.bind(sparse(INPUTS), ONES)
    order = np.argsort(as_sparse.centre_rows, kind="stable")
    expected = dense.evaluate(NEW)[:, np.argsort(dense.centre_rows, kind="stable")]
    for new in NEW, sparse(NEW):
        found = as_sparse.evaluate(new)
        assert isinstance(found, np.ndarray)
        assert_allclose(found[:, order], expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kernel", TAKE_SPARSE, ids=kind)
def test_dense_centres_take_sparse_inputs(kernel):
    columns = kernel.bind(INPUTS, ONES)
    assert_allclose(columns.evaluate(csr_array(NEW)), columns.evaluate(NEW), rtol=1e-12, atol=1e-14)


def test_what_needs_single_inputs_does_not_take_sparse_ones():
    refusing = [LaplacianKernel(), LinearSplineKernel(), CallableKernel(min), PrecomputedKernel()]
    refusing += [Polynomial(), GivenColumns(np.cos)]
    assert not any(basis.accepts_sparse for basis in refusing)
    assert not any((basis + Linear()).accepts_sparse for basis in refusing)
    assert (GaussianKernel() + Linear() + Bias()).accepts_sparse


def test_squared_distances_between_equal_sparse_rows_are_never_negative():
    inputs = csr_array(RANDOM.normal(size=(50, 4)))
    assert design(GaussianKernel(1e-3), inputs, inputs).max() <= 1.0


# widths


WIDTHS = [
    (GaussianKernel, np.var, lambda spread, d: 1 / (d * spread)),
    (CauchyKernel, np.var, lambda spread, d: 1 / (d * spread)),
    (PolynomialKernel, np.var, lambda spread, d: 1 / (d * spread)),
    (SigmoidKernel, np.var, lambda spread, d: 1 / (d * spread)),
    (LaplacianKernel, np.std, lambda spread, d: 1 / (d * spread)),
]


@pytest.mark.parametrize(("kernel", "spread", "gamma"), WIDTHS)
def test_scale_is_the_spread_of_all_inputs(kernel, spread, gamma):
    assert_allclose(kernel().resolve_gamma(INPUTS, ONES), gamma(spread(INPUTS), 3), rtol=1e-12)


@pytest.mark.parametrize("kernel", [row[0] for row in WIDTHS])
def test_auto_is_one_over_the_number_of_inputs(kernel):
    name = "width" if "width" in kernel().get_params() else "gamma"
    assert_allclose(kernel(**{name: "auto"}).resolve_gamma(INPUTS, ONES), 1 / 3, rtol=1e-15)


@pytest.mark.parametrize("inputs", [INPUTS, csr_array(INPUTS)], ids=["dense", "sparse"])
@pytest.mark.parametrize("kernel", [GaussianKernel(), PolynomialKernel()], ids=kind)
def test_scale_counts_a_row_of_weight_two_twice(kernel, inputs):
    weight = np.array([2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 1.0])
    repeated = np.repeat(INPUTS, weight.astype(int), axis=0)
    expected = kernel.resolve_gamma(repeated, np.ones(len(repeated)))
    assert_allclose(kernel.resolve_gamma(inputs, weight), expected, rtol=1e-12)


def test_scale_of_constant_inputs_is_one():
    assert GaussianKernel().resolve_gamma(np.full((4, 2), 3.0), np.ones(4)) == 1.0


@pytest.mark.parametrize("kind_of_array", [np.asarray, csr_array])
def test_scale_does_not_depend_on_an_offset(kind_of_array):
    moved = kind_of_array(INPUTS + 1e6)
    expected = GaussianKernel().resolve_gamma(INPUTS, ONES)
    assert_allclose(GaussianKernel().resolve_gamma(moved, ONES), expected, rtol=1e-6)


# usual values


MANY = np.random.default_rng(5).normal(size=(101, 3)) * [1.0, 1e-3, 1e4] + [0.0, 5.0, 0.0]
PARTS = pytest.mark.parametrize("part", [0.01, 0.1, 0.25, 0.5, 0.75, 1.0])


@PARTS
@pytest.mark.parametrize("n_rows", [1, 2, 3, 4, 101])
def test_a_quantile_of_equal_weights_is_that_of_numpy(part, n_rows):
    expected = np.quantile(MANY[:n_rows], part, axis=0, method="inverted_cdf")
    assert_array_equal(weighted_quantile(MANY[:n_rows], np.ones(n_rows), part), expected)


@PARTS
@pytest.mark.parametrize("unit", [1.0, 0.1, 1e-9])
def test_a_quantile_counts_rows_by_their_weight(part, unit):
    """Relative to each other: a weight of two is the row twice."""
    times = np.arange(101) % 4
    repeated = np.repeat(MANY, times, axis=0)
    expected = weighted_quantile(repeated, np.ones(len(repeated)), part)
    assert_array_equal(weighted_quantile(MANY, unit * times, part), expected)


def test_values_that_are_not_extreme_stay_as_they_are():
    assert_array_equal(usual_inputs(MANY, np.ones(101)), MANY)


@pytest.mark.parametrize("code", [-999.0, 1e9, -1e300])
def test_codes_in_a_few_rows_do_not_matter(code):
    """They become values at the end of five interquartile ranges, whatever they are."""
    coded = MANY.copy()
    coded[[3, 50, 77], 0] = code
    found = usual_inputs(coded, np.ones(101))
    assert_array_equal(np.delete(found, [3, 50, 77], axis=0), np.delete(MANY, [3, 50, 77], axis=0))
    assert_array_equal(found[:, 1:], MANY[:, 1:])
    assert 5.0 < np.abs(found[[3, 50, 77], 0]).max() < 9.0
    as_far = MANY.copy()
    as_far[[3, 50, 77], 0] = 2.0 * code
    assert_allclose(usual_inputs(as_far, np.ones(101)), found, rtol=1e-12)


def test_extreme_values_are_those_of_rows_counted_by_weight():
    times = np.arange(101) % 4
    coded = MANY.copy()
    coded[[3, 50, 77], 0] = -999.0
    repeated = np.repeat(coded, times, axis=0)
    found = usual_inputs(coded, 1.0 * times)
    expected = usual_inputs(repeated, np.ones(len(repeated)))
    assert_array_equal(np.repeat(found, times, axis=0), expected)


@pytest.mark.parametrize(
    "values",
    [np.full(101, 3.0), np.arange(101) == 7, np.where(np.arange(101) < 80, 0.0, 1e6)],
    ids=["constant", "one that differs", "mostly constant"],
)
def test_inputs_of_which_half_are_equal_stay_as_they_are(values):
    inputs = np.column_stack([values, MANY])
    assert_array_equal(usual_inputs(inputs, np.ones(101)), inputs)


@pytest.mark.parametrize("n_ones", [1, 2, 3, 12])
def test_the_ones_of_a_dummy_are_usual_and_codes_beside_them_are_not(n_ones):
    dummy = np.where(np.arange(101) < n_ones, 1.0, 0.0)[:, None]
    assert_array_equal(usual_inputs(dummy, np.ones(101)), dummy)
    coded = dummy.copy()
    coded[50:53] = -999.0
    assert usual_inputs(coded, np.ones(101)).min() == (-6.5 if n_ones == 12 else -999.0)


def test_sparse_inputs_are_moved_inwards_as_arrays_are():
    parts = np.arange(1, 9) / 8.5
    random = np.random.default_rng(0)
    inputs = random.normal(size=(101, 8)) * (random.random((101, 8)) < parts)
    inputs[:, 4] += 1e6 * (inputs[:, 4] != 0.0)
    inputs[3:5] = -999.0, *np.zeros(7)
    inputs[7, 2] = 1e9
    weight = 1.0 + np.arange(101) % 3
    found = usual_inputs(csr_array(inputs), weight)
    assert_array_equal(found.toarray(), usual_inputs(inputs, weight))
    assert found.max() < 2e6


@pytest.mark.parametrize("constant", [0.0, 0.1, 1 / 3, 3.3, 1e9, -7e-5])
@pytest.mark.parametrize("form", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_a_constant_has_no_variance_at_all(constant, form):
    for n_rows in range(2, 70):
        inputs = np.column_stack([np.full(n_rows, constant), np.arange(n_rows)])
        weight = 1.0 + np.arange(n_rows) % 3
        assert input_variances(form(inputs), weight)[0] == 0.0
        assert squared_width(form(inputs[:, :1]), weight) == 1.0


def test_the_inputs_themselves_do_not_change():
    coded = MANY.copy()
    coded[3, 0] = -999.0
    before = coded.copy()
    usual_inputs(coded, np.ones(101))
    assert_array_equal(coded, before)


# scaled inputs of a linear kernel


SCALINGS = ("unit", "standard")
over_scalings = pytest.mark.parametrize("scaling", SCALINGS)


@over_scalings
def test_a_scaled_linear_kernel_does_not_depend_on_units(scaling):
    units = np.array([1e-9, 1.0, 1e7])
    kernel = LinearKernel(scaling=scaling)
    moved = units * [3.0, 0.0, -2.0] if scaling == "standard" else 0.0
    found = kernel.formula(INPUTS * units + moved, ONES)(
        NEW * units + moved, INPUTS * units + moved
    )
    assert_allclose(found, kernel.formula(INPUTS, ONES)(NEW, INPUTS), rtol=1e-9, atol=1e-12)


@over_scalings
@pytest.mark.parametrize("form", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_a_scaled_linear_kernel_counts_a_row_of_weight_two_twice(scaling, form):
    weight = np.array([2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 1.0])
    repeated = np.repeat(INPUTS, weight.astype(int), axis=0)
    kernel = LinearKernel(scaling=scaling)
    expected = kernel.formula(repeated, np.ones(len(repeated)))(NEW, INPUTS)
    found = kernel.formula(form(INPUTS), weight)(form(NEW), form(INPUTS))
    assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@over_scalings
def test_the_mean_variance_of_a_scaled_linear_kernel_is_the_number_of_inputs(scaling):
    formula = LinearKernel(scaling=scaling).formula(INPUTS, ONES)
    assert_allclose(formula.at_itself(INPUTS).mean(), INPUTS.shape[1], rtol=1e-12)


@pytest.mark.parametrize("constant", [0.0, 0.1, -1e6, 1e-9])
@pytest.mark.parametrize("form", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_a_constant_input_is_nothing_to_a_standard_linear_kernel(constant, form):
    """Not even the rounding of its mean, which is all that varies."""
    beside = np.column_stack([INPUTS, np.full(len(INPUTS), constant)])
    kernel = LinearKernel(scaling="standard")
    found = kernel.formula(form(beside), ONES)(form(beside), form(beside))
    assert_allclose(found, kernel.formula(INPUTS, ONES)(INPUTS, INPUTS), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("constant", [0.1, -1e6, 1e-9])
def test_a_constant_input_is_a_constant_to_a_unit_linear_kernel(constant):
    beside = np.column_stack([INPUTS, np.full(len(INPUTS), constant)])
    kernel = LinearKernel(scaling="unit")
    expected = 1.0 + kernel.formula(INPUTS, ONES)(INPUTS, INPUTS)
    assert_allclose(kernel.formula(beside, ONES)(beside, beside), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("constant", [3.0, -1e6, 1e-9])
def test_inputs_that_are_all_constant_are_as_many_constants_to_a_unit_linear_kernel(constant):
    inputs = np.full((4, 2), constant)
    formula = LinearKernel(scaling="unit").formula(inputs, np.ones(4))
    assert_allclose(formula(inputs, inputs), np.full((4, 4), 2.0), rtol=1e-12)


@over_scalings
def test_inputs_that_are_all_zero_make_a_linear_kernel_of_zeros(scaling):
    zeros = np.zeros((4, 2))
    formula = LinearKernel(scaling=scaling).formula(zeros, np.ones(4))
    assert_array_equal(formula(zeros, zeros), np.zeros((4, 4)))


@over_scalings
@pytest.mark.parametrize("size", [1e-200, 1e-160, 1e-140, 1e140])
def test_an_input_of_an_odd_size_is_nothing_or_one_of_the_others(scaling, size):
    beside = np.column_stack([INPUTS[:, :2], size * INPUTS[:, 2]])
    kernel = LinearKernel(scaling=scaling)
    found = kernel.formula(beside, ONES)(beside, beside)
    some = INPUTS if size >= 1e-140 else INPUTS[:, :2]
    assert_allclose(found, kernel.formula(some, ONES)(some, some), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("offset", [1e6, -1e6])
def test_an_offset_does_not_cost_a_standard_linear_kernel_digits(offset):
    """But those that the inputs themselves have lost."""
    kernel = LinearKernel(scaling="standard")
    moved, new = INPUTS + offset, NEW + offset
    expected = kernel.formula(moved - offset, ONES)(new - offset, moved - offset)
    formula = kernel.formula(moved, ONES)
    assert_allclose(formula(new, moved), expected, rtol=1e-8, atol=1e-8)
    assert_allclose(formula(moved, moved), formula(moved, moved.copy()), rtol=1e-12, atol=1e-12)
    length = np.diag(kernel.formula(moved - offset, ONES)(new - offset, new - offset))
    assert_allclose(formula.at_itself(new), length, rtol=1e-8)


# centres


def test_centres_are_the_distinct_rows_of_positive_weight():
    inputs = np.array([[1.0], [0.0], [1.0], [2.0], [0.0], [3.0]])
    weight = np.array([1.0, 0.0, 2.0, 1.0, 0.5, 0.0])
    for rows in inputs, csr_array(inputs):
        columns = GaussianKernel(1.0).bind(rows, weight)
        assert sorted(columns.centre_rows) == [0, 3, 4]
        items = columns.items.toarray() if hasattr(columns.items, "toarray") else columns.items
        assert_array_equal(items, inputs[columns.centre_rows])


def test_distinct_sparse_rows_do_not_depend_on_how_they_are_stored():
    tidy = csr_array(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]]))
    messy = csr_array(([0.5, 0.5, 1.0, 0.0, 2.0], [0, 0, 0, 1, 1], [0, 2, 4, 5]), shape=(3, 2))
    for rows in tidy, messy:
        assert GaussianKernel(1.0).bind(rows, np.ones(3)).n_columns == 2


def test_the_order_of_the_centres_does_not_depend_on_that_of_the_rows():
    shuffled = RANDOM.permutation(len(INPUTS))
    assert_array_equal(
        GaussianKernel(1.0).bind(INPUTS, ONES).items,
        GaussianKernel(1.0).bind(INPUTS[shuffled], ONES).items,
    )


@pytest.mark.parametrize("given", [INPUTS[:2], INPUTS[:2].tolist(), csr_array(INPUTS[:2])])
def test_given_centres_replace_the_training_rows(given):
    columns = GaussianKernel(1.0, centres=given).bind(NEW, np.ones(len(NEW)))
    assert_allclose(columns.evaluate(NEW), pairwise.rbf_kernel(NEW, INPUTS[:2], 1.0), rtol=1e-12)
    assert_array_equal(columns.centre_rows, [0, 1])


def test_the_default_number_of_centres():
    assert [automatic_number(n) for n in (10, 4000, 4001, 16_000, 10**6)] == [
        *(10, 4000, 2000, 1250, 1000)
    ]
    budget = CentreBudget(all_rows=5, kernel_values=60, fewest=2, most=4)
    assert [automatic_number(n, budget) for n in (5, 6, 20, 100)] == [5, 4, 3, 2]


# keywords


def test_kernels_are_found_by_the_words_of_svr():
    found = {word: kernel.__name__ for word, kernel in BY_KEYWORD.items()}
    assert found == {
        "rbf": "GaussianKernel",
        "linear": "LinearKernel",
        "poly": "PolynomialKernel",
        "sigmoid": "SigmoidKernel",
        "precomputed": "PrecomputedKernel",
        "laplacian": "LaplacianKernel",
        "cauchy": "CauchyKernel",
        "effects": "EffectsKernel",
        "linear_spline": "LinearSplineKernel",
        "matern12": "Matern12Kernel",
        "matern32": "Matern32Kernel",
        "matern52": "Matern52Kernel",
    }


@pytest.mark.parametrize("word", BY_KEYWORD)
def test_a_kernel_from_the_parameters_of_svr(word):
    kernel = BY_KEYWORD[word].from_svm_parameters(0.25, 2, 0.5, None)
    assert kernel.keyword == word
    expected = {"width": 4.0 if word == "laplacian" else 2.0, "gamma": 0.25, "degree": 2}
    expected |= {"coef0": 0.5, "centres": None, "input_scale": None, "scaling": None}
    expected["scales"] = "learn"
    assert kernel.get_params() == {name: expected[name] for name in kernel.get_params()}


def test_an_unknown_word_is_answered_with_all_that_are_known():
    known = "'auto', 'cauchy', 'effects', 'laplacian', 'linear', 'linear_spline', 'matern12', "
    with pytest.raises(ValueError, match=f"kernel must be a function or one of {known}"):
        RVR(kernel="gaussian").fit(INPUTS, ONES)


# names


def test_names():
    basis = GaussianKernel(1.0) + Linear() + Polynomial() + GivenColumns(np.cos) + Bias()
    columns = basis.bind(np.array([[2.0], [1.0]]), np.ones(2))
    assert columns.names(["dose"]) == [
        *("gaussiankernel(1)", "gaussiankernel(0)", "dose", "dose", "dose^2", "given(0)", "bias")
    ]
    assert columns.names(["dose"])[0] == f"gaussiankernel({columns.centre_rows[0]})"


# errors


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, "wide", None, True])
@pytest.mark.parametrize("kernel", [row[0] for row in WIDTHS])
def test_bad_widths(kernel, value):
    name = "width" if "width" in kernel().get_params() else "gamma"
    with pytest.raises(ValueError, match=f"{name} must be .* positive number, got"):
        kernel(**{name: value}).bind(INPUTS, ONES)


@pytest.mark.parametrize("centres", [np.ones((2, 4)), np.ones(3), np.empty((0, 3))])
def test_bad_centres(centres):
    expected = r"centres of GaussianKernel must be .* \(n_centres, 3\).*got "
    with pytest.raises(ValueError, match=expected):
        GaussianKernel(centres=centres).bind(INPUTS, ONES)


@pytest.mark.parametrize("scaling", ["", "Unit", "none", 1, True, np.nan])
def test_bad_scaling(scaling):
    expected = "scaling must be None or one of 'unit', 'standard', got "
    with pytest.raises(ValueError, match=expected):
        LinearKernel(scaling=scaling).bind(INPUTS, ONES)


@pytest.mark.parametrize("degree", [0, -1, 1.5, "two", None])
def test_bad_degree(degree):
    with pytest.raises(ValueError, match=r"degree of Polynomial must be an integer .*, got"):
        Polynomial(degree).bind(INPUTS, ONES)


def test_a_callable_kernel_of_the_wrong_shape():
    columns = CallableKernel(lambda x, c: np.ones(3)).bind(INPUTS, ONES)
    with pytest.raises(ValueError, match=r"kernel function .* \(3,\) .*expected shape \(5, 7\)"):
        columns.evaluate(NEW)


@pytest.mark.parametrize(
    "function", [lambda x: np.ones(len(x)), lambda x: np.ones((len(x) + 1, 2)), np.sum]
)
def test_given_columns_of_the_wrong_shape(function):
    with pytest.raises(ValueError, match=r"GivenColumns .* expected \(7, n_columns of 1 or more\)"):
        GivenColumns(function).bind(INPUTS, ONES)


def test_given_columns_whose_number_depends_on_the_rows():
    columns = GivenColumns(lambda x: np.ones((len(x), len(x)))).bind(INPUTS, ONES)
    with pytest.raises(ValueError, match=r"GivenColumns .* shape \(5, 5\) .* expected \(5, 7\)"):
        columns.evaluate(NEW)


def test_a_precomputed_kernel_that_is_not_square():
    with pytest.raises(ValueError, match=r"precomputed .* square matrix .* got shape \(7, 3\)"):
        PrecomputedKernel().bind(INPUTS, ONES)


def test_only_bases_add():
    with pytest.raises(TypeError, match="unsupported operand"):
        Bias() + 1
