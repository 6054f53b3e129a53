"""What a likelihood says of itself, unless it says otherwise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np


class Likelihood(ABC):
    """The density of a target given the latent value of its row.

    Attributes
    ----------
    constant_curvature : whether the curvature does not depend on the latent value; inner products
        are then computed once
    exact_curvature : whether it is the curvature; if not, `bend` gives the true one's products
    fixed_noise_precision : None where the noise is estimated, 1 for a likelihood without noise
    profiled_noise : whether each output has noise of its own, always at its best
    n_outputs : how many weights with one precision a column has, or None for a plain one
    coupled : whether every class has weights of its own; `expand` is then a `CoupledQuadratic`
    """

    constant_curvature: bool = False
    exact_curvature: bool = True
    fixed_noise_precision: float | None = 1.0
    profiled_noise: bool = False
    n_outputs: int | None = None
    coupled: bool = False

    @abstractmethod
    def expand(self, target: np.ndarray, latent: np.ndarray) -> Any:
        """Its quadratic at the latent values."""

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """Derivative of the curvature for the latent value (n_samples,)."""
        return np.zeros_like(latent)

    def log_normaliser(self, noise_precision: float) -> float:
        """What the quadratic leaves out, per row."""
        return 0.0
