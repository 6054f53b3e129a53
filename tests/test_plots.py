"""Displays draw what they are given."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import Ridge
from sklearn.svm import SVC, SVR

from sparsebayes import RVC, RVR, Bias, Fast, Linear, SparseBayesClassifier, SparseBayesRegressor
from sparsebayes.datasets import noisy_sinc, ripley_mixture
from sparsebayes.plots import (
    CoefficientDisplay,
    EffectsDisplay,
    InputRelevanceDisplay,
    PredictiveBandDisplay,
    ProbabilityDisplay,
)

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def test_band_of_a_regression():
    X, y = noisy_sinc(50, random_state=0)
    model = RVR(gamma=0.1).fit(X, y)
    display = PredictiveBandDisplay.from_estimator(model, X, y, n_points=30)
    mean, std = model.predict(display.grid[:, None], return_std=True)
    np.testing.assert_array_equal(display.mean, mean)
    np.testing.assert_array_equal(display.std, std)
    assert len(display.ax_.collections) == 1  # the band
    labels = [line.get_label() for line in display.ax_.lines]
    assert f"{len(model.relevance_)} vectors" in labels


def test_centres_that_are_points_of_their_own_are_not_circled():
    X, y = noisy_sinc(50, random_state=0)
    model = RVR(gamma=0.1, centres=np.linspace(-9, 9, 80)[:, None]).fit(X, y)
    display = PredictiveBandDisplay.from_estimator(model, X, y)
    assert len(display.vectors) == 0


def test_an_svr_is_drawn_without_a_band():
    X, y = noisy_sinc(50, random_state=0)
    display = PredictiveBandDisplay.from_estimator(SVR().fit(X, y), X, y)
    assert display.std is None
    assert not display.ax_.collections


def test_any_regressor_with_error_bars_is_drawn_with_a_band():
    X, y = noisy_sinc(50, random_state=0)
    model = GaussianProcessRegressor(alpha=0.1).fit(X, y)
    display = PredictiveBandDisplay.from_estimator(model, X, y, n_points=10)
    expected = model.predict(display.grid[:, None], return_std=True)[1]
    np.testing.assert_array_equal(display.std, expected)
    assert len(display.ax_.collections) == 1
    assert len(display.vectors) == 0
    assert not any("vectors" in line.get_label() for line in display.ax_.lines)


@pytest.mark.parametrize("margin", [0.0, 0.25])
def test_a_margin_goes_beyond_the_data(margin):
    X, y = noisy_sinc(50, random_state=0)
    model = RVR(gamma=0.1).fit(X, y)
    display = PredictiveBandDisplay.from_estimator(model, X, y, margin=margin, n_points=30)
    assert display.grid[0] == pytest.approx(-10.0 - 20.0 * margin)
    assert display.grid[-1] == pytest.approx(10.0 + 20.0 * margin)
    grows = display.std[-1] / display.std[15]
    assert grows > 2.0 if margin else grows < 2.0


def test_probabilities_on_given_axes():
    from matplotlib import pyplot

    X, y = ripley_mixture(60, random_state=0)
    model = RVC(gamma=4.0).fit(X, y)
    _, ax = pyplot.subplots()
    display = ProbabilityDisplay.from_estimator(model, X, y, n_points=20, ax=ax)
    assert display.ax_ is ax
    assert display.response.shape == (20, 20)
    assert display.response.min() >= 0
    assert display.response.max() <= 1


def test_an_svc_is_drawn_by_its_decision_boundary():
    X, y = ripley_mixture(60, random_state=0)
    display = ProbabilityDisplay.from_estimator(SVC().fit(X, y), X, y, n_points=20)
    assert display.levels == (0.0,)


@pytest.mark.parametrize(
    ("display", "model", "n_features"),
    [(PredictiveBandDisplay, RVR(gamma=0.1), 2), (ProbabilityDisplay, RVC(gamma=0.1), 3)],
)
def test_inputs_that_cannot_be_drawn(display, model, n_features):
    X = np.random.default_rng(0).normal(size=(20, n_features))
    y = (X[:, 0] > 0).astype(int)
    with pytest.raises(ValueError, match=r"X must have .* feature"):
        display.from_estimator(model.fit(X, y), X, y)


def test_three_classes_cannot_be_drawn_as_one_probability():
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    with pytest.raises(ValueError, match=r"two classes.*3"):
        ProbabilityDisplay.from_estimator(RVC().fit(X, y), X, y, n_points=10)


def test_several_outputs_cannot_be_drawn_as_one_band():
    X, y = noisy_sinc(50, random_state=0)
    Y = np.column_stack([y, -y])
    with pytest.raises(ValueError, match=r"one output.*2"):
        PredictiveBandDisplay.from_estimator(RVR(gamma=0.1).fit(X, Y), X, Y, n_points=10)


def test_bars_of_the_inputs_that_matter():
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    table = pandas.DataFrame(random.normal(size=(60, 3)), columns=["idle", "strong", "weak"])
    model = RVR().fit(table, 2 * table["strong"] + table["weak"] + random.normal(0, 0.1, 60))
    display = InputRelevanceDisplay.from_estimator(model, max_inputs=2)
    assert display.names == ["strong", "weak"]
    assert [bar.get_width() for bar in display.ax_.patches] == list(display.relevance)
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == display.names
    bottom, top = display.ax_.get_ylim()
    assert bottom > top  # the first bar is on top


def test_no_bars_without_a_scale_for_each_input():
    X, y = noisy_sinc(50, random_state=0)
    model = RVR(gamma="scale").fit(X, y)
    with pytest.raises(ValueError, match="RVR has no input_relevance_"):
        InputRelevanceDisplay.from_estimator(model)


# effects

LEVELS = np.random.default_rng(0)
INPUTS = np.column_stack([LEVELS.uniform(-2.0, 2.0, (80, 2)), LEVELS.integers(0, 3, 80)])
SUM = np.sin(2.0 * INPUTS[:, 0]) + INPUTS[:, 1] * INPUTS[:, 2] + 0.1 * LEVELS.normal(size=80)


@pytest.fixture(scope="module")
def with_effects():
    return RVR("effects").fit(INPUTS, SUM)


def test_the_largest_effects_are_drawn_each_with_its_share(with_effects):
    display = EffectsDisplay.from_estimator(with_effects)
    effects = with_effects.effects()
    largest = [key for key in effects.shares if key][:6]
    assert display.names == largest
    assert display.shares == [effects.shares[key] for key in largest]
    assert [ax.get_title() for ax in display.ax_] == [f"{share:.1%}" for share in display.shares]
    for ax, names, found in zip(display.ax_, display.names, display.effects, strict=True):
        assert ax.get_xlabel() == names[0]
        expected = effects.curve(*names) if len(names) == 1 else effects.surface(*names)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
        if len(names) == 2:
            assert ax.get_ylabel() == names[1]


def test_a_curve_has_a_band_and_levels_have_bars(with_effects):
    display = EffectsDisplay.from_estimator(with_effects)
    of_curve, of_levels = (display.ax_[display.names.index((name,))] for name in ("x0", "x2"))
    values, mean, _ = with_effects.effects().curve("x0")
    np.testing.assert_array_equal(of_curve.lines[0].get_xydata(), np.column_stack([values, mean]))
    assert len(of_curve.collections) == 1  # the band
    assert not of_curve.containers
    (bars,) = of_levels.containers
    np.testing.assert_array_equal(bars[0].get_xdata(), [0.0, 1.0, 2.0])


def test_a_few_effects_on_given_axes_and_others_stay_empty(with_effects):
    from matplotlib import pyplot

    _, axes = pyplot.subplots(1, 2)
    display = EffectsDisplay.from_estimator(with_effects, max_effects=2, ax=axes)
    assert list(display.ax_) == list(axes)
    assert len(display.names) == 2
    one = EffectsDisplay.from_estimator(with_effects, max_effects=1)
    assert len(one.names) == 1
    four = EffectsDisplay.from_estimator(with_effects, max_effects=4)
    assert [ax.axison for ax in four.ax_] == [True] * 4 + [False] * (len(four.ax_) - 4)


def test_effects_of_a_class():
    classes = np.digitize(SUM, [-0.5, 1.0])
    model = RVC("effects").fit(INPUTS, classes)
    display = EffectsDisplay.from_estimator(model, output=2, max_effects=2)
    assert display.names == [key for key in model.effects(2).shares if key][:2]
    with pytest.raises(ValueError, match="output must be 0 to 2, got 3"):
        EffectsDisplay.from_estimator(model, output=3)


def test_no_effects_and_none_to_draw(with_effects):
    with pytest.raises(AttributeError, match="the kernel of effects"):
        EffectsDisplay.from_estimator(RVR("rbf").fit(INPUTS, SUM))
    with pytest.raises(ValueError, match="max_effects must be 1 or more, got 0"):
        EffectsDisplay.from_estimator(with_effects, max_effects=0)


# coefficients

RANDOM = np.random.default_rng(0)
WAVES = np.linspace(1700.0, 900.0, 30)
SPECTRA = RANDOM.normal(size=(60, 30))
AMOUNT = SPECTRA[:, [4, 20]] @ [2.0, -1.0] + 0.1 * RANDOM.normal(size=60)
SPARSE = SparseBayesRegressor(Linear() + Bias(), inference=Fast(min_gain=4.0))


def test_coefficients_of_few_inputs_stand_alone():
    model = SPARSE.fit(SPECTRA, AMOUNT)
    display = CoefficientDisplay.from_estimator(model, WAVES, axis_name="wavelength (nm)", n_std=3)
    assert np.all(np.diff(display.axis) > 0.0)
    np.testing.assert_array_equal(display.coefficients, model.coef_[::-1])
    np.testing.assert_array_equal(display.std, model.coef_std_[::-1])
    (marks,) = display.ax_.containers
    np.testing.assert_array_equal(marks[0].get_xdata(), WAVES[[20, 4]])
    lowest, highest = display.ax_.get_xlim()
    assert lowest < 900.0 < 1700.0 < highest
    assert marks.get_label() == "coefficient ± 3 std"
    assert display.ax_.get_xlabel() == "wavelength (nm)"
    assert display.ax_.get_ylabel() == "coefficient"


def test_coefficients_of_all_inputs_are_a_line_with_a_band():
    model = RVR(kernel="linear").fit(SPECTRA, AMOUNT)
    display = CoefficientDisplay.from_estimator(model)
    zero, line = display.ax_.lines
    np.testing.assert_array_equal(line.get_ydata(), model.coef_[0])
    assert list(zero.get_ydata()) == [0.0, 0.0]
    assert len(display.ax_.collections) == 1  # the band
    assert display.ax_.get_xlabel() == "input"


def test_any_linear_model_is_drawn_without_error_bars():
    display = CoefficientDisplay.from_estimator(Ridge().fit(SPECTRA, AMOUNT))
    assert display.std is None
    assert not display.ax_.collections
    assert display.ax_.lines[1].get_label() == "coefficient"


def test_a_class_is_drawn_with_the_inputs_that_it_uses():
    classes = np.digitize(AMOUNT, [-1.0, 1.0])
    model = SparseBayesClassifier(Linear(), inference=Fast(min_gain=4.0), multi_class="ovr")
    display = CoefficientDisplay.from_estimator(model.fit(SPECTRA, classes), output=2)
    np.testing.assert_array_equal(display.coefficients, model.coef_[2])
    np.testing.assert_array_equal(display.selected, model.coef_[2] != 0.0)
    with pytest.raises(ValueError, match=r"output must be .* from 0 to 2, .* got 3"):
        CoefficientDisplay.from_estimator(model, output=3)


def test_complex_coefficients_are_drawn_by_their_magnitude():
    values = np.array([3.0 + 4.0j, 0.0, 0.0, -1.0j])
    display = CoefficientDisplay(
        axis=np.arange(4),
        coefficients=values,
        std=np.full(4, 0.1),
        selected=values != 0.0,
        axis_name="",
    ).plot()
    np.testing.assert_array_equal(display.ax_.containers[0][0].get_ydata(), [5.0, 1.0])
    assert display.ax_.get_ylabel() == "magnitude of the coefficient"


def test_no_coefficients_of_a_model_that_is_not_linear():
    X, y = noisy_sinc(50, random_state=0)
    with pytest.raises(ValueError, match=r"RVR has no coef_: expected .* linear in its inputs"):
        CoefficientDisplay.from_estimator(RVR().fit(X, y))


def test_an_axis_needs_a_place_for_each_input():
    with pytest.raises(ValueError, match=r"each of the 30 inputs, got shape \(29,\)"):
        CoefficientDisplay.from_estimator(SPARSE.fit(SPECTRA, AMOUNT), WAVES[1:])
