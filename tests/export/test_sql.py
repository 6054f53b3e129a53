"""SQL: the databases say what the estimator says, whatever names and values they are given."""

import sqlite3
from dataclasses import replace

import numpy as np
import pytest
from carried import CLASSIFIERS, KINDS, NEW, REGRESSORS, X, Y, fitted, largest_gap
from sql_databases import DATABASES, Table, numbers, quoted

from sparsebayes import RVC, RVR, load
from sparsebayes.export.sql import to_sql
from sparsebayes.model import NotPortableError, PortableClassifier, PortableRegressor
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.face import Face, TableColumn, TableInputs
from sparsebayes.model.latent import Plain
from sparsebayes.model.responses import (
    CalibratedSoftmax,
    IntegratedSoftmax,
    OneVsRest,
    RealTargets,
)
from sparsebayes.model.spread import one_each

CLOSE = 1e-9
NO_MATRIX_ROOT = "softmax, fast"
EVIL = 'a"; DROP TABLE t; --'
NAMES = [EVIL, "it's", "naïve λ", "a.b", "select", "x%s", "back\\slash", "' OR ''='"]


@pytest.fixture(params=DATABASES)
def database(request):
    return request.param


def answer(database, model, table, **options):
    """Columns of the result by name, sorted by the key `id`, which is not among them."""
    name = table.name[0] if len(table.name) == 1 else table.name
    sql = to_sql(model, name, dialect=database, keep="id", **options)
    names, rows = DATABASES[database](table, sql)
    assert names[0] == "id"
    columns = list(zip(*sorted(rows, key=lambda row: row[0]), strict=True))
    return dict(zip(names[1:], columns[1:] or [()] * (len(names) - 1), strict=True))


def all_together(columns, stem):
    """The columns whose names begin so, as an array without an axis where there is one."""
    found = [values for name, values in columns.items() if name.startswith(stem)]
    return np.array(found[0] if len(found) == 1 else np.transpose(found), dtype=float)


@pytest.mark.parametrize("name", REGRESSORS)
def test_mean_and_std_are_those_of_the_estimator(name, database):
    new = KINDS[name].new
    found = answer(database, fitted(name), numbers(new))
    mean, std = fitted(name).predict(new, return_std=True)
    assert largest_gap(all_together(found, "mean"), mean) < CLOSE
    assert largest_gap(all_together(found, "std"), std) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CLASSIFIERS if name != NO_MATRIX_ROOT])
def test_labels_and_probabilities_are_those_of_the_estimator(name, database):
    new, model = KINDS[name].new, fitted(name)
    found = answer(database, model, numbers(new))
    assert list(found) == ["label", *(f"probability_{each}" for each in model.classes_)]
    assert list(found["label"]) == model.predict(new).tolist()
    assert largest_gap(all_together(found, "probability"), model.predict_proba(new)) < CLOSE


def test_softmax_with_weights_of_each_class_is_refused(database):
    with pytest.raises(NotPortableError, match=r"matrix root.*multi_class"):
        to_sql(fitted(NO_MATRIX_ROOT), "t", dialect=database)


def test_softmax_is_less_certain_where_the_variance_is_unusual(database):
    model = fitted("three classes").to_portable()
    model = replace(model, response=CalibratedSoftmax(usual_variance=0.01))
    found = answer(database, model, numbers(NEW))
    assert list(found["label"]) == model.predict(NEW).tolist()
    assert largest_gap(all_together(found, "probability"), model.predict_proba(NEW)) < CLOSE


def many_classes(response, n_classes):
    """A classifier with weights drawn at random."""
    random = np.random.default_rng(1)
    columns = (PlainColumns("gaussian", X[:5], {"gamma": np.array([1.0, 2.0])}),)
    roots = [0.3 * random.normal(size=(5, 5)) for _ in range(n_classes)]
    spread = one_each(roots)
    if isinstance(response, IntegratedSoftmax):
        zeros = np.zeros(n_classes, dtype=int)
        spread = replace(spread, roots=(roots[0],), process=zeros)
    plain = Plain(columns, random.normal(size=(5, n_classes)), spread)
    return PortableClassifier(plain, response, Face("RVC", 2), np.arange(n_classes))


@pytest.mark.slow
def test_each_of_many_classes_has_its_probability(database):
    model = many_classes(OneVsRest(fitted("each class").to_portable().response.quadrature), 9)
    found = answer(database, model, numbers(NEW))
    assert list(found["label"]) == model.predict(NEW).tolist()
    assert largest_gap(all_together(found, "probability"), model.predict_proba(NEW)) < CLOSE


