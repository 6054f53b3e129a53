"""How the evidence changes with columns, precisions and scales; and the climbs in these."""

import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.stats import multivariate_normal
from sparsebayes.scales.ascent import ascend
from sparsebayes.scales.dense import DenseModel
from sparsebayes.scales.whitened import NUGGET

from sparsebayes.basis import (
    Bias,
    CauchyKernel,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    LinearKernel,
    PolynomialKernel,
    SigmoidKernel,
)
from sparsebayes.evidence import objective
from sparsebayes.hyperpriors import Gamma
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.problem import Problem
from sparsebayes.rows import InMemoryRows
from sparsebayes.scales import dense, dense_scales, held, joint_scales
from sparsebayes.scales.joint import HELD_STD, JointModel
from sparsebayes.scales.prior import HIGHEST, LOWEST, STEP, ScalePrior
from sparsebayes.sensitivity import sensitivity

ALPHA = np.array([0.5, 3.0, 1e-2, 20.0, 1.0, 0.1])
BETA = 4.0
LOG_ALPHA, LOG_BETA = np.log(ALPHA), np.log(BETA)
N = 15
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])


def row_weight(weighted, n=N):
    return np.arange(n) % 3 + 0.5 if weighted else np.ones(n)


def differences(function, point, step=1e-5):
    """Central differences of a number, in the shape of the point."""
    found = np.empty(np.shape(point))
    for i in np.ndindex(found.shape):
        unit = np.zeros(found.shape)
        unit[i] = step
        found[i] = (function(point + unit) - function(point - unit)) / (2.0 * step)
    return found


# sensitivity


def gaussian_evidence(design, log_alpha, log_beta, target, weight):
    return reference.log_evidence(design, target, np.exp(log_alpha), np.exp(log_beta) * weight)


def test_the_naive_derivative_of_the_paper():
    """D = (C^-1 t t' C^-1 - C^-1) Phi A^-1. [T01] (54)"""
    design, target = problems.regression(0, N, 6)
    inverse = np.linalg.inv(reference.marginal_covariance(design, ALPHA, BETA))
    pull = inverse @ target
    naive = (np.outer(pull, pull) - inverse) @ design / ALPHA
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, np.arange(6), ALPHA, BETA)
    assert_allclose(sensitivity(problem, posterior, design).columns, naive, rtol=1e-9, atol=1e-11)


@WEIGHTED
def test_sensitivity_of_a_regression(weighted):
    """A row of weight w has the noise precision w beta, but for a constant of beta alone."""
    design, target = problems.regression(0, N, 6)
    weight = row_weight(weighted)
    problem = problems.gaussian(design, target, weight=weight)
    found = sensitivity(problem, problems.posterior_at(problem, np.arange(6), ALPHA, BETA), design)

    def value(design=design, log_alpha=LOG_ALPHA, log_beta=LOG_BETA):
        extra = 0.5 * (weight - 1.0).sum() * log_beta
        return gaussian_evidence(design, log_alpha, log_beta, target, weight) + extra

    by_design = differences(lambda x: value(design=x), design)
    assert_allclose(found.columns, by_design, rtol=1e-6, atol=1e-7)
    by_alpha = differences(lambda x: value(log_alpha=x), np.log(ALPHA))
    assert_allclose(found.weight_precision, by_alpha, rtol=1e-6, atol=1e-7)
    by_beta = differences(lambda x: value(log_beta=float(x)), np.array(np.log(BETA)))
    assert_allclose(found.noise_precision, by_beta, rtol=1e-6)


