"""Linear algebra by one thread, while fits run.

A fit is a long row of operations on matrices of tens to hundreds of columns. A team of threads
makes it slower by half on an idle machine, and many times slower on one that has other work. And
sums that are split among threads end in other digits.

OpenBLAS has one number of threads for the whole process, so fits in several threads share a limit
of one. It is lifted when the last of them ends, whatever interrupts them. Where the user has set
another number meanwhile, that stays. Libraries whose limits are those of a thread get their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from threading import Lock, Thread
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

# How threadpoolctl sets a limit itself; the name is not public.
AT_ONCE = "_real_set_num_threads"


@cache
def _libraries() -> list[Any]:
    return ThreadpoolController().select(user_api="blas").lib_controllers


def _is_of_a_thread(library: Any) -> bool:
    """Whether a limit holds for the thread that sets it, and not for the process."""
    return library.internal_api == "mkl" or getattr(library, "threading_layer", "") == "openmp"


def _set(library: Any, number: int) -> None:
    """Set a limit, whichever thread has set one before.

    threadpoolctl heeds one thread only as long as that lives, and has no public way around. Where
    its own way is not there, a thread sets the limit that is gone at once, so that any other can
    lift it. Where a thread of the user has set a limit, that stays then, and so nothing is lifted.
    """
    if hasattr(library, AT_ONCE):
        getattr(library, AT_ONCE)(number)
    elif _is_of_a_thread(library):
        library.set_num_threads(number)
    else:
        _in_a_thread(library.set_num_threads, number)


def _in_a_thread(function: Callable, *arguments: Any) -> None:
    """function(*arguments) by a thread of its own, which has ended afterwards even after Ctrl-C."""
    thread = Thread(target=function, args=arguments)
    thread.start()
    try:
        thread.join()
    finally:
        thread.join()


class OneThread:
    """A limit that many fits can ask for at once; it is lifted when the last of them ends.

    Whatever interrupts `enter` or `leave`, calling `leave` (again) puts all in order.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._users: set[object] = set()
        self._before: list[tuple[Any, int]] = []

    def enter(self, user: object) -> None:
        with self._lock:
            if not self._before:
                shared = [each for each in _libraries() if not _is_of_a_thread(each)]
                self._before = [(each, each.get_num_threads()) for each in shared]
            self._users.add(user)
            for library, _ in self._before:
                _set(library, 1)

    def leave(self, user: object) -> None:
        with self._lock:
            self._users.discard(user)
            if not self._users:
                self._lift()

    def _lift(self) -> None:
        """A limit that is not ours any more was set by the user meanwhile, and stays."""
        for library, number in self._before:
            if library.get_num_threads() == 1:
                _set(library, number)
        self._before = []

    def start_anew(self) -> None:
        """In a forked process the fits of other threads are gone, and so may be their lock."""
        self._lock, self._users = Lock(), set()
        self._lift()


_SHARED = OneThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_SHARED.start_anew)


def available_threads() -> int:
    """How many threads linear algebra would take now, which limits of the user decide."""
    return max((library.get_num_threads() for library in _libraries()), default=1)


def in_one_thread(function: Callable, *arguments: Any) -> Any:
    """function(*arguments), its linear algebra done by one thread.

    Steps that are tried may overflow, which is no word to a user: what comes of them is checked for
    being finite. Ctrl-C waits until limits and NumPy's way with floating-point errors are what they
    were.
    """
    user, errors, interrupt = object(), np.geterr(), None
    own = [(each, each.get_num_threads()) for each in _libraries() if _is_of_a_thread(each)]
    try:
        for library, _ in own:
            _set(library, 1)
        _SHARED.enter(user)
        with np.errstate(all="ignore"):
            return function(*arguments)
    finally:
        while True:
            try:
                np.seterr(**errors)
                for library, number in own:
                    _set(library, number)
                _SHARED.leave(user)
                break
            except KeyboardInterrupt as error:  # it waits until all is in order
                interrupt = error
        if interrupt is not None:
            raise interrupt
