"""Exports of models whose inputs are far apart, or whose targets are in small units."""

import sqlite3

import numpy as np
import pytest
from carried import X, Y

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    NotPortableError,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from sparsebayes.export import skops_types, to_onnx, to_sql

pytestmark = pytest.mark.slow
RANDOM = np.random.default_rng(0)
INPUTS = RANDOM.normal(size=(40, 1))
TARGETS = np.sin(2.0 * INPUTS[:, 0]) + 0.1 * RANDOM.normal(size=40)


def by_sqlite(model, rows):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE given (i INTEGER, x0 REAL)")
    numbered = [(i, float(row[0])) for i, row in enumerate(rows)]
    connection.executemany("INSERT INTO given VALUES (?, ?)", numbered)
    found = connection.execute(to_sql(model, "given", dialect="sqlite", keep="i")).fetchall()
    connection.close()
    return np.array(sorted(found))[:, 1:].T


@pytest.mark.parametrize("kernel", ["rbf", "cauchy"])
@pytest.mark.parametrize("apart", [1e6, 1e9, 1e12])
def test_sql_keeps_the_digits_of_clusters_that_are_far_apart(kernel, apart):
    rows = INPUTS.copy()
    rows[::2] += apart
    model = RVR(kernel, gamma=1.0).fit(rows, TARGETS)
    mean, std = model.predict(rows, return_std=True)
    found_mean, found_std = by_sqlite(model, rows)
    np.testing.assert_allclose(found_mean, mean, rtol=1e-9, atol=1e-9 * std.min())
    np.testing.assert_allclose(found_std, std, rtol=1e-9)


def test_a_model_whose_own_rows_would_be_null_is_refused():
    model = RVR(gamma="scale", inference="fast").fit(INPUTS * 1e61, TARGETS)
    with pytest.raises(NotPortableError, match="inputs in other units"):
        to_sql(model, "given")


@pytest.mark.parametrize("unit", [1e-22, 1e-60])
@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_runtimes_leave_nothing_out_where_targets_are_in_small_units(unit, inference):
    runtime = pytest.importorskip("onnxruntime")
    model = RVR(gamma=1.0, inference=inference).fit(INPUTS, unit * TARGETS)
    session = runtime.InferenceSession(
        to_onnx(model).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    mean, std = model.predict(INPUTS, return_std=True)
    found_mean, found_std = session.run(None, {"X": INPUTS})
    np.testing.assert_allclose(found_mean, mean, rtol=1e-9, atol=1e-9 * std.min())
    np.testing.assert_allclose(found_std, std, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:No column is relevant")
def test_a_softmax_without_columns_has_a_graph():
    runtime = pytest.importorskip("onnxruntime")
    model = SparseBayesClassifier(Bias(), multi_class="softmax", inference="fast")
    model.fit(INPUTS, np.arange(40) % 3)
    session = runtime.InferenceSession(
        to_onnx(model).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    np.testing.assert_allclose(session.run(None, {"X": INPUTS})[1], model.predict_proba(INPUTS))


def test_an_input_that_does_not_count_may_be_as_large_as_it_likes():
    rows = np.column_stack([INPUTS, np.ones(40)])
    model = RVR().fit(rows, TARGETS)
    far = np.array([[0.0, 1e200]])
    np.testing.assert_allclose(model.to_portable().predict(far), model.predict(far), rtol=1e-9)


def test_a_spline_is_not_sure_where_it_is_no_covariance():
    model = RVR(kernel="linear_spline").fit(X, Y)
    assert model.novelty([[-500.0, 800.0]]) == model.to_portable().novelty([[-500.0, 800.0]]) == 1


def test_skops_reads_models_of_sparse_inputs():
    files = pytest.importorskip("skops.io")
    from scipy.sparse import csr_array, csr_matrix

    for kind in (csr_matrix, csr_array):
        model = RVR(gamma=1.0).fit(kind(X), Y)
        found = files.loads(files.dumps(model), trusted=skops_types())
        np.testing.assert_array_equal(found.predict(kind(X)), model.predict(kind(X)))


def test_whole_numbers_as_parameters_of_kernels():
    model = RVR("poly", coef0=1, degree=2, gamma=1).fit(X, Y)
    np.testing.assert_allclose(model.to_portable().predict(X), model.predict(X), rtol=1e-9)
    assert isinstance(RVC("poly", coef0=1, gamma=1).fit(X, Y > 3.0).formula(), str)
    assert isinstance(SparseBayesRegressor().fit(X, Y).formula(), str)
