"""Kernel objects of scikit-learn: learned by the evidence, within their bounds, never mutated."""

import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    CompoundKernel,
    ConstantKernel,
    DotProduct,
    Exponentiation,
    ExpSineSquared,
    Hyperparameter,
    Kernel,
    Matern,
    NormalizedKernelMixin,
    PairwiseKernel,
    RationalQuadratic,
    StationaryKernelMixin,
    WhiteKernel,
)
from sklearn.model_selection import GridSearchCV

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    Linear,
    NotPortableError,
    ProcessKernel,
    SparseBayesRegressor,
    load,
)
from sparsebayes.basis.kernel_objects import (
    falls_off,
    fixed,
    free_names,
    log_periods,
    simplified,
    spare,
)
from sparsebayes.columns.user_functions import slope_in_blocks
from sparsebayes.dense import DenseModel, DenseRows
from sparsebayes.export import skops_types
from sparsebayes.likelihoods import Gaussian
from sparsebayes.rows import Data

LINE = np.linspace(-10.0, 10.0, 100)[:, None]
SINC = np.sinc(LINE[:, 0] / np.pi) + np.random.default_rng(0).normal(0.0, 0.1, 100)
NEW = np.linspace(-10.0, 10.0, 333)[:, None]
TRUTH = np.sinc(NEW[:, 0] / np.pi)
RANDOM = np.random.default_rng(1)
X = RANDOM.uniform(-3.0, 3.0, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + RANDOM.normal(0.0, 0.1, 60)
WEIGHT = np.ones(60)
NEAR = X[:9] + 0.2


class Cubes(StationaryKernelMixin, NormalizedKernelMixin, Kernel):
    """A kernel of a user: exp(-(|x - c| / width)), by its own formula and slope."""

    def __init__(self, width=1.0, width_bounds=(1e-3, 1e3)):
        self.width = width
        self.width_bounds = width_bounds

    @property
    def hyperparameter_width(self):
        return Hyperparameter("width", "numeric", self.width_bounds)

    def __call__(self, X, Y=None, eval_gradient=False):
        gap = np.abs(X[:, None, :] - (X if Y is None else Y)[None]).sum(axis=2)
        values = np.exp(-gap / self.width)
        if not eval_gradient:
            return values
        free = not self.hyperparameter_width.fixed
        return values, (values * gap / self.width)[:, :, None][:, :, : int(free)]


KERNELS = [
    RBF(0.7),
    RBF([0.7, 2.0]),
    Matern(1.3, nu=0.5),
    Matern([1.3, 0.4], nu=1.5),
    Matern(1.3, nu=2.5),
    RationalQuadratic(1.5, 0.8),
    RBF(3.0) * ExpSineSquared(1.1, 2.3) + RBF(0.5),
    DotProduct(0.9) + RBF(1.2),
    Exponentiation(DotProduct(1.3), 2),
    ConstantKernel(2.0) * RBF(0.9) + ConstantKernel(0.5) * Matern(2.0, nu=1.5) + WhiteKernel(),
    PairwiseKernel(gamma=0.4, metric="rbf"),
    Cubes(1.7),
]


def rmse(model, inputs=NEW, truth=TRUTH):
    return float(np.sqrt(np.mean((model.predict(inputs) - truth) ** 2)))


def learned(kernel, inputs=LINE, y=SINC, **options):
    return RVR(kernel=kernel, **options).fit(inputs, y)


def dense_model(kernel):
    columns = ProcessKernel(kernel).bind(X, WEIGHT)
    return DenseModel(columns, DenseRows.of(Data(X, Y - Y.mean(), WEIGHT), Gaussian()))


def test_a_kernel_object_is_learned_as_our_own_kernel_is():
    """The finding: RVR(kernel=RBF()) had six times the error of RVR()."""
    ours = rmse(RVR().fit(LINE, SINC))
    assert rmse(learned(RBF())) < 1.05 * ours
    assert rmse(learned(Matern(10.0, nu=2.5))) < 1.1 * ours


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_gradient_is_that_of_finite_differences(kernel):
    model = dense_model(kernel)
    start = model.columns.log_scales
    settings, _ = model.first_settings(start, 1e-4)
    found = model.evaluate(settings, start).by_scale
    assert len(found) == len(start) > 0
    step = 1e-5
    for k, each in enumerate(found):
        ahead, behind = start.copy(), start.copy()
        ahead[k] += step
        behind[k] -= step
        values = [model.evaluate(settings, point).value for point in (ahead, behind)]
        assert_allclose(each, (values[0] - values[1]) / (2.0 * step), rtol=1e-4, atol=1e-5)


def test_slopes_in_blocks_are_those_of_all_rows_at_once():
    columns = ProcessKernel(RBF([0.7, 2.0])).bind(X, WEIGHT)
    sensitivity, rows = np.random.default_rng(0).normal(size=(60, 60)), columns.items
    whole, formula = columns.scale_gradient(rows, sensitivity), columns.formula
    assert_allclose(columns.scale_gradient(rows.copy(), sensitivity), whole, rtol=1e-12)
    parts = slope_in_blocks(rows, rows, sensitivity, formula.gamma, formula.function, 2000)
    assert_allclose(parts, whole, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel",
    [RBF(), RBF([1.0, 1.0]), Matern(nu=1.5), Matern(nu=2.5), DotProduct() + RBF(), Cubes()],
    ids=str,
)
def test_parameters_are_as_likely_as_those_of_scikit_learn(kernel):
    """With variance and noise found anew they are within a nat of what its search finds."""
    centred = Y - Y.mean()

    def log_likelihood(own, restarts=0):
        whole = ConstantKernel() * own + WhiteKernel()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            process = GaussianProcessRegressor(
                whole, n_restarts_optimizer=restarts, random_state=0
            ).fit(X, centred)
        return process.log_marginal_likelihood_value_

    assert log_likelihood(learned(kernel, X, Y).kernel_) > log_likelihood(kernel, 2) - 1.0


def test_what_is_given_is_left_as_it_is():
    kernel = ConstantKernel(3.0) * RBF([2.0, 1.0], (0.1, 10.0)) + WhiteKernel(0.3)
    before = pickle.dumps(kernel)
    model = learned(kernel, X, Y)
    assert pickle.dumps(kernel) == before
    assert model.kernel is kernel
    again = clone(model).fit(X, Y)
    assert_array_equal(again.predict(X), model.predict(X))
    assert again.kernel is not kernel
    assert again.kernel == kernel
    copy = pickle.loads(pickle.dumps(model))
    assert_array_equal(copy.predict(X), model.predict(X))
    assert copy.kernel_ == model.kernel_
    model.set_params(kernel__k1__k1__constant_value=1.0)
    assert model.get_params()["kernel__k1__k1__constant_value"] == 1.0


@pytest.mark.parametrize("kernel", [RBF(), ConstantKernel() * Matern() + WhiteKernel(), RBF() ** 2])
def test_skops_reads_a_model_of_a_kernel_object_by_its_list(kernel):
    files = pytest.importorskip("skops.io")
    model = learned(kernel, X, Y)
    again = files.loads(files.dumps(model), trusted=skops_types())
    assert_array_equal(again.predict(NEAR), model.predict(NEAR))


def test_a_search_takes_kernel_objects():
    grid = {"kernel": [RBF(), Matern(nu=1.5)]}
    search = GridSearchCV(RVR(), grid, cv=2).fit(LINE[::3], SINC[::3])
    assert search.best_params_["kernel"] in grid["kernel"]
    assert rmse(search) < 0.2


def test_bounds_are_kept_and_what_is_fixed_stays():
    kernel = RBF(3.0, "fixed") * RationalQuadratic(0.3, 1.0, (0.2, 0.4), (0.5, 2.0))
    with pytest.warns(UserWarning, match="bounds of k2__length_scale"):
        found = learned(kernel, X, Y, noise_std=0.1).kernel_
    assert found.k1.length_scale == 3.0
    assert 0.499999 <= found.k2.alpha <= 2.000001
    assert 0.199999 <= found.k2.length_scale <= 0.400001
    assert all(each.fixed for each in found.hyperparameters)


def test_a_kernel_without_free_parameters_is_used_as_it_is():
    model = learned(RBF(3.0, "fixed"))
    assert model.kernel_.length_scale == 3.0
    assert rmse(model) < 0.05


def test_a_start_outside_its_bounds_is_moved_inside():
    assert learned(RBF(100.0, (1.0, 5.0)), X, Y).kernel_.length_scale <= 5.0 + 1e-6


@pytest.mark.slow
def test_noise_and_factors_are_left_out():
    plain = learned(RBF()).kernel_
    for kernel in (
        RBF() + WhiteKernel(),
        WhiteKernel(0.1) + ConstantKernel(2.0) * RBF(),
        ConstantKernel(2.0, "fixed") * RBF() * ConstantKernel(0.1),
    ):
        found = learned(kernel).kernel_
        assert isinstance(found, RBF)
        assert_allclose(found.length_scale, plain.length_scale, rtol=1e-3)


def test_constants_of_a_sum_are_ratios():
    two = ConstantKernel(2.0) * RBF() + ConstantKernel() * DotProduct()
    names = free_names(simplified(two + WhiteKernel()))
    assert names.tolist() == [
        "k1__k1__constant_value",
        "k1__k2__length_scale",
        "k2__k1__constant_value",
        "k2__k2__sigma_0",
    ]
    assert spare(two) == {"k1__k1__constant_value"}
    assert spare(ConstantKernel() * RBF() + DotProduct()) == set()
    three = ConstantKernel() * (ConstantKernel() * RBF() + ConstantKernel() * DotProduct())
    assert len(spare(three)) == 2
    assert spare(RBF() + ConstantKernel()) == set()
    assert learned(two, X, Y).kernel_.k1.k1.constant_value == 2.0


def test_which_kernels_fall_off():
    assert falls_off(Matern())
    assert falls_off(RBF() + RationalQuadratic())
    assert falls_off(RBF() * DotProduct())
    assert falls_off(RBF() ** 2)
    assert not falls_off(RBF() + DotProduct())
    assert not falls_off(ExpSineSquared())


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1e-4, 1e3])
@pytest.mark.parametrize("kernel", [RBF(), RBF([1.0, 1.0])], ids=str)
def test_units_of_the_inputs_do_not_matter(kernel, factor):
    units = factor if np.ndim(kernel.length_scale) == 0 else np.array([factor, 1.0])
    found, other = learned(kernel, X, Y), learned(kernel, X * units, Y)
    assert_allclose(other.kernel_.length_scale, found.kernel_.length_scale * units, rtol=0.05)
    assert_allclose(other.predict(X * units), found.predict(X), atol=0.02)


