import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from predictor_parts import DESIGN, KINDS, latent_at
from scipy.special import log_softmax, softmax

from sparsebayes.predictors import CalibratedSoftmax, SoftmaxResponse
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


@pytest.mark.parametrize("response", [SoftmaxResponse(), CalibratedSoftmax(0.3)], ids=str)
def test_classes_have_no_noise(response):
    assert response.with_more_noise(np.array([3.0])) == response


# Calibrated: less certain only where the variance is unusual.


def moments_of(make, n_classes):
    """Latent values of rows, their mean (n, K), and the variance of a contrast (n,)."""
    weights, _ = make(n_classes)
    latent = latent_at(weights, DESIGN)
    root = latent.mean_and_root()[1]
    variance = np.einsum("nij,nij->n", root, root) / (n_classes - 1)
    return latent, latent.mean(), variance


@KIND
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_latent_values_shrink_where_their_variance_is_unusual(make, n_classes):
    latent, mean, variance = moments_of(make, n_classes)
    usual = float(np.median(variance))
    found = CalibratedSoftmax(usual).log_probability(latent)
    for row, own, v in zip(found, mean, variance, strict=True):
        square = (1.0 + np.pi / 4.0 * usual) / (1.0 + np.pi / 4.0 * v) if v > usual else 1.0
        assert_allclose(row, log_softmax(np.sqrt(square) * own), rtol=1e-10, atol=1e-12)
    unusual = variance > usual
    plain = softmax(mean, axis=1).max(axis=1)
    assert np.all(np.exp(found).max(axis=1)[unusual] < plain[unusual])


@KIND
@pytest.mark.parametrize("factor", [1.0, 1e6, np.inf])
def test_where_no_variance_is_unusual_it_is_a_softmax(make, factor):
    latent, mean, variance = moments_of(make, 3)
    found = CalibratedSoftmax(factor * (1.0 + 1e-12) * variance.max()).log_probability(latent)
    assert_allclose(found, log_softmax(mean, axis=1), rtol=1e-10, atol=1e-12)


def test_without_a_limit_variances_are_not_asked_for():
    class Means:
        def mean(self):
            return np.array([[1.0, 0.0, -2.0]])

    found = CalibratedSoftmax(np.inf).log_probability(Means())
    assert_array_equal(found, log_softmax([[1.0, 0.0, -2.0]], axis=1))


@KIND
def test_the_most_probable_class_has_the_largest_latent_value_and_probability(make):
    latent, mean, _ = moments_of(make, 4)
    response = CalibratedSoftmax(1e-3)
    assert_array_equal(response.most_probable(latent), mean.argmax(axis=1))
    assert_array_equal(response.most_probable(latent), response.scores(latent).argmax(axis=1))
    assert_array_equal(response.scores(latent), response.log_probability(latent))


def test_two_classes_are_moderated_as_one_latent_value():
    """MacKay's factor: f / sqrt(1 + pi/8 var f), with f the difference of the two."""
    latent, mean, variance = moments_of(KINDS["shared"], 2)
    found = CalibratedSoftmax(0.0).log_probability(latent)
    of_difference = 2.0 * variance  # that of two contrasts
    odds = (mean[:, 0] - mean[:, 1]) / np.sqrt(1.0 + np.pi / 8.0 * of_difference)
    assert_allclose(found[:, 0] - found[:, 1], odds, rtol=1e-10)
