import fits
import numpy as np
import pytest
from dense_parts import BASES, TARGETS, N, X, Y, problem
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis import GaussianKernel
from sparsebayes.climber import Ascent, climb
from sparsebayes.dense.labels.labels import LabelModel
from sparsebayes.dense.labels.leaving_out import adjusted
from sparsebayes.dense.model import LEAST_NOISES, DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussian, Gaussians, Multinomial, Softmax
from sparsebayes.rows import Data
from sparsebayes.rows.merging import own_order
from sparsebayes.scales import ScalePrior, learn_scales
from sparsebayes.scales.learning import ScaleSearch
from sparsebayes.scales.prior import BELIEFS

EXACT = (0.0, 1e-6, 1e-6)


def learned(basis, target, likelihood, weight=None, inputs=X, report=None, **options):
    given = problem(basis, target, likelihood, weight, inputs)
    return learn_scales(given, report or Report(), **options)


def gaussian(target=Y, **options):
    return learned(BASES["gaussian"], target, Gaussian(), **options)


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
@pytest.mark.parametrize("name", ["two targets", "bernoulli"])
def test_scales_are_in_steps_and_within_limits(basis, name):
    target, likelihood = TARGETS[name]
    found = learned(basis, target, likelihood).log_scales
    columns = basis.bind(X, np.ones(N))
    prior = ScalePrior(columns.kinds)
    steps = (found - prior.middle) / prior.step
    assert_allclose(steps, np.round(steps), atol=1e-7)
    least, most = prior.limits.T
    assert np.all(found >= least - 1e-6)
    assert np.all(found <= most + 1e-6)


def best_at(log_scales):
    """The value at these scales with the precisions at their best, and what is thought of both."""
    given = problem(BASES["gaussian"], Y, Gaussian())
    model = DenseModel(given.columns, DenseRows.of(given.data, given.likelihood))
    (start,), (limits,) = model.first_settings(log_scales, LEAST_NOISES[0])
    (first,), _ = model.first_settings(given.columns.log_spreads, LEAST_NOISES[0])
    parts, tails = model.parts(log_scales), BELIEFS.noise_tails

    def function(settings):
        found = model.evaluate_at(settings[None], parts)
        apart = (settings[-1] - first[-1]) / BELIEFS.noise_std
        share, slope = 1.0 + apart**2 / (2.0 * tails), found.by_setting[0]
        slope[-1] -= apart / share / BELIEFS.noise_std
        return found.value - tails * np.log(share), slope

    value = climb(function, start, limits, Ascent(least_rise=1e-9)).value
    return value + ScalePrior(given.columns.kinds).log_density(log_scales)


def test_scales_are_a_maximum():
    found = gaussian(search=ScaleSearch(last_rise=EXACT)).log_scales
    for step in np.vstack([np.eye(2), -np.eye(2)]):
        assert best_at(found + 2.0 * BELIEFS.step * step) < best_at(found)


def test_by_default_scales_are_near_a_maximum():
    exact = gaussian(search=ScaleSearch(last_rise=EXACT)).log_scales
    assert best_at(gaussian().log_scales) > best_at(exact) - 0.05


def test_scales_do_not_depend_on_units_order_or_repetition():
    def relative(inputs, target, weight):
        found = gaussian(target, weight=weight, inputs=inputs).log_scales
        return found - BASES["gaussian"].bind(inputs, weight).log_spreads

    ones, order = np.ones(N), np.random.default_rng(1).permutation(N)
    plain = relative(X, Y, ones)
    assert_allclose(relative(X * [1e6, 1e-3], 1e5 * Y, ones), plain, atol=1e-8)
    assert_allclose(relative(X[order], Y[order], ones), plain, atol=1e-8)
    weight = np.arange(N) % 2 + 1.0
    again = np.repeat(np.arange(N), weight.astype(int))
    repeated = relative(X[again], Y[again], np.ones(len(again)))
    assert_allclose(relative(X, Y, weight), repeated, atol=1e-8)


