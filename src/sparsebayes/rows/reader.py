"""A block of rows as it is read: checked, or an error that names block and row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns import each_once
from sparsebayes.model.given import as_numbers, refuse_masked
from sparsebayes.rows.rows import Data


class Place(NamedTuple):
    """Where a block stands.

    Attributes
    ----------
    number : of the block, from 0
    start, stop : its rows
    """

    number: int
    start: int
    stop: int

    def __str__(self) -> str:
        return f"block {self.number} (rows {self.start} to {self.stop - 1})"


class Block(NamedTuple):
    """A block of rows, checked.

    Attributes
    ----------
    data : its rows
    place : where it stands
    """

    data: Data
    place: Place


@dataclass(frozen=True)
class RowReader:
    """Makes a block of what was read, or says in which block and row something is wrong.

    Parameters
    ----------
    n_features : how many inputs there are
    classes : labels, in order; targets then become their numbers. None leaves targets as they are
    numeric : whether targets are to be finite numbers
    offset : taken from the targets
    class_weight : how often a row of each class counts (n_classes,)
    factor : of the weights
    """

    n_features: int
    classes: np.ndarray | None = None
    numeric: bool = False
    offset: Any = 0.0
    class_weight: np.ndarray | None = None
    factor: float = 1.0

    def __call__(self, inputs: Any, target: Any, weight: Any, place: Place) -> Block:
        """The block of raw inputs, targets and weights (None: each row counts once)."""
        inputs = self._inputs(inputs, place)
        target = np.asarray(target)
        weight = np.ones(len(target)) if weight is None else weight
        weight = _as_doubles("sample_weight", weight, place)
        for name, values in (("y", target), ("sample_weight", weight)):
            if len(values) != place.stop - place.start:
                raise ValueError(
                    f"{name} has {len(values)} rows in {place}, expected "
                    f"{place.stop - place.start} as in X. Please check how it is split."
                )
        self._check_weight(weight, place)
        target = self._target(target, weight, place)
        if self.class_weight is not None:
            weight = weight * self.class_weight[target.astype(np.intp)]
        return Block(Data(inputs, target, weight * self.factor), place)

    def _inputs(self, inputs: Any, place: Place) -> Any:
        if not issparse(inputs):
            inputs = _as_doubles("X", inputs, place)
        expected = (place.stop - place.start, self.n_features)
        if inputs.shape != expected:
            raise ValueError(
                f"X has the shape {inputs.shape} in {place}, expected {expected}: all blocks need "
                "the same inputs, and as many rows as they were said to have."
            )
        if issparse(inputs):
            inputs = each_once(inputs.tocsr().astype(np.float64))
        stored = inputs.data if issparse(inputs) else inputs
        with np.errstate(over="ignore", invalid="ignore"):
            suspect = not np.isfinite(np.sum(stored))  # far quicker than to look at each value
        if suspect:
            wrong = _wrong_row(inputs)
            if wrong is not None:
                _refuse_value("X", place, wrong, "NaN or infinity")
        return inputs

    def _target(self, target: np.ndarray, weight: np.ndarray, place: Place) -> np.ndarray:
        if self.classes is not None:
            return self._codes(target, weight, place)
        if not self.numeric:
            _refuse_missing_labels(target, place)
            return target
        target = _as_doubles("y", target, place)
        wrong = np.flatnonzero(~np.isfinite(target.reshape(len(target), -1)).all(axis=1))
        if len(wrong):
            _refuse_value("y", place, int(wrong[0]), "NaN or infinity")
        return target - self.offset

    def _codes(self, target: np.ndarray, weight: np.ndarray, place: Place) -> np.ndarray:
        """The number of the class of each row; that of a row of no weight does not matter."""
        assert self.classes is not None
        codes = np.clip(np.searchsorted(self.classes, target), 0, len(self.classes) - 1)
        wrong = np.flatnonzero((self.classes[codes] != target) & (weight > 0.0))
        if len(wrong):
            found = f"the class {target[wrong[0]]!r}, which no earlier pass has seen,"
            _refuse_value("y", place, int(wrong[0]), found)
        return codes.astype(np.float64)

    def _check_weight(self, weight: np.ndarray, place: Place) -> None:
        wrong = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0.0)))
        if len(wrong):
            found = f"the weight {weight[wrong[0]]}, which is negative or not finite,"
            _refuse_value("sample_weight", place, int(wrong[0]), found)


def _refuse_missing_labels(labels: np.ndarray, place: Place) -> None:
    """An error where a label is NaN, which differs from itself, or None."""
    missing = labels != labels
    if labels.dtype.kind == "O":
        missing |= np.array([label is None for label in labels.ravel()]).reshape(labels.shape)
    rows = np.flatnonzero(np.reshape(missing, (len(labels), -1)).any(axis=1))
    if len(rows):
        _refuse_value("y", place, int(rows[0]), "NaN or None")


def _as_doubles(name: str, values: Any, place: Place) -> np.ndarray:
    try:
        refuse_masked(**{name: values})
        return as_numbers(name, values, lambda: np.ascontiguousarray(values, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} has values in {place} that are no numbers: {error}. Please encode them first."
        ) from error


def _wrong_row(inputs: Any) -> int | None:
    """The first row that is not finite, if there is one."""
    if issparse(inputs):
        stored = inputs.tocoo()
        wrong = stored.row[~np.isfinite(stored.data)]
        return int(wrong.min()) if len(wrong) else None
    wrong = np.flatnonzero(~np.isfinite(inputs).all(axis=1))
    return int(wrong[0]) if len(wrong) else None


def _refuse_value(name: str, place: Place, row: int, found: str) -> None:
    raise ValueError(
        f"{name} has {found} in row {place.start + row}, in {place}. Please mend or leave out such "
        "rows first."
    )
