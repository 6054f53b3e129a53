import numpy as np
import pytest
from numpy.testing import assert_allclose
from problems import GivenColumns

from sparsebayes import predictive
from sparsebayes.predictive import LatentModel

BLOCKS = pytest.mark.parametrize("block_numbers", [2**22, 1, 4, 20, 33])


def make_model():
    random = np.random.default_rng(0)
    mean, root = random.normal(size=4), random.normal(size=(4, 4))
    inputs = random.normal(size=(11, 4))
    return LatentModel(GivenColumns(4), mean, root), inputs, mean, root @ root.T


@BLOCKS
def test_mean_and_variance(monkeypatch, block_numbers):
    """[T01] (21)-(22)"""
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", block_numbers)
    model, inputs, mean, covariance = make_model()
    assert_allclose(model.predict_mean(inputs), inputs @ mean, rtol=1e-12)
    expected = np.diag(inputs @ covariance @ inputs.T)
    assert_allclose(model.predict_variance(inputs), expected, rtol=1e-12)


def test_covariance():
    model, inputs, _, covariance = make_model()
    ours = model.predict_covariance(inputs)
    assert_allclose(ours, inputs @ covariance @ inputs.T, rtol=1e-11, atol=1e-12)
    assert_allclose(np.diag(ours), model.predict_variance(inputs), rtol=1e-12)


@pytest.mark.parametrize(("block_numbers", "largest"), [(2**22, 11), (20, 5), (1, 1)])
def test_blocks_bound_the_rows_that_are_evaluated(monkeypatch, block_numbers, largest):
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", block_numbers)
    model, inputs, mean, _ = make_model()
    seen = []

    class Watched(GivenColumns):
        def evaluate(self, inputs, active=None):
            seen.append(len(inputs))
            return super().evaluate(inputs, active)

    LatentModel(Watched(4), mean, model.root).predict_mean(inputs)
    assert max(seen) == largest
    assert sum(seen) == 11


def test_draws_have_the_moments_of_the_posterior():
    """Within five standard errors of 40 000 draws."""
    model, inputs, mean, covariance = make_model()
    n_draws = 40_000
    draws = model.sample(inputs, n_draws, np.random.default_rng(1))
    assert draws.shape == (11, n_draws)
    expected = inputs @ covariance @ inputs.T
    variance = np.diag(expected)
    error = np.abs(draws.mean(axis=1) - inputs @ mean) / np.sqrt(variance / n_draws)
    assert error.max() < 5.0
    spread = np.sqrt((np.outer(variance, variance) + expected**2) / n_draws)
    assert np.max(np.abs(np.cov(draws) - expected) / spread) < 5.0


@BLOCKS
def test_draws_do_not_depend_on_the_blocks(monkeypatch, block_numbers):
    model, inputs, _, _ = make_model()
    whole = model.sample(inputs, 3, np.random.default_rng(2))
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", block_numbers)
    assert_allclose(model.sample(inputs, 3, np.random.default_rng(2)), whole, rtol=1e-12)


@BLOCKS
def test_a_model_without_columns_predicts_zero(monkeypatch, block_numbers):
    monkeypatch.setattr(predictive, "BLOCK_NUMBERS", block_numbers)
    model = LatentModel(GivenColumns(4), np.empty(0), np.empty((0, 0)))
    inputs = np.empty((6, 0))
    assert_allclose(model.predict_mean(inputs), np.zeros(6), atol=0.0)
    assert_allclose(model.predict_variance(inputs), np.zeros(6), atol=0.0)
    assert_allclose(model.predict_covariance(inputs), np.zeros((6, 6)), atol=0.0)
    assert model.sample(inputs, 2, np.random.default_rng(0)).shape == (6, 2)
