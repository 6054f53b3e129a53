"""Variational inference against the formulas of [BT00], and against what a bound must do."""

import fits
import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.special import expit, log_expit, logsumexp

from sparsebayes.evidence import lower_bound, noise_gradient, weight_gradient
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference import Outcome, Variational
from sparsebayes.inference.state import State
from sparsebayes.inference.variational import (
    TangentState,
    climb_bound,
    move_tangents,
    with_tangents,
)
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians, Multinomial, Softmax
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions

ALPHA = np.array([0.5, 3.0, 1e-3, 20.0, 1.0, 0.1])
TAU = 4.0
BROAD = (1e-6, 1e-6)
PRIORS = pytest.mark.parametrize(
    ("p_alpha", "p_tau"),
    [(BROAD, BROAD), ((2.0, 1.0), (3.0, 0.2)), ((0.1, 5.0), BROAD), (BROAD, (0.5, 10.0))],
)
WEIGHT_PRIORS = pytest.mark.parametrize("p_alpha", [BROAD, (2.0, 1.0), (0.1, 5.0)])
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])


def regression(n_rows=20, n_columns=6):
    return problems.regression(0, n_rows, n_columns)


def classification(n_rows=40, n_columns=6):
    return problems.classification(0, n_rows, n_columns)


def kernels(seed, n_rows=25, width=2.0):
    random = np.random.default_rng(seed)
    inputs = np.sort(random.uniform(-10.0, 10.0, n_rows))
    target = np.sinc(inputs / np.pi) + 0.1 * random.normal(size=n_rows)
    return problems.kernel_design(inputs, inputs, width), target


def counted(data, weighted):
    """Rows with a weight of 1, 2 or 3 each, and the same rows so many times."""
    times = np.arange(len(data[1])) % 3 + 1 if weighted else np.ones(len(data[1]), dtype=int)
    return times.astype(float), tuple(np.repeat(part, times, axis=0) for part in data)


def gaussian(data, p_alpha=BROAD, p_tau=BROAD, **options):
    priors = {"weight_hyperprior": Gamma(*p_alpha), "noise_hyperprior": Gamma(*p_tau)}
    return problems.gaussian(*data, **priors, **options)


def bernoulli(data, p_alpha=BROAD, **options):
    return problems.bernoulli(*data, weight_hyperprior=Gamma(*p_alpha), **options)


def with_mean(shape, mean):
    """Gamma(shape, rate) of this mean, as a pair."""
    return shape, shape / mean


def regression_bound(data, alpha, tau, p_alpha, p_tau):
    """The naive bound at mean precisions alpha and tau."""
    q_alpha = with_mean(p_alpha[0] + 0.5, alpha)
    q_tau = with_mean(p_tau[0] + 0.5 * len(data[1]), tau)
    q_w = reference.gaussian_posterior(*data, alpha, tau)
    return reference.regression_bound(*data, q_w, q_alpha, q_tau, p_alpha, p_tau)


def fixed_noise_bound(data, alpha, tau, p_alpha):
    q_w = reference.gaussian_posterior(*data, alpha, tau)
    q_alpha = with_mean(p_alpha[0] + 0.5, alpha)
    return reference.fixed_noise_bound(*data, q_w, q_alpha, tau, p_alpha)


def classification_bound(data, alpha, xi, p_alpha):
    q_w = reference.tangent_posterior(*data, alpha, xi)
    q_alpha = with_mean(p_alpha[0] + 0.5, alpha)
    return reference.classification_bound(*data, q_w, q_alpha, xi, p_alpha)


def fit(problem, tol=1e-3, max_iter=2000, start=None):
    state = None if start is None else state_at(problem, start)
    return fits.fit(Variational(), problem, tol, max_iter, state=state)


def state_at(problem, precisions):
    """Where the inference stands at given precisions of all columns."""
    bounded = with_tangents(problem, np.zeros(len(problem.data.target)))
    posterior = find_posterior(bounded, np.arange(problem.n_columns), precisions)
    return State(posterior, lower_bound=lower_bound(posterior), memory=TangentState(0.0))


def settled(problem, tol=1e-3):
    """The last state of a fit, which knows the tangents."""
    inference = Variational()
    state = inference.init(problem)
    for _ in range(2000):
        if state.settled:
            return state
        state = inference.step(problem, state, tol)
    raise AssertionError("not settled")


def tangents(state):
    return state.posterior.problem.data.target[:, 1]


# The formulas of the paper, against draws.


DRAWS = 200_000


