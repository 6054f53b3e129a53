"""What is to be inferred: the rows, the likelihood of their targets, the hyperpriors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sparsebayes.hyperpriors import FLAT, Gamma

# The noise is not resolved below this fraction of the target's spread.
NOISE_FLOOR = 1e-5


@dataclass(frozen=True)
class Problem:
    """One model to be fitted. Everything here stays as it is during inference.

    Parameters
    ----------
    rows : InMemoryRows or ChunkedRows
    n_columns : int
        The number of candidate columns.
    likelihood : Gaussian or Bernoulli
    weight_hyperprior, noise_hyperprior : Gamma
    """

    rows: Any
    n_columns: int
    likelihood: Any
    weight_hyperprior: Gamma = FLAT
    noise_hyperprior: Gamma = FLAT

    @cached_property
    def total_weight(self) -> float:
        """The number of rows, each counted with its weight."""
        return float(self.rows.weight.sum())

    @cached_property
    def target_scale(self) -> float:
        """Standard deviation of the target; of a constant target its size; 1 if all are zero."""
        target, weight = self.rows.target, self.rows.weight / self.total_weight
        size = float(np.sqrt(weight @ target**2))
        spread = float(np.sqrt(weight @ (target - weight @ target) ** 2))
        return (spread if spread > 1e-12 * size else size) or 1.0

    @cached_property
    def noise_precision_ceiling(self) -> float:
        """The noise precision at which the noise counts as vanished."""
        return (NOISE_FLOOR * self.target_scale) ** -2
