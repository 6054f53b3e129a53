"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from sparsebayes.cli.messages import MisuseError


def check_output(path: Path) -> None:
    """An error, before any work is done, where a file cannot be written."""
    if path.is_dir():
        raise MisuseError(f"{path} is a folder; expected the name of a file to write.")
    if not path.parent.is_dir():
        raise MisuseError(f"there is no folder {path.parent} to write {path.name} into.")


def write(path: Path, data: bytes) -> None:
    """Write a file; an earlier one is there until the new one is whole.

    A device, such as /dev/stdout, is written to and never replaced.
    """
    check_output(path)
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def size_of(n_bytes: int) -> str:
    """Such as "640 bytes", "12 kB"."""
    if n_bytes < 1000:
        return f"{n_bytes} bytes"
    return f"{n_bytes / 1e3:.3g} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:.3g} MB"