def assert_mean(draws, expected):
    """Within four standard errors, and these are small."""
    error = np.std(draws) / np.sqrt(len(draws))
    assert error < 0.02
    assert abs(np.mean(draws) - expected) < 4.0 * error


def drawn():
    """A small problem, a Gaussian Q(w), two Gamma distributions, and draws of w, alpha, tau."""
    random = np.random.default_rng(0)
    design, target = random.normal(size=(5, 3)), random.normal(size=5)
    root = 0.3 * random.normal(size=(3, 3))
    q_w = random.normal(size=3), root @ root.T + 0.1 * np.eye(3)
    q_alpha, q_tau = (1.5, np.array([0.5, 2.0, 3.0])), (4.0, 3.0)
    draws = (
        random.multivariate_normal(*q_w, DRAWS),
        random.gamma(q_alpha[0], 1.0 / q_alpha[1], (DRAWS, 3)),
        random.gamma(q_tau[0], 1.0 / q_tau[1], DRAWS),
    )
    return design, target, q_w, q_alpha, q_tau, draws


def log_gamma(x, shape, rate):
    return stats.gamma.logpdf(x, shape, scale=1.0 / np.asarray(rate))


def test_the_expected_log_likelihood():
    design, target, q_w, _, q_tau, (w, _, tau) = drawn()
    log_density = stats.norm.logpdf(target, w @ design.T, tau[:, None] ** -0.5).sum(axis=1)
    moments = reference.gamma_moments(*q_tau)
    assert_mean(log_density, reference.expected_log_likelihood(design, target, *q_w, *moments))


def test_the_expected_log_prior_of_the_weights():
    _, _, q_w, q_alpha, _, (w, alpha, _) = drawn()
    log_density = stats.norm.logpdf(w, 0.0, alpha**-0.5).sum(axis=1)
    moments = reference.gamma_moments(*q_alpha)
    assert_mean(log_density, reference.expected_log_weight_prior(*q_w, *moments))


def test_the_expected_log_hyperprior():
    _, _, _, _, q_tau, (_, _, tau) = drawn()
    expected = reference.expected_log_gamma(2.0, 0.7, *reference.gamma_moments(*q_tau))
    assert_mean(log_gamma(tau, 2.0, 0.7), expected)


def test_the_entropy_of_the_weights():
    _, _, q_w, _, _, (w, _, _) = drawn()
    log_density = stats.multivariate_normal.logpdf(w, *q_w)
    assert_mean(-log_density, reference.gaussian_entropy(q_w[1]))


def test_the_entropy_of_precisions():
    _, _, _, q_alpha, q_tau, (_, alpha, tau) = drawn()
    assert_mean(-log_gamma(tau, *q_tau), reference.gamma_entropy(*q_tau))
    entropy = np.sum(reference.gamma_entropy(*q_alpha))
    assert_mean(-log_gamma(alpha, *q_alpha).sum(axis=1), entropy)


def test_the_expected_tangents():
    design, _, q_w, _, _, (w, _, _) = drawn()
    target, xi = np.array([0.0, 1.0, 1.0, 0.0, 1.0]), np.array([0.1, 0.5, 1.0, 2.0, 5.0])
    z = (2.0 * target - 1.0) * (w @ design.T)
    slope = np.tanh(xi / 2.0) / (4.0 * xi)
    log_tangent = np.log(expit(xi)) + (z - xi) / 2.0 - slope * (z**2 - xi**2)
    assert np.all(log_tangent <= log_expit(z) + 1e-12)
    expected = reference.expected_log_tangents(design, target, *q_w, xi)
    assert_mean(log_tangent.sum(axis=1), expected)


# The paper's updates raise the paper's bound.


def test_the_updates_of_a_regression_climb_its_bound():
    data, p_alpha, p_tau = regression(), (0.1, 0.2), (0.3, 0.1)
    q_alpha, q_tau = (np.full(6, 0.6), ALPHA), (10.3, 3.0)
    values = []
    for _ in range(5):
        q_w = reference.gaussian_posterior(*data, q_alpha[0] / q_alpha[1], q_tau[0] / q_tau[1])
        values.append(reference.regression_bound(*data, q_w, q_alpha, q_tau, p_alpha, p_tau))
        q_alpha = reference.updated_alpha(*q_w, *p_alpha)
        values.append(reference.regression_bound(*data, q_w, q_alpha, q_tau, p_alpha, p_tau))
        q_tau = reference.updated_tau(*data, *q_w, *p_tau)
        values.append(reference.regression_bound(*data, q_w, q_alpha, q_tau, p_alpha, p_tau))
    assert np.diff(values).min() > 0.0


