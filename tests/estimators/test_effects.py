"""What each input does: effects add up to a prediction, and are those of functions one knows."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import RVC, RVR, Bias, EffectsKernel, Linear, SparseBayesRegressor
from sparsebayes.model.effect_view import ColumnEffects

N = 60
RANDOM = np.random.default_rng(0)
X = np.column_stack([RANDOM.uniform(-2.0, 2.0, (N, 2)), RANDOM.integers(0, 3, N)])
Y = np.sin(2.0 * X[:, 0]) + 0.7 * X[:, 1] * X[:, 2] + 0.1 * RANDOM.normal(size=N)
TWO = (Y + 0.3 * RANDOM.normal(size=N) > 0.3).astype(int)
THREE = np.digitize(Y, [-0.3, 0.8])
OUTPUTS = np.column_stack([Y, X[:, 1] + np.cos(X[:, 0]) + 0.2 * RANDOM.normal(size=N)])
COUNTS = RANDOM.poisson(np.exp(0.5 + 0.5 * Y))
MODELS = {
    "regression": (RVR("effects"), Y),
    "two classes": (RVC("effects"), TWO),
    "three classes": (RVC("effects"), THREE),
    "each class": (RVC("effects", multi_class="ovr"), THREE),
    "outputs": (RVR("effects"), OUTPUTS),
    "outputs apart": (RVR("effects", multi_output="separate"), OUTPUTS),
    "counts": (RVR("effects", likelihood="poisson"), COUNTS),
}
FITTED = {}


def fitted(name):
    if name not in FITTED:
        estimator, y = MODELS[name]
        FITTED[name] = estimator.fit(X, y)
    return FITTED[name]


def latent(model, inputs):
    """The latent values, or predictions, of rows (n, k)."""
    if hasattr(model, "latent_mean_and_variance"):
        found = model.latent_mean_and_variance(inputs)[0]
    else:
        found = model.predict(inputs)
    return np.asarray(found).reshape(len(inputs), -1)


# Effects and predictions.


def test_effects_of_inputs_and_of_pairs_add_up_to_the_prediction():
    """Where there are two inputs, but for a constant, which is the same at all rows."""
    model = RVR("effects").fit(X[:, :2], Y)
    effects, new = model.effects(), X[::3, :2] + 0.1
    curves = sum(effects.curve(name, new[:, k])[1] for k, name in enumerate(effects.names))
    view = effects._view
    pair, _ = view.at([0, 1], [new[:, 0], new[:, 1]])
    left = model.predict(new) - curves - pair
    assert_allclose(left, left[0], atol=1e-9)


@pytest.mark.parametrize("name", [name for name in MODELS if name != "counts"])
def test_effects_are_what_a_latent_value_changes_by_on_average_over_other_inputs(name):
    """Of counts, what is predicted is the mean of an exponential."""
    model = fitted(name)
    for output in range(latent(model, X).shape[1]):
        effects = model.effects(output)
        each = effects._view.vectors.each
        ends = each.knots[0, [0, -1]]
        others = np.array([[a, b] for a in each.knots[1] for b in each.knots[2]])
        share = np.outer(each.shares[1], each.shares[2]).ravel()
        rows = [np.column_stack([np.full(len(others), end), others]) for end in ends]
        means = [share @ latent(model, each)[:, output] for each in rows]
        _, mean, _ = effects.curve("x0", ends)
        assert_allclose(mean[1] - mean[0], means[1] - means[0], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", MODELS)
def test_shares_are_parts_of_one_and_error_bars_are_positive(name):
    effects = fitted(name).effects()
    shares = effects.shares
    assert_allclose(sum(shares.values()), 1.0)
    assert min(shares.values()) >= 0.0
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert len(shares) == 3 + 3 + 1
    for one in effects.names:
        _, mean, std = effects.curve(one)
        assert np.isfinite(mean).all()
        assert np.all(std > 0.0)


def test_effects_have_mean_zero_over_the_training_rows():
    view = fitted("regression").effects()._view
    each = view.vectors.each
    for k, (knots, shares) in enumerate(zip(each.knots, each.shares, strict=True)):
        mean, _ = view.at([k], [knots])
        assert_allclose(shares @ mean, 0.0, atol=1e-10)
    for k, j in combinations(range(3), 2):
        grid = [part.ravel() for part in np.meshgrid(each.knots[k], each.knots[j], indexing="ij")]
        mean = view.at([k, j], grid)[0].reshape(16, 16)
        assert_allclose(each.shares[k] @ mean, 0.0, atol=1e-10)
        assert_allclose(mean @ each.shares[j], 0.0, atol=1e-10)


def test_the_variance_of_an_effect_is_that_of_the_process_where_columns_say_nothing():
    """With no covering rows left to tell, the error bar is the prior's."""
    view = fitted("regression").effects()._view
    covering, x = view.covering, np.array([0.3, -1.0])
    for which in ([0], [0, 1], [2]):
        point = [x] * len(which)
        full = covering.values(which, point) @ view.whitener.T
        left = covering.variance(which, point) - np.sum(full**2, axis=1)
        assert np.all(left > -1e-8)


