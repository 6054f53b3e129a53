"""Scales at a maximum of the evidence of the dense model and of their prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsebayes.columns import Columns
from sparsebayes.dense import (
    NO_PAIRS,
    Ascent,
    DenseModel,
    DenseRows,
    climb,
    following_columns,
    of_more_rows,
)
from sparsebayes.inference.state import Report
from sparsebayes.problem import Problem


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
    step : what log scales are rounded to
    """

    lowest: float = -14.0
    highest: float = 7.0
    common_std: float = 4.0
    own_width: float = 0.7
    widest: float = -3.0
    step: float = 0.05


BELIEFS = Beliefs()


class ScalePrior:
    """Inputs matter alike, in units of their spread, unless the data say otherwise.

    The log scales x_k of a kernel, relative to what the spread of its inputs suggests, have a
    common part and each a deviation from it,

        mean(x) ~ N(0, common_std^2),        x_k - mean(x) ~ Cauchy(own_width),

    whose heavy tails let an input go that does not matter. Without them a dozen scales are fitted
    to the noise of a few hundred rows.
    """

    def __init__(self, kinds: tuple[Columns, ...], beliefs: Beliefs = BELIEFS) -> None:
        self.beliefs = beliefs
        self.middle = np.concatenate([kind.log_spreads for kind in kinds])
        sizes = [len(kind.log_spreads) for kind in kinds]
        self.owner = np.repeat(np.arange(len(kinds)), sizes)
        self.size = np.maximum(np.array(sizes), 1)

    @property
    def limits(self) -> np.ndarray:
        """Least and largest value of each log scale (n_scales, 2)."""
        return np.column_stack(
            [self.middle + self.beliefs.lowest, self.middle + self.beliefs.highest]
        )

    def widest(self, log_scales: np.ndarray) -> np.ndarray:
        """The log scales, raised together where the largest of a kernel is below `widest`.

        The dense model describes a plane by kernels as wide as it may. Such columns are equal up to
        rounding, so no small subset can represent them.
        """
        largest = np.full(len(self.size), -np.inf)
        np.maximum.at(largest, self.owner, log_scales - self.middle)
        return log_scales + np.maximum(self.beliefs.widest - largest, 0.0)[self.owner]

    def rounded(self, log_scales: np.ndarray) -> np.ndarray:
        """Log scales in steps of `step` from what the spread of the inputs suggests.

        A climb ends where rounding errors let it. Steps that are coarse against these, and fine
        against what data can tell, make its end the same in other units and other orders of rows.
        """
        step = self.beliefs.step
        return self.middle + step * np.round((log_scales - self.middle) / step)

    def log_density(self, log_scales: np.ndarray) -> float:
        """Of the prior, up to a constant."""
        common, own = self._parts(log_scales)
        return -0.5 * float(common @ common) - float(np.log1p(own**2).sum())

    def gradient(self, log_scales: np.ndarray) -> np.ndarray:
        """Derivative of the log density (n_scales,)."""
        common, own = self._parts(log_scales)
        pull = -2.0 * own / (1.0 + own**2) / self.beliefs.own_width
        shared = -common / self.beliefs.common_std - self._sum(pull)
        return pull + (shared / self.size)[self.owner]

    def _parts(self, log_scales: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The common part of each kernel, and the deviations, in units of their widths."""
        relative = log_scales - self.middle
        common = self._sum(relative) / self.size
        return common / self.beliefs.common_std, (
            relative - common[self.owner]
        ) / self.beliefs.own_width

    def _sum(self, values: np.ndarray) -> np.ndarray:
        """Over the scales of each kernel."""
        return np.bincount(self.owner, values, len(self.size))


@dataclass(frozen=True)
class ScaleSearch:
    """How scales are learned: on few rows first, then on more.

    Attributes
    ----------
    rows : how many rows serve at each stage. An evaluation takes rows cubed, and most of the way is
        made with few. A stage goes on with the curvature that the one before has seen
    per_scale : an early stage has at least so many rows for each scale. With fewer, an input that
        matters can lose its scale, which no later stage finds again
    smaller : a stage of more than this part of the rows of the last one would save nothing
    work : rows cubed, times targets, that an evaluation may take; twice that where the curvature
        varies
    least_noise : the least variance of the noise, relative to the target's: scales are not to be
        learned from details below a hundredth of its standard deviation
    early_rise : a stage ends when a step promises to raise the log evidence by less
    last_rise : the same of the last stage, per row there is, with the least and the most that it
        may be; where rows are many a step costs more, and some of them stand for all
    """

    rows: tuple[int, ...] = (128, 256, 512, 1000)
    per_scale: int = 8
    smaller: float = 0.75
    work: float = 1e9
    least_noise: float = 1e-4
    early_rise: float = 0.03
    last_rise: tuple[float, float, float] = (5e-5, 0.01, 0.2)

    def stages(self, rows: DenseRows, n_scales: int) -> list[tuple[int, Ascent]]:
        """How many of the rows serve at each stage, and how far it climbs."""
        each = self.work / len(rows.targets) / (1 if rows.likelihood.constant_curvature else 2)
        last = min(rows.n_rows, self.rows[-1], round(each ** (1 / 3)))
        least_rows, most_rows = self.per_scale * n_scales, self.smaller * last
        early = [size for size in self.rows if least_rows <= size <= most_rows]
        per_row, least, most = self.last_rise
        last_rise = float(np.clip(per_row * rows.n_rows, least, most))
        return [
            *((size, Ascent(least_rise=self.early_rise)) for size in early),
            (last, Ascent(least_rise=last_rise)),
        ]


SCALE_SEARCH = ScaleSearch()


class LearnedScales(NamedTuple):
    """Where a dense model ended.

    Attributes
    ----------
    log_scales : of the columns (n_scales,)
    settings : of the dense model of each target (k, n_settings)
    following : for each target, columns that follow its dense model, to start a sparse fit with
    """

    log_scales: np.ndarray
    settings: np.ndarray
    following: list[np.ndarray]


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
    best : the highest point so far
    """

    def __init__(
        self,
        model: DenseModel,
        report: Report,
        least_noise: float,
        start: np.ndarray | None = None,
    ) -> None:
        self.model, self.report = model, report
        self.prior = ScalePrior(model.columns.kinds)
        log_spreads = model.columns.log_spreads
        settings, limits = model.first_settings(log_spreads, least_noise)
        if not model.rows.likelihood.has_units:
            settings, limits = settings[:1], limits[:1]
        first = np.concatenate([settings.ravel(), log_spreads])
        self.start = first if start is None else start
        self.limits = np.concatenate([limits.reshape(-1, 2), self.prior.limits])
        self.best, self._highest = self.start, -np.inf

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Value and gradient at a point."""
        settings, log_scales = self._split(point)
        found = self.model.evaluate(settings, log_scales)
        value = found.value + self.prior.log_density(log_scales)
        if value > self._highest:
            self.best, self._highest = point, value
        if self.report.learning(value):
            raise StopLearningError
        by_scale = found.by_scale + self.prior.gradient(log_scales)
        by_setting = found.by_setting
        if not self.model.rows.likelihood.has_units:
            by_setting = by_setting.sum(axis=0)
        return value, np.concatenate([by_setting.ravel(), by_scale])

    def read(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Settings, and the log scales made fit for a sparse model and rounded."""
        settings, log_scales = self._split(point)
        return settings, self.prior.rounded(self.prior.widest(log_scales))

    def _split(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        settings, log_scales = np.split(point, [len(point) - len(self.prior.middle)])
        n_targets, n_settings = len(self.model.rows.targets), self.model.n_settings
        return np.broadcast_to(
            settings.reshape(-1, n_settings), (n_targets, n_settings)
        ), log_scales


def learn_scales(
    problem: Problem, report: Report, search: ScaleSearch = SCALE_SEARCH
) -> LearnedScales:
    """Scales at a maximum of the dense models' evidence, summed over targets, and their prior.

    Parameters
    ----------
    problem : its columns have scales that are free; its targets are one or more
    """
    rows = DenseRows.of(problem.data, problem.likelihood)
    if rows.n_rows > search.rows[0]:
        rows = rows.distinct()
    point, pairs, before = None, NO_PAIRS, 1
    for size, ascent in search.stages(rows, len(problem.columns.log_scales)):
        model = DenseModel(problem.columns, rows.thinned(size))
        objective = ScaleObjective(model, report, search.least_noise, point)
        known = of_more_rows(pairs, size / before)
        try:
            point, _, pairs = climb(objective, objective.start, objective.limits, ascent, known)
        except StopLearningError:
            break
        before = size
    settings, log_scales = objective.read(objective.best)
    columns = problem.columns.rescaled(log_scales)
    return LearnedScales(log_scales, settings, following_columns(model, columns, settings))
