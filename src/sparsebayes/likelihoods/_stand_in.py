"""What quadratics that take the place of a likelihood have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sparsebayes.likelihoods._likelihood import Likelihood


@dataclass(frozen=True)
class StandIn(Likelihood):
    """A quadratic in place of `likelihood`; all but the quadratic is as of that."""

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

    def log_normaliser(self, noise_precision: float) -> float:
        """As of the likelihood."""
        return self.likelihood.log_normaliser(noise_precision)
