"""Three and more classes: what they have in common with two, and what they do not depend on."""

import problems
import pytest
from numpy.testing import assert_allclose

from sparsebayes.inference import Fast, Mackay
from sparsebayes.inference.loop import Limits, run
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Multinomial, Softmax

MAKES = pytest.mark.parametrize("make", [Softmax, Multinomial])


def fit(inference, design, target, likelihood):
    return run(inference, problems.problem(design, target, likelihood), Limits(tol=1e-6), Report())


def log_odds(design, found):
    """Of the second of two classes."""
    problem = found.problem
    place = problem.place(found.active)
    latent = place.latent(design[:, place.columns], found.mean)
    latent = latent if problem.layout.n_classes == 2 else latent @ problem.likelihood.contrasts.T
    return latent[:, 1] - latent[:, 0]


@MAKES
@pytest.mark.parametrize("inference", [Fast(), Mackay()], ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_two_classes_are_those_of_a_bernoulli(make, inference, seed):
    design, target = problems.classification(seed)
    ours = fit(inference, design, target, make(2))
    binary = run(inference, problems.bernoulli(design, target), Limits(tol=1e-6), Report())
    assert_allclose(ours.log_evidence, binary.log_evidence, rtol=1e-6)
    expected = design[:, binary.active] @ binary.mean[:, 0]
    assert_allclose(log_odds(design, ours), expected, rtol=1e-3, atol=1e-3)


@MAKES
def test_the_order_of_classes_does_not_matter(make):
    design, target = problems.classes(10, 90)
    one, other = (fit(Fast(), design, each, make(3)) for each in (target, (target + 1) % 3))
    assert_allclose(one.log_evidence, other.log_evidence, rtol=1e-6)


def test_there_is_a_candidate_for_every_column_and_class():
    problem = problems.problem(*problems.classes(0, 30), Softmax(3))
    assert (problem.n_columns, problem.n_candidates) == (5, 15)
    assert problem.no_weights(4).shape == (4, 1)


def test_contrasts_share_a_candidate():
    problem = problems.problem(*problems.classes(0, 30), Multinomial(3))
    assert (problem.n_columns, problem.n_candidates) == (5, 5)
    assert problem.no_weights(4).shape == (4, 2)
