"""Files that are opened with a look at what they are."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sparsebayes.model.container import Contents, read
from sparsebayes.model.errors import ModelFileError


def read_file(path: Any) -> Contents:
    """What a path or an open binary file holds."""
    if hasattr(path, "read"):
        return read(path)
    with _opened(Path(path)) as file:
        found = os.fstat(file.fileno())
        if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
            raise ModelFileError("it is a device")
        return read(file, found.st_size if stat.S_ISREG(found.st_mode) else None)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """A file to be read. A pipe to which nobody writes is empty, and nobody is waited for."""
    with open(path, "rb", opener=_open_at_once) as file:
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(file.fileno(), True)
        yield file


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
