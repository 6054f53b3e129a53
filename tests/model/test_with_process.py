"""Predictors whose spread is that of a process, by N x N matrices."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from model_parts import (
    CONTRASTS,
    COVERINGS,
    INPUTS,
    KERNEL,
    KINDS,
    N_COLUMNS,
    N_ROWS,
    NEW_INPUTS,
    Untouchable,
    one_process,
    process_covariance,
    process_fit,
)
from numpy.testing import assert_allclose, assert_array_equal
from reference import bernoulli_predictive
from scipy.sparse import csr_array
from scipy.special import softmax
from scipy.stats import norm

from sparsebayes import LinearKernel
from sparsebayes.assembly import integrated_softmax, restricted
from sparsebayes.dense import covering_of
from sparsebayes.dense.covering import RULE
from sparsebayes.model.latent import Plain
from sparsebayes.model.predictor import Predictor
from sparsebayes.model.responses import OneVsRest, RealTargets, TwoClasses

LEVELS = np.array([0.05, 0.5, 0.9])
COLUMNS = KERNEL.bind(INPUTS, np.ones(len(INPUTS))).keep(np.array([2, 9, 13, 20]))
DESIGN = COLUMNS.evaluate(NEW_INPUTS)
BLOCKS = pytest.mark.parametrize("block_numbers", [2**17, 1, 40, 100])
EACH = pytest.mark.parametrize(("make", "amplitudes", "between"), COVERINGS.values(), ids=COVERINGS)


def predictor(make, amplitudes, response=None, rule=None, **options):
    """Weights and a covering that have nothing to do with each other."""
    k = len(amplitudes)
    noise = np.linspace(0.5, 2.0, k)
    if response is None:
        response = RealTargets(np.arange(1.0, k + 1.0), noise)
    covering = make() if rule is None else make(rule)
    weights, _ = KINDS["shared"](k)
    plain = Plain((COLUMNS,), weights.weights, covering, weights.spread)
    return Predictor(plain, response(plain) if callable(response) else response, **options)


def naive_covariance(amplitudes, between, inputs):
    """Of all latent values of all rows (n, k, n, k)."""
    own = np.stack([process_covariance(each, inputs) for each in amplitudes])
    return np.einsum("knm,kl->nkml", own, between)


# Against the formulas of a Gaussian process.


@EACH
def test_the_mean_is_that_of_the_weights_and_the_variance_that_of_the_process(
    make, amplitudes, between
):
    mean, variance = predictor(make, amplitudes).latent_moments(NEW_INPUTS)
    weights, _ = KINDS["shared"](len(amplitudes))
    assert_allclose(mean, DESIGN @ weights.weights, rtol=1e-12)
    every = naive_covariance(amplitudes, between, NEW_INPUTS)
    assert_allclose(variance, np.einsum("nknk->nk", every), rtol=1e-5)


@EACH
def test_the_covariance_between_rows_is_that_of_the_process(make, amplitudes, between):
    latent = predictor(make, amplitudes).plain.at(NEW_INPUTS)
    every = naive_covariance(amplitudes, between, NEW_INPUTS)
    for k in range(len(amplitudes)):
        assert_allclose(latent.joint_covariance(k), every[:, k, :, k], rtol=1e-5, atol=1e-6)


def test_real_targets_have_the_noise_and_offset_of_their_output_as_well():
    make, amplitudes, between = COVERINGS["two processes"]
    given = predictor(make, amplitudes)
    noise, every = given.response.noise_std, naive_covariance(amplitudes, between, NEW_INPUTS)
    expected = DESIGN @ given.plain.weights + [1.0, 2.0]
    assert_allclose(given.predict_mean(NEW_INPUTS), expected, rtol=1e-12)
    mean, std = given.predict_std(NEW_INPUTS)
    assert_allclose(mean, expected, rtol=1e-12)
    assert_allclose(std**2, np.einsum("nknk->nk", every) + noise**2, rtol=1e-6)
    quantiles = given.quantiles(NEW_INPUTS, LEVELS)
    assert_allclose(quantiles, norm.ppf(LEVELS[:, None], mean[:, None], std[:, None]), rtol=1e-9)
    _, covariance = given.predict_covariance(NEW_INPUTS)
    for k in range(2):
        total = every[:, k, :, k] + noise[k] ** 2 * np.eye(N_ROWS)
        assert_allclose(covariance[..., k], total, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("response", "name"), [(TwoClasses(), "one process"), (OneVsRest(), "two processes")]
)
def test_log_odds_are_integrated_over_the_process(response, name):
    given = predictor(*COVERINGS[name][:2], response)
    mean, variance = given.latent_moments(NEW_INPUTS)
    expected = np.vectorize(bernoulli_predictive, otypes=[float])(mean, variance)
    ours = 1.0 / (1.0 + np.exp(-given.scores(NEW_INPUTS)))
    assert_allclose(ours, expected, atol=1e-4)


def test_a_softmax_is_integrated_over_the_process():
    given = predictor(*COVERINGS["one for all classes"][:2], integrated_softmax)
    given = replace(given, plain=replace(given.plain, weights=5.0 * given.plain.weights))
    draws = given.sample_latent(NEW_INPUTS, 40_000, np.random.default_rng(1))
    expected = softmax(draws, axis=2).mean(axis=1)
    assert_allclose(np.exp(given.log_probability(NEW_INPUTS)), expected, atol=0.012)
    plain = softmax(DESIGN @ given.plain.weights, axis=1)
    assert np.abs(plain - expected).max() > 0.03  # integration is not in vain


def test_far_from_the_data_there_is_no_class():
    """The mean falls off to zero, and the variance rises to that of the process."""
    given = predictor(*COVERINGS["one process"][:2], TwoClasses())
    far = np.array([[1e3, -1e3]])
    assert_allclose(np.exp(given.log_probability(far)), [[0.5, 0.5]], atol=1e-12)
    assert given.latent_moments(far)[1][0, 0] > np.exp(1.0)


# Draws.


@EACH
def test_draws_have_the_moments_of_the_process(make, amplitudes, between):
    """Within five standard errors of 20 000 draws."""
    given, n_draws = predictor(make, amplitudes), 20_000
    draws = given.sample_latent(NEW_INPUTS, n_draws, np.random.default_rng(1))
    k = len(amplitudes)
    assert draws.shape == (N_ROWS, n_draws, k)
    flat = draws.transpose(0, 2, 1).reshape(N_ROWS * k, n_draws)
    expected = naive_covariance(amplitudes, between, NEW_INPUTS).reshape(N_ROWS * k, N_ROWS * k)
    variance = np.diag(expected)
    error = np.abs(flat.mean(axis=1) - (DESIGN @ given.plain.weights).ravel())
    assert np.all(error < 5.0 * np.sqrt(variance / n_draws))
    spread = np.sqrt((np.outer(variance, variance) + expected**2) / n_draws)
    assert np.all(np.abs(np.cov(flat) - expected) < 5.0 * spread + 1e-6)


@pytest.mark.parametrize("far", [False, True])
def test_draws_are_functions_of_the_inputs(far):
    """Equal rows have equal values, be they near the data or not."""
    given = predictor(*COVERINGS["two processes"][:2], rule=RULE)
    inputs = NEW_INPUTS + (10.0 if far else 0.0)
    twice = np.vstack([inputs, inputs])
    draws = given.sample_latent(twice, 5, np.random.default_rng(0))
    assert_allclose(draws[:N_ROWS], draws[N_ROWS:], atol=1e-3)
    assert np.std(draws, axis=1).min() > 1e-3


def test_samples_are_draws_with_noise_and_offset():
    """Within five standard errors of 40 000 draws."""
    given = predictor(*COVERINGS["two processes"][:2])
    draws = given.sample(NEW_INPUTS, 40_000, np.random.default_rng(2))
    mean, std = given.predict_std(NEW_INPUTS)
    assert np.all(np.abs(draws.mean(axis=1) - mean) < 5.0 * std / 200.0)
    assert_allclose(draws.std(axis=1), std, rtol=5.0 / np.sqrt(80_000))


def test_a_random_state_of_old_will_do():
    given = predictor(*COVERINGS["two processes"][:2])
    assert given.sample(NEW_INPUTS, 3, np.random.RandomState(0)).shape == (N_ROWS, 3, 2)


# Novelty.


@EACH
def test_novelty_is_what_the_data_leave_of_the_variance_of_the_process(make, amplitudes, between):
    """The share of the kernel's variance, without the bias, mean over processes."""
    found = predictor(make, amplitudes).novelty(NEW_INPUTS)
    shares = []
    for amplitude in amplitudes:
        left = np.diag(naive_novelty_covariance(amplitude, NEW_INPUTS))
        shares.append(left / np.exp(amplitude))
    assert_allclose(found, np.mean(shares, axis=0), rtol=1e-5, atol=1e-8)


