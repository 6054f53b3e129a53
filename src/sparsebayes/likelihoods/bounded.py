"""A likelihood replaced by a quadratic lower bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.likelihoods._likelihood import Likelihood
from sparsebayes.likelihoods._quadratic import Quadratic


@dataclass(frozen=True)
class Bounded(Likelihood):
    """log p(t | f) >= value + slope (f - f0) - 1/2 curvature (f - f0)^2, equal at f = +-tangent.

    The target of a row is the pair (t, tangent). While tangents stay, so does the curvature.
    """

    likelihood: Any

    constant_curvature = True

    @property
    def n_outputs(self) -> int | None:
        """As of the likelihood."""
        return self.likelihood.n_outputs

    @property
    def fixed_noise_precision(self) -> float | None:
        """As of the likelihood."""
        return self.likelihood.fixed_noise_precision

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The bound about `latent`."""
        return self.likelihood.bound(target[:, 0], latent, target[:, 1])

    def log_normaliser(self, noise_precision: float) -> float:
        """As of the likelihood."""
        return self.likelihood.log_normaliser(noise_precision)
