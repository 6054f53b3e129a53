"""The numbers that a fit finds: how strongly each weight is held to zero, and the noise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Precisions(NamedTuple):
    """Precisions of the weights, alpha (m,), and of the noise, beta."""

    weight: np.ndarray
    noise: float

    def of(self, kept: np.ndarray) -> Precisions:
        """Those of some of the weights, and the same noise."""
        return Precisions(self.weight[kept], self.noise)


class Start(NamedTuple):
    """Where a fit can start from: candidates and their precisions."""

    active: np.ndarray
    precisions: Precisions
