"""The fits that `threads` and `forks` run at once, and the threads that run them."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_info

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    EvidenceSearch,
    GaussianKernel,
    Linear,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

ESTIMATORS: tuple[Any, ...] = (
    RVR(),
    RVC(),
    RVR(gamma=0.5, inference="fast"),
    RVC(gamma=0.5, inference="fast"),
    RVR(gamma=0.5, inference="mackay"),
    SparseBayesRegressor(GaussianKernel() + Linear() + Bias()),
    RVR(gamma=0.5, inference="variational"),
    SparseBayesClassifier(GaussianKernel() + Bias()),
    RVR(gamma=0.5, inference="em", max_iter=100),
    EvidenceSearch(RVR(), {"gamma": [0.1, 1.0]}),
)


def blas_limits() -> list[int]:
    """How many threads each library of linear algebra may use."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def quiet() -> None:
    """No word on how fits end, and threads that take turns often."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    sys.setswitchinterval(1e-4)


def job(number: int) -> np.ndarray:
    """A fit of one of the estimators and its predictions, which depend on the number only."""
    random = np.random.default_rng(number)
    estimator = ESTIMATORS[number % len(ESTIMATORS)]
    X = random.normal(size=(40 + 10 * (number % 7), 2))
    y: Any = np.sin(2.0 * X[:, 0]) + 0.3 * random.normal(size=len(X))
    if hasattr(estimator, "predict_proba"):
        y = np.digitize(y, [0.0] if number % 4 == 1 else [-0.5, 0.5])
    model = clone(estimator).fit(X, y)
    return getattr(model, "predict_proba", model.predict)(X)


@contextmanager
def running(function: Callable, arguments: list[tuple], stop: threading.Event) -> Iterator[None]:
    """Threads that run until the context is left."""
    workers = [threading.Thread(target=function, args=each) for each in arguments]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        stop.set()
        for worker in workers:
            worker.join()
