"""A fit asks each parameter once, whatever y is; it passes few modules, and has few bases."""

import sys
from collections import Counter

import numpy as np
import pytest

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    SparseBayesClassifier,
    SparseBayesRegressor,
    StudentT,
)
from sparsebayes.estimators import _rows

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(40, 2))
Y = np.sin(X[:, 0]) + 0.1 * RANDOM.normal(size=40)
COUNTS = RANDOM.poisson(np.exp(Y)).astype(float)
TWO, THREE = (Y > 0.0).astype(int), np.digitize(Y, [-0.5, 0.5])
KERNEL = GaussianKernel(width=1.0) + Bias()

FITS = {
    "default": (RVR(), Y),
    "two outputs": (RVR(gamma=0.5), np.column_stack([Y, -Y])),
    "separate": (RVR(gamma=0.5, multi_output="separate"), np.column_stack([Y, -Y])),
    "student": (RVR(gamma=0.5, likelihood=StudentT(df=4)), Y),
    "counts": (RVR(gamma=0.5, likelihood="poisson"), COUNTS),
    "varying": (RVR(gamma=0.5, likelihood="heteroscedastic", inference="fast"), Y),
    "any basis": (SparseBayesRegressor(KERNEL), Y),
    "complex": (SparseBayesRegressor(Linear()), Y + 1j * Y**2),
    "two classes": (RVC(gamma=0.5), TWO),
    "three classes": (RVC(gamma=0.5), THREE),
    "each class": (SparseBayesClassifier(KERNEL, multi_class="ovr"), THREE),
    "ordered": (RVC(gamma=0.5, likelihood="ordinal"), THREE),
}
# What checks parameters, and nothing else.
CHECKS = {
    ("_asked", "asked_of"),
    ("_asked", "check_limits"),
    ("_asked", "check_inference"),
    ("_asked", "check_word"),
    ("targets", "asked_target"),
    ("noise", "check_noise_std"),
    ("_kernel_machine", "_make_basis"),
    ("_any_basis", "_make_basis"),
    ("_any_basis", "_completes"),
    ("student_t", "check"),
}
MOST_MODULES = 90


def calls(function, *arguments):
    """How often each function of ours is called, by module and name."""
    found = Counter()

    def heard(frame, event, argument):
        if event == "call" and frame.f_globals.get("__name__", "").startswith("sparsebayes"):
            found[frame.f_globals["__name__"], frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(heard)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return found


def checks(found):
    """How often each check of parameters was called."""
    ends = {(module.split(".")[-1], name): count for (module, name), count in found.items()}
    return {key: ends[key] for key in CHECKS if key in ends}


@pytest.mark.parametrize("name", FITS)
def test_each_parameter_is_checked_once(name):
    model, y = FITS[name]
    inputs = X + 1j * X**2 if np.iscomplexobj(y) else X
    found = checks(calls(model.fit, inputs, y))
    assert found.pop(("_asked", "check_inference"), 1) == 1
    assert len(found) >= 5
    assert set(found.values()) == {1}


@pytest.mark.parametrize("model", [RVR(gamma=0.5), RVC(gamma=0.5)], ids=["RVR", "RVC"])
def test_each_parameter_is_checked_once_where_rows_are_many(model, monkeypatch):
    monkeypatch.setattr(_rows, "MANY_ROWS", 30)
    y = TWO if isinstance(model, RVC) else Y
    found = calls(model.fit, X, y)
    assert ("sparsebayes.targets.rows", "read_by") in found
    assert set(checks(found).values()) == {1}


def test_a_default_fit_passes_few_modules():
    found = calls(RVR().fit, X, Y)
    assert len({module for module, _ in found}) <= MOST_MODULES


@pytest.mark.parametrize("kind", [RVR, RVC])
def test_an_estimator_has_few_bases(kind):
    assert sum(base.__module__.startswith("sparsebayes") for base in kind.__mro__) <= 6
