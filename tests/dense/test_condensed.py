import numpy as np
import pytest
from block_parts import blocks_of
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis import Bias, GaussianKernel, Linear, SigmoidKernel
from sparsebayes.columns import JoinedColumns, colouring, unwhitened
from sparsebayes.dense.blocks.chosen import Chosen, budget_of
from sparsebayes.dense.blocks.condensed import (
    StandingRows,
    gaussian_posterior,
    with_best_settings,
)
from sparsebayes.dense.blocks.mode import ModeRule
from sparsebayes.dense.blocks.sums import BlockTargets, Sums, SumsPass
from sparsebayes.dense.fit import dense_posterior, find_settings
from sparsebayes.dense.model import precisions_of
from sparsebayes.dense.parts import groups
from sparsebayes.evidence import log_evidence
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Problem
from sparsebayes.rows import Data
from sparsebayes.rows.blocks import nobody

pytestmark = pytest.mark.slow
N = 400
RANDOM = np.random.default_rng(0)
X = RANDOM.uniform(-2.0, 2.0, (N, 2))
SIGNAL = np.sin(2.0 * X[:, 0]) + 0.5 * X[:, 1]
Y = SIGNAL + RANDOM.normal(0.0, 0.2, N)
CLASS = (SIGNAL + RANDOM.logistic(0.0, 0.3, N) > 0.0).astype(float)
WEIGHT = RANDOM.choice([1.0, 2.0], N)
BASIS = GaussianKernel(1.5, centres=60) + Bias()


def problem_of(target, likelihood, basis=BASIS):
    return Problem(Data(X, target, WEIGHT), basis.bind(X, WEIGHT), likelihood)


def blocks(target):
    return blocks_of(X, target, WEIGHT, numeric=True)


def sums_of(chosen, target, likelihood):
    nothing = np.zeros((chosen.white.n_columns, target.reshape(N, -1).shape[1]))
    return Sums(*blocks(target).fold(SumsPass(chosen.white, BlockTargets(likelihood), nothing)))


def gaussian_parts(noise_std=None):
    problem = problem_of(Y, Gaussian(noise_std))
    settings = find_settings(problem).settings
    chosen = Chosen.of(problem, settings, N)
    return problem, settings, chosen, sums_of(chosen, Y, problem.likelihood)


@pytest.mark.parametrize("basis", [BASIS, GaussianKernel([0.5, 2.0]) + Linear(), SigmoidKernel()])
def test_candidates_are_the_columns_of_the_dense_model(basis):
    problem = problem_of(Y, Gaussian(), basis)
    chosen = Chosen.of(problem, find_settings(problem).settings, N)
    kinds = JoinedColumns(tuple(part.kind for part in chosen.white.parts))
    assert_allclose(chosen.candidates.evaluate(X), kinds.evaluate(X), atol=1e-12)
    assert_array_equal(chosen.candidates.centre_rows, kinds.centre_rows)


def test_more_rows_are_described_in_more_detail():
    assert budget_of(1e4).unseen > budget_of(1e6).unseen >= budget_of(1e12).unseen > 0.0


def test_rows_that_stand_for_all_have_the_same_sums():
    _, _, chosen, sums = gaussian_parts()
    standing = StandingRows.of(sums.gram, sums.weight)
    own = standing.weight * standing.design.T @ standing.design
    assert_allclose(own, sums.gram, rtol=1e-8, atol=1e-8 * np.abs(sums.gram).max())
    assert_allclose(standing.weight * len(standing.design), WEIGHT.sum())
    candidates = standing.design @ colouring(chosen.white)
    expected = chosen.candidates.evaluate(X)
    assert_allclose(
        standing.weight * candidates.T @ candidates,
        expected.T @ (WEIGHT[:, None] * expected),
        rtol=1e-7,
        atol=1e-7 * N,
    )


def test_weights_of_columns_as_they_are_say_the_same():
    _, _, chosen, _ = gaussian_parts()
    mean = RANDOM.normal(size=(chosen.white.n_columns, 1))
    expected = chosen.white.evaluate(X) @ mean
    found = chosen.candidates.evaluate(X) @ unwhitened(chosen.white, mean)
    assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("noise_std", [None, 0.2])
def test_the_posterior_from_sums_is_that_of_the_rows(noise_std):
    problem, settings, chosen, sums = gaussian_parts(noise_std)
    standing = StandingRows.of(sums.gram, sums.weight)
    condensed = standing.problem(problem, chosen.white)
    group = groups(tuple(part.kind for part in chosen.white.parts))
    found = gaussian_posterior(condensed, sums, settings)
    whole = Problem(problem.data, chosen.white, problem.likelihood)
    precisions = precisions_of(settings, group, problem.noise)
    expected = find_posterior(whole, np.arange(chosen.white.n_columns), precisions)
    assert_allclose(found.mean, expected.mean, rtol=1e-6, atol=1e-8)
    assert_allclose(found.value, expected.value, rtol=1e-8)
    assert_allclose(log_evidence(found), log_evidence(expected), rtol=1e-9)


