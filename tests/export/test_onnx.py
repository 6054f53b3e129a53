"""Models in ONNX, run by onnxruntime, beside the estimators themselves."""

import json
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from carried import (
    CLASSIFIERS,
    KINDS,
    NEW,
    REGRESSORS,
    THREE,
    TWO,
    X,
    Y,
    fitted,
    largest_gap,
)
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from sparsebayes import RVC, RVR, GaussianKernel, Linear, SparseBayesClassifier
from sparsebayes.export.given import MOST_LOST, probe_rows
from sparsebayes.export.onnx_graph import register_converters, to_onnx
from sparsebayes.export.onnx_graph.graph import Graph
from sparsebayes.export.onnx_graph.model import single_loss
from sparsebayes.export.onnx_graph.roots import symmetric_root
from sparsebayes.model import NotPortableError, PortableClassifier, PortableRegressor
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.face import Face, TableColumn, TableInputs
from sparsebayes.model.latent import Plain
from sparsebayes.model.responses import (
    CalibratedSoftmax,
    IntegratedSoftmax,
    RealTargets,
)
from sparsebayes.model.spread import one_each

onnx = pytest.importorskip("onnx", reason="the extra onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime")
skl2onnx = pytest.importorskip("skl2onnx")

AGREES = 1e-9
TYPES = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(string)": object}
TYPES["tensor(int64)"] = np.int64
ignore_loss = pytest.mark.filterwarnings("ignore:in single precision")
# Kernels that grow without bound have large numbers that cancel: floats lose more.
GROWING = ("poly", "linear_spline")


