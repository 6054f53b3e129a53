"""Which classes there are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from sparsebayes.estimators._many_rows import is_lazy
from sparsebayes.likelihoods import Ordinal


def classes_of(name: str, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The labels among the rows of positive weight, sorted; an error if there is only one."""
    check_classification_targets(y)
    return several_classes(name, np.unique(y[weight > 0]))


def several_classes(name: str, classes: np.ndarray) -> np.ndarray:
    """The classes; an error if there is only one."""
    if len(classes) < 2:
        raise ValueError(
            f"y of {name} needs two classes or more among the rows of positive weight, got one "
            f"class: {classes[0]}."
        )
    return classes


def has_more_than_two(y: Any) -> bool:
    """Whether labels in memory are of more than two classes; lazy ones may be."""
    return is_lazy(y) or len(np.unique(np.asarray(y))) > 2


class Order(NamedTuple):
    """The order of classes, the lowest first; None for that of numbers."""

    labels: list[Any] | None

    def places(self, name: str, classes: np.ndarray) -> np.ndarray:
        """The place of each of the classes in the order (n_classes,).

        An error for texts whose order is not known: by their letters, "high" is below "low".
        """
        if self.labels is None and classes.dtype.kind in "biuf":
            return np.arange(len(classes))
        if self.labels is None:
            raise ValueError(
                f"the order of classes such as {classes[0]!r} is not known: give it, the lowest "
                'first, as in likelihood=Ordinal(order=("low", "medium", "high")), or pass y as an '
                "ordered categorical of pandas."
            )
        rank = {label: place for place, label in enumerate(self.labels)}
        unknown = [label for label in classes.tolist() if label not in rank]
        if unknown:
            raise ValueError(
                f"y of {name} has the class {unknown[0]!r}, which is not in the order of the "
                f"classes: {self.labels!r}."
            )
        return np.argsort(np.argsort([rank[label] for label in classes.tolist()]))


def order_of(likelihood: Ordinal, y: Any) -> Order:
    """The order that was given, that of an ordered categorical of pandas, or that of numbers."""
    if likelihood.order is not None:
        return Order(list(likelihood.order))
    kind: Any = getattr(y, "dtype", None)
    return Order(list(kind.categories) if getattr(kind, "ordered", False) else None)
