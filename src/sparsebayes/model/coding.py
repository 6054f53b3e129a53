"""Records as JSON and arrays: what a file says, without running anything when it is read.

| value | JSON |
|---|---|
| None, True, a whole number, a finite number, a text, a list | itself |
| an array of numbers | {"array": k}, the k-th array of the file |
| a triangular matrix | {"lower": k, "size": n}, or "upper": row by row without its zeros |
| an array of texts or of anything else | {"items": [...], "dtype": "U" or "O", "shape": [...]} |
| an infinite number or NaN | {"number": "inf"} |
| a tuple | {"tuple": [...]} |
| a dictionary | {"mapping": [[key, value], ...]} |
| a sparse matrix | {"sparse": [data, indices, indptr], "shape": [...]} |
| a record or an estimator | {"record": name, "fields": {name: value}} |

Records have names in a table of classes. A file can name no other class and no function, so that
nothing but these can be made from it. Fields that have their default are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np

from sparsebayes.model.container import allowance
from sparsebayes.model.errors import NotPortableError

Tree = Any


class Writer:
    """From values to JSON, and the arrays that it refers to.

    Parameters
    ----------
    classes : of records, by their names

    Attributes
    ----------
    arrays : those that were met, equal ones once
    """

    def __init__(self, classes: Mapping[str, type]) -> None:
        self.classes = classes
        self.arrays: list[np.ndarray] = []
        self._known: dict[tuple, int] = {}

    def number_of(self, array: np.ndarray) -> int:
        """The number that an array of numbers has in the file."""
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._known:
            self._known[key] = len(self.arrays)
            self.arrays.append(array)
        return self._known[key]

    def tree(self, value: Any, where: str) -> Tree:
        """The JSON of a value; `where` is what an error calls it."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, float):
            return value if np.isfinite(value) else {"number": repr(value)}
        if isinstance(value, np.ndarray):
            return self._array(value, where)
        if isinstance(value, list):
            return [self.tree(each, where) for each in value]
        if isinstance(value, dict):
            pairs = [[self.tree(k, where), self.tree(v, where)] for k, v in value.items()]
            return {"mapping": pairs}
        if self.classes.get(type(value).__name__) is type(value):
            return self._record(value)
        if isinstance(value, tuple):
            return {"tuple": [self.tree(each, where) for each in value]}
        if hasattr(value, "indptr"):
            return self._sparse(value.tocsr(), where)
        raise NotPortableError(
            f"{where} holds {value!r}, which no file without pickle can hold: a file holds "
            "numbers, texts and parts of sparsebayes. Use joblib.dump for a model with functions "
            "of your own."
        )

    def _array(self, array: np.ndarray, where: str) -> Tree:
        if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
            raise NotPortableError(f"{where} holds whole numbers of 2**63 and more.")
        if array.dtype.kind in "fiub":
            for side, mask in _triangles(array):
                return {side: self.number_of(array[mask]), "size": len(array)}
            return {"array": self.number_of(array)}
        if array.dtype.kind not in "UO":
            raise NotPortableError(f"{where} holds an array of {array.dtype}, expected numbers.")
        items = [self.tree(each, where) for each in array.ravel().tolist()]
        return {"items": items, "dtype": array.dtype.kind, "shape": list(array.shape)}

    def _sparse(self, matrix: Any, where: str) -> Tree:
        parts = [self.tree(each, where) for each in (matrix.data, matrix.indices, matrix.indptr)]
        return {"sparse": parts, "shape": list(matrix.shape)}

    def _record(self, value: Any) -> Tree:
        name = type(value).__name__
        parts = {
            key: self.tree(part, f"{key} of {name}")
            for key, part in parts_of(value).items()
            if not _is_default(value, key, part)
        }
        return {"record": name, "fields": parts}


