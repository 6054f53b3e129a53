"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

# How the name of a file that is not whole yet begins.
PART = ".sparsebayes-"
# Paths that stand for what this process has open already.
STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
OPEN_FILES = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; an earlier one is there until the new one is whole.

    Links are followed, and an earlier file keeps its permissions. What is open already, such as
    /dev/stdout, and a device are written to and never replaced.

    A process that is killed leaves no part of a file, where the system has files without a name.
    There, a name that begins with ".sparsebayes-" is left only by a kill in the instant in which
    an earlier file is replaced; elsewhere by any kill before the end.
    """
    stream = _stream(path)
    if stream is not None:
        _write_into(stream, data)
    elif path.exists() and not path.is_file():
        path.write_bytes(data)
    else:
        _replace(_target(path), data)


def _stream(path: Path) -> int | None:
    """The number of the open file that a path stands for."""
    found = OPEN_FILES.fullmatch(str(path))
    return int(found[1]) if found and os.name == "posix" else STREAMS.get(str(path))


def _write_into(stream: int, data: bytes) -> None:
    """Write where this process writes, after what it has written."""
    sys.stdout.flush()
    with os.fdopen(os.dup(stream), "wb") as file:
        file.write(data)


def _target(path: Path) -> Path:
    """The file that a path leads to, which may be written."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, "its links lead back to themselves", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it may not be written", str(target))
    return target


def _replace(path: Path, data: bytes) -> None:
    """Put a new file in the place of an earlier one, if there is one."""
    mode = path.stat().st_mode if path.exists() else _usual_mode()
    part = _without_name(path.parent, data, mode) or _with_name(path.parent, data, mode)
    try:
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _without_name(folder: Path, data: bytes, mode: int) -> Path | None:
    """A whole file, which gets a name at the end; None where there are no files without one."""
    if not hasattr(os, "O_TMPFILE"):
        return None
    part = folder / f"{PART}{secrets.token_hex(8)}"
    try:
        handle = os.open(folder, os.O_TMPFILE | os.O_WRONLY)
        with os.fdopen(handle, "wb") as file:
            _fill(file, data)
            os.fchmod(handle, mode)
            # With a folder's number, which a whole path does not need, the link is followed.
            os.link(f"/proc/self/fd/{handle}", part, src_dir_fd=handle)
    except OSError:  # this folder has none, or the data cannot be written, which comes up again
        return None
    return part


def _with_name(folder: Path, data: bytes, mode: int) -> Path:
    """A whole file, which has a name from the beginning."""
    handle, part = tempfile.mkstemp(prefix=PART, dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            _fill(file, data)
        os.chmod(part, mode)
    except BaseException:
        Path(part).unlink()
        raise
    return Path(part)


def _fill(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def _usual_mode() -> int:
    """The permissions that a new file has."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
