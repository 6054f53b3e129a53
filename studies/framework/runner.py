"""Running the tasks of experiments, in one or more processes."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from studies.framework.experiment import Experiment, MissingDataError, Task
from studies.framework.progress import Progress
from studies.framework.store import Store


class Attempt(NamedTuple):
    """What came of a task: a result, or why there is none."""

    experiment: str
    key: str
    seconds: float
    result: dict | None = None
    missing: str = ""
    failure: str = ""


@dataclass
class Results:
    """What the tasks of an experiment gave, each by its key."""

    results: dict[str, dict] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def run(
    experiments: Sequence[Experiment], store: Store, jobs: int, progress: Progress
) -> dict[str, Results]:
    """Results of all tasks by name of experiment, read where they are saved, or else made now."""
    gathered = {one.name: Results() for one in experiments}
    open_tasks = []
    for name, task in _all_tasks(experiments, store.quick):
        record = store.load(name, task.key)
        if record is None:
            open_tasks.append((name, task))
        else:
            _keep(gathered[name], record)
    progress.begin([name for name, _ in open_tasks])
    for attempt in _attempts(open_tasks, jobs):
        failure = _settle(attempt, store, gathered[attempt.experiment])
        progress.step(attempt.experiment, attempt.key, failure)
    progress.end()
    return {one.name: _in_order(gathered[one.name], one, store.quick) for one in experiments}


def attempt(name: str, task: Task) -> Attempt:
    """Run a task on one thread, whatever comes of it; that a fit stopped early is no news here."""
    start = time.perf_counter()
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            result = task.function(*task.arguments)
    except MissingDataError as error:
        return Attempt(name, task.key, time.perf_counter() - start, missing=str(error))
    except Exception:
        failure = traceback.format_exc()
        return Attempt(name, task.key, time.perf_counter() - start, failure=failure)
    return Attempt(name, task.key, time.perf_counter() - start, result)


def _all_tasks(experiments, quick: bool) -> Iterator[tuple[str, Task]]:
    for one in experiments:
        for task in one.tasks(quick):
            yield one.name, task


def _attempts(open_tasks, jobs: int) -> Iterator[Attempt]:
    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    return parallel(delayed(attempt)(name, task) for name, task in open_tasks)


def _settle(attempt: Attempt, store: Store, into: Results) -> str:
    """Save a result, and say what failed; the next run tries again what has no result."""
    name, key, seconds, result = attempt[:4]
    failure = attempt.failure
    if result is not None:
        try:
            _keep(into, store.save(name, key, result, seconds))
        except OSError as error:
            failure = f"The result cannot be saved: {error}"
    elif attempt.missing:
        into.missing[key] = attempt.missing
    if failure:
        into.failures[key] = failure
    return failure


def _keep(into: Results, record: dict) -> None:
    into.results[record["key"]] = record["result"]
    into.seconds += record["seconds"]


def _in_order(of: Results, experiment: Experiment, quick: bool) -> Results:
    """Results in the order of the tasks, whichever ended first."""
    keys = [task.key for task in experiment.tasks(quick)]
    results = {key: of.results[key] for key in keys if key in of.results}
    return Results(results, of.missing, of.failures, of.seconds)