# Functions that are known.


def additive(seed, n=100, noise=0.2):
    """Three effects of mean zero over uniform inputs, and the fourth input does nothing."""
    random = np.random.default_rng(seed)
    inputs = random.uniform(-1.0, 1.0, (n, 4))
    target = sum(effect(inputs[:, k]) for k, effect in enumerate(EFFECTS))
    return inputs, 5.0 + target + noise * random.normal(size=n)


EFFECTS = [
    lambda x: np.sin(np.pi * x),
    lambda x: x,
    lambda x: 1.5 * (x**2 - 1.0 / 3.0),
    np.zeros_like,
]


@pytest.mark.slow
def test_curves_of_a_sum_are_within_their_bands():
    """Nine points of ten within two standard deviations, relative to the mean over the rows."""
    inside = []
    for seed in range(6):
        inputs, target = additive(seed)
        effects = RVR("effects").fit(inputs, target).effects()
        for k, effect in enumerate(EFFECTS):
            values, mean, std = effects.curve(f"x{k}", np.linspace(-0.95, 0.95, 30))
            truth = effect(values) - effect(inputs[:, k]).mean()
            inside.append(np.abs(mean - truth) <= 2.0 * std)
    assert np.mean(inside) >= 0.9


def test_of_a_sum_single_effects_have_nearly_all_of_the_variance():
    inputs, target = additive(0)
    effects = RVR("effects").fit(inputs, target).effects()
    variances = [effect(inputs[:, k]).var() for k, effect in enumerate(EFFECTS)]
    truth = np.array(variances) / np.sum(variances)
    found = [effects.shares[(f"x{k}",)] for k in range(4)]
    assert_allclose(found, truth, atol=0.08)
    assert sum(found) > 0.95


def test_a_product_of_two_inputs_is_the_effect_of_their_pair():
    random = np.random.default_rng(1)
    inputs = random.uniform(-1.0, 1.0, (100, 3))
    target = 2.0 * inputs[:, 0] * inputs[:, 2] + 0.1 * random.normal(size=100)
    effects = RVR("effects").fit(inputs, target).effects()
    assert next(iter(effects.shares)) == ("x0", "x2")
    first, second, mean, std = effects.surface("x0", "x2", n_points=9)
    truth = 2.0 * np.outer(first - inputs[:, 0].mean(), second - inputs[:, 2].mean())
    assert np.mean(np.abs(mean - truth) <= 2.5 * std) > 0.9
    again = effects.surface("x2", "x0", n_points=9)
    assert_allclose(again[2], mean.T, atol=1e-12)
    assert_allclose(again[3], std.T, atol=1e-12)


# Shares against an integral.


@pytest.mark.parametrize("name", ["regression", "three classes", "outputs"])
def test_shares_are_sobol_indices_of_the_prediction(name):
    """By Monte Carlo over knots, every input for itself."""
    model, random = fitted(name), np.random.default_rng(0)
    each = model.effects()._view.vectors.each

    def draw(n):
        chosen = zip(each.knots, each.shares, strict=True)
        return np.column_stack([random.choice(knots, n, p=shares) for knots, shares in chosen])

    n = 4000
    rows, others = draw(n), draw(n)
    value = latent(model, rows)[:, 0]
    whole = value.var()

    def closed(which):
        """The part of the variance that these inputs have by themselves."""
        mixed = others.copy()
        mixed[:, which] = rows[:, which]
        return np.cov(value, latent(model, mixed)[:, 0])[0, 1] / whole

    shares = model.effects().shares
    single = {k: closed([k]) for k in range(3)}
    for k, expected in single.items():
        assert_allclose(shares[(f"x{k}",)], expected, atol=0.05)
    for k, j in combinations(range(3), 2):
        expected = closed([k, j]) - single[k] - single[j]
        assert_allclose(shares[(f"x{k}", f"x{j}")], expected, atol=0.1)


