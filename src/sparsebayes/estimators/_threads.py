"""How many threads the linear algebra may use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController  # comes with scikit-learn


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


class _OneThread:
    """A limit that many fits can ask for at once; it is lifted when the last of them ends."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_users = 0

    def enter(self) -> None:
        with self._lock:
            if not self._n_users:
                self._limit = _controller().limit(limits=1, user_api="blas")
            self._n_users += 1

    def leave(self) -> None:
        with self._lock:
            self._n_users -= 1
            if not self._n_users:
                self._limit.restore_original_limits()


_SHARED = _OneThread()


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which linear algebra is done by one thread.

    A fit is a long row of operations on matrices of tens to hundreds of columns. A team of threads
    makes it slower by half on an idle machine, and many times slower on one that has other work.
    The limit holds for the whole process, so fits in several threads share it.
    """
    _SHARED.enter()
    try:
        yield
    finally:
        _SHARED.leave()