def test_the_updates_of_a_classification_climb_its_bound():
    data, p_alpha = classification(), (0.1, 0.2)
    q_alpha, xi = (0.6, ALPHA), np.full(40, 3.0)
    values = []
    for _ in range(5):
        q_w = reference.tangent_posterior(*data, q_alpha[0] / q_alpha[1], xi)
        values.append(reference.classification_bound(*data, q_w, q_alpha, xi, p_alpha))
        q_alpha = reference.updated_alpha(*q_w, *p_alpha)
        values.append(reference.classification_bound(*data, q_w, q_alpha, xi, p_alpha))
        xi = reference.updated_xi(data[0], *q_w)
        values.append(reference.classification_bound(*data, q_w, q_alpha, xi, p_alpha))
    assert np.diff(values).min() > 0.0


# Our bound is the paper's: at any precisions.


@PRIORS
@WEIGHTED
def test_the_bound_of_a_regression(p_alpha, p_tau, weighted):
    weight, repeated = counted(regression(), weighted)
    problem = gaussian(regression(), p_alpha, p_tau, weight=weight)
    ours = lower_bound(problems.posterior_at(problem, np.arange(6), ALPHA, TAU))
    assert_allclose(ours, regression_bound(repeated, ALPHA, TAU, p_alpha, p_tau), rtol=1e-9)


@WEIGHT_PRIORS
@WEIGHTED
def test_the_bound_with_a_fixed_noise(p_alpha, weighted):
    weight, repeated = counted(regression(), weighted)
    problem = gaussian(regression(), p_alpha, noise_std=TAU**-0.5, weight=weight)
    ours = lower_bound(problems.posterior_at(problem, np.arange(6), ALPHA, TAU))
    assert_allclose(ours, fixed_noise_bound(repeated, ALPHA, TAU, p_alpha), rtol=1e-9)


@WEIGHT_PRIORS
@WEIGHTED
def test_the_bound_of_a_classification(p_alpha, weighted):
    xi = np.random.default_rng(1).uniform(0.01, 6.0, 40)
    weight, (*repeated, every_xi) = counted((*classification(), xi), weighted)
    problem = bernoulli(classification(), p_alpha, weight=weight)
    posterior = problems.posterior_at(with_tangents(problem, xi), np.arange(6), ALPHA)
    ours = lower_bound(posterior)
    assert_allclose(ours, classification_bound(repeated, ALPHA, every_xi, p_alpha), rtol=1e-9)


# Our bound is the paper's: where the fit ends.


@PRIORS
@WEIGHTED
@pytest.mark.parametrize("data", [regression(), kernels(0)], ids=["plain", "kernels"])
def test_the_recorded_bound_of_a_regression(data, p_alpha, p_tau, weighted):
    weight, repeated = counted(data, weighted)
    end = fit(gaussian(data, p_alpha, p_tau, weight=weight))
    assert end.history[-1].n_active == data[0].shape[1]
    naive = regression_bound(repeated, *end.precisions, p_alpha, p_tau)
    assert_allclose(end.lower_bound, naive, rtol=1e-9)


@WEIGHT_PRIORS
def test_the_recorded_bound_with_a_fixed_noise(p_alpha):
    end = fit(gaussian(regression(), p_alpha, noise_std=0.5))
    naive = fixed_noise_bound(regression(), end.precisions.weight, 4.0, p_alpha)
    assert_allclose(end.lower_bound, naive, rtol=1e-9)


@WEIGHT_PRIORS
@WEIGHTED
def test_the_recorded_bound_of_a_classification(p_alpha, weighted):
    weight, repeated = counted(classification(), weighted)
    problem = bernoulli(classification(), p_alpha, weight=weight)
    end = settled(problem)
    xi = np.repeat(tangents(end), weight.astype(int))
    naive = classification_bound(repeated, end.posterior.weight_precision, xi, p_alpha)
    assert_allclose(end.lower_bound, naive, rtol=1e-9)
    assert fit(problem).lower_bound == end.lower_bound


# It is a bound of log p(t), by quadrature.


def one_column():
    random = np.random.default_rng(2)
    column = random.normal(size=15)
    return column, column + 0.5 * random.normal(size=15)