def test_settings_are_those_of_the_dense_model_of_each_target():
    target, likelihood = TARGETS["two targets"]
    found = learned(BASES["gaussian"], target, likelihood)
    given = problem(BASES["gaussian"], target, likelihood)
    model = DenseModel(given.columns, DenseRows.of(given.data, given.likelihood))
    assert found.settings.shape == (2, 3)
    at_end = model.evaluate(found.settings, found.log_scales)
    first = model.first_settings(found.log_scales, 1e-4)[0]
    assert at_end.value > model.evaluate(first, found.log_scales).value


def test_a_likelihood_of_several_targets_has_the_scales_of_each_for_itself():
    target, likelihood = TARGETS["two targets"]
    one = learned(BASES["gaussian"], target, likelihood)
    other = learned(BASES["gaussian"], target, Gaussians(2))
    assert_array_equal(other.log_scales, one.log_scales)


LABELS = np.digitize(Y, [-0.3, 0.4]).astype(float)


def test_classes_have_the_same_scales_whether_they_share_vectors_or_not():
    one, other = (learned(BASES["gaussian"], LABELS, kind(3)) for kind in (Softmax, Multinomial))
    assert_array_equal(one.log_scales, other.log_scales)
    assert_array_equal(one.settings, other.settings)
    assert one.settings.shape == (1, 3)
    assert one.model.latents_at(X, one.settings, one.log_scales) is None


def label_model(basis=BASES["gaussian"], labels=LABELS, inputs=X):
    given = problem(basis, labels, Multinomial(3), inputs=inputs)
    return LabelModel(given.columns, DenseRows.of(given.data, given.likelihood))


def test_scales_of_classes_do_not_depend_on_order_or_repetition():
    """Nor on a unit that all inputs have in common."""

    def relative(inputs, labels, weight=None):
        found = learned(BASES["gaussian"], labels, Multinomial(3), weight, inputs)
        return found.log_scales - BASES["gaussian"].bind(inputs, weight).log_spreads

    order, plain = np.random.default_rng(1).permutation(N), relative(X, LABELS, np.ones(N))
    assert_allclose(relative(X[order], LABELS[order], np.ones(N)), plain, atol=1e-8)
    assert_allclose(relative(1e6 * X, LABELS, np.ones(N)), plain, atol=1e-8)
    weight = np.arange(N) % 2 + 1.0
    again = np.repeat(np.arange(N), weight.astype(int))
    repeated = relative(X[again], LABELS[again], np.ones(len(again)))
    assert_allclose(relative(X, LABELS, weight), repeated, atol=1e-8)


def test_of_several_places_that_whose_rows_are_best_predicted_is_chosen():
    model, settings = label_model(), np.array([[0.5, 2.0, 2.0]])
    wide, right, narrow = places = [(settings, np.full(2, at)) for at in (-9.0, -1.0, 7.0)]
    each = [adjusted(model.log_density_left_out, *place) for place in places]
    assert each[1].log_density > max(each[0].log_density, each[2].log_density)
    for order in ([wide, right, narrow], [narrow, right], [right]):
        found = model.best_of(order, model)
        assert_array_equal(found[0], each[1].settings)
        assert_array_equal(found[1], each[1].log_scales)


def test_the_judge_decides_between_places():
    model, settings = label_model(), np.array([[0.5, 2.0, 2.0]])
    places = [(settings, np.full(2, at)) for at in (-1.0, 7.0)]

    class Contrary:
        def log_density_left_out(self, settings, log_scales):
            return -model.log_density_left_out(settings, log_scales)

    found = model.best_of(places, Contrary())
    expected = adjusted(model.log_density_left_out, *places[1]).log_scales
    assert_array_equal(found[1], expected)


# Reports.


def test_a_report_hears_of_every_evaluation():
    watch, plain = fits.Watch(), gaussian()
    found = gaussian(report=watch)
    assert_array_equal(found.log_scales, plain.log_scales)
    assert len(watch.values) > 5
    assert max(watch.values) > watch.values[0]


