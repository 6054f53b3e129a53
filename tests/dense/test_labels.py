"""Regression on labels, against naive Gaussian processes and differences."""

import numpy as np
import pytest
from dense_parts import BASES, N, X, Y, differences, row_weight
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal

from sparsebayes.dense.labels.labels import (
    LabelModel,
    label_contrasts,
    label_evidence,
    learning_model,
    solve_labels,
)
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.likelihoods import Bernoulli, Gaussian, Multinomial, Softmax
from sparsebayes.projection.following import Following, following_columns
from sparsebayes.rows import Data

CODES = np.digitize(Y, [-0.3, 0.4]).astype(float)
BETA = 3.7
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
OVER_BASES = pytest.mark.parametrize("basis", BASES.values(), ids=BASES)


def covariance_of(n=N, seed=0):
    half = np.random.default_rng(seed).normal(size=(n, n))
    return half @ half.T / n


def some_labels(k=3, seed=1):
    return np.random.default_rng(seed).normal(size=(k, N))


def evidence(covariance, labels, weight, noise_precision):
    return label_evidence(solve_labels(covariance, labels, weight, noise_precision), weight)


def model_of(basis, weight=None, codes=CODES, n_classes=3, inputs=X):
    weight = np.ones(len(codes)) if weight is None else weight
    rows = DenseRows.of(Data(inputs, codes, weight), Multinomial(n_classes))
    return LabelModel(basis.bind(inputs, weight), rows)


def settings_of(model):
    """Near those that a climb begins at."""
    settings, _ = model.first_settings(model.columns.log_scales, 1e-6)
    return settings + 0.1 * np.cos(np.arange(settings.size))


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_labels_are_one_for_the_class_of_a_row_and_zero_for_others_but_for_their_mean(n_classes):
    codes = np.arange(20.0) % n_classes
    found = label_contrasts(codes, n_classes) @ Multinomial(n_classes).contrasts.T
    assert_allclose(found, (codes[:, None] == np.arange(n_classes)) - 1.0 / n_classes, atol=1e-14)


# What is solved.


@pytest.mark.parametrize("k", [1, 3])
def test_the_evidence_is_the_mean_of_those_of_gaussian_processes(k):
    covariance, labels = covariance_of(), some_labels(k)
    process = multivariate_normal(np.zeros(N), covariance + np.eye(N) / BETA)
    expected = np.mean(process.logpdf(labels))
    assert_allclose(evidence(covariance, labels, np.ones(N), BETA).value, expected, rtol=1e-12)


def test_a_row_of_weight_two_is_the_row_twice():
    times = np.arange(N) % 3 + 1
    again = np.repeat(np.arange(N), times)
    covariance, labels = covariance_of(), some_labels()
    weighted = evidence(covariance, labels, 1.0 * times, BETA)
    wide = covariance[np.ix_(again, again)]
    repeated = evidence(wide, labels[:, again], np.ones(len(again)), BETA)
    assert_allclose(weighted.value, repeated.value, rtol=1e-12)
    assert_allclose(weighted.by_noise, repeated.by_noise, rtol=1e-10)
    summed = np.add.reduceat(repeated.by_covariance, np.unique(again, return_index=True)[1])
    summed = np.add.reduceat(summed, np.unique(again, return_index=True)[1], axis=1)
    assert_allclose(weighted.by_covariance, summed, atol=1e-10)


@WEIGHTED
def test_its_derivatives(weighted):
    covariance, labels, weight = covariance_of(), some_labels(), row_weight(weighted)
    found = evidence(covariance, labels, weight, BETA)

    def value(symmetric):
        return evidence(0.5 * (symmetric + symmetric.T), labels, weight, BETA).value

    assert_allclose(found.by_covariance, differences(value, covariance), atol=1e-7)
    by_noise = differences(
        lambda log_beta: evidence(covariance, labels, weight, np.exp(log_beta)).value, np.log(BETA)
    )
    assert_allclose(found.by_noise, by_noise, rtol=1e-7)


@WEIGHTED
def test_mean_and_share_of_the_regressions(weighted):
    covariance, labels, weight = covariance_of(), some_labels(), row_weight(weighted)
    solved = solve_labels(covariance, labels, weight, BETA)
    noisy = covariance + np.diag(1.0 / (BETA * weight))
    smoother = np.linalg.solve(noisy, covariance).T
    assert_allclose(solved.mean, labels @ smoother.T, atol=1e-10)
    assert_allclose(solved.determined, np.diag(smoother), rtol=1e-9)
    _, log_determinant = np.linalg.slogdet(noisy * BETA * weight)
    assert_allclose(solved.half_log_determinant, 0.5 * log_determinant, rtol=1e-10)


# The model.


@WEIGHTED
@OVER_BASES
def test_the_gradient_of_the_model(basis, weighted):
    model = model_of(basis, row_weight(weighted))
    settings, log_scales = settings_of(model), model.columns.log_scales + 0.1
    found = model.evaluate(settings, log_scales)
    by_setting = differences(lambda at: model.evaluate(at, log_scales).value, settings)
    assert_allclose(found.by_setting, by_setting, rtol=1e-5, atol=1e-6)
    by_scale = differences(lambda at: model.evaluate(settings, at).value, log_scales)
    assert_allclose(found.by_scale, by_scale, rtol=1e-5, atol=1e-6)


