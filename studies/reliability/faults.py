"""Faults do no harm: interrupts, too little memory, many fits in a row, threads and forks.

Each try is made in a process of its own, `python -m studies.reliability.faults NAME ARGUMENTS`,
since signals, limits of memory and threads of linear algebra belong to a whole process.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import RVC
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.reliability import threads
from studies.reliability.fault_state import KINDS, Rehearsal, data, fit

ROOT = Path(__file__).parents[2]
MEGABYTE = 2**20


# Interrupts.


def _is_inside(error: BaseException) -> bool:
    """Whether the error came up while an estimator was fitted."""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        own = code is fit.__code__
        if code.co_name in ("fit", "callback_managed_method") and not own:
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
    """What a function of CHILDREN returns in a new process."""
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
        name="reliability-faults",
        source="beyond the papers",
        title="Interrupts, too little memory, threads, forks: what they leave behind",
        tasks=tasks,
        report=report,
    )
]


if __name__ == "__main__":
    print(json.dumps(CHILDREN[sys.argv[1]](*json.loads(sys.argv[2]))))