@pytest.mark.parametrize("evaluations", [1, 2, 4])
def test_a_report_that_asks_to_stop_ends_learning_where_it_stands(evaluations):
    watch = fits.Watch(stop_learning_after=evaluations)
    found = gaussian(report=watch)
    assert len(watch.values) == evaluations
    assert np.isfinite(found.log_scales).all()
    assert np.isfinite(found.settings).all()
    if evaluations == 1:
        middle = BASES["gaussian"].bind(X, np.ones(N)).log_spreads
        assert_allclose(found.log_scales, middle, atol=1e-12)


# How much work it may take.


def test_a_rough_climb_takes_fewer_evaluations():
    watches = [fits.Watch(), fits.Watch()]
    for watch, rise in zip(watches, ((0.0, 1.0, 1.0), EXACT), strict=True):
        gaussian(report=watch, search=ScaleSearch(last_rise=rise))
    assert len(watches[0].values) < len(watches[1].values)


def test_of_many_rows_some_serve():
    rows = own_order(X)[np.linspace(0, N - 1, 10).round().astype(int)]
    given = problem(BASES["gaussian"], Y, Gaussian())
    some = type(given)(Data(X[rows], Y[rows], np.ones(10)), given.columns, Gaussian())
    expected = learn_scales(some, Report()).log_scales
    assert_array_equal(gaussian(search=ScaleSearch(rows=(10,))).log_scales, expected)


def stages(n_rows, name="gaussian", n_targets=1, n_scales=2, **options):
    """The sizes of the stages, and the rise at which each ends."""
    rows = DenseRows(X, np.zeros((n_targets, n_rows)), np.ones(n_rows), TARGETS[name][1], None)
    found = ScaleSearch(**options).stages(rows, n_scales)
    return [size for size, _ in found], [ascent.least_rise for _, ascent in found]


def test_stages_double_their_rows_up_to_all_or_a_thousand():
    assert stages(100)[0] == [100]
    assert stages(150)[0] == [150]
    assert stages(240)[0] == [128, 240]
    assert stages(1000)[0] == stages(10**6)[0] == [128, 256, 512, 1000]


def test_stages_have_eight_rows_for_each_scale():
    assert stages(1000, n_scales=17)[0] == [256, 512, 1000]
    assert stages(1000, n_scales=60)[0] == [512, 1000]
    assert stages(240, n_scales=30)[0] == [240]
    assert stages(100, n_scales=1000)[0] == [100]


def test_of_several_targets_and_of_classes_fewer_rows_serve():
    assert stages(1000, n_targets=8)[0] == [128, 256, 500]
    assert stages(1000, "bernoulli")[0][-1] == 794
    assert stages(1000, "bernoulli", n_targets=10)[0][-1] == 368


def test_a_stage_ends_where_steps_promise_little_for_what_they_cost():
    assert stages(100)[1] == [0.01]
    assert stages(1000)[1] == [0.03, 0.03, 0.03, 0.05]
    assert stages(10**6)[1][-1] == 0.2


@pytest.mark.parametrize("name", ["gaussian", "bernoulli"])
def test_more_stages_end_at_much_the_same_value(name):
    target, likelihood = TARGETS[name]
    one, other = (
        learned(BASES["gaussian"], target, likelihood, search=ScaleSearch(rows, 1, last_rise=EXACT))
        for rows in ((N,), (6, 10, N))
    )
    data = Data(X, target, np.ones(N))
    model = DenseModel(BASES["gaussian"].bind(X, data.weight), DenseRows.of(data, likelihood))
    values = [model.evaluate(each.settings, each.log_scales).value for each in (one, other)]
    assert_allclose(*values, atol=0.05)


def test_of_many_rows_the_order_does_not_matter_where_inputs_are_repeated():
    random = np.random.default_rng(3)
    inputs = np.repeat(np.linspace(-2.0, 2.0, 8), 10)[:, None]
    target = np.sin(2.0 * inputs[:, 0]) + random.normal(0.0, 1.0, 80)
    orders = [np.arange(80), *(np.random.default_rng(seed).permutation(80) for seed in range(3))]
    first, *others = (
        learned(
            GaussianKernel("learn"),
            target[order],
            Gaussian(),
            inputs=inputs[order],
            search=ScaleSearch(rows=(10,)),
        ).log_scales
        for order in orders
    )
    for other in others:
        assert_allclose(other, first, atol=1e-8)


