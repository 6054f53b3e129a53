"""The check that a basis gave numbers."""

from __future__ import annotations

import numpy as np


def evaluate_finite(columns, inputs, active=None) -> np.ndarray:
    """The columns on the inputs, or an error if one of them is not finite."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        design = columns.evaluate(inputs, active)
    if np.isfinite(design).all():
        return design
    raise ValueError(
        "the basis gave infinite or NaN values on these inputs. Expected finite columns: please "
        "scale the inputs (for instance with StandardScaler) or check the kernel function."
    )