def test_bounds_below_the_spread_are_told():
    """A length of at most 1e5, the default, on inputs of 1e7: rows hardly relate."""
    with pytest.warns(UserWarning, match="bounds of length_scale are below the spread of X"):
        learned(RBF(), X * 1e7, Y)


def with_constant(inputs):
    return np.column_stack([inputs, np.full(len(inputs), 3.0)])


def with_codes(inputs):
    coded = inputs.copy()
    coded[:3, 0] = -999.0
    return coded


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [RBF(), Matern([1.0, 1.0], nu=2.5)], ids=str)
def test_messy_rows(kernel):
    """A constant, an offset, codes and repeated rows leave the prediction what it is."""
    clean = learned(kernel, X, Y)
    truth = np.sin(X[5:, 0]) + 0.5 * X[5:, 1]
    least = 1.5 * rmse(clean, X[5:], truth)
    assert rmse(learned(kernel, X + 1e5, Y), X[5:] + 1e5, truth) < least
    assert rmse(learned(kernel, with_codes(X), Y), X[5:], truth) < least
    assert rmse(learned(kernel, np.vstack([X, X]), np.tile(Y, 2)), X[5:], truth) < least
    wide = kernel if np.ndim(kernel.length_scale) == 0 else Matern([1.0] * 3, nu=2.5)
    assert rmse(learned(wide, with_constant(X), Y), with_constant(X)[5:], truth) < least


