"""Rows left out of regression on labels, against regressions without them."""

import numpy as np
import pytest
from dense_parts import BASES, N, X, Y, row_weight
from numpy.testing import assert_allclose
from scipy.special import log_softmax

from sparsebayes.dense.labels.labels import LabelModel, label_contrasts
from sparsebayes.dense.labels.leaving_out import MOST_SHARE, SharpnessSearch, leave_out
from sparsebayes.dense.rows import DenseRows
from sparsebayes.likelihoods import Multinomial
from sparsebayes.rows import Data

CODES = np.digitize(Y, [-0.3, 0.4]).astype(float)
LABELS = label_contrasts(CODES, 3)
BETA = 4.0
NAMES = pytest.mark.parametrize("name", ["gaussian", "sum", "poly"])


def at_settings(name, weight, order=None):
    """A model, settings, and the covariance of all rows."""
    order = np.arange(N) if order is None else order
    columns = BASES[name].bind(X, np.ones(N))
    rows = DenseRows.of(Data(X[order], CODES[order], weight), Multinomial(3))
    model = LabelModel(columns, rows)
    settings = np.log(np.append(np.linspace(0.5, 2.0, model.n_settings - 1), BETA))[None]
    covariance = model.covariance(settings[0], model.parts(columns.log_scales))
    return model, settings, covariance


def regression(covariance, weight, labels, new):
    """Mean and variance at rows `new` of Gaussian processes that know the rows with a weight."""
    known = np.flatnonzero(weight)
    noisy = covariance[np.ix_(known, known)] + np.diag(1.0 / (BETA * weight[known]))
    gain = np.linalg.solve(noisy, covariance[np.ix_(known, new)]).T
    spread = covariance[np.ix_(new, new)] - gain @ covariance[np.ix_(known, new)]
    return gain @ labels[known], np.diag(spread)


def refitted(covariance, weight):
    """What each row is without one of it (n, K - 1), and its variance (n,)."""
    found = []
    for n in range(N):
        less = weight.copy()
        less[n] -= min(weight[n], 1.0)
        mean, variance = regression(covariance, less, LABELS, [n])
        found.append((mean[0], variance[0]))
    return tuple(map(np.array, zip(*found, strict=True)))


def log_density(latents, weight):
    of_classes = log_softmax(latents @ Multinomial(3).contrasts.T, axis=1)
    return weight @ of_classes[np.arange(len(weight)), CODES.astype(int)]


@NAMES
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_it_is_a_regression_without_the_row(name, weighted):
    """A weight of 0.5 is left out as a whole; of 1.5 and 2.5, one is."""
    weight = row_weight(weighted)
    model, settings, covariance = at_settings(name, weight)
    found = model.left_out(settings, model.columns.log_scales)
    mean, variance = refitted(covariance, weight)
    assert_allclose(found.latents / found.sharpness, mean, atol=1e-8)
    largest = found.sharpness**2 * variance.max()
    assert_allclose(found.largest_variance, largest, rtol=1e-8)
    assert_allclose(found.log_density, log_density(found.sharpness * mean, weight), rtol=1e-8)


@NAMES
def test_a_row_of_weight_two_is_the_row_twice(name):
    times = np.arange(N) % 3 + 1
    again = np.repeat(np.arange(N), times)
    one, settings, _ = at_settings(name, 1.0 * times)
    two, _, _ = at_settings(name, np.ones(len(again)), again)
    log_scales = one.columns.log_scales
    weighted, repeated = (each.left_out(settings, log_scales) for each in (one, two))
    assert_allclose(weighted.sharpness, repeated.sharpness, rtol=1e-7)
    assert_allclose(weighted.log_density, repeated.log_density, rtol=1e-8)
    assert_allclose(weighted.latents[again], repeated.latents, atol=1e-7)
    assert_allclose(weighted.largest_variance, repeated.largest_variance, rtol=1e-7)


def left_out_of(name="gaussian", weight=None, **options):
    weight = np.ones(N) if weight is None else weight
    _, _, covariance = at_settings(name, weight)
    mean, variance = regression(covariance, weight, LABELS, np.arange(N))
    search = SharpnessSearch(**options)
    return leave_out(CODES, weight, LABELS, mean, variance, BETA, search)


@NAMES
@pytest.mark.parametrize("width", [0.1, 1.0, 30.0])
def test_classes_are_most_probable_at_the_sharpness(name, width):
    """With what is known of it a priori."""
    weight = row_weight(True)
    found = left_out_of(name, weight, width=width)
    plain = found.latents / found.sharpness

    def value(sharpness):
        prior = 0.5 * (np.log(sharpness / 8.0) / width) ** 2
        return log_density(sharpness * plain, weight) - prior

    best = value(found.sharpness)
    for factor in (0.5, 0.99, 1.01, 2.0):
        assert value(factor * found.sharpness) < best


def test_what_is_known_of_the_sharpness_holds_it():
    assert_allclose(left_out_of(width=1e-4).sharpness, 8.0, rtol=1e-4)
    assert_allclose(left_out_of(width=1e-4, usual=3.0).sharpness, 3.0, rtol=1e-4)
    assert abs(np.log(left_out_of(width=10.0).sharpness / 8.0)) > 0.1


def test_labels_in_other_units_make_the_same_probabilities():
    """But for the sharpness, which is in their units."""
    one = left_out_of(width=1e3)
    _, _, covariance = at_settings("gaussian", np.ones(N))
    mean, variance = regression(covariance, np.ones(N), LABELS, np.arange(N))
    search = SharpnessSearch(width=1e3)
    other = leave_out(
        CODES, np.ones(N), 10.0 * LABELS, 10.0 * mean, 100.0 * variance, BETA / 100.0, search
    )
    assert_allclose(other.sharpness, one.sharpness / 10.0, rtol=1e-4)
    assert_allclose(other.latents, one.latents, rtol=1e-4)
    assert_allclose(other.largest_variance, one.largest_variance, rtol=1e-4)


def test_rows_of_one_class_have_a_finite_sharpness():
    codes, weight = np.zeros(N), np.ones(N)
    labels = label_contrasts(codes, 3)
    found = leave_out(codes, weight, labels, 0.9 * labels, np.full(N, 0.1), BETA)
    assert 8.0 < found.sharpness < 1e4
    assert -1.0 < found.log_density < 0.0


def test_a_row_that_only_its_own_label_tells_of_does_no_harm():
    """Its variance is that of the noise, up to rounding."""
    weight, variance = np.ones(N), np.full(N, (1.0 + 1e-12) / BETA)
    found = leave_out(CODES, weight, LABELS, LABELS, variance, BETA)
    assert np.isfinite(found.latents).all()
    limit = found.sharpness**2 * variance[0] / (1.0 - MOST_SHARE)
    assert_allclose(found.largest_variance, limit, rtol=1e-9)
