"""What single precision loses: the model with all tables and columns rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.model import NotPortableError, PortableModel
from sparsebayes.model.columns import PlainColumns


class SingleColumns(PlainColumns):
    """Columns whose inputs and values are rounded to single precision."""

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """The columns at inputs (n, m)."""
        return super().evaluate(inputs.astype(np.float32)).astype(np.float32)

    def variance(self, inputs: np.ndarray) -> np.ndarray:
        """The value of a kernel at each of the inputs, with its centre there (n,)."""
        return super().variance(inputs.astype(np.float32)).astype(np.float32)


def in_single_precision(model: PortableModel) -> PortableModel:
    """The same model with every array in single precision, so products of them are too."""
    with np.errstate(over="ignore"):
        return _changed(model, lambda array: array.astype(np.float32), SingleColumns)


def with_other_digits(model: PortableModel) -> PortableModel:
    """The same model with the last digit of every number changed, up or down in turn."""

    def change(array: np.ndarray) -> np.ndarray:
        sign = np.where(np.arange(array.size) % 2, 1.0, -1.0).reshape(array.shape)
        return array * (1.0 + sign * np.finfo(float).eps)

    return _changed(model, change, PlainColumns)


@contextmanager
def finite_in_single(where: str) -> Iterator[None]:
    """What is computed here is finite, or the model is refused."""
    try:
        yield
    except ValueError as error:
        raise NotPortableError(
            f"in single precision the columns of the model are infinite or NaN at {where}; use "
            'precision="double".'
        ) from error


def single_loss(model: Any, rows: np.ndarray) -> float:
    """The most that single precision loses at some rows: of the std, or of a probability."""
    with finite_in_single("rows around its own vectors"):
        single: Any = in_single_precision(model)
        if model.response.is_probability:
            return float(np.abs(single.predict_proba(rows) - model.predict_proba(rows)).max())
        found, found_std = single.predict(rows, return_std=True)
        mean, std = model.predict(rows, return_std=True)
    gap = np.maximum(np.abs(found.astype(np.float32) - mean), np.abs(found_std - std))
    return float((gap / std).max())


def _changed(
    model: PortableModel, change: Callable[[np.ndarray], np.ndarray], columns: type
) -> PortableModel:
    """The model with every array of numbers changed, and columns of another kind."""

    def of(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return change(value) if value.dtype.kind == "f" else value
        if isinstance(value, tuple):
            return tuple(map(of, value))
        if isinstance(value, dict):
            return {name: of(each) for name, each in value.items()}
        if is_dataclass(value):
            parts = {each.name: of(getattr(value, each.name)) for each in fields(value)}
            kind: Any = columns if isinstance(value, PlainColumns) else type(value)
            return kind(**parts)
        return value

    return replace(model, plain=of(model.plain), response=of(model.response))
