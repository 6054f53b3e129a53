"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; an earlier one is there until the new one is whole.

    Links are followed, and an earlier file keeps its permissions. A device, such as /dev/stdout, is
    written to and never replaced.
    """
    path = path.resolve()
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(path.parent))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    handle, part = tempfile.mkstemp(prefix=".sparsebayes-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, path.stat().st_mode if path.exists() else _usual_mode())
        os.replace(part, path)
    finally:
        Path(part).unlink(missing_ok=True)


def _usual_mode() -> int:
    """The permissions that a new file has."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