def log_densities(column, target, alpha, tau):
    """log N(t | 0, I / tau + phi phi' / alpha), by the formulas for rank one."""
    n, energy = len(target), column @ column
    log_determinant = np.log1p(tau * energy / alpha) - n * np.log(tau)
    misfit = tau * (target @ target) - (tau * (column @ target)) ** 2 / (alpha + tau * energy)
    return -0.5 * (n * np.log(2.0 * np.pi) + log_determinant + misfit)


LOG_GRID = np.linspace(-25.0, 8.0, 1000)
STEP = LOG_GRID[1] - LOG_GRID[0]


def test_the_bound_is_below_the_evidence_of_a_regression():
    column, target = one_column()
    log_prior = log_gamma(np.exp(LOG_GRID), 2.0, 1.0) + LOG_GRID
    log_joint = log_densities(column, target, np.exp(LOG_GRID), 4.0) + log_prior
    exact = logsumexp(log_joint) + np.log(STEP)
    bound = fit(gaussian((column[:, None], target), (2.0, 1.0), noise_std=0.5))
    assert 0.0 < exact - bound.lower_bound < 0.05


def test_the_bound_is_below_the_evidence_with_the_noise_integrated_out():
    column, target = one_column()
    alpha, tau = np.exp(LOG_GRID)[:, None], np.exp(LOG_GRID)
    log_prior = log_gamma(alpha, 2.0, 1.0) + log_gamma(tau, 3.0, 1.0)
    log_prior = log_prior + np.log(alpha) + np.log(tau)
    exact = logsumexp(log_densities(column, target, alpha, tau) + log_prior) + 2.0 * np.log(STEP)
    bound = fit(gaussian((column[:, None], target), (2.0, 1.0), (3.0, 1.0)))
    assert 0.0 < exact - bound.lower_bound < 0.1


def test_the_bound_is_below_the_evidence_of_a_classification():
    """With its precision integrated out, a weight is Student-t."""
    column, latent = one_column()
    target = (latent > 0.0).astype(float)
    weight = np.linspace(-60.0, 60.0, 20_001)
    log_prior = stats.t.logpdf(weight, 4.0, scale=0.5**0.5)
    log_likelihood = log_expit(np.outer(weight, (2.0 * target - 1.0) * column)).sum(axis=1)
    exact = logsumexp(log_prior + log_likelihood) + np.log(weight[1] - weight[0])
    bound = fit(bernoulli((column[:, None], target), (2.0, 1.0)))
    assert 0.0 < exact - bound.lower_bound < 0.6


# It never falls.


def random_problem(seed, make):
    """Plain columns, few or many, or kernels from narrow to nearly collinear; any hyperprior."""
    random = np.random.default_rng(seed)
    if seed % 2:
        design, target = kernels(seed, int(random.integers(5, 30)), 10.0 ** random.uniform(-1, 2))
    else:
        design, target = problems.regression(seed, int(random.integers(5, 40)), 12)
    p_alpha, p_tau = 10.0 ** random.uniform(-6, 1, (2, 2))
    if make is bernoulli:
        return make((design, (target > np.median(target)).astype(float)), p_alpha)
    return make((design, target), p_alpha, p_tau)


def far_start(problem, seed):
    """Precisions from nowhere, for all columns."""
    random = np.random.default_rng(seed)
    alpha, tau = 10.0 ** random.uniform(-4, 4, problem.n_columns), 10.0 ** random.uniform(-2, 2)
    return Precisions(alpha, tau)


@pytest.mark.slow
@pytest.mark.parametrize("make", [gaussian, bernoulli])
def test_the_bound_never_falls_wherever_it_starts(make):
    """25 problems each, from precisions that have nothing to do with them."""
    for seed in range(25):
        problem = random_problem(seed, make)
        end = fit(problem, max_iter=100, start=far_start(problem, seed))
        bounds = np.array([step.lower_bound for step in end.history])
        assert np.diff(bounds).min() >= -1e-9 * np.abs(bounds).max(), seed
        assert bounds[-1] > bounds[0]


# Where it ends, the paper's updates change nothing.


@PRIORS
@pytest.mark.parametrize("data", [regression(), kernels(1, width=1.0)], ids=["plain", "kernels"])
def test_a_regression_ends_at_a_fixed_point_of_the_updates(data, p_alpha, p_tau):
    end = fit(gaussian(data, p_alpha, p_tau), tol=1e-8).precisions
    q_w = reference.gaussian_posterior(*data, *end)
    shape, rate = reference.updated_alpha(*q_w, *p_alpha)
    assert_allclose(shape / rate, end.weight, rtol=1e-5)
    shape, rate = reference.updated_tau(*data, *q_w, *p_tau)
    assert_allclose(shape / rate, end.noise, rtol=1e-5)


