"""`sparsebayes show`, `export` and `report`, and the way from a CSV to a C header."""

import io
import json
import shutil
import sqlite3
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from carried import KINDS, fitted

import sparsebayes
from sparsebayes import export
from sparsebayes.export.c import to_c
from sparsebayes.export.sql import to_sql
from sparsebayes.report.numbers import percent

MODELS = ("price.sbm", "dear.sbm")


def test_show_says_what_a_model_is(run, folder):
    ended = run("show", folder / "price.sbm")
    model = sparsebayes.load(folder / "price.sbm")
    assert ended.code == 0
    for text in (
        "RVR, regression",
        "target        price",
        "'size', 'rooms', 'city', 'new'",
        "one of 'Lille', 'Lyon', 'Nice'",
        f"{model.face.about['n_relevance']} of 60 rows",
        f"noise         {model.response.noise_std[0]:.4g}",
        "CONVERGED",
        "relevance     size ",
        "5-fold cross-validation",
    ):
        assert text in ended.out, text


def test_show_says_what_a_classifier_is(run, folder):
    ended = run("show", folder / "dear.sbm")
    assert "RVC, classification" in ended.out
    assert "'no', 'yes'" in ended.out
    assert "noise" not in ended.out


def test_show_prints_the_formula_if_asked(run, folder):
    plain, more = (run("show", folder / "price.sbm", *flag) for flag in ([], ["--formula"]))
    model = sparsebayes.load(folder / "price.sbm")
    assert more.out == f"{plain.out}\n{export.formula(model)}\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_any_model_can_be_shown(run, tmp_path, name):
    fitted(name).save(tmp_path / "model.sbm")
    ended = run("show", tmp_path / "model.sbm")
    assert ended.code == 0, ended.err
    assert type(fitted(name)).__name__ in ended.out
    assert ended.err == ""


def test_a_model_without_its_estimator_can_be_shown(run, tmp_path):
    replace(fitted("default").to_portable(), source=None).save(tmp_path / "model.sbm")
    ended = run("show", tmp_path / "model.sbm")
    assert ended.code == 0
    assert "relevance" not in ended.out


# Export.


@pytest.mark.parametrize("name", MODELS)
def test_exports_are_those_of_the_library(run, folder, name, tmp_path):
    path = folder / name
    model = sparsebayes.load(path)
    for flags, expected in (
        (["--to", "json"], export.to_json(model)),
        (["--to", "js", "--no-std"], export.to_js(model, std=False)),
        (["--to", "c"], to_c(model)),
        (
            ["--to", "c", "--name", "pressure", "--precision", "float", "--no-std"],
            to_c(model, name="pressure", precision="float", std=False),
        ),
        (
            ["--to", "sql", "--table", "t", "--dialect", "sqlite"],
            to_sql(model, "t", dialect="sqlite"),
        ),
        (
            ["--to", "sql", "--table", "t", "--keep", "id", "day", "--no-std"],
            to_sql(model, "t", keep=["id", "day"], std=False),
        ),
    ):
        ended = run("export", path, *flags)
        assert ended.code == 0, ended.err
        assert ended.out == f"{expected}\n"
        assert run("export", path, *flags, "-o", tmp_path / "out").code == 0
        assert (tmp_path / "out").read_text() == expected


def test_json_is_json(run, folder):
    assert json.loads(run("export", folder / "price.sbm", "--to", "json").out)


def test_onnx_goes_into_a_file(run, folder, tmp_path):
    onnx = pytest.importorskip("onnx")
    path = tmp_path / "model.onnx"
    ended = run("export", folder / "price.sbm", "--to", "onnx", "-o", path)
    assert ended.code == 0, ended.err
    onnx.checker.check_model(onnx.load(path))


def test_the_order_of_encoded_inputs_is_told(run, folder):
    ended = run("export", folder / "price.sbm", "--to", "c")
    (line,) = ended.err.splitlines()
    assert "'size', 'rooms', 'city=Lille', 'city=Lyon', 'city=Nice', 'new'" in line


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--to", "sql"], "needs --table"),
        (["--to", "onnx"], "-o model.onnx"),
        (["--to", "json", "--precision", "float"], "--precision is for --to c and onnx"),
        (["--to", "c", "--table", "t"], "--table is for --to sql"),
        (["--to", "json", "--no-std"], "--no-std is for --to c and onnx and sql"),
        (["--to", "c", "--keep", "id"], "--keep is for --to sql"),
        (["--to", "fortran"], "fortran"),
        ([], "--to"),
    ],
)
def test_wrong_options_of_an_export_are_wrong_use(run, folder, flags, expected):
    ended = run("export", folder / "price.sbm", *flags)
    assert ended.code == 2
    assert expected in ended.err


def test_what_cannot_be_exported_is_refused_with_a_sentence(run, tmp_path):
    fitted("softmax, fast").save(tmp_path / "model.sbm")
    ended = run("export", tmp_path / "model.sbm", "--to", "sql", "--table", "t")
    assert ended.code == 1
    assert ended.out == ""
    assert ended.err.startswith("sparsebayes: error: ")


def test_a_name_that_is_none_of_c_is_refused(run, folder):
    ended = run("export", folder / "price.sbm", "--to", "c", "--name", "no name")
    assert ended.code == 1
    assert "no name" in ended.err.splitlines()[-1]


# Report.


