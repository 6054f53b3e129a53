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
from sparsebayes.scales.curvature import Curvature, curvature_about, in_common_units, price, simpler
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
            return rough_worth(self.objective)
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
        if not objective.model.judges:
            return rough_worth(objective)
        judge: Any = objective.model
        return judge.log_density_left_out(*objective.split(objective.best))

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


def rough_worth(objective: ScaleObjective) -> float:
    """The highest value less the price of scales; without it where rounding has the better."""
    try:
        return objective.highest - price(objective)
    except FloatingPointError:
        return objective.highest


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