@pytest.mark.slow
@pytest.mark.parametrize("inference", ["fast", "mackay", "variational"])
def test_other_inferences_learn_first(inference):
    model = learned(RBF(), inference=inference)
    assert 1.5 < model.kernel_.length_scale < 3.5
    assert rmse(model) < 0.07


@pytest.mark.slow
@pytest.mark.parametrize("likelihood", ["student_t", "heteroscedastic"])
def test_other_noise(likelihood):
    assert rmse(learned(RBF(), likelihood=likelihood)) < 0.06


@pytest.mark.slow
def test_counts():
    counts = np.random.default_rng(0).poisson(np.exp(1.0 + np.sin(X[:, 0])))
    model = learned(RBF(), X, counts, likelihood="poisson")
    assert model.score(X, counts) > 0.3


def test_several_outputs_share_a_kernel():
    model = learned(RBF(), X, np.column_stack([Y, -2.0 * Y]))
    assert model.kernel_.length_scale > 1.0
    assert_allclose(model.kernel_variance_[1], 4.0 * model.kernel_variance_[0], rtol=0.2)
    assert model.score(X, np.column_stack([Y, -2.0 * Y])) > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("cuts", [[0.0], [-1.0, 1.0]], ids=["two", "three"])
@pytest.mark.parametrize("kernel", [RBF(), ConstantKernel() * Matern(nu=1.5) + WhiteKernel()])
def test_classes(kernel, cuts):
    classes, truth = np.digitize(Y, cuts), np.digitize(np.sin(X[:, 0]) + 0.5 * X[:, 1], cuts)
    model, ours = RVC(kernel=kernel).fit(X, classes), RVC().fit(X, classes)
    assert model.score(X, truth) > ours.score(X, truth) - 0.04
    assert model.kernel_.length_scale > 0.5


