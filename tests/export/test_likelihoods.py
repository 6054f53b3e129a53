"""Counts, classes in an order and varying noise in C, SQL and ONNX, where numbers are extreme."""

from dataclasses import replace

import numpy as np
import pytest
from c_programs import GCC, one_model
from carried import NEW, UNEVEN, X, fitted, largest_gap
from sql_databases import by_duckdb, by_sqlite, numbers

from sparsebayes import RVR
from sparsebayes.export import skops_types, to_c, to_onnx, to_sql
from sparsebayes.model import NotPortableError, PortableClassifier, PortableRegressor
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.counts import CountTargets
from sparsebayes.model.face import Face
from sparsebayes.model.latent import Plain
from sparsebayes.model.ordered import OrderedClasses
from sparsebayes.model.spread import one_each

pytestmark = pytest.mark.slow

ROWS = np.array([[0.0], [1.0], [-1.0], [30.0], [-30.0], [1e3], [-1e3]])


def line(slope, spread):
    """The latent value slope x, of standard deviation spread |x|."""
    columns = (PlainColumns("inputs", np.array([0])),)
    return Plain(columns, np.array([[slope]]), one_each([np.array([[spread]])]))


def counts(slope=1.0, spread=0.5, log_mean=1.0, dispersion=0.0):
    response = CountTargets(log_mean, dispersion)
    return PortableRegressor(line(slope, spread), response, Face("RVR", 1))


def in_onnx(model, rows, **options):
    runtime = pytest.importorskip("onnxruntime")
    proto = to_onnx(model, **options).SerializeToString()
    session = runtime.InferenceSession(proto, providers=["CPUExecutionProvider"])
    kind = np.float32 if options.get("precision") == "float" else np.float64
    return session.run(None, {"X": rows.astype(kind)})


def in_c(model, rows, folder, **options):
    if GCC is None:
        pytest.skip("gcc is not installed")
    return one_model(model, rows, folder, **options)


def in_sql(model, rows, database=by_duckdb, **options):
    dialect = {by_duckdb: "duckdb", by_sqlite: "sqlite"}[database]
    names, found = database(
        numbers(rows), to_sql(model, "t", dialect=dialect, keep="id", **options)
    )
    columns = zip(*sorted(found), strict=True)
    return {name: list(values) for name, values in zip(names, columns, strict=True)}


# Counts.


