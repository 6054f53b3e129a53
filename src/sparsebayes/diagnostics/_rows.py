"""The rows that a report is given, checked, and the rows of text that it prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from sparsebayes.model.given import refuse_masked


def checked_target(estimator: Any, X: Any, y: Any, dtype: Any) -> np.ndarray:
    """y (n,), one for each row of X."""
    check_is_fitted(estimator)
    refuse_masked(X=X, y=y)
    y = check_array(y, ensure_2d=False, dtype=dtype, input_name="y")
    check_consistent_length(X, y)
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f"calibration_report takes one output, got y of shape {y.shape}: fit and report each "
            "column of y by itself."
        )
    return y.ravel()


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Plain text, columns right-aligned below their names."""
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    return "\n".join(
        "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        for line in (names, *rows)
    )
