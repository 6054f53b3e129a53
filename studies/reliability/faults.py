"""Faults do no harm: interrupts, too little memory, kernels that misbehave, many fits in a row.

Each try is made in a process of its own, `python -m studies.reliability.faults NAME ARGUMENTS`,
since signals, limits of memory and threads of linear algebra belong to a whole process.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

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
    GivenColumns,
    Linear,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.reliability import threads

ROOT = Path(__file__).parents[2]
MEGABYTE = 2**20


# What is fitted, and to what.


class Kind(NamedTuple):
    """An estimator, what its target is, and how many rows take some 20 to 100 ms."""

    estimator: Any
    target: str
    n_rows: int = 60


def two_bumps(inputs: np.ndarray) -> np.ndarray:
    """Columns by a function of the user."""
    return np.column_stack([np.sin(inputs[:, 0]), np.exp(-(inputs[:, 0] ** 2))])


KINDS = {
    "RVR projection": Kind(RVR(), "number"),
    "RVR fast": Kind(RVR(inference="fast"), "number"),
    "RVR mackay": Kind(RVR(gamma=0.5, inference="mackay"), "number"),
    "RVR em": Kind(RVR(gamma=0.5, inference="em", max_iter=300), "number", 40),
    "RVR variational": Kind(RVR(gamma=0.5, inference="variational"), "number"),
    "RVR shared outputs": Kind(RVR(), "outputs"),
    "RVR separate outputs": Kind(RVR(multi_output="separate"), "outputs", 40),
    "RVC two classes": Kind(RVC(), "two"),
    "RVC three classes": Kind(RVC(), "three"),
    "RVC three classes ovr fast": Kind(RVC(gamma=0.5, inference="fast"), "three"),
    "RVC variational": Kind(RVC(gamma=0.5, inference="variational", max_iter=300), "two", 40),
    "SparseBayesRegressor": Kind(
        SparseBayesRegressor(GaussianKernel() + Linear() + GivenColumns(two_bumps) + Bias()),
        "number",
    ),
    "SparseBayesClassifier": Kind(SparseBayesClassifier(), "three", 40),
    "EvidenceSearch": Kind(EvidenceSearch(RVR(), {"gamma": [0.1, 0.5, 2.0]}), "number"),
}


def data(target: str, n_rows: int, n_inputs: int = 2, seed: int = 0) -> tuple:
    """Inputs and a target: one number or three, two classes or three."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_inputs))
    latent = np.sin(2.0 * X[:, 0]) + 0.5 * X[:, -1]
    latent = latent + 0.3 * random.normal(size=n_rows)
    if target == "number":
        return X, latent
    if target == "outputs":
        return X, np.column_stack([latent, X[:, 0] + 0.1 * latent, 3.0 - latent])
    if target == "two":
        return X, np.where(latent > 0.0, "yes", "no")
    return X, np.digitize(latent, [-0.5, 0.5])