def test_sensitivity_of_two_classes_is_that_of_the_naive_laplace_evidence():
    design, target = problems.classification(0, 25, 6)
    problem = problems.bernoulli(design, target)
    found = sensitivity(problem, problems.posterior_at(problem, np.arange(6), ALPHA), design)
    by_design = differences(
        lambda x: reference.laplace_log_evidence(x, target, ALPHA), design, 1e-4
    )
    assert_allclose(found.columns, by_design, rtol=1e-4, atol=1e-6)
    by_alpha = differences(
        lambda x: reference.laplace_log_evidence(design, target, np.exp(x)), np.log(ALPHA), 1e-4
    )
    assert_allclose(found.weight_precision, by_alpha, rtol=1e-4, atol=1e-6)
    assert found.noise_precision == 0.0


@WEIGHTED
@pytest.mark.parametrize("hyperprior", [Gamma(0.0, 0.0), Gamma(2.0, 0.3)], ids=["flat", "proper"])
def test_sensitivity_of_two_classes(weighted, hyperprior):
    design, target = problems.classification(1, 25, 6)
    options = {"weight": row_weight(weighted, 25), "weight_hyperprior": hyperprior}

    def value(design, log_alpha):
        problem = problems.bernoulli(design, target, **options)
        posterior = problems.posterior_at(problem, np.arange(6), np.exp(log_alpha))
        return objective(problem, posterior)

    problem = problems.bernoulli(design, target, **options)
    found = sensitivity(problem, problems.posterior_at(problem, np.arange(6), ALPHA), design)
    by_design = differences(lambda x: value(x, np.log(ALPHA)), design)
    assert_allclose(found.columns, by_design, rtol=1e-5, atol=1e-7)
    by_alpha = differences(lambda x: value(design, x), np.log(ALPHA))
    assert_allclose(found.weight_precision, by_alpha, rtol=1e-5, atol=1e-7)


def test_the_noise_has_no_derivative_where_it_is_fixed():
    design, target = problems.regression(0, N, 6)
    problem = problems.gaussian(design, target, noise_std=0.5)
    posterior = problems.posterior_at(problem, np.arange(6), ALPHA, BETA)
    assert sensitivity(problem, posterior, design).noise_precision == 0.0


@pytest.mark.parametrize(
    ("make", "data"),
    [
        (problems.gaussian, problems.regression(0, N, 6)),
        (problems.bernoulli, problems.classification(0, N, 6)),
    ],
    ids=["regression", "classification"],
)
def test_a_row_of_weight_two_is_the_row_twice(make, data):
    def found(design, target, weight):
        problem = make(design, target, weight=weight)
        posterior = problems.posterior_at(problem, np.arange(6), ALPHA, BETA)
        return sensitivity(problem, posterior, design)

    one = found(*data, np.full(N, 2.0))
    two = found(np.vstack([data[0]] * 2), np.tile(data[1], 2), np.ones(2 * N))
    assert_allclose(one.columns, two.columns[:N] + two.columns[N:], rtol=1e-7, atol=1e-9)
    assert_allclose(one.weight_precision, two.weight_precision, rtol=1e-7, atol=1e-9)
    assert_allclose(one.noise_precision, two.noise_precision, rtol=1e-7, atol=1e-9)


# the dense model

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N, 2))
Y = np.sin(2.0 * X[:, 0]) + 0.3 * RANDOM.normal(size=N)
Y2 = np.vstack([Y, X[:, 1] ** 2])
CLASS = (Y > 0.2).astype(float)

