import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose

from sparsebayes import evidence
from sparsebayes.hyperpriors import student_t
from sparsebayes.inference.deletion import (
    below_price,
    deletion_gain,
    removable,
    removable_under_flat_prior,
    single_deletion_gain,
    without,
    worth_keeping,
)

ALPHA = np.geomspace(1e-2, 1e3, 8)
BETA = 4.0


def case(seed, alpha=ALPHA, **options):
    """Eight columns, of which three bear on the target."""
    problem = problems.gaussian(*problems.regression(seed), **options)
    return problems.posterior_at(problem, np.arange(8), alpha, BETA)


def found_without(posterior, gone):
    """The posterior without some columns, found from the rows."""
    kept = np.setdiff1d(np.arange(len(posterior.active)), gone)
    return problems.posterior_at(
        posterior.problem,
        posterior.active[kept],
        posterior.weight_precision[kept],
        posterior.noise_precision,
    )


def difference(posterior, gone):
    """What the evidence gains by a deletion, computed anew."""
    less = found_without(posterior, gone)
    return evidence.log_evidence(less) - evidence.log_evidence(posterior)


# What a deletion does to the evidence.


def test_gains_of_nearly_equal_columns():
    """Deleting both costs far more than the sum of deleting each."""
    design, target = problems.regression(6)
    design[:, 1] = design[:, 0] + 1e-4 * design[:, 1]
    problem = problems.gaussian(design, target)
    whole = problems.posterior_at(problem, np.arange(8), np.full(8, 0.1), BETA)
    assert_allclose(deletion_gain(whole, np.array([0, 1])), difference(whole, [0, 1]), rtol=1e-8)
    assert deletion_gain(whole, np.array([0, 1])) < single_deletion_gain(whole)[:2].sum() - 10.0


# The posterior that is left.


@pytest.mark.parametrize("gone", [[0], [4, 6], [7, 0, 2], list(range(8))])
def test_without_is_the_posterior_of_the_other_columns(gone):
    whole = case(9)
    less, expected = without(whole, np.array(gone)), found_without(whole, gone)
    assert list(less.active) == list(expected.active)
    assert list(less.weight_precision) == list(expected.weight_precision)
    assert less.noise_precision == BETA
    assert_allclose(less.mean, expected.mean, rtol=1e-9)
    assert_allclose(less.covariance, expected.covariance, rtol=1e-9, atol=1e-15)
    assert_allclose(less.residual_energy, expected.residual_energy, rtol=1e-10)


def test_without_nothing_is_the_posterior_itself():
    whole = case(9)
    assert without(whole, np.empty(0, dtype=np.intp)) is whole


# Columns that do not pay.


def test_removable_columns_are_those_of_quality_below_sparsity():
    whole = case(10)
    irrelevant = np.flatnonzero(evidence.active_relevance(whole).excess <= 0.0)
    assert 2 <= len(irrelevant) <= 6
    assert deletion_gain(whole, irrelevant) > 0.0
    assert sorted(removable(whole)) == list(irrelevant)


def test_removable_columns_are_less_determined_than_asked():
    whole = case(10)
    every = removable(whole)
    below = np.median(whole.well_determined[every])
    some = removable(whole, below)
    assert 0 < len(some) < len(every)
    assert sorted(some) == [i for i in sorted(every) if whole.well_determined[i] < below]
    assert len(removable(whole, 0.0)) == 0


def test_of_two_equal_columns_either_may_go_but_not_both():
    design, target = problems.regression(6)
    problem = problems.gaussian(design[:, [0, 0, 1, 2]], target)
    before = problems.posterior_at(problem, np.arange(4), np.full(4, 1e-3), BETA)
    assert list(evidence.active_relevance(before).excess > 0.0) == [False, False, True, True]
    assert deletion_gain(before, np.array([0, 1])) < -10.0
    after = without(before, removable(before))
    assert list(after.active) in ([0, 2, 3], [1, 2, 3])
    assert evidence.log_evidence(after) > evidence.log_evidence(before)


