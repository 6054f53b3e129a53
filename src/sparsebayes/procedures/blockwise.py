"""Many rows, passed over a few times: a dense model from sums, and few columns that follow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.columns import spread
from sparsebayes.dense import (
    Chosen,
    DenseFit,
    Standing,
    Sums,
    SumsPass,
    Targets,
    choose_columns,
    colouring,
    dense_mode,
    dense_outputs,
    find_settings,
    fit_dense_classes,
    gaussian_posterior,
    unexplained,
)
from sparsebayes.dense.classes import find_label_settings
from sparsebayes.inference.state import Fit, Report
from sparsebayes.likelihoods import Gaussian, Likelihood
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem
from sparsebayes.procedures.parameters import at_dense_parameters
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.procedures.projected import noted
from sparsebayes.projection import (
    carry_over,
    common_goal,
    follow,
    goal_problem,
    part_of_common,
    pursue,
)
from sparsebayes.rows import Blocks

# Noise is at least this part of the mean square of the residuals, whatever the centres leave out.
LEAST_OF_RESIDUALS = 0.1
# Rows that a fit is looked at with, whether its prediction has lost its digits.
REMEMBERED_ROWS = 1000


class Start(NamedTuple):
    """Where the dense models of outputs start.

    Attributes
    ----------
    settings : of each output (k, n_settings)
    chosen : the columns of all of them
    """

    settings: np.ndarray
    chosen: Chosen


@dataclass(frozen=True)
class Blockwise(Procedure):
    """Fit a dense model to sums over all rows, and few columns to what it says.

    The problem that is fitted has a sample of the rows. Scales were learned from it, and its
    columns are the candidates.

    Parameters
    ----------
    blocks : all rows
    inner : the fit to the mean of the dense model, where columns have a price
    fidelity : how closely columns follow the dense model
    charges : whether columns have a price
    """

    blocks: Blocks
    inner: Procedure
    fidelity: float
    charges: bool = False

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`."""
        if problem.layout.single:
            if problem.likelihood.constant_curvature:
                return self._outputs(problem, report, known)
            return [self._one_mode(problem, report, known)]
        if problem.noise.profiled:
            return self._outputs(problem, report, known)
        together = replace(problem, likelihood=problem.likelihood.together())
        return [self._classes(together, report, known)]

    def _outputs(self, problem: Problem, report: Report, known: Known) -> list[Fit]:
        """One output, or several that share their columns."""
        start = self.start(problem, known, self.blocks.n_rows)
        sums = self.sums(start, problem, report)
        return self.of_sums(problem, start, sums, report, self.blocks)

    def start(self, problem: Problem, known: Known, n_rows: int) -> Start:
        """Settings and columns of the dense models of all outputs.

        Parameters
        ----------
        n_rows : how many rows the columns are to be enough for
        """
        targets, likelihood = problem.likelihood.one_by_one(problem.data.target)
        problems = [
            replace(problem, data=problem.data._replace(target=each), likelihood=likelihood)
            for each in targets
        ]
        settings = known.settings
        if settings is None:
            settings = np.array([find_settings(each).settings for each in problems])
        return Start(settings, longest(problems, settings, n_rows))

    def sums(self, start: Start, problem: Problem, report: Report) -> Sums:
        """Sums over all rows, at weights of zero."""
        _, likelihood = problem.likelihood.one_by_one(problem.data.target)
        columns = start.chosen.white
        nothing = np.zeros((columns.n_columns, len(start.settings)))
        statistic = SumsPass(columns, Targets(likelihood), nothing)
        return Sums(*self.blocks.fold(statistic, report.passing("sums")))

    def of_sums(
        self,
        problem: Problem,
        start: Start,
        sums: Sums,
        report: Report,
        blocks: Blocks | None,
    ) -> list[Fit]:
        """Fits of all outputs from sums over all rows.

        Parameters
        ----------
        blocks : for the pass that finds residuals; None to find them from the sums
        """
        targets, likelihood = problem.likelihood.one_by_one(problem.data.target)
        settings, chosen = start
        inputs, tell = problem.data.inputs, report.passing("residuals")
        denses, standing = dense_outputs(
            blocks, chosen.white, sums, settings, likelihood, inputs, tell
        )
        for dense in denses:
            noted(dense, report)
        own = [few_rows(problem, chosen, target=each, likelihood=likelihood) for each in targets]
        fits = self._followed(own, denses, standing, chosen, report)
        noises = np.exp(-settings[:, -1]) if problem.noise.inferred else np.zeros(len(settings))
        return [_calibrated(*each) for each in zip(fits, denses, noises, strict=True)]

    def _one_mode(self, problem: Problem, report: Report, known: Known) -> Fit:
        """Two classes, or counts: by the mode of their latent value."""
        problem, known = at_dense_parameters(problem, known)
        settings = find_settings(problem).settings if known.settings is None else known.settings[0]
        chosen = choose_columns(problem, settings, self.blocks.n_rows)
        dense, standing = dense_mode(
            self.blocks,
            chosen.white,
            settings,
            problem.likelihood,
            problem.data.inputs,
            report.passing,
        )
        noted(dense, report)
        own = few_rows(problem, chosen, problem.data.target, problem.likelihood)
        return self._followed([own], [dense], standing, chosen, report)[0]

    def _followed(
        self,
        problems: Sequence[Problem],
        denses: Sequence[DenseFit],
        standing: Standing,
        chosen: Chosen,
        report: Report,
    ) -> list[Fit]:
        """Few columns that follow dense models of the same columns, each carried over."""
        change, inputs = colouring(chosen.white), problems[0].data.inputs
        own = [
            standing.problem(inputs, chosen.candidates, each.likelihood, change)
            for each in problems
        ]
        goals = [
            goal_problem(each, dense, self.fidelity)
            for each, dense in zip(own, denses, strict=True)
        ]
        if self.charges:
            found = [(fit, True) for fit in self._priced(own[0], denses, goals, report)]
        else:
            found = [(each.fit, each.near) for each in follow(goals, denses, self.fidelity)]
            report.note(f"{len(found[0][0].active)} columns follow the dense model")
        return [
            carry_over(problem, dense, fit, self.fidelity, guarded=not near)
            for problem, dense, (fit, near) in zip(problems, denses, found, strict=True)
        ]

    def _priced(
        self,
        problem: Problem,
        denses: Sequence[DenseFit],
        goals: Sequence[Problem],
        report: Report,
    ) -> list[Fit]:
        """The search for columns that have a price."""
        if len(goals) == 1:
            return self.inner.fit(goals[0], report)
        (shared,) = self.inner.fit(common_goal(problem, denses, self.fidelity), report)
        return [part_of_common(shared, goal, k) for k, goal in enumerate(goals)]

    def _classes(self, problem: Problem, report: Report, known: Known) -> Fit:
        """Three classes and more: regression on the labels of all rows, the rest on the sample."""
        settings = find_label_settings(problem) if known.settings is None else known.settings[0]
        chosen = choose_columns(problem, settings, self.blocks.n_rows)
        n_contrasts = problem.layout.n_outputs
        targets = Targets(Gaussian(), n_contrasts + 1)
        nothing = np.zeros((chosen.white.n_columns, n_contrasts))
        statistic = SumsPass(chosen.white, targets, nothing)
        sums = Sums(*self.blocks.fold(statistic, report.passing("sums")))
        share = sums.weight / problem.total_weight
        data = problem.data._replace(weight=share * problem.data.weight)
        problem = replace(problem, data=data, columns=chosen.candidates)

        def find(regression: Problem, settings: np.ndarray, **_: Any) -> Posterior:
            return gaussian_posterior(replace(regression, columns=chosen.white), sums, settings)

        dense = noted(fit_dense_classes(problem, settings, find=find), report)
        if self.charges:
            (fit,) = self.inner.fit(goal_problem(problem, dense, self.fidelity), report)
            return carry_over(problem, dense, fit, self.fidelity, guarded=False)
        fit, near = pursue(problem, dense, self.fidelity)
        report.iteration(fit.history[-1])
        return carry_over(problem, dense, fit, self.fidelity, guarded=not near)


