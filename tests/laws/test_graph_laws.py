"""The graph of a model says what the model says, for all kinds of models."""

from dataclasses import replace

import numpy as np
import pytest
from carried import KINDS, fitted
from graph_values import EQUAL, EQUAL_IF_GROWING, GROWING, rows_of, said_by, values

from sparsebayes.model import columns
from sparsebayes.model.effects import N_KNOTS
from sparsebayes.model.graph import LOWERED, for_floats, graph, in_order, lowered, of_error_bars
from sparsebayes.model.graph.formulas import FORMULAS
from sparsebayes.model.graph.responses import RESPONSES
from sparsebayes.model.kinds import PortableRegressor
from sparsebayes.model.latent import Plain
from sparsebayes.model.spread import Spread, one_each


def assert_equal(outputs, model, rows, most=EQUAL):
    with np.errstate(all="ignore"):
        found = values(outputs, rows)
    for name, expected in said_by(model, rows).items():
        assert found[name].shape == expected.shape
        # A novelty is a part of 1, and the rest of it is known.
        apart = most if name == "novelty" else 0.0
        np.testing.assert_allclose(found[name], expected, rtol=most, atol=apart)


@pytest.mark.parametrize("name", KINDS)
def test_a_graph_says_what_the_model_says(name):
    model = fitted(name).to_portable()
    most = EQUAL_IF_GROWING if name.startswith(GROWING) else EQUAL
    assert_equal(graph(model), model, rows_of(name), most)


@pytest.mark.parametrize("name", ["poisson", "two classes", "ordered"])
def test_lowered_functions_are_the_functions(name):
    model = fitted(name).to_portable()
    outputs = lowered(graph(model), LOWERED)
    assert not {node.name for node in in_order(outputs.values())} & set(LOWERED)
    assert_equal(outputs, model, rows_of(name))


@pytest.mark.parametrize("name", ["default", "negative binomial"])
def test_a_graph_for_floats_differs_where_numbers_are_extreme_only(name):
    model = fitted(name).to_portable()
    outputs = for_floats(graph(model))
    assert len(in_order(outputs.values())) > len(in_order(graph(model).values()))
    assert_equal(outputs, model, KINDS[name].new)


def test_every_formula_and_response_of_a_model_is_there():
    assert set(FORMULAS) == set(columns.FORMULAS)
    kinds = {fitted(name).to_portable().response.kind for name in KINDS}
    assert set(RESPONSES) == kinds


PARAMETERS = {
    "gamma": np.array([0.5, 0.0, 2.0]),
    "middle": np.array([0.1, 0.2, 0.3]),
    "coef0": 0.7,
    "degree": 3,
    "variance": 1.5,
    "depth": 0.8,
    "size": np.array([1.0, 0.0, 0.4]),
    "orders": np.array([0.1, 0.5, 0.3]),
    "knots": np.random.default_rng(3).uniform(0.0, 2.0, (3, N_KNOTS)),
    "shares": np.full((3, N_KNOTS), 1.0 / N_KNOTS),
}


def made_up(formula, n_columns=4, parameters=PARAMETERS):
    """Columns of a formula at three inputs, the second of which does not always count."""
    random = np.random.default_rng(0)
    definition = columns.FORMULAS[formula]
    items = np.arange(n_columns) % 3
    if definition.on_points:
        items = random.uniform(size=(n_columns, 3))
    if formula == "products":
        items = np.array([[1, 0, 2], [0, 0, 3], [2, 0, 0], [0, 0, 0]])[:n_columns]
    if formula == "constant":
        items = np.zeros(n_columns)
    own = {name: parameters[name] for name in definition.parameters}
    return columns.PlainColumns(formula, items, own)


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("n_outputs", [1, 3])
def test_each_formula_has_its_values_and_variances(formula, n_outputs):
    """Two processes of the formula and weights beside them, and outputs with factors."""
    random = np.random.default_rng(1)
    some, others = made_up(formula), made_up("inputs", 2)
    white = np.tril(random.uniform(0.1, 0.2, size=(4, 4)))
    whiteners = (None if columns.FORMULAS[formula].at_itself is None else white, None)
    spread = Spread(
        (random.normal(size=(6, 2)), random.normal(size=(6, 9))),
        np.array([1, 0, 1])[:n_outputs],
        np.array([2.0, 1.0, 0.5])[:n_outputs],
        (some, others),
        whiteners,
        np.array([[3.0, 4.0], [0.0, 0.0]]),
    )
    plain = Plain((others, some), random.normal(size=(6, n_outputs)), spread)
    default = fitted("default").to_portable()
    face = replace(default.face, n_features=3, squeezed=n_outputs == 1, feature_names=None)
    response = replace(
        default.response,
        offset=np.arange(1.0, 1.0 + n_outputs),
        noise_std=np.ones(n_outputs),
        noise_precisions=None,
        noise_shares=None,
    )
    model = PortableRegressor(plain, response, face)
    assert_equal(graph(model), model, random.uniform(0.0, 2.0, size=(7, 3)))


@pytest.mark.parametrize("n_outputs", [1, 2])
def test_a_model_without_columns_has_a_graph(n_outputs):
    model = fitted("two outputs apart" if n_outputs == 2 else "fast").to_portable()
    spread = one_each([np.zeros((0, 0))] * n_outputs)
    model = replace(model, plain=Plain((), np.zeros((0, n_outputs)), spread))
    assert_equal(graph(model), model, KINDS["fast"].new)


def test_outputs_of_error_bars_are_told_from_others():
    expected = {
        "default": {"std"},
        "fast": {"std"},
        "varying noise": {"std"},
        "poisson": {"mean", "std"},
        "two classes": {"probability"},
        "each class": {"probability", "score", "class"},
    }
    for name, uncertain in expected.items():
        outputs = graph(fitted(name).to_portable())
        assert {each for each, node in outputs.items() if of_error_bars(node)} == uncertain


@pytest.mark.parametrize("name", ["default", "softmax, fast", "varying noise", "ordered"])
def test_axes_of_a_graph_have_one_length(name):
    lengths = {}
    for node in in_order(graph(fitted(name).to_portable()).values()):
        for axis, length in node.axes:
            assert lengths.setdefault(axis, length) == length > 0
