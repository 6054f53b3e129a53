import pickle
from dataclasses import replace

import numpy as np
import pytest
from model_parts import COLUMNS, DESIGN, KINDS, N_ROWS, Chosen, latent_at, without_spread
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sparsebayes.assembly import integrated_softmax, shared
from sparsebayes.model.latent import Plain
from sparsebayes.model.predictor import Predictor
from sparsebayes.model.responses import OneVsRest, RealTargets, TwoClasses

LEVELS = np.array([0.05, 0.5, 0.9])
NOISE = np.array([0.5, 2.0])
BLOCKS = pytest.mark.parametrize("block_numbers", [2**17, 1, 4, 20, 33])
KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
CLASSES = pytest.mark.parametrize(
    ("response", "n_latent"),
    [(TwoClasses(), 1), (OneVsRest(), 3), (integrated_softmax(KINDS["full"](3)[0]), 3)],
    ids=["two classes", "one against the rest", "softmax"],
)


def real(make, columns=COLUMNS, block_numbers=2**17):
    response = RealTargets(np.array([1.0, -1.0]), NOISE)
    plain = replace(make(2)[0], columns=(columns,))
    return Predictor(plain, response, block_numbers=block_numbers)


REAL_QUESTIONS = {
    "latent_moments": lambda p, X: p.latent_moments(X),
    "predict_mean": lambda p, X: p.predict_mean(X),
    "predict_std": lambda p, X: p.predict_std(X),
    "predict_covariance": lambda p, X: p.predict_covariance(X),
    "quantiles": lambda p, X: p.quantiles(X, LEVELS),
    "sample": lambda p, X: p.sample(X, 3, np.random.default_rng(0)),
}
CLASS_QUESTIONS = {
    "scores": lambda p, X: p.scores(X),
    "log_probability": lambda p, X: p.log_probability(X),
    "most_probable": lambda p, X: p.most_probable(X),
}


@BLOCKS
@KIND
def test_real_targets_are_those_of_the_response_whatever_the_blocks(make, block_numbers):
    predictor = real(make, block_numbers=block_numbers)
    response, latent = predictor.response, latent_at(predictor.plain, DESIGN)
    moments = (latent.mean, latent.variance)
    assert_allclose(predictor.latent_moments(DESIGN), moments, rtol=1e-12)
    assert_allclose(predictor.predict_mean(DESIGN), response.mean(latent), rtol=1e-12)
    assert_allclose(predictor.predict_std(DESIGN), response.mean_and_std(latent), rtol=1e-12)
    quantiles = predictor.quantiles(DESIGN, LEVELS)
    assert_allclose(quantiles, response.quantiles(latent, LEVELS), rtol=1e-11)
    mean, covariance = predictor.predict_covariance(DESIGN)
    assert_allclose(mean, response.mean(latent), rtol=1e-12)
    assert_allclose(covariance, response.covariance(latent), rtol=1e-12)


@BLOCKS
@CLASSES
def test_classes_are_those_of_the_response_whatever_the_blocks(response, n_latent, block_numbers):
    plain, _ = KINDS["full"](n_latent)
    predictor = Predictor(plain, response, block_numbers=block_numbers)
    latent = latent_at(plain, DESIGN)
    assert_allclose(predictor.scores(DESIGN), response.scores(latent), rtol=1e-9, atol=1e-12)
    expected = response.log_probability(latent)
    assert_allclose(predictor.log_probability(DESIGN), expected, rtol=1e-9, atol=1e-12)
    assert_array_equal(predictor.most_probable(DESIGN), expected.argmax(axis=1))


def test_the_standard_deviation_is_the_root_of_the_diagonal_of_the_covariance():
    predictor = real(KINDS["full"])
    _, std = predictor.predict_std(DESIGN)
    _, covariance = predictor.predict_covariance(DESIGN)
    assert_allclose(np.einsum("nnk->nk", covariance), std**2, rtol=1e-11)


@KIND
def test_samples_have_the_predictive_moments(make):
    """Within five standard errors of 20 000 draws."""
    predictor, n_draws = real(make), 20_000
    draws = predictor.sample(DESIGN, n_draws, np.random.default_rng(1))
    assert draws.shape == (N_ROWS, n_draws, 2)
    mean, covariance = predictor.predict_covariance(DESIGN)
    _, std = predictor.predict_std(DESIGN)
    assert np.all(np.abs(draws.mean(axis=1) - mean) < 5.0 * std / np.sqrt(n_draws))
    for k in range(2):
        error = np.abs(np.cov(draws[..., k]) - covariance[..., k])
        spread = np.outer(std[:, k] ** 2, std[:, k] ** 2) + covariance[..., k] ** 2
        assert np.all(error < 5.0 * np.sqrt(spread / n_draws))


@BLOCKS
def test_samples_do_not_depend_on_the_blocks(block_numbers):
    whole = real(KINDS["full"]).sample(DESIGN, 3, np.random.default_rng(2))
    cut = real(KINDS["full"], block_numbers=block_numbers)
    assert_allclose(cut.sample(DESIGN, 3, np.random.default_rng(2)), whole, rtol=1e-12)


def test_a_random_state_of_old_will_do():
    draws = real(KINDS["shared"]).sample(DESIGN, 3, np.random.RandomState(0))
    assert draws.shape == (N_ROWS, 3, 2)


