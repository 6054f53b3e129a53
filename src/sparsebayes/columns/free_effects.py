"""Which scales of a kernel of effects are learned, and where a search for them starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

# Gamma to start from, of inputs of variance one: effects bend, and do not swing.
FIRST_GAMMA = 0.1
# Weights to start from: of a constant, of pairs, and of the product of all inputs.
FIRST_ORDERS = (0.1, 0.3, 0.3)


@dataclass(frozen=True)
class FreeEffects:
    """All scales of a kernel of effects; an input that does not vary has none.

    Parameters
    ----------
    inputs : that vary (k,)
    n_features : how many inputs there are
    log_spread : where a search starts: log gamma and log size of each input that varies, and the
        logarithms of the three weights of orders (2 k + 3,)
    """

    inputs: np.ndarray
    n_features: int
    log_spread: np.ndarray

    limits: ClassVar[None] = None
    starts: ClassVar[tuple] = ()
    grids: ClassVar[tuple] = ()

    @classmethod
    def of(cls, variance: np.ndarray) -> FreeEffects:
        """Scales of inputs of these variances, 0 for one that does not vary (n_features,)."""
        inputs = np.flatnonzero(variance)
        gamma = FIRST_GAMMA / variance[inputs]
        size = np.full(len(inputs), 1.0 / max(1, len(inputs)))
        return cls(inputs, len(variance), np.log(np.concatenate([gamma, size, FIRST_ORDERS])))

    @property
    def of_inputs(self) -> bool:
        """Whether each input has a scale: yes."""
        return True

    @property
    def sorts(self) -> tuple[str, ...]:
        """What each scale is, which tells what is thought of it before there are targets."""
        n_inputs = len(self.inputs)
        return (*["effect width"] * n_inputs, *["effect size"] * n_inputs, *["order"] * 3)

    @property
    def log_whole(self) -> np.ndarray:
        """Where a search starts that takes extreme values for usual ones: the same."""
        return self.log_spread

    def held_back(self, gamma: np.ndarray) -> list[str]:
        """Names of scales that would have to be larger than they may be: none."""
        return []

    @property
    def _places(self) -> np.ndarray:
        """Of the learned scales among all of them (2 d + 3,)."""
        orders = 2 * self.n_features + np.arange(3)
        return np.concatenate([self.inputs, self.n_features + self.inputs, orders])

    def logarithm(self, gamma: np.ndarray) -> np.ndarray:
        """The logarithms of the scales that are learned."""
        return np.log(gamma[self._places])

    def moved(self, gamma: np.ndarray, logarithm: np.ndarray) -> np.ndarray:
        """All scales with those that are learned replaced."""
        gamma = gamma.copy()
        gamma[self._places] = np.exp(logarithm)
        return gamma

    def gather(self, slope: np.ndarray) -> np.ndarray:
        """The slopes for those that are learned."""
        return slope[self._places]
