"""Results of tasks as JSON files, one each, from which an interrupted run goes on."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sparsebayes import __version__


@cache
def versions() -> Mapping[str, str]:
    """Of what the numbers depend on."""
    return {
        "sparsebayes": __version__,
        **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
        "python": platform.python_version(),
    }


@dataclass(frozen=True)
class Store:
    """The folder `draws` of a run, quick or not."""

    out: Path
    quick: bool

    def folder(self, experiment: str) -> Path:
        """Where the results of an experiment are."""
        return self.out / "draws" / experiment

    def load(self, experiment: str, key: str) -> dict[str, Any] | None:
        """What was saved; None if nothing was, or by another version or kind of run."""
        try:
            record = json.loads(self._path(experiment, key).read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        same = record["versions"]["sparsebayes"] == __version__ and record["quick"] == self.quick
        return record if same else None

    def save(self, experiment: str, key: str, result: dict, seconds: float) -> dict[str, Any]:
        """Write a result, whole or not at all, and give it back as it will be read."""
        record = {
            "key": key,
            "seconds": round(seconds, 3),
            "versions": versions(),
            "quick": self.quick,
            "result": result,
        }
        text = json.dumps(record, default=lambda array: array.tolist())
        path = self._path(experiment, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_text(text + "\n", encoding="utf-8")
        os.replace(unfinished, path)
        return json.loads(text)

    def _path(self, experiment: str, key: str) -> Path:
        return self.folder(experiment) / f"{key}.json"
