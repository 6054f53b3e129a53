"""The dense model of many rows, from sums over them.

All that the rows say of weights w is in their sums: with V the columns and W the precision of the
rows, sum_n W_n (f_n - v_n'w)^2 depends on V'WV and V'Wf alone. So any S with S'S = V'WV says the
same as V does. Its rows, as many as there are columns, *stand for* all rows: what follows a dense
model, and what its weights mean for other columns, is found from these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import block_diag, lapack

from sparsebayes._linear_algebra import Factor, factorise
from sparsebayes.columns import NO_ROW, AnyColumns, Columns, JoinedColumns
from sparsebayes.dense.ascent import Ascent, climb
from sparsebayes.dense.fit import DenseFit, chosen_columns
from sparsebayes.dense.model import LEAST_NOISE, Budget, precisions_of
from sparsebayes.dense.sums import Slopes, SlopesPass, Sums, SumsPass, Targets
from sparsebayes.dense.whitened import WhitenedColumns, groups
from sparsebayes.evidence import log_evidence, noise_gradient, weight_gradient
from sparsebayes.inference.loop import interpolates
from sparsebayes.likelihoods import Likelihood
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Precisions, Problem
from sparsebayes.rows import Blocks, Data, InMemoryRows

# What centres may leave of the variance of the process anywhere, in parts of the noise and times
# the number of rows: with more rows less of it can be told from noise. And its least and most.
UNSEEN_TIMES_ROWS, LEAST_UNSEEN, MOST_UNSEEN = 10.0, 1e-6, 1e-3


def budget_of(n_rows: float) -> Budget:
    """How large the dense model of so many rows may be: it may have all centres that there are."""
    unseen = float(np.clip(UNSEEN_TIMES_ROWS / n_rows, LEAST_UNSEEN, MOST_UNSEEN))
    return Budget(most_centres=10**6, work=np.inf, unseen=unseen)


class Chosen(NamedTuple):
    """The columns of a dense model.

    Attributes
    ----------
    white : whitened
    candidates : the same columns as they are, in the order of `white`
    """

    white: JoinedColumns
    candidates: AnyColumns


def choose_columns(problem: Problem, settings: np.ndarray, n_rows: float) -> Chosen:
    """The columns that the dense model of so many rows has, those that add nothing left out.

    Parameters
    ----------
    problem : with a sample of the rows
    settings : of the dense model (n_settings,)
    """
    numbered = JoinedColumns(tuple(_numbered(kind) for kind in problem.columns.kinds))
    parts = chosen_columns(replace(problem, columns=numbered), settings, budget_of(n_rows))
    positions = [
        np.arange(part.n_columns) if _is_plain(part.kind) else part.kind.centre_rows
        for part in parts
    ]
    white = tuple(
        replace(part, kind=replace(part.kind, centre_rows=kind.centre_rows[own]))
        for part, kind, own in zip(parts, problem.columns.kinds, positions, strict=True)
    )
    starts = np.cumsum([0, *(kind.n_columns for kind in problem.columns.kinds)])
    places = [start + own for start, own in zip(starts, positions, strict=False)]
    return Chosen(JoinedColumns(white), problem.columns.keep(np.concatenate(places)))


def _is_plain(kind: Columns) -> bool:
    """Whether columns have no centre."""
    return not kind.n_columns or bool(kind.centre_rows[0] == NO_ROW)


def _numbered(kind: Columns) -> Columns:
    """The columns of a kernel, numbered one by one in place of their rows."""
    return kind if _is_plain(kind) else replace(kind, centre_rows=np.arange(kind.n_columns))


def unwhitened(columns: JoinedColumns, mean: np.ndarray) -> np.ndarray:
    """Weights of the columns as they are, R'm, from those of whitened ones (m, k)."""
    return np.concatenate(
        [
            own if part.whitener is None else part.whitener.T @ own
            for part, own in _split(columns, mean)
        ]
    )


def whitened_score(columns: JoinedColumns, score: np.ndarray) -> np.ndarray:
    """The gradient for the weights of whitened columns, from that for those as they are (m, k)."""
    return np.concatenate(
        [
            own if part.whitener is None else part.whitener @ own
            for part, own in _split(columns, score)
        ]
    )


def _split(columns: JoinedColumns, rows: np.ndarray) -> list[tuple[WhitenedColumns, np.ndarray]]:
    ends = np.cumsum([part.n_columns for part in columns.parts])[:-1]
    return list(zip(columns.parts, np.split(rows, ends), strict=True))