def fit(model: Any, X: np.ndarray, y: np.ndarray) -> Any:
    """The fitted model, without a word on how it ended."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


# The state that a fault must leave as it was.


class Watcher:
    """A callback that counts, where scikit-learn has callbacks."""

    def __init__(self) -> None:
        self.setups = self.teardowns = 0

    def setup(self, estimator: Any, context: Any) -> None:
        """Count."""
        self.setups += 1

    def teardown(self, estimator: Any, context: Any) -> None:
        """Count."""
        self.teardowns += 1

    def on_fit_task_begin(self, estimator: Any, context: Any, **rest: Any) -> None:
        """See nothing."""

    def on_fit_task_end(self, estimator: Any, context: Any, **rest: Any) -> bool:
        """Ask for nothing."""
        return False


def watched(model: Any) -> tuple[Any, Watcher]:
    """The model with a callback that counts."""
    watcher = Watcher()
    if hasattr(model, "set_callbacks"):
        model.set_callbacks(watcher)
    return model, watcher


def _contents(model: Any) -> dict[str, bytes]:
    """Every attribute of the model as bytes, but for its callbacks and times."""
    return {
        name: pickle.dumps(_untimed(value))
        for name, value in vars(model).items()
        if name not in ("_skl_callbacks", "refit_time_")
    }


def _untimed(value: Any) -> Any:
    """A table of a search without the columns that are times."""
    if not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if not str(name).endswith("_time")}


def surroundings() -> dict[str, Any]:
    """What of the process a fit might change."""
    return {
        "limits": [(pool["filepath"], pool["num_threads"]) for pool in threadpool_info()],
        "warnings": list(warnings.filters),
        "errstate": np.geterr(),
    }


class State(NamedTuple):
    """What a user can see of a model and of the process."""

    model: dict[str, bytes]
    prediction: bytes | None
    process: dict[str, Any]


def state(model: Any, X: np.ndarray) -> State:
    """The present state; a fitted model is asked first, so that what it caches is there."""
    fitted = hasattr(model, "n_features_in_")
    prediction = np.asarray(model.predict(X)).tobytes() if fitted else None
    return State(_contents(model), prediction, surroundings())


def differences(found: State, expected: State) -> list[str]:
    """Names of what is not as it was."""
    names = sorted({*found.model, *expected.model})
    changed = [name for name in names if found.model.get(name) != expected.model.get(name)]
    changed += [name for name, value in expected.process.items() if found.process[name] != value]
    return changed + (["prediction"] if found.prediction != expected.prediction else [])


# Interrupts.


class Rehearsal:
    """A kind, its models before and after an undisturbed fit, and how long that takes.

    A refit is one from another number of inputs, so that a mixture of two models shows.
    """

    def __init__(self, kind: Kind, refit: bool) -> None:
        self.data = data(kind.target, kind.n_rows)
        target = "two" if kind.target == "three" else kind.target
        other = data(target, kind.n_rows // 2, n_inputs=3, seed=1)
        self.before = fit(clone(kind.estimator), *other) if refit else clone(kind.estimator)
        self.asked = other[0] if refit else self.data[0]
        self.after = self.fresh()[0]
        fit(self.after, *self.data)
        started = time.perf_counter()
        fit(self.fresh()[0], *self.data)
        self.seconds = time.perf_counter() - started
        self.expected = state(self.after, self.data[0])

    def fresh(self) -> tuple[Any, Watcher]:
        """A copy of the model before the fit, and its callback."""
        return watched(pickle.loads(pickle.dumps(self.before)))

    def judge(self, disturb: Callable[[Any], bool]) -> dict[str, Any] | None:
        """What `disturb(model)` did to a model; None if it says that it did not disturb a fit.

        A fit that was complete when the fault came has left the whole new model.
        """
        model, watcher = self.fresh()
        before = state(model, self.asked)
        if not disturb(model):
            return None
        whole = self._is_new(model)
        wrong = [] if whole else differences(state(model, self.asked), before)
        if whole:
            wrong = [
                name for name, value in before.process.items() if surroundings()[name] != value
            ]
        if watcher.setups != watcher.teardowns:
            wrong.append("callbacks")
        fit(model, *self.data)
        again = differences(state(model, self.data[0]), self.expected)
        return {"whole": whole, "wrong": wrong, "next": again}

    def _is_new(self, model: Any) -> bool:
        return _contents(model) == self.expected.model


def _is_inside(error: BaseException) -> bool:
    """Whether the error came up while an estimator was fitted."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_name in ("fit", "callback_managed_method"):
            own = trace.tb_frame.f_code.co_filename == __file__
            if not own:
                return True
        trace = trace.tb_next
    return False


def interrupted(model: Any, table: tuple, seconds: float) -> bool:
    """Whether Ctrl-C, sent after so many seconds, met the fit of the model."""
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            model.fit(*table)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
    except KeyboardInterrupt as error:
        return _is_inside(error)
    return False


def _press(number: int, frame: Any) -> None:
    signal.raise_signal(signal.SIGINT)


def interrupts(name: str, n_wanted: int, seed: int = 0, most: int = 8) -> dict:
    """Ctrl-C at random moments of fits and refits, until enough of them were inside."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, _press)
    random = np.random.default_rng(seed)
    rehearsals = [Rehearsal(KINDS[name], refit) for refit in (False, True)]
    findings: list[dict] = []
    for k in range(most * n_wanted):
        if len(findings) == n_wanted:
            break
        each = rehearsals[k % 2]
        moment = random.uniform(0.0, each.seconds) + 1e-6
        found = each.judge(lambda model: interrupted(model, each.data, moment))  # noqa: B023
        if found is not None:
            findings.append(found)
    return summary(findings)


def summary(findings: list[dict]) -> dict:
    """How many faults met a fit, how many of these came when it was complete, what was wrong."""
    wrong = sorted({name for found in findings for name in found["wrong"]})
    after = sorted({name for found in findings for name in found["next"]})
    return {
        "inside": len(findings),
        "whole": sum(found["whole"] for found in findings),
        "harmed": sum(bool(found["wrong"]) for found in findings),
        "wrong": wrong,
        "next": after,
    }


# Memory.


def _size(field: int) -> int:
    """Bytes of this process: 0 for its address space, 1 for what is resident."""
    pages = Path("/proc/self/statm").read_text().split()
    return int(pages[field]) * os.sysconf("SC_PAGE_SIZE")


def starved(model: Any, table: tuple, room: int) -> bool:
    """Whether a fit that may take so many bytes more ends in a MemoryError."""
    import resource

    gc.collect()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_size(0) + room, before[1]))
    try:
        model.fit(*table)
    except MemoryError:
        return True
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    return False


def starvation(name: str, n_rows: int, rooms: tuple[float, ...]) -> dict:
    """Fits and refits with so many megabytes of address space left."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    findings = []
    for refit in (False, True):
        each = Rehearsal(KINDS[name]._replace(n_rows=n_rows), refit)
        for room in rooms:
            found = each.judge(
                lambda model: starved(model, each.data, int(room * MEGABYTE))  # noqa: B023
            )
            if found is not None:
                findings.append(found)
    return {"tries": 2 * len(rooms), **summary(findings)}