# What it answers with.


def test_curves_are_over_the_range_of_knots_and_levels_stand_alone():
    effects = fitted("regression").effects()
    values, mean, std = effects.curve("x0")
    assert values.shape == mean.shape == std.shape == (60,)
    assert X[:, 0].min() <= values[0] < values[-1] <= X[:, 0].max()
    assert_array_equal(effects.curve("x2")[0], [0.0, 1.0, 2.0])
    given = effects.curve("x0", [0.5, -7.0])
    assert_array_equal(given[0], [0.5, -7.0])
    assert given[2][1] > given[2][0]
    first, second, mean, std = effects.surface("x0", "x2")
    assert mean.shape == std.shape == (30, 3) == (len(first), len(second))


def test_inputs_have_the_names_that_they_came_with():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=["dose", "age", "level"])
    effects = RVR("effects").fit(table, Y).effects()
    assert effects.names == ("dose", "age", "level")
    assert ("dose",) in effects.shares
    assert_array_equal(effects.curve("dose")[1], fitted("regression").effects().curve("x0")[1])


def test_an_input_that_does_not_vary_has_no_effect():
    wide = np.column_stack([X[:, 0], np.full(N, 7.0), X[:, 1:]])
    effects = RVR("effects").fit(wide, Y).effects()
    assert all("x1" not in key for key in effects.shares)
    with pytest.raises(ValueError, match="name must be one of 'x0', 'x2', 'x3', got 'x1'"):
        effects.curve("x1")
    plain = fitted("regression").effects().curve("x0")
    assert_allclose(effects.curve("x0")[1], plain[1], rtol=1e-8, atol=1e-10)


def test_any_basis_with_the_kernel_of_effects_has_effects():
    model = SparseBayesRegressor(EffectsKernel() + Linear() + Bias()).fit(X, Y)
    assert abs(sum(model.effects().shares.values()) - 1.0) < 1e-12


@pytest.mark.parametrize("output", [-1, 3, 10])
def test_an_output_that_is_not_there(output):
    with pytest.raises(ValueError, match=f"output must be 0 to 2, got {output}"):
        fitted("three classes").effects(output)


def test_each_class_and_each_output_has_effects_of_its_own():
    for name, n_outputs in (("three classes", 3), ("each class", 3), ("outputs", 2)):
        curves = [fitted(name).effects(k).curve("x0")[1] for k in range(n_outputs)]
        assert len({tuple(curve) for curve in curves}) == n_outputs


WITHOUT = {
    "another kernel": RVR("rbf"),
    "one input": RVR(),
    "linear": RVR("linear"),
    "no covering rows": RVR("effects", inference="fast"),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_a_model_without_effects_says_what_it_takes(name):
    model = WITHOUT[name].fit(X[:, :1] if name == "one input" else X, Y)
    with pytest.raises(AttributeError, match="effects needs a model with the kernel of effects"):
        model.effects()


def test_without_covering_rows_effects_are_gone():
    model = RVR("effects").fit(X, Y)
    model.effects()
    with pytest.raises(AttributeError, match="with covering rows"):
        model.drop_covering().effects()


def test_the_parts_of_a_column_are_the_column():
    """Constant, single effects, pairs and what all inputs do beyond: of each centre."""
    model = RVR("effects").fit(X[:, :2], Y)
    view = model.effects()._view.vectors
    assert isinstance(view, ColumnEffects)
    rows = X[:9, :2]
    design = view.columns.evaluate(rows)
    parts = view.values([0], [rows[:, 0]]) + view.values([1], [rows[:, 1]])
    parts = parts + view.values([0, 1], [rows[:, 0], rows[:, 1]])
    constant = design - parts
    assert_allclose(constant, np.broadcast_to(constant[:1], constant.shape), atol=1e-12)


def test_effects_are_shown_by_the_names_of_inputs():
    effects = fitted("regression").effects()
    assert repr(effects) == "InputEffects(names=('x0', 'x1', 'x2'))"
    assert effects.shares is effects.shares