@WEIGHTED
def test_it_is_the_dense_model_of_its_contrasts_about_their_mean(weighted):
    """A row is one observation: the K - 1 contrasts count 1 / (K - 1) times."""
    weight, basis = row_weight(weighted), BASES["sum"]
    model = model_of(basis, weight)
    labels = label_contrasts(CODES, 3)
    centred = labels - weight @ labels / weight.sum()
    rows = DenseRows.of(Data(X, centred, weight), Gaussian())
    each = DenseModel(basis.bind(X, weight), rows)
    settings, log_scales = settings_of(model), model.columns.log_scales
    one = model.evaluate(settings, log_scales)
    other = each.evaluate(np.tile(settings, (2, 1)), log_scales)
    assert_allclose(one.value, other.value / 2.0, rtol=1e-10)
    assert_allclose(one.by_setting[0], other.by_setting.sum(axis=0) / 2.0, rtol=1e-7, atol=1e-9)
    assert_allclose(one.by_scale, other.by_scale / 2.0, rtol=1e-7, atol=1e-9)


def test_all_classes_have_one_set_of_settings():
    model = model_of(BASES["gaussian"])
    settings, limits = model.first_settings(model.columns.log_scales, 1e-6)
    assert settings.shape == (1, model.n_settings) == limits.shape[:2]
    assert model.n_targets == 1
    assert model.common_settings
    assert len(model.least_noises) == 1


def test_there_is_always_some_noise():
    model = model_of(BASES["gaussian"])
    (least,) = model.least_noises
    _, (limits,) = model.first_settings(model.columns.log_scales, least)
    _, (higher,) = model.first_settings(model.columns.log_scales, 0.5)
    variance = np.mean(np.var(model.labels, axis=0))
    assert 0.3 * least < np.exp(-limits[-1].max()) / variance < 3.0 * least
    assert_allclose(limits[-1].max() - higher[-1].max(), np.log(0.5 / least), rtol=1e-9)


@pytest.mark.parametrize("order", [[1, 2, 0], [2, 1, 0]])
def test_the_order_of_the_classes_does_not_matter(order):
    renamed = np.array(order)[CODES.astype(int)].astype(float)
    one, other = (model_of(BASES["gaussian"], row_weight(True), each) for each in (CODES, renamed))
    settings, log_scales = settings_of(one), one.columns.log_scales
    first, second = (each.evaluate(settings, log_scales) for each in (one, other))
    assert_allclose(first.value, second.value, rtol=1e-11)
    first, second = (each.left_out(settings, log_scales) for each in (one, other))
    assert_allclose(first.log_density, second.log_density, rtol=1e-9)
    contrasts = Multinomial(3).contrasts
    found = second.latents @ contrasts.T
    assert_allclose(found[:, order], first.latents @ contrasts.T, atol=1e-8)


def test_columns_follow_what_the_regression_says_of_all_labels():
    """sum_n W_n |f_n - phi_n' w|^2 is at most `enough` per row, W the precision of the noise."""
    weight, basis = row_weight(True), BASES["gaussian"]
    model, columns = model_of(basis, weight), basis.bind(X, weight)
    settings = settings_of(model)
    (chosen,) = following_columns(model, columns, settings, Following(0.02))
    noise = np.exp(settings[0, -1])
    covariance = model.covariance(settings[0], model.parts(columns.log_scales))
    noisy = covariance + np.diag(1.0 / (noise * weight))
    mean = covariance @ np.linalg.solve(noisy, label_contrasts(CODES, 3))
    root = np.sqrt(noise * weight)[:, None]

    def missed(some):
        design = root * columns.evaluate(X, some)
        left = root * mean - design @ np.linalg.lstsq(design, root * mean, rcond=None)[0]
        return np.sum(left**2) / weight.sum()

    assert missed(chosen) <= 0.02 < missed(chosen[:-1])


@pytest.mark.parametrize(
    ("likelihood", "kind"),
    [
        (Gaussian(), DenseModel),
        (Bernoulli(), DenseModel),
        (Softmax(3), LabelModel),
        (Multinomial(3), LabelModel),
    ],
    ids=str,
)
def test_classes_of_a_softmax_are_learned_by_their_labels(likelihood, kind):
    rows = DenseRows.of(Data(X, 1.0 * (CODES > 0.0), np.ones(N)), likelihood)
    assert type(learning_model(BASES["gaussian"].bind(X, np.ones(N)), rows)) is kind


def test_a_model_leaves_its_rows_alone():
    model = model_of(BASES["gaussian"])
    settings, log_scales = settings_of(model), model.columns.log_scales
    first = model.evaluate(settings, log_scales).value
    model.left_out(settings, log_scales)
    assert model.evaluate(settings, log_scales).value == first
    assert_array_equal(model.codes, CODES)
