"""Whether one width for all inputs will do."""

import numpy as np
import pytest
from dense_parts import problem
from numpy.testing import assert_allclose

from sparsebayes.basis import Bias, GaussianKernel, LaplacianKernel
from sparsebayes.climber import Ascent, climb
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.scales import learn_scales
from sparsebayes.scales.curvature import (
    FAR_APART,
    PATTERNS,
    STEP,
    in_common_units,
    one_width,
    price,
    simpler,
)
from sparsebayes.scales.learning import ScaleSearch
from sparsebayes.scales.objective import ScaleObjective

N = 60
ALIKE = np.full(6, 0.08)
FEW = np.array([0.6, 0.6, 0.0, 0.0, 0.0, 0.0])
KERNEL = GaussianKernel(input_scale="learn")
ASCENT = Ascent()


def drawn(gamma, seed, n=N, noise=0.2):
    """Inputs, and a draw of a Gaussian process with these scales."""
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(n, len(gamma)))
    distance = ((inputs[:, None] - inputs) ** 2) @ gamma
    covariance = np.exp(-distance) + noise**2 * np.eye(n)
    return inputs, np.linalg.cholesky(covariance) @ random.normal(size=n)


def relative(inputs, target, basis=KERNEL, likelihood=None, **options):
    """Learned log scales, relative to what the spread of the inputs suggests."""
    given = problem(basis, target, likelihood or Gaussian(), inputs=inputs)
    found = learn_scales(given, Report(), **options)
    return found.log_scales - given.columns.log_spreads


def climbed(inputs, target, basis=KERNEL):
    """What is climbed, at its highest point."""
    given = problem(basis, target, Gaussian(), inputs=inputs)
    model = DenseModel(given.columns, DenseRows.of(given.data, given.likelihood))
    objective = ScaleObjective(model, Report())
    climb(objective, objective.start, objective.limits, ASCENT)
    return objective


@pytest.mark.parametrize("seed", range(4))
def test_one_width_is_learned_where_all_inputs_matter_alike(seed):
    found = relative(*drawn(ALIKE, seed))
    assert_allclose(found, found[0], atol=1e-9)
    assert abs(found[0] - np.log(0.08 * 12.0)) < 1.5


@pytest.mark.parametrize("seed", range(4))
def test_a_scale_each_is_learned_where_few_inputs_matter(seed):
    found = relative(*drawn(FEW, seed))
    assert found[:2].min() > found[2:].max() + 1.5


def test_one_width_is_learned_for_classes_as_well():
    inputs, latent = drawn(ALIKE, 3, n=100)
    found = relative(inputs, 1.0 * (latent > 0.0), likelihood=Bernoulli())
    assert_allclose(found, found[0], atol=1e-9)


def test_with_many_rows_for_each_scale_it_is_not_asked():
    inputs, target = drawn(ALIKE, 0)
    apart = relative(inputs, target, search=ScaleSearch(many_rows=10))
    assert np.ptp(apart) > 0.1
    assert np.ptp(relative(inputs, target, search=ScaleSearch(many_rows=11))) < 1e-9


@pytest.mark.parametrize("gamma", [ALIKE, FEW], ids=["alike", "few"])
def test_the_order_of_inputs_does_not_matter(gamma):
    inputs, target = drawn(gamma, 1)
    order = np.array([3, 0, 5, 1, 4, 2])
    plain = relative(inputs, target)
    assert_allclose(relative(inputs[:, order], target), plain[order], atol=1e-8)


def test_units_of_inputs_do_not_matter():
    inputs, target = drawn(ALIKE, 0)
    units = np.array([1e-6, 1.0, 1e3, 1e6, 50.0, 1e-2])
    assert_allclose(relative(inputs * units, 1e4 * target), relative(inputs, target), atol=1e-8)


def test_each_kernel_has_a_width_of_its_own():
    inputs, target = drawn(ALIKE[:3], 3, n=40)
    basis = KERNEL + LaplacianKernel(input_scale="learn") + Bias()
    objective = climbed(inputs, target, basis)
    chosen = simpler(objective, ASCENT)
    _, log_scales = objective.split(chosen)
    found = np.split(log_scales - objective.prior.middle, 2)
    for each in found:
        assert_allclose(each, each[0], atol=1e-9)
    assert abs(found[0][0] - found[1][0]) > 0.1


def test_one_width_is_the_best_there_is():
    objective = climbed(*drawn(ALIKE, 0))
    chosen = simpler(objective, Ascent(least_rise=1e-8))
    assert chosen is not objective.best
    value, gradient = objective.evaluate(chosen)
    assert value < objective.highest
    n_settings = len(chosen) - 6
    tied = np.append(gradient[:n_settings], gradient[n_settings:].sum())
    assert np.abs(tied).max() < 1e-2


