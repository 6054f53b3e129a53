"""Progress of a fit: what `verbose` prints, and what scikit-learn's callbacks see."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from estimator_data import BLOBS, CLASSES, LABELS, MOONS, OUTPUTS, X, Y, prediction
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    Outcome,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).parents[2] / "src"
OF_CLASSES = BLOBS[::2], CLASSES[::2]
OF_OUTPUTS = X[::2], OUTPUTS[::2]
KINDS = {
    "RVR": (RVR(), X[::2], Y[::2]),
    "shared outputs": (RVR(), *OF_OUTPUTS),
    "separate outputs": (RVR(multi_output="separate"), *OF_OUTPUTS),
    "two classes": (RVC(), MOONS[::2], LABELS[::2]),
    "several classes": (RVC(), *OF_CLASSES),
    "ovr": (RVC(multi_class="ovr"), *OF_CLASSES),
    "softmax": (RVC(multi_class="softmax"), *OF_CLASSES),
    "shared softmax": (RVC(multi_class="shared_softmax"), *OF_CLASSES),
    "variational ovr": (RVC(inference="variational"), *OF_CLASSES),
    "fast": (RVR(inference="fast"), X[::2], Y[::2]),
    "fast outputs": (RVR(inference="fast"), *OF_OUTPUTS),
    "fast ovr": (RVC(inference="fast"), *OF_CLASSES),
    "fast softmax": (RVC(multi_class="softmax", inference="fast"), *OF_CLASSES),
    "any basis": (SparseBayesRegressor(GaussianKernel(3.0) + Linear()), X[::2], Y[::2]),
    "any basis of classes": (SparseBayesClassifier(GaussianKernel(1.0) + Bias()), *OF_CLASSES),
}
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
EVERY = pytest.mark.parametrize(("estimator", "inputs", "y"), KINDS.values(), ids=KINDS)


class Recorder:
    """A callback that notes everything, and stops or fails at a given iteration."""

    def __init__(self, stop_at=None, fail_at=None):
        self.stop_at, self.fail_at = stop_at, fail_at
        self.setups = self.teardowns = 0
        self.begun, self.ended, self.notes = [], [], []

    def setup(self, estimator, context):
        self.setups += 1

    def teardown(self, estimator, context):
        self.teardowns += 1

    def on_fit_task_begin(self, estimator, context, **rest):
        self.begun.append(context.task_name)

    def on_fit_task_end(self, estimator, context, *, metadata=None, **rest):
        self.ended.append(context.task_name)
        if context.task_name == "iteration":
            self.notes.append(metadata)
        if self.fail_at is not None and len(self.notes) == self.fail_at:
            raise ArithmeticError("enough")
        return len(self.notes) == self.stop_at

    def count(self, task_name):
        assert self.begun.count(task_name) == self.ended.count(task_name)
        return self.ended.count(task_name)


@pytest.fixture
def recorder():
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn 1.9")
    return Recorder()


def histories(model):
    """Of each search; outputs that share their vectors share theirs."""
    several = isinstance(model.history_[0], list)
    found = model.history_ if several else [model.history_]
    return found[:1] if all(each == found[0] for each in found) else found


# callbacks


@EVERY
@not_converged
def test_callbacks_are_set_up_and_torn_down_once_for_a_fit(recorder, estimator, inputs, y):
    model = clone(estimator).set_params(max_iter=5).set_callbacks(recorder)
    for fits in (1, 2):
        model.fit(inputs, y)
        assert recorder.setups == recorder.teardowns == recorder.count("fit") == fits


@EVERY
@not_converged
def test_callbacks_see_the_iterations_of_every_class_and_output(recorder, estimator, inputs, y):
    model = clone(estimator).set_params(max_iter=20).set_callbacks(recorder).fit(inputs, y)
    expected = [step.log_evidence for history in histories(model) for step in history[1:]]
    if recorder.count("iteration") > len(expected):  # climbs that did not help are not recorded
        found = [note["log_evidence"] for note in recorder.notes]
        assert set(expected) <= set(found)
    else:
        assert [note["log_evidence"] for note in recorder.notes] == expected
    plain = clone(estimator).set_params(max_iter=20).fit(inputs, y)
    assert_array_equal(prediction(model, inputs), prediction(plain, inputs))


@EVERY
@not_converged
def test_callbacks_see_how_scales_are_learned(recorder, estimator, inputs, y):
    model = clone(estimator).set_params(max_iter=5).set_callbacks(recorder).fit(inputs, y)
    learned = getattr(model, "gamma", None) == "ard"
    assert (recorder.count("learning scales") > 0) == learned
    if learned:
        first = recorder.begun.index("iteration")
        assert "learning scales" in recorder.begun[:first]


@pytest.mark.parametrize("name", ["RVR", "two classes", "ovr", "separate outputs", "softmax"])
def test_a_callback_can_stop_the_fit(recorder, name):
    estimator, inputs, y = KINDS[name]
    recorder.stop_at = 4
    model = clone(estimator).set_params(gamma=0.5, inference="mackay").set_callbacks(recorder)
    with pytest.warns(ConvergenceWarning, match="callback ended the fit"):
        model.fit(inputs, y)
    assert len(histories(model)[0]) == 5
    assert model.outcome_ is Outcome.STOPPED
    assert np.isfinite(prediction(model, inputs)).all()
    assert recorder.setups == recorder.teardowns == 1


@EVERY
def test_callbacks_are_torn_down_when_one_of_them_raises(recorder, estimator, inputs, y):
    recorder.fail_at = 1
    model = clone(estimator).set_callbacks(recorder)
    with pytest.raises(ArithmeticError, match="enough"):
        model.fit(inputs, y)
    assert recorder.setups == recorder.teardowns == 1
    assert not hasattr(model, "weights_")


@pytest.mark.parametrize("error", [ArithmeticError, KeyboardInterrupt])
@pytest.mark.parametrize("name", ["RVR", "ovr", "separate outputs", "softmax"])
def test_callbacks_are_torn_down_when_the_kernel_raises(recorder, name, error):
    estimator, inputs, y = KINDS[name]

    def kernel(x, c):
        if len(recorder.notes) >= 3:
            raise error("enough")
        return rbf_kernel(x, c, gamma=0.1)

    model = clone(estimator).set_params(kernel=kernel, cache_size=0.001, inference="mackay")
    with pytest.raises(error, match="enough"):
        model.set_callbacks(recorder).fit(inputs, y)
    assert recorder.setups == recorder.teardowns == 1


def test_a_fit_that_does_not_begin_needs_no_callbacks(recorder):
    with pytest.raises(ValueError, match="gamma"):
        RVR(gamma=-1.0).set_callbacks(recorder).fit(X, Y)
    assert recorder.setups == recorder.teardowns


@pytest.mark.slow
@pytest.mark.long
def test_fits_in_other_processes_are_silent(recorder):
    ovr = RVC(gamma=0.5, multi_class="ovr")
    model = clone(ovr).set_params(n_jobs=2).set_callbacks(recorder).fit(BLOBS, CLASSES)
    assert recorder.setups == recorder.teardowns == recorder.count("fit") == 1
    assert recorder.count("iteration") == 0
    assert_array_equal(model.weights_, ovr.fit(BLOBS, CLASSES).weights_)


def test_callbacks_within_a_search(recorder):
    model = RVC(gamma=0.5).set_callbacks(recorder)
    GridSearchCV(model, {"tol": [1e-3, 1e-2]}, cv=2).fit(BLOBS, CLASSES)
    assert recorder.setups == recorder.teardowns > 0


# scikit-learn's progress bar


def test_a_progress_bar_changes_nothing(capsys):
    callback = pytest.importorskip("sklearn.callback")
    pytest.importorskip("rich")
    model = RVR(gamma=0.1).set_callbacks(callback.ProgressBar()).fit(X, Y)
    assert "RVR" in capsys.readouterr().out
    assert_array_equal(model.weights_, RVR(gamma=0.1).fit(X, Y).weights_)


SCRIPT = """
from sklearn.callback import ProgressBar
from sklearn.datasets import load_iris
from sparsebayes import RVC, RVR
X, y = load_iris(return_X_y=True)
RVC(gamma="scale").set_callbacks(ProgressBar()).fit(X[::3], y[::3])
RVR(gamma="scale", multi_output="separate").set_callbacks(ProgressBar()).fit(X[::3, :2], X[::3, 2:])
print("done")
"""


INTERRUPTED = """
from sklearn.callback import ProgressBar
from sklearn.datasets import load_iris
from sparsebayes import RVC
X, y = load_iris(return_X_y=True)
calls = []
def kernel(x, c):
    calls.append(1)
    if len(calls) > 3:
        raise KeyboardInterrupt("enough")
    return x @ c.T
