"""Tables as they were found: what a constant, a code or an offset did to a fit."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, csr_matrix, issparse

from sparsebayes import RVC, RVR, load
from sparsebayes.columns import Formula
from sparsebayes.columns.sparse_inputs import STORAGE

FORMS = pytest.mark.parametrize("form", [np.asarray, csr_array], ids=["dense", "sparse"])


def table(n_rows, seed=0):
    """Three inputs, of which two matter, and what they make."""
    inputs = np.random.default_rng(seed).normal(size=(n_rows, 3))
    return inputs, np.sin(2.0 * inputs[:, 0]) + 0.5 * inputs[:, 1]


def noisy(signal, std=0.05):
    """Targets that are observed."""
    return signal + std * np.random.default_rng(9).normal(size=len(signal))


@pytest.mark.parametrize("constant", [1.0, 0.1, 1 / 3])
@FORMS
def test_a_constant_column_changes_no_class_and_warns_of_nothing(constant, form):
    inputs, signal = table(500)
    y = (signal > 0.0).astype(int)
    more = form(np.column_stack([inputs, np.full(500, constant)]))
    model = RVC().fit(more[:200], y[:200])
    plain = RVC().fit(inputs[:200], y[:200])
    assert model.gamma_[3] == 0.0
    assert_allclose(model.predict_proba(more[200:]), plain.predict_proba(inputs[200:]), atol=1e-9)
    assert RVR().fit(more[:200], noisy(signal[:200])).score(more[200:], signal[200:]) > 0.97


@FORMS
@pytest.mark.parametrize("code", [-999.0, 1e9])
@pytest.mark.parametrize("inference", ["projection", "fast", "variational"])
def test_codes_in_three_rows_of_150(form, code, inference):
    inputs, signal = table(450)
    inputs[:3, 0] = code
    model = RVR(inference=inference).fit(form(inputs[:150]), noisy(signal[:150]))
    assert model.score(form(inputs[150:]), signal[150:]) > 0.985


@FORMS
@pytest.mark.parametrize("seed", range(4))
def test_codes_where_most_values_are_zero(form, seed):
    inputs, _ = table(500, seed)
    inputs[:, 0] *= np.random.default_rng(seed).random(500) < 0.4
    signal = np.sin(2.0 * inputs[:, 0]) + 0.5 * inputs[:, 1]
    inputs[:3, 0] = -999.0
    model = RVR().fit(form(inputs[:200]), noisy(signal[:200]))
    clean = RVR().fit(inputs[3:200], noisy(signal[:200])[3:])
    kept = clean.score(inputs[200:], signal[200:])
    assert model.score(form(inputs[200:]), signal[200:]) > kept - 0.02
    classes = (signal > 0.0).astype(int)
    kept = RVC().fit(inputs[3:200], classes[3:200]).score(inputs[200:], classes[200:])
    found = RVC().fit(form(inputs[:200]), classes[:200]).score(form(inputs[200:]), classes[200:])
    assert found > kept - 0.02


def seconds(n_rows=500):
    """Seconds of one minute since 1970, and what depends on them."""
    random = np.random.default_rng(0)
    second = random.uniform(0.0, 60.0, n_rows)
    inputs = np.column_stack([1.7e9 + second, random.normal(size=n_rows)])
    return inputs, np.sin(second / 10.0) + 0.5 * inputs[:, 1]


@FORMS
def test_large_offsets_cost_no_digits(form):
    inputs, signal = seconds()
    model = RVR().fit(form(inputs[:200]), noisy(signal[:200]))
    expected = model.predict(inputs[200:], return_std=True)
    assert model.score(inputs[200:], signal[200:]) > 0.999
    assert_array_equal(model.predict(csr_array(inputs[200:]), return_std=True), expected)


def test_a_file_and_a_loaded_model_say_of_sparse_rows_what_the_estimator_says(tmp_path):
    inputs, signal = seconds()
    model = RVR().fit(inputs[:200], noisy(signal[:200]))
    model.save(tmp_path / "model.sbm")
    loaded, new = load(tmp_path / "model.sbm"), inputs[200:]
    expected = model.predict(new, return_std=True)
    for each in model.to_portable(), loaded, loaded.to_estimator():
        assert_allclose(each.predict(csr_matrix(new), return_std=True), expected, atol=1e-8)


def test_vectors_of_sparse_rows_are_sparse(tmp_path):
    inputs, signal = table(80)
    model = RVR().fit(csr_matrix(inputs), noisy(signal))
    model.save(tmp_path / "model.sbm")
    for each in model, load(tmp_path / "model.sbm").to_estimator():
        assert issparse(each.relevance_vectors_)
        assert issparse(each.covering_vectors_)
        assert_array_equal(each.relevance_vectors_.toarray(), inputs[model.relevance_])
    assert model.input_relevance_[2] < 0.1
    assert not issparse(model.fit(inputs, noisy(signal)).relevance_vectors_)


@pytest.mark.slow
def test_codes_and_offsets_in_many_sparse_rows():
    """In blocks of rows, and row by row in calls of partial_fit."""
    inputs, signal = table(13_000)
    target = noisy(signal)
    inputs[:, 0] += 1e7
    inputs[::500, 1] = -999.0
    more = csr_array(np.column_stack([inputs, np.ones(13_000)]))
    new, clean = slice(12_001, 12_400), signal[12_001:12_400]
    for model in RVR(centres=100).fit(more[:12_000], target[:12_000]), in_parts(more, target):
        assert model.score(more[new], clean) > 0.99
        assert_allclose(model.predict(more[new].toarray()), model.predict(more[new]), atol=1e-8)


def in_parts(inputs, target):
    """A model that was given four times 500 rows."""
    model = RVR(centres=100)
    for start in range(0, 2000, 500):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.partial_fit(inputs[start : start + 500], target[start : start + 500])
    return model


# A sparse matrix that is too large to be computed with as an array


def wide(n_rows, seed):
    """Inputs of which most are nearly empty, with an offset, a code and a constant."""
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(n_rows, 3000)) * (random.random((n_rows, 3000)) < 0.01)
    inputs[:, 5], inputs[:, 70] = random.normal(size=(2, n_rows))
    inputs[:, 70] += 1e8
    inputs[:, 900] = 0.1
    inputs[1, 8] = 1e9
    return inputs


def formulas():
    """Formulas whose slopes and values are sums over inputs."""
    gamma = np.random.default_rng(0).uniform(0.0, 0.3, 3000)
    gamma[[8, 900]] = 1e-8, 0.0
    middle = np.zeros(3000)
    middle[70] = 1e8
    yield Formula("gaussian", gamma)
    yield Formula("cauchy", gamma)
    yield Formula("cauchy", 0.01)
    yield Formula("standard_linear", gamma, {"middle": middle})


@pytest.mark.parametrize("formula", formulas(), ids=lambda each: each.name)
def test_values_and_slopes_of_large_sparse_inputs(formula):
    inputs, centres = wide(40, 0), wide(30, 1)
    assert inputs.size > STORAGE.few
    rows, points = csr_array(inputs), csr_array(centres)
    expected = formula(inputs, centres)
    scale = np.abs(expected).max()
    for each in (rows, points), (rows, centres), (inputs, points):
        assert_allclose(formula(*each), expected, rtol=1e-10, atol=1e-12 * scale)
    assert_allclose(formula.at_itself(rows), formula.at_itself(inputs), rtol=1e-10)
    if formula.definition.slope is not None:
        factor = np.random.default_rng(2).normal(size=expected.shape)
        slope = formula.slope(inputs, centres, factor)
        found = formula.slope(rows, points, factor)
        assert_allclose(found, slope, rtol=1e-8, atol=1e-10 * np.abs(slope).max())


def test_numbers_that_are_stored_twice_are_added():
    inputs, signal = table(60)
    halves = csr_array(
        (np.repeat(inputs.ravel() / 2.0, 2), np.repeat(np.arange(180) % 3, 2), np.arange(61) * 6),
        shape=(60, 3),
    )
    before = halves.nnz
    target = noisy(signal)
    expected = RVR().fit(inputs, target).predict(inputs)
    assert_allclose(RVR().fit(halves, target).predict(halves), expected, atol=1e-8)
    assert halves.nnz == before