def first_of_each(columns: JoinedColumns, most: int) -> np.ndarray:
    """Positions of the first whitened columns of each kind, and of all that are not whitened."""
    sizes = [part.n_columns if part.whitener is None else most for part in columns.parts]
    starts = np.cumsum([0, *(part.n_columns for part in columns.parts)])
    own = zip(starts, columns.parts, sizes, strict=False)
    return np.concatenate([start + np.arange(min(p.n_columns, size)) for start, p, size in own])


def colouring(columns: JoinedColumns) -> np.ndarray:
    """L' of each kind: the columns as they are are V L', as those of V are C R' with R = L^-1."""
    return block_diag(
        *(
            np.eye(part.n_columns)
            if part.whitener is None
            else lapack.dtrtri(np.asfortranarray(part.whitener), lower=1)[0].T
            for part in columns.parts
        )
    )


def slopes_at(
    blocks: Blocks, columns: JoinedColumns, targets: Targets, mean: np.ndarray, tell: Any
) -> Slopes:
    """Log density and its gradient at some weights, by a pass over the rows."""
    weights = unwhitened(columns, mean)
    value, score = blocks.fold(SlopesPass(columns, targets, weights), tell)
    return Slopes(value, whitened_score(columns, score))


@dataclass(frozen=True)
class Standing:
    """Rows that stand for all, one for each column.

    Attributes
    ----------
    design : S, the whitened columns at these rows (m, m)
    weight : of each of them; together they weigh as much as all rows do
    """

    design: np.ndarray
    weight: float

    @classmethod
    def of(cls, gram: np.ndarray, total: float) -> Standing:
        """From V'WV and the sum of W."""
        weight = total / max(1, len(gram))
        gram = gram + np.diag(np.where(np.diag(gram) > 0.0, 0.0, 1.0))  # columns of zeros
        factor = factorise(gram / weight)
        return cls((factor.lower / factor.scale[:, None]).T, weight)

    def problem(
        self, inputs: Any, columns: AnyColumns, likelihood: Likelihood, change: Any = None
    ) -> Problem:
        """A problem with these rows.

        Parameters
        ----------
        inputs : of some rows, which only tell how many inputs there are
        change : makes the columns at these rows from the whitened ones (m, m); None for the latter
        """
        size = len(self.design)
        design = self.design if change is None else self.design @ change
        data = Data(inputs, np.zeros(size), np.full(size, self.weight))
        problem = Problem(data, columns, likelihood)
        rows = InMemoryRows(np.asfortranarray(design), data.target, data.weight)
        vars(problem)["rows"] = rows
        return problem


def gaussian_posterior(
    problem: Problem, sums: Sums, k: int, settings: np.ndarray, group: np.ndarray
) -> Posterior:
    """The posterior of output number k, from sums at weights of zero."""
    precisions = precisions_of(settings, group, problem.noise)
    factor = factor_at(sums.gram, precisions)
    mean = factor.solve(precisions.noise * sums.score[:, [k]])
    value = sums.value[k] + float(np.vdot(mean, sums.score[:, [k]] - 0.5 * sums.gram @ mean))
    every = np.arange(len(mean))
    return Posterior(problem, every, precisions, mean, sums.gram, value, factor)


def factor_at(gram: np.ndarray, precisions: Precisions) -> Factor:
    """Of A + beta gram."""
    matrix = precisions.noise * gram
    matrix.flat[:: len(matrix) + 1] += precisions.weight
    return factorise(matrix)


def corrected(posterior: Posterior, slopes: Slopes, k: int) -> Posterior:
    """The posterior with its residuals as the rows have them, at its mean.

    What is subtracted from t't in a sum over rows has lost its digits where there is hardly any
    noise. A sum of squared residuals has not.
    """
    score = slopes.score[:, [k]]
    step = posterior.factor.solve(posterior.noise_precision * score - posterior.pull)
    value = slopes.value[k] + float(np.vdot(step, score - 0.5 * posterior.gram @ step))
    return replace(posterior, mean=posterior.mean + step, value=value)


def with_best_settings(
    posterior: Posterior,
    settings: np.ndarray,
    group: np.ndarray,
    target_variance: float,
    ascent: Ascent = Ascent(least_rise=0.01),
    reach: float = 30.0,
) -> Posterior:
    """The posterior at the settings that all rows make most likely.

    Parameters
    ----------
    settings : to start from (n_settings,)
    group : of each column (m,)
    target_variance : about its mean
    reach : how far log precisions may go from where they start
    """
    noise = posterior.problem.noise

    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        there = posterior.at(precisions_of(point, group, noise))
        gradient = np.bincount(group, weight_gradient(there))
        if noise.estimated:
            gradient = np.append(gradient, noise_gradient(there))
        return log_evidence(there), gradient

    limits = np.column_stack([settings - reach, settings + reach])
    if noise.estimated:
        limits[-1, 1] = min(limits[-1, 1], -np.log(LEAST_NOISE[-1] * target_variance))
    best = climb(function, settings, limits, ascent).point
    return posterior.at(precisions_of(best, group, noise))


