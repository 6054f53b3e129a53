"""A likelihood replaced by its quadratic at a latent value of zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods._quadratic import Quadratic
from sparsebayes.likelihoods._stand_in import StandIn


@dataclass(frozen=True)
class Frozen(StandIn):
    """log p(t | f) ~ value + slope f - 1/2 curvature f^2, taken at f = 0 and kept.

    With the curvature constant, inner products are computed once: a cheap stand-in for the first
    steps of an inference. For the Bernoulli it is least squares on the labels.
    """

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The quadratic at zero, about `latent`."""
        value, slope, curvature = self.likelihood.expand(target, np.zeros_like(latent))
        bent = (curvature * latent.T).T
        change = latent * (slope - 0.5 * bent)
        if change.ndim > 1:
            change = change.sum(axis=1)
        return Quadratic(value + change, slope - bent, curvature)
