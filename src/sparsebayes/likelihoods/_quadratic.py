"""The per-row quadratic that stands in for a log density."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Quadratic(NamedTuple):
    """value + slope (f - f0) - 1/2 curvature (f - f0)^2, one entry per row."""

    value: np.ndarray
    slope: np.ndarray
    curvature: np.ndarray
