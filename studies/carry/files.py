"""Files of models: how soon one predicts after a cold start, and a thousand damaged ones."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import joblib
import numpy as np

from sparsebayes import ModelFileError
from sparsebayes.model.files import from_bytes, to_bytes
from studies.carry.kinds import fitted, kinds
from studies.framework.experiment import Block, Experiment, Status, Table, Task, Verdict

# Each prints two times in milliseconds: of importing NumPy, and of all that follows.
BEGIN = """
import sys, time
start = time.perf_counter()
import numpy
middle = time.perf_counter()
"""
END = """
model.predict(numpy.full((1, 5), 0.5))
if hasattr(model, "predict_proba"):
    model.predict_proba(numpy.full((1, 5), 0.5))
else:
    model.predict(numpy.full((1, 5), 0.5), return_std=True)
end = time.perf_counter()
print(1e3 * (middle - start), 1e3 * (end - middle))
"""
LOADERS = {
    "sparsebayes.load": "import sparsebayes\nmodel = sparsebayes.load(sys.argv[1])",
    "joblib.load": "import joblib\nmodel = joblib.load(sys.argv[1])",
}
STARTED = ("RVR()", "RVC(), two classes", "RVC(), three classes")
DAMAGED = ("RVR()", "RVC(), two classes", "RVC(), three classes", "RVR(), two outputs")


def cold_start(name: str, repeats: int) -> dict:
    """Milliseconds from a new process to the first predictions, loaders in turn."""
    model = fitted(kinds()[name])
    with tempfile.TemporaryDirectory() as folder:
        paths = {"sparsebayes.load": Path(folder) / "m.sbm", "joblib.load": Path(folder) / "m.job"}
        model.save(paths["sparsebayes.load"])
        joblib.dump(model, paths["joblib.load"])
        found: dict[str, list[tuple[float, ...]]] = {loader: [] for loader in LOADERS}
        for _ in range(repeats):
            for loader, script in LOADERS.items():
                command = [sys.executable, "-c", BEGIN + script + END, str(paths[loader])]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                found[loader].append(tuple(map(float, done.stdout.split())))
        sizes = {loader: path.stat().st_size for loader, path in paths.items()}
    times = {
        loader: [median(column) for column in zip(*each, strict=True)]
        for loader, each in found.items()
    }
    return {"milliseconds": times, "bytes": sizes}


def damage(name: str, n_files: int) -> dict:
    """How many damaged files were refused by our own error, and what else happened."""
    data = to_bytes(fitted(kinds()[name]).to_portable())
    random = np.random.default_rng(0)
    refused, others, same = 0, [], 0
    for _ in range(n_files):
        bad = damaged(data, random)
        same += bad == data
        try:
            from_bytes(bad)
        except ModelFileError:
            refused += 1
        except BaseException as error:
            others.append(repr(error))
    return {"files": n_files, "same": same, "refused": refused, "others": others}


def damaged(data: bytes, random: np.random.Generator) -> bytes:
    """The bytes with some of them changed, cut off, left out, doubled or written over."""
    place, size = int(random.integers(len(data))), int(random.integers(1, 200))
    flipped = bytes([data[place] ^ (1 << int(random.integers(8)))])
    ways = (
        data[:place] + flipped + data[place + 1 :],
        data[:place],
        data[:place] + data[place + size :],
        data[:place] + data[place : place + size] + data[place:],
        data[:place] + random.bytes(min(size, len(data) - place)) + data[place + size :],
    )
    return ways[int(random.integers(len(ways)))]


def start_tasks(quick: bool) -> list[Task]:
    """A task for each model."""
    names = STARTED[:1] if quick else STARTED
    return [Task(f"{k}", cold_start, (name, 1 if quick else 21)) for k, name in enumerate(names)]


def start_report(results: dict[str, dict]) -> list[Block]:
    """A row for each model: milliseconds to the first prediction, and bytes."""
    rows = [
        [STARTED[int(key)], loader, f"{numpy:.0f}", f"{rest:.0f}", str(result["bytes"][loader])]
        for key, result in results.items()
        for loader, (numpy, rest) in result["milliseconds"].items()
    ]
    header = ["model", "by", "importing NumPy, ms", "all that follows, ms", "bytes of the file"]
    note = "From a new process to the first mean and std, or probabilities; medians."
    return [Table(header, rows, note)]


def damage_tasks(quick: bool) -> list[Task]:
    """A task for each model."""
    names = DAMAGED[:1] if quick else DAMAGED
    return [Task(f"{k}", damage, (name, 20 if quick else 1000)) for k, name in enumerate(names)]


def damage_report(results: dict[str, dict]) -> list[Block]:
    """A row for each model: how many damaged files were refused."""
    rows = [
        [DAMAGED[int(key)], *(str(each[name]) for name in ("files", "same", "refused"))]
        for key, each in results.items()
    ]
    others = [one for each in results.values() for one in each["others"]]
    fine = not others and all(
        each["refused"] + each["same"] == each["files"] for each in results.values()
    )
    header = ["model", "files", "not changed by chance", "refused by ModelFileError"]
    return [
        Table(header, rows),
        Verdict(
            "every damaged file is refused by our own error",
            Status.REPRODUCED if fine else Status.NOT,
            "; ".join(others[:5]) or "no other error, and none was read",
        ),
    ]


EXPERIMENTS = [
    Experiment(
        "carry-start",
        "sparsebayes",
        "A cold start: from a file to the first prediction",
        start_tasks,
        start_report,
    ),
    Experiment(
        "carry-damage", "sparsebayes", "Damaged files of models", damage_tasks, damage_report
    ),
]
