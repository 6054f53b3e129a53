"""Which classes there are."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from sparsebayes.estimators._many_rows import is_lazy


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
