"""Models as modules of JavaScript: run by Node, they say what the estimator says."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from carried import KINDS, REGRESSORS, fitted
from graph_values import EQUAL, EQUAL_IF_GROWING, GROWING, rows_of, said_by
from javascript import NODE, answers, column

from sparsebayes.export import to_js
from sparsebayes.model import NotPortableError
from sparsebayes.model.face import TableColumn, TableInputs

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What the modules of all kinds say, by kind."""
    modules = {name: to_js(fitted(name)) for name in KINDS}
    rows = {name: rows_of(name).tolist() for name in KINDS}
    return answers(modules, rows, tmp_path_factory.mktemp("kinds"))


def one(model, asked, folder, **options):
    """What the module of one model says of the rows that it is asked for."""
    return answers({"one": to_js(model, **options)}, {"one": asked}, folder)["one"]


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_a_module_says_what_the_model_says(name, found):
    model, said = fitted(name).to_portable(), found[name]["said"]
    expected = said_by(model, rows_of(name))
    names = {"probability": "probabilities", "class": "label"}
    # Other classes of a growing kernel, too, move by as much when the last digits of numbers do.
    most = EQUAL_IF_GROWING if any(each in name for each in GROWING) else EQUAL
    assert set(said[0]) == {names.get(each, each) for each in expected}
    for each, values in expected.items():
        own = column(said, names.get(each, each))
        if each == "class":
            assert own.tolist() == model.classes_[values].tolist()
        else:
            apart = most if each == "novelty" else 0.0
            np.testing.assert_allclose(own, values, rtol=most, atol=apart)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_the_module_proves_itself(name, found):
    assert found[name]["test"]["right"]
    assert len(found[name]["inputs"]) == KINDS[name].inputs.shape[1]
    labels = getattr(fitted(name), "classes_", None)
    assert found[name].get("labels") == (None if labels is None else labels.tolist())


def test_a_changed_table_fails_the_test_of_the_module(tmp_path):
    module = to_js(fitted("default"))
    tables = re.findall(r"const (model_\w+) = new Float64Array", module)
    assert {"model_items_0", "model_weights", "model_roots", "model_white_0"} <= set(tables)
    start = {name: module.index(f"const {name} = ") for name in tables}
    broken = {
        name: module[:at] + module[at:].replace("]);", "].map((v) => 1.01 * v + 1e-9));", 1)
        for name, at in start.items()
        if name != "model_test_allowed"
    }
    found = answers(broken, {name: [] for name in broken}, tmp_path)
    assert not any(each["test"]["right"] for each in found.values())


def test_rows_of_the_test_can_be_given(tmp_path):
    new = KINDS["fast"].new
    found = one(fitted("fast"), [], tmp_path, rows=new)
    assert found["test"]["right"]
    with pytest.raises(ValueError, match=r"X must have shape \(n_samples, 2\)"):
        to_js(fitted("fast"), rows=[[1.0]])


def test_without_std_there_are_no_tables_of_error_bars(tmp_path):
    names = ("default", "poisson", "two classes", "three classes")
    modules = {name: to_js(fitted(name), std=False) for name in names}
    rows = {name: KINDS[name].new.tolist() for name in names}
    found = answers(modules, rows, tmp_path)
    given = {"default": {"mean"}, "poisson": {"mean"}, "two classes": {"label"}}
    for name in names:
        said, model = found[name]["said"], fitted(name)
        assert set(said[0]) == given.get(name, {"label", "probabilities"})
        assert found[name]["test"]["right"]
        if name in REGRESSORS:
            expected = model.predict(KINDS[name].new)
            np.testing.assert_allclose(column(said, "mean"), expected, rtol=EQUAL)
        else:
            assert column(said, "label").tolist() == model.predict(KINDS[name].new).tolist()
    assert "model_roots" not in modules["default"]
    assert len(modules["default"]) < len(to_js(fitted("default")))


def test_a_class_that_needs_error_bars_is_refused_without_them():
    with pytest.raises(NotPortableError, match="std=True"):
        to_js(fitted("each class"), std=False)