# Growth.


def growth(n_fits: int, n_refits: int) -> dict:
    """Resident megabytes before and after many fits, and after many refits of one estimator."""
    sets = {name: data(kind.target, 30) for name, kind in KINDS.items()}
    names = list(KINDS)

    def mixed(count: int) -> None:
        for k in range(count):
            name = names[k % len(names)]
            fit(clone(KINDS[name].estimator), *sets[name]).predict(sets[name][0])

    mixed(len(names))
    sizes = [_resident()]
    mixed(n_fits)
    sizes.append(_resident())
    model = RVC()
    for k in range(n_refits):
        fit(model, *data(("two", "three")[k % 2], 30)).predict(sets["RVC two classes"][0])
    sizes.append(_resident())
    return {"megabytes": sizes, "fits": n_fits, "refits": n_refits}


def _resident() -> float:
    gc.collect()
    return _size(1) / MEGABYTE


# Processes of their own.


# Seconds that a child may take.
LONGEST = 900.0
# The libraries of linear algebra may use two threads, so that a limit that stays shows.
TWO = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}


def run(function: str, *arguments: Any) -> dict:
    """A task: what a function of CHILDREN returns in a new process."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__, function, json.dumps(arguments)],
            cwd=ROOT,
            env={**os.environ, **TWO},
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"failed": "none", "said": f"it did not end in {LONGEST} s"}
    if done.returncode:
        return {"failed": done.returncode, "said": done.stderr[-2000:]}
    return json.loads(done.stdout.splitlines()[-1])


CHILDREN: dict[str, Callable[..., dict]] = {
    "interrupts": interrupts,
    "starvation": starvation,
    "growth": growth,
    **threads.CHILDREN,
}


# The experiment.


def tasks(quick: bool) -> list[Task]:
    """A task for each kind and fault."""
    if quick:
        return [
            Task("interrupts/RVR-fast", run, ("interrupts", "RVR fast", 4)),
            Task("memory/RVR-fast", run, ("starvation", "RVR fast", 300, (0.25,))),
            Task("growth", run, ("growth", 14, 4)),
            Task("threads", run, ("together", 2, 3)),
        ]
    found = [Task(f"interrupts/{_key(name)}", run, ("interrupts", name, 50)) for name in KINDS]
    rooms = (0.25, 1.0, 4.0, 16.0)
    found += [
        Task(f"memory/{_key(name)}", run, ("starvation", name, 400, rooms))
        for name in KINDS
        if not name.endswith((" em", "variational"))
    ]
    found.append(Task("growth", run, ("growth", 300, 200)))
    found += [Task(key, run, arguments) for key, arguments in threads.FULL.items()]
    return found


def _key(name: str) -> str:
    return name.replace(" ", "-")


FAULTS = {
    "interrupts": "Ctrl-C at a random moment",
    "memory": "too little address space",
}


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each kind and fault, then memory and threads."""
    rows = [
        [FAULTS[key.split("/")[0]], key.split("/")[1].replace("-", " "), *_cells(found)]
        for key, found in results.items()
        if key.split("/")[0] in FAULTS
    ]
    header = ["fault", "fit and refit of", "met a fit", "fit was complete", "harmed", "what"]
    note = (
        "Harmed: attributes, predictions, threads of BLAS, warnings filters, NumPy's error state "
        "or callbacks were not as before, or the next fit was not equal bit for bit."
    )
    blocks: list[Block] = [Table(header, rows, note)]
    if "megabytes" in results.get("growth", {}):
        blocks.append(Text(_growth_words(results["growth"])))
    return blocks + threads.report(results)


def _cells(found: dict) -> list[str]:
    if "failed" in found:
        return ["-", "-", "-", f"exit code {found['failed']}"]
    what = ", ".join(dict.fromkeys([*found["wrong"], *(f"next {one}" for one in found["next"])]))
    return [str(found["inside"]), str(found["whole"]), str(found["harmed"]), what or "-"]


def _growth_words(found: dict) -> str:
    first, second, third = found["megabytes"]
    return (
        f"Resident memory: {first:.1f} MB, after {found['fits']} fits {second:.1f} MB, after "
        f"{found['refits']} refits of one estimator {third:.1f} MB."
    )


EXPERIMENTS = [
    Experiment(
        name="faults",
        source="reliability",
        title="Interrupts, too little memory, threads, forks: what they leave behind",
        tasks=tasks,
        report=report,
    )
]


if __name__ == "__main__":
    print(json.dumps(CHILDREN[sys.argv[1]](*json.loads(sys.argv[2]))))
