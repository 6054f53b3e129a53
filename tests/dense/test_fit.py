"""Dense models with their precisions at their best, against naive Gaussian processes."""

import numpy as np
import pytest
from dense_parts import CountingGaussian
from numpy.testing import assert_allclose
from projection_parts import KINDS, LABELS, NEW, WEIGHT, N, X, Y, kernel, problem
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import multivariate_normal

from sparsebayes import Bias, GaussianKernel, PolynomialKernel, SigmoidKernel
from sparsebayes.climber import Ascent
from sparsebayes.dense.fit import dense_posterior, find_settings, fit_dense, noise_variance
from sparsebayes.dense.matching import matched
from sparsebayes.dense.model import LEAST_NOISES, DenseModel, precisions_of
from sparsebayes.dense.parts import groups
from sparsebayes.dense.rows import Budget, DenseRows
from sparsebayes.dense.settings import SettingSearch, best_start
from sparsebayes.evidence import log_evidence
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.problem import Problem
from sparsebayes.rows import ChunkedRows, Data

kinds = pytest.mark.parametrize(("target", "likelihood"), KINDS.values(), ids=KINDS)
ONES = np.ones(N)
WHOLE = Budget(unseen=0.0)


def precisions(fit):
    """Of kernel, bias and noise."""
    alpha = fit.posterior.weight_precision
    assert np.ptp(alpha[:-1]) == 0.0
    return alpha[0], alpha[-1], fit.posterior.noise_precision


def prior_covariance(fit, left, right):
    alpha, bias, _ = precisions(fit)
    return kernel(left, right) / alpha + 1.0 / bias


def test_it_predicts_as_a_gaussian_process():
    fit = fit_dense(problem(Y, Gaussian()), budget=WHOLE)
    noise = np.diag(1.0 / (precisions(fit)[2] * WEIGHT))
    factor = cho_factor(prior_covariance(fit, X, X) + noise)
    at_rows = prior_covariance(fit, X, X) @ cho_solve(factor, Y)
    assert_allclose(fit.latents[:, 0], at_rows, atol=1e-6)
    design = fit.columns.evaluate(NEW)
    mean = prior_covariance(fit, NEW, X) @ cho_solve(factor, Y)
    assert_allclose(design @ fit.posterior.mean[:, 0], mean, atol=1e-5)
    inner = cho_solve(factor, prior_covariance(fit, X, NEW))
    variance = prior_covariance(fit, NEW, NEW) - prior_covariance(fit, NEW, X) @ inner
    found = design @ fit.posterior.covariance @ design.T
    inside = np.flatnonzero(np.abs(NEW[:, 0]) <= 10.0)  # beyond, centres do not span the process
    assert_allclose(np.diag(found)[inside], np.diag(variance)[inside], rtol=1e-4)


def test_its_evidence_is_that_of_a_gaussian_process():
    fit = fit_dense(problem(Y, Gaussian(), ONES))
    covariance = prior_covariance(fit, X, X) + np.eye(N) / precisions(fit)[2]
    exact = multivariate_normal(np.zeros(N), covariance).logpdf(Y)
    assert_allclose(fit.log_evidence, exact, rtol=1e-6)


def settings_of(fit):
    """Those that a fit of kernel and bias was made with."""
    alpha, bias, beta = precisions(fit)
    return np.log([alpha, bias, beta] if fit.posterior.problem.noise.estimated else [alpha, bias])


def test_the_posterior_of_classes_is_at_the_mode_of_a_gaussian_process():
    """Where f = K (slope of the log density), [KTH] or any text on Laplace's method."""
    aim = problem(LABELS, Bernoulli())
    fit = fit_dense(aim, budget=WHOLE)
    mode = dense_posterior(aim, settings_of(fit), budget=WHOLE)
    latent = fit.columns.evaluate(X) @ mode.mean[:, 0]
    slope = WEIGHT * (LABELS - expit(latent))
    assert_allclose(latent, prior_covariance(fit, X, X) @ slope, atol=1e-5)


