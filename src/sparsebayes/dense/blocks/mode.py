"""The dense model of many rows whose likelihood has a curvature that varies, such as two classes.

Newton's method over blocks of rows. Few columns and few rows lead most of the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes._linear_algebra import Factor, factorise
from sparsebayes.columns import JoinedColumns, first_of_each
from sparsebayes.dense.blocks.condensed import (
    Condensed,
    StandingRows,
    dense_fit,
    groups_of,
    slopes_at,
)
from sparsebayes.dense.blocks.sums import BlockTargets, Sums, SumsPass
from sparsebayes.dense.model import precisions_of
from sparsebayes.posterior import Posterior, precision_matrix
from sparsebayes.problem import Precisions, Problem
from sparsebayes.rows import Blocks


@dataclass(frozen=True)
class ModeRule:
    """How the mode of a likelihood with varying curvature is found in many rows.

    Attributes
    ----------
    first_columns : of each kernel, that lead most of the way
    parts : of the rows that serve first, one after the other
    near : nats for each column; few columns or few rows lead until a step promises less
    fewest : rows for each column that a part of them has to have
    close : nats for each column; a climb by all rows ends where a step promises less, as the
        curvature is then known well enough
    enough : nats for each column; a step that promises less is the last
    max_steps : with the curvature found anew, and with one that is held
    shortest : a step that is shortened below this part is given up
    unseen : a fall by this part of the log density is put down to rounding
    slow : a step that promises more than this part of the one before asks for a new curvature
    """

    first_columns: int = 400
    parts: tuple[float, ...] = (1 / 64, 1 / 8)
    near: float = 1.0
    fewest: float = 8.0
    close: float = 8.0
    enough: float = 1e-4
    max_steps: int = 60
    shortest: float = 1e-6
    unseen: float = 1e-12
    slow: float = 0.7


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
    columns: JoinedColumns,
    settings: np.ndarray,
    near: Problem,
    blocks: Blocks,
    tell: Callable[[str], Any],
    rule: ModeRule = MODE_RULE,
) -> Condensed:
    """The dense model of a likelihood whose curvature varies: Laplace's, by Newton's method.

    Few rows lead most of the way. The curvature of all rows is then found once, near the mode, and
    held for the last steps, which need the gradient only.

    Parameters
    ----------
    near : a problem with some of the rows
    tell : name of a pass -> who hears of its rows
    """
    precisions = precisions_of(settings, groups_of(columns), near.noise)
    targets = BlockTargets(near.likelihood)
    few = first_of_each(columns, rule.first_columns)
    search = _ModeSearch(blocks, columns, targets, precisions, tell, rule)
    mean = np.zeros((columns.n_columns, 1))
    if len(few) < columns.n_columns:
        first = JoinedColumns(tuple(part.first(rule.first_columns) for part in columns.parts))
        lead = _ModeSearch(blocks, first, targets, precisions.of(few), tell, rule)
        mean[few] = lead.approached(mean[few], lead.parts[:1], rule.near)
    mean = search.approached(mean, search.parts[:-1], rule.near)
    there, mean, value = search.settle(search.climb(mean, 1.0, rule.close))
    standing = StandingRows.of(there.sums.gram, there.sums.precision)
    problem = standing.problem(near, columns)
    every = np.arange(columns.n_columns)
    posterior = Posterior(problem, every, precisions, mean, there.sums.gram, value, there.factor)
    dense = dense_fit(columns, posterior, standing, there.sums, False)
    return Condensed([dense], standing, columns)


class _ModeSearch:
    """Newton's method over blocks of rows."""

    def __init__(
        self,
        blocks: Blocks,
        columns: JoinedColumns,
        targets: BlockTargets,
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
        factor = factorise(precision_matrix(sums.gram, self.precisions))
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
            while self._falls(here, there) and length > self.rule.shortest:
                length *= 0.5
                there = self.at(here.mean + length * here.step, part)
            if self._falls(here, there):
                break
            here = there
        return here

    def _falls(self, here: Climbed, there: Climbed) -> bool:
        weight = self.precisions.weight
        return self._is_less(there.density(weight), here.density(weight))

    def _is_less(self, then: float, now: float) -> bool:
        """Whether a log density is no number, or less than another by more than rounding."""
        return not then >= now - self.rule.unseen * abs(now)

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
            if self._is_less(density, best):
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
