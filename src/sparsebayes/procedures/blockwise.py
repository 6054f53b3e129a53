"""Many rows, passed over a few times: a dense model from sums, and few columns that follow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.columns import spread
from sparsebayes.dense import Chosen, Condensed, DenseFit, Sums, unexplained
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import (
    NOTHING,
    Known,
    Procedure,
    at_dense_parameters,
    one_by_one,
    settings_of,
)
from sparsebayes.procedures.projected import Choosing, carried, noted
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
    choose : `Searched`, `followed` or `pursued`: the columns that follow dense models of values
    choose_for_classes : the columns that follow the dense model of a softmax
    fidelity : how closely columns follow the dense model
    """

    blocks: Blocks
    choose: Choosing
    choose_for_classes: Choosing
    fidelity: float

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """Fits of all outputs, or the one of all classes."""
        if problem.layout.single and not problem.likelihood.constant_curvature:
            return self._one_mode(problem, report, known)
        if not problem.layout.single and not problem.noise.profiled:
            together = replace(problem, likelihood=problem.likelihood.together())
            return self._classes(together, report, known)
        start = self.start(problem, known, self.blocks.n_rows)
        sums = self.sums(start, problem, report)
        return self.of_sums(problem, start, sums, report, self.blocks)

    def start(self, problem: Problem, known: Known, n_rows: int) -> Start:
        """Settings and columns of the dense models of all outputs.

        Parameters
        ----------
        n_rows : how many rows the columns are to be enough for
        """
        problems = one_by_one(problem)
        settings = settings_of(problems, known)
        return Start(settings, longest(problems, settings, n_rows))

    def sums(self, start: Start, problem: Problem, report: Report) -> Sums:
        """Sums over all rows, at weights of zero."""
        likelihood, tell = one_by_one(problem)[0].likelihood, report.passing("sums")
        return start.chosen.sums(self.blocks, likelihood, len(start.settings), tell)

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
        settings, chosen = start
        few = [few_rows(each, chosen) for each in one_by_one(problem)]
        tell = report.passing("residuals")
        condensed = chosen.outputs(sums, settings, few[0], blocks, tell)
        fits = self._followed(few, condensed, report)
        noises = np.exp(-settings[:, -1]) if problem.noise.inferred else np.zeros(len(settings))
        return [_calibrated(*each) for each in zip(fits, condensed.denses, noises, strict=True)]

    def _one_mode(self, problem: Problem, report: Report, known: Known) -> list[Fit]:
        """Two classes, or counts: by the mode of their latent value."""
        problem, known = at_dense_parameters(problem, known)
        (settings,) = settings_of([problem], known)
        chosen = Chosen.of(problem, settings, self.blocks.n_rows)
        few = few_rows(problem, chosen)
        condensed = chosen.mode(settings, few, self.blocks, report.passing)
        return self._followed([few], condensed, report)

    def _followed(
        self, problems: Sequence[Problem], condensed: Condensed, report: Report
    ) -> list[Fit]:
        """Few columns that follow dense models of the same columns, each carried over."""
        denses = [noted(dense, report) for dense in condensed.denses]
        found = self.choose(condensed.problem(problems[0]), denses, self.fidelity, report)
        return carried(problems, denses, found, self.fidelity)

    def _classes(self, problem: Problem, report: Report, known: Known) -> list[Fit]:
        """Three classes and more: regression on the labels of all rows, the rest on the sample."""
        (settings,) = settings_of([problem], known)
        chosen = Chosen.of(problem, settings, self.blocks.n_rows)
        tell = report.passing("sums")
        problem, dense = chosen.classes(self.blocks, problem, settings, tell)
        denses = [noted(dense, report)]
        found = self.choose_for_classes(problem, denses, self.fidelity, report)
        return carried([problem], denses, found, self.fidelity)


def few_rows(problem: Problem, chosen: Chosen) -> Problem:
    """The problem that a fit is remembered with: the columns that were chosen, and few rows."""
    few = problem.data.take(spread(np.arange(len(problem.data.target)), REMEMBERED_ROWS))
    return replace(problem, data=few, columns=chosen.candidates)


def longest(problems: Sequence[Problem], settings: np.ndarray, n_rows: int) -> Chosen:
    """The columns of the dense model that has most of them; pivots are the same for all."""
    each = [Chosen.of(one, own, n_rows) for one, own in zip(problems, settings, strict=True)]
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
        """Fits of all outputs; the problem has some of the rows."""
        return self.blockwise.of_sums(problem, self.start, self.sums, report, None)
