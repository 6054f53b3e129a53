"""What is to be inferred: the rows, the likelihood of their targets, the hyperpriors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.hyperpriors import FLAT, Gamma

# The noise is not resolved below this fraction of the target's spread.
NOISE_FLOOR = 1e-5


class Profile(NamedTuple):
    """The number of rows, and the least energy that each output is taken to have."""

    n_rows: float
    least_energy: np.ndarray


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

    @property
    def n_classes(self) -> int:
        """How many weights of its own precision a column can have: one for each class."""
        return self.likelihood.n_classes if self.likelihood.coupled else 1

    @property
    def n_candidates(self) -> int:
        """The number of weights with a precision of their own."""
        return self.n_columns * self.n_classes

    def no_weights(self, n_columns: int) -> np.ndarray:
        """Weights of zero: (n_columns,), or (n_columns, n_outputs) where a column has several."""
        outputs = self.likelihood.n_outputs
        return np.zeros(n_columns if outputs is None else (n_columns, outputs))

    @cached_property
    def total_weight(self) -> float:
        """The number of rows, each counted with its weight."""
        return float(self.rows.weight.sum())

    @cached_property
    def target_scale(self) -> Any:
        """Standard deviation of the target; of a constant target its size; 1 if all are zero.

        One number, or one for each of several targets.
        """
        target, weight = self.rows.target, self.rows.weight / self.total_weight
        size = np.sqrt(weight @ target**2)
        spread = np.sqrt(weight @ (target - weight @ target) ** 2)
        scale = np.where(spread > 1e-12 * size, spread, size)
        return np.where(scale > 0.0, scale, 1.0)[()]

    @cached_property
    def noise_precision_ceiling(self) -> Any:
        """The noise precision at which the noise counts as vanished."""
        return (NOISE_FLOOR * self.target_scale) ** -2

    @cached_property
    def profile(self) -> Profile | None:
        """What is known of the noise where it is profiled out."""
        if not self.likelihood.profiled_noise:
            return None
        return Profile(self.total_weight, self.total_weight / self.noise_precision_ceiling)
