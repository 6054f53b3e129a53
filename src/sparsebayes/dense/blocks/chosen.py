"""The columns of a dense model of many rows: those that add something, whitened and as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.columns import NO_ROW, AnyColumns, Columns, JoinedColumns
from sparsebayes.dense.blocks.condensed import Condensed, dense_outputs, gaussian_posterior
from sparsebayes.dense.blocks.mode import dense_mode
from sparsebayes.dense.blocks.sums import BlockTargets, Sums, SumsPass
from sparsebayes.dense.fit import DenseFit, chosen_columns
from sparsebayes.dense.labels.classes import fit_dense_classes
from sparsebayes.dense.rows import Budget
from sparsebayes.likelihoods import Gaussian, Likelihood
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem
from sparsebayes.rows import Blocks

# What centres may leave of the variance of the process anywhere, in parts of the noise and times
# the number of rows: with more rows less of it can be told from noise. And its least and most.
UNSEEN_TIMES_ROWS, LEAST_UNSEEN, MOST_UNSEEN = 10.0, 1e-6, 1e-3


def budget_of(n_rows: float) -> Budget:
    """How large the dense model of so many rows may be: it may have all centres that there are."""
    unseen = float(np.clip(UNSEEN_TIMES_ROWS / n_rows, LEAST_UNSEEN, MOST_UNSEEN))
    return Budget(most_centres=10**6, work=np.inf, unseen=unseen)


class Chosen(NamedTuple):
    """The columns of a dense model of many rows, and what sums over the rows make of them.

    Attributes
    ----------
    white : whitened
    candidates : the same columns as they are, in the order of `white`
    """

    white: JoinedColumns
    candidates: AnyColumns

    @classmethod
    def of(cls, problem: Problem, settings: np.ndarray, n_rows: float) -> Chosen:
        """The columns that the dense model of so many rows has, if they add something.

        Parameters
        ----------
        problem : with a sample of the rows
        settings : of the dense model (n_settings,)
        """
        kinds = problem.columns.kinds
        numbered = JoinedColumns(tuple(_numbered(kind) for kind in kinds))
        parts = chosen_columns(replace(problem, columns=numbered), settings, budget_of(n_rows))
        positions = [
            np.arange(part.n_columns) if _is_plain(part.kind) else part.kind.centre_rows
            for part in parts
        ]
        white = tuple(
            replace(part, kind=replace(part.kind, centre_rows=kind.centre_rows[own]))
            for part, kind, own in zip(parts, kinds, positions, strict=True)
        )
        places = [start + own for start, own in zip(numbered.starts, positions, strict=True)]
        return cls(JoinedColumns(white), problem.columns.keep(np.concatenate(places)))

    def sums(
        self, blocks: Blocks, likelihood: Likelihood, n_outputs: int, tell: Any, n_classes: int = 0
    ) -> Sums:
        """Sums over all rows, at weights of zero.

        Parameters
        ----------
        likelihood : of one output
        n_classes : where the targets are classes and the outputs their contrasts
        """
        nothing = np.zeros((self.white.n_columns, n_outputs))
        statistic = SumsPass(self.white, BlockTargets(likelihood, n_classes), nothing)
        return Sums(*blocks.fold(statistic, tell))

    def outputs(self, sums: Sums, settings: np.ndarray, *known: Any) -> Condensed:
        """The dense model of each output, from sums over all rows; see `dense_outputs`."""
        return dense_outputs(self.white, sums, settings, *known)

    def mode(self, settings: np.ndarray, *known: Any) -> Condensed:
        """The dense model of two classes, or of counts; see `dense_mode`."""
        return dense_mode(self.white, settings, *known)

    def classes(
        self, blocks: Blocks, problem: Problem, settings: np.ndarray, tell: Any
    ) -> tuple[Problem, DenseFit]:
        """The dense model of several classes, and the problem with rows that stand for all.

        Labels are regressed on by sums over all rows; all else is found from the rows at hand.
        """
        n_contrasts = problem.layout.n_outputs
        sums = self.sums(blocks, Gaussian(), n_contrasts, tell, n_contrasts + 1)
        share = sums.weight / problem.total_weight
        data = problem.data._replace(weight=share * problem.data.weight)
        problem = replace(problem, data=data, columns=self.candidates)

        def find(regression: Problem, settings: np.ndarray, **_: Any) -> Posterior:
            return gaussian_posterior(replace(regression, columns=self.white), sums, settings)

        return problem, fit_dense_classes(problem, settings, find=find)


def _is_plain(kind: Columns) -> bool:
    """Whether columns have no centre."""
    return not kind.n_columns or bool(kind.centre_rows[0] == NO_ROW)


def _numbered(kind: Columns) -> Columns:
    """The columns of a kernel, numbered one by one in place of their rows."""
    return kind if _is_plain(kind) else replace(kind, centre_rows=np.arange(kind.n_columns))
