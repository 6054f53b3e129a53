"""Files of models: what is written is read, and what is no model is refused by our own error."""

import io
import json
import os
import re
import sys

import numpy as np
import pytest
from carried import KINDS, NEW, X, Y, fitted

import sparsebayes
from sparsebayes import RVR, Basis, ModelFileError, NotPortableError, SparseBayesRegressor, load
from sparsebayes.basis import RECIPES
from sparsebayes.inference import INFERENCES
from sparsebayes.model import PortableModel
from sparsebayes.model.container import pack, unpack
from sparsebayes.model.files import from_bytes, to_bytes
from studies.carry.files import damaged


def said(model, new):
    """All that a model says of rows."""
    if hasattr(model, "predict_proba"):
        return [model.predict_proba(new), model.decision_function(new), model.predict(new)]
    return [*model.predict(new, return_std=True), model.predict_quantiles(new)]


def same(found, expected):
    return all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


ATTRIBUTES = [
    *("weights_", "weight_precision_", "relevance_", "log_evidence_", "lower_bound_", "n_iter_"),
    *("outcome_", "column_names_", "covering_", "noise_std_", "offset_", "noise_posterior_"),
    *("gamma_", "input_relevance_", "coef_", "coef_std_", "intercept_", "selected_", "inclusion_"),
    *("covariance_", "relevance_vectors_", "covering_vectors_", "dual_coef_", "n_features_in_"),
    *("classes_",),
]


@pytest.mark.parametrize("name", KINDS)
def test_a_file_gives_the_plain_model_and_the_estimator_back(name, tmp_path):
    model, new = fitted(name), KINDS[name].new
    model.save(tmp_path / "model.sbm")
    loaded = load(tmp_path / "model.sbm")
    assert same(said(loaded, new), said(model.to_portable(), new))
    again = loaded.to_estimator()
    assert type(again) is type(model)
    assert repr(again) == repr(model)
    assert same(said(again, new), said(model, new))
    assert str(again.history_) == str(model.history_)
    for attribute in ATTRIBUTES:
        assert hasattr(again, attribute) is hasattr(model, attribute)
        if hasattr(model, attribute):
            np.testing.assert_array_equal(getattr(again, attribute), getattr(model, attribute))


