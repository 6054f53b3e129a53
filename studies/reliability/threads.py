"""Fits and predictions in many threads and processes: the numbers, and what they leave behind.

Each function runs in a process of its own, see `faults`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import numpy as np
from joblib import parallel_backend
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV
from threadpoolctl import threadpool_limits

from sparsebayes import RVC
from studies.framework.experiment import Block, Table
from studies.reliability.forks import forks
from studies.reliability.jobs import blas_limits, job, quiet, running


def blobs(n_classes: int, n_rows: int = 60, seed: int = 0) -> tuple:
    """Inputs and classes; the names of the classes say how many there are."""
    X, codes = make_blobs(n_rows, centers=n_classes, cluster_std=2.5, random_state=seed)
    return X, codes + 10 * n_classes


# The same numbers as in one thread.


def compare(found: list[np.ndarray], expected: list[np.ndarray]) -> dict:
    """How many are equal bit for bit, and the greatest gap of the others."""
    pairs = list(zip(found, expected, strict=True))
    gaps = [float(np.abs(one - other).max()) for one, other in pairs]
    return {"jobs": len(pairs), "equal": gaps.count(0.0), "gap": max(gaps)}


def together(n_threads: int, n_each: int, user_limit: str = "") -> dict:
    """Jobs in many threads at once, that stay alive, beside the same jobs one after the other.

    `user_limit` says who has set a limit of two threads: the "main" thread before, "one" of the
    threads at each of its jobs, or "all" of them around each job, as contexts that overlap fits of
    others. A context keeps the limit that it found, so that the last is not ours to put right.
    """
    quiet()
    numbers = range(n_threads * n_each)
    expected = [job(number) for number in numbers]
    if user_limit == "main":
        threadpool_limits(2, user_api="blas")
    before = blas_limits()
    work = {"one": _job_beside_a_limit, "all": _job_in_a_limit}.get(user_limit, job)
    with ThreadPoolExecutor(n_threads) as pool:
        found = list(pool.map(work, numbers))
        alive = blas_limits()
    return {
        **compare(found, expected),
        "before": before,
        "alive": alive,
        "after": blas_limits(),
        "a thread can set limits": _can_be_set(),
    }


def _job_beside_a_limit(number: int) -> np.ndarray:
    if number % 8 == 0:
        threadpool_limits(2, user_api="blas")
    return job(number)


def _job_in_a_limit(number: int) -> np.ndarray:
    with threadpool_limits(2, user_api="blas"):
        return job(number)


def _can_be_set() -> bool:
    """Whether a thread other than the main one can still limit BLAS."""
    seen = []

    def ask() -> None:
        with threadpool_limits(1, user_api="blas"):
            seen.extend(blas_limits())

    worker = threading.Thread(target=ask)
    worker.start()
    worker.join()
    return set(seen) == {1}


# Nested jobs.


def nested() -> dict:
    """Classes in threads, and a search in processes over classes in processes."""
    quiet()
    X, y = blobs(3)
    ovr = RVC(gamma=0.5, multi_class="ovr")
    expected = clone(ovr).fit(X, y).predict_proba(X)
    before, found = blas_limits(), []
    for context in (parallel_backend("threading"), nullcontext()):
        with context:
            found.append(clone(ovr).set_params(n_jobs=2).fit(X, y).predict_proba(X))
    grid = {"gamma": [0.5], "tol": [1e-3]}
    for context in (parallel_backend("threading"), nullcontext()):
        with context:
            search = GridSearchCV(clone(ovr).set_params(n_jobs=2), grid, cv=3, n_jobs=2)
            found.append(search.fit(X, y).predict_proba(X))
    return {
        **compare(found, [expected] * len(found)),
        "before": before,
        "after": blas_limits(),
    }


# Predictions of a model that is refitted meanwhile.


def answers(model: Any, X: np.ndarray) -> dict[str, np.ndarray]:
    """What a classifier says."""
    names = ("predict", "predict_proba", "decision_function")
    return {name: getattr(model, name)(X) for name in names}


def _is_one_of(answer: np.ndarray, whole: list[np.ndarray]) -> bool:
    return any(
        answer.shape == one.shape and np.allclose(answer, one, rtol=1e-9, atol=1e-12)
        for one in whole
    )


def moving(n_refits: int, n_threads: int = 4) -> dict:
    """Predictions from some threads while the model is refitted between two and three classes."""
    quiet()
    sys.setswitchinterval(1e-5)
    sets = [blobs(2, 24), blobs(3, 24)]
    model = RVC(gamma=0.5, inference="fast")
    X = sets[0][0][:5]
    models = [clone(model).fit(*each) for each in sets]
    whole = [answers(each, X) for each in models]
    model.fit(*sets[0])
    stop, wrong, counts = threading.Event(), [], []

    def ask(name: str) -> None:
        count = 0
        while not stop.is_set():
            count += 1
            try:
                answer = getattr(model, name)(X)
                if not _is_one_of(answer, [each[name] for each in whole]):
                    wrong.append(f"{name}: {np.shape(answer)}, of neither model")
            except Exception as error:
                wrong.append(f"{name}: {type(error).__name__}: {error}")
        counts.append(count)

    names = ("predict", "predict_proba", "decision_function", "predict")
    with running(ask, [(names[k % len(names)],) for k in range(n_threads)], stop):
        for k in range(n_refits):
            model.fit(*sets[(k + 1) % 2])
    return {"predictions": sum(counts), "wrong": len(wrong), "first": sorted(set(wrong))[:5]}


# The experiment's part.

CHILDREN: dict[str, Callable[..., dict]] = {
    "together": together,
    "nested": nested,
    "moving": moving,
    "forks": forks,
}
FULL: dict[str, tuple] = {
    "threads": ("together", 8, 50),
    "threads/limit-of-main": ("together", 8, 50, "main"),
    "threads/limit-of-one": ("together", 8, 50, "one"),
    "threads/limits-of-all": ("together", 8, 50, "all"),
    "nested": ("nested",),
    "moving": ("moving", 60),
    "forks": ("forks", 30),
}
WORDS = {
    "threads": "threads with fits and predictions of all estimators",
    "threads/limit-of-main": "the same, the main thread has set a limit of two",
    "threads/limit-of-one": "the same, one of the threads sets a limit of two",
    "threads/limits-of-all": "the same, each job in a context of two threads",
    "nested": "classes and searches in threads and processes, nested",
    "moving": "predictions of a model that is refitted from two classes to three",
    "forks": "forks while a thread fits",
}


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each way to run at once."""
    rows = [
        [words, "; ".join(f"{name} {value}" for name, value in results[key].items())]
        for key, words in WORDS.items()
        if key in results
    ]
    return [Table(["at once", "found"], rows)] if rows else []
