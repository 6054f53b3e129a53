"""Kernels that an object computes: its values at any parameters, and their slopes.

A recipe gives the object: `values(inputs, others, gamma)`, `variance(inputs, gamma)` and
`gradient(inputs, gamma)`, which is (n, n, n_parameters). Here gamma are its parameters
(n_parameters,), and slopes are those for their logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

# A gradient of so many numbers is computed at once; more come in blocks of rows.
GRADIENT_NUMBERS = 2 * 10**7


def object_values(
    inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, function: Any
) -> np.ndarray:
    """What the object says (n_samples, n_centres)."""
    return function.values(inputs, centres, gamma)


def object_variance(inputs: np.ndarray, gamma: np.ndarray, function: Any) -> np.ndarray:
    """The value at each of the inputs, with its centre there (n_samples,)."""
    return function.variance(inputs, gamma)


def object_slope(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    values: np.ndarray,
    gamma: np.ndarray,
    function: Any,
) -> np.ndarray:
    """See `Formula.slope`. An object knows its gradient between some rows and themselves."""
    size = len(inputs) ** 2 * len(gamma)
    if inputs is centres and size <= GRADIENT_NUMBERS:
        return np.tensordot(sensitivity, function.gradient(inputs, gamma), 2)
    step = max(1, int(np.sqrt(GRADIENT_NUMBERS / len(gamma)) / 2.0))
    total = np.zeros(len(gamma))
    for i in range(0, len(inputs), step):
        for j in range(0, len(centres), step):
            part = sensitivity[i : i + step, j : j + step]
            total += _block_slope(inputs[i : i + step], centres[j : j + step], part, gamma, function)
    return total


def _block_slope(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    gamma: np.ndarray,
    function: Any,
) -> np.ndarray:
    """The slope of a block, from the gradient between the rows of both."""
    gradient = function.gradient(np.vstack([inputs, centres]), gamma)
    return np.tensordot(sensitivity, gradient[: len(inputs), len(inputs) :], 2)


@dataclass(frozen=True)
class FreeParameters:
    """Which parameters of an object are to be learned, each for itself.

    Parameters
    ----------
    places : of the parameters among all of them (n_scales,)
    log_start : where the object has them (n_scales,)
    limits : least and largest logarithm of each (n_scales, 2)
    starts : other logarithms that a search should start from, each (n_scales,)
    grids : logarithms of some parameters to be tried, as the evidence has many maxima in these:
        the place among the parameters that are learned, and the values
    """

    places: np.ndarray
    log_start: np.ndarray
    limits: np.ndarray
    starts: tuple[np.ndarray, ...] = ()
    grids: tuple[tuple[int, np.ndarray], ...] = ()

    @property
    def of_inputs(self) -> bool:
        """Whether there is one for each input: no."""
        return False

    @property
    def log_spread(self) -> np.ndarray:
        """Where a search starts (n_scales,)."""
        return self.log_start

    @property
    def log_whole(self) -> np.ndarray:
        """Where a search starts (n_scales,)."""
        return self.log_start

    def logarithm(self, gamma: np.ndarray) -> np.ndarray:
        """The logarithms of the parameters that are learned."""
        return np.log(gamma[self.places])

    def moved(self, gamma: np.ndarray, logarithm: np.ndarray) -> np.ndarray:
        """The parameters with those that are learned replaced."""
        gamma = gamma.copy()
        gamma[self.places] = np.exp(logarithm)
        return gamma

    def gather(self, slope: np.ndarray) -> np.ndarray:
        """The slopes for those that are learned."""
        return slope[self.places]
