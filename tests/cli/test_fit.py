"""`sparsebayes fit`: what is fitted, what is said of it, what is written."""

import os
import re
import threading
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict, cross_val_score

import sparsebayes
from sparsebayes import RVC, RVR
from sparsebayes.cli import outputs
from sparsebayes.cli.messages import MisuseError, announce, told_progress
from sparsebayes.cli.relevance import in_a_line


@pytest.fixture(scope="module")
def inputs(houses):
    """The inputs, encoded by hand."""
    columns = {"size": houses["size"], "rooms": houses["rooms"]}
    for city in ("Lille", "Lyon", "Nice"):
        columns[f"city={city}"] = houses["city"] == city
    return pd.DataFrame({**columns, "new": houses["new"]}).astype(float)


def fit(run, path, *others, target="y"):
    return run("fit", path, "--target", target, "--out", path.with_suffix(".sbm"), *others)


def test_the_model_is_that_of_the_estimator(folder, houses, inputs):
    model = sparsebayes.load(folder / "price.sbm")
    own = RVR().fit(inputs, houses["price"])
    assert model.face.input_names == tuple(inputs.columns)
    for found, expected in zip(
        model.predict(inputs, return_std=True), own.predict(inputs, return_std=True), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_the_classifier_is_that_of_the_estimator(folder, houses, inputs):
    model = sparsebayes.load(folder / "dear.sbm")
    own = RVC().fit(inputs, houses["dear"])
    np.testing.assert_allclose(model.predict_proba(inputs), own.predict_proba(inputs), rtol=1e-9)
    assert model.classes_.tolist() == ["no", "yes"]


def test_the_file_knows_the_table_and_gives_the_estimator_back(folder):
    model = sparsebayes.load(folder / "price.sbm")
    assert model.face.table.target == "price"
    assert [each.name for each in model.face.table.columns] == ["size", "rooms", "city", "new"]
    assert model.face.table.columns[2].categories == ("Lille", "Lyon", "Nice")
    assert model.face.about["n_rows"] == 60
    assert model.to_estimator().get_params() == RVR().get_params()


def test_held_out_figures_are_those_of_scikit_learn(folder, houses, inputs):
    figures = sparsebayes.load(folder / "price.sbm").face.about["held_out"]
    y = houses["price"].to_numpy()
    folds = KFold(5, shuffle=True, random_state=0)
    r2 = cross_val_score(RVR(), inputs.to_numpy(), y, cv=folds)
    rmse = -cross_val_score(
        RVR(), inputs.to_numpy(), y, cv=folds, scoring="neg_root_mean_squared_error"
    )
    assert figures["folds"] == 5
    for name, values in (("r2", r2), ("rmse", rmse)):
        assert figures[name] == pytest.approx(values.mean())
        assert figures[f"{name}_error"] == pytest.approx(values.std(ddof=1) / np.sqrt(5))
    baseline = [np.sqrt(np.mean((y[b] - y[a].mean()) ** 2)) for a, b in folds.split(y)]
    assert figures["rmse_baseline"] == pytest.approx(np.mean(baseline))
    assert 0.7 < figures["coverage"] <= 1.0
    assert figures["nlpd"] < figures["nlpd_baseline"]


def test_held_out_figures_of_classes_are_those_of_scikit_learn(folder, houses, inputs):
    figures = sparsebayes.load(folder / "dear.sbm").face.about["held_out"]
    y, folds = houses["dear"].to_numpy(), StratifiedKFold(5, shuffle=True, random_state=0)
    share = cross_val_predict(RVC(), inputs.to_numpy(), y, cv=folds, method="predict_proba")
    hits = np.array(["no", "yes"])[share.argmax(axis=1)] == y
    splits = [test for _, test in folds.split(y, y)]
    losses = [log_loss(y[test], share[test]) for test in splits]
    assert figures["accuracy"] == pytest.approx(np.mean([hits[test].mean() for test in splits]))
    assert figures["log_loss"] == pytest.approx(np.mean(losses))
    assert figures["log_loss_error"] == pytest.approx(np.std(losses, ddof=1) / np.sqrt(5))
    assert figures["accuracy_baseline"] == pytest.approx(0.5)


def test_what_is_printed_says_what_was_fitted_and_what_comes_next(folder):
    model = sparsebayes.load(folder / "price.sbm")
    figures, printed = model.face.about["held_out"], (folder / "price.txt").read_text()
    assert "60 rows, 4 columns as 6 inputs" in printed
    assert "'price': a regression" in printed
    assert f"vectors  {model.face.about['n_relevance']} " in printed
    assert re.search(rf"noise    {model.response.noise_std[0]:.4g}, where price has \d+", printed)
    assert re.search(r"inputs   size \d+%", printed)
    rmse, error = map(float, re.search(r"RMSE +(\S+) \+- (\S+)", printed).groups())
    assert rmse == pytest.approx(figures["rmse"], abs=0.06)
    assert error == pytest.approx(figures["rmse_error"], abs=0.06)
    assert "always the mean" in printed
    for command in ("predict", "report", "show", "export"):
        assert f"sparsebayes {command} {folder / 'price.sbm'}" in printed


def test_what_is_printed_of_classes(folder):
    printed = (folder / "dear.txt").read_text()
    assert "'dear': a classification, as it holds 2 different texts" in printed
    assert "no 50 %, yes 50 %" in printed
    assert re.search(r"accuracy +\d+\.?\d* \+- \d+\.\d+ % +50", printed)


def test_parquet_gives_the_same_model(run, folder, tmp_path):
    out = tmp_path / "model.sbm"
    table = folder / "houses.parquet"
    ended = run("fit", table, "--target", "price", "--drop", "dear", "--out", out)
    assert ended.code == 0
    own, other = (sparsebayes.load(path) for path in (out, folder / "price.sbm"))
    assert own.face == other.face
    assert np.array_equal(own.plain.weights, other.plain.weights)


def test_whole_numbers_are_classes_unless_asked_otherwise(run, csv):
    rows = [f"{k % 7},{k % 5},{int(k % 7 > 3)}" for k in range(40)]
    path = csv("\n".join(["a,b,y", *rows]))
    ended = fit(run, path, "--folds", "0")
    assert "2 different whole numbers; --regress for a regression" in ended.out
    assert sparsebayes.load(path.with_suffix(".sbm")).classes_.tolist() == [0, 1]
    ended = fit(run, path, "--folds", "0", "--regress")
    assert "a regression, as was asked for" in ended.out
    assert sparsebayes.load(path.with_suffix(".sbm")).face.estimator == "RVR"


def test_three_classes_of_texts(run, csv):
    rows = [f"{k / 10},{'abc'[k // 14]}" for k in range(42)]
    path = csv("\n".join(["x,y", *rows]))
    assert fit(run, path, "--folds", "2").code == 0
    model = sparsebayes.load(path.with_suffix(".sbm"))
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.face.about["held_out"]["accuracy"] > 0.8


def test_without_folds_there_is_no_estimate(run, csv):
    path = csv("\n".join(["a,y", *(f"{k},{k % 7 + k / 9}" for k in range(20))]))
    ended = fit(run, path, "--folds", "0")
    assert ended.code == 0
    assert "held out" not in ended.out
    assert "--folds 0" in ended.err
    assert "held_out" not in sparsebayes.load(path.with_suffix(".sbm")).face.about


@pytest.mark.parametrize("folds", ["1", "-3"])
def test_a_number_of_folds_that_is_none_is_wrong_use(run, csv, folds):
    ended = fit(run, csv("a,y\n1,2\n"), "--folds", folds)
    assert ended.code == 2
    assert f"got {folds}" in ended.err


def test_few_rows_have_fewer_folds(run, csv):
    path = csv("a,y\n1,1.5\n2,2.5\n3,2.9\n4,4.4\n5,5.1\n6,6.2\n7,6.6\n")
    ended = fit(run, path)
    assert ended.code == 0
    assert "has 3 folds in place of 5, as there are 7 rows" in ended.err
    assert "3-fold" in ended.out


def test_two_rows_have_no_estimate(run, csv):
    ended = fit(run, csv("a,y\n1,1.5\n2,2.5\n"), "--regress")
    assert ended.code == 0
    assert "no held-out estimate, as there are 2 rows" in ended.err


def test_a_class_of_one_row_has_no_estimate(run, csv):
    rows = [f"{k},{'b' if k == 7 else 'a'}" for k in range(20)]
    ended = fit(run, csv("\n".join(["x,y", *rows])))
    assert ended.code == 0
    assert "no held-out estimate, as class 'b' has 1 row" in ended.err


def test_a_model_that_is_no_better_than_the_mean_is_told(run, csv):
    values = np.random.default_rng(0).normal(size=(40, 2))
    path = csv("\n".join(["a,y", *(f"{a},{y}" for a, y in values)]))
    ended = fit(run, path)
    assert ended.code == 0
    figures = sparsebayes.load(path.with_suffix(".sbm")).face.about["held_out"]
    assert figures["rmse"] >= figures["rmse_baseline"]
    assert "no better than always the mean" in ended.err


def test_warnings_of_a_fit_are_told_in_plain_words(run, csv):
    rows = [f"{k / 10},{k * k / 100}" for k in range(30)]
    ended = fit(run, csv("\n".join(["a,y", *rows])), "--folds", "2", "--regress")
    assert ended.code == 0
    (line,) = [each for each in ended.err.splitlines() if "passes through" in each]
    assert line.startswith("sparsebayes: warning: ")
    assert "2 of 2 fits of the cross-validation gave warnings" in ended.err
    assert ".py" not in ended.err


def test_an_error_of_the_estimator_is_one_line(run, csv):
    path = csv("a,y\n1e-200,1.5\n2e-200,2.5\n3e-200,7.5\n")
    ended = fit(run, path, "--regress")
    assert ended.code == 1
    assert "rescale X" in ended.err.splitlines()[-1]
    assert not path.with_suffix(".sbm").exists()


# Where it goes.


def test_a_folder_that_is_not_there_is_told_before_the_data_are_read(run, tmp_path):
    ended = run("fit", "nowhere.csv", "--target", "y", "--out", tmp_path / "no" / "model.sbm")
    assert ended.code == 2
    assert "there is no folder" in ended.err


def test_a_folder_is_no_file_to_write(run, tmp_path):
    ended = run("fit", "nowhere.csv", "--target", "y", "--out", tmp_path)
    assert ended.code == 2
    assert "is a folder" in ended.err


def test_an_earlier_file_stays_where_writing_fails(tmp_path):
    path = tmp_path / "model.sbm"
    outputs.write(path, b"first")
    with pytest.raises(TypeError):
        outputs.write(path, "no bytes")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    outputs.write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    outputs.write(pipe, b"through")
    reader.join(timeout=10)
    assert found == [b"through"]
    assert pipe.is_fifo()


def test_sizes_are_told_in_words():
    assert [outputs.size_of(n) for n in (7, 12_345, 3_000_000)] == ["7 bytes", "12.3 kB", "3 MB"]


def test_check_output_names_the_folder(tmp_path):
    with pytest.raises(MisuseError, match="no folder"):
        outputs.check_output(tmp_path / "a" / "b")


# Progress.


def test_progress_is_told_while_it_takes_long(capsys):
    with told_progress("fitting", first=0.02):
        print("RVR iteration 1")
        time.sleep(0.3)
    told = capsys.readouterr()
    assert "fitting: 0 s (RVR iteration 1)" in told.err
    assert told.out == ""


def test_short_work_is_not_told_of(capsys):
    with told_progress("fitting"):
        pass
    assert capsys.readouterr().err == ""


def test_long_work_is_announced_with_the_way_out(capsys):
    announce("cross-validation", 1.0, "--folds 0 leaves it out")
    assert capsys.readouterr().err == ""
    announce("cross-validation", 61.0, "--folds 0 leaves it out")
    assert "takes about 61 s; --folds 0 leaves it out" in capsys.readouterr().err


def test_shares_above_the_whole_are_explained():
    shares = {"a": 1.43, "b": 0.2, "c": 0.001}
    assert in_a_line(shares) == (
        "a 143%, b 20%, 1 more (share of the prediction's variance; above 100%, as correlated "
        "inputs stand in for one another)"
    )