class Headings(HTMLParser):
    """Gathers the texts of a page."""

    def __init__(self):
        super().__init__()
        self.texts = []

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_a_report_is_written(run, folder, tmp_path, name):
    out = tmp_path / "page.html"
    ended = run("report", folder / name, folder / "houses.csv", "-o", out)
    assert ended.code == 0, ended.err
    assert f"wrote {out}" in ended.out
    page = Headings()
    page.feed(out.read_text())
    text = " ".join(page.texts)
    assert name.removesuffix(".sbm") in text
    assert "Nice" in text


@pytest.mark.slow
def test_a_report_of_new_rows_fits_nothing(run, folder, tmp_path):
    out = tmp_path / "page.html"
    arguments = ("report", folder / "price.sbm", folder / "houses.csv", "--new", "-o", out)
    assert run(*arguments).code == 0
    from sparsebayes.cli.inputs import inputs_of
    from sparsebayes.cli.tables import read_table
    from sparsebayes.report import report

    model, table = sparsebayes.load(folder / "price.sbm"), read_table(folder / "houses.csv")
    X, y = inputs_of(table, model.face), np.array(table.cells(4), dtype=float)
    assert out.read_text() == report(model, X, y, new=True)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("size,rooms,city,new\n50,2,Nice,1\n", "no column 'dear'"),
        ("size,rooms,city,new,dear\n50,2,Nice,1,maybe\n", "line 2, column 'dear': 'maybe' is none"),
        ("size,rooms,city,new,dear\n50,2,Nice,1,\n", "line 2, column 'dear' is empty"),
    ],
)
def test_a_report_needs_the_target(run, folder, csv, tmp_path, content, expected):
    out = tmp_path / "page.html"
    ended = run("report", folder / "dear.sbm", csv(content), "-o", out)
    assert ended.code == 1
    assert expected in ended.err
    assert not out.exists()


def test_a_report_of_numbers_needs_numbers(run, folder, csv, tmp_path):
    path = csv("size,rooms,city,new,price\n50,2,Nice,1,cheap\n")
    ended = run("report", folder / "price.sbm", path, "-o", tmp_path / "page.html")
    assert ended.code == 1
    assert "line 2, column 'price': 'cheap' is no number" in ended.err


def test_a_model_without_a_table_needs_the_name_of_its_target(run, csv, tmp_path):
    fitted("default").save(tmp_path / "model.sbm")
    ended = run("report", tmp_path / "model.sbm", csv("x0,x1,y\n1,2,3\n"))
    assert ended.code == 2
    assert "--target" in ended.err


# The way of a newcomer.


@pytest.mark.slow
def test_three_commands_lead_from_a_csv_to_a_report_and_a_c_header(
    run, houses, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    houses.drop(columns="dear").to_csv("houses.csv", index=False)
    for line in (
        "fit houses.csv --target price",
        "report model.sbm houses.csv",
        "export model.sbm --to c -o model.h",
    ):
        ended = run(*line.split())
        assert ended.code == 0, ended.err
    found = sorted(each.name for each in tmp_path.iterdir())
    assert found == ["houses.csv", "model.h", "model.sbm", "report.html"]
    if shutil.which("cc"):
        flags = ["-std=c99", "-DSPARSEBAYES_SELFTEST", "-x", "c", "model.h", "-x", "none", "-lm"]
        subprocess.run(["cc", *flags], check=True)
        subprocess.run(["./a.out"], check=True, stdout=subprocess.DEVNULL)


# SQL on the table that a model was fitted to, as databases read it.


@pytest.fixture(scope="module")
def switches(tmp_path_factory, run):
    """A table with true and false, and texts with blanks about them; and its model."""
    folder = tmp_path_factory.mktemp("switches")
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "a": random.normal(size=60).round(3),
            "on": random.choice(["true", "false"], 60),
            "colour": random.choice([" red", "blue"], 60),
        }
    )
    noise = random.normal(0.0, 0.1, 60)
    frame["y"] = (frame["a"] + 2.0 * (frame["on"] == "true") + noise).round(3)
    frame.to_csv(folder / "data.csv", index=False)
    options = ("--target", "y", "--folds", "0", "--out", folder / "model.sbm")
    assert run("fit", folder / "data.csv", *options).code == 0
    return folder, frame


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["texts", "truth", "all texts"])
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_sql_takes_true_and_false_and_texts_as_databases_have_them(run, switches, dialect, kind):
    folder, frame = switches
    given = frame.assign(on=frame["on"] == "true") if kind == "truth" else frame
    given = given.astype(str) if kind == "all texts" else given
    ended = run("predict", folder / "model.sbm", folder / "data.csv", "--std", "--only")
    expected = pd.read_csv(io.StringIO(ended.out)).to_numpy()
    statement = to_sql(sparsebayes.load(folder / "model.sbm"), "given", dialect=dialect)
    if dialect == "duckdb":
        connection = pytest.importorskip("duckdb").connect()
        connection.register("given", given)
    else:
        connection = sqlite3.connect(":memory:")
        given.to_sql("given", connection)
    found = np.array(connection.execute(statement).fetchall(), dtype=float)
    connection.close()
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.slow
def test_fit_show_and_report_name_the_same_shares(run, switches):
    folder, _ = switches
    shares = sparsebayes.load(folder / "model.sbm").face.about["relevance"]
    assert list(shares) == ["a", "on", "colour"]
    assert f"on {shares['on']:.0%}" in run("show", folder / "model.sbm").out
    files = (folder / "model.sbm", folder / "data.csv", "-o", folder / "r.html")
    assert run("report", *files).code == 0
    page = (folder / "r.html").read_text(encoding="utf-8").replace("\u00a0", " ")
    assert percent(shares["on"]) in page