# Constant inputs, codes, little noise.


def smooth(n, noise, n_inputs=1, seed=0):
    """A smooth function of one or two inputs, in units of its spread, with noise."""
    random = np.random.default_rng(seed)
    inputs = random.uniform(-2.0, 2.0, (n, n_inputs))
    values = np.sin(2.0 * inputs[:, 0])
    if n_inputs > 1:
        values = values + 0.5 * inputs[:, 1] ** 2
    return inputs, (values - values.mean()) / values.std() + noise * random.normal(size=n)


def several(n=150, seed=0):
    """Four inputs, of which the last does not matter."""
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(n, 4))
    target = np.sin(2.0 * inputs[:, 0]) + 0.5 * inputs[:, 1] + 0.5 * inputs[:, 2] ** 2
    return inputs, target - target.mean() + 0.1 * random.normal(size=n)


KERNEL = GaussianKernel(input_scale="learn")


@pytest.mark.parametrize("name", ["gaussian", "cauchy", "laplacian"])
@pytest.mark.parametrize("likelihood", ["gaussian", "bernoulli"])
def test_constant_inputs_more_change_nothing(name, likelihood):
    target, of_target = TARGETS[likelihood]
    wide = np.column_stack([np.full(N, 7.0), X[:, 0], np.zeros(N), X[:, 1]])
    one, other = (learned(BASES[name], target, of_target, inputs=inputs) for inputs in (X, wide))
    assert_allclose(other.log_scales, one.log_scales, atol=1e-9)
    assert_allclose(other.settings, one.settings, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("coded", [0, 3], ids=["that matters", "that does not"])
def test_codes_in_a_few_rows_of_an_input_hardly_move_the_scales_of_others(seed, coded):
    inputs, target = several(seed=seed)
    codes = inputs.copy()
    codes[::30, coded] = -999.0
    plain, found = (learned(KERNEL, target, Gaussian(), inputs=x) for x in (inputs, codes))
    others = [k for k in (0, 1, 2) if k != coded]
    moved = (found.log_scales - plain.log_scales)[others]
    assert np.abs(moved).max() < 1.5
    assert np.exp(-0.5 * found.settings[0, -1]) < 0.13


@pytest.mark.parametrize("code", [-99.0, -9999.0, 1e5])
def test_what_a_code_is_does_not_matter(code):
    inputs, target = several()
    scales = []
    for each in (-999.0, code):
        codes = inputs.copy()
        codes[::30, 0] = each
        scales.append(learned(KERNEL, target, Gaussian(), inputs=codes).log_scales)
    assert_allclose(scales[1][:3], scales[0][:3], atol=0.5)


@pytest.mark.parametrize("n_inputs", [1, 2])
@pytest.mark.parametrize("noise", [1e-2, 1e-3, 3e-4, 1.5e-4])
def test_little_noise_is_found(n_inputs, noise):
    """The noise is let down step by step: from far away a climb would step over it."""
    inputs, target = smooth(100, noise, n_inputs)
    found = learned(KERNEL, target, Gaussian(), inputs=inputs)
    assert_allclose(np.exp(-0.5 * found.settings[0, -1]), noise, rtol=0.3)


@pytest.mark.parametrize("n_inputs", [1, 2])
def test_where_there_is_no_noise_the_least_is_found(n_inputs):
    inputs, target = smooth(100, 0.0, n_inputs)
    found = learned(KERNEL, target, Gaussian(), inputs=inputs)
    assert_allclose(np.exp(-0.5 * found.settings[0, -1]), LEAST_NOISES[-1] ** 0.5, rtol=0.1)


def test_noise_of_each_target_is_found():
    """One with little noise does not keep the other from its own."""
    inputs, quiet = smooth(100, 1e-3)
    target = np.column_stack([quiet, smooth(100, 0.3)[1]])
    settings = learned(KERNEL, target, Gaussian(), inputs=inputs).settings
    assert_allclose(np.exp(-0.5 * settings[:, -1]), [1e-3, 0.3], rtol=0.3)
