"""Fits limit the threads of the linear algebra, and leave them as they were."""

import threading
import time

import numpy as np
import pytest
from estimator_data import BLOBS, CLASSES, X, Y
from joblib import parallel_backend
from sklearn.metrics.pairwise import rbf_kernel
from threadpoolctl import threadpool_info, threadpool_limits

from sparsebayes import RVC, RVR
from sparsebayes._threads import OneThread


def threads():
    """How many threads each library of linear algebra may use."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.fixture
def two_threads():
    """A process in which linear algebra may use two threads."""
    with threadpool_limits(2, user_api="blas"):
        if 2 not in threads():
            pytest.skip("a library of linear algebra that knows one thread only")
        yield threads()


class Slow:
    """A kernel that takes a while, and notes how many threads there are."""

    def __init__(self, seconds):
        self.seconds, self.seen = seconds, []

    def __call__(self, x, c):
        time.sleep(self.seconds)
        self.seen.append(threads())
        return rbf_kernel(x, c, gamma=0.1)


def run(targets):
    workers = [threading.Thread(target=target) for target in targets]
    for worker in workers:
        worker.start()
        time.sleep(0.01)  # the first to start is not the last to end
    for worker in workers:
        worker.join()


def test_a_fit_uses_one_thread(two_threads):
    kernel = Slow(0.0)
    RVR(kernel, cache_size=0).fit(X[:20], Y[:20])
    assert [1] * len(two_threads) in kernel.seen
    assert threads() == two_threads


@pytest.mark.slow
def test_fits_that_overlap_leave_the_limits_as_they_were(two_threads):
    kernels = [Slow(0.01 + 0.01 * (k % 3)) for k in range(8)]
    models = [RVR(kernel, inference="fast", max_iter=200) for kernel in kernels]
    run([lambda model=model: model.fit(X, Y) for model in models])
    assert threads() == two_threads
    expected = RVR(gamma=0.1, inference="fast").fit(X, Y).predict(X)
    for model in models:
        np.testing.assert_allclose(model.predict(X), expected, rtol=1e-6, atol=1e-9)


def test_limits_of_the_main_thread_hold_after_fits_in_others():
    with threadpool_limits(1, user_api="blas"):
        before = threads()
        run([lambda: RVR(gamma=0.1).fit(X, Y)] * 4)
        assert threads() == before
    after = threads()
    run([lambda: RVR(gamma=0.1).fit(X, Y)] * 4)
    assert threads() == after


def test_the_limit_is_lifted_by_the_last_to_leave(two_threads):
    limited, limit = [1] * len(two_threads), OneThread()
    limit.enter("first")
    limit.enter("second")
    limit.leave("first")
    assert threads() == limited
    limit.leave("second")
    assert threads() == two_threads


def test_leaving_twice_is_leaving_once(two_threads):
    limit = OneThread()
    for user in ("first", "second"):
        limit.enter(user)
    for _ in range(2):
        limit.leave("first")
    assert threads() == [1] * len(two_threads)
    limit.leave("second")
    assert threads() == two_threads


def failing(x, c):
    raise ArithmeticError("enough")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_fits_that_fail_leave_the_limits_as_they_were(two_threads):
    for error in (ArithmeticError, KeyboardInterrupt):
        kernel = Interrupted(error)
        with pytest.raises(error):
            RVR(kernel, cache_size=0).fit(X, Y)
        assert threads() == two_threads
    run([lambda: RVR(failing).fit(X, Y)] * 2)
    assert threads() == two_threads


class Interrupted:
    """A kernel that raises when it is asked a second time."""

    def __init__(self, error):
        self.error, self.calls = error, 0

    def __call__(self, x, c):
        self.calls += 1
        if self.calls > 1:
            raise self.error
        return rbf_kernel(x, c, gamma=0.1)


def test_classes_in_threads_leave_the_limits_as_they_were(two_threads):
    with parallel_backend("threading"):
        found = RVC(gamma=0.5, multi_class="ovr", n_jobs=2).fit(BLOBS, CLASSES)
    assert threads() == two_threads
    expected = RVC(gamma=0.5, multi_class="ovr").fit(BLOBS, CLASSES)
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-9, atol=1e-12)