def test_that_of_classes_has_the_moments_of_matched_rows_and_the_evidence_of_the_mode():
    aim = problem(LABELS, Bernoulli())
    fit = fit_dense(aim)
    mode = dense_posterior(aim, settings_of(fit))
    expected = matched(mode)
    assert_allclose(fit.posterior.mean, expected.mean, rtol=1e-10)
    assert_allclose(fit.latents, fit.columns.evaluate(X) @ expected.mean, rtol=1e-10)
    assert np.abs(fit.latents).mean() > np.abs(fit.columns.evaluate(X) @ mode.mean).mean()
    assert_allclose(fit.log_evidence, log_evidence(mode), rtol=1e-10)


def test_precisions_are_a_maximum_of_the_evidence_up_to_their_steps():
    fit = fit_dense(problem(Y, Gaussian(), ONES))
    best = np.log(precisions(fit))[[0, 2]]
    bias = precisions(fit)[1]
    assert bias > 1e3  # it is not needed here, and its precision has no maximum

    def value(point):
        alpha, beta = np.exp(point)
        covariance = kernel(X, X) / alpha + 1.0 / bias + np.eye(N) / beta
        return multivariate_normal(np.zeros(N), covariance).logpdf(Y)

    end = minimize(lambda point: -value(point), best, method="Nelder-Mead", tol=1e-8)
    assert_allclose(best, end.x, atol=0.03)


def found(problem, **options):
    settings = find_settings(problem, **options).settings
    return precisions_of(settings, groups(problem.columns.kinds), problem.noise)


@kinds
def test_precisions_do_not_depend_on_order_or_repetition(target, likelihood):
    order = np.random.default_rng(0).permutation(N)
    expected = found(problem(target, likelihood, ONES))
    shuffled = found(problem(target[order], likelihood, ONES, X[order]))
    twice = found(problem(target, likelihood, 2.0 * ONES))
    again = found(problem(np.tile(target, 2), likelihood, np.tile(ONES, 2), np.vstack([X, X])))
    for one, other in ((shuffled, expected), (again, twice)):
        assert_allclose(one.weight, other.weight, rtol=1e-12)
        assert_allclose(one.noise, other.noise, rtol=1e-12)


def test_precisions_have_the_units_of_the_target():
    one, other = (found(problem(unit * Y, Gaussian(), ONES)) for unit in (1.0, 1e6))
    assert_allclose(other.noise * 1e12, one.noise, rtol=1e-9)
    assert_allclose(other.weight * 1e12, one.weight, rtol=1e-9)


def test_known_settings_are_used_as_they_are():
    """As where scales were learned first: one dense fit serves scales and projection."""
    known, aim = np.log([0.7, 30.0, 50.0]), problem(Y, CountingGaussian())
    fit = fit_dense(aim, known)
    assert aim.likelihood.count[0] == 1
    assert_allclose(precisions(fit), np.exp(known), rtol=1e-12)
    assert not fit.noise_vanished


@kinds
def test_known_latent_values_change_nothing_but_where_the_search_starts(target, likelihood):
    aim = problem(target, likelihood)
    fit = fit_dense(aim)
    for latent in (fit.latents[:, 0], np.zeros(N), 3.0 * target):
        again = fit_dense(aim, settings_of(fit), latent)
        assert_allclose(again.latents, fit.latents, atol=1e-6)
        assert_allclose(again.log_evidence, fit.log_evidence, rtol=1e-8)


@pytest.mark.parametrize(("ratio", "vanished"), [(1e-9, True), (1e-8, True), (2e-8, False)])
def test_known_noise_that_is_the_least_has_vanished(ratio, vanished):
    scale = problem(Y, Gaussian()).target_scale
    known = np.log([1.0 / scale**2, 30.0, 1.0 / (ratio * scale**2)])
    assert fit_dense(problem(Y, Gaussian()), known).noise_vanished == vanished


def test_a_short_climb_can_be_asked_for():
    short = SettingSearch(ascent=Ascent(max_steps=1))
    one, other = found(problem(Y, Gaussian())), found(problem(Y, Gaussian()), search=short)
    assert one.noise != other.noise


def test_precisions_are_rounded_from_where_the_climb_starts():
    aim = problem(Y, Gaussian())
    model = DenseModel(aim.columns, DenseRows.of(aim.data, aim.likelihood))
    (first,), _ = model.first_settings(aim.columns.log_scales, 1e-6)
    log_noise = np.log(found(aim).noise)
    steps = (log_noise - first[-1]) / 0.05
    assert_allclose(steps, np.round(steps), atol=1e-9)


