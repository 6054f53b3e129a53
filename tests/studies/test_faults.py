"""The study of faults: it finds harm where there is some, and none where there is none."""

import sys
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from sparsebayes import RVR
from studies.reliability import faults, threads
from studies.reliability.fault_state import Kind, Rehearsal

not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


class Hasty(BaseEstimator):
    """An estimator that sets its attributes as it goes."""

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        self._pause()
        self.mean_ = y.mean()
        return self

    def _pause(self):
        if getattr(self, "fails", False):
            raise KeyboardInterrupt

    def predict(self, X):
        return np.full(len(X), self.mean_)


def fail(model, X, y):
    model.fails = True
    try:
        model.fit(X, y)
    except KeyboardInterrupt:
        return True
    finally:
        del model.fails
    return False


def verdict(estimator, disturb):
    rehearsal = Rehearsal(Kind(estimator, "number", 16), refit=True)
    return rehearsal.judge(lambda model: disturb(model, *rehearsal.data))


def test_a_model_that_is_half_new_is_harmed():
    found = verdict(Hasty(), fail)
    assert found["wrong"] == ["n_features_in_"]
    assert not found["whole"]
    assert faults.summary([found])["harmed"] == 1


def test_a_process_that_is_not_as_it_was_is_harmed():
    def disturb(model, X, y):
        np.seterr(over="raise")
        warnings.simplefilter("ignore", ResourceWarning)
        return True

    before = np.geterr()
    with warnings.catch_warnings():
        try:
            found = verdict(RVR(gamma=0.5, inference="fast"), disturb)
        finally:
            np.seterr(**before)
    assert found["wrong"] == ["warnings", "errstate"]


def test_a_callback_that_is_not_torn_down_is_harm():
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn 1.9")

    def disturb(model, X, y):
        model._skl_callbacks[0].setup(model, None)
        return True

    assert verdict(RVR(gamma=0.5, inference="fast"), disturb)["wrong"] == ["callbacks"]


def test_a_fit_that_was_complete_is_no_harm():
    def disturb(model, X, y):
        model.fit(X, y)
        return True

    found = verdict(RVR(gamma=0.5, inference="fast"), disturb)
    assert found == {"whole": True, "wrong": [], "next": []}


def test_a_fault_that_met_no_fit_does_not_count():
    assert verdict(RVR(gamma=0.5, inference="fast"), lambda *all: False) is None


def test_an_interrupt_outside_a_fit_is_told_from_one_inside():
    def fit(X, y):
        raise KeyboardInterrupt

    inside, outside = [], []
    try:
        fit(None, None)
    except KeyboardInterrupt as error:
        inside.append(faults._is_inside(error))
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as error:
        outside.append(faults._is_inside(error))
    assert (inside, outside) == ([True], [False])


@pytest.mark.slow
@pytest.mark.long
def test_signals_do_no_harm():
    found = faults.run("interrupts", "RVR fast", 6)
    assert found == {**found, "inside": 6, "harmed": 0, "wrong": [], "next": []}


@pytest.mark.slow
@pytest.mark.long
def test_too_little_memory_does_no_harm():
    found = faults.run("starvation", "RVR fast", 300, (0.25, 2.0))
    assert found == {**found, "harmed": 0, "wrong": [], "next": []}
    assert found["inside"] >= 2


@pytest.mark.slow
@not_converged
@pytest.mark.long
def test_memory_does_not_grow():
    sizes = faults.growth(14, 6)["megabytes"]
    assert np.ptp(sizes) < 5.0


@pytest.fixture
def turns():
    """How often threads take turns, put back after."""
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


@pytest.mark.slow
@pytest.mark.usefixtures("turns")
def test_threads_give_the_numbers_of_one_and_put_the_limits_back():
    found = threads.together(4, 5)
    assert found["gap"] < 1e-9
    assert found["before"] == found["alive"] == found["after"]


def test_a_child_that_fails_is_reported():
    (table,) = faults.report({"interrupts/RVR": {"failed": 1, "said": "why"}})
    assert table.rows[0][-1] == "exit code 1"


def test_numbers_are_compared_bit_for_bit():
    one, other = np.zeros(3), np.array([0.0, 1e-16, 0.0])
    assert threads.compare([one, other], [one, one]) == {"jobs": 2, "equal": 1, "gap": 1e-16}
