"""Fits lift their limit of threads whatever threadpoolctl offers."""

import threading

import pytest
from estimator_data import X, Y
from threadpoolctl import ThreadpoolController, threadpool_limits

from sparsebayes import RVR, _threads
from sparsebayes._threads import AT_ONCE, OneThread


class Heeding:
    """A library as newer threadpoolctl has it: it heeds one thread as long as that lives."""

    internal_api = "openblas"

    def __init__(self):
        self.number, self.heeded = 4, None

    def get_num_threads(self):
        return self.number

    def set_num_threads(self, number):
        own = threading.current_thread()
        if self.heeded is None or not self.heeded.is_alive():
            self.heeded = own
        if self.heeded is own:
            self.number = number


@pytest.fixture
def library(monkeypatch):
    """The only library of linear algebra; it lets nobody past its rule."""
    found = Heeding()
    monkeypatch.setattr(_threads, "_libraries", lambda: [found])
    return found


def by_another_thread(function, *arguments):
    thread = threading.Thread(target=function, args=arguments)
    thread.start()
    thread.join()


def test_the_limit_of_a_living_thread_is_lifted_by_another(library):
    shared = OneThread()
    shared.enter("first")
    assert library.number == 1
    by_another_thread(shared.enter, "second")
    shared.leave("first")
    assert library.number == 1
    by_another_thread(shared.leave, "second")
    assert library.number == 4


def test_the_limit_of_the_user_stays(library):
    library.set_num_threads(2)
    shared = OneThread()
    by_another_thread(shared.enter, "fit")
    by_another_thread(shared.leave, "fit")
    assert library.number == 2
    library.set_num_threads(3)
    assert library.number == 3


def test_the_user_may_set_a_limit_after_a_fit(library):
    shared = OneThread()
    shared.enter("fit")
    shared.leave("fit")
    by_another_thread(library.set_num_threads, 3)
    assert library.number == 3


@pytest.mark.slow
def test_fits_lift_the_limit_without_the_way_that_is_not_public(monkeypatch):
    monkeypatch.setattr(_threads, "AT_ONCE", "a name that is not there")
    with threadpool_limits(2, user_api="blas"):
        before = _threads.available_threads()
        for _ in range(2):
            by_another_thread(RVR(gamma=1.0).fit, X[:30], Y[:30])
            RVR(gamma=1.0).fit(X[:30], Y[:30])
            assert _threads.available_threads() == before


def test_threadpoolctl_has_the_way_that_is_not_public_where_it_heeds_one_thread():
    for library in ThreadpoolController().select(internal_api="openblas").lib_controllers:
        assert hasattr(library, AT_ONCE) or not hasattr(library, "_SHARED_STATE")
