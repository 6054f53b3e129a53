"""The default chooses a kernel by the evidence: on tables as they come, in all forms, the same."""

from functools import cache

import numpy as np
import pytest
from scipy.sparse import csr_array

from sparsebayes import RVC, RVR

pytestmark = pytest.mark.slow
# Means and error bars in spreads of y, and probabilities.
GAP = 1e-6


def as_they_come(n=48, seed=0):
    """Numbers in unequal units, two levels, amounts that are mostly zero, a constant, a code."""
    random = np.random.default_rng(seed)
    amounts = random.exponential(size=n) * (random.random(n) < 0.4)
    code = np.where(np.arange(n) % 16 == 3, -999.0, random.normal(size=n))
    inputs = np.column_stack(
        [
            1e-3 * random.normal(size=n),
            random.integers(0, 2, n),
            1e4 * amounts,
            np.full(n, 7.0),
            code,
        ]
    )
    return np.round(inputs * 2.0**20) / 2.0**20


def many_inputs(n_inputs, n=24):
    """More inputs than rows, which three quantities lie behind; a third of the values are zero."""
    random = np.random.default_rng(n_inputs)
    inputs = random.normal(size=(n, 3)) @ random.normal(size=(3, n_inputs))
    return np.round(64.0 * inputs) / 64.0 * (random.random((n, n_inputs)) < 0.7)


TABLES = {
    "as they come": as_they_come(),
    "two inputs": as_they_come()[:, :2],
    "more inputs than rows": many_inputs(30),
    "for which there are no effects": many_inputs(70),
    "for which there is one scale": many_inputs(260),
}
MODELS = {
    "regression": RVR,
    "two classes": RVC,
    "three classes": RVC,
}
over = pytest.mark.parametrize("name", TABLES)
# All kinds of targets for what is small, one for what takes longer.
PAIRS = [
    (name, of)
    for name, inputs in TABLES.items()
    for of in MODELS
    if inputs.shape[1] < 10 or of == "two classes"
]
pairs = pytest.mark.parametrize(("name", "of"), PAIRS)


def target_of(inputs, of, seed=5):
    """Of the first inputs, in units of their spread, and noise."""
    random = np.random.default_rng(seed)
    spread = np.where(inputs.std(axis=0) > 0.0, inputs.std(axis=0), 1.0)
    usual = (inputs - inputs.mean(axis=0)) / spread
    values = np.sin(2.0 * usual[:, 0]) + usual[:, 1] + 0.3 * random.normal(size=len(inputs))
    if of == "regression":
        return values
    return np.digitize(values, np.quantile(values, [0.5] if of == "two classes" else [0.3, 0.7]))


def said(model, inputs):
    """All that a model says of rows (n, k)."""
    if hasattr(model, "classes_"):
        return model.predict_proba(inputs)
    return np.column_stack(model.predict(inputs, return_std=True))


def fit(of, inputs, target, kernel="auto", **options):
    return MODELS[of](kernel).fit(inputs, target, **options)


@cache
def first(name, of, kernel="auto"):
    inputs = TABLES[name]
    model = fit(of, inputs, target_of(inputs, of), kernel)
    return model, said(model, inputs)


def assert_same(found, expected, of):
    scale = expected[:, 0].std() if of == "regression" else 1.0
    assert np.isfinite(found).all()
    assert np.abs(found - expected).max() <= GAP * scale


def kernel_of(model):
    return model._model.columns.kinds[0].formula.name


@pairs
def test_sparse_rows_give_what_dense_rows_give(name, of):
    inputs = TABLES[name]
    dense, expected = first(name, of)
    model = fit(of, csr_array(inputs), target_of(inputs, of))
    assert kernel_of(model) == kernel_of(dense)
    assert_same(said(model, csr_array(inputs)), expected, of)
    assert_same(said(model, inputs), expected, of)


@pytest.mark.parametrize("kernel", ["auto", "effects"])
@pytest.mark.parametrize("of", ["regression", "two classes"])
@pytest.mark.parametrize("name", ["as they come", "two inputs"])
def test_units_and_offsets_of_inputs_do_not_matter(name, of, kernel):
    """Of 2 to 64 inputs, each for itself. With more than two classes units can tell something."""
    inputs, (_, expected) = TABLES[name], first(name, of, kernel)
    target = target_of(inputs, of)
    units = 2.0 ** np.resize([-20, 3, 11], inputs.shape[1])
    other = inputs * units
    assert_same(said(fit(of, other, target, kernel), other), expected, of)
    offset = 2.0 ** np.resize([4, 13, 20], inputs.shape[1])
    other = inputs + offset  # exact, as they are whole multiples of 2^-20
    assert_same(said(fit(of, other, target, kernel), other), expected, of)


