"""Pages of every kind of model are whole, and say what is computed here by other means."""

import io
import re
from functools import cache

import numpy as np
import pytest
from carried import KINDS, NEW, REGRESSORS, X, Y, fitted
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

import sparsebayes
from sparsebayes import RVR
from sparsebayes.report import report, write_report

NO_BREAK = "\u00a0"
QUICK = ("default", "three classes", "precomputed")
OTHERS = [name for name in KINDS if name not in QUICK]


def made(name, **options):
    kind = KINDS[name]
    return report(fitted(name), kind.inputs, kind.y, **options).replace(NO_BREAK, " ")


page_text = cache(made)


@pytest.mark.parametrize("name", QUICK)
def test_a_page_is_whole(name, page_of):
    page = page_of(page_text(name))
    assert page.text.count("On rows that it had not seen") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_a_page_of_any_kind_is_whole(name, page_of):
    page = page_of(page_text(name))
    assert len(page.pictures) >= 3


@pytest.mark.slow
def test_the_same_model_and_rows_give_the_same_page():
    assert made("default") == page_text("default")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two outputs", "two classes", "softmax, fast"])
def test_pages_of_other_kinds_are_the_same_too(name):
    assert made(name) == page_text(name)


def test_the_error_is_that_of_cross_validation():
    folds = KFold(5, shuffle=True, random_state=0)
    mean = cross_val_predict(RVR(), X, Y, cv=folds)
    squares = (Y - mean) ** 2
    error = np.sqrt(squares.mean())
    bar = squares.std(ddof=1) / np.sqrt(len(Y)) / (2 * error)
    base = np.concatenate([np.full(len(test), Y[train].mean()) for train, test in folds.split(X)])
    order = np.argsort(np.concatenate([test for _, test in folds.split(X)]))
    trivial = np.sqrt(np.mean((Y - base[order]) ** 2))
    text = page_text("default")
    found = re.search(r"off by ([\d.]+) ± ([\d.]+) \(root mean square\)", text)
    assert float(found[1]) == pytest.approx(error, abs=6e-4)
    assert float(found[2]) == pytest.approx(bar, abs=6e-4)
    found = re.search(r"predicting the mean, which is off by ([\d.]+)", text)
    assert float(found[1]) == pytest.approx(trivial, rel=5e-3)


@pytest.mark.slow
def test_the_error_of_classes_is_that_of_cross_validation():
    kind = KINDS["three classes"]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    found = cross_val_predict(kind.estimator, kind.inputs, kind.y, cv=folds, method="predict_proba")
    wrong = np.mean(found.argmax(axis=1) != kind.y)
    text = page_text("three classes")
    stated = re.search(r"the model is wrong in ([\d.]+) ± ([\d.]+) %", text)
    assert float(stated[1]) == pytest.approx(100 * wrong, abs=0.06)
    assert float(stated[2]) == pytest.approx(100 * np.sqrt(wrong * (1 - wrong) / 60), abs=0.06)
    stated = re.search(r"Log loss</th><td>[^<]*</td><td class=\"number\">([\d.]+)", text)
    assert float(stated[1]) == pytest.approx(log_loss(kind.y, found), rel=5e-3)


@pytest.mark.slow
def test_new_rows_are_predicted_by_the_model_itself():
    random = np.random.default_rng(1)
    rows = random.uniform(0.0, 2.0, size=(200, 2))
    target = 2.0 + np.sin(3.0 * rows[:, 0]) + rows[:, 1] + 0.1 * random.normal(size=200)
    model = fitted("default")
    text = report(model, rows, target, new=True).replace(NO_BREAK, " ")
    error = np.sqrt(mean_squared_error(target, model.predict(rows)))
    stated = re.search(r"off by ([\d.]+) ± ", text)
    assert float(stated[1]) == pytest.approx(error, rel=5e-3)
    assert "that the model has not seen" in text
    mean, std = model.predict(rows, return_std=True)
    covered = np.mean(np.abs(target - mean) <= 1.6448536269514722 * std)
    stated = re.search(r'90 %</th><td class="number">([\d.]+) ±', text)
    assert float(stated[1]) == pytest.approx(100 * covered, abs=0.06)


