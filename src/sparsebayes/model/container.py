"""Arrays and texts as one sequence of bytes, in the layout that safetensors files have.

    8 bytes: n, the length of the header, as a little-endian integer
    n bytes: the header, JSON: {"__metadata__": {name: text}, array: {"dtype", "shape",
        "data_offsets"}, ...}
    the rest: the arrays, little-endian, in C order, one after the other

Any reader of safetensors reads it. Besides, the texts hold a checksum of everything else, so that a
damaged file is told from a sound one.

What is read is told to be sound step by step, so that nothing but a model is read to its end.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.model.errors import ModelFileError, NotPortableError

DTYPES = {"F64": np.dtype("<f8"), "I64": np.dtype("<i8"), "BOOL": np.dtype("?")}
NAMES = {"f": "F64", "i": "I64", "u": "I64", "b": "BOOL"}
CUT_OFF = "it is cut off, or it is no model of sparsebayes"
NO_HEADER = "its header cannot be read"
METADATA, CHECKSUM = "__metadata__", "checksum"
# Readers of safetensors take no longer header.
LONGEST_HEADER = 10**8
# So many bytes are asked for at a time.
PIECE = 2**20
# Numbers that any file may ask for: 16 MB of them.
LEAST_ALLOWANCE = 2**21


class Contents(NamedTuple):
    """What a file holds.

    Attributes
    ----------
    texts : by name
    arrays : which cannot be written to
    length : of the file, in bytes
    """

    texts: dict[str, str]
    arrays: list[np.ndarray]
    length: int


def allowance(length: int) -> int:
    """How many numbers a file of so many bytes may ask for, in sum, beyond those that it holds."""
    return LEAST_ALLOWANCE + 8 * length


def pack(texts: Mapping[str, str], arrays: Sequence[np.ndarray]) -> bytes:
    """The bytes of some texts, by name, and of arrays, whose names are a0, a1, ..."""
    table, parts, start = {}, [], 0
    for k, array in enumerate(arrays):
        name = NAMES[array.dtype.kind]
        data = np.ascontiguousarray(array, dtype=DTYPES[name]).tobytes()
        offsets = [start, start + len(data)]
        table[f"a{k}"] = {"dtype": name, "shape": list(array.shape), "data_offsets": offsets}
        parts.append(data)
        start += len(data)
    buffer = b"".join(parts)
    texts = {**texts, CHECKSUM: _checksum(texts, table, buffer)}
    header = json.dumps({METADATA: texts, **table}).encode()
    if len(header) > LONGEST_HEADER:
        raise NotPortableError(
            f"the model has names and texts of {len(header)} bytes, and a file takes up to "
            f"{LONGEST_HEADER}. Use joblib.dump."
        )
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + buffer


def unpack(data: bytes) -> tuple[dict[str, str], list[np.ndarray]]:
    """The texts and the arrays; the arrays cannot be written to."""
    found = read(io.BytesIO(data), len(data))
    return found.texts, found.arrays


def read(file: Any, length: int | None = None) -> Contents:
    """What an open binary file holds.

    Parameters
    ----------
    length : of the file, where it is known
    """
    start = _bytes(file, 8)
    size = int.from_bytes(start, "little")
    if len(start) < 8 or size > LONGEST_HEADER or (length is not None and size > length - 8):
        raise ModelFileError(CUT_OFF)
    texts, table = _header(_bytes(file, size))
    extent = _extent(table)
    whole = 8 + size + extent
    if length is not None and length != whole:
        raise ModelFileError(f"{CUT_OFF}: it has {length} bytes, and should have {whole}")
    buffer = memoryview(_bytes(file, extent)).toreadonly()
    if len(buffer) < extent or file.read(1):
        raise ModelFileError(f"{CUT_OFF}: it should have {whole} bytes")
    if texts.pop(CHECKSUM, None) != _checksum(texts, table, buffer):
        raise ModelFileError("its checksum is wrong: it is damaged")
    names = [f"a{k}" for k in range(len(table))]
    return Contents(texts, [_array(table, name, buffer, whole) for name in names], whole)


def _bytes(file: Any, size: int) -> bytearray:
    """So many bytes, or as many as there are."""
    found = bytearray()
    for piece in _pieces(file, size):
        found += piece
    return found


def _pieces(file: Any, size: int) -> Iterator[bytes]:
    """What a file has, up to a size, a piece at a time: no more is asked for than there is."""
    while size > 0:
        try:
            piece = file.read(min(size, PIECE))
        except UnicodeDecodeError:
            piece = ""
        if not isinstance(piece, bytes):
            raise TypeError("path is a file of texts: open it as a binary file, with mode 'rb'.")
        if not piece:
            return
        yield piece
        size -= len(piece)


def _header(data: bytearray) -> tuple[dict[str, str], dict[str, Any]]:
    """The texts, and the table of arrays."""
    try:
        table = json.loads(data.decode(), parse_constant=_refuse)
        texts = table.pop(METADATA)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise ModelFileError(NO_HEADER) from error
    if not isinstance(texts, dict) or not all(isinstance(each, str) for each in texts.values()):
        raise ModelFileError(NO_HEADER)
    return texts, table


def _extent(table: dict[str, Any]) -> int:
    """How many bytes the arrays take in all."""
    try:
        ends = [entry["data_offsets"][1] for entry in table.values()]
    except (LookupError, TypeError) as error:
        raise ModelFileError(NO_HEADER) from error
    if not all(type(end) is int and end >= 0 for end in ends):
        raise ModelFileError(NO_HEADER)
    return max(ends, default=0)


def _array(table: dict[str, Any], name: str, buffer: memoryview, length: int) -> np.ndarray:
    """An array of the buffer; an axis of an empty one is no longer than the file allows."""
    try:
        entry = table[name]
        begin, end = entry["data_offsets"]
        dtype, shape = DTYPES[entry["dtype"]], [int(size) for size in entry["shape"]]
        if not 0 <= begin <= end <= len(buffer) or any(size < 0 for size in shape):
            raise ModelFileError(f"its array {name} is not inside")
        if max(shape, default=0) > allowance(length):
            raise ModelFileError(f"its array {name} has an axis longer than the file allows")
        return np.frombuffer(buffer[begin:end], dtype).reshape(shape)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ModelFileError(f"its array {name} cannot be read") from error


def _checksum(texts: Mapping[str, str], table: Mapping, buffer: bytes | memoryview) -> str:
    """SHA-256 of the texts, of the table of arrays and of the arrays."""
    try:
        told = json.dumps([dict(texts), table], sort_keys=True)
    except RecursionError as error:  # JSON that can be read may be too deep to be written
        raise ModelFileError(NO_HEADER) from error
    digest = hashlib.sha256(told.encode())
    digest.update(buffer)
    return digest.hexdigest()


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


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
