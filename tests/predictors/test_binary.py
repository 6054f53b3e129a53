import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from predictor_parts import DESIGN, KINDS, latent_at
from reference import bernoulli_predictive
from scipy.special import expit, logit

from sparsebayes.predictors import OneVsRest, SharedWeights, TwoClasses
from sparsebayes.predictors.binary import Integration

KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


def exact(latent):
    """E[sigmoid(f)] of every latent value (n, k), by quadrature to many digits."""
    mean, variance = latent.moments()
    return np.vectorize(bernoulli_predictive, otypes=[float])(mean, variance)


@KIND
def test_log_odds_of_two_classes_are_the_integral_over_the_latent_value(make):
    latent = latent_at(make(1)[0], 0.3 * DESIGN)
    scores = TwoClasses().scores(latent)
    assert scores.shape == (len(DESIGN), 1)
    assert_allclose(expit(scores), exact(latent), atol=1e-4)
    plain = expit(latent.mean())
    assert np.abs(plain - exact(latent)).max() > 0.01  # integration is not in vain


def test_probabilities_of_two_classes():
    latent = latent_at(KINDS["shared"](1)[0], DESIGN)
    log_odds = TwoClasses().scores(latent)[:, 0]
    probability = np.exp(TwoClasses().log_probability(latent))
    assert_allclose(probability[:, 1], expit(log_odds), rtol=1e-12)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)


def test_small_probabilities_of_two_classes_keep_their_digits():
    latent = latent_at(
        SharedWeights(np.ones((1, 1)), np.zeros((1, 1)), np.eye(1)), np.array([[300.0]])
    )
    assert_allclose(TwoClasses().log_probability(latent), [[-300.0, 0.0]], atol=1e-100)


def test_the_more_probable_of_two_classes_is_told_by_the_mean_alone():
    class WithoutCovariance(SharedWeights):
        def variance(self, design):
            raise AssertionError

    weights, _ = KINDS["shared"](1)
    latent = latent_at(weights, DESIGN)
    expected = TwoClasses().log_probability(latent).argmax(axis=1)
    alone = WithoutCovariance(weights.mean, weights.root, weights.between)
    assert_array_equal(TwoClasses().most_probable(latent_at(alone, DESIGN)), expected)
    assert set(expected) == {0, 1}


def test_even_odds_are_class_0():
    latent = latent_at(SharedWeights(np.zeros((4, 1)), np.eye(4), np.eye(1)), DESIGN)
    assert_array_equal(TwoClasses().most_probable(latent), 0)
    assert_array_equal(TwoClasses().scores(latent), 0.0)


@KIND
def test_one_against_the_rest(make):
    latent = latent_at(make(3)[0], 0.3 * DESIGN)
    scores = OneVsRest().scores(latent)
    share = exact(latent)
    assert_allclose(scores, logit(share), atol=2e-3)
    probability = np.exp(OneVsRest().log_probability(latent))
    assert_allclose(probability, share / share.sum(axis=1, keepdims=True), atol=2e-4)
    assert_array_equal(OneVsRest().most_probable(latent), scores.argmax(axis=1))
    assert_array_equal(probability.argmax(axis=1), scores.argmax(axis=1))


@pytest.mark.parametrize("block_numbers", [1, 100, 2**18])
def test_blocks_of_values_change_nothing(block_numbers):
    latent = latent_at(KINDS["full"](3)[0], DESIGN)
    ours = OneVsRest(Integration(block_numbers=block_numbers)).scores(latent)
    assert_allclose(ours, OneVsRest().scores(latent), rtol=1e-11)


@pytest.mark.parametrize("response", [TwoClasses(), OneVsRest()], ids=["two", "rest"])
def test_classes_have_no_noise(response):
    assert response.with_more_noise(np.array([3.0])) == response
