"""The dense model of many rows, from sums over them.

All that the rows say of weights w is in their sums: with V the columns and W the precision of the
rows, sum_n W_n (f_n - v_n'w)^2 depends on V'WV and V'Wf alone. So any S with S'S = V'WV says the
same as V does. Its rows, as many as there are columns, *stand for* all rows: what follows a dense
model, and what its weights mean for other columns, is found from these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes._linear_algebra import factorise
from sparsebayes.climber import Ascent, climb
from sparsebayes.columns import (
    AnyColumns,
    JoinedColumns,
    colouring,
    unwhitened,
    whitened_score,
)
from sparsebayes.dense.blocks.sums import BlockTargets, SlopesPass, Sums
from sparsebayes.dense.fit import DenseFit
from sparsebayes.dense.model import LEAST_NOISES, precisions_of
from sparsebayes.dense.parts import groups
from sparsebayes.dense.settings import is_least
from sparsebayes.evidence import log_evidence, noise_gradient, weight_gradient
from sparsebayes.inference.loop import interpolates
from sparsebayes.posterior import Posterior, change_of, precision_matrix
from sparsebayes.problem import Problem
from sparsebayes.rows import Blocks, Data, InMemoryRows
from sparsebayes.statistics import Expansion


def slopes_at(
    blocks: Blocks, columns: JoinedColumns, targets: BlockTargets, mean: np.ndarray, tell: Any
) -> Expansion:
    """Log density and its gradient at some weights, by a pass over the rows."""
    weights = unwhitened(columns, mean)
    value, score = blocks.fold(SlopesPass(columns, targets, weights), tell)
    return Expansion(value, whitened_score(columns, score))


@dataclass(frozen=True)
class StandingRows:
    """Rows that stand for all, one for each column.

    Attributes
    ----------
    design : S, the whitened columns at these rows (m, m)
    weight : of each of them; together they weigh as much as all rows do
    """

    design: np.ndarray
    weight: float

    @classmethod
    def of(cls, gram: np.ndarray, total: float) -> StandingRows:
        """The rows that have this V'WV and this sum of W."""
        weight = total / max(1, len(gram))
        gram = gram + np.diag(np.where(np.diag(gram) > 0.0, 0.0, 1.0))  # columns of zeros
        factor = factorise(gram / weight)
        return cls((factor.lower / factor.scale[:, None]).T, weight)

    def problem(self, near: Problem, columns: AnyColumns, change: Any = None) -> Problem:
        """A problem with these rows.

        Parameters
        ----------
        near : a problem with some of the rows, which tell how many inputs there are
        change : makes the columns at these rows from the whitened ones (m, m); None for the latter
        """
        size = len(self.design)
        design = self.design if change is None else self.design @ change
        data = Data(near.data.inputs, np.zeros(size), np.full(size, self.weight))
        problem = Problem(data, columns, near.likelihood)
        rows = InMemoryRows(np.asfortranarray(design), data.target, data.weight)
        vars(problem)["rows"] = rows
        return problem


@dataclass(frozen=True)
class Condensed:
    """Dense models of many rows, one for each output, by the rows that stand for all.

    Attributes
    ----------
    denses : of each output
    standing : the rows
    columns : of all dense models, whitened
    """

    denses: list[DenseFit]
    standing: StandingRows
    columns: JoinedColumns

    def problem(self, near: Problem) -> Problem:
        """A problem of the rows that stand for all, with the columns as they are.

        Parameters
        ----------
        near : a problem with some of the rows and with these columns
        """
        return self.standing.problem(near, near.columns, colouring(self.columns))


def gaussian_posterior(
    problem: Problem, sums: Sums, settings: np.ndarray, outputs: slice = slice(None)
) -> Posterior:
    """The posterior of outputs with the same settings, from sums at weights of zero.

    Parameters
    ----------
    problem : its columns are those of the sums; its rows may be any
    outputs : which of those that were summed
    """
    precisions = precisions_of(settings, groups_of(problem.columns), problem.noise)
    factor = factorise(precision_matrix(sums.gram, precisions))
    nothing = Expansion(float(np.sum(sums.value[outputs])), sums.score[:, outputs])
    mean = factor.solve(precisions.noise * nothing.score)
    value = nothing.value + change_of(nothing, sums.gram, mean)
    every = np.arange(len(mean))
    return Posterior(problem, every, precisions, mean, sums.gram, value, factor)


def groups_of(columns: Any) -> np.ndarray:
    """The group of each of whitened, joined columns (m,)."""
    return groups(tuple(part.kind for part in columns.parts))


def corrected(posterior: Posterior, here: Expansion) -> Posterior:
    """The posterior with its residuals as the rows have them, at its mean.

    What is subtracted from t't in a sum over rows has lost its digits where there is hardly any
    noise. A sum of squared residuals has not.
    """
    step = posterior.factor.solve(posterior.noise_precision * here.score - posterior.pull)
    value = here.value + change_of(here, posterior.gram, step)
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
        limits[-1, 1] = min(limits[-1, 1], -np.log(LEAST_NOISES[-1] * target_variance))
    best = climb(function, settings, limits, ascent).point
    return posterior.at(precisions_of(best, group, noise))


def dense_fit(
    columns: JoinedColumns, posterior: Posterior, standing: StandingRows, sums: Sums, vanished: bool
) -> DenseFit:
    """The record of a dense model, by the rows that stand for all."""
    size = len(standing.design)
    noise = posterior.noise_precision
    return DenseFit(
        columns=columns,
        prior_variance=1.0 / posterior.weight_precision,
        posterior=posterior,
        latents=standing.design @ posterior.mean,
        row_precision=np.full(size, noise * standing.weight),
        energy=sums.energy / sums.weight,
        process_variance=sums.variance / sums.weight,
        log_evidence=log_evidence(posterior),
        noise_variance=posterior.problem.likelihood.noise_scale**2 / noise,
        noise_vanished=vanished or interpolates(posterior),
    )


def dense_outputs(
    columns: JoinedColumns,
    sums: Sums,
    settings: np.ndarray,
    near: Problem,
    blocks: Blocks | None,
    tell: Any,
) -> Condensed:
    """The dense model of each output, from sums over all rows at weights of zero.

    Parameters
    ----------
    settings : of each output, to start from (k, n_settings)
    near : a problem of one output with some of the rows
    blocks : for the pass that finds residuals; None to find them from the sums
    """
    standing = StandingRows.of(sums.gram, sums.weight)
    problem = standing.problem(near, columns)
    group = groups_of(columns)
    first = [
        gaussian_posterior(problem, sums, own, slice(k, k + 1)) for k, own in enumerate(settings)
    ]
    if blocks is not None:
        mean = np.hstack([each.mean for each in first])
        value, score = slopes_at(blocks, columns, BlockTargets(near.likelihood), mean, tell)
        first = [
            corrected(each, Expansion(float(value[k]), score[:, [k]]))
            for k, each in enumerate(first)
        ]
    denses = []
    for k, (each, own) in enumerate(zip(first, settings, strict=True)):
        variance = max(-2.0 * float(sums.value[k]) / sums.weight, np.finfo(float).tiny)
        best = with_best_settings(each, own, group, variance)
        log_noise = -np.log(best.noise_precision) - np.log(variance)
        vanished = problem.noise.estimated and is_least(log_noise)
        denses.append(dense_fit(columns, best, standing, sums, vanished))
    return Condensed(denses, standing, columns)