def test_the_best_settings_are_a_maximum_of_the_evidence_of_all_rows():
    problem, settings, chosen, sums = gaussian_parts()
    standing = StandingRows.of(sums.gram, sums.weight)
    condensed = standing.problem(problem, chosen.white)
    group = groups(tuple(part.kind for part in chosen.white.parts))
    start = gaussian_posterior(condensed, sums, settings)
    best = with_best_settings(start, settings, group, float(np.var(Y)))
    assert log_evidence(best) >= log_evidence(start)
    for changed in (0.8, 1.25):
        other = best.precisions._replace(noise=changed * best.noise_precision)
        assert log_evidence(best.at(other)) < log_evidence(best)
        other = best.precisions._replace(weight=changed * best.weight_precision)
        assert log_evidence(best.at(other)) < log_evidence(best)


def test_residuals_by_a_pass_keep_their_digits_where_noise_is_tiny():
    exact = X @ [1.0, 1e3] + 1e-4 * RANDOM.normal(size=N)
    problem = problem_of(exact, Gaussian(1e-4), Linear() + Bias())
    settings = find_settings(problem).settings
    chosen = Chosen.of(problem, settings, 1e9)
    sums = sums_of(chosen, exact, problem.likelihood)
    (dense,) = chosen.outputs(sums, settings[None], problem, blocks(exact), nobody).denses
    left = exact - chosen.white.evaluate(X) @ dense.posterior.mean[:, 0]
    assert_allclose(dense.posterior.residual_energy, WEIGHT @ left**2, rtol=1e-6)
    (rough,) = chosen.outputs(sums, settings[None], problem, None, nobody).denses
    assert abs(rough.posterior.residual_energy / (WEIGHT @ left**2) - 1.0) > 1e-6


def test_outputs_are_each_their_own_model():
    both = np.column_stack([Y, X[:, 0] ** 2])
    problem = problem_of(Y, Gaussian())
    settings = find_settings(problem).settings
    chosen = Chosen.of(problem, settings, N)
    sums = sums_of(chosen, both, Gaussian())
    twice = np.array([settings, settings])
    denses = chosen.outputs(sums, twice, problem, None, nobody).denses
    alone = sums_of(chosen, both[:, 1], Gaussian())
    (own,) = chosen.outputs(alone, twice[:1], problem, None, nobody).denses
    assert_allclose(denses[1].posterior.mean, own.posterior.mean, rtol=1e-6, atol=1e-9)


def test_the_mode_is_that_of_newtons_method_on_all_rows():
    problem = problem_of(CLASS, Bernoulli())
    settings = find_settings(problem).settings
    chosen = Chosen.of(problem, settings, 1e9)
    rule = ModeRule(enough=1e-10)
    (dense,) = chosen.mode(settings, problem, blocks(CLASS), lambda name: nobody, rule).denses
    expected = dense_posterior(problem, settings)
    latents = expected.problem.rows.map(lambda design: design @ expected.mean)
    found = chosen.white.evaluate(X) @ dense.posterior.mean
    assert_allclose(found, latents, atol=0.01)
    assert_allclose(dense.posterior.value, expected.value, atol=0.01)


@pytest.mark.parametrize("first_columns", [3, 1000])
def test_few_columns_and_few_rows_lead_to_the_same_mode(first_columns):
    problem = problem_of(CLASS, Bernoulli())
    settings = find_settings(problem).settings
    chosen = Chosen.of(problem, settings, N)
    modes = []
    for rule in (
        ModeRule(enough=1e-10, first_columns=first_columns, fewest=0.1),
        ModeRule(enough=1e-10, first_columns=1000, parts=()),
    ):
        (dense,) = chosen.mode(settings, problem, blocks(CLASS), lambda name: nobody, rule).denses
        modes.append(chosen.white.evaluate(X) @ dense.posterior.mean)
    assert_allclose(*modes, atol=1e-3)


def test_classes_that_are_apart_have_a_mode():
    apart = (X[:, 0] > 0.0).astype(float)
    problem = problem_of(apart, Bernoulli())
    settings = find_settings(problem).settings - 5.0  # a weak prior
    chosen = Chosen.of(problem, settings, N)
    (dense,) = chosen.mode(settings, problem, blocks(apart), lambda name: nobody).denses
    latents = (chosen.white.evaluate(X) @ dense.posterior.mean)[:, 0]
    assert np.all((latents > 0.0) == (apart == 1.0))
    assert np.isfinite(dense.log_evidence)