@pytest.mark.slow
def test_periods_are_found():
    """From a period of 1, the default, in 60 rows of 13 periods."""
    time = np.sort(np.random.default_rng(0).uniform(0.0, 60.0, 60))[:, None]
    y = np.sin(2.0 * np.pi * time[:, 0] / 4.6) + 0.1 * np.random.default_rng(1).normal(size=60)
    model = learned(ExpSineSquared(), time, y)
    cycles = model.kernel_.periodicity / 4.6
    assert_allclose(cycles, round(cycles), atol=0.01)
    later = np.linspace(60.0, 90.0, 50)[:, None]
    assert rmse(model, later, np.sin(2.0 * np.pi * later[:, 0] / 4.6)) < 0.2


def test_periods_that_are_tried():
    inputs = np.linspace(0.0, 50.0, 40)[:, None]
    found = np.exp(log_periods(inputs, np.log([1e-5, 30.0])))
    assert found.max() <= 30.0
    assert found.min() < 3.0
    assert not len(log_periods(np.ones((4, 1)), np.log([1e-5, 1e5])))


def test_a_basis_of_kernel_objects():
    basis = ProcessKernel(RBF(0.3)) + Linear() + Bias()
    model = SparseBayesRegressor(basis, inference="projection").fit(X, Y)
    learned_kernel = model.basis_.get_params()["processkernel__kernel"]
    assert learned_kernel.length_scale > 1.0
    assert model.score(X, Y) > 0.98
    far = np.array([[30.0, 0.0]])
    _, std = model.predict(np.vstack([X[:1], far]), return_std=True)
    assert std[1] > 3.0 * std[0]


@pytest.mark.long
def test_many_rows():
    random = np.random.default_rng(0)
    many = random.uniform(-3.0, 3.0, (12_000, 2))
    y = np.sin(many[:, 0]) + 0.5 * many[:, 1] + random.normal(0.0, 0.1, 12_000)
    truth = np.sin(X[:, 0]) + 0.5 * X[:, 1]
    assert rmse(learned(Matern(nu=2.5), many, y), X, truth) < 0.02


class Skew(Cubes):
    """Not symmetric."""

    def __call__(self, X, Y=None, eval_gradient=False):
        return np.tanh(X @ np.ones(X.shape[1]))[:, None] * np.ones(len(X if Y is None else Y))


class Missing(Cubes):
    """NaN everywhere."""

    def __call__(self, X, Y=None, eval_gradient=False):
        return np.full((len(X), len(X if Y is None else Y)), np.nan)


