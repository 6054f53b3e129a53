from dataclasses import replace

import fits
import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import evidence
from sparsebayes.hyperpriors import student_t
from sparsebayes.inference.start import (
    WeakStart,
    distinct_directions,
    empty,
    null_noise_precision,
    spanning_columns,
    weak_start,
)
from sparsebayes.likelihoods import Gaussians

ALL = pytest.mark.parametrize("inference", fits.SEARCHES, ids=str)


def test_a_weak_start_has_all_columns_under_a_weak_prior_in_their_own_units():
    design, target = problems.regression(0)
    scale = np.geomspace(1e-3, 1e3, 8)
    plain = weak_start(problems.gaussian(design, target))
    scaled = weak_start(problems.gaussian(design * scale, target))
    assert_array_equal(plain.active, np.arange(8))
    assert_allclose(scaled.weight_precision, plain.weight_precision * scale**2, rtol=1e-9)
    assert_allclose(plain.noise_precision, (0.1 * np.std(target)) ** -2, rtol=1e-12)
    weak = np.sort(plain.weight_precision / (plain.noise_precision * np.sum(design**2, axis=0)))
    assert_allclose(weak[1:], 1e-4, rtol=1e-9)


def test_how_weak_a_start_is_can_be_said():
    problem = problems.gaussian(*problems.regression(0))
    one, other = weak_start(problem), weak_start(problem, weak=WeakStart(1e-2, 1.0))
    assert_allclose(other.noise_precision, 0.01 * one.noise_precision, rtol=1e-12)
    assert other.weight_precision.max() > 0.5 * one.weight_precision.max()


def test_the_best_column_alone_has_a_prior_as_weak_as_its_weight_asks_for():
    """An offset of a million goes to the bias."""
    design, target = fits.sinc(0)
    posterior = weak_start(problems.gaussian(design, target + 1e6))
    assert np.argmin(posterior.weight_precision) == 0
    assert_allclose(posterior.weight_precision[0], 1e-12, rtol=1e-2)


def test_of_some_candidates_only_these_and_the_best_start():
    problem = problems.gaussian(*problems.regression(0))
    found = weak_start(problem, np.array([5, 7])).active
    assert {5, 7} < set(found)
    assert len(found) == 3


@pytest.mark.parametrize("data", [problems.regression(7), problems.classification(7)])
@ALL
def test_columns_of_zeros_are_never_active(inference, data):
    """At no price: a column of zeros is one more to choose from."""
    if hasattr(inference, "min_gain"):
        inference = replace(inference, min_gain=0.0)
    make = problems.bernoulli if set(data[1]) == {0.0, 1.0} else problems.gaussian
    problem = make(np.insert(data[0], [0, 3], 0.0, axis=1), data[1])
    assert not np.isin([0, 4], inference.init(problem).posterior.active).any()
    plain, end = (fits.fit(inference, each) for each in (make(*data), problem))
    assert list(end.active) == [j + 1 + (j >= 3) for j in plain.active]
    assert_allclose(end.mean, plain.mean, rtol=1e-9)


def test_proportional_columns_start_once_unless_all_columns_are_to_stay():
    design, target = problems.regression(0)
    design = np.column_stack([design, -3.0 * design[:, 2]])
    flat, proper = (
        problems.gaussian(design, target, weight_hyperprior=prior)
        for prior in (problems.FLAT, student_t(1.0))
    )
    assert_array_equal(weak_start(flat).active, np.arange(8))
    assert_array_equal(weak_start(proper).active, np.arange(9))


def test_distinct_directions_keep_the_first_of_each():
    columns = np.array([[1.0, 0.0], [0.0, 1.0], [-2.0, 0.0], [1.0, 1.0], [0.0, 5.0]])
    assert_array_equal(distinct_directions(columns @ columns.T, 1e-14), [0, 1, 3])


def test_spanning_columns_span_all_and_none_is_in_the_span_of_the_others():
    random = np.random.default_rng(0)
    few = random.normal(size=(30, 5))
    columns = np.column_stack([few, few @ random.normal(size=(5, 12)), np.zeros(30)])
    chosen = spanning_columns(columns.T @ columns)
    assert len(chosen) == np.linalg.matrix_rank(columns[:, chosen]) == 5
    rest = columns - columns[:, chosen] @ np.linalg.lstsq(columns[:, chosen], columns)[0]
    assert np.abs(rest).max() < 1e-9


def test_spanning_columns_are_as_many_as_the_rounding_of_inner_products_can_tell_apart():
    """A wide kernel on many rows: few, whatever the number of rows."""
    sizes = []
    for n_rows in (50, 200):
        inputs = np.linspace(-1.0, 1.0, n_rows)
        design = problems.kernel_design(inputs, inputs, 1.0)
        sizes.append(len(spanning_columns(design.T @ design)))
    assert sizes[0] < 12
    assert sizes[0] == sizes[1]


def test_of_equal_columns_the_first_spans_and_units_do_not_matter():
    random = np.random.default_rng(1)
    design = random.normal(size=(20, 6))
    twice = np.column_stack([design, design])
    assert_array_equal(spanning_columns(twice.T @ twice) % 6, np.arange(6))
    scaled = twice * np.geomspace(1e-6, 1e6, 12)
    assert_array_equal(spanning_columns(scaled.T @ scaled), spanning_columns(twice.T @ twice))


def test_an_empty_model_is_the_noise():
    design, target = problems.regression(0)
    posterior = empty(problems.gaussian(design, target), 4.0)
    assert posterior.mean.shape == (0, 1)
    exact = reference.log_evidence(np.zeros((40, 0)), target, np.empty(0), 4.0)
    assert_allclose(evidence.log_evidence(posterior), exact, rtol=1e-12)


def test_the_best_noise_without_columns_is_the_mean_square_of_the_target():
    design, target = problems.regression(0)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, 40)
    problem = problems.gaussian(design, target, weight=weight)
    best = null_noise_precision(problem)
    assert_allclose(best, 1.0 / np.average(target**2, weights=weight), rtol=1e-12)
    for factor in (0.9, 1.1):
        assert evidence.log_evidence(empty(problem, factor * best)) < evidence.log_evidence(
            empty(problem, best)
        )


def test_the_best_noise_is_the_one_that_is_given_or_the_unit_of_several_outputs():
    assert null_noise_precision(problems.gaussian(*problems.regression(0), 0.5)) == 4.0
    assert null_noise_precision(problems.problem(*problems.outputs(0), Gaussians(3))) == 1.0
    assert null_noise_precision(problems.bernoulli(*problems.classification(0))) == 1.0


def test_the_best_noise_of_a_target_of_zeros_is_at_its_floor():
    problem = problems.gaussian(problems.regression(0)[0], np.zeros(40))
    assert null_noise_precision(problem) == problem.noise_precision_ceiling