def dense_fit(
    columns: JoinedColumns, posterior: Posterior, standing: Standing, sums: Sums, vanished: bool
) -> DenseFit:
    """The record of a dense model, by the rows that stand for all."""
    size = len(standing.design)
    noise = posterior.noise_precision
    return DenseFit(
        columns,
        1.0 / posterior.weight_precision,
        posterior,
        standing.design @ posterior.mean,
        np.full(size, noise * standing.weight),
        None,
        sums.energy / sums.weight,
        sums.variance / sums.weight,
        log_evidence(posterior),
        1.0 / noise if posterior.problem.likelihood.has_units else 1.0,
        vanished or interpolates(posterior),
    )


def dense_outputs(
    blocks: Blocks | None,
    columns: JoinedColumns,
    sums: Sums,
    settings: np.ndarray,
    likelihood: Likelihood,
    inputs: Any,
    tell: Any,
) -> tuple[list[DenseFit], Standing]:
    """The dense model of each output, from sums over all rows at weights of zero.

    Parameters
    ----------
    blocks : for the pass that finds residuals; None to find them from the sums
    settings : of each output, to start from (k, n_settings)
    likelihood : of one output
    inputs : of some rows
    """
    standing = Standing.of(sums.gram, sums.weight)
    problem = standing.problem(inputs, columns, likelihood)
    group = groups(tuple(part.kind for part in columns.parts))
    first = [gaussian_posterior(problem, sums, k, own, group) for k, own in enumerate(settings)]
    if blocks is not None:
        mean = np.hstack([each.mean for each in first])
        slopes = slopes_at(blocks, columns, Targets(likelihood), mean, tell)
        first = [corrected(each, slopes, k) for k, each in enumerate(first)]
    denses = []
    for k, (each, own) in enumerate(zip(first, settings, strict=True)):
        variance = max(-2.0 * float(sums.value[k]) / sums.weight, np.finfo(float).tiny)
        best = with_best_settings(each, own, group, variance)
        least = LEAST_NOISE[-1] * variance * 1.05
        vanished = problem.noise.estimated and 1.0 / best.noise_precision <= least
        denses.append(dense_fit(columns, best, standing, sums, vanished))
    return denses, standing


@dataclass(frozen=True)
class ModeRule:
    """How the mode of a likelihood with varying curvature is found in many rows.

    Attributes
    ----------
    first_columns : of each kernel, that lead most of the way, until a step promises less than one
        nat for each
    parts : of the rows that serve first, each time until the next has more to say
    fewest : rows for each column that a part of them has to have
    close : a Newton step that promises at most this many nats for each column leads so near to the
        mode that the curvature is known
    enough : nats for each column; a step that promises less is the last
    max_steps : with the curvature found anew, and with one that is held
    slow : a step that promises more than this part of the one before asks for a new curvature
    """

    first_columns: int = 400
    parts: tuple[float, ...] = (1 / 64, 1 / 8)
    fewest: float = 8.0
    close: float = 8.0
    enough: float = 1e-4
    max_steps: int = 60
    slow: float = 0.5


MODE_RULE = ModeRule()


class Climbed(NamedTuple):
    """A point on the way to the mode.

    Attributes
    ----------
    mean : weights (m, 1)
    sums : there
    factor : of the precision there
    step : Newton's
    promise : nats that it promises, twice
    """

    mean: np.ndarray
    sums: Sums
    factor: Factor
    step: np.ndarray
    promise: float

    def density(self, precision: np.ndarray) -> float:
        """Log density of rows and weights."""
        return float(self.sums.value[0]) - 0.5 * float(precision @ self.mean[:, 0] ** 2)


