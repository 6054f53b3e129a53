"""Width and noise of a regression on labels, by rows that are left out.

The evidence tells how inputs and kernels compare. But labels are no Gaussian noise, and how wide
kernels and how large the noise should be for the best probabilities is another question. Both are
adjusted, the scales all by one factor. Each row is left out in turn, and the adjustment is the one
at which the classes of such rows are most probable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True)
class Adjusting:
    """How far the search goes.

    Attributes
    ----------
    noise_step : of the log precision of the noise
    scale_step : of all log scales together
    halvings : how often steps are halved, once none leads higher
    least_rise : a step must raise the log density by this part of it
    most : evaluations
    reach : how many steps of each kind the search may go away
    """

    noise_step: float = 1.5
    scale_step: float = 0.5
    halvings: int = 1
    least_rise: float = 0.01
    most: int = 20
    reach: tuple[float, float] = (4.0, 4.0)


ADJUSTING = Adjusting()
LogDensity = Callable[[np.ndarray, np.ndarray], float]


class Adjusted(NamedTuple):
    """Where the search ended.

    Attributes
    ----------
    settings : (1, n_settings)
    log_scales : (n_scales,)
    log_density : of the classes of rows left out
    """

    settings: np.ndarray
    log_scales: np.ndarray
    log_density: float


def adjusted(
    log_density: LogDensity,
    settings: np.ndarray,
    log_scales: np.ndarray,
    scales_too: bool = True,
    how: Adjusting = ADJUSTING,
) -> Adjusted:
    """Settings and log scales with the best predictions of rows left out.

    Parameters
    ----------
    log_density : (settings, log_scales) -> that of the classes of rows left out
    settings, log_scales : to start from
    scales_too : whether scales may change
    """
    search = _Search(log_density, settings, log_scales, scales_too, how)
    step = 1.0
    for _ in range(how.halvings + 1):
        while search.moved(step):
            pass
        step *= 0.5
    return Adjusted(*search.at(search.best), search.values[search.best])


class _Search:
    """A search along two coordinates, in steps: noise, and scales where these may change."""

    def __init__(
        self,
        log_density: LogDensity,
        settings: np.ndarray,
        log_scales: np.ndarray,
        scales_too: bool,
        how: Adjusting,
    ) -> None:
        self.log_density, self.settings, self.log_scales = log_density, settings, log_scales
        self.how = how
        self.ways = [(-1.0, 0.0), (1.0, 0.0)]
        if scales_too:
            self.ways += [(0.0, 1.0), (0.0, -1.0)]
        self.best = (0.0, 0.0)
        self.values = {self.best: log_density(settings, log_scales)}

    def at(self, place: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
        """Settings and log scales of a place, in steps."""
        by_noise, by_scale = place
        settings = self.settings.copy()
        settings[:, -1] += by_noise * self.how.noise_step
        return settings, self.log_scales + by_scale * self.how.scale_step

    def moved(self, step: float) -> bool:
        """Whether a step of this size in any of the ways leads higher, and go there."""
        highest = self.values[self.best]
        enough = highest + self.how.least_rise * abs(highest) if np.isfinite(highest) else highest
        for way in self.ways:
            place = self.best[0] + step * way[0], self.best[1] + step * way[1]
            if place in self.values or not self._allowed(place):
                continue
            self.values[place] = self.log_density(*self.at(place))
            if self.values[place] > enough:
                self.best = place
                self.ways = [way, *(other for other in self.ways if other != way)]
                return True
        return False

    def _allowed(self, place: tuple[float, float]) -> bool:
        within = np.abs(place) <= self.how.reach
        return bool(within.all()) and len(self.values) < self.how.most
