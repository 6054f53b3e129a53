"""Scales first, then a fit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.parameters import split_settings
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.projection import following_columns
from sparsebayes.scales import learn_scales


class Learned(NamedTuple):
    """What is known of targets when their scales have been learned.

    Attributes
    ----------
    settings : of the dense model of each target (k, n_settings)
    following : columns that follow the dense model of each target, to start a sparse fit with
    latents : mode of the latent values of each target at the rows, or nearly (k, n); or None
    """

    settings: np.ndarray
    following: list[np.ndarray]
    latents: np.ndarray | None


def scaled(
    problem: Problem, report: Report, weight: np.ndarray | None = None
) -> tuple[Problem, Learned | None]:
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
    log_scales, settings, model = learn_scales(replace(problem, data=data), report)
    columns = problem.columns.rescaled(log_scales)
    following = following_columns(model, columns, settings)
    latents = model.latents_at(problem.data.inputs, settings, log_scales)
    report.note(f"learned {len(log_scales)} scales")
    return replace(problem, columns=columns), Learned(settings, following, latents)


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
        """Fits by `inner`, at the scales that were learned."""
        problem, found = scaled(problem, report, self.weight)
        if found is not None:
            joined = problem.layout.join(found.following, problem.n_columns)
            settings, parameters = split_settings(found.settings, problem.likelihood)
            known = Known(settings, joined, found.latents, parameters)
        return self.inner.fit(problem, report, known)
