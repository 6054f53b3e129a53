"""Columns that a database takes for one are not read as two inputs."""

import numpy as np
import pytest
from sql_databases import DATABASES, numbers

from sparsebayes import RVC, SparseBayesRegressor
from sparsebayes.basis import Bias, Linear
from sparsebayes.export import to_sql
from sparsebayes.export.sql.dialects import DIALECTS

pd = pytest.importorskip("pandas")
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(40, 2))
Y = X @ [1.0, -2.0] + 0.1 * RANDOM.normal(size=40)
LONG = "temperature of the second sensor behind the third valve, in kel"
assert len(LONG) == 63


def model(*names):
    """A model of inputs of these names, in which each has another weight."""
    frame = pd.DataFrame(X[:, : len(names)], columns=list(names))
    return SparseBayesRegressor(Linear() + Bias()).fit(frame, Y)


@pytest.mark.parametrize(
    ("dialect", "names", "why"),
    [
        ("duckdb", ("a", "A"), "lower case"),
        ("sqlite", ("a", "A"), "lower case"),
        ("postgresql", (LONG + "vin", LONG + "cius"), "first 63 bytes"),
        ("postgresql", (LONG[:-1] + "é", LONG[:-1] + "ł"), "first 63 bytes"),
    ],
)
def test_two_inputs_that_are_one_column_are_refused(dialect, names, why):
    with pytest.raises(ValueError, match=why) as caught:
        to_sql(model(*names), "t", dialect=dialect)
    for word in (*map(repr, names), repr(dialect), "columns="):
        assert word in str(caught.value)
    assert to_sql(model(*names), "t", dialect=dialect, columns=["a", "b"])
    with pytest.raises(ValueError, match="are one column"):
        to_sql(model("a", "b"), "t", dialect=dialect, columns=names)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_one_column_cannot_be_two_inputs(dialect):
    with pytest.raises(ValueError, match="'c' and 'c', two inputs of the model, are one column"):
        to_sql(model("a", "b"), "t", dialect=dialect, columns=["c", "c"])


@pytest.mark.parametrize(
    ("dialect", "names"),
    [
        ("postgresql", ("a", "A")),
        ("duckdb", (LONG + "vin", LONG + "cius")),
        ("sqlite", ("é", "É")),
        ("duckdb", ("é", "É")),
    ],
)
def test_what_a_database_tells_apart_is_taken(dialect, names):
    fitted, table = model(*names), numbers(X, names)
    _, rows = DATABASES[dialect](table, to_sql(fitted, "t", dialect=dialect, keep="id"))
    found = np.array(sorted(rows), dtype=float)[:, 1:]
    new = pd.DataFrame(X, columns=list(names))
    expected = np.column_stack(fitted.predict(new, return_std=True))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_an_input_that_is_not_used_may_not_be_the_other_either():
    """A database that reads such a table has renamed one of them, nobody knows which."""
    fitted = SparseBayesRegressor(Linear() + Bias()).fit(
        pd.DataFrame({"a": X[:, 0], "A": 0.0 * X[:, 1]}), X[:, 0] + 0.1 * X[:, 1]
    )
    assert fitted.column_names_ == ["a"] or "A" not in fitted.column_names_
    with pytest.raises(ValueError, match="are one column"):
        to_sql(fitted, "t")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"table": None}, "table must be a name or a sequence of names, got None"),
        ({"table": 3}, "table must be a name"),
        ({"table": "t", "keep": 3}, "keep must be a name or a sequence of names, got 3"),
        ({"table": "t", "keep": None}, "keep must be a name"),
        ({"table": "t", "columns": 3}, "columns must be the names of 2 columns"),
        ({"table": "t", "columns": [1, 2]}, "must be texts"),
        ({"table": "t", "dialect": ["duckdb"]}, "dialect must be one of"),
        ({"table": "t", "keep": [LONG + "vin", LONG + "cius"]}, "several columns"),
    ],
)
def test_wrong_arguments_are_named(options, words):
    with pytest.raises(ValueError, match=words):
        to_sql(model("a", "b"), **options)


def test_labels_that_a_database_clips_alike_are_numbered():
    """The 63rd byte is in the middle of the last letter, which PostgreSQL drops."""
    labels = np.array(["x" * 50 + "é", "x" * 50 + "ł"])[(Y > 0.0).astype(int)]
    sql = to_sql(RVC(gamma=1.0).fit(X, labels), "t", dialect="postgresql")
    assert '"probability_0"' in sql
    assert '"probability_1"' in sql