def test_rows_are_arrays_or_objects(tmp_path):
    model, row = fitted("fast").to_portable(), [0.5, 1.5]
    face = replace(model.face, feature_names=("a", "b"))
    rows = [row, {"b": 1.5, "a": 0.5, "c": "x"}, {"a": True, "b": 1.5}, [1.0, 1.5]]
    first, second, third, fourth = one(replace(model, face=face), rows, tmp_path)["said"]
    assert first == second
    assert third == fourth


WRONG = {
    "3": "a row is an array of values, or an object with their names",
    "null": "a row is an array of values, or an object with their names",
    "[1]": "a row has 2 values, got 1",
    '{"a": 1}': 'the row has no "__proto__"',
    '["1", 2]': '"a" must be a finite number, got a string',
    "[null, 2]": '"a" must be a finite number, got a object',
    "[[1], 2]": '"a" must be a finite number, got a object',
}


def test_what_is_no_row_is_an_error(tmp_path):
    model = fitted("fast").to_portable()
    model = replace(model, face=replace(model.face, feature_names=("a", "__proto__")))
    said = one(model, [json.loads(row) for row in WRONG], tmp_path)["said"]
    assert [each["error"] for each in said] == list(WRONG.values())


def test_texts_of_a_table_are_chosen(tmp_path):
    model = fitted("linear").to_portable()
    hostile = ("</script>", "__proto__")
    table = TableInputs((TableColumn("__proto__", hostile),), "price")
    model = replace(model, face=replace(model.face, table=table))
    rows = [[hostile[0]], json.loads('{"__proto__": "__proto__"}'), ["green"], [1]]
    found = one(model, rows, tmp_path)
    expected = model.predict([[1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_allclose(column(found["said"][:2], "mean"), expected, rtol=EQUAL)
    assert found["inputs"] == [{"name": "__proto__", "texts": list(hostile)}]
    for each in found["said"][2:]:
        assert each["error"] == '"__proto__" must be one of ["</script>","__proto__"]'


HOSTILE = (
    'a"b',
    "a'b`${process.exit(1)}",
    "end */ process.exit(1)",
    "new\nline",
    "\u2028\u2029\u202e",
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "]]>",
    "\\",
    "__proto__",
    "constructor",
    "\ud800",
    "\x00",
)


def test_names_and_labels_cannot_break_out(tmp_path):
    model = fitted("plain classes").to_portable()
    models = {}
    for k, word in enumerate(HOSTILE):
        face = replace(model.face, feature_names=(word, f"{word}2"), estimator=word)
        models[f"m{k}"] = replace(model, face=face, classes_=np.array(["a", word], dtype=object))
    modules = {name: to_js(each) for name, each in models.items()}
    row = [0.5, 1.5]
    by_name = {
        name: [row, dict(zip(each.face.feature_names, row, strict=True))]
        for name, each in models.items()
    }
    found = answers(modules, by_name, tmp_path)
    for k, word in enumerate(HOSTILE):
        own = found[f"m{k}"]
        assert own["labels"] == ["a", word]
        assert [each["name"] for each in own["inputs"]] == [word, f"{word}2"]
        first, second = own["said"]
        assert first == second
        assert first["label"] in ("a", word)
        module = modules[f"m{k}"]
        assert module.isascii()
        assert "</" not in module
        assert "<!" not in module
        assert module.count("*/") == to_js(model).count("*/")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (np.array([False, True]), [False, True]),
        (np.array([0.5, 2.0]), [0.5, 2.0]),
        (np.array([-(2**60) - 1, 7]), [f"{-(2**60) - 1}n", 7]),
    ],
)
def test_labels_are_numbers_and_truths(labels, expected, tmp_path):
    model = replace(fitted("plain classes").to_portable(), classes_=labels)
    found = one(model, [[0.0, 0.0]], tmp_path)
    assert found["labels"] == expected
    assert found["said"][0]["label"] in expected


def test_labels_without_a_literal_are_refused():
    model = replace(fitted("plain classes").to_portable(), classes_=np.array([b"a", b"b"]))
    with pytest.raises(NotPortableError, match="has no literal in JavaScript"):
        to_js(model)