class Noisy(Cubes):
    """With noise of its own."""

    def __call__(self, X, Y=None, eval_gradient=False):
        values = super().__call__(X, Y)
        return values + np.eye(len(X)) if Y is None else values


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (CompoundKernel([RBF()]), "kernel must be one kernel"),
        (WhiteKernel(), "must depend on the inputs"),
        (ConstantKernel() + WhiteKernel(), "must depend on the inputs"),
        (WhiteKernel() * RBF(), "heteroscedastic"),
        (RBF() + WhiteKernel(0.1, "fixed"), "pass noise_std"),
        (PairwiseKernel(metric="sigmoid"), "not positive definite"),
        (Skew(), "not positive definite"),
        (Missing(), "NaN or infinite"),
        (Noisy(), "noise of its own"),
        (RBF([1.0, 1.0, 1.0]), "same number of dimensions"),
        (RBF, r"write kernel=RBF\(\)"),
    ],
    ids=str,
)
def test_refusals(kernel, words):
    with pytest.raises(ValueError, match=words):
        learned(kernel, X, Y)


def test_attributes_that_others_do_not_have():
    with pytest.raises(AttributeError, match="kernel_ needs a kernel object"):
        _ = RVR(gamma=0.1).fit(LINE, SINC).kernel_
    with pytest.raises(AttributeError, match="has no gamma"):
        _ = learned(RBF(2.0, "fixed")).gamma_
    with pytest.raises(ValueError, match="kernel of ProcessKernel must be an object"):
        ProcessKernel(np.dot).bind(X, WEIGHT)


@pytest.mark.parametrize(
    "kernel",
    [
        RBF([1.0, 1.0]),
        Matern(nu=0.5),
        ConstantKernel() * Matern([1.0, 1.0], nu=1.5) + WhiteKernel(),
        Matern(nu=2.5),
        Matern(nu=np.inf),
        RationalQuadratic(1.0, 1.0, alpha_bounds="fixed"),
        DotProduct(),
        DotProduct() ** 2,
    ],
    ids=str,
)
def test_one_kernel_that_is_ours_is_carried(kernel, tmp_path):
    """The file and the formula are of our kernel; the object itself stays behind."""
    model = learned(kernel, X, Y, noise_std=0.1)
    model.save(tmp_path / "model.sbm")
    again = load(tmp_path / "model.sbm")
    for found, expected in zip(
        again.predict(NEAR, return_std=True), model.predict(NEAR, return_std=True), strict=True
    ):
        assert_allclose(found, expected, rtol=1e-8)
    assert model.formula().startswith("f(x) = ")
    with pytest.raises(NotPortableError, match="written without its estimator"):
        again.to_estimator()


@pytest.mark.parametrize(
    "kernel",
    [
        RBF() + Matern(),
        RBF() * ExpSineSquared(),
        Matern(nu=1.2),
        RationalQuadratic(2.0, 3.0, alpha_bounds="fixed"),
        Cubes(),
    ],
    ids=str,
)
def test_other_kernels_are_not_carried(kernel, tmp_path):
    model = learned(fixed(kernel), X[:20], Y[:20], noise_std=0.1)
    for carry in (model.to_portable, model.formula, lambda: model.save(tmp_path / "model.sbm")):
        with pytest.raises(NotPortableError, match="One kernel alone has: RBF, Matern with"):
            carry()
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_climb_along_a_ridge_goes_all_the_way():
    """Its climb ended 1.7 nats too early, where a period leads and lengths follow a ridge."""
    random = np.random.default_rng(5)
    time = random.uniform(0.0, 20.0, (120, 1))
    wave = np.sin(2.0 * np.pi * time[:, 0]) * (1.0 + 0.05 * time[:, 0])
    y = wave + 0.5 * np.cos(4.0 * np.pi * time[:, 0]) + random.normal(0.0, 0.2, 120)
    kernel = RBF(10.0) * ExpSineSquared()
    better = RBF(54.9) * ExpSineSquared(2.22, 1.0)
    values = []
    for own in (learned(kernel, time, y).kernel_, better):
        process = GaussianProcessRegressor(
            ConstantKernel() * fixed(own) + WhiteKernel(), normalize_y=True
        )
        values.append(process.fit(time, y).log_marginal_likelihood_value_)
    assert values[0] > values[1] - 0.5


def test_advice_does_not_name_gamma_which_an_object_has_not():
    with pytest.warns(ConvergenceWarning, match="passes through") as told:
        learned(Cubes(1.0, "fixed"), X[:20], Y[:20])
    assert "gamma" not in str(told[0].message)