@pytest.mark.parametrize("dispersion", [0.0, 0.7])
def test_means_of_counts_end_where_those_of_python_do(dispersion, tmp_path):
    model = counts(dispersion=dispersion)
    mean, std = model.predict(ROWS, return_std=True)
    assert mean.max() == pytest.approx(np.exp(300.0))
    for found in (
        in_onnx(model, ROWS),
        in_c(model, ROWS, tmp_path)["predict_std"].T,
        [in_sql(model, ROWS)[name] for name in ("mean", "std")],
        [in_sql(model, ROWS, by_sqlite)[name] for name in ("mean", "std")],
    ):
        np.testing.assert_allclose(found[0], mean, rtol=1e-9)
        np.testing.assert_allclose(found[1], std, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:in single precision")
def test_counts_of_floats_are_finite_and_right_where_floats_can_hold_them(tmp_path):
    model = counts(dispersion=0.7)
    mean, std = model.predict(ROWS[:3], return_std=True)
    in_floats = in_c(model, ROWS[:3], tmp_path, precision="float")["predict_std"]
    for found in (in_onnx(model, ROWS[:3], precision="float"), in_floats.T):
        np.testing.assert_allclose(found[0], mean, rtol=1e-5)
        np.testing.assert_allclose(found[1], std, rtol=1e-5)
    found = in_onnx(model, ROWS, precision="float")
    assert np.isfinite(found).all()


def test_counts_whose_mean_is_all_but_known_keep_their_digits(tmp_path):
    model = counts(slope=0.0, spread=1e-6, log_mean=20.0)
    rows = np.array([[1.0], [2.0]])
    mean, std = model.predict(rows, return_std=True)
    for found in (
        in_onnx(model, rows),
        in_c(model, rows, tmp_path)["predict_std"].T,
        [in_sql(model, rows)[name] for name in ("mean", "std")],
    ):
        assert largest_gap(found[0], mean) < 1e-12
        assert largest_gap(found[1], std) < 1e-12


@pytest.mark.parametrize("name", ["poisson", "varying noise"])
def test_the_mean_alone_is_that_of_the_model(name, tmp_path):
    model = fitted(name)
    (found,) = in_onnx(model, NEW, std=False)
    assert largest_gap(found, model.predict(NEW)) < 1e-9
    found = in_c(model, NEW, tmp_path, std=False)
    assert set(found) == {"predict", "test"}
    assert largest_gap(found["predict"][:, 0], model.predict(NEW)) < 1e-9
    found = in_sql(model, NEW, std=False)
    assert list(found) == ["id", "mean"]
    assert largest_gap(found["mean"], model.predict(NEW)) < 1e-9


def test_a_mean_that_needs_no_variance_has_no_tables_of_the_noise():
    header = to_c(fitted("varying noise"), std=False)
    assert "model_noise" not in header
    assert "model_noise_white_0" in to_c(fitted("varying noise"))


def test_many_counts_are_refused_in_sql_without_the_advice_to_leave_out_the_std():
    centres = np.arange(501.0)[:, None]
    columns = (PlainColumns("gaussian", centres, {"gamma": np.ones(1)}),)
    plain = Plain(columns, np.ones((501, 1)), one_each([np.zeros((501, 1))]))
    model = PortableRegressor(plain, CountTargets(0.0, 0.0), Face("RVR", 1))
    with pytest.raises(NotPortableError, match=r"501 columns.*drop_covering\(\), or export"):
        to_sql(model, "t", std=False)


# Varying noise.


@pytest.mark.parametrize("change", [{"more": 0.3}, {"limits": np.array([-3.0, -2.5])}])
def test_what_is_added_to_varying_noise_and_its_limits_count(change, tmp_path):
    model = fitted("varying noise").to_portable()
    model = replace(model, response=replace(model.response, **change))
    mean, std = model.predict(NEW, return_std=True)
    assert not np.allclose(std, fitted("varying noise").predict(NEW, return_std=True)[1])
    for found in (
        in_onnx(model, NEW),
        in_c(model, NEW, tmp_path)["predict_std"].T,
        [in_sql(model, NEW)[name] for name in ("mean", "std")],
        [in_sql(model, NEW, by_sqlite)[name] for name in ("mean", "std")],
    ):
        assert largest_gap(found[0], mean) < 1e-9
        assert largest_gap(found[1], std) < 1e-9


def test_varying_noise_without_covering_rows_is_carried(tmp_path):
    model = RVR(likelihood="heteroscedastic").fit(X, UNEVEN).drop_covering()
    mean, std = model.predict(NEW, return_std=True)
    found = in_c(model, NEW, tmp_path)["predict_std"]
    assert largest_gap(found, np.column_stack([mean, std])) < 1e-9
    assert largest_gap(in_onnx(model, NEW)[1], std) < 1e-9


def test_columns_of_the_noise_count_where_sql_says_what_is_too_large():
    model = fitted("varying noise").to_portable()
    every = np.repeat(model.response.noise.spread.columns[0].items, 200, axis=0)
    columns = replace(model.response.noise.columns[0], items=every)
    size = (len(every), 1)
    noise = Plain((columns,), np.zeros(size), one_each([np.zeros(size)]))
    model = replace(model, response=replace(model.response, noise=noise))
    with pytest.raises(NotPortableError, match="pass std=False"):
        to_sql(model, "t")
    assert to_sql(model, "t", std=False)


# Classes in an order.


def ordered(slope=3.0, spread=0.2):
    """Five classes, whose order is not that of their labels."""
    place = np.array([3, 0, 4, 1, 2])
    response = OrderedClasses(np.array([-9.0, -1.0, -0.5, 20.0]), place)
    face = Face("RVC", 1, squeezed=False)
    return PortableClassifier(line(slope, spread), response, face, np.array(list("abcde")))


@pytest.mark.parametrize(
    "spread", [0.2, *(pytest.param(each, marks=pytest.mark.slow) for each in (0.0, 3.0))]
)
def test_classes_in_an_order_of_their_own_keep_small_probabilities(spread, tmp_path):
    model, rows = ordered(spread=spread), np.linspace(-12.0, 12.0, 25)[:, None]
    expected, labels = model.predict_proba(rows), model.predict(rows)
    assert len(set(labels)) == 4
    label, found = in_onnx(model, rows)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-300)
    assert label.tolist() == labels.tolist()
    found = in_c(model, rows, tmp_path)
    np.testing.assert_allclose(found["predict_proba"], expected, rtol=1e-9, atol=1e-300)
    assert model.classes_[found["predict_class"][:, 0].astype(int)].tolist() == labels.tolist()
    for database in (by_duckdb, by_sqlite):
        found = in_sql(model, rows, database)
        assert found.pop("label") == labels.tolist()
        shares = np.transpose([found[f"probability_{each}"] for each in "abcde"])
        np.testing.assert_allclose(shares, expected, rtol=1e-9, atol=1e-300)


def test_a_class_in_an_order_needs_error_bars_in_c():
    with pytest.raises(NotPortableError, match=r"classes in an order.*Use std=True"):
        to_c(fitted("ordered"), std=False)


def test_cut_points_that_floats_do_not_tell_apart_are_refused():
    model = ordered()
    near = replace(model.response, cut_points=np.array([1.0, 1.0 + 1e-10, 2.0, 3.0]))
    with pytest.raises(NotPortableError, match='precision="double"'):
        to_c(replace(model, response=near), precision="float")


@pytest.mark.parametrize("name", ["student", "negative binomial", "varying noise", "ordered"])
def test_skops_reads_each_of_them(name):
    files = pytest.importorskip("skops.io")
    found = files.loads(files.dumps(fitted(name)), trusted=skops_types())
    np.testing.assert_array_equal(found.predict(NEW), fitted(name).predict(NEW))
