"""The dense model of several classes in one softmax."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from dense_parts import N, X, Y, row_weight
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import log_softmax, softmax

from sparsebayes.basis import Bias, GaussianKernel, Linear
from sparsebayes.dense.fit import dense_posterior
from sparsebayes.dense.labels.classes import blended, fit_dense_classes, in_other_units
from sparsebayes.dense.labels.labels import LabelModel, label_contrasts
from sparsebayes.dense.labels.leaving_out import adjusted
from sparsebayes.dense.rows import DenseRows
from sparsebayes.dense.settings import find_settings, settings_at
from sparsebayes.evidence import log_evidence
from sparsebayes.likelihoods import Gaussians, Multinomial
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

CODES = np.digitize(Y, [-0.3, 0.4]).astype(float)
SETTINGS = np.log([0.3, 5.0, 4.0])
BASES = {"kernel": GaussianKernel(1.0) + Bias(), "linear": Linear() + Bias()}


def problem(codes=CODES, n_classes=3, weight=None, inputs=X, basis=BASES["kernel"]):
    weight = np.ones(len(codes)) if weight is None else weight
    columns = basis.bind(inputs, weight)
    return Problem(Data(inputs, codes, weight), columns, Multinomial(n_classes))


@cache
def weighted_fit():
    return fit_dense_classes(problem(weight=row_weight(True)), SETTINGS)


# Other units.


def regression(unit, basis, shift=0.0):
    weight = row_weight(True)
    noise_std = unit * np.exp(-0.5 * SETTINGS[-1])
    target = unit * label_contrasts(CODES, 3)
    given = Problem(Data(X, target, weight), basis.bind(X, weight), Gaussians(2, noise_std))
    n_settings = 3 if basis is BASES["kernel"] else 4
    settings = np.append(np.linspace(-1.0, 1.0, n_settings - 1), SETTINGS[-1])
    return dense_posterior(given, settings + shift)


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
@pytest.mark.parametrize("unit", [1e-3, 7.0, 1e4])
def test_a_posterior_in_other_units_is_that_of_targets_in_them(unit, basis):
    found = in_other_units(regression(1.0, basis), unit)
    expected = regression(unit, basis, -2.0 * np.log(unit))
    assert_array_equal(found.active, expected.active)
    assert_allclose(found.weight_precision, expected.weight_precision, rtol=1e-12)
    assert_allclose(found.noise_precision, expected.noise_precision, rtol=1e-12)
    assert_allclose(found.problem.data.target, expected.problem.data.target, rtol=1e-12)
    design = expected.problem.columns.evaluate(X)
    latents, others = design @ found.mean, design @ expected.mean
    assert_allclose(latents, others, atol=1e-9 * np.abs(others).max())
    one, other = (design @ each.covariance @ design.T for each in (found, expected))
    assert_allclose(one, other, atol=1e-9 * np.abs(other).max())
    assert_allclose(found.value, expected.value, rtol=1e-9)
    assert_allclose(found.well_determined, expected.well_determined, atol=1e-9)
    assert_allclose(log_evidence(found), log_evidence(expected), rtol=1e-9)


# The model.


def test_its_covariance_is_that_of_regression_on_labels_in_units_of_the_sharpness():
    fit, weight = weighted_fit(), row_weight(True)
    square, beta = fit.left_out.sharpness**2, np.exp(SETTINGS[-1])
    distance = np.sum((X[:, None] - X) ** 2, axis=2)
    prior = np.exp(-SETTINGS[0] - distance) + np.exp(-SETTINGS[1])
    expected = prior - prior @ np.linalg.solve(prior + np.diag(1.0 / (beta * weight)), prior)
    design = fit.columns.evaluate(X)
    found = design @ fit.posterior.covariance @ design.T
    assert_allclose(found, square * expected, atol=1e-4 * np.abs(square * expected).max())
    assert_allclose(fit.prior_variance[[0, -1]], square * np.exp(-SETTINGS[:2]), rtol=1e-10)


def test_rows_are_left_out_of_regression_on_labels():
    fit, given = weighted_fit(), problem(weight=row_weight(True))
    model = LabelModel(given.columns, DenseRows.of(given.data, given.likelihood))
    expected = model.left_out(SETTINGS[None], given.columns.log_scales)
    assert_allclose(fit.left_out.sharpness, expected.sharpness, rtol=1e-4)
    assert_allclose(fit.left_out.latents, expected.latents, atol=1e-3)
    assert_allclose(fit.left_out.largest_variance, expected.largest_variance, rtol=1e-3)


def test_its_mean_and_evidence_are_those_of_the_blend():
    fit, data = weighted_fit(), Data(X, CODES, row_weight(True))
    design = fit.columns.evaluate(X)
    precision = np.linalg.inv(fit.posterior.covariance)
    of_labels = fit.posterior.noise_precision * np.linalg.solve(
        precision, design.T @ (data.weight[:, None] * fit.posterior.problem.data.target)
    )
    blend = blended(replace(fit.posterior, mean=of_labels), data, fit.left_out)
    assert_allclose(fit.latents, design @ blend.mean, atol=1e-5)
    assert_allclose(fit.log_evidence, blend.log_density, rtol=1e-6)
    assert fit.log_evidence == fit.left_out.log_density


def test_it_has_a_latent_value_for_each_contrast():
    fit = weighted_fit()
    assert fit.latents.shape == (N, 2)
    assert_allclose(fit.latents, fit.columns.evaluate(X) @ fit.posterior.mean, atol=1e-10)
    assert_allclose(fit.between, np.eye(3) - 1.0 / 3.0, rtol=1e-12)
    assert not fit.noise_vanished
    assert fit.noise_variance == 1.0


def test_a_row_counts_by_its_divergence_from_even_odds():
    fit = weighted_fit()
    of_classes = fit.latents @ Multinomial(3).contrasts.T
    probability = softmax(of_classes, axis=1)
    loss = np.log(3.0) + np.sum(probability * log_softmax(of_classes, axis=1), axis=1)
    expected = row_weight(True) * 2.0 * loss / np.sum(of_classes**2, axis=1)
    assert_allclose(fit.row_precision, expected, rtol=1e-9)


def test_it_says_what_the_classes_are():
    fit = fit_dense_classes(problem())
    of_classes = fit.latents @ Multinomial(3).contrasts.T
    assert np.mean(of_classes.argmax(axis=1) == CODES) > 0.8
    assert fit.log_evidence > -N * np.log(3.0)


# Settings.


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
def test_settings_that_are_not_known_are_those_of_the_evidence_with_the_noise_adjusted(basis):
    given = problem(basis=basis)
    model = LabelModel(given.columns, DenseRows.of(given.data, given.likelihood))
    first = settings_at(model, given.columns.log_scales)
    expected = adjusted(
        model.log_density_left_out, first, given.columns.log_scales, scales_too=False
    )
    found = find_settings(given).settings
    assert_allclose(found, expected.settings[0], rtol=1e-10)
    assert_array_equal(found[:-1], first[0, :-1])
    one, other = fit_dense_classes(given), fit_dense_classes(given, found)
    assert_array_equal(one.latents, other.latents)


# What does not matter.


def test_the_order_of_rows_does_not_matter():
    order, weight = np.random.default_rng(0).permutation(N), row_weight(True)
    other = fit_dense_classes(problem(CODES[order], 3, weight[order], X[order]), SETTINGS)
    fit = weighted_fit()
    assert_allclose(other.log_evidence, fit.log_evidence, rtol=1e-6)
    assert_allclose(other.latents, fit.latents[order], atol=1e-5 * np.abs(fit.latents).max())


def test_a_row_of_weight_two_is_the_row_twice():
    times = np.arange(N) % 3 + 1
    again = np.repeat(np.arange(N), times)
    weighted = fit_dense_classes(problem(weight=1.0 * times), SETTINGS)
    repeated = fit_dense_classes(problem(CODES[again], inputs=X[again]), SETTINGS)
    size = np.abs(weighted.latents).max()
    assert_allclose(repeated.log_evidence, weighted.log_evidence, rtol=1e-6)
    assert_allclose(repeated.latents, weighted.latents[again], atol=1e-5 * size)


def test_a_class_that_has_no_row_does_no_harm():
    fit = fit_dense_classes(problem(n_classes=4), SETTINGS)
    classes = fit.latents @ Multinomial(4).contrasts.T
    assert np.all(classes[:, 3] < classes[:, :3].max(axis=1))


def test_two_classes_are_a_softmax_as_well():
    codes = (Y > 0.2).astype(float)
    fit = fit_dense_classes(problem(codes, 2), SETTINGS)
    of_classes = fit.latents @ Multinomial(2).contrasts.T
    assert fit.latents.shape == (N, 1)
    assert np.mean(of_classes.argmax(axis=1) == codes) > 0.8
