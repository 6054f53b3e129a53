"""What is thought of scales before there are targets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.columns import Columns


@dataclass(frozen=True)
class Beliefs:
    """What is thought of log scales, relative to what the spread of the inputs suggests.

    Attributes
    ----------
    lowest, highest : how far they may go. At the lower end an input has no effect, at the upper
        end every row stands alone
    common_std : standard deviation of the mean log scale of a kernel
    own_width : half width of the Cauchy distribution of the others about it
    widest : the least that the largest log scale of a kernel may be for a sparse fit
    widest_of_many : as `widest`, where inputs outnumber rows. Distances of many inputs hardly
        differ, so that kernels are wide before their columns are equal up to rounding
    step : what log scales are rounded to
    fine_step : what logarithms of parameters of a kernel object are rounded to. A period of which
        the data have a thousand is known to a part in a million
    extreme : where extreme values of an input change what its spread suggests by more, both are
        tried
    """

    lowest: float = -14.0
    highest: float = 7.0
    common_std: float = 4.0
    own_width: float = 0.7
    widest: float = -3.0
    widest_of_many: float = -7.0
    step: float = 0.05
    fine_step: float = 1e-6
    extreme: float = 1.0


BELIEFS = Beliefs()


class ScalePrior:
    """Inputs matter alike, in units of their spread, unless the data say otherwise.

    The log scales x_k of a kernel, relative to what the spread of its inputs suggests, have a
    common part and each a deviation from it,

        mean(x) ~ N(0, common_std^2),        x_k - mean(x) ~ Cauchy(own_width),

    whose heavy tails let an input go that does not matter. Without them a dozen scales are fitted
    to the noise of a few hundred rows. Parameters of a kernel object are not thought of: they may
    be anything within limits that the object has.

    Parameters
    ----------
    kinds : columns with scales
    many_inputs : whether inputs outnumber rows
    """

    def __init__(
        self, kinds: tuple[Columns, ...], beliefs: Beliefs = BELIEFS, many_inputs: bool = False
    ) -> None:
        self.beliefs = beliefs
        self.middle = np.concatenate([kind.log_spreads for kind in kinds])
        self.limits = np.column_stack([self.middle + beliefs.lowest, self.middle + beliefs.highest])
        sizes = [len(kind.log_spreads) for kind in kinds]
        self.owner = np.repeat(np.arange(len(kinds)), sizes)
        self.size = np.maximum(np.array(sizes), 1)
        limited = np.array([kind.log_limits is not None for kind in kinds])
        self.limited = limited[self.owner]
        given = [kind.log_limits for kind in kinds if kind.log_limits is not None]
        self.limits[self.limited] = np.concatenate([np.empty((0, 2)), *given])
        self.least = np.where(
            limited, -np.inf, beliefs.widest_of_many if many_inputs else beliefs.widest
        )
        self.common_std = np.where(limited, np.inf, beliefs.common_std)
        self.own_width = np.where(self.limited, np.inf, beliefs.own_width)
        # Scales that are one where inputs matter alike; a parameter of an object is for itself.
        alone = len(kinds) + np.arange(len(self.owner))
        self.tie = np.where(self.limited, alone, self.owner)
        self.step = np.where(self.limited, beliefs.fine_step, beliefs.step)

    def widest(self, log_scales: np.ndarray) -> np.ndarray:
        """The log scales, raised together where the largest of a kernel is below `widest`.

        The dense model describes a plane by kernels as wide as it may. Such columns are equal up to
        rounding, so no small subset can represent them.
        """
        largest = np.full(len(self.size), -np.inf)
        np.maximum.at(largest, self.owner, log_scales - self.middle)
        return log_scales + np.maximum(self.least - largest, 0.0)[self.owner]

    def rounded(self, log_scales: np.ndarray) -> np.ndarray:
        """Log scales in steps of `step` from what the spread of the inputs suggests.

        A climb ends where rounding errors let it. Steps that are coarse against these, and fine
        against what data can tell, make its end the same in other units and other orders of rows.
        """
        return self.middle + self.step * np.round((log_scales - self.middle) / self.step)

    def log_density(self, log_scales: np.ndarray) -> float:
        """The log density of the prior, up to a constant."""
        common, _ = self._parts(log_scales)
        return -0.5 * float(common @ common) - self.unlikeness(log_scales)

    def unlikeness(self, log_scales: np.ndarray) -> float:
        """Minus the log density of the deviations from the common part, relative to none."""
        _, own = self._parts(log_scales)
        return float(np.log1p(own**2).sum())

    def gradient(self, log_scales: np.ndarray) -> np.ndarray:
        """Derivative of the log density (n_scales,)."""
        common, own = self._parts(log_scales)
        pull = -2.0 * own / (1.0 + own**2) / self.own_width
        shared = -common / self.common_std - self._sum(pull)
        return pull + (shared / self.size)[self.owner]

    def _parts(self, log_scales: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The common part of each kernel, and the deviations, in units of their widths."""
        relative = log_scales - self.middle
        common = self._sum(relative) / self.size
        return common / self.common_std, (relative - common[self.owner]) / self.own_width

    def _sum(self, values: np.ndarray) -> np.ndarray:
        """Over the scales of each kernel."""
        return np.bincount(self.owner, values, len(self.size))