def naive_novelty_covariance(amplitude, inputs):
    """The posterior covariance of the kernel's part, beside a bias."""

    def kernel(left, right):
        square = np.sum((left[:, None] - right) ** 2, axis=2)
        return np.exp(amplitude - square / 1.5**2)

    across = kernel(inputs, INPUTS)
    noisy = kernel(INPUTS, INPUTS) + np.exp(-1.0) + 0.01 * np.eye(len(INPUTS))
    return kernel(inputs, inputs) - across @ np.linalg.solve(noisy, across.T)


def test_novelty_is_one_far_away_and_little_at_the_data():
    given = predictor(*COVERINGS["one process"][:2])
    assert_allclose(given.novelty(np.full((2, 2), 1e3)), 1.0, rtol=1e-12)
    assert np.all(given.novelty(INPUTS) < 0.1)


def test_without_a_process_there_is_no_novelty():
    given = predictor(*COVERINGS["one process"][:2]).without_covering(np.zeros(1))
    with pytest.raises(AssertionError, match="there is no process"):
        given.novelty(NEW_INPUTS)


# Blocks of rows.

REAL = {
    "latent_moments": lambda p, X: p.latent_moments(X),
    "predict_mean": lambda p, X: p.predict_mean(X),
    "predict_std": lambda p, X: p.predict_std(X),
    "predict_covariance": lambda p, X: p.predict_covariance(X)[1],
    "quantiles": lambda p, X: p.quantiles(X, LEVELS),
    "novelty": lambda p, X: p.novelty(X),
    "sample": lambda p, X: p.sample(X, 3, np.random.default_rng(0)),
}
real = pytest.mark.parametrize("ask", REAL.values(), ids=REAL)


