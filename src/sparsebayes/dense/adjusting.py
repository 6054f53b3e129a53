"""Width and noise of a regression on labels, by rows that are left out.

The evidence tells how inputs and kernels compare. But labels are no Gaussian noise, and how wide
kernels and how large the noise should be for the best probabilities is another question. Both are
adjusted, the scales all by one factor, to what makes the classes of rows most probable that are
left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsebayes.dense.labels import LabelModel


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


class Adjusted(NamedTuple):
    """Where the search ended.

    Attributes
    ----------
    settings : (1, n_settings)
    log_scales : (n_scales,)
    log_density : of the rows left out
    """

    settings: np.ndarray
    log_scales: np.ndarray
    log_density: float


def adjusted(
    model: LabelModel,
    settings: np.ndarray,
    log_scales: np.ndarray,
    scales_too: bool = True,
    how: Adjusting = ADJUSTING,
) -> Adjusted:
    """Settings and log scales that predict rows best that are left out.

    Parameters
    ----------
    settings, log_scales : to start from
    scales_too : whether scales may change
    """
    search = _Search(model, settings, log_scales, scales_too, how)
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
        model: LabelModel,
        settings: np.ndarray,
        log_scales: np.ndarray,
        scales_too: bool,
        how: Adjusting,
    ) -> None:
        self.model, self.settings, self.log_scales, self.how = model, settings, log_scales, how
        self.ways = [(-1.0, 0.0), (1.0, 0.0)]
        if scales_too:
            self.ways += [(0.0, 1.0), (0.0, -1.0)]
        self.best = (0.0, 0.0)
        self.values = {self.best: self._value(self.best)}

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
            self.values[place] = self._value(place)
            if self.values[place] > enough:
                self.best = place
                self.ways = [way, *(other for other in self.ways if other != way)]
                return True
        return False

    def _allowed(self, place: tuple[float, float]) -> bool:
        within = np.abs(place) <= self.how.reach
        return bool(within.all()) and len(self.values) < self.how.most

    def _value(self, place: tuple[float, float]) -> float:
        """The log density of rows left out; minus infinity where it cannot be evaluated."""
        try:
            return self.model.left_out(*self.at(place)).log_density
        except FloatingPointError:
            return -np.inf
