"""What single precision loses: the model with all tables and columns rounded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from sparsebayes.export.tested import with_numbers
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
        return with_numbers(model, lambda array: array.astype(np.float32), SingleColumns)


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
