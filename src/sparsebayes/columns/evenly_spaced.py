"""A few of many, evenly spaced."""

from __future__ import annotations

import numpy as np


def spread(items: np.ndarray, most: int) -> np.ndarray:
    """At most `most` of the items, evenly spaced in their order; `spread(np.arange(n), most)`."""
    if most >= len(items):
        return items
    return items[np.linspace(0, len(items) - 1, most).round().astype(np.intp)]