@pytest.mark.slow
def test_rows_that_are_all_new_are_remarked_on(page_of):
    page = page_of(report(fitted("default"), NEW + 30.0, np.zeros(len(NEW)), new=True))
    assert "unlike what the model was fitted to" in page.text
    assert "100 % of the rows" in page.text


@pytest.mark.slow
def test_precomputed_kernels_are_split_by_rows_and_columns():
    kind = KINDS["precomputed"]
    folds = KFold(5, shuffle=True, random_state=0)
    mean = cross_val_predict(kind.estimator, kind.inputs, kind.y, cv=folds)
    stated = re.search(r"off by ([\d.]+) ± ", page_text("precomputed"))
    error = np.sqrt(np.mean((kind.y - mean) ** 2))
    assert float(stated[1]) == pytest.approx(error, abs=6e-4)


def test_a_page_of_precomputed_kernels_says_that_there_are_no_inputs():
    assert "so it knows no inputs" in page_text("precomputed")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", "three classes"])
def test_a_loaded_model_has_the_page_of_its_estimator(name):
    kind, file = KINDS[name], io.BytesIO()
    fitted(name).save(file)
    file.seek(0)
    found = report(sparsebayes.load(file), kind.inputs, kind.y)
    assert found.replace(NO_BREAK, " ") == page_text(name)


@pytest.mark.slow
def test_a_page_is_written_whole_in_utf_8(tmp_path):
    path = tmp_path / "page.html"
    write_report(fitted("default"), X, Y, path, title="Größe ≥ 1")
    found = path.read_text(encoding="utf-8")
    assert found.replace(NO_BREAK, " ") == page_text("default", title="Größe ≥ 1")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_all_vectors_of_a_small_model_are_listed_with_their_weights():
    model, text = fitted("default"), page_text("default")
    listed = re.search(r"Weight</th>.*?</table>", text, re.DOTALL)[0]
    rows = re.findall(r'<th scope="row">(\d+)</th>', listed)
    assert sorted(map(int, rows)) == sorted(model.relevance_.tolist())
    weights = dict(zip(model.relevance_.tolist(), model.dual_coef_[0], strict=True))
    stated = re.findall(r"([-\d.]+) ± [\d.]+</td></tr>", listed)
    for row, value in zip(rows, stated, strict=True):
        assert float(value) == pytest.approx(weights[int(row)], rel=0.02, abs=0.06)


def test_the_example_of_python_says_what_the_model_predicts():
    text = page_text("default")
    row = re.search(r"model\.predict\(\[\[(.*?)\]\]", text)[1]
    mean, std = fitted("default").predict([list(map(float, row.split(", ")))], return_std=True)
    stated = re.search(r"# mean ([-\d.]+), std ([\d.]+)", text)
    assert float(stated[1]) == pytest.approx(mean[0], rel=5e-3)
    assert float(stated[2]) == pytest.approx(std[0], rel=5e-3)


@pytest.mark.parametrize(
    ("name", "function"), [("default", "predict_std"), ("three classes", "predict_proba")]
)
def test_prototypes_of_c_and_outputs_of_sql_are_there(name, function):
    text = page_text(name)
    assert re.search(rf"void model_{function}\(const double x\[MODEL_N_INPUTS\]", text)
    expected = ["mean", "std"] if name in REGRESSORS else ["label", "probability_0"]
    given = re.search(r"For each row of the table it gives (.*?)\. In Python", text)[1]
    assert all(each in given for each in expected)


@pytest.mark.slow
def test_classes_have_a_table_of_confusion():
    kind = KINDS["two classes"]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    found = cross_val_predict(kind.estimator, kind.inputs, kind.y, cv=folds)
    text = page_text("two classes")
    for label in np.unique(kind.y):
        hits = int(np.sum((found == label) & (kind.y == label)))
        row = re.search(rf'<th scope="row">{label}</th>(.*?)</tr>', text)[1]
        assert f'<span class="hit">{hits}</span>' in row
        assert f'<td class="number">{np.sum(kind.y == label)}</td>' in row
