import pytest
from numpy.testing import assert_allclose, assert_array_equal
from projection_parts import KINDS, WEIGHT, X, problem
from scipy.special import expit

from sparsebayes.dense import fit_dense
from sparsebayes.likelihoods import Bernoulli
from sparsebayes.projection import goal_problem


@pytest.mark.parametrize(("target", "likelihood"), KINDS.values(), ids=KINDS)
def test_the_goal_is_what_the_dense_model_expects(target, likelihood):
    given = problem(target, likelihood)
    dense = fit_dense(given)
    goal = goal_problem(given, dense, 4.0)
    assert_array_equal(goal.data.inputs, X)
    assert_allclose(goal.data.weight, 4.0 * WEIGHT)
    is_class = likelihood == Bernoulli()
    assert_allclose(goal.data.target, expit(dense.latent) if is_class else dense.latent)
    assert not goal.noise.estimated
    assert_allclose(goal.noise.settle(7.0), dense.posterior.noise_precision)
    assert goal.columns is given.columns
