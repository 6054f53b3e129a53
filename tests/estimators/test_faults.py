"""Faults do no harm: interrupts, threads, forks."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import threadpoolctl
from fault_parts import Interrupt, X, Y, gaussian
from sklearn.base import clone
from threadpoolctl import threadpool_info, threadpool_limits

from sparsebayes import RVC, RVR, EvidenceSearch
from studies.reliability.fault_state import Kind, Rehearsal
from studies.reliability.jobs import blas_limits
from studies.reliability.threads import answers, blobs

pytestmark = pytest.mark.slow
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# interrupts

SMALL = {
    "RVR": Kind(RVR(gamma=0.5, inference="fast"), "number", 16),
    "separate outputs": Kind(
        RVR(gamma=0.5, inference="fast", multi_output="separate"), "outputs", 12
    ),
    "three classes": Kind(RVC(gamma=0.5, inference="fast"), "three", 14),
    "projection": Kind(RVR(gamma=0.5), "number", 16),
    "search": Kind(
        EvidenceSearch(RVR(inference="fast"), {"gamma": [0.5, 1.0]}),
        "number",
        12,
    ),
}
ENDS = (
    "sparsebayes/estimators/_fit",
    "sparsebayes/_threads",
    "sparsebayes/estimators/_model",
    "threadpoolctl",
    "sparsebayes/estimators/evidence_search",
)
ANYWHERE = ("sparsebayes", "sklearn/model_selection")


def moments(rehearsal, parts, most):
    """Points of a fit, evenly spaced if there are more than the most."""
    counter = Interrupt(parts)
    assert not counter.watch(rehearsal.fresh()[0], *rehearsal.data)
    return np.unique(np.linspace(1, counter.count, min(most, counter.count)).astype(int))


def harm(rehearsal, parts, most):
    """What interrupts at these points do to the model and to the process."""
    found = {}
    for moment in map(int, moments(rehearsal, parts, most)):
        verdict = rehearsal.judge(
            lambda model, at=moment: Interrupt(parts, at).watch(model, *rehearsal.data)
        )
        assert verdict is not None, "the interrupt did not come through"
        if verdict["wrong"] or verdict["next"]:
            found[moment] = verdict["wrong"], verdict["next"]
    return found


def set_limits(number):
    """Let linear algebra use so many threads, and let any thread set another limit."""
    free = getattr(threadpoolctl.OpenBLASController, "clear_controlling_thread", lambda force: None)
    free(force=True)
    threadpool_limits(number, user_api="blas")
    free(force=True)


@pytest.fixture
def two_threads():
    """A process in which linear algebra may use two threads, and the limits put back after."""
    before = blas_limits()
    set_limits(2)
    if set(blas_limits()) == {2}:
        yield blas_limits()
    else:
        pytest.skip("a library of linear algebra that knows one thread only")
    set_limits(before[0])


@not_converged
@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("refit", [False, True], ids=["fit", "refit"])
@pytest.mark.parametrize("name", SMALL)
def test_an_interrupt_leaves_everything_as_it_was(name, refit):
    rehearsal = Rehearsal(SMALL[name], refit)
    assert harm(rehearsal, ANYWHERE, 8) == {}


@not_converged
@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("name", ["RVR", "search"])
def test_an_interrupt_where_a_fit_begins_or_ends_leaves_everything_as_it_was(name):
    rehearsal = Rehearsal(SMALL[name], refit=True)
    assert harm(rehearsal, ENDS, 16) == {}


# threads


class Waiting:
    """A kernel that says when a fit is well under way, and waits until that may go on."""

    def __init__(self):
        self.begun, self.may_end, self.limits = threading.Event(), threading.Event(), []

    def __call__(self, x, c):
        self.limits.append(blas_limits())
        if len(self.limits) == 5:
            self.begun.set()
            assert self.may_end.wait(20)
        return gaussian(x, c)

    def __deepcopy__(self, memo):
        return self


class Worker:
    """A thread that fits a model, and stays alive until it is told to end."""

    def __init__(self, kernel):
        self.kernel, self._dismissed, self.done = kernel, threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._work)
        self.thread.start()

    def _work(self):
        RVR(self.kernel, inference="fast", cache_size=0).fit(X, Y)
        self.done.set()
        self._dismissed.wait(20)

    def finish(self):
        self.kernel.may_end.set()
        assert self.done.wait(20)

    def dismiss(self):
        self._dismissed.set()
        self.thread.join()


@pytest.fixture
def workers():
    """Two fits that are under way, the first of which began first."""
    found = []
    for _ in range(2):
        found.append(Worker(Waiting()))
        assert found[-1].kernel.begun.wait(20)
    yield found
    for each in found:
        each.kernel.may_end.set()
        each.dismiss()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["first ends first", "last ends first"])
def test_overlapping_fits_of_threads_that_live_on_lift_their_limit(two_threads, workers, order):
    for k in order:
        workers[k].finish()
    assert blas_limits() == two_threads


def test_fits_are_limited_in_any_thread_after_a_fit_in_another(two_threads):
    RVR(gaussian, inference="fast").fit(X, Y)
    kernel = Waiting()
    kernel.may_end.set()
    worker = Worker(kernel)
    worker.finish()
    worker.dismiss()
    assert [1] * len(two_threads) in kernel.limits
    assert blas_limits() == two_threads


class Limiting:
    """A kernel that sets the limit of the process, as another thread may do, once in a fit."""

    def __init__(self, number):
        self.number, self.done = number, False

    def __call__(self, x, c):
        if not self.done and set(blas_limits()) == {1}:
            threadpool_limits(self.number, user_api="blas")
            self.done = True
        return gaussian(x, c)

    def __deepcopy__(self, memo):
        return self


@pytest.mark.usefixtures("two_threads")
def test_a_limit_that_is_set_during_a_fit_is_not_overwritten_when_it_ends():
    kernel = Limiting(3)
    RVR(kernel, inference="fast", cache_size=0).fit(X, Y)
    assert kernel.done
    assert set(blas_limits()) == {3}


def in_a_thread(function):
    """What a function returns in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def limits_under(number):
    with threadpool_limits(number, user_api="blas"):
        return blas_limits()


