"""The models that are to be trusted, and how many rows they keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from studies import models
from studies.data.samples import Sample

# Draws that no choice of a constant has seen.
FIRST_SEED = 300


def default(one: Sample):
    """`RVR()` or `RVC()`."""
    return models.default(one.is_regression).fit(one.X, one.y)


def fast(one: Sample):
    """The plain RVM, with learned scales."""
    return models.machine(one.is_regression, "fast").fit(one.X, one.y)


def one_scale(one: Sample):
    """The default model with one scale for all inputs."""
    return models.default(one.is_regression, gamma="learn").fit(one.X, one.y)


def shares(one: Sample, model: Any, found: Mapping[str, Any]) -> dict[str, float]:
    """Vectors and, where the model has them, covering vectors, in percent of the training rows."""
    covering = getattr(model, "covering_vectors_", None)
    sizes = {
        "share": found.get("vectors"),
        "covering": None if covering is None else len(covering),
    }
    return {key: 100.0 * size / len(one.y) for key, size in sizes.items() if size is not None}


def novelty_of(model: Any) -> Callable | None:
    """How new a row is to a model, by its covering vectors; None where it has none."""
    if getattr(model, "covering_vectors_", None) is None:
        return None
    return getattr(model, "novelty", None)