@BLOCKS
@real
def test_blocks_of_rows_agree(ask, block_numbers):
    make, amplitudes, _ = COVERINGS["two processes"]
    whole = predictor(make, amplitudes, rule=RULE)
    cut = replace(whole, block_numbers=block_numbers)
    assert_allclose(ask(cut, NEW_INPUTS), ask(whole, NEW_INPUTS), rtol=1e-9, atol=1e-12)


@BLOCKS
@pytest.mark.parametrize(
    ("response", "name"),
    [
        (TwoClasses(), "one process"),
        (OneVsRest(), "two processes"),
        (integrated_softmax, "one for all classes"),
    ],
)
def test_blocks_of_rows_agree_on_classes(response, name, block_numbers):
    whole = predictor(*COVERINGS[name][:2], response, rule=RULE)
    cut = replace(whole, block_numbers=block_numbers)
    expected = whole.log_probability(NEW_INPUTS)
    assert_allclose(cut.log_probability(NEW_INPUTS), expected, rtol=1e-9, atol=1e-12)
    assert_array_equal(cut.most_probable(NEW_INPUTS), expected.argmax(axis=1))


class Counting:
    """Columns that remember how many rows they were asked for."""

    n_columns = N_COLUMNS

    def __init__(self):
        self.seen = []

    def evaluate(self, inputs):
        self.seen.append(inputs.shape[0])
        return COLUMNS.evaluate(inputs)


