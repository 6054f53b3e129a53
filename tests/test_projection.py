"""A dense model, and the fewest columns that say the same."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit, log_expit
from scipy.stats import multivariate_normal
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_friedman1, make_moons
from sklearn.exceptions import ConvergenceWarning
from sparsebayes.scales.dense import dense_settings, groups

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    EvidenceSearch,
    GaussianKernel,
    Linear,
    Outcome,
    SigmoidKernel,
    SparseBayesRegressor,
    student_t,
)
from sparsebayes import projection as projection_module
from sparsebayes.datasets import noisy_sinc
from sparsebayes.inference import Fast, run
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.problem import Problem
from sparsebayes.projection import dense_model, find_goal, projected
from sparsebayes.rows import ChunkedRows, make_rows

N = 40
GAMMA = 0.15
X, Y = noisy_sinc(N, random_state=0)
LABELS = (np.median(Y) < Y).astype(float)
LABELS[::7] = 1.0 - LABELS[::7]
NEW = np.linspace(-11.0, 11.0, 23)[:, None]
WEIGHT = np.random.default_rng(1).uniform(0.5, 2.0, N)
BASIS = GaussianKernel(width=GAMMA**-0.5) + Bias()
KINDS = {"regression": (Y, Gaussian()), "classification": (LABELS, Bernoulli())}
kinds = pytest.mark.parametrize(("target", "likelihood"), KINDS.values(), ids=KINDS)


def kernel(left, right):
    return np.exp(-GAMMA * (left - right.T) ** 2)


def dense(target, likelihood, weight=WEIGHT):
    columns = BASIS.bind(X, weight)
    return columns, dense_model(columns, (X, target, weight), likelihood, 1000)


def precisions(fit):
    """Of kernel, bias and noise."""
    alpha = fit.posterior.weight_precision
    assert np.ptp(alpha[:-1]) == 0.0
    return alpha[0], alpha[-1], fit.posterior.noise_precision


def prior_covariance(fit, left, right):
    alpha, bias, _ = precisions(fit)
    return kernel(left, right) / alpha + 1.0 / bias


# the dense model


def test_the_dense_model_predicts_as_a_gaussian_process():
    _, fit = dense(Y, Gaussian())
    noise = np.diag(1.0 / (precisions(fit)[2] * WEIGHT))
    factor = cho_factor(prior_covariance(fit, X, X) + noise)
    assert_allclose(fit.latent, prior_covariance(fit, X, X) @ cho_solve(factor, Y), atol=1e-6)
    design = fit.columns.evaluate(NEW)
    mean = prior_covariance(fit, NEW, X) @ cho_solve(factor, Y)
    assert_allclose(design @ fit.posterior.mean, mean, atol=1e-5)
    inner = cho_solve(factor, prior_covariance(fit, X, NEW))
    variance = prior_covariance(fit, NEW, NEW) - prior_covariance(fit, NEW, X) @ inner
    found = design @ fit.posterior.covariance @ design.T
    inside = np.flatnonzero(np.abs(NEW[:, 0]) <= 10.0)  # beyond, centres do not span the process
    assert_allclose(np.diag(found)[inside], np.diag(variance)[inside], rtol=1e-4)


def test_the_evidence_of_the_dense_model_is_that_of_a_gaussian_process():
    _, fit = dense(Y, Gaussian(), np.ones(N))
    covariance = prior_covariance(fit, X, X) + np.eye(N) / precisions(fit)[2]
    exact = multivariate_normal(np.zeros(N), covariance).logpdf(Y)
    assert_allclose(fit.log_evidence, exact, rtol=1e-6)


def test_the_dense_model_of_classes_is_at_the_mode_of_a_gaussian_process():
    """Where f = K (slope of the log density), [KTH] or any text on Laplace's method."""
    _, fit = dense(LABELS, Bernoulli())
    slope = WEIGHT * (LABELS - expit(fit.latent))
    assert_allclose(fit.latent, prior_covariance(fit, X, X) @ slope, atol=1e-5)