def test_parameters_of_every_kind_come_back(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b ü"])
    inference = sparsebayes.Variational(weight_hyperprior=sparsebayes.Gamma(1.0, 1e-3))
    model = RVR(
        gamma=np.array([1.0, 2.0]), inference=inference, centres=X[:9], tol=np.float32(0.01)
    )
    model.fit(frame, Y).save(tmp_path / "model.sbm")
    again = load(tmp_path / "model.sbm").to_estimator()
    assert again.inference == inference
    np.testing.assert_array_equal(again.gamma, model.gamma)
    np.testing.assert_array_equal(again.centres, X[:9])
    assert list(again.feature_names_in_) == ["a", "b ü"]
    assert same(said(again, frame), said(model, frame))
    refitted = again.fit(frame, Y)
    assert same(said(refitted, frame), said(model, frame))


LABELS = {
    "whole numbers": np.array([3, 7]),
    "texts": np.array(["a", "ü"]),
    "objects": np.array(["a", "ü"], dtype=object),
    "truth values": np.array([False, True]),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_labels_of_any_kind_come_back(labels, tmp_path):
    y = labels[(Y > 3.0).astype(int)]
    model = sparsebayes.RVC(gamma=1.0, class_weight={labels[0]: 2.0}).fit(X, y)
    model.save(tmp_path / "model.sbm")
    loaded = load(tmp_path / "model.sbm")
    assert loaded.classes_.dtype.kind == model.classes_.dtype.kind
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert loaded.to_estimator().class_weight == model.class_weight


def test_a_sparse_model_comes_back():
    from scipy.sparse import csr_matrix

    rows = csr_matrix(np.where(X > 1.0, X, 0.0))
    model = RVR(gamma=1.0).fit(rows, Y)
    again = from_bytes(to_bytes(model.to_portable())).to_estimator()
    np.testing.assert_array_equal(again.predict(rows), model.predict(rows))
    assert (again.relevance_vectors_ != model.relevance_vectors_).nnz == 0


def test_every_recipe_and_every_inference_can_be_in_a_file():
    from sparsebayes.estimators._saving import RECORDS

    kinds = {getattr(sparsebayes, name) for name in RECIPES if name != "Basis"}
    assert kinds | set(INFERENCES.values()) <= set(RECORDS.values())


def test_a_file_that_is_open_and_text_paths(tmp_path):
    buffer = io.BytesIO()
    fitted("default").save(buffer)
    fitted("default").save(str(tmp_path / "model.sbm"))
    assert (tmp_path / "model.sbm").read_bytes() == buffer.getvalue()
    buffer.seek(0)
    assert same(said(load(buffer), NEW), said(load(str(tmp_path / "model.sbm")), NEW))


def test_two_saves_are_the_same_bytes_and_a_loaded_model_saves_the_same():
    data = to_bytes(fitted("two classes").to_portable())
    assert data == to_bytes(fitted("two classes").to_portable())
    assert data == to_bytes(from_bytes(data))


def test_the_safetensors_library_reads_a_file():
    reader = pytest.importorskip("safetensors.numpy")
    data = to_bytes(fitted("default").to_portable())
    _, arrays = unpack(data)
    found = reader.load(data)
    assert len(found) == len(arrays)
    for k, array in enumerate(arrays):
        np.testing.assert_array_equal(found[f"a{k}"], array)


def test_a_save_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.sbm"
    path.write_bytes(b"old")

    class Mine(Basis):
        def bind(self, inputs, weight):
            return sparsebayes.Linear().bind(inputs, weight)

    model = SparseBayesRegressor(Mine()).fit(X, Y)
    with pytest.raises(NotPortableError, match="basis of SparseBayesRegressor holds Mine"):
        model.save(path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["model.sbm"]
    plain = model.to_portable()
    np.testing.assert_allclose(plain.predict(X), model.predict(X))
    with pytest.raises(NotPortableError, match="without its estimator"):
        plain.to_estimator()


# What is no model.


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "cut off"),
        (b"abc", "cut off"),
        (b"PK\x03\x04" + b"\x00" * 100, "cut off|header"),
        (b"a,b\n1,2\n" * 50, "cut off"),
        (pack({"format": "other"}, []), "holds something else"),
        (pack({}, [np.zeros(3)]), "holds something else"),
        (pack({"format": "sparsebayes", "version": "2"}, []), "install a newer one"),
        (pack({"format": "sparsebayes", "version": "1"}, []), "does not hold a model"),
        (pack({"format": "sparsebayes", "version": "1", "model": "{}"}, []), "not hold a model"),
        (pack({"format": "sparsebayes", "version": "1", "model": "[" * 10**5}, []), "not hold"),
    ],
)
def test_what_is_no_model_is_refused_with_the_name_of_the_file(data, words, tmp_path):
    path = tmp_path / "some.sbm"
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match=words) as caught:
        load(path)
    assert "some.sbm" in str(caught.value)


def test_a_file_that_is_not_there_is_an_ordinary_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.sbm")


def test_a_file_of_a_newer_version_says_so():
    texts, arrays = unpack(to_bytes(fitted("default").to_portable()))
    with pytest.raises(ModelFileError, match=r"version '2' of the format.*reads 1 to 1"):
        from_bytes(pack({**texts, "version": "2"}, arrays))


def test_a_pickle_is_no_model_and_is_not_run(tmp_path):
    import pickle

    class Evil:
        def __reduce__(self):
            return (os.system, (f"touch {tmp_path / 'run'}",))

    (tmp_path / "model.sbm").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(ModelFileError):
        load(tmp_path / "model.sbm")
    assert not (tmp_path / "run").exists()


# Damage. The checksum tells any change; files with a new checksum test what is behind it.


def refused(data):
    """Whether our own error is raised, and nothing else."""
    try:
        from_bytes(data)
    except ModelFileError:
        return True
    return False


@pytest.mark.parametrize("name", ["default", "two classes", "softmax, fast", "linear and kernel"])
def test_a_thousand_damaged_files_are_all_refused(name):
    data = to_bytes(fitted(name).to_portable())
    assert not refused(data)
    random = np.random.default_rng(0)
    for _ in range(1000):
        bad = damaged(data, random)
        assert bad == data or refused(bad)