@pytest.mark.usefixtures("two_threads")
def test_other_threads_can_set_limits_after_a_fit():
    RVR(gamma=0.5, inference="fast").fit(X, Y)
    assert set(in_a_thread(lambda: limits_under(3))) == {3}


def openmp_limits():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "openmp"}


@pytest.mark.usefixtures("two_threads")
def test_a_limit_of_openmp_is_left_alone():
    """It is one of a thread: the fit that ends last must not bring along that of another."""
    if not openmp_limits():
        pytest.skip("no OpenMP")
    with threadpool_limits(7, user_api="openmp"):
        other = Worker(Waiting())
        assert other.kernel.begun.wait(20)

        calls = []

        def kernel(x, c):
            calls.append(len(calls))
            if len(calls) == 5:  # this fit is under way, too, and ends last
                other.finish()
            return gaussian(x, c)

        RVR(kernel, inference="fast", cache_size=0).fit(X, Y)
        other.dismiss()
        assert openmp_limits() == {7}


class Sly:
    """Inputs that have the model refitted while they are looked at."""

    def __init__(self, rows, refit):
        self.rows, self.refit = rows, refit

    def __array__(self, *args, **kwargs):
        self.refit()
        return self.rows


@pytest.mark.parametrize("sizes", [(2, 3), (3, 2)], ids=["two to three", "three to two"])
@pytest.mark.parametrize("name", ["predict", "predict_proba", "decision_function"])
@not_converged
def test_a_prediction_is_of_one_model_when_another_thread_refits_it(name, sizes):
    first, second = (blobs(size, 24) for size in sizes)
    model = RVC(gamma=0.5, inference="fast").fit(*first)
    rows = first[0][:5]
    whole = [answers(model, rows)[name], answers(clone(model).fit(*second), rows)[name]]
    found = getattr(model, name)(Sly(rows, lambda: model.fit(*second)))
    assert any(np.array_equal(found, each) for each in whole)


# forks


def ends(child, seconds):
    """Whether the child ends well, and in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Python 3.12: any fork in threads
@pytest.mark.usefixtures("two_threads")
def test_a_child_that_is_forked_while_a_thread_fits_can_fit(workers):
    workers[0].finish()  # the other one computes, and holds what locks there are
    child = os.fork()
    if not child:
        try:
            RVR(gaussian, inference="fast").fit(X, Y)
            os._exit(0 if set(blas_limits()) == {2} else 1)
        except BaseException:
            os._exit(2)
    assert ends(child, 10.0)
