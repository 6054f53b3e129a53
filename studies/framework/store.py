"""Results of tasks as JSON files, one each, from which an interrupted run goes on."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from studies.framework.origin import origin, source_hash


@dataclass(frozen=True)
class Store:
    """The folder `draws` of a run, quick or not, and what is saved in it."""

    out: Path
    quick: bool

    def prepare(self) -> None:
        """Make the folder; an OSError says if nothing can be written to it."""
        probe = self.out / "draws" / ".probe"
        try:
            probe.parent.mkdir(parents=True, exist_ok=True)
            probe.write_text("", encoding="utf-8")
            probe.unlink()
        except OSError as error:
            raise OSError(f"cannot write results to {self.out}: {error.strerror}") from error

    def folder(self, experiment: str) -> Path:
        """Where the results of an experiment are."""
        return self.out / "draws" / experiment

    def load(self, experiment: str, key: str) -> dict[str, Any] | None:
        """What was saved by a run of the same source and kind; None if there is no such result."""
        record = read_record(self._path(experiment, key), key)
        if record is None:
            return None
        same = record.get("source") == source_hash() and record.get("quick") is self.quick
        return record if same else None

    def save(self, experiment: str, key: str, result: dict, seconds: float) -> dict[str, Any]:
        """Write a result, whole or not at all, and give it back as it will be read."""
        record = {
            "key": key,
            "seconds": round(seconds, 3),
            "quick": self.quick,
            **origin(),
            "date": datetime.now(UTC).date().isoformat(),
            "result": result,
        }
        text = json.dumps(record, default=lambda array: array.tolist())
        path = self._path(experiment, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            path.rmdir()
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_text(text + "\n", encoding="utf-8")
        os.replace(unfinished, path)
        return json.loads(text)

    def _path(self, experiment: str, key: str) -> Path:
        return self.folder(experiment) / f"{key}.json"


def read_record(path: Path, key: str) -> dict[str, Any] | None:
    """The record of a task; None if the file is missing, damaged, or of another task."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or record.get("key") != key:
        return None
    whole = isinstance(record.get("result"), dict) and isinstance(record.get("versions"), dict)
    seconds = record.get("seconds")
    timed = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return record if whole and timed else None