def test_exact_targets_are_known_by_their_noise():
    exact = np.sinc(X[:, 0] / np.pi)
    assert fit_dense(problem(exact, Gaussian())).noise_vanished
    assert not fit_dense(problem(Y, Gaussian())).noise_vanished
    assert not fit_dense(problem(exact, Gaussian(1e-3))).noise_vanished


@kinds
def test_chunks_of_rows_change_nothing(target, likelihood):
    inputs, target, weight = np.tile(X, (11, 1)), np.tile(target, 11), np.tile(WEIGHT, 11)
    whole = problem(target, likelihood, weight, inputs)
    parts = problem(target, likelihood, weight, inputs, cache_size=1e-9)
    assert isinstance(parts.rows, ChunkedRows)
    one, other = fit_dense(whole), fit_dense(parts)
    assert_allclose(other.latents, one.latents, rtol=1e-8, atol=1e-10)
    assert_allclose(other.log_evidence, one.log_evidence, rtol=1e-10)


# What it says of itself.


@kinds
def test_rows_add_to_the_precision_of_the_weights(target, likelihood):
    """A + V' W V, with W the precision that each row adds."""
    fit = fit_dense(problem(target, likelihood))
    design = fit.columns.evaluate(X)
    prior = np.diag(1.0 / fit.prior_variance)
    expected = prior + design.T @ (fit.row_precision[:, None] * design)
    assert_allclose(fit.precision, expected, rtol=1e-8, atol=1e-10)
    assert_allclose(fit.precision @ fit.posterior.covariance, np.eye(len(prior)), atol=1e-6)


def test_a_row_of_gaussian_noise_adds_the_precision_of_the_noise():
    fit = fit_dense(problem(Y, Gaussian()))
    assert_allclose(fit.row_precision, WEIGHT * fit.posterior.noise_precision, rtol=1e-12)
    assert_allclose(fit.noise_variance, 1.0 / fit.posterior.noise_precision, rtol=1e-12)


@kinds
def test_some_of_the_columns_alone(target, likelihood):
    fit = fit_dense(problem(target, likelihood))
    kept = np.array([7, 0, 3, fit.columns.n_columns - 1])
    factor = fit.restricted_to(kept)
    expected = np.linalg.inv(fit.precision[np.ix_(kept, kept)])
    assert_allclose(factor.inverse, expected, rtol=1e-6, atol=1e-12)


def test_energy_and_variance_at_the_rows():
    """The columns of the process have its whole variance, up to what they leave out."""
    fit = fit_dense(problem(Y, Gaussian()), budget=WHOLE)
    share = WEIGHT / WEIGHT.sum()
    assert_allclose(fit.energy, share @ fit.columns.evaluate(X) ** 2, rtol=1e-9)
    assert_allclose(fit.process_variance, [1.0, 0.0])
    assert_allclose(fit.energy[:-1].sum(), 1.0, rtol=1e-9)


def test_the_variance_of_a_process_is_a_mean_over_rows():
    columns = PolynomialKernel(2, 0.3).bind(X, WEIGHT)
    fit = fit_dense(Problem(Data(X, Y, WEIGHT), columns, Gaussian()))
    expected = WEIGHT @ (0.3 * X[:, 0] ** 2 + 1.0) ** 2 / WEIGHT.sum()
    assert_allclose(fit.process_variance, [expected], rtol=1e-9)


# Little noise.


@pytest.mark.parametrize("noise", [0.1, 1e-2, 1e-3, 1e-4])
def test_little_noise_is_found(noise):
    """Of a smooth function, in units of its spread."""
    random = np.random.default_rng(2)
    inputs = np.linspace(-3.0, 3.0, 80)[:, None]
    target = np.sin(2.0 * inputs[:, 0]) + noise * random.normal(size=80)
    columns = GaussianKernel(1.5).bind(inputs, np.ones(80))
    aim = Problem(Data(inputs, target, np.ones(80)), columns, Gaussian())
    fit = fit_dense(aim)
    assert_allclose(fit.posterior.noise_precision**-0.5, noise, rtol=0.3)
    assert not fit.noise_vanished