class Reader:
    """From JSON to values; see `Writer`.

    Parameters
    ----------
    classes : of records, by name
    arrays : that the JSON refers to
    sparse : (data, indices, indptr, shape) -> a sparse matrix; None where none is expected
    """

    def __init__(
        self,
        classes: Mapping[str, type],
        arrays: list[np.ndarray],
        sparse: Callable[..., Any] | None = None,
    ) -> None:
        self.classes, self.arrays, self.sparse = classes, arrays, sparse
        self._triangles: dict[tuple, np.ndarray] = {}
        self._letters, self._room = 0, 0

    def value(self, tree: Tree) -> Any:
        """The value of some JSON. An error of any kind is one of the file."""
        if isinstance(tree, list):
            return [self.value(each) for each in tree]
        if not isinstance(tree, dict):
            return tree
        if "record" in tree:
            parts = {name: self.value(part) for name, part in tree["fields"].items()}
            return self.classes[tree["record"]](**parts)
        if "array" in tree:
            return self.arrays[tree["array"]]
        if "lower" in tree or "upper" in tree:
            return self._triangle(tree)
        if "tuple" in tree:
            return tuple(self.value(each) for each in tree["tuple"])
        if "mapping" in tree:
            return {self.value(key): self.value(each) for key, each in tree["mapping"]}
        if "number" in tree:
            return float(tree["number"])
        if "items" in tree:
            return self._items(tree)
        if "sparse" in tree and self.sparse is not None:
            return self.sparse(*map(self.value, tree["sparse"]), tuple(tree["shape"]))
        raise ValueError(f"unknown JSON {list(tree)}")

    def _triangle(self, tree: dict) -> np.ndarray:
        side, size = "lower" if "lower" in tree else "upper", tree["size"]
        key, values = (side, tree[side]), self.arrays[tree[side]]
        if values.shape != (size * (size + 1) // 2,) or values.dtype.kind != "f":
            raise ValueError("a triangle has another size")
        if key not in self._triangles:
            self._triangles[key] = np.zeros((size, size))
            self._triangles[key][_triangle_mask(side, size)] = values
        return self._triangles[key]

    def _items(self, tree: dict) -> np.ndarray:
        items = [self.value(each) for each in tree["items"]]
        found = np.empty(len(items), dtype=object)
        found[:] = items
        if tree["dtype"] == "U":
            self._allow(items)
            found = found.astype(str)
        return found.reshape(tree["shape"])

    def _allow(self, texts: list[str]) -> None:
        """An error where texts, which all take the room of the longest, ask for too much in sum."""
        self._letters += sum(map(len, texts))
        self._room += len(texts) * max(map(len, texts), default=0)
        if self._room > allowance(self._letters):
            raise ValueError("texts take too much memory")


def _triangles(array: np.ndarray, least: int = 8) -> Iterator[tuple[str, np.ndarray]]:
    """The side and the mask of a triangular matrix that is large enough to be worth it."""
    if array.ndim != 2 or array.dtype.kind != "f" or not least <= len(array) == array.shape[1]:
        return
    for side in ("lower", "upper"):
        mask = _triangle_mask(side, len(array))
        if not array[~mask].any():
            yield side, mask


def _triangle_mask(side: str, size: int) -> np.ndarray:
    """Which entries of a matrix are on a side, the diagonal included (size, size)."""
    lower = np.tri(size, dtype=bool)
    return lower if side == "lower" else lower.T


def parts_of(value: Any) -> dict[str, Any]:
    """The arguments that a record or an estimator is made of."""
    if is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in fields(value) if each.init}
    return value._asdict() if hasattr(value, "_asdict") else value.get_params(deep=False)


def _is_default(record: Any, name: str, value: Any) -> bool:
    """Whether a field of a record has its default, which need not be written."""
    if not is_dataclass(record) or isinstance(value, np.ndarray):
        return False
    default = next(each.default for each in fields(record) if each.name == name)
    return default is not MISSING and type(value) is type(default) and value == default
