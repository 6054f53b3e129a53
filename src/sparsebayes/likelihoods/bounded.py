"""A likelihood replaced by a quadratic lower bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods._quadratic import Quadratic
from sparsebayes.likelihoods._stand_in import StandIn


@dataclass(frozen=True)
class Bounded(StandIn):
    """log p(t | f) >= value + slope (f - f0) - 1/2 curvature (f - f0)^2, equal at f = +-tangent.

    The target of a row is the pair (t, tangent). While tangents stay, so does the curvature.
    """

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The bound about `latent`."""
        return self.likelihood.bound(target[:, 0], latent, target[:, 1])
