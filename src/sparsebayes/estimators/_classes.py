"""Which classes there are."""

from __future__ import annotations

from numbers import Number
from reprlib import repr as clipped
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from sparsebayes.estimators._many_rows import is_lazy
from sparsebayes.model.given import is_missing

# What labels may be; those of one fit are of one kind, as they are sorted.
KINDS = ("texts", "numbers")


def check_labels(name: str, y: Any) -> None:
    """An error unless labels in memory can be told apart and sorted: texts, or numbers."""
    if y is None or is_lazy(y):
        return
    labels = np.asarray(y)
    if labels.dtype.kind == "U" and isinstance(y, list | tuple):
        labels = np.asarray(y, dtype=object)  # NumPy has made texts of numbers among them
    if labels.dtype.kind not in "OS":
        return
    found: dict[str, Any] = {}
    for row, label in enumerate(labels.ravel().tolist()):
        if is_missing(label):
            raise ValueError(
                f"y of {name} holds {label!r} in row {row}, which is no label: leave out this "
                "row, or give it a label."
            )
        found.setdefault(_kind_of(label), label)
    if len(found) > 1 or (found and not set(found) <= set(KINDS)):
        which = " and ".join(f"{kind} such as {clipped(label)}" for kind, label in found.items())
        text = "label.decode()" if "bytes" in found else "str(label)"
        raise ValueError(
            f"y of {name} holds {which}; expected labels that are all texts, or all whole numbers "
            f"or booleans: pass texts, as in [{text} for label in y]."
        )


def _kind_of(label: Any) -> str:
    if isinstance(label, str):
        return "texts"
    return "numbers" if isinstance(label, Number) else type(label).__name__


def classes_of(name: str, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The labels among the rows of positive weight, sorted; an error if there is only one."""
    check_classification_targets(y)
    return several_classes(name, np.unique(y[weight > 0]))


def several_classes(name: str, classes: np.ndarray) -> np.ndarray:
    """The classes; an error if there is only one."""
    if len(classes) < 2:
        raise ValueError(
            f"y of {name} needs two classes or more among the rows of positive sample_weight, got "
            f"one class: {classes[0]}."
        )
    return classes


def has_more_than_two(y: Any) -> bool:
    """Whether labels in memory are of more than two classes; lazy ones may be."""
    return is_lazy(y) or len(np.unique(np.asarray(y))) > 2