DENSE_BASES = {
    "gaussian": GaussianKernel(input_scale="learn") + Bias(),
    "width": GaussianKernel("learn") + Bias(),
    "cauchy": CauchyKernel(input_scale="learn") + Bias(),
    "laplacian": LaplacianKernel(input_scale="learn") + Bias(),
    "poly": PolynomialKernel(2, "ard") + Bias(),
    "poly not definite": PolynomialKernel(2, "ard", coef0=-0.5) + Bias(),
    "sigmoid": SigmoidKernel("ard") + Bias(),
    "several widths": GaussianKernel([1.0, 3.0], input_scale="learn") + Bias(),
    "few centres": GaussianKernel(input_scale="learn", centres=5),
    "given centres": GaussianKernel(input_scale="learn", centres=X[:4] + 0.1),
    "sum": GaussianKernel("learn")
    + Linear()
    + LinearKernel()
    + CauchyKernel(input_scale="learn")
    + Bias(),
}
over_bases = pytest.mark.parametrize("basis", DENSE_BASES.values(), ids=DENSE_BASES)
LIKELIHOODS = {
    "gaussian": (Y[None], Gaussian()),
    "two targets": (Y2, Gaussian()),
    "fixed noise": (Y[None], Gaussian(0.3)),
    "bernoulli": (CLASS[None], Bernoulli()),
    "two classes each": (np.vstack([CLASS, 1.0 * (X[:, 1] > 0)]), Bernoulli()),
}
over_likelihoods = pytest.mark.parametrize(
    ("targets", "likelihood"), LIKELIHOODS.values(), ids=LIKELIHOODS
)


def dense_model(basis, targets, likelihood, weight=None, inputs=X):
    weight = np.ones(len(Y)) if weight is None else weight
    return DenseModel(basis.bind(inputs, weight), inputs, targets, weight, likelihood)


def settled(model, point):
    """Value and gradient, the mode searched again from where it was found: to all digits."""
    model(point)
    return model(point)


def slopes(model, point):
    return differences(lambda x: settled(model, x)[0], point, step=1e-4)


def near_start(model, spread=0.3):
    point, _ = model.start(model.columns.log_spreads)
    return point + spread * np.random.default_rng(5).normal(size=len(point))


KERNEL_OF = {
    GaussianKernel: lambda d, gamma: np.exp(-(gamma * d**2).sum(-1)),
    CauchyKernel: lambda d, gamma: 1.0 / (1.0 + (gamma * d**2).sum(-1)),
    LaplacianKernel: lambda d, gamma: np.exp(-(gamma * np.abs(d)).sum(-1)),
}


@pytest.mark.parametrize("kind", KERNEL_OF)
def test_the_dense_model_is_a_gaussian_process(kind):
    """Exactly that of K (K + nugget)^-1 K, with a scale for each kernel, for all targets."""
    model = dense_model(kind(input_scale="learn") + Bias(), Y2, Gaussian())
    point = near_start(model)
    value, _ = model(point)
    log_scales = point[-2:]
    kernel = KERNEL_OF[kind](X[:, None] - X, np.exp(log_scales))
    kernel = kernel @ np.linalg.solve(kernel + NUGGET * np.eye(N), kernel)
    exact = model.prior.log_density(log_scales)
    for target, (alpha, bias, beta) in zip(Y2, np.exp(point[:-2].reshape(2, 3)), strict=True):
        covariance = kernel / alpha + 1.0 / bias + np.eye(N) / beta
        exact += multivariate_normal(np.zeros(N), covariance).logpdf(target)
    assert_allclose(value, exact, rtol=1e-9)


def test_the_nugget_hardly_counts():
    model = dense_model(GaussianKernel(input_scale="learn"), Y[None], Gaussian())
    point = near_start(model)
    kernel = KERNEL_OF[GaussianKernel](X[:, None] - X, np.exp(point[-2:]))
    covariance = kernel / np.exp(point[0]) + np.eye(N) / np.exp(point[1])
    exact = multivariate_normal(np.zeros(N), covariance).logpdf(Y)
    assert_allclose(model(point)[0] - model.prior.log_density(point[-2:]), exact, rtol=1e-5)


def test_the_dense_model_of_classes_is_laplaces_for_the_whitened_columns():
    model = dense_model(GaussianKernel(input_scale="learn"), CLASS[None], Bernoulli())
    point = near_start(model)
    kernel = KERNEL_OF[GaussianKernel](X[:, None] - X, np.exp(point[-2:]))
    design = kernel @ np.linalg.inv(np.linalg.cholesky(kernel + NUGGET * np.eye(N))).T
    exact = reference.laplace_log_evidence(design, CLASS, np.full(N, np.exp(point[0])))
    assert_allclose(model(point)[0] - model.prior.log_density(point[-2:]), exact, rtol=1e-7)


