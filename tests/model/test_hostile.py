"""Files, models and inputs that someone may give by mistake, or on purpose."""

import json
import os
import stat
import threading
from dataclasses import replace

import numpy as np
import pytest
from carried import NEW, X, Y, fitted

import sparsebayes
from sparsebayes import RVC, RVR, ModelFileError, NotPortableError, load
from sparsebayes.model.container import pack, unpack
from sparsebayes.model.files import from_bytes, to_bytes


class MyRVR(RVR):
    """A class of the user."""


def test_a_class_of_the_user_is_refused_before_anything_is_written(tmp_path):
    model = MyRVR(gamma=1.0).fit(X, Y)
    with pytest.raises(NotPortableError, match="MyRVR is a class of yours"):
        model.save(tmp_path / "model.sbm")
    assert os.listdir(tmp_path) == []
    np.testing.assert_allclose(model.to_portable().predict(X), model.predict(X), rtol=1e-9)


def test_labels_that_no_file_can_hold_are_refused(tmp_path):
    labels = np.array([7, 2**63 + 5], dtype=np.uint64)[(Y > 3.0).astype(int)]
    with pytest.raises(NotPortableError, match="2\\*\\*63"):
        RVC(gamma=1.0).fit(X, labels).save(tmp_path / "model.sbm")
    small = np.array([7, 9], dtype=np.uint64)[(Y > 3.0).astype(int)]
    RVC(gamma=1.0).fit(X, small).save(tmp_path / "model.sbm")
    assert load(tmp_path / "model.sbm").classes_.tolist() == [7, 9]


def changed(name, old, new):
    """The bytes of a model with another text in its JSON, and a right checksum."""
    texts, arrays = unpack(to_bytes(fitted(name).to_portable()))
    assert old in texts["model"]
    return pack({**texts, "model": texts["model"].replace(old, new)}, arrays)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("poly kernel", '"degree", 3', '"degree", "\\\\input{x}"'),
        ("poly kernel", '"degree", 3', '"degree", {"number": "nan"}'),
        ("poly kernel", '"coef0", 1.0', '"coef0", {"number": "inf"}'),
        ("default", '"estimator": "RVR"', '"estimator": 3'),
        ("default", '"log_evidence", ', '"log_evidence", "'),
        ("default", '["outcome", "CONVERGED"]', '["held_out", {"mapping": [["rmse", "x"]]}]'),
        ("three classes, poly", '"usual_variance": 0', '"usual_variance": -0'),
    ],
)
def test_values_of_another_kind_are_refused(name, old, new):
    with pytest.raises(ModelFileError):
        from_bytes(changed(name, old, new))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", "two classes", "variational", "shared softmax, fast"])
def test_arrays_with_nan_are_refused(name):
    texts, arrays = unpack(to_bytes(fitted(name).to_portable()))
    used = set()

    def note(tree):
        if isinstance(tree, dict):
            used.update(tree[key] for key in ("array", "lower", "upper") if key in tree)
        for each in tree.values() if isinstance(tree, dict) else tree:
            if isinstance(each, dict | list):
                note(each)

    note(json.loads(texts["model"]))
    for k in sorted(used):
        if arrays[k].dtype.kind == "f" and arrays[k].size:
            bad = [*arrays[:k], np.full(arrays[k].shape, np.nan), *arrays[k + 1 :]]
            with pytest.raises(ModelFileError):
                from_bytes(pack(texts, bad))


def test_an_older_number_of_the_format_does_not_ask_for_a_newer_version():
    texts, arrays = unpack(to_bytes(fitted("default").to_portable()))
    with pytest.raises(ModelFileError, match=r"reads 1 to 1$"):
        from_bytes(pack({**texts, "version": "0"}, arrays))


def test_a_file_of_texts_is_refused_with_a_sentence(tmp_path):
    fitted("default").save(tmp_path / "model.sbm")
    with (
        open(tmp_path / "model.sbm", encoding="utf-8") as file,
        pytest.raises(TypeError, match="binary file"),
    ):
        load(file)


def test_complex_inputs_are_refused():
    with pytest.raises(ValueError, match="complex"):
        fitted("default").to_portable().predict(NEW + 1j)


def test_models_can_be_compared_and_hashed():
    model = fitted("default").to_portable()
    assert model == model
    assert model != replace(model)
    assert len({model, model}) == 1


# Files that are written.


@pytest.mark.slow
def test_threads_can_save_to_one_file(tmp_path):
    model, failed = fitted("default").to_portable(), []

    def save():
        try:
            for _ in range(20):
                model.save(tmp_path / "model.sbm")
        except OSError as error:
            failed.append(error)

    threads = [threading.Thread(target=save) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert os.listdir(tmp_path) == ["model.sbm"]
    np.testing.assert_array_equal(load(tmp_path / "model.sbm").predict(NEW), model.predict(NEW))


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "model.sbm"
    fitted("default").save(path)
    usual = stat.S_IMODE(path.stat().st_mode)
    (tmp_path / "other").touch()
    assert usual == stat.S_IMODE((tmp_path / "other").stat().st_mode)
    path.chmod(0o600)
    fitted("default").save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere") as caught:
        fitted("default").save(tmp_path / "nowhere" / "model.sbm")
    assert "part" not in str(caught.value)


def test_parts_of_the_package_are_there_by_name():
    assert callable(sparsebayes.export.to_c)
    assert callable(sparsebayes.report.report)


def test_a_header_of_any_depth_is_refused():
    for depth in (50, 900, 990, 995, 1000, 5000):
        header = b'{"__metadata__": {}, "a0": ' + b"[" * depth + b"]" * depth + b"}"
        with pytest.raises(ModelFileError):
            from_bytes(len(header).to_bytes(8, "little") + header)


def test_a_small_file_takes_no_large_memory():
    from sparsebayes.model.coding import Reader

    values = np.ones(300 * 301 // 2)
    trees = [{"lower": 0, "size": 300}] * 2000
    found = Reader({}, [values]).value(trees)
    assert all(each is found[0] for each in found)
    texts = {"items": ["a"] * 20_000 + ["b" * 20_000], "dtype": "U", "shape": [20_001]}
    with pytest.raises(ValueError, match="too much memory"):
        Reader({}, []).value(texts)
