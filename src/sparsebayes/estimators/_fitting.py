"""From a problem to fits: the procedure that an estimator's parameters name, run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from threading import Lock
from typing import Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import ThreadpoolController  # comes with scikit-learn

from sparsebayes.estimators._checks import check_inference, check_limits
from sparsebayes.estimators._progress import FitReport
from sparsebayes.inference.state import Fit
from sparsebayes.problem import Problem
from sparsebayes.procedures import Each, check_pairing, procedure_at_scales, procedure_with_scales
from sparsebayes.procedures.each import one_after_the_other
from sparsebayes.rows import check_sizes


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


def fit_problem(estimator: Any, problem: Problem, report: FitReport) -> list[Fit]:
    """One fit for one latent value, or for all of them together; or one for each."""
    inference, limits = check_inference(estimator.inference), check_limits(estimator)
    check_pairing(inference, problem.likelihood)
    check_sizes(problem.columns, problem.data.inputs)
    report.begin()
    with one_thread():
        return procedure_with_scales(inference, limits).fit(problem, report)


def fit_each(
    estimator: Any, problem: Problem, report: FitReport, n_jobs: int | None = None
) -> list[Fit]:
    """A fit for each column of the targets (n, k)."""
    inference, limits = check_inference(estimator.inference), check_limits(estimator)
    check_pairing(inference, problem.likelihood)
    check_sizes(problem.columns, problem.data.inputs)
    report.begin()
    with one_thread():
        own = procedure_at_scales(inference, limits.shared_by(problem.data.target.shape[1]))
        return Each(own, _map_of(n_jobs)).fit(problem, report)


def _map_of(n_jobs: int | None) -> Callable[[Callable, Iterable[tuple]], list]:
    if effective_n_jobs(n_jobs) == 1:
        return one_after_the_other
    return partial(_in_parallel, n_jobs)


def _in_parallel(n_jobs: int | None, function: Callable, arguments: Iterable[tuple]) -> list:
    return Parallel(n_jobs=n_jobs)(delayed(_alone)(function, each) for each in arguments)


def _alone(function: Callable, arguments: tuple) -> Any:
    """The function in a process of its own."""
    with one_thread():
        return function(*arguments)