@pytest.mark.slow
def test_softmax_of_many_classes_is_summed_in_parts(database):
    nodes = np.random.default_rng(2).normal(size=(150, 20))
    model = many_classes(IntegratedSoftmax(nodes, own_weights=False), 20)
    found = answer(database, model, numbers(NEW))
    assert list(found["label"]) == model.predict(NEW).tolist()
    assert largest_gap(all_together(found, "probability"), model.predict_proba(NEW)) < CLOSE


@pytest.mark.slow
def test_first_label_is_given_where_all_are_as_probable(database):
    model = many_classes(fitted("each class").to_portable().response, 3)
    model = replace(model, plain=replace(model.plain, weights=np.zeros((5, 3))))
    found = answer(database, model, numbers(NEW))
    assert set(found["label"]) == {0}
    assert largest_gap(all_together(found, "probability"), np.full((len(NEW), 3), 1 / 3)) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("labels", [[False, True], [-1.5, 2.0], [-1, 7], NAMES[:2]])
def test_labels_keep_their_type(labels, database):
    model = replace(fitted("two classes").to_portable(), classes_=np.array(labels))
    found = answer(database, model, numbers(NEW))
    assert list(found["label"]) == model.predict(NEW).tolist()
    assert len(found) == 3


@pytest.mark.parametrize("labels", [["a", "A"], ["é" * 30 + "a", "é" * 30 + "b"]])
def test_labels_that_databases_do_not_tell_apart_are_numbered(labels, database):
    model = replace(fitted("two classes").to_portable(), classes_=np.array(labels))
    found = answer(database, model, numbers(NEW))
    assert list(found) == ["label", "probability_0", "probability_1"]
    assert list(found["label"]) == model.predict(NEW).tolist()


def test_label_without_a_literal_is_refused():
    labels = np.array([None, "a"], dtype=object)
    model = replace(fitted("two classes").to_portable(), classes_=labels)
    with pytest.raises(NotPortableError, match="None is a NoneType"):
        to_sql(model, "t")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", "two classes", "each class, fast", "shared softmax"])
@pytest.mark.parametrize("missing", [None, np.nan, np.inf, -1e300])
def test_what_is_no_number_gives_null_in_its_row_only(name, missing, database):
    if missing is not None and database == "sqlite" and np.isnan(missing):
        pytest.skip("SQLite has no NaN")
    table = numbers(NEW)
    table.columns["x1"][1][3] = missing
    found = answer(database, fitted(name), table)
    rest = np.arange(len(NEW)) != 3
    expected = answer(database, fitted(name), numbers(NEW[rest]))
    for name, values in found.items():
        assert values[3] is None
        assert list(np.array(values)[rest]) == list(expected[name])


def test_text_in_a_column_of_numbers_gives_null_in_sqlite():
    table = Table({"id": ("INTEGER", [0, 1]), "x0": ("", ["", 1.0]), "x1": ("", [1.0, 1])})
    found = answer("sqlite", fitted("default"), table)
    assert found["mean"][0] is found["std"][0] is None
    assert found["mean"][1] == pytest.approx(fitted("default").predict([[1.0, 1.0]])[0], rel=CLOSE)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in KINDS if name != NO_MATRIX_ROOT])
def test_extreme_inputs_raise_no_error(name, database):
    model, sizes = fitted(name), np.array([30.0, 1e5, 1e20, 1e59, 1e-30, 1e-200])
    new = np.repeat(sizes[:, None], KINDS[name].new.shape[1], axis=1)
    found = answer(database, model, numbers(new))
    known = np.array([values is not None for values in next(iter(found.values()))])
    assert known[sizes <= 1e5].all()
    found = {key: np.array(values)[known] for key, values in found.items()}
    # Where PostgreSQL would raise an error, exp ends at 1e-120 and probabilities at exp(-650).
    least = 1e-100 if database == "postgresql" else 1e-300
    if name in REGRESSORS:
        mean, std = model.predict(new[known], return_std=True)
        assert all_together(found, "mean") == pytest.approx(mean, rel=CLOSE, abs=least)
        assert all_together(found, "std") == pytest.approx(std, rel=CLOSE, abs=least)
    else:
        expected = model.predict_proba(new[known])
        assert all_together(found, "probability") == pytest.approx(expected, rel=CLOSE, abs=least)


