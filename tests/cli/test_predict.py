"""`sparsebayes predict`: what the model says, beside the rows that it says it of."""

import io

import numpy as np
import pandas as pd
import pytest
from carried import CLASSIFIERS, KINDS, REGRESSORS, fitted, largest_gap

import sparsebayes


def read(text, **options):
    return pd.read_csv(io.StringIO(text), **options)


def predict(run, *arguments):
    ended = run("predict", *arguments)
    assert ended.code == 0, ended.err
    return read(ended.out)


def written(name, folder):
    """The model of a kind and a table of its new rows, as files."""
    fitted(name).save(folder / "model.sbm")
    new = KINDS[name].new
    pd.DataFrame(new, columns=[f"x{k}" for k in range(new.shape[1])]).to_csv(
        folder / "new.csv", index=False
    )
    return folder / "model.sbm", folder / "new.csv", new


@pytest.mark.slow
@pytest.mark.parametrize("name", REGRESSORS)
def test_numbers_are_those_of_the_estimator(run, tmp_path, name):
    model, table, new = written(name, tmp_path)
    ended = run("predict", model, table, "--std", "--quantiles", "0.05", "0.9", "--only")
    assert ended.code == 0, ended.err
    own = fitted(name)
    mean, std = own.predict(new, return_std=True)
    ends = own.predict_quantiles(new, [0.05, 0.9])
    outputs = [each.reshape(len(new), -1) for each in (mean, std, ends[:, 0], ends[:, 1])]
    found = read(ended.out)
    names = ["y"] if mean.ndim == 1 else ["y0", "y1"]
    for k, target in enumerate(names):
        for end, expected in zip(("predicted", "std", "q0.05", "q0.9"), outputs, strict=True):
            np.testing.assert_allclose(found[f"{target}_{end}"], expected[:, k], rtol=1e-9)
    assert len(found.columns) == 4 * len(names)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classes_are_those_of_the_estimator(run, tmp_path, name):
    model, table, new = written(name, tmp_path)
    found = predict(run, model, table, "--proba")
    own = fitted(name)
    assert found["y_predicted"].tolist() == own.predict(new).tolist()
    share = found[[f"y_proba_{label}" for label in own.classes_]]
    assert largest_gap(share, own.predict_proba(new)) < 1e-9
    assert largest_gap(found[["x0", "x1"]], new) < 1e-15


def test_columns_of_the_table_are_kept_as_they_are(run, folder, tmp_path):
    table = tmp_path / "new.csv"
    table.write_text(
        'key,size,rooms,city,new\n007,"50.10",2,Nice,true\n"a, b",1e2,3, Lyon ,FALSE\n'
    )
    ended = run("predict", folder / "price.sbm", table, "--std")
    assert ended.code == 0
    head, first, second = ended.out.splitlines()
    assert head == "key,size,rooms,city,new,price_predicted,price_std"
    assert first.startswith("007,50.10,2,Nice,true,")
    assert second.startswith('"a, b",1e2,3, Lyon ,FALSE,')


def test_rows_may_have_their_columns_in_any_order_and_no_target(run, folder, houses, tmp_path):
    table = tmp_path / "new.csv"
    houses[["new", "city", "rooms", "size"]].assign(more="x").to_csv(table, index=False)
    own = predict(run, folder / "price.sbm", folder / "houses.csv")
    other = predict(run, folder / "price.sbm", table)
    assert own["price_predicted"].tolist() == other["price_predicted"].tolist()


def test_novelty_is_high_far_from_the_data(run, folder, tmp_path):
    table = tmp_path / "new.csv"
    table.write_text("size,rooms,city,new\n100,3,Nice,1\n1e6,3,Nice,0\n")
    found = predict(run, folder / "price.sbm", table, "--novelty")
    assert found["novelty"][0] < 0.1
    assert found["novelty"][1] > 0.9


def test_only_predictions_are_written_if_asked(run, folder):
    found = predict(run, folder / "dear.sbm", folder / "houses.csv", "--only", "--proba")
    assert list(found.columns) == ["dear_predicted", "dear_proba_no", "dear_proba_yes"]
    assert found["dear_predicted"].isin(["no", "yes"]).all()
    assert np.allclose(found["dear_proba_no"] + found["dear_proba_yes"], 1.0)


def test_a_file_has_what_would_be_printed(run, folder, tmp_path):
    arguments = ("predict", folder / "price.sbm", folder / "houses.csv", "--std")
    assert run(*arguments, "-o", tmp_path / "out.csv") == (0, "", "")
    assert (tmp_path / "out.csv").read_text() == run(*arguments).out
    assert [each.name for each in tmp_path.iterdir()] == ["out.csv"]