@WEIGHT_PRIORS
def test_a_classification_ends_at_a_fixed_point_of_the_updates(p_alpha):
    data = classification()
    end = settled(bernoulli(data, p_alpha), tol=1e-8)
    alpha, xi = end.posterior.weight_precision, tangents(end)
    q_w = reference.tangent_posterior(*data, alpha, xi)
    shape, rate = reference.updated_alpha(*q_w, *p_alpha)
    assert_allclose(shape / rate, alpha, rtol=1e-5)
    assert_allclose(reference.updated_xi(data[0], *q_w), xi, rtol=1e-5)


@pytest.mark.parametrize("tol", [1e-3, 0.1])
@WEIGHT_PRIORS
def test_a_classification_ends_only_when_the_tangents_have_settled(p_alpha, tol):
    """Long after the gradient at given tangents has vanished: about tol is still to come."""
    problem = bernoulli(classification(), p_alpha)
    to_come = settled(problem, 1e-6).lower_bound - settled(problem, tol).lower_bound
    assert -1e-9 <= to_come < 1.5 * tol


# Its derivatives.


def central_difference(function, step=1e-4):
    return (function(step) - function(-step)) / (2.0 * step)


@PRIORS
def test_derivatives_of_the_bound_of_a_regression(p_alpha, p_tau):
    problem = gaussian(regression(), p_alpha, p_tau)

    def bound(alpha, tau):
        return lower_bound(problems.posterior_at(problem, np.arange(6), alpha, tau))

    posterior = problems.posterior_at(problem, np.arange(6), ALPHA, TAU)
    for slope, unit in zip(weight_gradient(posterior), np.eye(6), strict=True):
        numeric = central_difference(lambda h, unit=unit: bound(ALPHA * np.exp(h * unit), TAU))
        assert_allclose(slope, numeric, rtol=1e-6, atol=1e-7)
    numeric = central_difference(lambda h: bound(ALPHA, TAU * np.exp(h)))
    assert_allclose(noise_gradient(posterior), numeric, rtol=1e-6, atol=1e-7)


@WEIGHT_PRIORS
def test_derivatives_of_the_bound_of_a_classification_at_the_best_tangents(p_alpha):
    """There the tangents may be held, as their own derivatives are zero."""
    problem = bernoulli(classification(), p_alpha)

    def best(alpha):
        bounded = with_tangents(problem, np.ones(40))
        posterior = problems.posterior_at(bounded, np.arange(6), alpha)
        for _ in range(100):
            posterior = move_tangents(problem, posterior)
        return posterior

    def bound(alpha):
        return lower_bound(best(alpha))

    slopes = weight_gradient(best(ALPHA))
    for slope, unit in zip(slopes, np.eye(6), strict=True):
        numeric = central_difference(lambda h, unit=unit: bound(ALPHA * np.exp(h * unit)))
        assert_allclose(slope, numeric, rtol=1e-6, atol=1e-7)


# Columns that go, and columns that say nothing.


def end_of_all(problem, start=None):
    """The end of the same climb where no column is pruned."""
    state = Variational().init(problem) if start is None else state_at(problem, start)
    posterior = state.posterior
    for _ in range(250):
        posterior = move_tangents(problem, climb_bound(posterior).refreshed())
    return posterior


def last_column_tiny(data):
    return data[0] * np.append(np.ones(data[0].shape[1] - 1), 1e-8), data[1]


BROADER = (1e-24, 1e-24)
SOME_GO = {
    "plain": gaussian(problems.regression(1), BROADER),
    "kernels": gaussian(kernels(2), BROADER),
    "classification": bernoulli(problems.classification(1), BROADER),
    "tiny column": gaussian(last_column_tiny(problems.regression(1)), (2.0, 1.0), (1.0, 0.1)),
    "tiny column of a classification": bernoulli(
        last_column_tiny(problems.classification(1)), (2.0, 1.0)
    ),
}


@pytest.mark.parametrize("problem", SOME_GO.values(), ids=SOME_GO)
def test_columns_without_effect_go_and_their_hyperpriors_stay_in_the_bound(problem):
    pruned, whole = fit(problem, tol=1e-6), end_of_all(problem)
    assert 0 < len(pruned.active) < len(whole.active) == problem.n_columns
    assert_allclose(pruned.lower_bound, lower_bound(whole), rtol=1e-8)


