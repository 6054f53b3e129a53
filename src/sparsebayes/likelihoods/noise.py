"""What is known of the noise precision: given, estimated, or always at its best."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.hyperpriors import Gamma


class Noise(ABC):
    """What is known of the noise precision.

    Attributes
    ----------
    estimated : whether it is one of the parameters that a fit climbs in
    inferred : whether the data determine it at all
    profiled : whether each output has noise of its own, always at its best
    """

    estimated: bool = False
    inferred: bool = False
    profiled: bool = False

    @abstractmethod
    def settle(self, proposal: float) -> float:
        """The noise precision to use where the data propose this one."""

    def log_density(self, hyperprior: Gamma, precision: float) -> float:
        """What the hyperprior adds to the objective."""
        return 0.0

    def bound_constant(self, hyperprior: Gamma, n_rows: float) -> float:
        """What the noise precision adds to a variational bound, whatever its mean."""
        return 0.0

    def vanished(self, precision: float, of_outputs: Any, ceiling: Any, target: np.ndarray) -> bool:
        """Whether the noise was inferred and is as small as it may be.

        Parameters
        ----------
        precision : of the fit
        of_outputs : the precision of each output, relative to that
        ceiling : the largest precision that each output may have
        target : of all rows (n,) or (n, n_outputs)
        """
        return False


@dataclass(frozen=True)
class FixedNoise(Noise):
    """A given noise precision; 1 for a target without noise, such as a class."""

    precision: float = 1.0

    def settle(self, proposal: float) -> float:
        """The given one."""
        return self.precision


@dataclass(frozen=True)
class EstimatedNoise(Noise):
    """A noise precision that is found along with the precisions of the weights."""

    estimated = True
    inferred = True

    def settle(self, proposal: float) -> float:
        """The one that the data propose."""
        return proposal

    def log_density(self, hyperprior: Gamma, precision: float) -> float:
        """The log hyperprior."""
        return hyperprior.log_density(precision)

    def bound_constant(self, hyperprior: Gamma, n_rows: float) -> float:
        """What a Gamma posterior adds, whose shape grows by half of the rows. [BT00] (45)"""
        return hyperprior.bound_constant(0.5 * n_rows)

    def vanished(self, precision: float, of_outputs: Any, ceiling: Any, target: np.ndarray) -> bool:
        """Whether the precision is at its ceiling."""
        return bool(precision >= ceiling)


@dataclass(frozen=True)
class ProfiledNoise(Noise):
    """A noise precision for each output, always at its best, which has a closed form.

    The precisions of the weights are relative to it, so that the fit itself has a noise precision
    of one.
    """

    inferred = True
    profiled = True

    def settle(self, proposal: float) -> float:
        """1, the unit of everything else."""
        return 1.0

    def vanished(self, precision: float, of_outputs: Any, ceiling: Any, target: np.ndarray) -> bool:
        """Whether the precision of any output that is not zero throughout is at its ceiling."""
        return bool(np.any((of_outputs >= ceiling) & target.any(axis=0)))
