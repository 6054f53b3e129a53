"""The noise of a target: given, estimated with the weights' precisions, or always at its best."""

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
    """

    estimated: bool = False
    inferred: bool = False

    @abstractmethod
    def settle(self, proposal: float) -> float:
        """The noise precision to use where the data propose this one."""

    def of_outputs(self, energy: Any, least_energy: Any, n_rows: float) -> Any:
        """The precision of each output, relative to that of the fit; 1 if they are the same.

        Parameters
        ----------
        energy : ||t - Phi mu||^2 + mu' A mu of each output
        least_energy : the least that it is taken to be
        """
        return 1.0

    def log_fit(self, of_outputs: Any, n_rows: float, log_density: float) -> float:
        """The log density at the mode, normalised; as it is, unless the noise is at its best."""
        return log_density

    def profile_curvature(self, share: np.ndarray, n_rows: float) -> Any:
        """What the best noise adds to the Hessian of the evidence as it moves along."""
        return 0.0

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
        """Of a Gamma posterior from half as many degrees of freedom as rows. [BT00] (45)"""
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

    def settle(self, proposal: float) -> float:
        """1, the unit of everything else."""
        return 1.0

    def of_outputs(self, energy: Any, least_energy: Any, n_rows: float) -> Any:
        """n / energy: the best one, as prior and noise have this unit in common (n_outputs,)."""
        return n_rows / np.maximum(energy, least_energy)

    def log_fit(self, of_outputs: Any, n_rows: float, log_density: float) -> float:
        """n / 2 sum_l log(beta_l / (2 pi e))."""
        return 0.5 * n_rows * float(np.sum(np.log(of_outputs / (2.0 * np.pi * np.e))))

    def profile_curvature(self, share: np.ndarray, n_rows: float) -> Any:
        """1/2 sum_l share_il share_jl / n, with share_il = beta_l alpha_i mu_il^2 (m, m)."""
        return 0.5 * share @ share.T / n_rows

    def vanished(self, precision: float, of_outputs: Any, ceiling: Any, target: np.ndarray) -> bool:
        """Whether the precision of any output that is not zero throughout is at its ceiling."""
        return bool(np.any((of_outputs >= ceiling) & target.any(axis=0)))
