"""What all responses have in common: how latent values become a target.

A response is asked with the `Latent` values of some rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from sparsebayes.model.arrays import map_rows
from sparsebayes.model.latent import Plain
from sparsebayes.model.special import TINY, expit, ndtr

# Phi(PROBIT f) has the slope of the sigmoid at f = 0.
PROBIT = float(np.sqrt(np.pi / 8.0))
# How many numbers of sigmoids are computed at a time; 2**18 was the fastest of 2**14 to 2**19.
BLOCK_NUMBERS = 2**18


class Response:
    """What responses have in common.

    Attributes
    ----------
    is_probability : whether it says probabilities of classes, and no numbers
    """

    is_probability: ClassVar[bool] = False

    def with_more_noise(self, variance: np.ndarray) -> Any:
        """The response with this variance added to the noise of each output (k,), if it has one."""
        return self

    def of_plain(self, convert: Callable[[Plain], Plain]) -> Any:
        """The response, whose own latent values are converted if it has any."""
        return self


@dataclass(frozen=True, eq=False)
class Quadrature:
    """The sigmoid of a Gaussian latent value, averaged: log odds of a class.

    The sigmoid is a Gaussian distribution function, whose integral is known, and a remainder of at
    most 0.018, which is left to nodes: the probability is within 0.004.

    Parameters
    ----------
    nodes, shares : that stand for the normal distribution (33,)
    """

    nodes: np.ndarray
    shares: np.ndarray

    def log_odds(
        self, mean: np.ndarray, variance: np.ndarray, block_numbers: int = BLOCK_NUMBERS
    ) -> np.ndarray:
        """Log odds of latent values N(mean, variance), (n, k) each."""
        size, flat = np.abs(mean).ravel(), variance.ravel()

        def of_values(values: slice) -> tuple[np.ndarray]:
            return (self._less_probable(size[values], flat[values]),)

        (least,) = map_rows(of_values, len(flat), len(self.nodes), block_numbers)
        least = least.reshape(mean.shape)
        return np.sign(mean) * (np.log1p(-least) - np.log(least))

    def _less_probable(self, size: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """The smaller of the two probabilities, which has no digits to lose (n,)."""
        at_nodes = np.sqrt(variance)[:, None] * self.nodes - size[:, None]
        remainder = (expit(at_nodes) - ndtr(PROBIT * at_nodes)) @ self.shares
        least = ndtr(-PROBIT * size / np.sqrt(1.0 + PROBIT**2 * variance)) + remainder
        return np.clip(least, TINY, 0.5)

    def check(self) -> None:
        """An error unless there is a share for each node."""
        if self.nodes.ndim != 1 or self.nodes.shape != self.shares.shape:
            raise ValueError("nodes and shares do not go together.")
        if not np.isfinite(self.nodes).all() or not np.isfinite(self.shares).all():
            raise ValueError("nodes and shares must be finite.")


@cache
def usual_quadrature() -> Quadrature:
    """The nodes and shares of Gauss and Hermite that all models have (33,)."""
    nodes, shares = np.polynomial.hermite_e.hermegauss(33)
    return Quadrature(nodes, shares / shares.sum())
