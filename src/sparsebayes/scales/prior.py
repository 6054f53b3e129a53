"""What is thought of scales before there are targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sparsebayes.columns import Columns


class Belief(NamedTuple):
    """What is thought of log scales of one sort, relative to where a search for them starts.

    Attributes
    ----------
    lowest, highest : how far they may go
    common_std : standard deviation of their mean in a kernel
    own_width : half width of the Cauchy distribution of the others about it
    own_std : standard deviation of each, whatever the others are
    tied : whether they are one where all inputs matter alike
    """

    lowest: float
    highest: float
    common_std: float = np.inf
    own_width: float = np.inf
    own_std: float = np.inf
    tied: bool = True


# At the lower end the input of a width has no effect, at the upper end every row stands alone. An
# effect is linear at its lower end. Parameters of a kernel object are not thought of.
SORTS = {
    "width": Belief(-14.0, 7.0, common_std=4.0, own_width=0.7),
    "effect width": Belief(-4.6, 9.0, common_std=2.0, own_width=0.6),
    "effect size": Belief(-9.0, 6.0, common_std=2.0, own_width=0.5),
    "order": Belief(-8.0, 5.0, own_std=1.5, tied=False),
    "object": Belief(-np.inf, np.inf, tied=False),
}


@dataclass(frozen=True)
class Beliefs:
    """What is thought of scales.

    Attributes
    ----------
    sorts : what is thought of each sort
    widest : the least that the largest log scale of a kernel may be for a sparse fit
    widest_of_many : as `widest`, where inputs outnumber rows. Distances of many inputs hardly
        differ, so that kernels are wide before their columns are equal up to rounding
    step : what log scales are rounded to
    fine_step : what logarithms of parameters of a kernel object are rounded to. A period of which
        the data have a thousand is known to a part in a million
    extreme : where extreme values of an input change what its spread suggests by more, both are
        tried
    noise_std : standard deviation of the log variance of noise, which is a tenth of the target's at
        its most likely. A process of few rows can pass through all of them; only many rows, or rows
        that are exact, tell that there is no noise
    noise_tails : how light the tails of that distribution are; infinite for a Gaussian, which would
        pull at noise that is small indeed
    """

    sorts: Mapping[str, Belief] = field(default_factory=lambda: SORTS)
    widest: float = -3.0
    widest_of_many: float = -7.0
    step: float = 0.05
    fine_step: float = 1e-6
    extreme: float = 1.0
    noise_std: float = 1.0
    noise_tails: float = 6.0


BELIEFS = Beliefs()


class ScalePrior:
    """Inputs matter alike, in units of their spread, unless the data say otherwise.

    The log scales x_k of one sort in a kernel, relative to where a search for them starts, have a
    common part and each a deviation from it,

        mean(x) ~ N(0, common_std^2),        x_k - mean(x) ~ Cauchy(own_width),

    whose heavy tails let an input go that does not matter. Without them a dozen scales are fitted
    to the noise of a few hundred rows. Or each has a distribution of its own, N(0, own_std^2).
    Parameters of a kernel object are not thought of: they may be anything within limits that the
    object has.

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
        names = [(k, sort) for k, kind in enumerate(kinds) for sort in kind.sorts]
        groups = list(dict.fromkeys(names))
        found = [beliefs.sorts[sort] for _, sort in groups]
        self.owner = np.array([groups.index(name) for name in names], dtype=np.intp)
        self.size = np.bincount(self.owner, minlength=len(groups))
        of_each = {
            name: np.array([getattr(belief, name) for belief in found]) for name in Belief._fields
        }
        own = {name: values[self.owner] for name, values in of_each.items()}
        self.common_std = of_each["common_std"]
        self.own_width, self.own_std = own["own_width"], own["own_std"]
        self.limits = np.column_stack([self.middle + own["lowest"], self.middle + own["highest"]])
        self.limited = np.array([sort == "object" for _, sort in names], dtype=bool)
        given = [kind.log_limits for kind in kinds if kind.log_limits is not None]
        self.limits[self.limited] = np.concatenate([np.empty((0, 2)), *given])
        least = beliefs.widest_of_many if many_inputs else beliefs.widest
        self.least = np.array([least if sort == "width" else -np.inf for _, sort in groups])
        # Scales that are one where inputs matter alike; others are for themselves.
        alone = len(groups) + np.arange(len(self.owner))
        self.tie = np.where(own["tied"].astype(bool), self.owner, alone)
        self.step = np.where(self.limited, beliefs.fine_step, beliefs.step)

    @property
    def curvature(self) -> np.ndarray:
        """Minus the second derivative of the log density of one scale where inputs are alike."""
        return 2.0 / self.own_width**2 + 1.0 / self.own_std**2

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
        alone = (log_scales - self.middle) / self.own_std
        return -0.5 * float(common @ common + alone @ alone) - self.unlikeness(log_scales)

    def unlikeness(self, log_scales: np.ndarray) -> float:
        """Minus the log density of the deviations from the common part, relative to none."""
        _, own = self._parts(log_scales)
        return float(np.log1p(own**2).sum())

    def gradient(self, log_scales: np.ndarray) -> np.ndarray:
        """Derivative of the log density (n_scales,)."""
        common, own = self._parts(log_scales)
        pull = -2.0 * own / (1.0 + own**2) / self.own_width
        shared = -common / self.common_std - self._sum(pull)
        alone = -(log_scales - self.middle) / self.own_std**2
        return alone + pull + (shared / self.size)[self.owner]

    def _parts(self, log_scales: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The common part of each kernel, and the deviations, in units of their widths."""
        relative = log_scales - self.middle
        common = self._sum(relative) / self.size
        return common / self.common_std, (relative - common[self.owner]) / self.own_width

    def _sum(self, values: np.ndarray) -> np.ndarray:
        """Over the scales of each kernel."""
        return np.bincount(self.owner, values, len(self.size))
