import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import statistics
from sparsebayes.inference.addition import (
    CandidateBlock,
    extend,
    first_products,
    survey,
    with_block,
)
from sparsebayes.likelihoods import Bernoulli, Frozen, Gaussians

ACTIVE = np.array([2, 5])
BLOCK = CandidateBlock(np.array([7, 0]), np.array([2.0, 0.5]), np.nan)


def gaussian():
    weight = np.random.default_rng(0).uniform(0.5, 2.0, 40)
    return problems.gaussian(*problems.regression(0), weight=weight)


def outputs():
    return problems.problem(*problems.outputs(0), Gaussians(3))


def frozen():
    return problems.problem(*problems.classification(0, 40, 8), Frozen(Bernoulli()))


def bernoulli():
    return problems.bernoulli(*problems.classification(0, 40, 8))


CONSTANT = pytest.mark.parametrize("make", [gaussian, outputs, frozen])
ALL = pytest.mark.parametrize("make", [gaussian, outputs, frozen, bernoulli])


def posterior_of(problem):
    return problems.posterior_at(problem, ACTIVE, np.array([1.0, 3.0]))


@ALL
def test_a_survey_is_that_of_the_rows(make):
    posterior = posterior_of(make())
    products = first_products(posterior)
    grown = extend(posterior, BLOCK, products.with_more(posterior.problem, BLOCK.candidates))
    products = products.with_more(posterior.problem, BLOCK.candidates)
    for each in (posterior, grown):
        found = survey(each, products)
        expected = statistics.candidates(each.problem, each.active, each.mean)
        for one, other in zip(found, expected, strict=True):
            assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@ALL
def test_an_extended_posterior_is_that_of_the_rows(make):
    posterior = posterior_of(make())
    products = first_products(posterior).with_more(posterior.problem, BLOCK.candidates)
    grown, expected = extend(posterior, BLOCK, products), with_block(posterior, BLOCK)
    assert_array_equal(grown.active, [0, 2, 5, 7])
    assert_allclose(grown.mean, expected.mean, rtol=1e-9)
    assert_allclose(grown.covariance, fits.anew(grown).covariance, rtol=1e-9, atol=1e-12)


@CONSTANT
def test_products_that_are_known_are_not_formed_again(make):
    posterior = posterior_of(make())
    products = first_products(posterior).with_more(posterior.problem, BLOCK.candidates)
    assert_array_equal(np.sort(products.known), [0, 2, 5, 7])
    assert products.with_more(posterior.problem, np.array([7, 2])) is products


def test_products_that_change_with_the_mode_are_not_kept():
    posterior = posterior_of(bernoulli())
    products = first_products(posterior)
    assert products.with_more(posterior.problem, BLOCK.candidates) is products


def test_positions_of_candidates_that_are_known_in_no_order():
    products = first_products(posterior_of(gaussian()))._replace(known=np.array([5, 1, 9, 0]))
    assert_array_equal(products.positions(np.array([0, 9, 5])), [3, 2, 0])
