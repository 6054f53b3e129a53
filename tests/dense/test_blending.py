"""Regression on labels blended with a softmax, against naive fits."""

from functools import cache

import numpy as np
import pytest
from dense_parts import N, X, Y, row_weight
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.special import log_softmax

from sparsebayes.basis import Bias, CauchyKernel, GaussianKernel, Linear
from sparsebayes.dense.fit import dense_posterior
from sparsebayes.dense.labels.classes import (
    BLEND_RULE,
    BlendRule,
    blended,
    first_of_each,
    folds,
    group_precision,
    in_other_units,
)
from sparsebayes.dense.labels.labels import label_contrasts
from sparsebayes.dense.labels.leaving_out import leave_out
from sparsebayes.dense.matching import moments
from sparsebayes.likelihoods import Gaussians, Multinomial
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

CODES = np.digitize(Y, [-0.3, 0.4]).astype(float)
BASIS = GaussianKernel(1.0) + Bias()
KINDS = GaussianKernel(1.0) + Linear() + CauchyKernel(2.0) + Bias()


# Folds.


def some_rows(n=60, n_classes=3, seed=0):
    random = np.random.default_rng(seed)
    return random.integers(0, n_classes, n).astype(float), random.normal(size=n)


def test_folds_do_not_depend_on_the_order_of_rows():
    codes, score = some_rows()
    order = np.random.default_rng(1).permutation(60)
    assert_array_equal(folds(codes[order], score[order], 5), folds(codes, score, 5)[order])


def test_rows_that_are_equal_are_in_the_same_fold():
    codes, score = some_rows()
    again = np.repeat(np.arange(60), np.arange(60) % 3 + 1)
    expected = folds(codes, score, 5)[again]
    rounding = 1.0 + 1e-13 * np.random.default_rng(2).normal(size=len(again))
    assert_array_equal(folds(codes[again], score[again] * rounding, 5), expected)


@pytest.mark.parametrize("n_folds", [2, 5])
def test_all_classes_are_in_every_fold_as_often(n_folds):
    codes, score = some_rows()
    fold = folds(codes, score, n_folds)
    for label in range(3):
        counts = np.bincount(fold[codes == label], minlength=n_folds)
        assert counts.min() > 0
        assert np.ptp(counts) <= 1


def test_neighbouring_scores_of_a_class_are_in_different_folds():
    codes, score = some_rows()
    fold = folds(codes, score, 5)
    for label in range(3):
        own = np.flatnonzero(codes == label)
        in_order = fold[own[np.argsort(score[own])]]
        assert_array_equal(np.diff(in_order) % 5, 1)


def test_equal_scores_of_different_classes_are_different_rows():
    assert len(set(folds(np.arange(4.0), np.zeros(4), 4))) == 4


def test_units_of_scores_do_not_matter():
    codes, score = some_rows()
    for unit in (1e-9, 1e9):
        assert_array_equal(folds(codes, unit * score, 5), folds(codes, score, 5))


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_rows_have_folds(n):
    codes, score = some_rows(n)
    assert_array_equal(np.sort(folds(codes, score, 5)), np.arange(n))


# Which columns, and their prior.


@cache
def regression(basis=BASIS, weighted=True):
    """The posterior of regression on labels in units of a softmax, its data, and rows left out."""
    weight, labels, beta = row_weight(weighted), label_contrasts(CODES, 3), 4.0
    columns = basis.bind(X, weight)
    given = Problem(Data(X, labels, weight), columns, Gaussians(2, beta**-0.5))
    n_settings = len(columns.kinds) + (X.shape[1] - 1 if basis is KINDS else 0)
    settings = np.append(np.zeros(n_settings), np.log(beta))
    found = dense_posterior(given, settings)
    left_out = leave_out(CODES, weight, labels, *moments(found), beta)
    return in_other_units(found, left_out.sharpness), Data(X, CODES, weight), left_out


def starts(problem):
    return np.cumsum([0, *(part.n_columns for part in problem.columns.parts)])


def test_of_each_kernel_there_are_the_first_columns_and_all_that_are_no_kernel():
    problem = regression(KINDS)[0].problem
    first, second, third, fourth, end = starts(problem)
    expected = [first, first + 1, *range(second, third), third, third + 1, *range(fourth, end)]
    assert_array_equal(first_of_each(problem.columns, 2), expected)
    assert_array_equal(first_of_each(problem.columns, 1000), np.arange(end))


def test_every_kernel_and_every_plain_column_has_a_mean_variance_of_one():
    problem = regression(KINDS)[0].problem
    columns = first_of_each(problem.columns, 3)
    share = row_weight(True) / row_weight(True).sum()
    design = problem.columns.evaluate(X)[:, columns]
    precision = group_precision(problem, columns, share @ design**2)
    variance = share @ design**2 / precision
    first, second, third, fourth, end = starts(problem)
    assert_allclose(variance[(columns >= first) & (columns < second)].sum(), 1.0, rtol=1e-10)
    assert_allclose(variance[(columns >= third) & (columns < fourth)].sum(), 1.0, rtol=1e-10)
    plain = ((columns >= second) & (columns < third)) | ((columns >= fourth) & (columns < end))
    assert_allclose(variance[plain], 1.0, rtol=1e-10)
    kernel = precision[(columns >= first) & (columns < second)]
    assert np.ptp(kernel) == 0.0


