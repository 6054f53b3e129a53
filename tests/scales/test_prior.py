import numpy as np
import pytest
from dense_parts import BASES, TARGETS, N, X, Y, differences, problem
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis import GaussianKernel
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussian
from sparsebayes.scales.objective import ScaleObjective
from sparsebayes.scales.prior import SORTS, Beliefs, ScalePrior


def prior_of(name, many_inputs=False, of_widths=None, **beliefs):
    sorts = SORTS | {"width": SORTS["width"]._replace(**of_widths or {})}
    kinds = BASES[name].bind(X, np.ones(N)).kinds
    return ScalePrior(kinds, Beliefs(sorts, **beliefs), many_inputs)


@pytest.mark.parametrize("name", ["sum", "gaussian", "several widths", "width", "effects"])
def test_its_gradient(name):
    prior = prior_of(name)
    point = prior.middle + np.random.default_rng(0).normal(size=len(prior.middle))
    assert_allclose(prior.gradient(point), differences(prior.log_density, point), rtol=1e-7)


def test_it_has_its_maximum_in_the_middle_and_knows_one_scale_from_several():
    prior = prior_of("sum")
    assert prior.log_density(prior.middle) == 0.0
    assert_array_equal(prior.gradient(prior.middle), np.zeros(3))
    # The first kernel's only scale is the common part, with a standard deviation of 4.
    assert_allclose(prior.log_density(prior.middle + np.array([4.0, 0.0, 0.0])), -0.5)
    assert_allclose(prior.log_density(prior.middle + np.array([0.0, 4.0, 4.0])), -0.5)
    apart = prior.middle + np.array([0.0, 0.7, -0.7])
    assert_allclose(prior.log_density(apart), -2.0 * np.log(2.0))


def test_other_beliefs():
    of_widths = {"common_std": 2.0, "own_width": 0.35, "lowest": -1.0, "highest": 2.0}
    prior = prior_of("sum", of_widths=of_widths, step=0.5)
    assert_allclose(prior.log_density(prior.middle + np.array([2.0, 0.0, 0.0])), -0.5)
    apart = prior.middle + np.array([0.0, 0.35, -0.35])
    assert_allclose(prior.log_density(apart), -2.0 * np.log(2.0))
    assert_allclose(prior.limits - prior.middle[:, None], np.tile([-1.0, 2.0], (3, 1)))
    assert_allclose(prior.rounded(prior.middle + 0.7) - prior.middle, 0.5)


def test_scales_of_another_sort_are_thought_of_otherwise():
    """Widths and sizes of effects have a common part each, and an order has none."""
    prior, log_2 = prior_of("effects"), np.log(2.0)
    widths, sizes = np.repeat(np.eye(2), [2, 2], axis=0).T @ np.eye(4, 7)
    of_widths, of_sizes, of_orders = (
        SORTS[name] for name in ("effect width", "effect size", "order")
    )
    for part, belief in ((widths, of_widths), (sizes, of_sizes)):
        assert_allclose(prior.log_density(prior.middle + belief.common_std * part), -0.5)
    for first, belief in ((0, of_widths), (2, of_sizes)):
        apart = np.zeros(7)
        apart[first : first + 2] = belief.own_width, -belief.own_width
        assert_allclose(prior.log_density(prior.middle + apart), -2.0 * log_2)
    for order in np.eye(7)[4:]:
        found = prior.log_density(prior.middle + of_orders.own_std * order)
        assert_allclose(found, -0.5)
    assert_allclose(prior.limits[:, 0] - prior.middle, [-4.6] * 2 + [-9.0] * 2 + [-8.0] * 3)
    assert_array_equal(prior.tie[:4], [0, 0, 1, 1])
    assert len(np.unique(prior.tie)) == 5


def test_only_widths_are_held_to_what_a_sparse_fit_can_use():
    prior = prior_of("effects")
    assert_array_equal(prior.widest(prior.middle - 4.0), prior.middle - 4.0)


# The noise.


def objective_of(name, target=Y, likelihood=None, **options):
    given = problem(BASES[name], target, likelihood or Gaussian())
    model = DenseModel(given.columns, DenseRows.of(given.data, given.likelihood))
    return ScaleObjective(model, Report(), **options)


@pytest.mark.parametrize("share", [1.0, 2.5])
@pytest.mark.parametrize("name", ["gaussian", "effects"])
@pytest.mark.parametrize("of", ["gaussian", "two targets", "fixed noise", "bernoulli"])
def test_the_gradient_of_what_is_climbed(name, of, share):
    objective = objective_of(name, *TARGETS[of], share=share)
    moves = np.random.default_rng(0).normal(size=len(objective.first))
    point = objective.first + 0.5 * moves
    _, gradient = objective.measure(point)
    found = differences(lambda each: objective.measure(each)[0], point, step=1e-4)
    assert_allclose(gradient, found, rtol=1e-5, atol=1e-5)


