"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; an earlier one is there until the new one is whole.

    Links are followed. A device, such as /dev/stdout, is written to and never replaced.
    """
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