def test_inputs_that_overflow_a_polynomial_give_null(database):
    found = answer(database, fitted("poly kernel"), numbers(np.full((1, 2), 1e50)))
    assert found == {"mean": (None,), "std": (None,)}


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_table_or_column_breaks_out(name, database):
    inputs = numbers(NEW, [name, name + "2"])
    table = Table(inputs.columns, (name,))
    found = answer(database, fitted("default"), table, columns=[name, name + "2"])
    assert largest_gap(found["mean"], fitted("default").predict(NEW)) < CLOSE
    sql = to_sql(fitted("default"), name, dialect=database, columns=[name, name + "2"], keep=[name])
    names, rows = DATABASES[database](table, sql)
    assert names == [name, "mean", "std"]
    assert sorted(row[0] for row in rows) == sorted(NEW[:, 0])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_label_breaks_out(name, database):
    model = replace(fitted("two classes").to_portable(), classes_=np.array([name, "other"]))
    found = answer(database, model, numbers(NEW))
    assert set(found["label"]) == {name, "other"}
    assert list(found)[1] == f"probability_{name}"


def test_table_with_the_name_of_a_stage_is_read(database):
    table = Table(numbers(NEW).columns, ("sparsebayes_inputs",))
    found = answer(database, fitted("default"), table)
    assert largest_gap(found["mean"], fitted("default").predict(NEW)) < CLOSE


def test_table_may_be_in_a_schema(database):
    table = Table(numbers(NEW).columns, ("some schema", "some.table"))
    found = answer(database, fitted("default"), table)
    assert largest_gap(found["mean"], fitted("default").predict(NEW)) < CLOSE


def with_texts():
    """A model of a number and a text, and rows of its table."""
    towns = ("Lille", "it's", "", 'Nîmes"')
    random = np.random.default_rng(3)
    size, town = random.uniform(size=40), random.integers(4, size=40)
    inputs = np.column_stack([size, np.eye(4)[town]])
    model = RVR().fit(inputs, size + town + 0.1 * random.normal(size=40)).to_portable()
    table = TableInputs((TableColumn("size"), TableColumn("town", towns)), "price")
    model = replace(model, face=replace(model.face, table=table))
    return model, inputs[:8], [towns[k] for k in town[:8]]


@pytest.mark.parametrize("renamed", [None, ["how big", "where"]])
def test_texts_become_the_inputs_of_training(renamed, database):
    model, inputs, towns = with_texts()
    size, town = renamed or ("size", "town")
    columns = {
        "id": ("INTEGER", list(range(10))),
        size: ("DOUBLE PRECISION", [*inputs[:, 0].tolist(), 0.5, 0.5]),
        town: ("VARCHAR(20)", [*towns, "Paris", None]),
    }
    found = answer(database, model, Table(columns), columns=renamed)
    mean, std = model.predict(inputs, return_std=True)
    assert largest_gap(found["mean"][:8], mean) < CLOSE
    assert largest_gap(found["std"][:8], std) < CLOSE
    assert found["mean"][8:] == found["std"][8:] == (None, None)


def test_empty_table_gives_no_rows(database):
    for name in ("default", "two classes", "sigmoid kernel"):
        found = answer(database, fitted(name), numbers(NEW[:0]))
        assert all(values == () for values in found.values())


def test_integers_are_divided_as_numbers(database):
    whole = np.array([[0, 1], [2, 3], [1, 1]])
    columns = {"id": ("INTEGER", [0, 1, 2])}
    columns |= {f"x{k}": ("INTEGER", whole[:, k].tolist()) for k in range(2)}
    for name in ("cauchy kernel", "linear_spline kernel", "powers"):
        found = answer(database, fitted(name), Table(columns))
        mean, std = fitted(name).predict(whole, return_std=True)
        assert largest_gap(found["mean"], mean) < CLOSE
        assert largest_gap(found["std"], std) < CLOSE


def test_inputs_far_from_zero_keep_their_digits(database):
    far = X + 1e6
    model = RVR().fit(far, Y)
    found = answer(database, model, numbers(NEW + 1e6))
    mean, std = model.predict(NEW + 1e6, return_std=True)
    assert largest_gap(found["mean"], mean) < CLOSE
    assert largest_gap(found["std"], std) < CLOSE


def test_only_columns_that_the_model_uses_are_read(database):
    columns = (PlainColumns("inputs", np.array([1])),)
    plain = Plain(columns, np.array([[3.0]]), one_each([np.array([[0.5]])]))
    model = PortableRegressor(plain, RealTargets(np.zeros(1), np.ones(1)), Face("RVR", 3))
    found = answer(database, model, numbers(np.array([[2.0]]), ["x1"]))
    assert found["mean"] == (6.0,)
    assert found["std"][0] == pytest.approx(np.sqrt(2.0))


