"""Files that commands write: whole or not at all, and never in place of what they read."""

from __future__ import annotations

import os
from pathlib import Path

from sparsebayes.cli.messages import MisuseError
from sparsebayes.model.writing import write_whole


def check_output(path: Path, *reads: Path) -> None:
    """An error, before any work is done, where a file cannot be written.

    Parameters
    ----------
    reads : files that the command reads, which would be lost
    """
    if path.is_dir():
        raise MisuseError(f"{path} is a folder; expected the name of a file to write.")
    if not path.parent.is_dir():
        raise MisuseError(f"there is no folder {path.parent} to write {path.name} into.")
    for each in reads:
        if _is_same_file(path, each):
            alias = "" if str(path) == str(each) else f" under the name {each}"
            raise MisuseError(
                f"{path} is read by this command{alias}, and would be lost: say with --out where "
                "else to write."
            )


def _is_same_file(path: Path, other: Path) -> bool:
    """Whether two names are those of one file on a disk; devices can be read and written."""
    try:
        return path.is_file() and os.path.samefile(path, other)
    except OSError:  # one of them is not there
        return False


def write(path: Path, data: bytes) -> None:
    """Write a file; an earlier one is there until the new one is whole."""
    check_output(path)
    write_whole(path, data)


def size_of(n_bytes: int) -> str:
    """A number of bytes for people, such as "640 bytes" and "12 kB"."""
    if n_bytes < 1000:
        return f"{n_bytes} bytes"
    return f"{n_bytes / 1e3:.3g} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:.3g} MB"
