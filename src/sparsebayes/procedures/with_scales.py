"""Scales first, then a fit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.parameters import split_settings
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.scales import LearnedScales, learn_scales


def scaled(
    problem: Problem, report: Report, weight: np.ndarray | None = None
) -> tuple[Problem, LearnedScales | None]:
    """The problem at scales learned from its targets, and what was learned.

    The problem itself, and nothing, where no scale is free.

    Parameters
    ----------
    weight : of the rows while scales are learned, where it is another than that of the fit (n,)
    """
    if not len(problem.columns.log_scales):
        return problem, None
    if not all(kind.formula.local for kind in problem.columns.kinds):
        _ = problem.rows  # evaluates the columns, and says so if they are not finite
    data = problem.data if weight is None else problem.data._replace(weight=weight)
    found = learn_scales(replace(problem, data=data), report)
    columns = problem.columns.rescaled(found.log_scales)
    report.note(f"learned {len(found.log_scales)} scales")
    return replace(problem, columns=columns), found


@dataclass(frozen=True)
class WithScales(Procedure):
    """Learn the scales that are free from a dense model, then fit by `inner` at these.

    Parameters
    ----------
    inner : the fit at given scales
    weight : of the rows while scales are learned; see `scaled`
    """

    inner: Procedure
    weight: np.ndarray | None = field(default=None, compare=False)

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`."""
        problem, found = scaled(problem, report, self.weight)
        if found is not None:
            joined = problem.layout.join(found.following, problem.n_columns)
            settings, parameters = split_settings(found.settings, problem.likelihood)
            known = Known(settings, joined, found.latents, parameters)
        return self.inner.fit(problem, report, known)