def test_the_columns_of_the_covering_count_for_the_size_of_a_block():
    given = predictor(*COVERINGS["one process"][:2])
    per_row = N_COLUMNS + given.plain.spread.n_columns
    columns = Counting()
    plain = replace(given.plain, columns=(columns,))
    replace(given, plain=plain, block_numbers=3 * per_row).predict_std(NEW_INPUTS)
    assert columns.seen == [3, 3, 3, 2]


def test_no_rows_have_no_predictions():
    given, none = predictor(*COVERINGS["two processes"][:2]), NEW_INPUTS[:0]
    mean, std = given.predict_std(none)
    assert mean.shape == std.shape == (0, 2)
    assert given.novelty(none).shape == (0,)
    assert given.sample(none, 3, np.random.default_rng(0)).shape == (0, 3, 2)
    assert given.predict_covariance(none)[1].shape == (0, 0, 2)


# What does not touch the covering, and what does.


def test_the_covering_does_without_the_spread_of_the_weights():
    given = predictor(*COVERINGS["two processes"][:2])
    alone = replace(given.plain, of_weights=Untouchable())
    for name, ask in REAL.items():
        expected = ask(given, NEW_INPUTS)
        found = ask(replace(given, plain=alone), NEW_INPUTS)
        assert_allclose(found, expected, rtol=1e-12, atol=1e-14, err_msg=name)


def test_a_restricted_predictor_keeps_its_covering():
    given = predictor(*COVERINGS["two processes"][:2])
    fewer = restricted(given.plain, np.array([0, 2]))
    assert fewer.spread is given.plain.spread
    assert fewer.posterior.roots[0].shape == (2, 2)
    assert_array_equal(fewer.at(NEW_INPUTS).variance, given.plain.at(NEW_INPUTS).variance)


# Copies, sparse inputs, inputs that overflow.


@real
def test_copies_predict_the_same(ask):
    given = predictor(*COVERINGS["two processes"][:2], rule=RULE)
    copy = pickle.loads(pickle.dumps(given))
    assert_array_equal(ask(copy, NEW_INPUTS), ask(given, NEW_INPUTS))


def test_a_copy_has_no_more_rows_than_it_needs():
    """Covering rows, the square of their number for their root, and one for each whitener."""
    given = predictor(*COVERINGS["one process"][:2], rule=RULE)
    size = given.plain.spread.n_columns
    assert len(given.plain.spread.rows) == size - 1 < len(INPUTS)
    numbers = 2 * size**2 + 3 * size + N_COLUMNS * (N_COLUMNS + 4)
    assert len(pickle.dumps(given)) < 8 * numbers + 4000


@real
def test_sparse_inputs_are_the_same(ask):
    given = predictor(*COVERINGS["two processes"][:2], rule=RULE)
    expected = ask(given, NEW_INPUTS)
    assert_allclose(ask(given, csr_array(NEW_INPUTS)), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("large", [1e160, 1e200, np.nan, np.inf])
@real
def test_inputs_at_which_the_variance_overflows_are_refused(ask, large):
    """Means are finite there, if the inputs are."""
    basis = LinearKernel()
    covering = covering_of(process_fit(0.0, basis))
    columns = basis.bind(INPUTS, np.ones(len(INPUTS))).keep(np.arange(N_COLUMNS))
    weights, _ = KINDS["shared"](1)
    plain = Plain((columns,), weights.weights, covering, weights.spread)
    given = Predictor(plain, RealTargets(np.zeros(1), np.ones(1)))
    inputs = np.vstack([NEW_INPUTS, [[large, 1.0]]])
    if ask is REAL["predict_mean"] and np.isfinite(large):
        assert np.isfinite(ask(given, inputs)).all()
        return
    with pytest.raises(ValueError, match="infinite or NaN at these inputs X"):
        ask(given, inputs)


def test_these_coverings_are_what_they_are_said_to_be():
    assert_allclose(one_process().amplitude[0], [np.exp(1.0)], rtol=1e-12)
    assert_allclose(COVERINGS["one for all classes"][0]().between, CONTRASTS)
    assert len(COVERINGS["two processes"][0]().roots) == 2