@pytest.mark.parametrize("ask", REAL_QUESTIONS.values(), ids=REAL_QUESTIONS)
def test_columns_are_evaluated_once_for_real_targets(ask):
    columns = Chosen(COLUMNS.numbers)
    ask(real(KINDS["full"], columns), DESIGN)
    assert columns.seen == [N_ROWS]


@CLASSES
@pytest.mark.parametrize("ask", CLASS_QUESTIONS.values(), ids=CLASS_QUESTIONS)
def test_columns_are_evaluated_once_for_classes(response, n_latent, ask):
    columns = Chosen(COLUMNS.numbers)
    plain = replace(KINDS["full"](n_latent)[0], columns=(columns,))
    ask(Predictor(plain, response), DESIGN)
    assert columns.seen == [N_ROWS]


@pytest.mark.parametrize(("block_numbers", "largest"), [(2**22, 11), (20, 5), (1, 1)])
def test_blocks_bound_the_rows_that_are_evaluated(block_numbers, largest):
    columns = Chosen(COLUMNS.numbers)
    real(KINDS["shared"], columns, block_numbers).predict_std(DESIGN)
    assert max(columns.seen) == largest
    assert sum(columns.seen) == N_ROWS


def test_the_mean_asks_for_no_covariance():
    plain, _ = KINDS["shared"](2)
    predictor = Predictor(without_spread(plain), RealTargets(np.zeros(2), NOISE))
    assert_allclose(predictor.predict_mean(DESIGN), DESIGN @ plain.weights, rtol=1e-12)
    for name in set(REAL_QUESTIONS) - {"predict_mean"}:
        with pytest.raises(AssertionError, match="of the spread was asked for"):
            REAL_QUESTIONS[name](predictor, DESIGN)


def test_the_more_probable_of_two_classes_asks_for_no_covariance():
    plain, _ = KINDS["shared"](1)
    predictor = Predictor(without_spread(plain), TwoClasses())
    expected = (DESIGN @ plain.weights)[:, 0] > 0.0
    assert_array_equal(predictor.most_probable(DESIGN), expected)
    with pytest.raises(AssertionError, match="variance of the spread was asked for"):
        predictor.scores(DESIGN)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e308])
@pytest.mark.parametrize("ask", REAL_QUESTIONS.values(), ids=REAL_QUESTIONS)
def test_real_targets_where_columns_are_not_finite_are_refused(ask, bad):
    inputs = DESIGN.copy()
    inputs[-1] = bad * np.array([1.0, 1.0, -1.0, 1.0])
    """Weights under which 1e308 overflows."""
    plain, _ = KINDS["shared"](2)
    spread = replace(plain.spread, roots=(100.0 * plain.spread.roots[0],))
    loud = replace(plain, weights=100.0 * plain.weights, spread=spread)
    predictor = Predictor(loud, RealTargets(np.zeros(2), NOISE), block_numbers=20)
    with pytest.raises(ValueError, match="infinite or NaN at these inputs X"):
        ask(predictor, inputs)


@CLASSES
@pytest.mark.parametrize("ask", CLASS_QUESTIONS.values(), ids=CLASS_QUESTIONS)
def test_classes_where_columns_are_not_finite_are_refused(response, n_latent, ask):
    inputs = DESIGN.copy()
    inputs[-1] = np.nan
    with pytest.raises(ValueError, match="infinite or NaN at these inputs X"):
        ask(Predictor(KINDS["full"](n_latent)[0], response), inputs)


@BLOCKS
def test_a_model_without_columns_predicts_its_offset(block_numbers):
    spread = shared(np.empty((0, 0)), np.eye(1))
    plain = Plain((Chosen(np.arange(0)),), np.empty((0, 1)), spread)
    response = RealTargets(np.array([3.0]), np.array([0.5]))
    predictor = Predictor(plain, response, block_numbers=block_numbers)
    mean, std = predictor.predict_std(DESIGN)
    assert_allclose(mean, np.full((N_ROWS, 1), 3.0), atol=0.0)
    assert_allclose(std, np.full((N_ROWS, 1), 0.5), atol=0.0)
    _, covariance = predictor.predict_covariance(DESIGN)
    assert_allclose(covariance[..., 0], 0.25 * np.eye(N_ROWS), atol=0.0)
    assert predictor.sample(DESIGN, 2, np.random.default_rng(0)).shape == (N_ROWS, 2, 1)


def test_no_rows_have_no_predictions():
    mean, std = real(KINDS["full"]).predict_std(DESIGN[:0])
    assert mean.shape == std.shape == (0, 2)


def test_sparse_inputs_go_to_the_columns_as_they_are():
    class Dense(Chosen):
        def evaluate(self, inputs, active=None):
            return super().evaluate(inputs.toarray())

    ours = real(KINDS["full"], Dense(COLUMNS.numbers), 20).predict_std(csr_array(DESIGN))
    assert_allclose(ours, real(KINDS["full"]).predict_std(DESIGN), rtol=1e-12)


@KIND
def test_copies_predict_the_same(make):
    predictor = real(make)
    copy = pickle.loads(pickle.dumps(predictor))
    assert_array_equal(copy.predict_std(DESIGN), predictor.predict_std(DESIGN))


def test_a_response_does_what_it_can():
    plain, _ = KINDS["shared"](1)
    with pytest.raises(AttributeError, match="mean_and_std"):
        Predictor(plain, TwoClasses()).predict_std(DESIGN)
    with pytest.raises(AttributeError, match="scores"):
        Predictor(plain, RealTargets(np.zeros(1), NOISE[:1])).scores(DESIGN)