try:
    RVC(kernel, multi_class="ovr", cache_size=0).set_callbacks(ProgressBar()).fit(X[::3], y[::3])
except KeyboardInterrupt:
    print("done")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "name"), [(SCRIPT, "RVC"), (INTERRUPTED, "done")], ids=["several", "interrupted"]
)
@pytest.mark.long
def test_a_process_with_a_progress_bar_exits(script, name):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn 1.9")
    pytest.importorskip("rich")
    path = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert found.stdout.rstrip().endswith("done")
    assert name in found.stdout


# verbose


ITERATION = r"RVR iteration 1: log evidence -?[\d.]+, \d+ columns, gradient \S+"


def test_verbose_prints(capsys):
    estimator = RVR(gamma=0.1, inference="fast")
    clone(estimator).fit(X, Y)
    assert capsys.readouterr().out == ""
    model = clone(estimator).set_params(verbose=2).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == model.n_iter_ + 1
    assert lines[-1] == f"RVR CONVERGED after {model.n_iter_} iterations"
    assert re.fullmatch(ITERATION, lines[0])
    clone(estimator).set_params(verbose=1).fit(X, Y)
    assert capsys.readouterr().out.splitlines() == [*lines[:-1:50], lines[-1]]


def test_verbose_prints_of_a_projection(capsys):
    RVR(gamma=0.1).fit(X, Y)
    assert capsys.readouterr().out == ""
    model = RVR(gamma=0.1, verbose=2).fit(X, Y)
    dense, *lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"RVR dense model: \d+ columns, log evidence -?[\d.]+", dense)
    assert len(lines) == model.n_iter_ + 1
    assert re.fullmatch(ITERATION, lines[0])
    assert lines[-1] == f"RVR CONVERGED after {model.n_iter_} iterations"


@pytest.mark.parametrize("name", ["ovr", "softmax", "shared softmax", "separate outputs"])
@pytest.mark.parametrize(
    ("inference", "first"), [("fast", "iteration 1: log"), ("projection", r"dense model: \d+ col")]
)
def test_verbose_prints_of_several(name, inference, first, capsys):
    estimator, inputs, y = KINDS[name]
    clone(estimator).set_params(gamma=0.5, inference=inference, verbose=2).fit(inputs, y)
    lines = capsys.readouterr().out.splitlines()
    assert re.match(f"RV[RC] {first}", lines[0])
    assert any(re.match(r"RV[RC] iteration 1: log evidence", line) for line in lines)
    assert re.match(r"RV[RC] CONVERGED after", lines[-1])


def test_verbose_says_what_is_learned(capsys):
    RVR(verbose=2).fit(X, Y)
    printed = capsys.readouterr().out
    assert "RVR learning scales, evaluation 1: " in printed
    assert "RVR learned 1 scales" in printed
    assert re.search(r"RVR dense model: \d+ columns, log evidence", printed)