def test_the_least_noise_is_one_part_in_ten_thousand_of_the_spread():
    inputs = np.linspace(-3.0, 3.0, 80)[:, None]
    columns = GaussianKernel(1.5).bind(inputs, np.ones(80))
    aim = Problem(Data(inputs, np.sin(2.0 * inputs[:, 0]), np.ones(80)), columns, Gaussian())
    fit = fit_dense(aim)
    assert fit.noise_vanished
    spread = fit.posterior.noise_precision**-0.5 / aim.target_scale
    assert_allclose(spread, LEAST_NOISES[-1] ** 0.5, rtol=0.05)


# Which columns it has.


def test_of_many_rows_it_has_fewer_centres():
    fit = fit_dense(problem(Y, Gaussian()), budget=Budget(centres=7, work=N * 100.0, unseen=0.0))
    assert fit.columns.n_columns == 10 + 1


def test_centres_that_change_nothing_are_left_out():
    aim = problem(Y, Gaussian())
    whole, few = (fit_dense(aim, budget=Budget(centres=7, unseen=part)) for part in (0.0, 1e-4))
    assert few.columns.n_columns < 0.7 * whole.columns.n_columns
    noise = whole.posterior.noise_precision**-0.5
    assert_allclose(few.latents, whole.latents, atol=1e-2 * noise)
    assert_allclose(few.log_evidence, whole.log_evidence, atol=1e-2)


@pytest.mark.parametrize(
    ("likelihood", "variance"), [(Gaussian(), 0.25), (Gaussian(0.1), 0.01), (Bernoulli(), 1.0)]
)
def test_variances_are_compared_with_that_of_the_noise_or_with_one(likelihood, variance):
    aim = problem(LABELS, likelihood)
    assert_allclose(noise_variance(aim, np.log([3.0, 3.0, 4.0])), variance, rtol=1e-12)


@pytest.mark.parametrize("basis", [SigmoidKernel(0.1), GaussianKernel([1.0, 2.0])], ids=str)
def test_columns_that_are_no_covariance_are_as_many_as_their_precision_was_found_with(basis):
    inputs = np.linspace(-3.0, 3.0, 60)[:, None]
    columns = basis.bind(inputs, np.ones(60))
    aim = Problem(Data(inputs, np.tanh(inputs[:, 0]), np.ones(60)), columns, Gaussian(0.1))
    fit = fit_dense(aim, budget=Budget(centres=20))
    assert np.ptp(fit.posterior.weight_precision) == 0.0
    assert fit.columns.n_columns == 20


def test_only_kernels_are_tried_at_weaker_priors():
    asked = []

    def value(settings):
        asked.append(settings.copy())
        return -abs(settings[0] + 9.0), None

    best = best_start(value, np.zeros(2), np.array([True, False]), (0.0, 5.0, 10.0))
    assert_allclose(best, [-10.0, 0.0])
    assert len(asked) == 3
    assert_allclose(best_start(value, np.zeros(2), np.array([False, False]), (0.0, 5.0)), 0.0)
    assert len(asked) == 4


@pytest.mark.parametrize("power", [1, 2], ids=["line", "parabola"])
@pytest.mark.parametrize("width", [5.0, 20.0, 100.0])
def test_a_wide_kernel_is_not_given_up(width, power):
    """It makes a line or a parabola of small differences, with a very weak prior."""
    inputs = np.linspace(-1.0, 1.0, 40)[:, None]
    target = inputs[:, 0] ** power + 0.1 * np.random.default_rng(0).normal(size=40)
    columns = GaussianKernel(width).bind(inputs, np.ones(40))
    aim = Problem(Data(inputs, target - target.mean(), np.ones(40)), columns, Gaussian())
    assert_allclose(fit_dense(aim).posterior.noise_precision ** -0.5, 0.1, rtol=0.3)


def test_a_start_that_cannot_be_evaluated_is_the_last_choice():
    def value(settings):
        if not settings.any():
            raise FloatingPointError
        return 0.0, None

    assert_allclose(best_start(value, np.zeros(1), np.array([True]), (0.0, 5.0)), -5.0)


@pytest.mark.parametrize("unit", [1e-8, 1.0, 1e8])
def test_columns_of_zeros_do_no_harm(unit):
    inputs = np.column_stack([X[:, 0], np.zeros(N)])
    columns = (GaussianKernel(2.0) + Bias()).bind(inputs, ONES)
    fit = fit_dense(Problem(Data(inputs, unit * Y, ONES), columns, Gaussian()))
    assert np.isfinite(fit.latents).all()