@pairs
def test_a_unit_that_all_inputs_share_does_not_matter(name, of):
    other, (_, expected) = 2.0**30 * TABLES[name], first(name, of)
    assert_same(said(fit(of, other, target_of(TABLES[name], of)), other), expected, of)


@pairs
def test_the_order_of_rows_and_of_inputs_does_not_matter(name, of):
    inputs, (_, expected) = TABLES[name], first(name, of)
    rows = np.random.default_rng(1).permutation(len(inputs))
    shuffled = inputs[rows][:, ::-1]
    model = fit(of, shuffled, target_of(inputs, of)[rows])
    assert_same(said(model, inputs[:, ::-1]), expected, of)


@pairs
def test_constant_inputs_more_do_not_matter(name, of):
    inputs, (_, expected) = TABLES[name], first(name, of)
    constant = 0.0 if "for which" in name else 1e6  # a linear kernel of inputs as they are sees it
    wide = np.column_stack([np.full(len(inputs), constant), inputs, np.zeros((len(inputs), 2))])
    assert_same(said(fit(of, wide, target_of(inputs, of)), wide), expected, of)


@pytest.mark.parametrize("kernel", ["auto", "effects"])
@pytest.mark.parametrize("of", MODELS)
def test_a_row_of_weight_two_is_the_row_twice(of, kernel):
    inputs = TABLES["as they come"]
    target, twice = target_of(inputs, of), np.arange(len(inputs)) % 3 == 0
    again = np.repeat(np.arange(len(inputs)), 1 + twice)
    repeated = fit(of, inputs[again], target[again], kernel)
    weighted = fit(of, inputs, target, kernel, sample_weight=1.0 + twice)
    assert_same(said(weighted, inputs), said(repeated, inputs), of)


@pytest.mark.parametrize("of", MODELS)
def test_a_target_in_other_units_or_labels_is_the_same(of):
    inputs = TABLES["as they come"]
    target, (_, expected) = target_of(inputs, of), first("as they come", of)
    if of == "regression":
        moved = said(fit(of, inputs, 1e6 * target + 1e4), inputs)
        moved[:, 0] -= 1e4
        assert_same(1e-6 * moved, expected, of)
        return
    names = np.array(["z", "b", "m"])[target]
    model = fit(of, inputs, names)
    order = [model.classes_.tolist().index(name) for name in ("z", "b", "m") if name in names]
    assert_same(said(model, inputs)[:, order], expected, of)


def test_one_input_that_varies_has_a_gaussian_kernel():
    inputs = TABLES["as they come"][:, [0, 3]]
    model = RVR().fit(inputs, target_of(TABLES["as they come"], "regression"))
    assert kernel_of(model) == "gaussian"
    with pytest.raises(AttributeError, match="the kernel of effects"):
        model.effects()


@pytest.mark.parametrize("name", ["for which there are no effects", "for which there is one scale"])
def test_very_many_inputs_have_no_effects(name):
    model, _ = first(name, "two classes")
    assert kernel_of(model) in ("gaussian", "linear", "standard_linear")
    with pytest.raises(AttributeError, match="the kernel of effects"):
        model.effects()


@pytest.mark.filterwarnings("ignore:No column is relevant")
@pytest.mark.parametrize("kernel", ["auto", "effects"])
@pytest.mark.parametrize("of", MODELS)
def test_inputs_that_are_all_constant(of, kernel):
    """Then nothing is known but the targets themselves."""
    inputs = TABLES["as they come"]
    target = target_of(inputs, of)
    constant = np.full((len(inputs), 3), 5.0)
    found = said(fit(of, constant, target, kernel), constant[:2])
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9)


@pytest.mark.parametrize("kernel", ["auto", "effects"])
@pytest.mark.parametrize("code", [-999.0, 1e9, -1e100, 1e149])
def test_a_code_in_a_few_rows_leaves_the_others_alone(code, kernel):
    """Whatever it is."""
    random = np.random.default_rng(2)
    inputs = random.normal(size=(80, 3))
    target = np.sin(2.0 * inputs[:, 0]) + inputs[:, 1] + 0.1 * random.normal(size=80)
    inputs[::20, 2] = code
    model = RVR(kernel).fit(inputs, target)
    assert np.isfinite(said(model, inputs)).all()
    new = random.normal(size=(200, 3))
    truth = np.sin(2.0 * new[:, 0]) + new[:, 1]
    assert np.sqrt(np.mean((model.predict(new) - truth) ** 2)) < 0.2
