"""The results of a full run in a few compact files, which are part of the repository."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from studies.framework.experiment import Experiment
from studies.framework.origin import ROOT, source_hash
from studies.framework.runner import Results
from studies.framework.store import Store, read_record

FOLDER = ROOT / "studies" / "results"
# Enough for every verdict; the strictest compares curves to 1e-8.
DIGITS = 9
# A longer list is a curve of a picture; only the first task of a study keeps its curves.
CURVE = 60


class PackError(ValueError):
    """The results cannot be packed; the message says why."""


@dataclass(frozen=True)
class Packed:
    """A study, the results of its last full run, and what they were made with."""

    experiment: Experiment
    results: Results
    origin: dict[str, Any]


def pack(
    experiments: Sequence[Experiment], source: Path, to: Path, commit: str = ""
) -> Iterator[str]:
    """Write a file for each study that has results in `source / "draws"`; a line on each.

    Results must come from the present source code, unless `commit` says what they come from.
    """
    to.mkdir(parents=True, exist_ok=True)
    n_packed = 0
    for one in experiments:
        tasks = one.tasks(False)
        records = _records(one, source)
        if not records:
            continue
        _check_source(one, records, commit)
        path = to / f"{one.name}.json"
        path.write_text(_text(records, commit), encoding="utf-8")
        n_packed += 1
        yield f"{path.name}: {len(records)} of {len(tasks)} tasks"
    if not n_packed:
        raise PackError(f"no results of a full run of these studies in {source / 'draws'}")


def load(experiments: Sequence[Experiment], folder: Path = FOLDER) -> dict[str, Packed]:
    """The packed results by name of study; those without a file are left out."""
    found = {}
    for one in experiments:
        path = folder / f"{one.name}.json"
        if path.exists():
            content = json.loads(path.read_text(encoding="utf-8"))
            tasks = content.pop("tasks")
            results = {key: task["result"] for key, task in tasks.items()}
            seconds = sum(task["seconds"] for task in tasks.values())
            found[one.name] = Packed(one, Results(results, seconds=seconds), content)
    return found


def _records(experiment: Experiment, source: Path) -> list[dict]:
    """The records of a study's tasks from a full run, in their order."""
    folder = Store(source, quick=False).folder(experiment.name)
    records = []
    for task in experiment.tasks(False):
        path = folder / f"{task.key}.json"
        record = read_record(path, task.key)
        if record and record.get("quick") is False:
            written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            records.append({"date": written.date().isoformat(), **record})
    return records


def _check_source(experiment: Experiment, records: list[dict], commit: str) -> None:
    others = [record["key"] for record in records if record.get("source") != source_hash()]
    if others and not commit:
        raise PackError(
            f"{experiment.name}: {len(others)} of {len(records)} results come from other source "
            f"code ({others[0]} is the first). Run the study again, or say with --any-source "
            "which commit they are of."
        )


def _text(records: list[dict], commit: str) -> str:
    """One line for the origin and one for each task, so that a change is seen line by line."""
    head = _origin(records, commit)
    tasks = [
        json.dumps(record["key"])
        + ": "
        + _compact({"seconds": record["seconds"], "result": _rounded(record["result"], k == 0)})
        for k, record in enumerate(records)
    ]
    return f'{_compact(head)[:-1]},\n"tasks":{{\n' + ",\n".join(tasks) + "\n}}\n"


def _origin(records: list[dict], commit: str) -> dict:
    """What most results were made with; a commit that was given counts for all."""
    head = {key: _most_common(records, key) for key in ("source", "commit", "versions", "machine")}
    if commit:
        head["commit"] = commit
    return {**head, "date": max(record["date"] for record in records)}


def _most_common(records: list[dict], key: str) -> Any:
    counts = Counter(json.dumps(record.get(key), sort_keys=True) for record in records)
    return json.loads(counts.most_common(1)[0][0])


def _rounded(value: Any, curves: bool) -> Any:
    """A result with few digits, and without curves unless they are wanted."""
    match value:
        case float():
            return float(f"{value:.{DIGITS}g}")
        case dict():
            return {key: _rounded(each, curves) for key, each in value.items()}
        case list() if len(value) > CURVE and not curves:
            return None
        case list():
            return [_rounded(each, curves) for each in value]
    return value


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