def test_deleting_the_removable_never_lowers_the_evidence():
    """60 problems, kernels and plain columns, precisions from anywhere."""
    deleted = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        if seed % 2:
            inputs = random.uniform(-1.0, 1.0, 25)
            width = 10.0 ** random.uniform(-1.0, 1.0)
            design = problems.kernel_design(inputs, inputs, width)
            target = np.sin(4.0 * inputs) + 0.1 * random.normal(size=25)
        else:
            design, target = problems.regression(seed, 30, 20)
        n_columns = design.shape[1]
        problem = problems.gaussian(design, target)
        alpha = 10.0 ** random.uniform(-4.0, 4.0, n_columns)
        whole = problems.posterior_at(problem, np.arange(n_columns), alpha, 100.0)
        gone = removable(whole)
        deleted += len(gone)
        if len(gone):
            value = abs(evidence.log_evidence(whole))
            assert difference(whole, gone) >= -1e-9 * value
    assert deleted > 60


def test_with_a_proper_hyperprior_only_columns_without_effect_go():
    alpha = ALPHA.copy()
    alpha[[2, 5]] = 1e17
    whole = case(11, alpha, weight_hyperprior=student_t(1.0))
    assert np.sum(evidence.active_relevance(whole).excess <= 0.0) > 2
    assert list(removable(whole)) == [2, 5]


# Columns that pay little.


@pytest.mark.parametrize("price", [0.01, 1.0, 3.0])
def test_columns_below_their_price_raise_the_evidence_by_less(price):
    whole = case(12, np.ones(8))
    gone = below_price(whole, price)
    loss = -single_deletion_gain(whole)
    assert np.all(loss[gone] < price)
    assert difference(whole, gone) >= -price * len(gone) - 1e-9
    assert set(np.flatnonzero(loss < price)) == set(gone)  # here they do not overlap
    assert 0 < len(gone) < 8


def test_of_two_equal_columns_one_is_below_its_price():
    design, target = problems.regression(6)
    problem = problems.gaussian(design[:, [0, 0, 1, 2]], target)
    whole = problems.posterior_at(problem, np.arange(4), np.full(4, 0.1), BETA)
    assert np.all(-single_deletion_gain(whole)[:2] < 1.0)
    assert len(below_price(whole, 1.0)) == 1


def test_no_column_is_below_its_price_where_each_pays():
    whole = case(13, np.ones(8))
    few = without(whole, np.arange(3, 8))
    assert len(below_price(few, 1.0)) == 0


# Columns worth keeping.


def test_with_a_flat_hyperprior_every_column_that_is_left_is_worth_keeping():
    assert worth_keeping(case(10)).all()


def test_with_a_proper_hyperprior_those_are_worth_keeping_that_a_flat_one_would_keep():
    flat, whole = case(10), case(10, weight_hyperprior=student_t(1.0))
    kept = worth_keeping(whole)
    assert 0 < kept.sum() < 8
    while len(gone := removable(flat)):
        flat = without(flat, gone)
    assert list(np.flatnonzero(kept)) == list(flat.active)
    assert list(removable_under_flat_prior(whole)) == list(removable(case(10)))


def test_of_two_equal_columns_one_is_worth_keeping():
    design, target = problems.regression(6)
    design = design[:, [0, 0, 1, 2]]
    problem = problems.gaussian(design, target, weight_hyperprior=student_t(1.0))
    whole = problems.posterior_at(problem, np.arange(4), np.full(4, 1e-3), BETA)
    assert list(worth_keeping(whole)) in ([True, False, True, True], [False, True, True, True])


def test_a_block_whose_precisions_have_underflowed_is_not_deleted_at_once():
    problem = problems.gaussian(*problems.regression(1))
    posterior = problems.posterior_at(problem, [0, 1, 2], np.array([0.0, 0.0, 1.0]), 4.0)
    assert deletion_gain(posterior, np.array([0, 1])) == -np.inf