def test_one_width_in_the_units_of_the_inputs_is_one_scale():
    """In these, inputs of little spread matter less."""
    inputs, target = drawn(ALIKE, 0)
    units = np.array([1.0, 1.0, 1.0, 0.1, 0.1, 3.0])
    objective = climbed(inputs * units, target)
    found = in_common_units(objective, Ascent(least_rise=1e-8))
    _, log_scales = objective.split(found)
    assert_allclose(log_scales, log_scales[0], atol=1e-9)
    value, gradient = objective.evaluate(found)
    n_settings = len(found) - 6
    tied = np.append(gradient[:n_settings], gradient[n_settings:].sum())
    assert np.abs(tied).max() < 1e-2
    _, again = one_width(objective, np.zeros(6), Ascent(least_rise=1e-8))
    assert_allclose(value, again, rtol=1e-9)


def test_one_width_is_for_inputs_in_any_units():
    inputs, target = drawn(ALIKE, 0)
    objective, ascent = climbed(inputs, target), Ascent(least_rise=1e-8)
    unit = np.log([1.0, 2.0, 0.5, 1.0, 3.0, 1.0])
    point, value = one_width(objective, unit, ascent)
    relative = objective.split(point)[1] - unit
    assert_allclose(relative, relative[0], atol=1e-9)
    assert_allclose(value, objective.evaluate(point)[0], rtol=1e-9)
    shifted = one_width(objective, unit + 0.7, ascent)[0]
    assert_allclose(shifted, point, atol=1e-2)


def test_each_kernel_has_a_scale_of_its_own_in_common_units():
    inputs, target = drawn(ALIKE[:3], 3, n=40)
    basis = KERNEL + LaplacianKernel(input_scale="learn") + Bias()
    objective = climbed(inputs, target, basis)
    _, log_scales = objective.split(in_common_units(objective, ASCENT))
    one, other = np.split(log_scales, 2)
    assert_allclose(one, one[0], atol=1e-9)
    assert_allclose(other, other[0], atol=1e-9)
    assert abs(one[0] - other[0]) > 0.1


def test_scales_that_are_far_apart_are_not_asked():
    objective = climbed(*drawn(FEW, 0))
    _, log_scales = objective.split(objective.best)
    assert objective.prior.unlikeness(log_scales) > FAR_APART
    heard = []
    objective.report.learning = lambda value: heard.append(value)
    assert simpler(objective, ASCENT) is objective.best
    assert not heard


@pytest.mark.parametrize("seed", range(3))
def test_one_width_is_chosen_by_what_a_scale_each_has_to_pay(seed):
    """The value of one width against that of a scale each, less its price."""
    objective = climbed(*drawn(np.linspace(0.02, 0.2, 6), seed))
    chosen = simpler(objective, ASCENT)
    tied = chosen if chosen is not objective.best else None
    cost = price(objective)
    assert cost > 0.0
    if tied is not None:
        assert objective.evaluate(tied)[0] >= objective.highest - cost


def test_the_price_is_that_of_the_mean_curvature():
    """d / 2 log(1 + h / h_0), from second differences of the evidence along signs of scales."""
    objective = climbed(*drawn(ALIKE, 0))
    settings, log_scales = objective.split(objective.best)
    order = np.argsort(log_scales - objective.prior.middle)

    def value(step):
        return objective.model.evaluate(settings, log_scales + step).value

    bends = []
    for pattern in PATTERNS:
        sign = np.empty(6)
        sign[order] = np.resize(np.repeat([-1.0, 1.0], pattern), 6)
        step = 0.5 * STEP * sign
        bends.append((2.0 * value(0.0 * step) - value(step) - value(-step)) / (0.5 * STEP) ** 2)
    mean = np.mean(bends) / 6
    expected = 3.0 * np.log1p(mean * objective.prior.own_width[0] ** 2 / 2.0)
    assert_allclose(price(objective), expected, rtol=0.05)


def test_the_prior_bends_as_the_price_says():
    """h_0 = 2 / own_width^2 is what a deviation of one scale has at 0."""
    prior = climbed(*drawn(ALIKE, 0)).prior
    step = 1e-3 * np.array([1.0, -1.0, 0.0, 0.0, 0.0, 0.0])
    bend = 2.0 * prior.unlikeness(prior.middle + step) / 1e-6
    assert_allclose(bend, 2.0 * 2.0 / prior.own_width[0] ** 2, rtol=1e-4)


def test_one_input_has_nothing_to_be_made_simpler():
    inputs, target = drawn(np.array([0.5]), 0, n=15)
    objective = climbed(inputs, target)
    value, _ = objective.evaluate(simpler(objective, ASCENT))
    assert_allclose(value, objective.highest, atol=2.0 * ASCENT.least_rise)
