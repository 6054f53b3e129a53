"""The per-row quadratic that takes the place of a log density."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Quadratic(NamedTuple):
    """value + slope (f - f0) - 1/2 curvature (f - f0)^2, one entry per row.

    Attributes
    ----------
    value : (n,), or (n, n_outputs) where each output has noise of its own
    slope : (n,), or (n, n_latents) for a row with several latent values
    curvature : (n,); where the latent values of a row are coupled, the probabilities p (n, K) that
        its curvature diag(p) - p p' is made of
    """

    value: np.ndarray
    slope: np.ndarray
    curvature: np.ndarray