def test_precisions_are_a_maximum_of_the_evidence_up_to_their_steps():
    _, fit = dense(Y, Gaussian(), np.ones(N))
    best = np.log(precisions(fit))[[0, 2]]
    bias = precisions(fit)[1]
    assert bias > 1e6  # it is not needed here, and its precision has no maximum

    def value(point):
        alpha, beta = np.exp(point)
        covariance = kernel(X, X) / alpha + 1.0 / bias + np.eye(N) / beta
        return multivariate_normal(np.zeros(N), covariance).logpdf(Y)

    end = minimize(lambda point: -value(point), best, method="Nelder-Mead", tol=1e-8)
    assert_allclose(best, end.x, atol=0.03)


@kinds
def test_precisions_do_not_depend_on_units_or_order_or_repetition(target, likelihood):
    columns, rows = BASIS.bind(X, np.ones(N)), (X, target, np.ones(N))
    expected = dense_settings(columns, rows, likelihood, groups(columns.kinds))
    order = np.random.default_rng(0).permutation(N)
    shuffled = BASIS.bind(X[order], np.ones(N)), (X[order], target[order], np.ones(N))
    twice = BASIS.bind(X, np.full(N, 2.0)), (X, target, np.full(N, 2.0))
    again = BASIS.bind(np.vstack([X, X]), np.ones(2 * N))
    again = again, (np.vstack([X, X]), np.tile(target, 2), np.ones(2 * N))
    found = [
        dense_settings(some, data, likelihood, groups(some.kinds))
        for some, data in (shuffled, twice, again)
    ]
    for one, other in ((found[0], expected), (found[2], found[1])):
        assert_allclose(one.weight_precision, other.weight_precision, rtol=1e-12)
        assert_allclose(one.noise_precision, other.noise_precision, rtol=1e-12)
    if likelihood.constant_curvature:
        scaled = dense_settings(
            columns, (X, 1e6 * target, np.ones(N)), likelihood, groups(columns.kinds)
        )
        assert_allclose(scaled.noise_precision * 1e12, expected.noise_precision, rtol=1e-9)
        assert_allclose(scaled.weight_precision * 1e12, expected.weight_precision, rtol=1e-9)


# the projection


def project(target, likelihood, fidelity, weight=WEIGHT):
    columns = BASIS.bind(X, weight)
    aim = find_goal(columns, (X, target, weight), likelihood, fidelity, 1000)
    problem = Problem(make_rows(columns, aim.rows, 1000), columns.n_columns, aim.likelihood)
    fit = run(Fast(1e-3), problem, 1000)
    return aim, columns, fit, projected(aim, columns, fit, 1000)


@kinds
def test_the_goal_is_what_the_dense_model_expects(target, likelihood):
    aim, *_ = project(target, likelihood, 4.0)
    inputs, expected, weight = aim.rows
    assert_array_equal(inputs, X)
    assert_allclose(weight, 4.0 * WEIGHT)
    is_class = likelihood == Bernoulli()
    assert_allclose(expected, expit(aim.dense.latent) if is_class else aim.dense.latent)
    assert_allclose(aim.likelihood.fixed_noise_precision, aim.dense.posterior.noise_precision)


@kinds
def test_the_weights_are_nearest_to_the_dense_model(target, likelihood):
    """Gradient of the divergence of the two models, written naively, and of the prior."""
    aim, columns, _, fit = project(target, likelihood, 4.0)
    design = columns.keep(fit.posterior.active).evaluate(X)
    beta = aim.dense.posterior.noise_precision

    def divergence(weights):
        f, g = aim.dense.latent, design @ weights
        if likelihood == Bernoulli():
            p = expit(f)
            each = p * (log_expit(f) - log_expit(g)) + (1 - p) * (log_expit(-f) - log_expit(-g))
        else:
            each = 0.5 * beta * (f - g) ** 2
        return 4.0 * WEIGHT @ each + 0.5 * fit.posterior.weight_precision @ weights**2

    here = fit.posterior.mean
    for k in range(len(here)):
        step = np.zeros(len(here))
        step[k] = 1e-4 * (abs(here[k]) + 1e-2)
        rise = divergence(here + step) - divergence(here - step)
        curve = divergence(here + step) + divergence(here - step) - 2.0 * divergence(here)
        assert abs(rise) < 1e-2 * curve


