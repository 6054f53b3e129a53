"""An estimator that comes out of a file answers, or it does not come out."""

import json

import numpy as np
import pytest
from carried import KINDS, NEW, X, Y, fitted

from sparsebayes import RVR, ModelFileError, load
from sparsebayes.model.container import pack, unpack
from sparsebayes.model.files import from_bytes, to_bytes
from studies.reliability.forged import at, finding, forge

resource = pytest.importorskip("resource", reason="memory is told by POSIX")
MOST_BYTES = 3e8


def forged(name, path, value):
    """The plain model of a file whose estimator has another value in one place."""
    texts, arrays = unpack(to_bytes(fitted(name).to_portable()))
    told = json.loads(texts["estimator"])
    at(told["tree"], path[:-1])[path[-1]] = value
    return from_bytes(pack({**texts, "estimator": json.dumps(told)}, arrays))


PREDICTOR = ("fitted", "predictor", "fields")
PLAIN = (*PREDICTOR, "plain", "fields")
PLACES = {
    "a parameter of another kind": ("default", ("parameters", "max_iter"), "many"),
    "a word that is none": ("default", ("parameters", "kernel"), "os.system"),
    "an inference that is none": ("default", ("parameters", "inference"), "x"),
    "a number out of range": ("default", ("parameters", "tol"), -1.0),
    "a multi_class that is none": ("two classes", ("parameters", "multi_class"), "x"),
    "a likelihood of another kind": ("ordered", ("parameters", "likelihood"), "poisson"),
    "no predictor": ("default", ("fitted", "predictor"), {"array": 0}),
    "no weights": ("default", (*PLAIN, "weights"), "x"),
    "weights of other columns": ("default", (*PLAIN, "weights"), {"array": 0}),
    "another covering": ("default", (*PLAIN, "spread"), None),
    "covering rows that are no rows": ("default", (*PLAIN, "spread", "fields", "columns"), 3),
    "a response of another target": (
        "default",
        (*PREDICTOR, "response"),
        {"record": "CountTargets", "fields": {"log_mean": 1.0, "dispersion": 0.0}},
    ),
    "no weights that a dropped covering leaves": ("default", (*PLAIN, "of_weights"), None),
    "blocks of all rows": ("default", (*PREDICTOR, "block_numbers"), 10**30),
    "no basis": ("default", ("fitted", "basis"), 1),
    "no outcome": ("default", ("fitted", "outcome"), "FINE"),
    "no history": ("default", ("fitted", "histories"), []),
    "precisions of other columns": ("default", ("fitted", "weight_precision"), {"array": 0}),
    "a likelihood that is none": ("default", ("fitted", "likelihood"), "x"),
    "complex numbers": ("default", ("fitted", "of_complex"), True),
    "an evidence that is a text": ("default", ("fitted", "log_evidence"), "x"),
    "other inputs": ("default", ("found", "n_features_in_"), 3),
    "no inputs": ("default", ("found",), {}),
    "other classes": ("two classes", ("found", "classes_", "items"), ["a", "b"]),
}


@pytest.mark.parametrize("case", PLACES.values(), ids=PLACES)
def test_an_estimator_that_could_not_answer_is_refused(case):
    model = forged(*case)
    model.predict(NEW)
    with pytest.raises(ModelFileError, match="does not hold an estimator"):
        model.to_estimator()


@pytest.mark.parametrize(
    "name", ["default", "two outputs apart", "softmax, fast", "shared softmax, fast"]
)
def test_arrays_of_other_shapes_make_no_estimator(name):
    """Those that the estimator has alone: it is refused, or it answers."""
    data = to_bytes(fitted(name).to_portable())
    texts, arrays = unpack(data)
    for k, array in enumerate(arrays):
        for other in (array.ravel()[:-1], array[None], array[:0], np.zeros((0, 10**6))):
            bad = pack(texts, [*arrays[:k], other, *arrays[k + 1 :]])
            assert finding(bad, NEW.shape[1]) in (None, "refused")


def test_a_parameter_that_was_set_after_the_fit_comes_up_when_it_is_saved(tmp_path):
    model = RVR(gamma=1.0).fit(X, Y)
    model.set_params(tol=-1.0)
    with pytest.raises(ValueError, match="tol must be"):
        model.save(tmp_path / "model.sbm")
    model.set_params(tol=0.5)
    model.save(tmp_path / "model.sbm")
    assert load(tmp_path / "model.sbm").to_estimator().tol == 0.5


@pytest.mark.parametrize(
    "name",
    [name if name == "default" else pytest.param(name, marks=pytest.mark.long) for name in KINDS],
)
def test_forged_files_are_refused_or_answer_in_little_memory(name):
    """Files with a right checksum, changed in one to three places."""
    n_files = 30 if name == "default" else 100
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = forge(fitted(name), 0, n_files)
    assert found["findings"] == {}
    assert n_files / 2 < found["refused"] < n_files
    assert 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) < MOST_BYTES


def test_a_finding_would_be_found(monkeypatch):
    from sparsebayes.estimators import _saving

    monkeypatch.setattr(_saving, "vet", lambda *_: None)
    found = forge(fitted("linear"), 0, 100)["findings"]
    assert any("the estimator" in each for each in found.values())