def test_columns_of_zeros_have_a_precision():
    problem = regression()[0].problem
    columns = first_of_each(problem.columns, 3)
    assert_array_equal(group_precision(problem, columns, np.zeros(len(columns))), 1.0)


# The blend.

CONTRASTS = Multinomial(3).contrasts


def log_density(latents, weight=None):
    found = log_softmax(latents @ CONTRASTS.T, axis=1)[np.arange(len(latents)), CODES.astype(int)]
    return (row_weight(True) if weight is None else weight) @ found


def naive_softmax(design, codes, weight, precision):
    """Weights (m, K - 1) at the mode, by a search that knows nothing of the problem."""
    label = np.eye(3)[codes.astype(int)]

    def function(flat):
        weights = flat.reshape(-1, 2)
        log_probability = log_softmax(design @ weights @ CONTRASTS.T, axis=1)
        slope = (weight[:, None] * (np.exp(log_probability) - label)) @ CONTRASTS
        value = 0.5 * precision @ np.sum(weights**2, axis=1)
        value -= weight @ np.sum(label * log_probability, axis=1)
        return value, (design.T @ slope + precision[:, None] * weights).ravel()

    start = np.zeros(2 * design.shape[1])
    options = {"gtol": 1e-8, "ftol": 1e-15, "maxiter": 10_000}
    found = minimize(function, start, jac=True, method="L-BFGS-B", options=options)
    return found.x.reshape(-1, 2)


def naive_blend(posterior, data, left_out, rule):
    """Mean (m, K - 1) and log density of a blend."""
    columns = first_of_each(posterior.problem.columns, rule.most_columns)
    design, weight = posterior.problem.columns.evaluate(X)[:, columns], data.weight
    mean_square = weight @ design**2 / weight.sum()
    precision = group_precision(posterior.problem, columns, mean_square) / rule.variance
    own = naive_softmax(design, CODES, weight, precision)
    score = log_softmax(left_out.latents @ CONTRASTS.T, axis=1)[np.arange(N), CODES.astype(int)]
    fold, other = folds(CODES, score, rule.n_folds), np.empty((N, 2))
    for k in range(rule.n_folds):
        kept, out = fold != k, fold == k
        found = naive_softmax(design[kept], CODES[kept], weight[kept], precision)
        other[out] = design[out] @ found

    def loss(log_shares):
        one, two = np.exp(log_shares)
        prior = 0.5 * np.sum((log_shares - np.log(rule.usual)) ** 2) / rule.width**2
        return prior - log_density(one * left_out.latents + two * other)

    best = minimize(
        loss, np.log([0.4, 0.6]), method="Nelder-Mead", options={"fatol": 1e-13, "xatol": 1e-9}
    )
    one, two = np.exp(best.x)
    mean = one * posterior.mean
    mean[columns] += two * own
    return mean, log_density(one * left_out.latents + two * other)


@pytest.mark.parametrize(
    "rule",
    [BLEND_RULE, BlendRule(most_columns=3, n_folds=3, variance=4.0, usual=0.3, width=2.0)],
    ids=["default", "another"],
)
def test_shares_are_those_at_which_rows_left_out_are_most_probable(rule):
    given = regression()
    found = blended(*given, rule)
    mean, value = naive_blend(*given, rule)
    latents, expected = (given[0].problem.columns.evaluate(X) @ each for each in (found.mean, mean))
    assert_allclose(latents, expected, atol=2e-4 * np.abs(expected).max())
    assert_allclose(found.log_density, value, rtol=1e-6)


def test_with_nothing_to_tell_them_apart_shares_are_the_usual():
    posterior, data, left_out = regression()
    found = blended(posterior, data, left_out, BlendRule(width=1e-5, usual=0.3))
    columns = first_of_each(posterior.problem.columns, 200)
    design = posterior.problem.columns.evaluate(X)[:, columns]
    mean_square = data.weight @ design**2 / data.weight.sum()
    precision = group_precision(posterior.problem, columns, mean_square) / BLEND_RULE.variance
    mean = 0.3 * posterior.mean
    mean[columns] += 0.3 * naive_softmax(design, CODES, data.weight, precision)
    latents, expected = (
        posterior.problem.columns.evaluate(X) @ each for each in (found.mean, mean)
    )
    assert_allclose(latents, expected, atol=1e-3 * np.abs(expected).max())


def test_what_is_blended_stays_as_it_is():
    posterior, data, left_out = regression()
    before, latents = posterior.mean.copy(), left_out.latents.copy()
    blended(posterior, data, left_out)
    assert_array_equal(posterior.mean, before)
    assert_array_equal(left_out.latents, latents)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_of_few_rows_there_is_a_softmax(n):
    """Also where a fold is all there is."""
    inputs, codes, weight = X[:n], np.arange(n) % 3.0, np.ones(n)
    labels = label_contrasts(codes, 3)
    given = Problem(Data(inputs, labels, weight), BASIS.bind(inputs, weight), Gaussians(2, 0.5))
    posterior = dense_posterior(given, np.array([0.0, 0.0, np.log(4.0)]))
    left_out = leave_out(codes, weight, labels, *moments(posterior), 4.0)
    found = blended(
        in_other_units(posterior, left_out.sharpness), given.data._replace(target=codes), left_out
    )
    assert np.isfinite(found.mean).all()
    assert np.isfinite(found.log_density)
