"""Whether inputs have a constant among them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse


def has_constant(inputs: Any) -> bool:
    """Whether an input is the same number in all rows, and not 0; False without inputs."""
    if inputs is None:
        return False
    lowest, highest = inputs.min(axis=0), inputs.max(axis=0)
    if issparse(lowest):
        lowest, highest = lowest.toarray(), highest.toarray()
    return bool(np.any((lowest == highest) & (lowest != 0.0)))