def dense_mode(
    blocks: Blocks,
    columns: JoinedColumns,
    settings: np.ndarray,
    likelihood: Likelihood,
    inputs: Any,
    tell: Callable[[str], Any],
    rule: ModeRule = MODE_RULE,
) -> tuple[DenseFit, Standing]:
    """The dense model of a likelihood whose curvature varies: Laplace's, by Newton's method.

    Few rows lead most of the way. The curvature of all rows is then found once, near the mode, and
    held for the last steps, which need the gradient only.

    Parameters
    ----------
    tell : name of a pass -> who hears of its rows
    """
    group = groups(tuple(part.kind for part in columns.parts))
    precisions = precisions_of(settings, group, likelihood.noise)
    targets = Targets(likelihood)
    few = first_of_each(columns, rule.first_columns)
    search = _ModeSearch(blocks, columns, targets, precisions, tell, rule)
    mean = np.zeros((columns.n_columns, 1))
    if len(few) < columns.n_columns:
        size = rule.first_columns
        first = JoinedColumns(
            tuple(part.first(min(part.n_columns, size)) for part in columns.parts)
        )
        lead = _ModeSearch(blocks, first, targets, precisions.of(few), tell, rule)
        mean[few] = lead.approached(mean[few], lead.parts[:1], close=1.0)
    near = search.climb(search.approached(mean, search.parts[:-1], rule.close), 1.0, rule.close)
    near, mean, value = search.settle(near)
    standing = Standing.of(near.sums.gram, near.sums.precision)
    problem = standing.problem(inputs, columns, likelihood)
    every = np.arange(columns.n_columns)
    posterior = Posterior(problem, every, precisions, mean, near.sums.gram, value, near.factor)
    return dense_fit(columns, posterior, standing, near.sums, False), standing


class _ModeSearch:
    """Newton's method over blocks of rows."""

    def __init__(
        self,
        blocks: Blocks,
        columns: JoinedColumns,
        targets: Targets,
        precisions: Precisions,
        tell: Callable[[str], Any],
        rule: ModeRule,
    ) -> None:
        self.blocks, self.columns, self.targets = blocks, columns, targets
        self.precisions, self.tell, self.rule = precisions, tell, rule

    @property
    def parts(self) -> list[float]:
        """Parts of the rows that serve, one after the other; all of them at last."""
        least = self.rule.fewest * self.columns.n_columns
        return [*(p for p in self.rule.parts if p * self.blocks.n_rows >= least), 1.0]

    def approached(self, mean: np.ndarray, parts: list[float], close: float) -> np.ndarray:
        """Weights near the mode of some of the rows, of more of them each time."""
        for part in parts:
            near = self.climb(mean, part, close)
            mean = near.mean + near.step
        return mean

    def at(self, mean: np.ndarray, part: float) -> Climbed:
        """Sums over a part of the rows, and Newton's step."""
        statistic = SumsPass(self.columns, self.targets, mean, part)
        sums = Sums(*self.blocks.fold(statistic, self.tell("curvature")))
        factor = factor_at(sums.gram, self.precisions)
        gradient = sums.score - self.precisions.weight[:, None] * mean
        step = factor.solve(gradient)
        return Climbed(mean, sums, factor, step, float(np.vdot(gradient, step)))

    def climb(self, mean: np.ndarray, part: float, close: float) -> Climbed:
        """Newton steps on a part of the rows until the next is short; halved where they fall.

        Parameters
        ----------
        close : nats for each column that a step promises which is short
        """
        here = self.at(mean, part)
        for _ in range(self.rule.max_steps):
            if here.promise <= close * self.columns.n_columns:
                break
            there, length = self.at(here.mean + here.step, part), 1.0
            while self._falls(here, there) and length > 1e-6:
                length *= 0.5
                there = self.at(here.mean + length * here.step, part)
            if self._falls(here, there):
                break
            here = there
        return here

    def _falls(self, here: Climbed, there: Climbed) -> bool:
        weight = self.precisions.weight
        now, then = here.density(weight), there.density(weight)
        return not then >= now - 1e-12 * abs(now)

    def settle(self, near: Climbed) -> tuple[Climbed, np.ndarray, float]:
        """The mode from a point near it: where the curvature was found, weights, log density."""
        weight, enough = self.precisions.weight[:, None], self.rule.enough * len(near.mean)
        mean, step, promise = near.mean, near.step, near.promise
        value, best = float(near.sums.value[0]), near.density(self.precisions.weight)
        for _ in range(self.rule.max_steps):
            tried = mean + step
            tell = self.tell("gradient")
            slopes = slopes_at(self.blocks, self.columns, self.targets, tried, tell)
            density = float(slopes.value[0]) - 0.5 * float(np.vdot(weight * tried, tried))
            if not density >= best - 1e-12 * abs(best):
                if promise <= enough:
                    break
                step, promise = 0.5 * step, 0.25 * promise
                continue
            mean, value, best = tried, float(slopes.value[0]), density
            gradient = slopes.score - weight * mean
            step, before = near.factor.solve(gradient), promise
            promise = float(np.vdot(gradient, step))
            if promise <= enough:
                break
            if promise > self.rule.slow * before:
                near = self.at(mean, 1.0)
                step, promise = near.step, near.promise
        return near, mean, value