@kinds
def test_the_covariance_is_that_of_projected_draws(target, likelihood):
    """Functions drawn from the dense posterior, each fitted by weighted least squares."""
    aim, columns, sparse, fit = project(target, likelihood, 4.0)
    posterior = aim.dense.posterior
    design = columns.keep(fit.posterior.active).evaluate(X)
    curvature = np.ones(N)
    if likelihood == Bernoulli():
        curvature = expit(design @ sparse.posterior.mean) * expit(-design @ sparse.posterior.mean)
    weight = 4.0 * WEIGHT * curvature * posterior.noise_precision
    spread = aim.dense.columns.evaluate(X) @ posterior.covariance @ aim.dense.columns.evaluate(X).T
    ridge = np.diag(sparse.posterior.weight_precision)
    map_ = np.linalg.solve(design.T @ (weight[:, None] * design) + ridge, design.T * weight)
    assert_allclose(fit.root @ fit.root.T, map_ @ spread @ map_.T, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("fidelity", [0.05, 4.0])
def test_what_is_missed_of_the_dense_model_is_added_to_the_noise(fidelity):
    """Of its mean, and of functions that it draws: both by N x N matrices."""
    aim, columns, sparse, fit = project(Y, Gaussian(), fidelity)
    design, dense_design = columns.keep(fit.posterior.active).evaluate(X), aim.dense.columns
    posterior, dense_design = aim.dense.posterior, dense_design.evaluate(X)
    weight = fidelity * WEIGHT * posterior.noise_precision
    ridge = np.diag(sparse.posterior.weight_precision)
    map_ = np.linalg.solve(design.T @ (weight[:, None] * design) + ridge, design.T * weight)
    left = np.eye(N) - design @ map_
    drawn = np.diag(left @ dense_design @ posterior.covariance @ dense_design.T @ left.T)
    missed = (aim.dense.latent - design @ fit.posterior.mean) ** 2 + drawn
    variance = 1.0 / posterior.noise_precision
    missed = np.average(missed, weights=WEIGHT)
    assert missed > 1e-3 * variance
    assert_allclose(1.0 / fit.posterior.noise_precision, variance + missed, rtol=1e-7)


@kinds
def test_chunks_of_rows_change_nothing(target, likelihood):
    inputs, target, weight = np.tile(X, (11, 1)), np.tile(target, 11), np.tile(WEIGHT, 11)
    columns, rows = BASIS.bind(inputs, weight), (inputs, target, weight)
    assert isinstance(make_rows(columns, rows, 1e-9), ChunkedRows)
    goals = [find_goal(columns, rows, likelihood, 2.0, size) for size in (1000.0, 1e-9)]
    dense = [each.dense for each in goals]
    assert_allclose(dense[1].latent, dense[0].latent, rtol=1e-8, atol=1e-10)
    assert_allclose(dense[1].log_evidence, dense[0].log_evidence, rtol=1e-10)
    problem = Problem(make_rows(columns, goals[0].rows, 1000), 41, goals[0].likelihood)
    fit = run(Fast(1e-3), problem, 1000)
    whole, parts = (projected(goals[0], columns, fit, size) for size in (1000.0, 1e-9))
    covariance = whole.root @ whole.root.T
    rounding = 1e-8 * np.abs(covariance).max()
    assert_allclose(parts.root @ parts.root.T, covariance, rtol=1e-6, atol=rounding)
    assert_allclose(parts.posterior.noise_precision, whole.posterior.noise_precision, rtol=1e-10)


def test_a_dense_model_of_many_rows_has_fewer_centres(monkeypatch):
    monkeypatch.setattr(projection_module, "WORK", N * 100.0)
    monkeypatch.setattr(projection_module, "FEWEST_CENTRES", 7)
    _, fit = dense(Y, Gaussian())
    assert fit.columns.n_columns == 10 + 1


@pytest.mark.parametrize("unit", [1e-8, 1.0, 1e8])
def test_columns_of_zeros_do_no_harm(unit):
    inputs = np.column_stack([X[:, 0], np.zeros(N)])
    basis = Linear() + Bias()
    y = unit * (X[:, 0] + Y)
    model = SparseBayesRegressor(basis, inference="projection").fit(inputs, y)
    assert model.column_names_[0] == "x0"
    assert np.isfinite(model.predict(inputs, return_std=True)).all()


# through the estimators

MOONS, SIDES = make_moons(120, noise=0.35, random_state=0)
FRIEDMAN = make_friedman1(150, noise=1.0, random_state=0)
MODELS = {
    "RVR": (RVR(inference="projection"), *FRIEDMAN),
    "RVC": (RVC(inference="projection"), MOONS, SIDES),
}
models = pytest.mark.parametrize(("model", "inputs", "y"), MODELS.values(), ids=MODELS)


def latent(model, inputs):
    if is_classifier(model):
        return model.latent_mean_and_variance(inputs)[0]
    return model.predict(inputs)


def test_verbose_tells_of_the_dense_model(capsys):
    model = RVR(gamma=GAMMA, inference="projection", verbose=1).fit(X, Y)
    told = f"RVR dense model: {N + 1} columns, log evidence {model.log_evidence_:.6g}"
    assert told in capsys.readouterr().out


def test_columns_that_are_no_covariance_are_as_many_as_their_precision_was_found_with():
    inputs = np.linspace(-3.0, 3.0, 300)[:, None]
    rows = inputs, np.tanh(inputs[:, 0]), np.ones(300)
    found = {}
    for basis in (SigmoidKernel(0.1), GaussianKernel(1.0), GaussianKernel([1.0, 2.0])):
        fit = dense_model(basis.bind(inputs, np.ones(300)), rows, Gaussian(0.1), 1000)
        assert np.ptp(fit.posterior.weight_precision) == 0.0
        found[str(basis)] = fit.columns.n_columns
    assert list(found.values()) == [256, 300, 256]
    learned = GaussianKernel([1.0, 2.0], input_scale="learn").bind(inputs, np.ones(300))
    assert dense_model(learned, rows, Gaussian(0.1), 1000).columns.n_columns == 300


@models
def test_more_fidelity_is_nearer_to_the_dense_model_with_more_vectors(model, inputs, y):
    fits = [clone(model).set_params(fidelity=f).fit(inputs, y) for f in (1.0, 30.0, 1e6)]
    few, more, all_ = (latent(fit, inputs) for fit in fits)
    sizes = [len(fit.relevance_) for fit in fits]
    assert sizes[0] < sizes[1] < sizes[2] < len(y)
    assert np.std(few - all_) > 2.0 * np.std(more - all_)
    assert np.std(more - all_) < 0.1 * np.std(all_)


def test_without_limit_it_is_the_gaussian_process():
    model = RVR(gamma=GAMMA, inference="projection", fidelity=1e8).fit(X, Y)
    _, fit = dense(Y, Gaussian(), np.ones(N))
    mean, std = model.predict(NEW, return_std=True)
    design = fit.columns.evaluate(NEW)
    variance = np.einsum("ij,jk,ik->i", design, fit.posterior.covariance, design)
    inside = np.abs(NEW[:, 0]) <= 10.0
    assert_allclose(mean[inside], (design @ fit.posterior.mean)[inside], atol=1e-3)
    noise = 1.0 / fit.posterior.noise_precision
    assert_allclose(std[inside], np.sqrt(variance + noise)[inside], rtol=1e-2)
    assert_allclose(model.log_evidence_, fit.log_evidence, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_pure_noise_has_no_vectors_where_the_evidence_keeps_many():
    random = np.random.default_rng(0)
    inputs, noise = random.uniform(-10, 10, (100, 1)), random.normal(size=100)
    assert len(RVR(gamma=10.0).fit(inputs, noise).relevance_) > 10
    model = RVR(gamma=10.0, inference="projection").fit(inputs, noise)
    assert model.outcome_ is Outcome.NOTHING_RELEVANT
    assert len(model.relevance_) == 0
    assert_allclose(model.noise_std_, np.std(noise), rtol=0.05)


def test_units_and_order_do_not_matter():
    inputs, y = FRIEDMAN
    expected = RVR(inference="projection").fit(inputs, y).predict(inputs)
    order = np.random.default_rng(0).permutation(len(y))
    found = RVR(inference="projection").fit(1e3 * inputs[order], 1e-5 * y[order])
    assert_allclose(1e5 * found.predict(1e3 * inputs), expected, rtol=1e-5)


def test_linear_columns_each_have_their_own_precision():
    inputs, y = FRIEDMAN
    basis = GaussianKernel(input_scale="learn") + Linear() + Bias()
    model = SparseBayesRegressor(basis, inference="projection").fit(inputs, y)
    assert "x3" in model.column_names_  # 10 x3 is the linear term of Friedman's function
    assert "x9" not in model.column_names_


def test_three_classes_are_each_against_the_rest():
    random = np.random.default_rng(0)
    inputs = random.normal(size=(150, 2))
    y = np.digitize(inputs[:, 0] + 0.3 * random.normal(size=150), [-0.5, 0.5])
    model = RVC(inference="projection", gamma=0.5).fit(inputs, y)
    assert model.score(inputs, y) > 0.75
    assert model.predict_proba(inputs).shape == (150, 3)
    first = RVC(inference="projection", gamma=0.5).fit(inputs, y == 0)
    assert_allclose(
        model.latent_mean_and_variance(inputs)[0][:, 0],
        first.latent_mean_and_variance(inputs)[0],
        rtol=1e-9,
    )
    with pytest.raises(ValueError, match=r'"projection" has no dense model for 3 classes .*"ovr"'):
        RVC(inference="projection", multi_class="multinomial").fit(inputs, y)


def test_several_outputs_are_each_for_itself():
    both = np.column_stack([Y, 1e3 * Y**2])
    model = RVR(inference="projection", gamma=0.1, shared_precision=False).fit(X, both)
    for k in range(2):
        alone = RVR(inference="projection", gamma=0.1).fit(X, both[:, k])
        assert_allclose(model.predict(NEW)[:, k], alone.predict(NEW), rtol=1e-9)
        assert_allclose(model.noise_std_[k], alone.noise_std_, rtol=1e-9)
    with pytest.raises(ValueError, match=r'inference="projection" cannot be had with several'):
        RVR(inference="projection").fit(X, both)


WAYS = {
    "few centres": (RVR(gamma=0.1, centres=20), X),
    "given centres": (RVR(gamma=0.1, centres=np.linspace(-10, 10, 15)[:, None]), X),
    "precomputed": (RVR(kernel="precomputed"), kernel(X, X)),
    "a function": (RVR(kernel=kernel), X),
    "spline": (RVR(kernel="linear_spline"), X),
    "spline, a covariance": (RVR(kernel="linear_spline"), X + 10.0),
    "sparse inputs": (RVR(gamma=0.1), csr_array(X)),
    "several widths": (
        SparseBayesRegressor(GaussianKernel([1.0, 3.0], input_scale="learn") + Bias()),
        X,
    ),
    "a price": (RVR(gamma=0.1, min_gain=2.0), X),
    "small memory": (RVR(gamma=0.1, cache_size=1e-6), X),
}


@pytest.mark.parametrize(("model", "inputs"), WAYS.values(), ids=WAYS)
def test_other_ways_to_ask_for_columns(model, inputs):
    model = clone(model).set_params(inference="projection").fit(inputs, Y)
    mean, std = model.predict(inputs, return_std=True)
    assert np.sqrt(np.mean((mean - Y) ** 2)) < 0.15
    assert np.all((std > 0.05) & (std < 0.3))
    assert model.sample_y(inputs, 3).shape == (N, 3)
    assert_allclose(np.diag(model.predict(inputs, return_cov=True)[1]), std**2, rtol=1e-8)


@models
def test_pickles_warm_starts_and_weights_of_classes(model, inputs, y):
    fitted = clone(model).set_params(warm_start=True, gamma=0.3).fit(inputs, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(latent(again, inputs), latent(fitted, inputs))
    warm = latent(fitted.fit(inputs, y), inputs)
    assert np.std(warm - latent(again, inputs)) < 0.05 * np.std(warm)
    if is_classifier(model):
        heavy = clone(model).set_params(class_weight={0: 1.0, 1: 10.0}).fit(inputs, y)
        assert np.mean(heavy.predict(inputs)) > np.mean(fitted.predict(inputs))


def test_many_rows():
    """More than precisions are found from, and more than are centres."""
    random = np.random.default_rng(0)
    inputs = random.uniform(-10, 10, (2500, 1))
    truth = np.sinc(inputs[:, 0] / np.pi)
    model = RVR(gamma=0.1, centres=300, inference="projection")
    model.fit(inputs, truth + random.normal(0.0, 0.1, 2500))
    assert np.sqrt(np.mean((model.predict(inputs) - truth) ** 2)) < 0.02
    assert_allclose(model.noise_std_, 0.1, rtol=0.05)
    assert len(model.relevance_) < 20


@pytest.mark.parametrize("fidelity", [0, -1.0, np.nan, np.inf, 1e13, "high", None, True])
@pytest.mark.parametrize("model", [RVR(), RVC()], ids=["RVR", "RVC"])
def test_fidelity_is_a_positive_number(model, fidelity):
    with pytest.raises(ValueError, match=r"fidelity must be a positive number up to 1e\+12, got"):
        clone(model).set_params(fidelity=fidelity).fit(X, LABELS)


@pytest.mark.parametrize("name", ["weight_hyperprior", "noise_hyperprior"])
def test_hyperpriors_have_no_place(name):
    model = RVR(inference="projection", **{name: student_t(1.0)})
    with pytest.raises(
        ValueError, match=rf'{name}=Gamma.* cannot be had with inference="projection"'
    ):
        model.fit(X, Y)


def test_a_dense_model_that_passes_through_the_targets_is_told():
    inputs, y = FRIEDMAN
    with pytest.warns(ConvergenceWarning, match="passes through the training targets"):
        RVR(gamma=3.0, inference="projection").fit(inputs, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_exact_targets_are_told_and_a_given_noise_helps():
    exact = np.sinc(X[:, 0] / np.pi)
    model = RVR(gamma=GAMMA, inference="projection").fit(X, exact)
    assert model.outcome_ is Outcome.NOISE_VANISHED
    finer = RVR(gamma=GAMMA, inference="projection", noise_std=1e-4).fit(X, exact)
    assert np.abs(finer.predict(X) - exact).max() < 2e-4
    assert finer.noise_std_ == 1e-4


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_its_evidence_can_choose_a_width():
    grid = {"gamma": [1e-4, 0.1, 30.0]}
    search = EvidenceSearch(RVR(inference="projection"), grid).fit(X, Y)
    assert search.best_params_ == {"gamma": 0.1}
    assert_allclose(search.best_score_, search.best_estimator_.log_evidence_, rtol=1e-12)
