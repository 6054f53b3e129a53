"""Scales at a maximum of the evidence of the dense model and of their prior."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.dense import (
    LEAST_NOISE,
    NO_PAIRS,
    Adjusted,
    Ascent,
    DenseRows,
    LabelModel,
    Summit,
    adjusted,
    climb,
    following_columns,
    learning_model,
    led_settings,
    of_more_rows,
)
from sparsebayes.inference.state import Report
from sparsebayes.problem import Problem
from sparsebayes.scales.common import in_common_units, simpler
from sparsebayes.scales.objective import ScaleObjective, StopLearningError


@dataclass(frozen=True)
class ScaleSearch:
    """How scales are learned: on few rows first, then on more.

    Attributes
    ----------
    rows : how many rows serve at each stage. An evaluation takes rows cubed, and most of the way is
        made with few. A stage goes on with the curvature that the one before has seen
    per_scale : an early stage has at least so many rows for each scale. With fewer, an input that
        matters can lose its scale, which no later stage finds again
    many_rows : with fewer rows for each scale it is asked whether one width for all inputs will do
    judging_rows : that decide between several scales of classes
    smaller : a stage of more than this part of the rows of the last one would save nothing
    work : rows cubed, times targets, that an evaluation may take; twice that where the curvature
        varies
    early_rise : a stage ends when a step promises to raise the log evidence by less
    last_rise : the same of the last stage, per row there is, with the least and the most that it
        may be; where rows are many a step costs more, and some of them stand for all
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
        self, rows: DenseRows, n_scales: int, objects: bool = False
    ) -> list[tuple[int, Ascent]]:
        """How many of the rows serve at each stage, and how far it climbs."""
        each = self.work / len(rows.targets) / (1 if rows.likelihood.constant_curvature else 2)
        last = min(rows.n_rows, self.rows[-1], round(each ** (1 / 3)))
        least_rows, most_rows = self.per_scale * n_scales, self.smaller * last
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


class LearnedScales(NamedTuple):
    """Where a dense model ended.

    Attributes
    ----------
    log_scales : of the columns (n_scales,)
    settings : of the dense model of each target (k, n_settings)
    following : for each target, columns that follow its dense model, to start a sparse fit with
    latents : mode of the latent values of each target at the rows, or nearly (k, n); or None
    """

    log_scales: np.ndarray
    settings: np.ndarray
    following: list[np.ndarray]
    latents: np.ndarray | None


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
    n_scales = len(problem.columns.log_scales)
    objects = any(kind.log_limits is not None for kind in problem.columns.kinds)
    stages = search.stages(rows, n_scales, objects)
    point = _led(problem, report, search)
    if point is not None:
        stages = stages[-1:]
    pairs, before = NO_PAIRS, 1
    try:
        for size, ascent in stages:
            model = learning_model(problem.columns, rows.thinned(size))
            objective = ScaleObjective(model, report, point)
            known = of_more_rows(pairs, size / before)
            starts = objective.starts if point is None else [point]
            summits = [climb(objective, start, objective.limits, ascent, known) for start in starts]
            point, _, pairs = first_of_highest(summits, objective.tie)
            before = size
        for least_noise in LEAST_NOISE[1:]:
            if not objective.at_least_noise:
                break
            objective = ScaleObjective(model, report, objective.best, least_noise)
            climb(objective, objective.start, objective.limits, ascent)
        believed = not objective.prior.limited.all()
        few = rows.weight.sum() < search.many_rows * n_scales
        best = simpler(objective, ascent) if few and believed else objective.best
        points = [best]
        if isinstance(model, LabelModel) and believed:
            points.append(in_common_units(objective, ascent))
    except StopLearningError:
        points = [objective.best]
    read = [objective.read(point) for point in points]
    settings, log_scales = read[0]
    if isinstance(model, LabelModel):
        judge = LabelModel(problem.columns, rows.thinned(search.judging_rows))
        together = not objective.prior.limited.any()
        settings, log_scales = best_adjusted(model, judge, read, together)
    columns = problem.columns.rescaled(log_scales)
    following = following_columns(model, columns, settings)
    latents = None
    if not isinstance(model, LabelModel):
        latents = model.latents_at(problem.data.inputs, settings, log_scales)
    return LearnedScales(log_scales, settings, following, latents)


def first_of_highest(summits: list[Summit], tie: float) -> Summit:
    """The first of the summits that are at most `tie` below the highest."""
    highest = max(summit.value for summit in summits)
    return next(summit for summit in summits if summit.value >= highest - tie)


def _led(problem: Problem, report: Report, search: ScaleSearch) -> np.ndarray | None:
    """The point to start from, where another likelihood leads there."""
    likelihood = problem.likelihood
    if likelihood.leader is None:
        return None
    found = learn_scales(replace(problem, likelihood=likelihood.leader), report, search)
    settings = led_settings(likelihood, found.settings[0])
    return np.concatenate([settings, found.log_scales])


def best_adjusted(
    model: LabelModel,
    judge: LabelModel,
    read: list[tuple[np.ndarray, np.ndarray]],
    scales_too: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """Of several settings and log scales, each adjusted, those that predict rows left out best.

    Parameters
    ----------
    model : by which they are adjusted
    judge : of more rows, which decide between them
    scales_too : whether scales are widths, which one factor can adjust
    """

    def log_density(one: Adjusted) -> float:
        try:
            return judge.left_out(one.settings, one.log_scales).log_density
        except FloatingPointError:
            return -np.inf

    best = max((adjusted(model, *each, scales_too) for each in read), key=log_density)
    return best.settings, best.log_scales
