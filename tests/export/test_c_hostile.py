"""Models as C headers: odd names, odd numbers, odd models, and what is refused."""

import json
import re
import subprocess
import warnings
from dataclasses import replace

import numpy as np
import pytest
from c_programs import GCC, answers, compiled, one_model, source
from carried import KINDS, X, Y, fitted, largest_gap
from sklearn.pipeline import make_pipeline

import sparsebayes
from sparsebayes import RVR
from sparsebayes.export.c import to_c
from sparsebayes.export.c.selftest import single_loss
from sparsebayes.export.c.writing import ConstantTable, Style
from sparsebayes.export.given import probe_rows
from sparsebayes.model import NotPortableError, PortableClassifier, PortableRegressor
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.face import Face, TableColumn, TableInputs
from sparsebayes.model.latent import Plain
from sparsebayes.model.responses import CalibratedSoftmax, IntegratedSoftmax, RealTargets
from sparsebayes.model.spread import Spread

pytestmark = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
HOSTILE = (
    'a"b',
    "end */ int x;",
    "/* open",
    "new\nline",
    "ärger ≤ 5 °C",
    "\u202eright",
    "what??/",
    "\\",
)


def test_names_and_labels_cannot_break_out(tmp_path):
    model = fitted("plain classes").to_portable()
    for text in HOSTILE:
        names = (text, text)
        face = replace(model.face, feature_names=names, estimator=text)
        hostile = replace(model, face=face, classes_=np.array(["a", text]))
        header = to_c(hostile)
        listed = re.findall(r'^ \*   x\[\d\] (".*")$', header, flags=re.MULTILINE)
        assert tuple(map(json.loads, listed)) == names
        main = '#include <stdio.h>\nint main(void) { printf("%s", model_class_name(1)); return 0; }'
        program = compiled(f"{header}\n{main}", tmp_path)
        done = subprocess.run([program], capture_output=True, check=True)
        assert done.stdout.decode() == text


def test_inputs_of_a_table_with_texts_are_named():
    model = fitted("linear").to_portable()
    table = TableInputs((TableColumn("colour", ("blue", "red")),), "price")
    header = to_c(replace(model, face=replace(model.face, table=table)))
    assert 'x[1] "colour=red"' in header
    assert 'Target: "price"' in header
    assert "1 in rows with this text" in header


@pytest.mark.parametrize("name", ["", "1st", "a-b", "a b", "_x", "é", "x;", "x\n", None])
def test_a_name_that_is_no_identifier_is_refused(name):
    with pytest.raises(ValueError, match="C identifier"):
        to_c(fitted("linear"), name=name)


def test_a_precision_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match='"double" or "float", got \'half\''):
        to_c(fitted("linear"), precision="half")


def test_two_headers_live_in_one_program(tmp_path):
    models = {"left": fitted("linear"), "right": fitted("fast")}
    headers = {name: to_c(model, name=name) for name, model in models.items()}
    rows = dict.fromkeys(models, KINDS["fast"].new)
    found = answers(compiled(source(headers, rows, "double"), tmp_path))
    for name, model in models.items():
        assert largest_gap(found[name, "predict"][:, 0], model.predict(rows[name])) < 1e-9


def test_a_loaded_model_gives_the_same_header(tmp_path):
    fitted("default").save(tmp_path / "model.sbm")
    assert to_c(sparsebayes.load(tmp_path / "model.sbm")) == to_c(fitted("default"))


def test_numbers_keep_their_digits_in_both_precisions():
    model = fitted("linear").to_portable()
    for precision, kind in (("double", np.float64), ("float", np.float32)):
        header = to_c(model, precision=precision)
        body = re.search(r"model_weights\[\d+\] = \{([^}]*)\}", header).group(1)
        texts = [each.strip().rstrip("f") for each in body.split(",") if each.strip()]
        found = np.array([float(each) for each in texts]).astype(kind)
        assert found.tolist() == model.plain.weights[:, 0].astype(kind).tolist()


def test_a_warning_says_what_single_precision_loses():
    model = fitted("poly kernel").to_portable()
    lost = single_loss(model, probe_rows(model))
    assert lost > 1e-3
    with pytest.warns(UserWarning, match=f"loses about {lost:.1e} of the std"):
        header = to_c(model, precision="float")
    assert f"Single precision loses about {lost:.1e} of the std" in header
    assert "Single precision" not in to_c(fitted("poly kernel"))


def test_numbers_that_a_float_cannot_hold_are_refused():
    model = fitted("linear").to_portable()
    large = replace(model, plain=replace(model.plain, weights=1e200 * model.plain.weights))
    with pytest.raises(NotPortableError, match='precision="double"'):
        to_c(large, precision="float")


