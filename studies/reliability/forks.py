"""Children that are forked while a thread fits.

The function runs in a process of its own, see `faults`.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings

import numpy as np

from studies.reliability.jobs import blas_limits, job, quiet, running


def forks(count: int, seconds: float = 20.0) -> dict:
    """Children that are forked while a thread fits, and fit themselves; how many of them hang."""
    quiet()
    warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of any fork in threads
    stop, random = threading.Event(), np.random.default_rng(0)
    job(0)
    limits = blas_limits()

    def keep_fitting() -> None:
        number = 0
        while not stop.is_set():
            job(number)
            number += 1

    ends = []
    with running(keep_fitting, [()], stop):
        for _ in range(count):
            time.sleep(random.uniform(0.0, 0.05))
            ends.append(_forked(limits, seconds))
    return {"forks": count, **{end: ends.count(end) for end in ("hung", "failed", "limited")}}


def _forked(limits: list[int], seconds: float) -> str:
    """How a forked child ends that fits a model."""
    child = os.fork()
    if not child:
        os._exit(_fit_in_child(limits))
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return {0: "right", 3: "limited"}.get(os.waitstatus_to_exitcode(status), "failed")
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hung"


def _fit_in_child(limits: list[int]) -> int:
    """The exit code of a child: 3 if its BLAS is limited although nothing is fitted there."""
    try:
        for number in (0, 1, 2):
            job(number)
        return 0 if blas_limits() == limits else 3
    except BaseException:
        return 1