def few_rows(
    problem: Problem, chosen: Chosen, target: np.ndarray, likelihood: Likelihood
) -> Problem:
    """The problem that a fit is remembered with: the columns that were chosen, and few rows."""
    data = problem.data._replace(target=target)
    few = data.take(spread(np.arange(len(target)), REMEMBERED_ROWS))
    return replace(problem, data=few, columns=chosen.candidates, likelihood=likelihood)


def longest(problems: Sequence[Problem], settings: np.ndarray, n_rows: int) -> Chosen:
    """The columns of the dense model that has most of them; pivots are the same for all."""
    each = [choose_columns(one, own, n_rows) for one, own in zip(problems, settings, strict=True)]
    return max(each, key=lambda chosen: chosen.white.n_columns)


def _calibrated(fit: Fit, dense: DenseFit, sampled: float) -> Fit:
    """The fit with the noise that is left of the residuals when what centres miss is taken out.

    Residuals hold what the columns of the dense model leave of the process, which the covering rows
    add to error bars. So they would count it twice.

    Parameters
    ----------
    sampled : variance of the noise that the process had by the sample, where it needs no centres;
        the noise is no less, unless all residuals are
    """
    if fit.covering is None or not fit.problem.noise.estimated:
        return fit
    residuals = 1.0 / fit.precisions.noise
    left = unexplained(dense, [part.n_columns for part in dense.columns.parts])
    noise = max(residuals - left, LEAST_OF_RESIDUALS * residuals, min(sampled, residuals))
    return replace(fit, precisions=fit.precisions._replace(noise=1.0 / noise))


@dataclass(frozen=True)
class FromSums(Procedure):
    """Fit a dense model to sums over rows that need not be there any more.

    Parameters
    ----------
    blockwise : how columns follow it
    start : settings and columns of the dense models
    sums : over all rows, at weights of zero
    """

    blockwise: Blockwise
    start: Start
    sums: Sums

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`; the problem has some of the rows."""
        return self.blockwise.of_sums(problem, self.start, self.sums, report, None)