@pytest.mark.parametrize(
    ("centre", "rows", "where"),
    [(1e5, None, "rows around its own vectors"), (1.0, [[1e10]], "rows that the header tests")],
)
def test_columns_that_a_float_cannot_hold_are_refused(centre, rows, where):
    parameters = {"gamma": np.ones(1), "coef0": 0.0, "degree": 4}
    columns = PlainColumns("polynomial", np.array([[centre]]), parameters)
    spread = Spread((np.ones((1, 1)),), np.zeros(1, int), np.ones(1))
    plain = Plain((columns,), np.ones((1, 1)), spread)
    model = PortableRegressor(plain, RealTargets(np.zeros(1), np.ones(1)), Face("RVR", 1))
    assert to_c(model, rows=rows)
    with pytest.raises(NotPortableError, match=f"infinite or NaN at {where}"):
        to_c(model, precision="float", rows=rows)


@pytest.mark.parametrize("precision", ["double", "float"])
def test_infinite_numbers_are_infinite_in_c(precision, tmp_path):
    table = ConstantTable("model_ends", np.array([np.inf, -np.inf])).text(Style("model", precision))
    shown = 'printf("%f %f", (double)model_ends[0], (double)model_ends[1]);'
    main = f"int main(void) {{ {shown} return 0; }}"
    program = compiled(f"#include <math.h>\n#include <stdio.h>\n{table}\n{main}", tmp_path)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout == "inf -inf"


def test_columns_of_a_function_are_refused():
    def ridge(a, b):
        return np.tanh(a @ b.T)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RVR(kernel=ridge, inference="fast").fit(X, Y)
    with pytest.raises(NotPortableError, match="function of yours"):
        to_c(model)


def test_a_pipeline_is_refused():
    with pytest.raises(TypeError, match=r"pipeline\[-1\]"):
        to_c(make_pipeline(RVR()))


@pytest.mark.parametrize(("n_inputs", "n_used"), [(1, 1), (50, 50), (50, 3), (50, 0)])
def test_inputs_that_do_not_count_are_not_stored(n_inputs, n_used, tmp_path):
    random = np.random.default_rng(1)
    gamma = np.zeros(n_inputs)
    gamma[n_inputs - n_used :] = 0.1
    columns = PlainColumns("gaussian", random.normal(size=(8, n_inputs)), {"gamma": gamma})
    spread = Spread((random.normal(size=(8, 8)),), np.zeros(1, int), np.ones(1))
    plain = Plain((columns,), random.normal(size=(8, 1)), spread)
    face = Face("RVR", n_inputs)
    model = PortableRegressor(plain, RealTargets(np.ones(1), np.full(1, 0.1)), face)
    rows = random.normal(size=(10, n_inputs))
    found = one_model(model, rows, tmp_path)
    expected = np.column_stack(model.predict(rows, return_std=True))
    assert largest_gap(found["predict_std"], expected) < 1e-9
    assert found["test"].startswith("right")
    assert f"model_items_0[{max(1, 8 * n_used)}]" in to_c(model)


def test_outputs_of_one_process_have_their_factors(tmp_path):
    model = fitted("fast").to_portable()
    spread = replace(model.plain.spread, process=np.zeros(2, int), factor=np.array([0.5, 2.0]))
    weights = np.hstack([model.plain.weights, -model.plain.weights])
    response = RealTargets(np.array([1.0, 2.0]), np.array([0.1, 0.2]))
    face = replace(model.face, squeezed=False)
    two = PortableRegressor(Plain(model.plain.columns, weights, spread), response, face)
    rows = KINDS["fast"].new
    found = one_model(two, rows, tmp_path)
    assert largest_gap(found["predict_std"], np.hstack(two.predict(rows, return_std=True))) < 1e-9


@pytest.mark.parametrize("usual", [0.0, 0.05, 1e9])
def test_a_softmax_is_less_certain_where_it_is_unusual(usual, tmp_path):
    model = replace(fitted("softmax").to_portable(), response=CalibratedSoftmax(usual))
    rows = KINDS["softmax"].new
    found = one_model(model, rows, tmp_path)
    assert largest_gap(found["predict_proba"], model.predict_proba(rows)) < 1e-9


def test_classes_that_are_integrated_can_have_covering_rows(tmp_path):
    other = fitted("softmax, fast").to_portable()
    model = fitted("each class").to_portable()
    integrated = PortableClassifier(model.plain, other.response, model.face, model.classes_)
    assert isinstance(integrated.response, IntegratedSoftmax)
    rows = KINDS["each class"].new[:8]
    found = one_model(integrated, rows, tmp_path)
    assert largest_gap(found["predict_proba"], integrated.predict_proba(rows)) < 1e-9
    assert np.abs(found["novelty"][:, 0] - integrated.novelty(rows)).max() < 1e-9
