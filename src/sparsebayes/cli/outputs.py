"""Files that commands write: whole or not at all."""

from __future__ import annotations

from pathlib import Path

from sparsebayes.cli.messages import MisuseError
from sparsebayes.portable.writing import write_whole


def check_output(path: Path) -> None:
    """An error, before any work is done, where a file cannot be written."""
    if path.is_dir():
        raise MisuseError(f"{path} is a folder; expected the name of a file to write.")
    if not path.parent.is_dir():
        raise MisuseError(f"there is no folder {path.parent} to write {path.name} into.")


def write(path: Path, data: bytes) -> None:
    """Write a file; an earlier one is there until the new one is whole."""
    check_output(path)
    write_whole(path, data)


def size_of(n_bytes: int) -> str:
    """Such as "640 bytes", "12 kB"."""
    if n_bytes < 1000:
        return f"{n_bytes} bytes"
    return f"{n_bytes / 1e3:.3g} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:.3g} MB"