def test_parquet_is_read_and_written(run, folder, houses, tmp_path):
    out = tmp_path / "out.parquet"
    arguments = ("predict", folder / "price.sbm", folder / "houses.parquet", "-o", out)
    assert run(*arguments).code == 0
    found = pd.read_parquet(out)
    pd.testing.assert_frame_equal(found[houses.columns], houses)
    own = predict(run, folder / "price.sbm", folder / "houses.csv")
    assert largest_gap(found["price_predicted"], own["price_predicted"]) < 1e-15


def test_parquet_of_a_csv_keeps_its_texts(run, folder, tmp_path):
    out = tmp_path / "out.parquet"
    assert run("predict", folder / "price.sbm", folder / "houses.csv", "-o", out).code == 0
    found = pd.read_parquet(out)
    assert found["city"].isin(["Lyon", "Lille", "Nice"]).all()
    assert found["price_predicted"].dtype == np.float64


def test_a_table_with_decimal_commas_gets_such_predictions(run, folder, houses, tmp_path):
    table = tmp_path / "new.csv"
    houses.to_csv(table, index=False, sep=";", decimal=",")
    ended = run("predict", folder / "price.sbm", table)
    own = predict(run, folder / "price.sbm", folder / "houses.csv")
    found = read(ended.out, sep=";", decimal=",")["price_predicted"]
    np.testing.assert_allclose(found, own["price_predicted"], rtol=1e-15)


# What is refused.


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("50,2,Rome,1", "line 3, column 'city': 'Rome' did not occur in training; expected one of"),
        ("50,,Nice,1", "line 3, column 'rooms' is empty."),
        ("50,2,,1", "line 3, column 'city' is empty."),
        ("50,two,Nice,1", "line 3, column 'rooms': 'two' is no number."),
        ("inf,2,Nice,1", "line 3, column 'size': inf is too large"),
        ("50,2,Nice,NA", "line 3, column 'new' holds 'NA', a missing value."),
    ],
)
def test_a_wrong_value_is_refused_with_its_line(run, folder, csv, row, expected):
    path = csv(f"size,rooms,city,new\n50,2,Nice,1\n{row}\n")
    ended = run("predict", folder / "price.sbm", path)
    assert ended.code == 1
    assert ended.out == ""
    (line,) = ended.err.splitlines()
    assert expected in line


def test_a_missing_column_is_refused_by_name(run, folder, csv):
    ended = run("predict", folder / "price.sbm", csv("size,city,new\n50,Nice,1\n"))
    assert ended.code == 1
    assert "no column 'rooms'; its columns are 'size', 'city', 'new'." in ended.err


def test_predictions_do_not_hide_a_column(run, folder, houses, tmp_path):
    table = tmp_path / "again.csv"
    assert run("predict", folder / "price.sbm", folder / "houses.csv", "-o", table).code == 0
    ended = run("predict", folder / "price.sbm", table)
    assert ended.code == 1
    assert "'price_predicted' already" in ended.err
    assert run("predict", folder / "price.sbm", table, "--only").code == 0


def test_columns_of_one_name_go_into_no_parquet(run, folder, csv, tmp_path):
    path = csv("size,rooms,city,new,k,k\n50,2,Nice,1,1,2\n")
    arguments = ("predict", folder / "price.sbm", path)
    assert run(*arguments).code == 0
    ended = run(*arguments, "-o", tmp_path / "out.parquet")
    assert ended.code == 1
    assert "'k' is there twice" in ended.err


@pytest.mark.parametrize(
    ("model", "flags", "expected"),
    [
        ("price", ["--proba"], "use --std"),
        ("dear", ["--std"], "use --proba"),
        ("dear", ["--quantiles", "0.5"], "use --proba"),
        ("price", ["--quantiles", "2"], "quantiles must be"),
    ],
)
def test_what_a_model_does_not_know_is_refused(run, folder, model, flags, expected):
    ended = run("predict", folder / f"{model}.sbm", folder / "houses.csv", *flags)
    assert ended.code == 1
    assert expected in ended.err


def test_a_model_without_covering_knows_no_novelty(run, tmp_path):
    model, table, _ = written("fast", tmp_path)
    ended = run("predict", model, table, "--novelty")
    assert ended.code == 1
    assert "no novelty" in ended.err


def test_inputs_without_names_are_taken_in_order_with_a_note(run, tmp_path):
    model, table, new = written("default", tmp_path)
    table.write_text(table.read_text().replace("x0,x1", "left,right"))
    ended = run("predict", model, table)
    assert "takes 'left', 'right' in this order" in ended.err
    found = read(ended.out)["y_predicted"]
    assert largest_gap(found, sparsebayes.load(model).predict(new)) < 1e-12


def test_more_columns_than_inputs_without_names_are_refused(run, tmp_path, csv):
    model, _, _ = written("default", tmp_path)
    ended = run("predict", model, csv("a,b,c\n1,2,3\n"))
    assert ended.code == 1
    assert "expected 2 in the order of the inputs, or columns 'x0', 'x1'" in ended.err