def test_what_is_thought_of_noise():
    """Student's t about a tenth of the variance of the target, of each target for itself."""
    objective = objective_of("gaussian", *TARGETS["two targets"])
    assert_array_equal(objective.noises, [2, 5])
    noise = np.exp(-objective.first[objective.noises])
    assert_allclose(noise, 0.1 * np.var(TARGETS["two targets"][0], axis=0), rtol=1e-10)
    point, tails = objective.first.copy(), objective.prior.beliefs.noise_tails
    point[objective.noises] += [1.5, -0.5]
    settings, log_scales = objective.split(point)
    evidence = objective.model.evaluate(settings, log_scales).value
    expected = -tails * np.log1p(np.array([1.5, -0.5]) ** 2 / (2.0 * tails)).sum()
    expected += objective.prior.log_density(log_scales)
    assert_allclose(objective.measure(point)[0] - evidence, expected, rtol=1e-9)


@pytest.mark.parametrize("of", ["fixed noise", "bernoulli"])
def test_of_noise_that_is_not_estimated_nothing_is_thought(of):
    objective = objective_of("gaussian", *TARGETS[of])
    assert objective.noises.size == 0
    settings, log_scales = objective.split(objective.first + 0.5)
    value = objective.model.evaluate(settings, log_scales).value
    assert_allclose(
        objective.measure(objective.first + 0.5)[0], value + objective.prior.log_density(log_scales)
    )


def test_rows_that_stand_for_others_count_as_these():
    one, three = (objective_of("gaussian", share=share) for share in (1.0, 3.0))
    point = one.first + 0.3
    settings, log_scales = one.split(point)
    evidence = one.model.evaluate(settings, log_scales).value
    assert_allclose(three.measure(point)[0] - one.measure(point)[0], 2.0 * evidence, rtol=1e-10)


def test_scales_are_rounded_from_the_middle():
    prior = prior_of("gaussian")
    rounded = prior.rounded(prior.middle + np.array([0.024, -0.26]))
    assert_allclose(rounded - prior.middle, [0.0, -0.25], atol=1e-12)
    assert_allclose(prior.rounded(rounded), rounded, rtol=1e-14)


def test_kernels_wider_than_a_sparse_fit_can_use_are_narrowed_together():
    prior = prior_of("sum")
    wide = prior.middle + np.array([-5.0, -7.0, -4.5])
    assert_allclose(prior.widest(wide) - prior.middle, [-3.0, -5.5, -3.0])
    narrow = prior.middle + np.array([0.0, -7.0, -2.9])
    assert_allclose(prior.widest(narrow), narrow)


def test_kernels_may_be_wider_where_inputs_outnumber_rows():
    prior = prior_of("sum", many_inputs=True)
    wide = prior.middle + np.array([-5.0, -9.0, -8.5])
    assert_allclose(prior.widest(wide) - prior.middle, [-5.0, -7.5, -7.0])
    assert_array_equal(prior.widest(prior.widest(wide)), prior.widest(wide))


def test_how_wide_kernels_may_be_is_a_belief():
    beliefs = {"widest": -1.0, "widest_of_many": -2.0}
    for many, least in ((False, -1.0), (True, -2.0)):
        prior = prior_of("gaussian", many, **beliefs)
        assert_allclose(prior.widest(prior.middle - 6.0) - prior.middle, least)


def test_the_number_of_inputs_changes_nothing_but_the_widest_kernel():
    few, many = prior_of("sum"), prior_of("sum", many_inputs=True)
    point = few.middle + np.array([-5.0, -9.0, 1.0])
    assert many.log_density(point) == few.log_density(point)
    assert_array_equal(many.gradient(point), few.gradient(point))
    assert_array_equal(many.limits, few.limits)


@pytest.mark.parametrize(("n_inputs", "least"), [(N - 1, -3.0), (N, -3.0), (N + 1, -7.0)])
def test_inputs_outnumber_rows_from_one_more_on(n_inputs, least):
    inputs = np.random.default_rng(0).normal(size=(N, n_inputs))
    given = problem(GaussianKernel("learn"), Y, Gaussian(), inputs=inputs)
    model = DenseModel(given.columns, DenseRows.of(given.data, given.likelihood))
    prior = ScaleObjective(model, Report()).prior
    assert_allclose(prior.widest(prior.middle - 10.0) - prior.middle, least)
