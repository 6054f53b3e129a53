"""SparseBayesRegressor and SparseBayesClassifier: a basis of the user's own."""

import numpy as np
import pytest
from estimator_data import LABELS, MOONS, NEW, SINC, X, Y
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import rbf_kernel

from sparsebayes import (
    RVR,
    Bias,
    CallableKernel,
    GaussianKernel,
    GivenColumns,
    LaplacianKernel,
    Linear,
    Polynomial,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from sparsebayes.basis import Sum


@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_the_default_basis_is_that_of_the_kernel_machine(inference):
    found = SparseBayesRegressor(inference=inference).fit(X, Y).predict(NEW)
    expected = RVR(inference=inference).fit(X, Y).predict(NEW)
    assert_allclose(found, expected, rtol=1e-12)


def test_centres_of_the_users_own():
    basis = GaussianKernel(3.0, centres=np.linspace(-10, 10, 9)[:, None])
    model = SparseBayesRegressor(basis).fit(X, Y)
    assert model.relevance_.max() < 9
    assert np.abs(model.predict(X) - SINC).max() < 0.15


@pytest.mark.parametrize("kernel", [GaussianKernel, LaplacianKernel])
def test_centres_may_be_sparse(kernel):
    dense, sparse = (
        SparseBayesRegressor(kernel(1.0, centres=centres), inference="fast")
        .fit(MOONS, MOONS[:, 0])
        .predict(MOONS)
        for centres in (MOONS[:9], csr_array(MOONS[:9]))
    )
    assert_allclose(sparse, dense, rtol=1e-9)
    assert np.std(dense) > 0.1


def test_names_of_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"dose": X[:, 0]})
    y = Y + 0.3 * X[:, 0] + 2.0
    basis = GaussianKernel(3.0) + Linear() + Bias(centre_target=False)
    model = SparseBayesRegressor(basis).fit(frame, y)
    kernels = [f"gaussiankernel({row})" for row in model.relevance_]
    assert model.column_names_ == [*kernels, "dose", "bias"]
    unnamed = SparseBayesRegressor(Linear() + Bias(centre_target=False)).fit(X, y)
    assert unnamed.column_names_ == ["x0", "bias"]


# the mean of the target


def test_only_a_bias_that_says_so_takes_the_mean_out():
    offsets = [
        SparseBayesRegressor(basis, fit_intercept=False).fit(X, Y + X[:, 0] + 5.0).offset_
        for basis in (Linear() + Bias(), Linear() + Bias(centre_target=False), Linear())
    ]
    assert_allclose(offsets, [np.mean(Y + X[:, 0]) + 5.0, 0.0, 0.0], rtol=1e-12)


def test_whether_to_take_the_mean_out_is_a_parameter_of_the_bias():
    model = SparseBayesRegressor(GaussianKernel(3.0) + Bias())
    model.set_params(basis__bias__centre_target=False).fit(X, Y + 5.0)
    assert model.offset_ == 0.0
    assert model.basis.parts[1][1].centre_target is False


@pytest.mark.parametrize("value", ["no", 1, None])
def test_a_bad_choice_for_the_mean(value):
    with pytest.raises(ValueError, match="centre_target must be True or False, got"):
        SparseBayesRegressor(Linear() + Bias(centre_target=value)).fit(X, Y)


# the basis of the fit


def test_the_fitted_basis_has_numbers_for_widths():
    model = SparseBayesRegressor(GaussianKernel("learn") + Bias()).fit(X, Y)
    width = model.basis_.parts[0][1].width
    assert 0.5 < width < 10.0
    assert model.basis.parts[0][1].width == "learn"
    kernel = rbf_kernel(NEW, X[model.relevance_], gamma=width**-2)
    design = np.column_stack([kernel, np.ones(25)])[:, : len(model.weights_)]
    assert_allclose(model.predict(NEW), model.offset_ + design @ model.weights_, rtol=1e-9)


@pytest.mark.parametrize("kind", [SparseBayesRegressor, SparseBayesClassifier])
def test_the_fitted_basis_stays_when_another_is_set(kind):
    model = kind(GaussianKernel(1.5) + Bias()).fit(MOONS, LABELS)
    before = model.predict(MOONS)
    model.set_params(basis=Linear())
    assert [type(part) for _, part in model.basis_.parts] == [GaussianKernel, Bias]
    assert model.basis_.parts[0][1].width == 1.5
    assert_array_equal(model.predict(MOONS), before)


def test_a_part_that_is_changed_later_leaves_the_fitted_basis_alone():
    model = SparseBayesRegressor(GaussianKernel(1.5) + Bias()).fit(X, Y)
    model.set_params(basis__gaussiankernel__width=7.0)
    assert model.basis_.parts[0][1].width == 1.5


def test_an_unfitted_model_has_no_fitted_basis():
    assert not hasattr(SparseBayesRegressor(), "basis_")


# bad bases


@pytest.mark.parametrize("kind", [SparseBayesRegressor, SparseBayesClassifier])
@pytest.mark.parametrize("basis", ["rbf", 3, [Bias()], GaussianKernel])
def test_bad_bases(kind, basis):
    with pytest.raises(ValueError, match=r"basis must be a basis such as .*got"):
        kind(basis).fit(MOONS, LABELS)


@pytest.mark.parametrize(
    ("basis", "words"),
    [
        (GaussianKernel(centres=np.ones((2, 3))), r"centres of GaussianKernel .*\(2, 3\)"),
        (GaussianKernel(width=-1.0), "width must be .* or a positive number, got -1"),
        (
            GivenColumns(lambda x: x[:, 0]),
            r"GivenColumns returned .* expected \(80, n_columns of 1 or more\)",
        ),
        (Polynomial(0), r"degree of Polynomial must be .*, got 0"),
        (GaussianKernel(centres=[[0.0, np.nan]]), "centres of GaussianKernel .*NaN"),
        (GaussianKernel(centres="a"), "centres must be .* an array of points, got 'a'"),
        (CallableKernel(3), "function of CallableKernel"),
        (GivenColumns(3), "function of GivenColumns"),
        (GivenColumns(lambda x: x[:, :0]), r"shape \(80, 0\) .* expected \(80, n_columns of 1"),
        (Sum([]), "parts of a Sum must be"),
        (Sum([("a", 3)]), "parts of a Sum must be"),
    ],
)
def test_bad_parts_of_a_basis(basis, words):
    with pytest.raises(ValueError, match=words):
        SparseBayesRegressor(basis).fit(MOONS, LABELS)
