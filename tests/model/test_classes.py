"""Classes without an order, their latent values integrated out."""

import numpy as np
import pytest
from model_parts import (
    COLUMNS,
    DESIGN,
    KINDS,
    draws_of,
    latent_at,
    latent_covariance,
    without_spread,
)
from numpy.testing import assert_allclose, assert_array_equal
from reference import bernoulli_predictive
from scipy.special import expit, log_softmax, logit, softmax

from sparsebayes.assembly import integrated_softmax, shared
from sparsebayes.likelihoods import normal_nodes
from sparsebayes.model.arrays import symmetric_root
from sparsebayes.model.classes import log_mean_softmax
from sparsebayes.model.latent import Plain
from sparsebayes.model.response import usual_quadrature
from sparsebayes.model.responses import CalibratedSoftmax, OneVsRest, TwoClasses

KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
# A softmax has weights that are shared, or all correlated.
JOINT = pytest.mark.parametrize("make", [KINDS["shared"], KINDS["full"]], ids=["shared", "full"])


def exact(latent):
    """E[sigmoid(f)] of every latent value (n, k), by quadrature to many digits."""
    ask = np.vectorize(bernoulli_predictive, otypes=[float])
    return ask(latent.mean, latent.variance)


@KIND
def test_log_odds_of_two_classes_are_the_integral_over_the_latent_value(make):
    latent = latent_at(make(1)[0], 0.3 * DESIGN)
    scores = TwoClasses().scores(latent)
    assert scores.shape == (len(DESIGN), 1)
    assert_allclose(expit(scores), exact(latent), atol=1e-4)
    plain = expit(latent.mean)
    assert np.abs(plain - exact(latent)).max() > 0.01  # integration is not in vain


def test_probabilities_of_two_classes():
    latent = latent_at(KINDS["shared"](1)[0], DESIGN)
    log_odds = TwoClasses().scores(latent)[:, 0]
    probability = np.exp(TwoClasses().log_probability(latent))
    assert_allclose(probability[:, 1], expit(log_odds), rtol=1e-12)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)


def test_small_probabilities_of_two_classes_keep_their_digits():
    plain = Plain((COLUMNS,), np.ones((1, 1)), shared(np.zeros((1, 1)), np.eye(1)))
    latent = latent_at(plain, np.array([[300.0]]))
    assert_allclose(TwoClasses().log_probability(latent), [[-300.0, 0.0]], atol=1e-100)


def test_the_more_probable_of_two_classes_is_told_by_the_mean_alone():
    plain, _ = KINDS["shared"](1)
    expected = TwoClasses().log_probability(latent_at(plain, DESIGN)).argmax(axis=1)
    alone = latent_at(without_spread(plain), DESIGN)
    assert_array_equal(TwoClasses().most_probable(alone), expected)
    assert set(expected) == {0, 1}


def test_even_odds_are_class_0():
    latent = latent_at(Plain((COLUMNS,), np.zeros((4, 1)), shared(np.eye(4), np.eye(1))), DESIGN)
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
    ours = usual_quadrature().log_odds(latent.mean, latent.variance, block_numbers)
    assert_allclose(ours, OneVsRest().scores(latent), rtol=1e-11)


# One softmax.


@JOINT
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_probabilities_are_the_integral_over_the_posterior(make, n_classes):
    plain, _ = make(n_classes)
    latent = latent_at(plain, 0.5 * DESIGN)
    own = latent.design
    apart = draws_of(plain.spread, own, 40_000, np.random.default_rng(1), own)
    expected = softmax(latent.mean[:, None] + apart, axis=2).mean(axis=1)
    probability = np.exp(integrated_softmax(plain).log_probability(latent))
    assert_allclose(probability, expected, atol=0.012)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    uncertain = np.abs(softmax(latent.mean, axis=1) - expected)
    assert uncertain.max() > 0.03  # integration is not in vain


def test_scores_are_log_probabilities_and_the_largest_is_most_probable():
    plain, _ = KINDS["full"](3)
    response, latent = integrated_softmax(plain), latent_at(plain, DESIGN)
    scores = response.scores(latent)
    assert_array_equal(scores, response.log_probability(latent))
    assert_array_equal(response.most_probable(latent), scores.argmax(axis=1))


def naive(mean, root, n_nodes):
    """The sum over nodes, one by one."""
    nodes = normal_nodes(mean.shape[1], n_nodes)
    shares = [softmax(mean + np.einsum("nkl,l->nk", root, node), axis=1) for node in nodes]
    return np.log(np.mean(shares, axis=0))


@JOINT
def test_the_sum_over_nodes(make):
    plain, covariance = make(3)
    latent = latent_at(plain, DESIGN)
    root = symmetric_root(np.einsum("nknl->nkl", latent_covariance(covariance, DESIGN)))
    ours = integrated_softmax(plain).log_probability(latent)
    assert_allclose(ours, naive(latent.mean, root, 512), rtol=1e-9, atol=1e-11)


def test_probabilities_too_small_for_a_number_have_a_logarithm():
    mean = np.array([[0.0, -3000.0, 2.0], [0.0, 1.0, 2.0], [-1e6, 1e6, 0.0]])
    ours = log_mean_softmax(mean[:, :, None] + np.zeros(512))
    assert_allclose(ours, log_softmax(mean, axis=1), rtol=1e-12, atol=1e-14)


def test_small_probabilities_are_continuous_where_logarithms_take_over():
    step = np.linspace(-470.0, -450.0, 101)  # exp(-460.5) = 1e-200
    mean = np.column_stack([np.zeros(101), step])
    ours = log_mean_softmax(mean[:, :, None] + normal_nodes(2, 512).T)
    assert_allclose(np.diff(ours[:, 1]), 0.2, rtol=1e-9)


def test_nearly_equal_rows_have_nearly_equal_probabilities():
    """No jumps, as a square root of the covariance that is not continuous would have."""
    plain, _ = KINDS["full"](3)
    response = integrated_softmax(plain)
    ours = [response.scores(latent_at(plain, f * DESIGN)) for f in (1.0, 1.0 + 1e-9)]
    assert_allclose(ours[0], ours[1], atol=1e-6)


def test_nodes_are_symmetric_and_standard_normal():
    nodes = normal_nodes(3, 512)
    assert_allclose(nodes.mean(axis=0), 0.0, atol=1e-14)
    assert_allclose(nodes.T @ nodes / 512, np.eye(3), atol=0.05)
    assert normal_nodes(3, 512) is nodes


@pytest.mark.parametrize(
    "response", [TwoClasses(), OneVsRest(), integrated_softmax(KINDS["full"](3)[0])], ids=repr
)
def test_classes_have_no_noise(response):
    assert response.with_more_noise(np.array([3.0])) is response


# Calibrated: less certain only where the variance is unusual.


def moments_of(make, n_classes):
    """Latent values of rows, their mean (n, K), and the variance of a contrast (n,)."""
    latent = latent_at(make(n_classes)[0], DESIGN)
    return latent, latent.mean, latent.variance.sum(axis=1) / (n_classes - 1)


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
    latent = latent_at(without_spread(KINDS["full"](3)[0]), DESIGN)
    found = CalibratedSoftmax(np.inf).log_probability(latent)
    assert_allclose(found, log_softmax(latent.mean, axis=1), rtol=1e-12)


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