def every_place(tree, path=()):
    """The paths to all values of JSON."""
    yield path
    if not isinstance(tree, dict | list):
        return
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield from every_place(value, (*path, key))


def changed(tree, path, value):
    """JSON with another value in one place."""
    if not path:
        return value
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = changed(tree[path[0]], path[1:], value)
    return copy


VALUES = [None, True, -1, 10**30, 1.5, "x", [], {}, {"array": 10**6}, {"record": "os.system"}]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["model", "estimator"])
@pytest.mark.parametrize(
    "name",
    [
        *("default", "two classes", "softmax, fast", "variational"),
        *("student", "negative binomial", "varying noise", "ordered"),
    ],
)
def test_files_with_other_values_and_a_right_checksum_run_nothing_and_raise_our_error(name, text):
    texts, arrays = unpack(to_bytes(fitted(name).to_portable()))
    tree = json.loads(texts[text])
    random = np.random.default_rng(0)
    places = list(every_place(tree))
    n_refused = 0
    for _ in range(400):
        place = places[random.integers(len(places))]
        value = VALUES[random.integers(len(VALUES))]
        bad = pack({**texts, text: json.dumps(changed(tree, place, value))}, arrays)
        try:
            model = from_bytes(bad)
            if text == "estimator":
                model.to_estimator()
            elif model.face.n_features == NEW.shape[1]:
                found = said(model, NEW)
                assert all(np.isfinite(each).all() for each in found if each.dtype.kind == "f")
            assert isinstance(model, PortableModel)
        except (ModelFileError, NotPortableError):
            n_refused += 1
    assert n_refused > 40


@pytest.mark.parametrize(
    "name",
    ["default", "two classes", "softmax, fast", "negative binomial", "varying noise", "ordered"],
)
def test_files_with_other_shapes_and_a_right_checksum_are_refused_or_predict(name):
    texts, arrays = unpack(to_bytes(fitted(name).to_portable()))
    for k, array in enumerate(arrays):
        for other in (array.ravel()[:-1], array[None], np.full(array.shape, np.nan), array[:0]):
            bad = pack(texts, [*arrays[:k], other, *arrays[k + 1 :]])
            try:
                found = said(from_bytes(bad), NEW)
            except ValueError:
                continue
            assert all(np.isfinite(each).all() for each in found if each.dtype.kind == "f")


def test_no_class_can_be_named_that_is_not_in_the_table():
    texts, arrays = unpack(to_bytes(fitted("default").to_portable()))
    bad = re.sub('"record": "[A-Za-z]+"', '"record": "subprocess.Popen"', texts["model"], count=1)
    before = set(sys.modules)
    with pytest.raises(ModelFileError, match="does not hold a model"):
        from_bytes(pack({**texts, "model": bad}, arrays))
    assert set(sys.modules) == before


# Triangular matrices.


def test_triangular_matrices_are_stored_without_their_zeros():
    texts, arrays = unpack(to_bytes(fitted("default").to_portable()))
    spread = fitted("default").to_portable().plain.spread
    size = len(spread.whiteners[0])
    assert size >= 8
    assert (size * (size + 1) // 2,) in [array.shape for array in arrays]
    assert (size, size) not in [array.shape for array in arrays]
    assert '"lower"' in texts["model"]


def test_a_triangle_of_another_size_is_refused():
    texts, arrays = unpack(to_bytes(fitted("default").to_portable()))
    bad = texts["model"].replace('"size": ', '"size": 1')
    with pytest.raises(ModelFileError, match="not hold a model"):
        from_bytes(pack({**texts, "model": bad}, arrays))


# Where files are.


def test_a_link_is_followed_and_a_device_is_not_replaced(tmp_path):
    (tmp_path / "link.sbm").symlink_to(tmp_path / "model.sbm")
    fitted("default").save(tmp_path / "link.sbm")
    assert (tmp_path / "link.sbm").is_symlink()
    assert same(said(load(tmp_path / "model.sbm"), NEW), said(load(tmp_path / "link.sbm"), NEW))
    fitted("default").save(os.devnull)
    assert not os.path.isfile(os.devnull)
