"""What is known of the noise precision: given, estimated, or always at its best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.hyperpriors import Gamma


@dataclass(frozen=True)
class Noise:
    """What is known of the noise precision.

    Attributes
    ----------
    given : the precision, 1 for a target without noise, such as a class; None to infer it
    profiled : whether each output has noise of its own, always at its best, which has a closed
        form. The precisions of the weights are relative to it, so that of the fit itself is 1
    """

    given: float | None = 1.0
    profiled: bool = False

    @property
    def inferred(self) -> bool:
        """Whether the data determine it at all."""
        return self.given is None

    @property
    def estimated(self) -> bool:
        """Whether it is one of the parameters that a fit climbs in."""
        return self.inferred and not self.profiled

    def settle(self, proposal: float) -> float:
        """The noise precision to use where the data propose this one."""
        if self.given is not None:
            return self.given
        return 1.0 if self.profiled else proposal

    def log_density(self, hyperprior: Gamma, precision: float) -> float:
        """What the hyperprior adds to the objective."""
        return hyperprior.log_density(precision) if self.estimated else 0.0

    def bound_constant(self, hyperprior: Gamma, n_rows: float) -> float:
        """What the noise precision adds to a variational bound, whatever its mean. [BT00] (45)

        A Gamma posterior has a shape that is larger by half of the rows.
        """
        return hyperprior.bound_constant(0.5 * n_rows) if self.estimated else 0.0

    def vanished(self, precision: float, of_outputs: Any, ceiling: Any, target: np.ndarray) -> bool:
        """Whether the noise was inferred and is as small as it may be, for any output.

        Outputs that are zero throughout have none.

        Parameters
        ----------
        precision : of the fit
        of_outputs : the precision of each output, relative to that
        ceiling : the largest precision that each output may have
        target : of all rows (n,) or (n, n_outputs)
        """
        if self.profiled:
            return bool(np.any((of_outputs >= ceiling) & target.any(axis=0)))
        return self.inferred and bool(precision >= ceiling)


ESTIMATED, PROFILED = Noise(None), Noise(None, profiled=True)