@over_bases
@over_likelihoods
def test_gradient_of_the_dense_model(basis, targets, likelihood):
    model = dense_model(basis, targets, likelihood)
    point = near_start(model)
    _, gradient = settled(model, point)
    assert_allclose(gradient, slopes(model, point), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", ["gaussian", "bernoulli"])
def test_gradient_of_the_dense_model_with_weights(name):
    model = dense_model(DENSE_BASES["sum"], *LIKELIHOODS[name], weight=row_weight(True))
    point = near_start(model)
    _, gradient = settled(model, point)
    assert_allclose(gradient, slopes(model, point), rtol=1e-6, atol=1e-6)


def test_the_dense_model_of_sparse_inputs():
    dense_one = dense_model(DENSE_BASES["gaussian"], Y[None], Gaussian())
    point = near_start(dense_one)
    sparse = dense_model(DENSE_BASES["gaussian"], Y[None], Gaussian(), inputs=csr_array(X))
    assert_allclose(sparse(point)[0], dense_one(point)[0], rtol=1e-7)
    assert_allclose(sparse(point)[1], dense_one(point)[1], rtol=1e-5, atol=1e-6)


def test_the_value_does_not_depend_on_where_the_model_was_before():
    """The last mode is only a start."""
    model = dense_model(DENSE_BASES["gaussian"], CLASS[None], Bernoulli())
    point = near_start(model)
    first = model(point)
    model(near_start(model, 2.0))
    again = model(point)
    assert_allclose(again[0], first[0], rtol=1e-8)
    assert_allclose(again[1], first[1], rtol=1e-5, atol=1e-6)


def test_groups_are_the_kernels_and_each_plain_column():
    model = dense_model(DENSE_BASES["sum"], Y[None], Gaussian())
    expected = [0] * N + [1, 2] + [3] * N + [4] * N + [5]
    assert_array_equal(model.group, expected)
    assert len(model.start(model.columns.log_spreads)[0]) == 6 + 1 + 3


# where it ends


@over_bases
@pytest.mark.parametrize("name", ["two targets", "bernoulli"])
def test_dense_scales_are_in_steps_and_within_limits(basis, name):
    targets, likelihood = LIKELIHOODS[name]
    columns = basis.bind(X, np.ones(N))
    found = dense_scales(columns, X, targets, np.ones(N), likelihood)
    steps = (found - columns.log_spreads) / STEP
    assert_allclose(steps, np.round(steps), atol=1e-8)
    assert np.all(found >= columns.log_spreads + LOWEST - 1e-9)
    assert np.all(found <= columns.log_spreads + HIGHEST + 1e-9)


def test_dense_scales_are_a_maximum_over_the_scales():
    columns = DENSE_BASES["gaussian"].bind(X, np.ones(N))
    found = dense_scales(columns, X, Y[None], np.ones(N), Gaussian())
    best = best_at(found)
    for step in np.vstack([np.eye(2), -np.eye(2)]):
        assert best_at(found + 2.0 * STEP * step) < best


def best_at(log_scales):
    """The value at these scales with the precisions at their best."""
    model = dense_model(DENSE_BASES["gaussian"], Y[None], Gaussian())
    start, limits = model.start(model.columns.log_spreads)
    start[-2:] = log_scales
    limits[-2:] = log_scales[:, None]
    return ascend(model, start, limits, 500)[1]


def test_dense_scales_do_not_depend_on_units_rows_order_or_repetition():
    columns = DENSE_BASES["gaussian"].bind(X, np.ones(N))
    relative = dense_scales(columns, X, Y[None], np.ones(N), Gaussian()) - columns.log_spreads

    def found(inputs, target, weight):
        other = DENSE_BASES["gaussian"].bind(inputs, weight)
        scales = dense_scales(other, inputs, target[None], weight, Gaussian())
        return scales - other.log_spreads

    assert_allclose(found(X * [1e6, 1e-3], 1e5 * Y, np.ones(N)), relative, atol=1e-8)
    order = np.random.default_rng(1).permutation(N)
    assert_allclose(found(X[order], Y[order], np.ones(N)), relative, atol=1e-8)
    weight = np.arange(N) % 2 + 1.0
    again = np.repeat(np.arange(N), weight.astype(int))
    weighted, repeated = found(X, Y, weight), found(X[again], Y[again], np.ones(len(again)))
    assert_allclose(weighted, repeated, atol=1e-8)


@pytest.fixture
def few_rows(monkeypatch):
    monkeypatch.setattr(dense, "MOST_ROWS", 10)


@pytest.mark.usefixtures("few_rows")
def test_of_many_rows_some_serve():
    columns = DENSE_BASES["gaussian"].bind(X, np.ones(N))
    found = dense_scales(columns, X, Y[None], np.ones(N), Gaussian())
    rows = np.lexsort(X.T[::-1])[np.linspace(0, N - 1, 10).round().astype(int)]
    few = dense_scales(columns, X[rows], Y[rows][None], np.ones(10), Gaussian())
    assert_array_equal(found, few)


def repeated_inputs():
    random = np.random.default_rng(3)
    inputs = np.repeat(np.linspace(-2.0, 2.0, 8), 10)[:, None]
    return inputs, np.sin(2.0 * inputs[:, 0]) + random.normal(0.0, 1.0, 80)


def scales_of_repeated_inputs(order):
    inputs, target = repeated_inputs()
    columns = GaussianKernel("learn").bind(inputs[order], np.ones(80))
    return dense_scales(columns, inputs[order], target[None, order], np.ones(80), Gaussian())


@pytest.mark.usefixtures("few_rows")
def test_of_many_rows_the_order_does_not_matter_where_inputs_are_repeated():
    orders = [np.arange(80), *(np.random.default_rng(seed).permutation(80) for seed in range(3))]
    first, *others = [scales_of_repeated_inputs(order) for order in orders]
    for other in others:
        assert_allclose(other, first, atol=1e-8)


# the prior of scales


def test_gradient_of_the_prior():
    prior = ScalePrior(DENSE_BASES["sum"].bind(X, np.ones(N)).kinds)
    point = prior.middle + RANDOM.normal(size=3)
    assert_allclose(prior.gradient(point), differences(prior.log_density, point), rtol=1e-7)


def test_the_prior_has_its_maximum_in_the_middle_and_knows_one_scale_from_several():
    prior = ScalePrior(DENSE_BASES["sum"].bind(X, np.ones(N)).kinds)
    assert prior.log_density(prior.middle) == 0.0
    assert_array_equal(prior.gradient(prior.middle), np.zeros(3))
    # The first kernel's only scale is the common part, with a standard deviation of 4.
    assert_allclose(prior.log_density(prior.middle + np.array([4.0, 0.0, 0.0])), -0.5)
    assert_allclose(prior.log_density(prior.middle + np.array([0.0, 4.0, 4.0])), -0.5)
    apart = prior.middle + np.array([0.0, 0.7, -0.7])
    assert_allclose(prior.log_density(apart), -2.0 * np.log(2.0))


def test_rounding():
    prior = ScalePrior(DENSE_BASES["gaussian"].bind(X, np.ones(N)).kinds)
    rounded = prior.rounded(prior.middle + np.array([0.024, -0.26]))
    assert_allclose(rounded - prior.middle, [0.0, -0.25], atol=1e-12)
    assert_allclose(prior.rounded(rounded), rounded, rtol=1e-14)


# the climb

BOX = np.array([[-5.0, 5.0], [-5.0, 5.0]])


def hill(point):
    """With its top at (1, 2), where it is 0."""
    away = point - [1.0, 2.0]
    return -float(away @ away), -2.0 * away


def test_the_top_of_a_hill():
    point, value = ascend(hill, np.zeros(2), BOX, 100)
    assert_allclose(point, [1.0, 2.0], atol=1e-3)
    assert_allclose(value, 0.0, atol=1e-6)


def test_limits_are_kept():
    box = np.array([[-0.5, 0.5], [3.0, 4.0]])
    seen = []

    def watched(point):
        seen.append(point.copy())
        return hill(point)

    point, value = ascend(watched, np.zeros(2), box, 100)
    assert_allclose(point, [0.5, 3.0], rtol=1e-12)
    assert value == hill(point)[0]
    assert np.all((np.array(seen) >= box[:, 0]) & (np.array(seen) <= box[:, 1]))


def raises(point):
    raise FloatingPointError


def is_nan(point):
    return np.nan, np.full(2, np.nan)


def is_infinite(point):
    return np.inf, np.zeros(2)


def has_no_gradient(point):
    return 1.0, np.full(2, np.nan)


FAILURES = pytest.mark.parametrize(
    "fails", [raises, is_nan, is_infinite, has_no_gradient], ids=lambda f: f.__name__
)


@FAILURES
@pytest.mark.parametrize("edge", [-0.5, 0.5, 0.9, 1.5])
def test_a_climb_past_points_that_cannot_be_evaluated(fails, edge):
    """Beyond the edge there is no value; what was found this side of it is kept."""

    def broken(point):
        return fails(point) if point[0] > edge and point.any() else hill(point)

    point, value = ascend(broken, np.zeros(2), BOX, 100)
    assert value == hill(point)[0] >= hill(np.zeros(2))[0]
    assert point[0] <= edge or not point.any()


@FAILURES
def test_a_start_that_cannot_be_evaluated_is_the_end(fails):
    point, _ = ascend(fails, np.array([7.0, 1.0]), BOX, 100)
    assert_array_equal(point, [5.0, 1.0])


def test_a_wrong_gradient_does_no_harm():
    def wrong(point):
        value, gradient = hill(point)
        return value, -gradient

    point, value = ascend(wrong, np.zeros(2), BOX, 100)
    assert value == hill(point)[0] >= hill(np.zeros(2))[0]


# the joint model

JOINT_BASIS = GaussianKernel(input_scale="learn") + CauchyKernel("learn") + Linear() + Bias()
ACTIVE = np.array([3, 17, 0, 30, 25, 32, 9])
JOINT = {
    "gaussian": (Y, Gaussian(), {}),
    "fixed noise": (Y, Gaussian(0.3), {}),
    "hyperpriors": (
        Y,
        Gaussian(),
        {"weight_hyperprior": Gamma(2.0, 0.5), "noise_hyperprior": Gamma(1.0, 0.1)},
    ),
    "bernoulli": (CLASS, Bernoulli(), {}),
    "bernoulli and hyperprior": (CLASS, Bernoulli(), {"weight_hyperprior": Gamma(2.0, 0.5)}),
}
over_joint = pytest.mark.parametrize(("target", "likelihood", "priors"), JOINT.values(), ids=JOINT)


def joint(target, likelihood, priors, weighted=False, active=ACTIVE):
    """Columns, a problem of them, and a posterior over some."""
    weight = row_weight(weighted)
    columns = JOINT_BASIS.bind(X, weight)
    rows = InMemoryRows(columns, X, target, weight)
    problem = Problem(rows, columns.n_columns, likelihood, **priors)
    precision = np.exp(np.random.default_rng(2).normal(size=len(active)))
    fixed = likelihood.fixed_noise_precision
    noise = (1.0 if isinstance(likelihood, Bernoulli) else BETA) if fixed is None else fixed
    return columns, problem, problems.posterior_at(problem, active, precision, noise)


@over_joint
@WEIGHTED
def test_gradient_of_the_joint_model(target, likelihood, priors, weighted):
    columns, problem, posterior = joint(target, likelihood, priors, weighted)
    model = JointModel(columns, X, problem, ACTIVE, columns.log_scales)
    point, _ = model.start(posterior)
    noise_is_free = likelihood.fixed_noise_precision is None
    assert len(point) == 7 + noise_is_free + 3
    point = point + 0.1 * np.random.default_rng(4).normal(size=len(point))
    _, gradient = settled(model, point)
    assert_allclose(gradient, slopes(model, point), rtol=1e-6, atol=1e-6)


@over_joint
def test_the_joint_model_begins_with_the_objective_of_the_fit(target, likelihood, priors):
    columns, problem, posterior = joint(target, likelihood, priors)
    model = JointModel(columns, X, problem, ACTIVE, columns.log_scales)
    value, _ = model(model.start(posterior)[0])
    assert_allclose(value, objective(problem, posterior), rtol=1e-9)


def test_the_joint_model_elsewhere_is_the_objective_at_these_scales_and_what_holds_them():
    columns, problem, posterior = joint(*JOINT["gaussian"])
    model = JointModel(columns, X, problem, ACTIVE, columns.log_scales)
    point, _ = model.start(posterior)
    point[-3:] += [0.1, -0.2, 0.4]
    design = columns.rescaled(point[-3:]).evaluate(X, ACTIVE)
    exact = reference.log_evidence(design, Y, posterior.weight_precision, BETA)
    exact -= 0.5 * (0.01 + 0.04 + 0.16) / HELD_STD**2
    assert_allclose(model(point)[0], exact, rtol=1e-9)
    assert_allclose(held(point[-3:], columns.log_scales), -0.5 * 0.21 / HELD_STD**2)


def test_the_joint_value_does_not_depend_on_where_the_model_was_before():
    """Anywhere within the limits."""
    columns, problem, posterior = joint(*JOINT["bernoulli"])
    model = JointModel(columns, X, problem, ACTIVE, columns.log_scales)
    _, limits = model.start(posterior)
    for seed in range(30):
        point = np.random.default_rng(seed).uniform(*limits.T)
        fresh = JointModel(columns, X, problem, ACTIVE, columns.log_scales)
        assert_allclose(model(point)[0], fresh(point)[0], rtol=1e-6)


@over_joint
def test_a_joint_climb_raises_the_objective(target, likelihood, priors):
    columns, problem, posterior = joint(target, likelihood, priors)
    middle = columns.log_scales
    end = joint_scales(columns, X, problem, posterior, middle)
    moved = columns.rescaled(end.log_scales)
    rows = InMemoryRows(moved, X, target, np.ones(N))
    after = Problem(rows, columns.n_columns, likelihood, **priors)
    found = problems.posterior_at(after, ACTIVE, end.weight_precision, end.noise_precision)
    value = objective(after, found) + held(end.log_scales, middle)
    assert value > objective(problem, posterior) + 0.1
    steps = (end.log_scales - columns.log_spreads) / STEP
    assert_allclose(steps, np.round(steps), atol=1e-8)


def test_a_joint_climb_without_columns():
    none = np.empty(0, dtype=int)
    columns, problem, posterior = joint(*JOINT["gaussian"], active=none)
    end = joint_scales(columns, X, problem, posterior, columns.log_scales)
    assert_allclose(end.log_scales, columns.log_scales, rtol=1e-12)
    assert_allclose(end.noise_precision**-0.5, np.sqrt(np.mean(Y**2)), rtol=1e-4)


def test_a_fixed_noise_stays():
    columns, problem, posterior = joint(*JOINT["fixed noise"])
    end = joint_scales(columns, X, problem, posterior, columns.log_scales)
    assert end.noise_precision == 0.3**-2
