import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from predictor_parts import DESIGN, KINDS, latent_at
from scipy.special import log_softmax, softmax

from sparsebayes.predictors import SoftmaxResponse
from sparsebayes.predictors.softmax import NodeRule, integrated_log_softmax, normal_nodes

KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


@KIND
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_probabilities_are_the_integral_over_the_posterior(make, n_classes):
    weights, _ = make(n_classes)
    latent = latent_at(weights, 0.5 * DESIGN)
    draws = weights.sample(latent.design, 40_000, np.random.default_rng(1))
    expected = softmax(draws, axis=2).mean(axis=1)
    probability = np.exp(SoftmaxResponse().log_probability(latent))
    assert_allclose(probability, expected, atol=0.012)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    plain = softmax(latent.mean(), axis=1)
    assert np.abs(plain - expected).max() > 0.03  # integration is not in vain


def test_scores_are_log_probabilities_and_the_largest_is_most_probable():
    latent = latent_at(KINDS["full"](3)[0], DESIGN)
    scores = SoftmaxResponse().scores(latent)
    assert_array_equal(scores, SoftmaxResponse().log_probability(latent))
    assert_array_equal(SoftmaxResponse().most_probable(latent), scores.argmax(axis=1))


def naive(mean, root, n_nodes):
    """The sum over nodes, one by one."""
    nodes = normal_nodes(mean.shape[1], n_nodes)
    shares = [softmax(mean + np.einsum("nkl,l->nk", root, node), axis=1) for node in nodes]
    return np.log(np.mean(shares, axis=0))


@pytest.mark.parametrize("block_numbers", [1, 5000, 2**16])
def test_the_sum_over_nodes(block_numbers):
    latent = latent_at(KINDS["full"](3)[0], DESIGN)
    mean, root = latent.mean_and_root()
    ours = integrated_log_softmax(mean, root, NodeRule(block_numbers=block_numbers))
    assert_allclose(ours, naive(mean, root, 512), rtol=1e-10, atol=1e-12)


def test_probabilities_too_small_for_a_number_have_a_logarithm():
    mean = np.array([[0.0, -3000.0, 2.0], [0.0, 1.0, 2.0], [-1e6, 1e6, 0.0]])
    ours = integrated_log_softmax(mean, np.zeros((3, 3, 3)))
    assert_allclose(ours, log_softmax(mean, axis=1), rtol=1e-12, atol=1e-14)


def test_small_probabilities_are_continuous_where_logarithms_take_over():
    step = np.linspace(-470.0, -450.0, 101)  # exp(-460.5) = 1e-200
    mean = np.column_stack([np.zeros(101), step])
    ours = integrated_log_softmax(mean, np.tile(np.eye(2), (101, 1, 1)))
    assert_allclose(np.diff(ours[:, 1]), 0.2, rtol=1e-9)


def test_nearly_equal_rows_have_nearly_equal_probabilities():
    """No jumps, as a square root of the covariance that is not continuous would have."""
    weights, _ = KINDS["full"](3)
    ours = [SoftmaxResponse().scores(latent_at(weights, f * DESIGN)) for f in (1.0, 1.0 + 1e-9)]
    assert_allclose(ours[0], ours[1], atol=1e-6)


def test_nodes_are_symmetric_and_standard_normal():
    nodes = normal_nodes(3, 512)
    assert_allclose(nodes.mean(axis=0), 0.0, atol=1e-14)
    assert_allclose(nodes.T @ nodes / 512, np.eye(3), atol=0.05)
    assert normal_nodes(3, 512) is nodes


def test_classes_have_no_noise():
    assert SoftmaxResponse().with_more_noise(np.array([3.0])) == SoftmaxResponse()
