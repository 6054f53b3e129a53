"""Arrays and texts as one sequence of bytes, in the layout that safetensors files have.

    8 bytes: n, the length of the header, as a little-endian integer
    n bytes: the header, JSON: {"__metadata__": {name: text}, array: {"dtype", "shape",
        "data_offsets"}, ...}
    the rest: the arrays, little-endian, in C order, one after the other

Any reader of safetensors reads it. Besides, the texts hold a checksum of everything else, so that a
damaged file is told from a sound one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

import numpy as np

from sparsebayes.portable.errors import ModelFileError

DTYPES = {"F64": np.dtype("<f8"), "I64": np.dtype("<i8"), "BOOL": np.dtype("?")}
NAMES = {"f": "F64", "i": "I64", "u": "I64", "b": "BOOL"}
METADATA, CHECKSUM = "__metadata__", "checksum"


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
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + buffer


def unpack(data: bytes) -> tuple[dict[str, str], list[np.ndarray]]:
    """The texts and the arrays; the arrays cannot be written to."""
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > len(data) - 8:
        raise ModelFileError("it is cut off, or it is no model of sparsebayes")
    try:
        table = json.loads(data[8 : 8 + size].decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ModelFileError("its header cannot be read") from error
    texts = table.pop(METADATA, None) if isinstance(table, dict) else None
    if not isinstance(texts, dict) or not all(isinstance(each, str) for each in texts.values()):
        raise ModelFileError("its header cannot be read")
    buffer = memoryview(data)[8 + size :]
    told = texts.pop(CHECKSUM, None)
    try:
        found = _checksum(texts, table, buffer)
    except RecursionError as error:
        raise ModelFileError("its header cannot be read") from error
    if told != found:
        raise ModelFileError("its checksum is wrong: it is damaged")
    return texts, [_array(table, f"a{k}", buffer) for k in range(len(table))]


def _array(table: dict, name: str, buffer: memoryview) -> np.ndarray:
    try:
        entry = table[name]
        begin, end = entry["data_offsets"]
        dtype, shape = DTYPES[entry["dtype"]], [int(size) for size in entry["shape"]]
        if not 0 <= begin <= end <= len(buffer) or any(size < 0 for size in shape):
            raise ModelFileError(f"its array {name} is not inside")
        return np.frombuffer(buffer[begin:end], dtype).reshape(shape)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ModelFileError(f"its array {name} cannot be read") from error


def _checksum(texts: Mapping[str, str], table: Mapping, buffer: bytes | memoryview) -> str:
    """SHA-256 of the texts, of the table of arrays and of the arrays."""
    digest = hashlib.sha256(json.dumps([dict(texts), table], sort_keys=True).encode())
    digest.update(buffer)
    return digest.hexdigest()


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")
