"""What is climbed to learn scales."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sparsebayes.columns import Columns
from sparsebayes.dense import DenseModel, settings_at
from sparsebayes.inference.state import Report
from sparsebayes.scales.prior import ScalePrior

# Kernels of an object can explain noise as well as the noise does: one of rows that stand alone. Of
# ends that differ by less than this, the one from the earlier start is taken, which is the user's,
# or has the longer lengths.
TIE = 0.3


class StopLearningError(Exception):
    """The report asked to stop."""


class ScaleObjective:
    """Evidence of the dense models of all targets, and the prior of their scales, to be climbed.

    A point holds the settings of all targets, and then the log scales. Targets without units of
    their own, such as classes, have their settings in common.

    Attributes
    ----------
    start : the point to start from: what the data suggest, unless it is given
    limits : least and largest value of each coordinate (k, 2)
    best, highest : the highest point so far, and its value
    share : how often the rows count, which may stand for others
    noises : which coordinates are log noise precisions that are estimated
    tie : of values that differ by less it does not matter which is taken
    """

    def __init__(
        self,
        model: DenseModel,
        report: Report,
        start: np.ndarray | None = None,
        least_noise: float | None = None,
        share: float = 1.0,
    ) -> None:
        self.model, self.report, self.share = model, report, share
        n_rows, n_inputs = model.rows.inputs.shape
        self.prior = ScalePrior(model.columns.kinds, many_inputs=n_inputs > n_rows)
        log_spreads = model.columns.log_spreads
        least_noise = model.least_noises[0] if least_noise is None else least_noise
        settings, limits = model.first_settings(log_spreads, least_noise)
        if model.common_settings:
            settings, limits = settings[:1], limits[:1]
        self.first = np.concatenate([settings.ravel(), log_spreads])
        self.start = self.first if start is None else start
        self.setting_limits = limits
        self.limits = np.concatenate([limits.reshape(-1, 2), self.prior.limits])
        n_settings = settings.size if model.rows.likelihood.noise.estimated else 0
        self.noises = np.arange(n_settings)[settings.shape[1] - 1 :: settings.shape[1]]
        self.best, self.highest = self.start, -np.inf
        self.tie = TIE if self.prior.limited.any() else 0.0

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Value and gradient at a point, which is remembered if it is the highest so far."""
        value, gradient = self.evaluate(point)
        if value > self.highest:
            self.best, self.highest = point, value
        return value, gradient

    def evaluate(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Value and gradient at a point, which the report hears of."""
        value, gradient = self.measure(point)
        if self.report.learning(value):
            raise StopLearningError
        return value, gradient

    def measure(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Value and gradient at a point."""
        settings, log_scales = self.split(point)
        found = self.model.evaluate(settings, log_scales)
        evidence = self.share * found.value
        of_noise, by_noise = self._of_noise(point)
        value = evidence + self.prior.log_density(log_scales) + of_noise
        by_scale = self.share * found.by_scale + self.prior.gradient(log_scales)
        by_setting = self.share * found.by_setting
        if self.model.common_settings:
            by_setting = by_setting.sum(axis=0)
        gradient = np.concatenate([by_setting.ravel(), by_scale])
        gradient[self.noises] += by_noise
        return value, gradient

    def _of_noise(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Log density of the log noise precisions, up to a constant, and its derivatives.

        With z their distance from where a search starts, in standard deviations, it is that of
        Student's t, -s log(1 + z^2 / 2s).
        """
        beliefs = self.prior.beliefs
        apart = (point - self.first)[self.noises] / beliefs.noise_std
        spread = 2.0 * beliefs.noise_tails + apart**2
        value = -beliefs.noise_tails * np.log(spread / (2.0 * beliefs.noise_tails))
        slope = -2.0 * beliefs.noise_tails * apart / spread / beliefs.noise_std
        return float(value.sum()), slope

    def read(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Settings, and the log scales made fit for a sparse model, both rounded.

        Settings are found anew where scales had to be changed.
        """
        step = self.prior.beliefs.step
        steps = np.append(np.full(len(point) - len(self.prior.step), step), self.prior.step)
        rounded = self.first + steps * np.round((point - self.first) / steps)
        settings, log_scales = self.split(rounded)
        fit = self.prior.rounded(self.prior.widest(log_scales))
        if np.abs(fit - log_scales).max(initial=0.0) > 0.5 * step:
            settings = settings_at(self.model, fit, settings)
        return settings, fit

    @property
    def starts(self) -> list[np.ndarray]:
        """Points to start from where nothing is known: what the data suggest.

        Where an input has extreme values, once without and once with them: if it does not matter,
        the rows that have them are lost between the others from the first, and if it does, all
        others from the second.
        """
        whole = self.first.copy()
        whole[len(whole) - len(self.prior.middle) :] = self.model.columns.log_wholes
        whole = np.clip(whole, *self.limits.T)
        apart = np.abs(whole - self.first).max() > self.prior.beliefs.extreme
        points = [self.first, whole] if apart else [self.first]
        return [*points, *self._other_starts, *self._object_starts]

    @property
    def _other_starts(self) -> list[np.ndarray]:
        """The first point with other parameters of the likelihood, where it has more than one."""
        _, *others = self.model.parameter_starts(0)
        n_settings = len(self.first) - len(self.prior.middle)
        settings, log_scales = np.split(self.first, [n_settings])
        return [
            np.append(self.model.with_parameters(settings, each), log_scales) for each in others
        ]

    @property
    def _object_starts(self) -> list[np.ndarray]:
        """The first point with other parameters of kernel objects."""
        if not self.prior.limited.any():
            return []
        settings, log_scales = np.split(self.first, [len(self.first) - len(self.prior.middle)])

        def value(log_scales: np.ndarray) -> float:
            try:
                return self(np.append(settings, log_scales))[0]
            except FloatingPointError:
                return -np.inf

        found = object_starts(log_scales, self.model.columns.kinds, value)
        return [np.append(settings, each) for each in found]

    @property
    def at_least_noise(self) -> bool:
        """Whether the noise of any target is the least that it may be, at the highest point."""
        settings, _ = self.split(self.best)
        own = settings[: len(self.setting_limits)]
        return self.model.at_least_noise(own, self.setting_limits)

    def split(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The settings of all targets (k, n_settings), and the log scales, of a point."""
        settings, log_scales = np.split(point, [len(point) - len(self.prior.middle)])
        n_targets, n_settings = self.model.n_targets, self.model.n_settings
        return np.broadcast_to(
            settings.reshape(-1, n_settings), (n_targets, n_settings)
        ), log_scales


# So many of the highest values on a grid are climbed from.
MOST_PEAKS = 3

Value = Callable[[np.ndarray], float]


def object_starts(first: np.ndarray, kinds: tuple[Columns, ...], value: Value) -> list[np.ndarray]:
    """Log scales to start from besides the first: those of other sizes, and peaks on grids.

    A grid is looked at from the most likely point so far, one parameter after the other.

    Parameters
    ----------
    first : log scales of all kinds (n_scales,)
    value : log evidence at log scales; minus infinity where there is none
    """
    points: list[np.ndarray] = []
    base, start = first, 0
    for kind in kinds:
        places = start + np.arange(len(kind.log_scales))
        start += len(places)
        if kind.free is None:
            continue
        others = [_with(first, places, each) for each in kind.free.starts]
        points += others
        if kind.free.grids:
            base = max([base, *others], key=value)
        for place, values in kind.free.grids:
            peaks = _peaks([_with(base, places[place], each) for each in values], value)
            points += peaks
            base = max([base, *peaks], key=value)
    return points


def _with(point: np.ndarray, places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The point with some of its coordinates replaced."""
    point = point.copy()
    point[places] = values
    return point


def _peaks(points: list[np.ndarray], value: Value) -> list[np.ndarray]:
    """The highest of points in a row that are no lower than the ones beside them."""
    values = np.array([value(point) for point in points])
    around = np.concatenate([[-np.inf], values, [-np.inf]])
    highest = np.isfinite(values) & (values >= around[:-2]) & (values >= around[2:])
    found = np.flatnonzero(highest)
    return [points[i] for i in found[np.argsort(-values[found], kind="stable")][:MOST_PEAKS]]
