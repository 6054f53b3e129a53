"""Scales at a maximum of the evidence of the dense model and of their prior."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes._cached import cached_property
from sparsebayes.climber import NO_PAIRS, Ascent, Summit, climb, of_more_rows
from sparsebayes.columns import AnyColumns
from sparsebayes.dense import DenseModel, DenseRows, learning_model
from sparsebayes.inference.state import Report
from sparsebayes.problem import Problem
from sparsebayes.scales.curvature import RULE as CURVATURE
from sparsebayes.scales.curvature import Curvature, curvature_about
from sparsebayes.scales.objective import ScaleObjective, StopLearningError


@dataclass(frozen=True)
class ScaleSearch:
    """How scales are learned: on few rows first, then on more.

    Attributes
    ----------
    rows : how many rows serve at each stage. An evaluation takes rows cubed, and most of the way is
        made with few. A stage goes on with the curvature that the one before has seen
    per_scale : an early stage has at least so many rows for each width. With fewer, an input that
        matters can lose its scale, which no later stage finds again
    many_rows : with fewer rows for each width it is asked whether one width for all inputs will do
    judging_rows : that decide between several scales of classes
    smaller : a stage of more than this part of the rows of the last one would save nothing
    work : rows cubed, times targets, that an evaluation may take; twice that where the curvature
        varies
    early_rise : a stage ends when a step promises to raise the log evidence by less
    last_rise : the last stage ends when a step promises less for each row there is; and the least
        and the most of that. Where rows are many a step costs more, and some stand for all
    of_objects : of the last rise, where there are kernel objects: the evidence of lengths and
        variances that go together rises slowly
    """

    rows: tuple[int, ...] = (128, 256, 512, 1000)
    per_scale: int = 8
    many_rows: int = 20
    judging_rows: int = 2000
    smaller: float = 0.75
    work: float = 1e9
    early_rise: float = 0.03
    last_rise: tuple[float, float, float] = (5e-5, 0.01, 0.2)
    of_objects: float = 0.05

    def stages(
        self, rows: DenseRows, n_widths: int, objects: bool = False
    ) -> list[tuple[int, Ascent]]:
        """How many of the rows serve at each stage, and how far it climbs."""
        each = self.work / len(rows.targets) / (1 if rows.likelihood.constant_curvature else 2)
        last = min(rows.n_rows, self.rows[-1], round(each ** (1 / 3)))
        least_rows, most_rows = self.per_scale * n_widths, self.smaller * last
        early = [size for size in self.rows if least_rows <= size <= most_rows]
        per_row, least, most = self.last_rise
        last_rise = float(np.clip(per_row * rows.weight.sum(), least, most))
        if objects:  # of several starts only the best goes all the way
            early, last_rise = early or [last], last_rise * self.of_objects
        return [
            *((size, Ascent(least_rise=self.early_rise)) for size in early),
            (last, Ascent(least_rise=last_rise)),
        ]


SCALE_SEARCH = ScaleSearch()


@dataclass(frozen=True)
class LearnedScales:
    """Where a dense model ended.

    Attributes
    ----------
    log_scales : of the columns (n_scales,)
    settings : of the dense model of each target (k, n_settings)
    objective : what was climbed last
    judge : a model of more rows, which decided between several scales; None without such
    """

    log_scales: np.ndarray
    settings: np.ndarray
    objective: ScaleObjective
    judge: DenseModel | None = None

    @property
    def model(self) -> DenseModel:
        """The dense model that the climb ended with."""
        return self.objective.model

    @cached_property
    def _curvature(self) -> Curvature | None:
        own = self.settings[:1] if self.model.common_settings else self.settings
        return curvature_about(self.objective, np.append(own, self.log_scales))

    @property
    def doubt(self) -> np.ndarray | None:
        """A root of the covariance of the settings of the only target, and of log scales.

        None where it does not matter, as where rows are many for the scales, or is not known.
        """
        many = self.model.rows.weight.sum() >= CURVATURE.many_rows * len(self.log_scales)
        alone = len(self.settings) == 1 and not self.model.judges
        if many or not alone or self.objective.prior.limited.any() or self._curvature is None:
            return None
        return self._curvature.root

    @property
    def worth(self) -> float:
        """What kernels are compared by, the scales of each at their best.

        It is the log density of rows left out, where a model can judge. Else it is Laplace's
        approximation to the log evidence with scales and settings averaged out.
        """
        model: Any = self.model if self.judge is None else self.judge
        if model.judges:
            return model.log_density_left_out(self.settings, self.log_scales)
        if self._curvature is None:
            return self.objective.highest - price(self.objective)
        return self.objective.highest - self._curvature.price


def learn_scales(
    problem: Problem, report: Report, search: ScaleSearch = SCALE_SEARCH
) -> LearnedScales:
    """Scales at a maximum of the dense models' evidence, summed over targets, and their prior.

    Parameters
    ----------
    problem : its columns have scales that are free; its targets are one or more
    """
    climbs = Climbs(problem, report, search)
    climbs.climb()
    return climbs.learned()


class Climbs:
    """Climbs on few rows first, then on more.

    Attributes
    ----------
    rows : all of them
    stages : how many rows serve at each stage that is to come, and how far it climbs
    objective : what was climbed last
    ascent : how far that climb went
    stopped : whether the report asked to stop
    """

    objective: ScaleObjective
    ascent: Ascent

    def __init__(self, problem: Problem, report: Report, search: ScaleSearch) -> None:
        rows = DenseRows.of(problem.data, problem.likelihood)
        self.rows = rows.distinct() if rows.n_rows > search.rows[0] else rows
        self.columns, self.report, self.search = problem.columns, report, search
        self.lead = _lead(problem, report, search)
        objects = any(kind.log_limits is not None for kind in self.columns.kinds)
        stages = search.stages(self.rows, n_widths(self.columns), objects)
        self.stages = stages if self.lead is None else stages[-1:]
        self._top, self._before, self.stopped = Summit(np.empty(0), -np.inf, NO_PAIRS), 0, False

    def climb(self, most_stages: int | None = None) -> None:
        """The stages that are to come, or some of them.

        The last is climbed once more with less noise where that is the least it may be.
        """
        stages = self.stages[:most_stages]
        self.stages = self.stages[len(stages) :]
        try:
            for size, ascent in stages:
                self._stage(size, ascent)
            if len(stages) and not len(self.stages):
                self._with_less_noise()
        except StopLearningError:
            self.stopped = True

    def _stage(self, size: int, ascent: Ascent) -> None:
        """One stage, from where the one before has ended."""
        self.ascent, lead, top = ascent, self.lead, self._top
        model = learning_model(self.columns, self.rows.thinned(size))
        point = top.point if self._before else None
        if lead is not None:
            point = np.concatenate([model.led(lead.settings[0]), lead.log_scales])
        objective = self.objective = ScaleObjective(model, self.report, point)
        known = of_more_rows(top.pairs, size / self._before) if self._before else NO_PAIRS
        starts = objective.starts if point is None else [point]
        summits = [climb(objective, start, objective.limits, ascent, known) for start in starts]
        self._top, self._before = first_of_highest(summits, objective.tie), size

    def _with_less_noise(self) -> None:
        """The last climb once more, as long as the noise is the least that it may be."""
        model = self.objective.model
        for least_noise in model.least_noises[1:]:
            objective = self.objective
            if not objective.at_least_noise:
                break
            self.objective = ScaleObjective(model, self.report, objective.best, least_noise)
            climb(self.objective, self.objective.start, self.objective.limits, self.ascent)

    def learned(self) -> LearnedScales:
        """Where the climbs have ended, or a simpler model that is as likely."""
        objective, judge = self.objective, None
        try:
            points = [objective.best] if self.stopped else self.ends()
        except StopLearningError:
            points, self.stopped = [objective.best], True
        found = [objective.read(point) for point in points]
        if len(found) > 1:
            judge = learning_model(self.columns, self.rows.thinned(self.search.judging_rows))
        together = not objective.prior.limited.any()
        settings, log_scales = objective.model.best_of(found, judge, scales_too=together)
        return LearnedScales(log_scales, settings, objective, judge)

    @property
    def to_come(self) -> float:
        """How many more rows the last stage has, relative to those of the stage before."""
        return self.stages[-1][0] / self._before - 1.0 if self.stages else 0.0

    def rough_worth(self) -> float:
        """What kernels are compared by, at the highest point so far."""
        objective = self.objective
        if objective.model.judges:
            judge: Any = objective.model
            return judge.log_density_left_out(*objective.split(objective.best))
        try:
            return objective.highest - price(objective)
        except FloatingPointError:
            return objective.highest

    def ends(self) -> list[np.ndarray]:
        """The highest point, or a simpler one; and one in common units where a model can judge."""
        objective = self.objective
        if objective.prior.limited.all():
            return [objective.best]
        few = self.rows.weight.sum() < self.search.many_rows * n_widths(self.columns)
        best = simpler(objective, self.ascent) if few else objective.best
        if not objective.model.judges:
            return [best]
        return [best, in_common_units(objective, self.ascent)]


def n_widths(columns: AnyColumns) -> int:
    """How many scales are widths of inputs, or parameters of an object: sizes go with widths."""
    sorts = [sort for kind in columns.kinds for sort in kind.sorts]
    return sum(sort not in ("effect size", "order") for sort in sorts)


def first_of_highest(summits: list[Summit], tie: float) -> Summit:
    """The first of the summits that are at most `tie` below the highest."""
    highest = max(summit.value for summit in summits)
    return next(summit for summit in summits if summit.value >= highest - tie)


def _lead(problem: Problem, report: Report, search: ScaleSearch) -> LearnedScales | None:
    """Scales of a likelihood that leads to the one of the problem, if there is such."""
    leader = problem.likelihood.leader
    if leader is None:
        return None
    return learn_scales(replace(problem, likelihood=leader), report, search)


# A derivative is a difference over so much to both sides, in a log scale.
STEP = 0.1
# Signs of differences alternate after so many inputs, in the order of their scales.
PATTERNS = (1, 2)
# Scales whose log density is this far below that of equal ones are not asked: what they explain
# has to be worth it already.
FAR_APART = 10.0


def simpler(objective: ScaleObjective, ascent: Ascent) -> np.ndarray:
    """The highest point, or that with one width for the inputs of each kernel if it is more likely.

    Both are compared by Laplace's approximation to the integral over the scales. For each scale
    it has a factor (1 + h_k / h_0)^-1/2, with h_k the curvature of the log evidence and h_0 that of
    the prior: more scales have to pay for what they fit.

    Parameters
    ----------
    objective : with the scales of its highest point found
    ascent : how far the search for one width goes
    """
    _, log_scales = objective.split(objective.best)
    if objective.prior.unlikeness(log_scales) > FAR_APART:
        return objective.best
    common, value = one_width(objective, objective.prior.middle, ascent)
    try:
        cost = price(objective)
    except FloatingPointError:  # a step away rounding has the better of the evidence
        return objective.best
    return common if value >= objective.highest - cost else objective.best


def in_common_units(objective: ScaleObjective, ascent: Ascent) -> np.ndarray:
    """The highest point with one width for all inputs of a kernel in the units that they have.

    In pixels or spectra an input of little spread does matter less, as inputs have a common unit.
    """
    return one_width(objective, np.zeros_like(objective.prior.middle), ascent)[0]


def one_width(
    objective: ScaleObjective, unit: np.ndarray, ascent: Ascent
) -> tuple[np.ndarray, float]:
    """The highest point with one width for the inputs of each kernel, and its value.

    Parameters
    ----------
    unit : log scale of each input that makes them alike (n_scales,)
    """
    prior = objective.prior
    n_settings = len(objective.best) - len(prior.middle)
    kernels, place = np.unique(prior.tie, return_inverse=True)
    relative = objective.best[n_settings:] - unit
    mean = np.bincount(place, relative) / np.bincount(place)

    def spread_out(tied: np.ndarray) -> np.ndarray:
        return np.concatenate([tied[:n_settings], unit + tied[n_settings:][place]])

    def tied_function(tied: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = objective.evaluate(spread_out(tied))
        own = np.bincount(place, gradient[n_settings:], len(kernels))
        return value, np.concatenate([gradient[:n_settings], own])

    relative_limits = prior.limits - unit[:, None]
    own_limits = np.column_stack(
        [np.bincount(place, end) / np.bincount(place) for end in relative_limits.T]
    )
    limits = np.concatenate([objective.limits[:n_settings], own_limits])
    start = np.concatenate([objective.best[:n_settings], mean])
    top = climb(tied_function, start, limits, ascent)
    return spread_out(top.point), top.value


def price(objective: ScaleObjective) -> float:
    """sum_k 1/2 log(1 + h_k / h_0), at least, from the mean curvature of the log evidence.

    The mean curvature is that along directions in which half of the scales grow and the others
    shrink. They are chosen by the order of the scales, so that the order of inputs does not matter.
    """
    settings, log_scales = objective.split(objective.best)
    if not len(log_scales):
        return 0.0
    order = np.argsort(log_scales - objective.prior.middle, kind="stable")
    bends = []
    for pattern in PATTERNS:
        sign = np.empty(len(order))
        sign[order] = np.where(np.arange(len(order)) // pattern % 2, 1.0, -1.0)
        ahead, behind = (
            objective.model.evaluate(settings, log_scales + step * sign).by_scale
            for step in (STEP, -STEP)
        )
        bends.append(-(ahead - behind) @ sign / (2.0 * STEP))
    mean = max(float(np.mean(bends)), 0.0) / len(order)
    return 0.5 * float(np.log1p(mean / objective.prior.curvature).sum())
