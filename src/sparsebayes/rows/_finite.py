"""The check that a basis gave numbers."""

from __future__ import annotations

import numpy as np


def finite(design: np.ndarray) -> np.ndarray:
    """The design itself, or an error if a column overflowed."""
    if np.isfinite(design).all():
        return design
    raise ValueError(
        "the basis gave infinite or NaN values on these inputs. Expected finite columns: please "
        "scale the inputs (for instance with StandardScaler) or check the kernel function."
    )
