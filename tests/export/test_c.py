"""Models as C headers: compiled and run, they say what the estimator says."""

import re
import subprocess
import warnings

import numpy as np
import pytest
from c_programs import GCC, GXX, answers, compiled, one_model, run_own_test, source
from carried import CLASSIFIERS, KINDS, REGRESSORS, fitted, largest_gap

from sparsebayes.export.c import to_c
from sparsebayes.export.c.selftest import single_loss
from sparsebayes.model import NotPortableError

pytestmark = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
NUMBERS = {name: f"kind_{k}" for k, name in enumerate(KINDS)}
# A header says at which fraction of the std, or in a probability, single precision is off. That is
# an estimate, from rounded tables; what is compiled may be off by some times as much.
SINGLE_TIMES, SINGLE_LEAST = 5.0, 2e-6


def rows_of(name, precision):
    new = KINDS[name].new
    return new.astype(np.float32).astype(float) if precision == "float" else new


def program_of_all(precision):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some lose more than 1e-3
        headers = {
            number: to_c(fitted(name), name=number, precision=precision)
            for name, number in NUMBERS.items()
        }
    rows = {number: rows_of(name, precision) for name, number in NUMBERS.items()}
    return source(headers, rows, precision)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What headers in double precision say of all kinds, by number and function."""
    return answers(compiled(program_of_all("double"), tmp_path_factory.mktemp("double")))


@pytest.fixture(scope="module")
def found_in_single(tmp_path_factory):
    """The same in single precision."""
    return answers(compiled(program_of_all("float"), tmp_path_factory.mktemp("float")))


def moments(name, rows):
    mean, std = fitted(name).predict(rows, return_std=True)
    return mean.reshape(len(rows), -1), std.reshape(len(rows), -1)


@pytest.mark.slow
@pytest.mark.parametrize("name", REGRESSORS)
def test_mean_and_std_are_those_of_the_estimator(name, found):
    mean, std = moments(name, KINDS[name].new)
    number = NUMBERS[name]
    assert largest_gap(found[number, "predict"], mean) < 1e-9
    assert largest_gap(found[number, "predict_std"], np.hstack([mean, std])) < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_probabilities_and_classes_are_those_of_the_estimator(name, found):
    model, new, number = fitted(name), KINDS[name].new, NUMBERS[name]
    assert largest_gap(found[number, "predict_proba"], model.predict_proba(new)) < 1e-9
    classes = found[number, "predict_class"][:, 0].astype(int)
    assert model.classes_[classes].tolist() == model.predict(new).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_novelty_is_there_where_covering_rows_are(name, found):
    model, number = fitted(name), NUMBERS[name]
    covers = model.to_portable().plain.spread.covers
    assert ((number, "novelty") in found) == covers
    if covers:
        gap = found[number, "novelty"][:, 0] - model.novelty(KINDS[name].new)
        assert np.abs(gap).max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_the_header_proves_itself(name, found, found_in_single):
    assert found[NUMBERS[name], "test"].startswith("right")
    assert found_in_single[NUMBERS[name], "test"].startswith("right")


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_single_precision_loses_about_what_is_expected(name, found_in_single):
    rows, number, model = rows_of(name, "float"), NUMBERS[name], fitted(name)
    if name in REGRESSORS:
        mean, std = moments(name, rows)
        gap = np.abs(found_in_single[number, "predict_std"] - np.hstack([mean, std]))
        lost = (gap / np.hstack([std, std])).max()
    else:
        lost = np.abs(found_in_single[number, "predict_proba"] - model.predict_proba(rows)).max()
    assert lost <= SINGLE_TIMES * single_loss(model.to_portable(), rows) + SINGLE_LEAST


@pytest.mark.slow
@pytest.mark.skipif(GXX is None, reason="g++ is not installed")
@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.long
def test_all_headers_are_also_cpp(precision, tmp_path):
    program = program_of_all(precision)
    compiled(program, tmp_path, compiler=GXX, language="cpp", standard="c++11")


def test_functions_that_are_not_called_are_no_warning(tmp_path):
    headers = [
        to_c(fitted(name), name=f"a{k}", std=std)
        for k, (name, std) in enumerate(
            [("default", True), ("default", False), ("two classes", True)]
        )
    ]
    compiled("\n".join([*headers, "int main(void) { return 0; }"]), tmp_path)


@pytest.mark.slow
def test_a_changed_table_fails_the_test_of_the_header(tmp_path):
    header = to_c(fitted("default"))
    assert run_own_test(header, tmp_path)[0] == 0
    tables = re.findall(r"static const double (model_(?!test)\w+)", header)
    assert {"model_items_0", "model_weights", "model_roots", "model_white_0"} <= set(tables)
    for table in tables:
        code, text = run_own_test(_with_larger(header, table), tmp_path)
        assert code == 1, table
        assert text.startswith("WRONG")


def _with_larger(header, table):
    """The header with the numbers of a table a little larger."""

    def larger(body):
        return re.sub(r"-?\d[\d.e+-]*", lambda n: repr(1.0001 * float(n.group())), body.group())

    pattern = rf"(?<=static const double {table}\[)(\d+\] = \{{)[^}}]*"
    found = re.search(pattern, header)
    start = found.end(1)
    changed = re.sub(r"[^}]+", larger, header[start : found.end()], count=1)
    return header[:start] + changed + header[found.end() :]


def test_a_wrong_expectation_fails_the_test_of_the_header(tmp_path):
    header = _with_larger(to_c(fitted("two classes")), "model_test_expected")
    assert run_own_test(header, tmp_path)[0] == 1


def test_rows_of_the_test_can_be_given(tmp_path):
    header = to_c(fitted("fast"), rows=KINDS["fast"].new)
    assert "model_test_rows[40]" in header
    code, text = run_own_test(header, tmp_path)
    assert code == 0
    assert float(re.search(r"error is (\S+) of", text).group(1)) < 1.0
    with pytest.raises(ValueError, match=r"X must have shape \(n_samples, 2\)"):
        to_c(fitted("fast"), rows=[[1.0]])


@pytest.mark.parametrize("name", ["default", "fast", "two classes", "three classes"])
def test_without_std_there_are_no_tables_of_error_bars(name, tmp_path):
    rows, model = KINDS[name].new, fitted(name)
    header = to_c(model, std=False)
    for table in ("roots", "white", "noise", "order", "amplitude", "nodes", "factor", "ranks"):
        assert f"model_{table}" not in header
    assert len(header) < len(to_c(model))
    found = one_model(model, rows, tmp_path, std=False)
    if name in REGRESSORS:
        assert set(found) == {"predict", "test"}
        assert largest_gap(found["predict"][:, 0], model.predict(rows)) < 1e-9
    else:
        assert model.classes_[found["predict_class"][:, 0].astype(int)].tolist() == list(
            model.predict(rows)
        )
    assert ("predict_proba" in found) == (name == "three classes")


@pytest.mark.parametrize("name", ["each class", "softmax, fast", "shared softmax, fast"])
def test_a_class_that_needs_error_bars_is_refused_without_them(name):
    with pytest.raises(NotPortableError, match="std=True"):
        to_c(fitted(name), std=False)


def test_columns_that_mean_and_error_bars_share_are_stored_once():
    model = fitted("two classes").to_portable()
    points = [each.items for each in (*model.plain.columns, *model.plain.spread.columns)]
    n_points = len(np.unique(np.vstack(points), axis=0))
    assert n_points < sum(map(len, points))
    assert f"model_items_0[{2 * n_points}]" in to_c(model)


def test_bytes_of_tables_in_the_comment_are_those_of_the_compiler(tmp_path):
    header = to_c(fitted("two outputs"), precision="float")
    listed = dict(re.findall(r"^ \*   (model_\w+) (\d+)$", header, flags=re.MULTILINE))
    total = int(re.search(r"Constant tables: (\d+) bytes", header).group(1))
    sizes = " + ".join(f"sizeof {name}" for name in listed)
    main = f'#include <stdio.h>\nint main(void) {{ printf("%d", (int)({sizes})); return 0; }}'
    program = compiled(f"{header}\n{main}", tmp_path)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert int(done.stdout) == total == sum(map(int, listed.values()))