def test_a_column_that_goes_early_counts_at_its_best_precision():
    """Its weight is not determined by the data from the first step on, which starts elsewhere."""
    problem = SOME_GO["tiny column"]
    start = Precisions(np.ones(8), 5.0)
    pruned, whole = fit(problem, 1e-6, start=start), end_of_all(problem, start)
    assert len(pruned.active) == 7 < len(whole.active)
    assert_allclose(pruned.lower_bound, lower_bound(whole), rtol=1e-8)


def with_zeros(data):
    return np.insert(data[0], [0, 3], 0.0, axis=1), data[1]


@PRIORS
def test_columns_of_zeros_count_in_the_bound_of_a_regression(p_alpha, p_tau):
    """Q(alpha) of such a column has the mean of the hyperprior."""
    end = fit(gaussian(with_zeros(regression()), p_alpha, p_tau), tol=1e-6)
    assert not np.isin([0, 4], end.active).any()
    alpha = np.full(8, p_alpha[0] / p_alpha[1])
    alpha[end.active] = end.precisions.weight
    naive = regression_bound(with_zeros(regression()), alpha, end.precisions.noise, p_alpha, p_tau)
    assert_allclose(end.lower_bound, naive, rtol=1e-9)


@WEIGHT_PRIORS
def test_columns_of_zeros_count_in_the_bound_of_a_classification(p_alpha):
    end = settled(bernoulli(with_zeros(classification()), p_alpha))
    alpha = np.full(8, p_alpha[0] / p_alpha[1])
    alpha[end.posterior.active] = end.posterior.weight_precision
    assert len(end.posterior.active) == 6
    naive = classification_bound(with_zeros(classification()), alpha, tangents(end), p_alpha)
    assert_allclose(end.lower_bound, naive, rtol=1e-9)


def test_a_model_of_columns_of_zeros_is_the_noise():
    """Log p(t), which is Student-t, less what weights and precisions cost without data."""
    target = regression()[1]
    end = fit(gaussian((np.zeros((20, 2)), target), (2.0, 1.0), (3.0, 1.0)))
    assert end.outcome is Outcome.NOTHING_RELEVANT
    exact = stats.multivariate_t.logpdf(target, shape=np.eye(20) / 3.0, df=6.0)
    cost = reference.weight_terms(np.zeros(2), np.eye(2) / 2.0, (2.5, np.full(2, 1.25)), (2.0, 1.0))
    assert_allclose(end.lower_bound, exact + cost, rtol=1e-9)


@pytest.mark.parametrize(
    ("make", "data"),
    [(gaussian, kernels(3)), (bernoulli, (kernels(4)[0], (kernels(4)[1] > 0.2).astype(float)))],
    ids=["regression", "classification"],
)
def test_fitting_again_gives_the_very_same(make, data):
    one, other = fit(make(data)), fit(make(data))
    assert_array_equal(one.history, other.history)
    assert_array_equal(one.mean, other.mean)


# What it needs, and what it knows.


def test_the_noise_has_a_distribution_where_it_was_inferred():
    """Q(tau) with the mean that was found. [BT00] (21), (26)"""
    end = fit(gaussian(regression(), BROAD, (3.0, 0.2)))
    posterior = Variational().noise_posterior(end)
    assert posterior.shape == 3.0 + 10.0
    assert_allclose(posterior.shape / posterior.rate, end.precisions.noise, rtol=1e-12)
    assert Variational().noise_posterior(fit(gaussian(regression(), noise_std=0.5))) is None
    assert Variational().noise_posterior(fit(bernoulli(classification()))) is None


def test_by_default_its_hyperpriors_are_broad_in_the_units_of_the_target():
    design, target = regression()
    plain = Variational().with_hyperpriors(problems.gaussian(design, 100.0 * target))
    rate = 1e-6 * np.var(100.0 * target)
    for prior in (plain.weight_hyperprior, plain.noise_hyperprior):
        assert_allclose([prior.shape, prior.rate], [1e-6, rate], rtol=1e-12)
    classes = Variational().with_hyperpriors(problems.bernoulli(*classification()))
    assert classes.weight_hyperprior == Gamma(1e-6, 1e-6)


@pytest.mark.parametrize("likelihood", [Gaussians(3), Softmax(3), Multinomial(3)])
def test_it_needs_a_bound(likelihood):
    assert "lower bound" in Variational().objection(likelihood)
    assert Variational().objection(Gaussian()) is None
    assert Variational().objection(Bernoulli()) is None
