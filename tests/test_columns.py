"""Bound columns: formulas by name, functions of the user, even subsets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.gaussian_process.kernels import RBF, DotProduct

from sparsebayes import RVR, SparseBayesRegressor
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
    ProcessKernel,
    SigmoidKernel,
)
from sparsebayes.columns import (
    NO_ROW,
    Columns,
    Formula,
    JoinedColumns,
    KernelTable,
    identity_columns,
    spread,
    without_bias,
)
from sparsebayes.columns.definitions import DEFINITIONS

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(8, 3))
NEW = RANDOM.normal(size=(5, 3))
WEIGHT = np.ones(8)


# formulas


def test_columns_can_be_made_from_names_and_numbers():
    formula = Formula("polynomial", 0.5, {"coef0": 1.0, "degree": 2})
    columns = Columns(formula, X, np.arange(8), "mykernel")
    assert_allclose(columns.evaluate(NEW), (0.5 * NEW @ X.T + 1.0) ** 2, rtol=1e-12)
    assert columns.names("abc")[7] == "mykernel(7)"


def test_a_formula_without_a_definition():
    with pytest.raises(ValueError, match=r"name .* one of 'gaussian', .*, got 'gausian'"):
        Formula("gausian", 1.0)


LINEAR = {
    "standard_linear": LinearKernel(scaling="standard"),
    "linear": LinearKernel(),
    "constant": Bias(),
    "inputs": Linear(),
}


def test_linear_formulas_are_those_with_a_gradient():
    assert {name for name in DEFINITIONS if Formula(name).definition.gradient is not None} == set(
        LINEAR
    )


@pytest.mark.parametrize("basis", LINEAR.values(), ids=LINEAR)
@pytest.mark.parametrize("inputs", [X, csr_array(X)], ids=["dense", "sparse"])
def test_the_gradient_of_linear_columns_is_how_they_change(basis, inputs):
    columns = basis.bind(inputs, WEIGHT)
    step = columns.evaluate(np.eye(3)) - columns.evaluate(np.zeros((1, 3)))
    features = np.array([2, 0])
    assert_allclose(columns.gradient(features), step[features], atol=1e-15)
    few = columns.keep(np.array([0]))
    assert_allclose(few.gradient(features), step[features][:, :1], atol=1e-15)


def test_only_inputs_are_inputs():
    assert_array_equal(Formula("inputs").own_inputs(np.array([4, 1])), [4, 1])
    assert Formula("constant").own_inputs(np.zeros(1)) is None


@pytest.mark.parametrize("name", [name for name in DEFINITIONS if not DEFINITIONS[name].slope])
def test_a_formula_without_gamma_has_no_slope(name):
    assert Formula(name).gamma is None
    with pytest.raises(ValueError, match=f"formula '{name}' has no slope, as it has no gamma"):
        Formula(name).slope(NEW, X, np.ones((5, 8)))


def test_identity_columns_are_the_inputs():
    columns = identity_columns(3)
    assert_array_equal(columns.evaluate(NEW), NEW)
    assert_array_equal(columns.evaluate(csr_array(NEW), np.array([2, 0])), NEW[:, [2, 0]])
    assert_array_equal(columns.centre_rows, [NO_ROW] * 3)


# centres


@pytest.mark.parametrize(
    "kernel",
    [GaussianKernel(1.0), GaussianKernel([1, 2]), LinearKernel(), LinearKernel(scaling="unit")],
)
def test_kernels_stand_on_their_centres(kernel):
    columns = kernel.bind(X, WEIGHT)
    assert_array_equal(columns.centres, X[columns.centre_rows])


@pytest.mark.parametrize("basis", [PrecomputedKernel(), Bias(), Linear(), GivenColumns(np.cos)])
def test_other_columns_have_no_centres(basis):
    assert basis.bind(X @ X.T, WEIGHT).centres is None


# functions of the user


def writing_kernel(inputs, centres):
    inputs -= 5.0
    centres -= 5.0
    return np.exp(-((inputs[:, None] - centres) ** 2).sum(axis=2))


def writing_columns(inputs):
    inputs *= 2.0
    return inputs


def test_a_kernel_function_that_writes_to_its_arguments_changes_nothing_else():
    inputs = X.copy()
    columns = CallableKernel(writing_kernel).bind(inputs, WEIGHT)
    first = columns.evaluate(inputs)
    assert_array_equal(columns.evaluate(inputs), first)
    assert_array_equal(inputs, X)
    assert_array_equal(columns.items, X[columns.centre_rows])
    assert_allclose(first, GaussianKernel(1.0).bind(X, WEIGHT).evaluate(X), rtol=1e-12)


def test_given_columns_that_write_to_their_argument_change_nothing_else():
    inputs = X.copy()
    columns = GivenColumns(writing_columns).bind(inputs, WEIGHT)
    assert_array_equal(columns.evaluate(inputs), 2.0 * X)
    assert_array_equal(inputs, X)


@pytest.mark.parametrize(
    "model",
    [
        RVR(kernel=writing_kernel, noise_std=0.1),
        SparseBayesRegressor(CallableKernel(writing_kernel) + GivenColumns(writing_columns)),
    ],
)
def test_fit_and_predict_with_a_function_that_writes(model):
    inputs, target = X.copy(), np.sin(X[:, 0])
    model.fit(inputs, target)
    first = model.predict(inputs)
    assert_array_equal(model.predict(inputs), first)
    assert_array_equal(inputs, X)


def test_the_relevance_vectors_of_a_function_that_writes_are_training_rows():
    model = RVR(kernel=writing_kernel, noise_std=0.1).fit(X, np.sin(X[:, 0]))
    model.predict(NEW)
    assert_array_equal(model.relevance_vectors_, X[model.relevance_])


# kernels at their own centres, and between inputs

KERNELS = {
    "gaussian": GaussianKernel(1.5),
    "gaussian, a scale each": GaussianKernel(input_scale=[0.1, 2.0, 0.0]),
    "cauchy": CauchyKernel(1.5),
    "laplacian": LaplacianKernel(1.5),
    "matern12": Matern12Kernel(1.5),
    "matern32": Matern32Kernel(1.5),
    "matern52, a scale each": Matern52Kernel(input_scale=[0.1, 2.0, 0.0]),
    "an object": ProcessKernel(RBF(0.7) + DotProduct()),
    "linear": LinearKernel(),
    "linear, unit": LinearKernel(scaling="unit"),
    "linear, standard": LinearKernel(scaling="standard"),
    "polynomial": PolynomialKernel(3, 0.5, coef0=0.7),
    "polynomial, a scale each": PolynomialKernel(2, [0.1, 2.0, 0.5], coef0=0.7),
    "sigmoid": SigmoidKernel(0.3, coef0=0.2),
    "linear spline": LinearSplineKernel(),
    "of the user": CallableKernel(lambda x, c: np.cos(x @ c.T) + x[:, :1]),
}
over_kernels = pytest.mark.parametrize("name", KERNELS)
OFTEN = np.random.default_rng(3).normal(size=(71, 3))


@over_kernels
@pytest.mark.parametrize("inputs", [X, OFTEN, OFTEN[:0]], ids=["few", "many", "none"])
def test_a_kernel_at_its_own_centre_is_the_diagonal(name, inputs):
    formula = KERNELS[name].bind(X, WEIGHT).formula
    found = formula.at_itself(inputs)
    assert found.shape == (len(inputs),)
    assert_allclose(found, np.diag(formula(inputs, inputs)), rtol=1e-12)


@pytest.mark.parametrize("name", [name for name in KERNELS if KERNELS[name].accepts_sparse])
def test_a_kernel_at_its_own_sparse_centre_is_the_diagonal(name):
    formula = KERNELS[name].bind(X, WEIGHT).formula
    inputs = np.where(np.abs(OFTEN) < 0.5, 0.0, OFTEN)
    expected = np.diag(formula(inputs, inputs))
    assert_allclose(formula.at_itself(csr_array(inputs)), expected, rtol=1e-12)


@over_kernels
def test_variance_and_values_of_columns_are_those_of_their_formula(name):
    columns = KERNELS[name].bind(X, WEIGHT)
    assert_allclose(columns.variance(NEW), np.diag(columns.formula(NEW, NEW)), rtol=1e-12)
    assert_array_equal(columns.between(NEW, X), columns.formula(NEW, X))
    expected = columns.formula(columns.items, columns.items)
    assert_array_equal(columns.between_items(), expected)


def test_which_formulas_fall_off_to_zero():
    """That of effects does not, but it has a constant of its own, as a process has."""
    assert {name for name in DEFINITIONS if DEFINITIONS[name].local} == {
        "gaussian",
        "cauchy",
        "matern12",
        "matern32",
        "matern52",
        "local_kernel_object",
        "laplacian",
        "effects",
    }
    for name in ("gaussian", "cauchy", "laplacian"):
        far = Formula(name, 1.0)(X, X + 1e8)
        assert np.abs(far).max() < 1e-7


# kernels that may be a covariance


def rbf(left, right):
    return np.exp(-((left[:, None] - right) ** 2).sum(axis=2))


COVARIANCES = {
    "rbf": rbf,
    "large": lambda x, c: 1e200 * rbf(x, c),
    "small": lambda x, c: 1e-200 * rbf(x, c),
    "of low rank": lambda x, c: x @ c.T,
    "with rounding": lambda x, c: rbf(x, c) + 1e-14 * np.sin(1e4 * x[:, :1]),
}
OTHERS = {
    "tanh": lambda x, c: np.tanh(x @ c.T - 1.0),
    "negative": lambda x, c: -rbf(x, c),
    "asymmetric": lambda x, c: rbf(x, c) + 1e-3 * x[:, :1],
    "nearly positive": lambda x, c: rbf(0.01 * x, 0.01 * c) - 1e-3 * x @ c.T,
    "zeros": lambda x, c: np.zeros((len(x), len(c))),
}


@pytest.mark.parametrize("function", COVARIANCES.values(), ids=COVARIANCES)
def test_a_function_that_is_a_covariance_is_known_when_tested(function):
    columns = CallableKernel(function).bind(X, WEIGHT)
    assert not columns.positive_definite
    found = columns.tested()
    assert found.positive_definite
    assert_array_equal(found.evaluate(NEW), columns.evaluate(NEW))


@pytest.mark.parametrize("function", OTHERS.values(), ids=OTHERS)
def test_a_function_that_is_no_covariance_stays_as_it_is(function):
    columns = CallableKernel(function).bind(X, WEIGHT)
    assert columns.tested() is columns


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_a_function_that_is_not_finite_is_named(value):
    columns = CallableKernel(lambda x, c: np.full((len(x), len(c)), value)).bind(X, WEIGHT)
    with pytest.raises(ValueError, match=r"kernel function .*lambda.* returned NaN or infinite"):
        columns.tested()


def test_some_centres_serve_for_the_test():
    shapes = []

    def watched(left, right):
        shapes.append((len(left), len(right)))
        return rbf(left, right)

    columns = CallableKernel(watched).bind(OFTEN, np.ones(71))
    assert columns.tested(most=10).positive_definite
    assert shapes == [(10, 10)]
    assert columns.tested(most=10).n_columns == 71


@pytest.mark.parametrize("name", ["gaussian", "sigmoid", "linear spline"])
def test_kernels_that_are_known_are_not_tested(name):
    columns = KERNELS[name].bind(X, WEIGHT)
    assert columns.tested() is columns


def test_no_columns_are_not_tested():
    none = CallableKernel(rbf).bind(X, WEIGHT).keep(np.empty(0, dtype=int))
    assert none.tested() is none


def test_joined_columns_are_tested_kind_by_kind():
    basis = CallableKernel(rbf) + SigmoidKernel(0.3) + CallableKernel(OTHERS["tanh"]) + Bias()
    columns = basis.bind(X, WEIGHT)
    found = columns.tested()
    assert [kind.positive_definite for kind in found.kinds] == [True, False, False, False]
    assert_array_equal(found.evaluate(NEW), columns.evaluate(NEW))


# kernels that are given


def test_a_given_kernel_of_one_variance_is_a_covariance():
    table = 3.0 * rbf(X, X)
    columns = PrecomputedKernel().bind(table, WEIGHT)
    assert not columns.positive_definite
    found = columns.tested()
    assert found.positive_definite
    across = 3.0 * rbf(NEW, X)
    assert_allclose(found.variance(across), np.full(5, 3.0), rtol=1e-12)
    assert_array_equal(found.evaluate(across), across[:, found.items])
    assert_array_equal(found.between_items(), table[np.ix_(found.items, found.items)])
    assert_array_equal(found.between(table[[3, 1]], table[:4]), table[np.ix_([3, 1], range(4))])


@pytest.mark.parametrize(
    "table",
    [X @ X.T, rbf(X, X) + np.diag(np.arange(8.0)), np.tanh(X @ X.T), rbf(X, X) - 0.9],
    ids=["products", "another variance", "not definite", "negative eigenvalue"],
)
def test_a_given_kernel_of_several_variances_or_not_definite_stays_as_it_is(table):
    columns = PrecomputedKernel().bind(table, WEIGHT)
    assert columns.tested() is columns


def test_a_given_kernel_does_not_keep_its_table_for_new_inputs():
    table, across = rbf(X, X), rbf(NEW, X)
    found = PrecomputedKernel().bind(table, WEIGHT).tested()
    kept = found.keep(np.array([2, 0])).for_new_inputs()
    assert kept.formula.function is None
    assert_array_equal(kept.evaluate(across), across[:, found.items[[2, 0]]])
    assert_allclose(kept.variance(across), 1.0)
    joined = JoinedColumns((found, Bias().bind(table, WEIGHT))).for_new_inputs()
    assert joined.parts[0].formula.function is None


@pytest.mark.parametrize("name", ["gaussian", "of the user"])
def test_other_kernels_are_the_same_for_new_inputs(name):
    columns = KERNELS[name].bind(X, WEIGHT)
    assert columns.for_new_inputs().formula == columns.formula


def test_rows_of_a_table_are_looked_up():
    table = KernelTable(rbf(X, X))
    left, right = np.array([5, 0, 5]), np.array([1, 7])
    found = table.between(table.values[left], table.values[right])
    assert_array_equal(found, table.values[np.ix_(left, right)])
    assert table.between(table.values[:0], table.values).shape == (0, 8)


def test_rows_of_a_table_are_found_however_they_are_stored():
    values = rbf(X, X)
    table = KernelTable(np.ascontiguousarray(values))
    stored = np.asfortranarray(values)[::-2]
    assert_array_equal(table.between(stored, values), values[::-2])


def test_of_equal_rows_of_a_table_it_does_not_matter_which():
    twice = np.vstack([X, X[:3]])
    table = KernelTable(rbf(twice, twice))
    assert_array_equal(table.between(table.values, table.values), table.values)


def test_a_row_that_is_in_no_table():
    with pytest.raises(KeyError):
        KernelTable(rbf(X, X)).between(rbf(NEW, X), rbf(X, X))


# the bias next to kernels that fall off to zero

LOCAL = [GaussianKernel(1.0), CauchyKernel(1.0), LaplacianKernel(1.0), GaussianKernel([1.0, 2.0])]


@pytest.mark.parametrize("kernel", LOCAL, ids=str)
def test_a_bias_is_left_out_next_to_kernels_that_fall_off_to_zero(kernel):
    columns = (kernel + Bias()).bind(X, WEIGHT)
    found = without_bias(columns)
    assert found.n_columns == columns.n_columns - 1
    assert "bias" not in found.names("abc")
    alone = kernel.bind(X, WEIGHT)
    assert_array_equal(found.evaluate(NEW), alone.evaluate(NEW))


def test_several_kernels_that_all_fall_off_leave_it_out_wherever_it_stands():
    columns = (Bias() + LOCAL[0] + LOCAL[2]).bind(X, WEIGHT)
    found = without_bias(columns)
    assert_array_equal(found.evaluate(NEW), columns.evaluate(NEW)[:, 1:])


@pytest.mark.parametrize(
    "other",
    [
        LinearKernel(),
        LinearKernel(scaling="standard"),
        PolynomialKernel(2, 1.0),
        SigmoidKernel(0.1),
        LinearSplineKernel(),
        CallableKernel(rbf),
        Linear(),
        Polynomial(2),
        GivenColumns(np.cos),
    ],
    ids=lambda basis: type(basis).__name__,
)
def test_a_bias_stays_next_to_anything_else(other):
    for basis in (other + Bias(), LOCAL[0] + other + Bias()):
        columns = basis.bind(X, WEIGHT)
        assert without_bias(columns) is columns


def test_a_bias_alone_stays_and_columns_without_one_stay_as_they_are():
    for basis in (Bias(), Bias() + Bias()):
        columns = basis.bind(X, WEIGHT)
        assert without_bias(columns) is columns
    columns = LOCAL[0].bind(X, WEIGHT)
    assert_array_equal(without_bias(columns).evaluate(NEW), columns.evaluate(NEW))


# even subsets


@pytest.mark.parametrize("most", [1, 2, 3, 7, 10, 99, 100, 101])
@pytest.mark.parametrize("total", [1, 2, 10, 100])
def test_spread_is_even(total, most):
    chosen = spread(np.arange(total), most)
    assert len(chosen) == min(total, most)
    assert chosen[0] == 0
    if len(chosen) > 1:
        assert chosen[-1] == total - 1
        assert np.diff(chosen).min() > 0
        assert np.ptp(np.diff(chosen)) <= 1


def test_spread_of_items():
    assert_array_equal(spread(np.array([5, 3, 9, 1, 7]), 3), [5, 9, 7])
    assert_array_equal(spread(np.arange(0), 3), [])