def run(proto, rows):
    """The outputs by name, of rows of an array or of a data frame."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    inputs = session.get_inputs()
    if len(inputs) == 1:
        given = {inputs[0].name: np.asarray(rows).astype(TYPES[inputs[0].type])}
    else:
        given = {
            each.name: np.asarray(rows[each.name]).astype(TYPES[each.type])[:, None]
            for each in inputs
        }
    names = [each.name for each in session.get_outputs()]
    return dict(zip(names, session.run(None, given), strict=True))


@pytest.mark.parametrize("name", REGRESSORS)
def test_doubles_of_a_regressor_agree(name):
    found = run(to_onnx(fitted(name)), KINDS[name].new)
    mean, std = fitted(name).predict(KINDS[name].new, return_std=True)
    assert list(found) == ["mean", "std"]
    assert largest_gap(found["mean"], mean) < AGREES
    assert largest_gap(found["std"], std) < AGREES
    assert found["mean"].dtype == np.float64


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_doubles_of_a_classifier_agree(name):
    found = run(to_onnx(fitted(name)), KINDS[name].new)
    assert list(found) == ["label", "probabilities"]
    np.testing.assert_array_equal(found["label"], fitted(name).predict(KINDS[name].new))
    assert largest_gap(found["probabilities"], fitted(name).predict_proba(KINDS[name].new)) < AGREES


@ignore_loss
@pytest.mark.parametrize("name", REGRESSORS)
def test_floats_of_a_regressor_lose_little_of_the_std(name):
    model, rows = fitted(name), KINDS[name].new
    found = run(to_onnx(model, precision="float"), rows)
    mean, std = model.predict(rows, return_std=True)
    assert found["mean"].dtype == found["std"].dtype == np.float32
    most = 1e-2 if name.startswith(GROWING) else 1e-3
    assert np.max(np.abs(found["mean"] - mean) / std) < most
    assert np.max(np.abs(found["std"] - std) / std) < most


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_floats_of_a_classifier_lose_little_probability(name):
    model, rows = fitted(name), KINDS[name].new
    found = run(to_onnx(model, precision="float"), rows)
    expected = model.predict_proba(rows)
    # Beyond 1e-3 there is a warning, which would be an error here.
    most = 1e-3 if "poly" in name or "spline" in name else 1e-5
    assert np.max(np.abs(found["probabilities"] - expected)) < most
    # Far from the data two classes can be as probable as each other.
    second, first = np.sort(expected, axis=1)[:, -2:].T
    clear = first - second > 2.0 * most
    np.testing.assert_array_equal(found["label"][clear], model.predict(rows)[clear])
    assert clear.sum() > len(rows) / 2


@ignore_loss
@pytest.mark.parametrize("name", KINDS)
def test_the_loss_that_is_told_is_that_of_the_runtime(name):
    model = fitted(name)
    plain = model.to_portable()
    rows = probe_rows(plain)
    found = run(to_onnx(model, precision="float"), rows)
    told = single_loss(plain, std=True)
    if name in REGRESSORS:
        mean, std = model.predict(rows, return_std=True)
        lost = max(
            np.max(np.abs(found[each] - exact) / std)
            for each, exact in (("mean", mean), ("std", std))
        )
    else:
        lost = np.max(np.abs(found["probabilities"] - model.predict_proba(rows)))
    # Sums of floats differ with their order, so the figures do by a factor, and in the last digit.
    assert told / 3.0 - 1e-7 < lost < 3.0 * told + 1e-7


@pytest.mark.parametrize("name", ["default", "two outputs", "two classes", "softmax, fast"])
@pytest.mark.parametrize("n_rows", [0, 1, 1000])
def test_any_number_of_rows_is_taken(name, n_rows):
    rows = np.random.default_rng(1).uniform(-1.0, 3.0, size=(n_rows, 2))
    found = run(to_onnx(fitted(name)), rows)
    first, second = found.values()
    if not n_rows:
        assert len(first) == len(second) == 0
    elif name in REGRESSORS:
        assert largest_gap(second, fitted(name).predict(rows, return_std=True)[1]) < AGREES
    else:
        assert largest_gap(second, fitted(name).predict_proba(rows)) < AGREES


def test_outputs_have_the_shapes_of_predict():
    assert run(to_onnx(fitted("default")), NEW)["mean"].shape == (len(NEW),)
    assert run(to_onnx(fitted("two outputs")), NEW)["std"].shape == (len(NEW), 2)


def test_std_can_be_left_out():
    assert list(run(to_onnx(fitted("default"), std=False), NEW)) == ["mean"]


@pytest.mark.parametrize("precision", ["double", "float"])
def test_opset_and_format_are_pinned(precision):
    proto = to_onnx(fitted("default"), precision=precision)
    assert proto.ir_version == 8
    assert [(each.domain, each.version) for each in proto.opset_import] == [("", 17)]


def test_a_model_says_what_it_is():
    model = RVC().fit(pd.DataFrame(X, columns=["height", "weight"]), TWO)
    proto = to_onnx(model)
    about = {each.key: each.value for each in proto.metadata_props}
    assert proto.producer_name == "sparsebayes"
    assert proto.producer_version
    assert "RVC" in proto.doc_string
    assert about["estimator"] == "RVC"
    assert json.loads(about["feature_names"]) == ["height", "weight"]
    assert json.loads(about["classes"]) == ["no", "yes"]


def test_the_bytes_are_the_same_each_time():
    first, second = (to_onnx(fitted("softmax, fast")).SerializeToString() for _ in range(2))
    assert first == second


def test_what_was_loaded_is_written_as_the_estimator_is():
    model = fitted("default")
    assert to_onnx(model.to_portable()).SerializeToString() == to_onnx(model).SerializeToString()


def test_many_inputs_are_summed_in_parts():
    random = np.random.default_rng(2)
    inputs = random.normal(size=(50, 70))
    targets = inputs[:, 0] + inputs[:, 69] + random.normal(size=50)
    model = RVR(gamma=1e-3, inference="fast").fit(inputs, targets)
    found = run(to_onnx(model), inputs + 0.1)
    assert largest_gap(found["mean"], model.predict(inputs + 0.1)) < AGREES


@pytest.mark.parametrize("formula", ["gaussian", "linear_spline", "products"])
def test_differences_and_products_of_many_inputs_are_held_for_some_at_a_time(formula):
    random = np.random.default_rng(2)
    items = random.uniform(size=(5, 70))
    items = np.round(items) if formula == "products" else items
    parameters = {"gamma": np.ones(70)} if formula == "gaussian" else {}
    plain = Plain(
        (PlainColumns(formula, items, parameters),),
        random.normal(size=(5, 1)),
        one_each([random.normal(size=(5, 2))]),
    )
    response = RealTargets(np.ones(1), np.ones(1))
    model = PortableRegressor(plain, response, Face("RVR", 70, squeezed=True))
    proto = to_onnx(model)
    rows = random.uniform(0.5, 1.5, size=(20, 70))
    found = run(proto, rows)
    mean, std = model.predict(rows, return_std=True)
    assert largest_gap(found["mean"], mean) < AGREES
    assert largest_gap(found["std"], std) < AGREES
    inner = onnx.shape_inference.infer_shapes(proto).graph.value_info
    shapes = [[each.dim_value for each in value.type.tensor_type.shape.dim] for value in inner]
    assert max(max(shape[1:]) for shape in shapes if len(shape) == 3) == 32


def plain_classes(response, n_classes, seed=0, scale=1.0):
    """A made-up model of classes with weights and roots of their own."""
    random = np.random.default_rng(seed)
    columns = PlainColumns("gaussian", random.normal(size=(6, 2)), {"gamma": np.ones(2)})
    weights = scale * random.normal(size=(6, n_classes))
    roots = [random.normal(size=(6, 6 * n_classes)) for _ in range(n_classes)]
    plain = Plain((columns,), weights, one_each(roots))
    return PortableClassifier(plain, response, Face("RVC", 2, squeezed=False), np.arange(n_classes))


@pytest.mark.parametrize("n_classes", [2, 3, 6, 11])
def test_classes_with_weights_of_their_own_agree_whatever_their_number(n_classes):
    nodes = np.random.default_rng(3).normal(size=(16, n_classes))
    model = plain_classes(IntegratedSoftmax(nodes, own_weights=True), n_classes)
    rows = np.random.default_rng(4).normal(size=(40, 2))
    found = run(to_onnx(model), rows)
    assert largest_gap(found["probabilities"], model.predict_proba(rows)) < AGREES


@pytest.mark.parametrize("n_values", [2, 3, 8, 15])
def test_the_root_of_a_matrix_is_its_root(n_values):
    random = np.random.default_rng(7)
    # Classes that vary together by much and apart by little need the most rotations.
    together = random.normal(size=(200, 1, n_values))
    half = together + 1e-2 * random.normal(size=(200, n_values, n_values))
    covariance = half @ half.transpose(0, 2, 1)
    graph = Graph(np.float64)
    root = symmetric_root(graph.named("X"), n_values)
    shape = (None, n_values, n_values)
    parts = [graph.value("X", shape)], [graph.value(root.name, shape)]
    opset = onnx.helper.make_opsetid("", 17)
    proto = onnx.helper.make_model(
        graph.proto("root", *parts, constants=True), opset_imports=[opset], ir_version=8
    )
    (found,) = run(proto, covariance).values()
    size = np.abs(covariance).max(axis=(1, 2), keepdims=True)
    assert np.max(np.abs(found @ found - covariance) / size) < 1e-13
    assert np.max(np.abs(found - found.transpose(0, 2, 1)) / np.sqrt(size)) < 1e-13


@pytest.mark.parametrize("usual", [0.0, 0.5, np.inf])
def test_unusual_uncertainty_moderates_classes(usual):
    model = plain_classes(CalibratedSoftmax(usual), 3)
    found = run(to_onnx(model), NEW)
    assert largest_gap(found["probabilities"], model.predict_proba(NEW)) < AGREES


@pytest.mark.parametrize(
    "name", ["two classes", "each class", "softmax", "shared softmax, fast", "ordered, fast"]
)
def test_tiny_probabilities_have_all_their_digits(name):
    model = fitted(name).to_portable()
    plain = replace(model.plain, weights=20.0 * model.plain.weights)
    model = replace(model, plain=plain)
    found = run(to_onnx(model), X)
    expected = model.predict_proba(X)
    assert 0.0 < expected.min() < 1e-20
    assert largest_gap(found["probabilities"], expected) < AGREES


@pytest.mark.parametrize("precision", ["double", "float"])
def test_a_model_without_columns_says_its_offset(precision):
    model = fitted("fast").to_portable()
    plain = Plain((), np.zeros((0, 1)), one_each([np.zeros((0, 0))]))
    model = replace(model, plain=plain)
    found = run(to_onnx(model, precision=precision), NEW)
    mean, std = model.predict(NEW, return_std=True)
    np.testing.assert_allclose(found["mean"], mean, rtol=1e-6)
    np.testing.assert_allclose(found["std"], std, rtol=1e-6)


@pytest.mark.parametrize(
    ("labels", "kind"),
    [(THREE.astype(float), np.int64), (THREE > 0, np.int64), (TWO.astype(object), object)],
)
def test_labels_are_whole_numbers_or_texts(labels, kind):
    model = SparseBayesClassifier(Linear()).fit(X, labels)
    found = run(to_onnx(model), NEW)["label"]
    assert found.dtype == kind
    np.testing.assert_array_equal(found, model.predict(NEW))


def test_other_labels_are_refused():
    model = replace(fitted("two classes").to_portable(), classes_=np.array([0.5, 1.5]))
    with pytest.raises(NotPortableError, match=r"classes are \[0.5, 1.5\]; labels of ONNX are"):
        to_onnx(model)


def test_columns_made_by_a_function_are_refused():
    model = RVR(kernel=lambda a, b: a @ b.T, inference="fast").fit(X, Y)
    with pytest.raises(NotPortableError):
        to_onnx(model)


def test_what_is_no_model_is_refused():
    with pytest.raises(TypeError, match="got LinearModel"):
        to_onnx(type("LinearModel", (), {})())
    with pytest.raises(NotFittedError):
        to_onnx(RVR())
    with pytest.raises(ValueError, match="precision must be"):
        to_onnx(fitted("default"), precision="half")


def small_noise_far_from_zero():
    inputs = 1e5 + np.linspace(0.0, 6.0, 40)[:, None]
    noise = 1e-4 * np.random.default_rng(5).normal(size=40)
    model = RVR(gamma=1.0, inference="fast").fit(inputs, np.sin(inputs[:, 0]) + noise)
    return inputs, model


def test_a_loss_of_floats_is_told_with_its_figure():
    inputs, model = small_noise_far_from_zero()
    told = single_loss(model.to_portable(), std=True)
    assert told > 1.0
    with pytest.warns(UserWarning, match=f"wrong by up to {told:.2g} standard deviations at and"):
        proto = to_onnx(model, precision="float")
    mean, std = model.predict(inputs, return_std=True)
    assert np.max(np.abs(run(proto, inputs)["mean"] - mean) / std) > 1.0
    with pytest.warns(UserWarning, match="at the rows X"):
        to_onnx(model, precision="float", X=inputs)


def test_floats_lose_nothing_but_the_digits_of_the_rows_far_from_zero():
    """Centres keep their digits: rows that are floats have the predictions of doubles."""
    inputs, model = small_noise_far_from_zero()
    rows = inputs.astype(np.float32).astype(np.float64)
    with pytest.warns(UserWarning, match="single precision"):
        found = run(to_onnx(model, precision="float"), rows)
    whole = run(to_onnx(model), rows)
    rounded = np.abs(found["mean"] - whole["mean"]) / whole["std"]
    beside = np.abs(model.predict(inputs) - whole["mean"]) / whole["std"]
    assert rounded.max() < 0.05 * beside.max()


def test_a_loss_of_probability_is_told():
    inputs = 1e6 + 0.1 * X
    model = RVC(kernel="rbf", gamma=30.0, inference="fast").fit(inputs, TWO)
    with pytest.warns(UserWarning, match="probabilities of this model are wrong by up to"):
        to_onnx(model, precision="float")


def test_a_good_model_has_no_warning():
    to_onnx(fitted("default"), precision="float")
    assert single_loss(fitted("default").to_portable(), std=True) < MOST_LOST


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"needs onnx.*pip install 'sparsebayes\[onnx\]'"):
        to_onnx(fitted("default"))


def test_a_missing_skl2onnx_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    with pytest.raises(ImportError, match=r"needs skl2onnx.*pip install 'sparsebayes\[onnx\]'"):
        register_converters()


# Tables.


def of_a_table(names=("colour", "size")):
    """A model of one column of texts and one of numbers."""
    texts = np.array(["red", "green", "blue"])[np.arange(len(X)) % 3]
    colour = TableColumn(names[0], ("blue", "green", "red"))
    table = TableInputs((colour, TableColumn(names[1])), "y")
    frame = pd.DataFrame({names[0]: texts, names[1]: X[:, 0]})
    model = RVR().fit(table.inputs(frame), Y).to_portable()
    return replace(model, face=replace(model.face, table=table)), frame


@pytest.mark.parametrize(("precision", "most"), [("double", AGREES), ("float", 1e-3)])
def test_columns_of_a_table_are_inputs_with_their_names(precision, most):
    model, frame = of_a_table()
    proto = to_onnx(model, precision=precision)
    found = run(proto, frame)
    mean, std = model.predict(model.face.table.inputs(frame), return_std=True)
    assert [each.name for each in proto.graph.input] == ["colour", "size"]
    assert np.max(np.abs(found["mean"] - mean) / std) < most
    assert np.max(np.abs(found["std"] - std) / std) < most


def test_a_text_that_is_new_is_an_error():
    model, frame = of_a_table()
    with pytest.raises(Exception, match="Unknown Category"):
        run(to_onnx(model), frame.assign(colour="purple"))


def test_a_column_that_is_called_as_an_output_is_refused():
    model, _ = of_a_table(("colour", "std"))
    with pytest.raises(NotPortableError, match="a column of the table is called 'std'"):
        to_onnx(model)


# Pipelines, and skl2onnx itself.

FRAME = pd.DataFrame(
    {
        "a": X[:, 0],
        "b": 100.0 * X[:, 1],
        "colour": np.array(["red", "green", "blue"])[np.arange(len(X)) % 3],
        "n": np.arange(len(X)) % 4,
    }
)


def encoded(estimator):
    encoder = ColumnTransformer(
        [("texts", OneHotEncoder(), ["colour"]), ("numbers", StandardScaler(), ["a", "b", "n"])]
    )
    return make_pipeline(encoder, estimator)


@pytest.mark.parametrize(("precision", "most"), [("double", AGREES), ("float", 1e-3)])
def test_a_scaler_and_a_regressor_are_one_model(precision, most):
    model = make_pipeline(StandardScaler(), RVR()).fit(X, Y)
    proto = to_onnx(model, precision=precision, X=X)
    found = run(proto, NEW)
    mean, std = model.predict(NEW, return_std=True)
    assert list(found) == ["mean", "std"]
    assert found["mean"].shape == mean.shape
    assert np.max(np.abs(found["mean"] - mean) / std) < most
    assert np.max(np.abs(found["std"] - std) / std) < most


@pytest.mark.parametrize(("precision", "most"), [("double", AGREES), ("float", 1e-4)])
@pytest.mark.parametrize("labels", [TWO, THREE])
def test_an_encoder_and_a_classifier_are_one_model(labels, precision, most):
    model = encoded(RVC()).fit(FRAME, labels)
    proto = to_onnx(model, precision=precision, X=FRAME)
    found = run(proto, FRAME)
    assert list(found) == ["label", "probabilities"]
    np.testing.assert_array_equal(found["label"], model.predict(FRAME))
    assert largest_gap(found["probabilities"], model.predict_proba(FRAME)) < most
    assert [each.name for each in proto.graph.input] == list(FRAME)


def test_a_pipeline_has_the_pinned_opset_and_says_what_it_is():
    model = encoded(RVC()).fit(FRAME, TWO)
    proto = to_onnx(model, X=FRAME)
    about = {each.key: each.value for each in proto.metadata_props}
    domains = [each.domain for each in proto.opset_import]
    assert proto.ir_version == 8
    assert {each.domain: each.version for each in proto.opset_import}[""] == 17
    assert domains == sorted(domains)
    assert json.loads(about["feature_names"]) == list(FRAME)
    assert proto.SerializeToString() == to_onnx(model, X=FRAME).SerializeToString()


def test_a_pipeline_without_rows_is_refused():
    model = make_pipeline(StandardScaler(), RVR(inference="fast")).fit(X, Y)
    with pytest.raises(TypeError, match=r"Use to_onnx\(pipeline, X=X\)"):
        to_onnx(model)


def test_a_pipeline_of_floats_tells_its_loss():
    inputs, _ = small_noise_far_from_zero()
    noise = 1e-7 * np.random.default_rng(6).normal(size=40)
    model = make_pipeline(StandardScaler(), RVR(gamma=1.0, inference="fast"))
    model.fit(inputs, np.sin(inputs[:, 0]) + noise)
    with pytest.warns(UserWarning, match="single precision"):
        to_onnx(model, precision="float", X=inputs)


@pytest.mark.parametrize("opset", [13, 17, 22])
def test_skl2onnx_converts_for_any_opset(opset):
    register_converters()
    model = fitted("softmax, fast")
    options = {RVC: {"zipmap": False}}
    found = run(skl2onnx.to_onnx(model, X, target_opset=opset, options=options), NEW)
    assert largest_gap(found["probabilities"], model.predict_proba(NEW)) < AGREES
    model = fitted("two outputs")
    options = {RVR: {"return_std": True}}
    found = run(skl2onnx.to_onnx(model, X, target_opset=opset, options=options), NEW)
    assert largest_gap(found["variable"], model.predict(NEW)) < AGREES
    assert largest_gap(found["std"], model.predict(NEW, return_std=True)[1]) < AGREES


def test_an_older_opset_is_refused():
    register_converters()
    with pytest.raises(NotPortableError, match="target_opset is 12"):
        skl2onnx.to_onnx(fitted("default"), X, target_opset=12)


def test_skl2onnx_has_the_shapes_of_its_other_regressors():
    register_converters()
    model = fitted("default")
    found = run(skl2onnx.to_onnx(model, X.astype(np.float32), target_opset=17), NEW)
    assert {name: (each.shape, each.dtype) for name, each in found.items()} == {
        "variable": ((len(NEW), 1), np.float32)
    }


@pytest.mark.parametrize("name", ["two classes", "three classes"])
def test_probabilities_are_maps_with_zipmap(name):
    register_converters()
    model = fitted(name)
    inputs = X.astype(np.float32)
    found = run(skl2onnx.to_onnx(model, inputs, target_opset=17), NEW)
    assert [list(each) for each in found["output_probability"][:1]] == [list(model.classes_)]
    options = {RVC: {"zipmap": False, "nocl": True}}
    found = run(skl2onnx.to_onnx(model, inputs, target_opset=17, options=options), NEW)
    np.testing.assert_array_equal(model.classes_[found["label"]], model.predict(NEW))


def test_a_search_is_converted():
    register_converters()
    search = GridSearchCV(RVC(inference="fast"), {"kernel": ["rbf", "linear"]}, cv=2).fit(X, TWO)
    options = {"zipmap": False}
    found = run(skl2onnx.to_onnx(search, X, target_opset=17, options=options), NEW)
    assert largest_gap(found["probabilities"], search.predict_proba(NEW)) < AGREES


def test_columns_of_a_frame_are_joined_whatever_their_types():
    register_converters()
    frame = FRAME[["a", "n"]]
    model = RVR(inference="fast").fit(frame, Y)
    found = run(skl2onnx.to_onnx(model, frame, target_opset=17), frame)
    assert largest_gap(found["variable"][:, 0], model.predict(frame)) < AGREES


def test_a_whole_kernel_and_linear_basis_goes_through_a_pipeline():
    model = make_pipeline(StandardScaler(), SparseBayesClassifier(GaussianKernel() + Linear()))
    model.fit(X, THREE)
    found = run(to_onnx(model, X=X), NEW)
    assert largest_gap(found["probabilities"], model.predict_proba(NEW)) < AGREES