def test_mean_alone_needs_no_covering_rows(database):
    sql = to_sql(fitted("default"), "t", dialect=database, std=False)
    names, _ = DATABASES[database](numbers(NEW), sql)
    assert names == ["mean"]
    assert len(sql) < len(to_sql(fitted("default"), "t", dialect=database)) / 2
    found = answer(database, fitted("two outputs"), numbers(NEW), std=False)
    assert list(found) == ["mean_0", "mean_1"]
    assert largest_gap(all_together(found, "mean"), fitted("two outputs").predict(NEW)) < CLOSE


def test_columns_of_a_kernel_are_computed_once_for_a_row():
    calls = []

    def counted(x):
        calls.append(x)
        return np.exp(x)

    connection = sqlite3.connect(":memory:")
    connection.create_function("exp", 1, counted)
    connection.execute("CREATE TABLE t AS SELECT 0.5 AS x0, 0.7 AS x1")
    connection.execute(to_sql(fitted("rbf kernel"), "t", dialect="sqlite")).fetchall()
    connection.close()
    plain = fitted("rbf kernel").to_portable().plain
    centres = np.vstack([plain.columns[0].items, plain.spread.columns[0].items])
    assert len(calls) == len(centres)


def test_column_that_is_not_there_is_an_error_and_no_text():
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        answer("sqlite", fitted("default"), numbers(NEW), columns=["x0", "nowhere"])


def test_statement_is_part_of_another(database):
    inner = to_sql(fitted("default"), "t", dialect=database, keep="id")
    sql = f"SELECT count(*) FROM ({inner}) AS p JOIN t ON p.id = t.id WHERE p.std > 0"
    _, rows = DATABASES[database](numbers(NEW), sql)
    assert rows[0][0] == len(NEW)


def test_loaded_model_gives_the_same_statement(tmp_path):
    fitted("two classes").save(tmp_path / "model.sbm")
    again = load(tmp_path / "model.sbm")
    assert to_sql(again, "t") == to_sql(fitted("two classes"), "t")


def test_columns_have_the_names_of_training(database):
    model = fitted("default").to_portable()
    model = replace(model, face=replace(model.face, feature_names=("height", "Weight")))
    found = answer(database, model, numbers(NEW, ["height", "Weight"]))
    assert largest_gap(found["mean"], model.predict(NEW)) < CLOSE


def test_function_of_the_user_is_refused():
    model = RVR(kernel=lambda a, b: a @ b.T, inference="fast").fit(X, Y)
    with pytest.raises(NotPortableError):
        to_sql(model, "t")


@pytest.mark.parametrize(("dialect", "most"), [("duckdb", 500), ("sqlite", 250)])
def test_large_model_is_refused_with_what_to_do(dialect, most):
    centres = np.arange(most + 1.0)[:, None]
    columns = (PlainColumns("gaussian", centres, {"gamma": np.ones(1)}),)
    plain = Plain(columns, np.ones((most + 1, 1)), one_each([np.zeros((most + 1, 1))]))
    model = PortableRegressor(plain, RealTargets(np.zeros(1), np.ones(1)), Face("RVR", 1))
    with pytest.raises(NotPortableError, match=rf"{most + 1} columns.*drop_covering.*ONNX"):
        to_sql(model, "t", dialect=dialect)


def test_pipeline_is_refused():
    from sklearn.pipeline import make_pipeline

    with pytest.raises(TypeError, match="Pipeline"):
        to_sql(make_pipeline(RVC()), "t")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"table": "t", "dialect": "mysql"}, "dialect must be one of 'duckdb'"),
        ({"table": ""}, "must be a text, not empty"),
        ({"table": (1,)}, "must be a text, not empty; got 1"),
        ({"table": ()}, "table must be a name"),
        ({"table": "a\0b"}, "NUL"),
        ({"table": "t", "columns": ["a"]}, "names of 2 columns"),
        ({"table": "t", "columns": "ab"}, "names of 2 columns"),
        ({"table": "t", "columns": ["a", ""]}, "must be a text, not empty"),
        ({"table": "t", "keep": ["Mean"]}, "several columns 'Mean'"),
        ({"table": "t", "keep": ["id", "ID"]}, "several columns 'id'"),
    ],
)
def test_wrong_arguments_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        to_sql(fitted("default"), **options)


def test_quoted_names_are_as_the_databases_have_them():
    assert quoted('a"b') == '"a""b"'
    assert f"FROM {quoted(EVIL)} AS source" in to_sql(fitted("default"), EVIL)
