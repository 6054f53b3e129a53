"""How far data leave scales and settings open, against second differences and integrals."""

import numpy as np
import pytest
from dense_parts import BASES, CLASS, TARGETS, N, X, Y, problem
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp

from sparsebayes.basis import GaussianKernel
from sparsebayes.climber import Ascent, climb
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.scales import learn_scales
from sparsebayes.scales.curvature import RULE, CurvatureRule, curvature_about
from sparsebayes.scales.objective import ScaleObjective

EXACT = CurvatureRule(step=1e-4, least=0.0)


def climbed(basis, target=Y, likelihood=None, inputs=X):
    """What is climbed, and its highest point."""
    given = problem(basis, target, likelihood or Gaussian(), inputs=inputs)
    model = DenseModel(given.columns, DenseRows.of(given.data, given.likelihood))
    objective = ScaleObjective(model, Report())
    climb(objective, objective.start, objective.limits, Ascent(least_rise=1e-9))
    return objective, objective.best


def second_differences(function, point, step=1e-3):
    """Minus the second derivatives of a number (k, k)."""
    units = step * np.eye(len(point))
    return np.array(
        [
            [
                -sum(
                    sign * other * function(point + sign * a + other * b)
                    for sign in (1.0, -1.0)
                    for other in (1.0, -1.0)
                )
                / (4.0 * step**2)
                for a in units
            ]
            for b in units
        ]
    )


@pytest.mark.parametrize("name", ["gaussian", "effects", "sum"])
@pytest.mark.parametrize("of", ["gaussian", "bernoulli"])
def test_it_is_that_of_evidence_and_prior(name, of):
    objective, point = climbed(BASES[name], *TARGETS[of])
    found = curvature_about(objective, point, EXACT)
    expected = second_differences(lambda each: objective.measure(each)[0], point)
    whole = found.vectors @ np.diag(found.values) @ found.vectors.T
    positive = np.linalg.eigvalsh(expected).min() > 0.0
    if positive:
        assert_allclose(whole, expected, atol=2e-3 * np.abs(expected).max())
    assert_allclose(found.vectors @ found.vectors.T, np.eye(len(point)), atol=1e-12)


def test_the_root_is_that_of_the_inverse():
    objective, point = climbed(BASES["gaussian"])
    found = curvature_about(objective, point)
    whole = found.vectors @ np.diag(found.values) @ found.vectors.T
    assert_allclose(found.root @ found.root.T @ whole, np.eye(len(point)), atol=1e-10)
    assert found.values.min() >= RULE.least


def test_directions_that_data_leave_open_have_the_least_curvature():
    """A target of noise alone says nothing of widths."""
    noise = np.random.default_rng(3).normal(size=N)
    objective, point = climbed(BASES["gaussian"], noise)
    assert curvature_about(objective, point).values.min() == RULE.least
    assert curvature_about(objective, point, CurvatureRule(least=0.5)).values.min() == 0.5


def smooth(n=60):
    inputs = np.random.default_rng(0).uniform(-3.0, 3.0, (n, 1))
    return inputs, np.sin(2.0 * inputs[:, 0]) + np.random.default_rng(1).normal(0.0, 0.3, n)


def test_the_price_is_what_an_integral_over_scale_and_precision_costs():
    """The prior of the one scale is normalised, that of the precision is flat."""
    inputs, target = smooth()
    objective, point = climbed(GaussianKernel("learn"), target, Gaussian(0.3), inputs)
    assert len(point) == 2
    found = curvature_about(objective, point, EXACT)
    steps = np.linspace(-4.0, 4.0, 31)
    values = [objective.measure(point + np.array([a, b]))[0] for a in steps for b in steps]
    log_integral = logsumexp(values) + 2.0 * np.log(steps[1] - steps[0])
    of_scale = 0.5 * np.log(2.0 * np.pi * objective.prior.common_std[0] ** 2)
    expected = log_integral - of_scale - 0.5 * np.log(2.0 * np.pi)
    assert_allclose(objective.highest - found.price, expected, atol=0.2)


@pytest.mark.parametrize("n_rows", [64, 100])
def test_some_rows_stand_for_all(n_rows):
    inputs, target = smooth(128)
    objective, point = climbed(GaussianKernel("learn"), target, inputs=inputs)
    whole = curvature_about(objective, point)
    some = curvature_about(objective, point, CurvatureRule(rows=n_rows))
    assert_allclose(np.log(some.values), np.log(whole.values), atol=1.0)
    assert not np.array_equal(some.values, whole.values)


def test_of_very_many_scales_there_is_none():
    objective, point = climbed(BASES["gaussian"])
    assert curvature_about(objective, point, CurvatureRule(most=len(point) - 1)) is None
    assert curvature_about(objective, point, CurvatureRule(most=len(point))) is not None


# What is made of it.


def learned(basis=BASES["gaussian"], target=Y, likelihood=None, weight=None):
    return learn_scales(problem(basis, target, likelihood or Gaussian(), weight), Report())


def test_scales_have_a_doubt_where_rows_are_few():
    found = learned()
    assert found.doubt.shape == (5, 5)
    assert_array_equal(found.doubt, curvature_at(found).root)


def curvature_at(found):
    """About the end of a search, of one target."""
    return curvature_about(found.objective, np.append(found.settings, found.log_scales))


def test_scales_have_no_doubt_where_rows_are_many():
    """With twenty for each scale, of which there are two."""
    assert learned(weight=np.full(N, 41.0 / N)).doubt is None
    assert learned(weight=np.full(N, 39.0 / N)).doubt is not None


@pytest.mark.parametrize("of", ["two targets", "two classes each"])
def test_of_several_targets_there_is_no_doubt(of):
    assert learned(BASES["gaussian"], *TARGETS[of]).doubt is None


def test_parameters_of_kernel_objects_have_no_doubt():
    assert learned(BASES["object of few centres"]).doubt is None


def test_kernels_are_compared_by_the_evidence_less_the_price():
    found = learned(BASES["effects"], CLASS, Bernoulli())
    assert_allclose(found.worth, found.objective.highest - curvature_at(found).price)
