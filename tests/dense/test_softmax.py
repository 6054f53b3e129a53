"""The dense model of several classes in one softmax."""

import numpy as np
import pytest
import reference
from dense_parts import N, X, Y, row_weight
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis import Bias, GaussianKernel
from sparsebayes.dense import DenseModel, DenseRows, DenseStart, fit_dense, fit_dense_softmax
from sparsebayes.dense.fit import dense_posterior, settings_at
from sparsebayes.dense.softmax import SoftmaxSearch
from sparsebayes.evidence import log_evidence
from sparsebayes.likelihoods import Bernoulli, Multinomial
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

LABELS = np.digitize(Y, [-0.3, 0.4]).astype(float)
SETTINGS = np.log([[0.3, 5.0], [0.5, 4.0], [0.2, 9.0]])


def problem(labels=LABELS, n_classes=3, weight=None, inputs=X):
    weight = np.ones(len(labels)) if weight is None else weight
    columns = (GaussianKernel(1.0) + Bias()).bind(inputs, weight)
    return Problem(Data(inputs, labels, weight), columns, Multinomial(n_classes))


def values_at(problem, shifts):
    return [log_evidence(dense_posterior(problem, SETTINGS.mean(axis=0) + each)) for each in shifts]


def precisions(fit):
    return 1.0 / fit.prior_variance[[0, -1]]


def test_its_evidence_is_laplaces_of_whitened_columns():
    fit = fit_dense(problem(), DenseStart(SETTINGS[0]))
    design = fit.columns.evaluate(X)
    expanded = reference.expanded_design(design, n_outputs=2)
    held = reference.with_mean_curvature(reference.class_contrasts)
    prior = np.kron(1.0 / fit.prior_variance, np.ones(2))
    exact = reference.laplace(reference.class_contrasts, held, expanded, LABELS, prior)
    assert_allclose(fit.log_evidence, exact, rtol=1e-7)


def test_its_precisions_are_those_of_the_classes_times_a_factor():
    fit = fit_dense_softmax(problem(), SETTINGS)
    shift = np.log(precisions(fit)) - SETTINGS.mean(axis=0)
    assert_allclose(shift, shift[0], rtol=1e-9)


def test_the_factor_is_the_best_there_is():
    fit = fit_dense_softmax(problem(), SETTINGS)
    shift = float((np.log(precisions(fit)) - SETTINGS.mean(axis=0))[0])
    assert abs(shift) < 3.9
    less, best, more = values_at(problem(), (shift - 0.3, shift, shift + 0.3))
    assert less < best > more
    assert_allclose(fit.log_evidence, best, rtol=1e-9)


@pytest.mark.parametrize(("start", "end"), [(9.0, -1.0), (-9.0, 1.0)])
def test_the_factor_has_a_reach(start, end):
    search = SoftmaxSearch(reach=1.0, tolerance=1e-3, steps=100)
    fit = fit_dense_softmax(problem(), SETTINGS + start, search)
    shift = np.log(precisions(fit)) - SETTINGS.mean(axis=0) - start
    assert_allclose(shift, end, atol=0.01)


def test_settings_that_are_not_known_are_found_for_each_class_against_the_rest():
    aim = problem()
    rows = DenseRows.of(aim.data, aim.likelihood)
    assert_array_equal(rows.targets, np.arange(3)[:, None] == LABELS)
    settings = settings_at(DenseModel(aim.columns, rows), aim.columns.log_scales)
    one, other = fit_dense_softmax(aim), fit_dense_softmax(aim, settings)
    assert_allclose(one.prior_variance, other.prior_variance, rtol=1e-10)
    assert_allclose(one.latents, other.latents, rtol=1e-8)


def test_it_has_a_latent_value_for_each_contrast_and_one_precision_for_each_row():
    weight = row_weight(True)
    fit = fit_dense_softmax(problem(weight=weight), SETTINGS)
    assert fit.latents.shape == (N, 2)
    assert_allclose(fit.between, np.eye(3) - 1.0 / 3.0, rtol=1e-12)
    design = fit.columns.evaluate(X)
    of_rows = design.T @ (fit.row_precision[:, None] * design)
    assert_allclose(fit.precision, np.diag(1.0 / fit.prior_variance) + of_rows, atol=1e-8)
    assert np.all((fit.row_precision > 0.0) & (fit.row_precision < weight))
    assert not fit.noise_vanished


def test_the_mean_of_one_class_can_take_the_place_of_that_of_contrasts():
    fit = fit_dense_softmax(problem(), SETTINGS)
    of_classes = Multinomial(3).latent_weights(fit.posterior.mean)
    each = [fit.with_mean(mean[:, None]) for mean in of_classes.T]
    latents = np.hstack([own.latents for own in each])
    assert_allclose(latents, fit.latents @ Multinomial(3).contrasts.T, atol=1e-10)
    assert_allclose(latents.sum(axis=1), 0.0, atol=1e-10)
    for own in each:
        assert_array_equal(own.posterior.covariance, fit.posterior.covariance)


def test_two_classes_of_a_softmax_are_two_classes():
    """Their contrast is -f / sqrt(2), so that f has twice its variance."""
    labels = (Y > 0.2).astype(float)
    two = problem(labels, 2)
    one = two.changed(likelihood=Bernoulli())
    settings = SETTINGS[0]
    of_two, of_one = dense_posterior(two, settings), dense_posterior(one, settings - np.log(2.0))
    assert_allclose(log_evidence(of_two), log_evidence(of_one), rtol=1e-8)
    latent, other = (
        each.problem.columns.evaluate(X) @ each.mean[:, 0] for each in (of_two, of_one)
    )
    assert_allclose(-np.sqrt(2.0) * latent, other, atol=1e-5)


@pytest.mark.parametrize("order", [[1, 2, 0], [2, 1, 0]])
def test_the_order_of_the_classes_does_not_matter(order):
    """But for the sample that moments are found with."""
    renamed = np.array(order)[LABELS.astype(int)].astype(float)
    one, other = (fit_dense_softmax(problem(labels), SETTINGS) for labels in (LABELS, renamed))
    assert_allclose(other.prior_variance, one.prior_variance, rtol=1e-5)
    assert_allclose(other.log_evidence, one.log_evidence, rtol=1e-7)
    contrasts = Multinomial(3).contrasts
    latents, others = one.latents @ contrasts.T, other.latents @ contrasts.T
    assert_allclose(others[:, order], latents, atol=0.05 * np.abs(latents).max())


def test_a_row_of_weight_two_is_the_row_twice():
    times = np.arange(N) % 3 + 1
    again = np.repeat(np.arange(N), times)
    weighted = fit_dense_softmax(problem(weight=1.0 * times), SETTINGS)
    repeated = fit_dense_softmax(problem(LABELS[again], inputs=X[again]), SETTINGS)
    first = np.unique(again, return_index=True)[1]
    assert_allclose(repeated.log_evidence, weighted.log_evidence, rtol=1e-7)
    assert_allclose(repeated.latents[first], weighted.latents, atol=1e-4)


def test_a_class_that_has_no_row_does_no_harm():
    fit = fit_dense_softmax(problem(n_classes=4), np.vstack([SETTINGS, SETTINGS[:1]]))
    assert np.isfinite(fit.latents).all()
    classes = fit.latents @ Multinomial(4).contrasts.T
    assert np.all(classes[:, 3] < classes[:, :3].max(axis=1))
