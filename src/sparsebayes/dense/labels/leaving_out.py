"""How well the classes of rows are predicted from regression on the labels of the others.

Without row n the regression says of its labels

    m_n = f_n - c_n g_n,        c_n = 1 / (1 / S_nn - W_n),        g_n = W_n (y_n - f_n),

with S_nn the posterior variance of the row and W_n its weight over the variance of the noise. Its
class then has the probability softmax(b m_n). The *sharpness* b is that at which the classes of all
rows are most probable.

The evidence tells how inputs and kernels compare. But labels are no Gaussian noise, and how wide
kernels and how large the noise should be for the best probabilities is another question. Both are
*adjusted*, the scales all by one factor, until the classes of the rows, each left out, are most
probable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from sparsebayes.likelihoods import Multinomial


@dataclass(frozen=True)
class SharpnessSearch:
    """How the sharpness is found.

    Attributes
    ----------
    usual : what it is usually
    width : standard deviation of its logarithm about that, a priori; few rows cannot tell
    reach : how far the logarithm is from that at most; its width keeps it nearer
    tolerance : of the logarithm
    """

    usual: float = 8.0
    width: float = 1.0
    reach: float = 30.0
    tolerance: float = 1e-9


SHARPNESS_SEARCH = SharpnessSearch()


class LeftOut(NamedTuple):
    """What the rows tell when each is left out.

    Attributes
    ----------
    sharpness : b
    log_density : of their classes then
    latents : b m (n, K - 1)
    largest_variance : of these, for any row
    """

    sharpness: float
    log_density: float
    latents: np.ndarray
    largest_variance: float


def leave_out(
    codes: np.ndarray,
    weight: np.ndarray,
    labels: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    noise_precision: float,
    search: SharpnessSearch = SHARPNESS_SEARCH,
) -> LeftOut:
    """Leave out each row in turn. A row of weight two counts as two, of which one is left out.

    Parameters
    ----------
    codes : class of each row (n,)
    labels : the same as contrasts (n, K - 1)
    mean : of the regression on these (n, K - 1)
    variance : of each of them (n,)
    """
    likelihood = Multinomial(labels.shape[1] + 1)
    own = noise_precision * np.minimum(weight, 1.0)
    share = np.minimum(own * variance, MOST_SHARE)
    without = variance / (1.0 - share)
    left = mean - (own * without)[:, None] * (labels - mean)

    def slope(log_factor: float) -> float:
        latent = search.usual * np.exp(log_factor) * left
        rising = likelihood.expand(codes, latent).slope
        return float(np.einsum("nl,nl,n", rising, latent, weight)) - log_factor / search.width**2

    least, most = -search.reach, search.reach
    if slope(least) <= 0.0:  # weights can be so large that the prior has no say
        found = least
    elif slope(most) >= 0.0:
        found = most
    else:
        found = brentq(slope, least, most, xtol=search.tolerance)
    sharpness = search.usual * float(np.exp(found))
    log_density = float(weight @ likelihood.expand(codes, sharpness * left).value)
    largest = sharpness**2 * float(without.max(initial=0.0))
    return LeftOut(sharpness, log_density, sharpness * left, largest)


# Of the posterior precision of a row its own label has at most this share; beyond it is rounding.
MOST_SHARE = 1.0 - 1e-10


@dataclass(frozen=True)
class Adjusting:
    """How far the search for the width and the noise goes.

    Attributes
    ----------
    noise_step : of the log precision of the noise
    scale_step : of all log scales together
    halvings : how often steps are halved, once none leads higher
    least_rise : a step must raise the log density by this part of it
    reach : how many steps of each kind the search may go away, which limits its evaluations
    """

    noise_step: float = 1.5
    scale_step: float = 0.5
    halvings: int = 1
    least_rise: float = 0.01
    reach: tuple[float, float] = (4.0, 4.0)


ADJUSTING = Adjusting()
LogDensity = Callable[[np.ndarray, np.ndarray], float]


class Adjusted(NamedTuple):
    """Where a search for the width and the noise ended.

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
        return bool(np.all(np.abs(place) <= self.how.reach))
