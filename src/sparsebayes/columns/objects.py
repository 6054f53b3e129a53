"""Kernels that an object computes: its values at any parameters, and their slopes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

# A gradient of so many numbers is computed at once; more come in blocks of rows.
GRADIENT_NUMBERS = 2 * 10**7
# A logarithm that moved by less stayed where it was.
STILL = 1e-3


@runtime_checkable
class ValuesByObject(Protocol):
    """What a recipe gives; gamma are the parameters of the object (n_parameters,)."""

    def values(self, inputs: np.ndarray, others: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """Between inputs and others (n, m)."""

    def variance(self, inputs: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """The value of the kernel of each input with itself (n,)."""

    def gradient(self, inputs: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """Derivatives of the values for the logarithms of gamma (n, n, n_parameters)."""

    def named(self, gamma: np.ndarray) -> tuple[str, Any, dict[str, Any]] | None:
        """Name, gamma and options of a formula of ours that has the same values, if any has."""

    def __str__(self) -> str:
        """The object, for people."""


def object_values(
    inputs: np.ndarray, centres: np.ndarray, gamma: np.ndarray, function: ValuesByObject
) -> np.ndarray:
    """What the object says (n_samples, n_centres)."""
    return function.values(inputs, centres, gamma)


def object_variance(inputs: np.ndarray, gamma: np.ndarray, function: ValuesByObject) -> np.ndarray:
    """The value at each of the inputs, with its centre there (n_samples,)."""
    return function.variance(inputs, gamma)


def object_slope(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    values: np.ndarray,
    gamma: np.ndarray,
    function: ValuesByObject,
) -> np.ndarray:
    """The slope of a kernel object, which knows its gradient between rows and themselves."""
    if inputs is centres and len(inputs) ** 2 * len(gamma) <= GRADIENT_NUMBERS:
        return np.tensordot(sensitivity, function.gradient(inputs, gamma), 2)
    return slope_in_blocks(inputs, centres, sensitivity, gamma, function, GRADIENT_NUMBERS)


def slope_in_blocks(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    gamma: np.ndarray,
    function: ValuesByObject,
    most: int,
) -> np.ndarray:
    """The slope, from gradients of at most so many numbers."""
    step = max(1, int(np.sqrt(most / max(1, len(gamma))) / 2.0))
    total = np.zeros(len(gamma))
    for i in range(0, len(inputs), step):
        for j in range(0, len(centres), step):
            part = sensitivity[i : i + step, j : j + step]
            total += _block_slope(
                inputs[i : i + step], centres[j : j + step], part, gamma, function
            )
    return total


def _block_slope(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    gamma: np.ndarray,
    function: ValuesByObject,
) -> np.ndarray:
    """The slope of a block, from the gradient between the rows of both."""
    gradient = function.gradient(np.vstack([inputs, centres]), gamma)
    return np.tensordot(sensitivity, gradient[: len(inputs), len(inputs) :], 2)


@dataclass(frozen=True)
class FreeParameters:
    """Which parameters of an object are to be learned, each for itself.

    Logarithms here are counted in units: a small change of a period changes much.

    Parameters
    ----------
    places : of the parameters among all of them (n_scales,)
    units : of their logarithms (n_scales,)
    log_start : where the object has them (n_scales,)
    limits : least and largest logarithm of each (n_scales, 2)
    starts : other logarithms that a search should start from, each (n_scales,)
    grids : logarithms of some parameters to be tried, as the evidence has many maxima in these:
        the place among the parameters that are learned, and the values
    cramped : names of parameters whose upper limit is below what the inputs suggest, by their place
        among those that are learned
    """

    places: np.ndarray
    units: np.ndarray
    log_start: np.ndarray
    limits: np.ndarray
    starts: tuple[np.ndarray, ...] = ()
    grids: tuple[tuple[int, np.ndarray], ...] = ()
    cramped: tuple[tuple[int, str], ...] = ()

    @property
    def of_inputs(self) -> bool:
        """Whether each input has a scale: no, parameters are those of the object."""
        return False

    @property
    def log_spread(self) -> np.ndarray:
        """Where a search starts (n_scales,)."""
        return self.log_start

    @property
    def log_whole(self) -> np.ndarray:
        """Where a search starts (n_scales,)."""
        return self.log_start

    def held_back(self, gamma: np.ndarray) -> list[str]:
        """Names of parameters that would have to be larger than they may be.

        They are at their limit, or where they were: if no row is near another, nothing moves them.
        """
        log = self.logarithm(gamma)
        still = np.minimum(np.abs(log - self.limits[:, 1]), np.abs(log - self.log_start)) < STILL
        return [name for place, name in self.cramped if still[place]]

    def logarithm(self, gamma: np.ndarray) -> np.ndarray:
        """The logarithms of the parameters that are learned."""
        return np.log(gamma[self.places]) / self.units

    def moved(self, gamma: np.ndarray, logarithm: np.ndarray) -> np.ndarray:
        """The parameters with those that are learned replaced."""
        gamma = gamma.copy()
        gamma[self.places] = np.exp(logarithm * self.units)
        return gamma

    def gather(self, slope: np.ndarray) -> np.ndarray:
        """The slopes for those that are learned."""
        return slope[self.places] * self.units
