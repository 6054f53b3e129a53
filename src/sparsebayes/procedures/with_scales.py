"""Scales first, then a fit; or one for each of several targets at scales that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure, split_settings
from sparsebayes.projection import following_columns
from sparsebayes.scales import choose, learn_scales


class Learned(NamedTuple):
    """What is known of targets when their scales have been learned.

    Attributes
    ----------
    settings : of the dense model of each target (k, n_settings)
    following : columns that follow the dense model of each target, to start a sparse fit with
    latents : mode of the latent values of each target at the rows, or nearly (k, n); or None
    doubt : a root of the covariance of settings and log scales, where it matters
    """

    settings: np.ndarray
    following: list[np.ndarray]
    latents: np.ndarray | None
    doubt: np.ndarray | None

    def doubt_of(self, settings: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Settings without parameters of a likelihood, which end them, and the root for these."""
        if self.doubt is None:
            return None
        parameters = np.arange(settings.shape[1], self.settings.shape[1])
        return settings[0], np.delete(self.doubt, parameters, axis=0)


def scaled(
    problem: Problem, report: Report, weight: np.ndarray | None = None
) -> tuple[Problem, Learned | None]:
    """The problem at scales learned from its targets, and what was learned.

    The problem itself, and nothing, where no scale is free.

    Parameters
    ----------
    weight : of the rows while scales are learned, where it is another than that of the fit (n,)
    """
    choices = [problem.columns, *problem.columns.rivals]
    if len(choices) == 1 and not len(problem.columns.log_scales):
        return problem, None
    if not all(kind.formula.definition.local for kind in problem.columns.kinds):
        _ = problem.rows  # evaluates the columns, and says so if they are not finite
    data = problem.data if weight is None else problem.data._replace(weight=weight)
    problems = [replace(problem, data=data, columns=each) for each in choices]
    if len(problems) > 1:
        best, found = choose(problems, report)
    else:
        best, found = 0, learn_scales(problems[0], report)
    log_scales, settings = found.log_scales, found.settings
    columns = choices[best].rescaled(log_scales)
    following = following_columns(found.model, columns, settings)
    latents = found.model.latents_at(problem.data.inputs, settings, log_scales)
    report.note(f"learned {len(log_scales)} scales")
    learned = Learned(settings, following, latents, found.doubt)
    return replace(problem, columns=columns), learned


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
            known = Known(settings, joined, found.latents, parameters, found.doubt_of(settings))
        return self.inner.fit(problem, report, known)


Map = Callable[[Callable, Iterable[tuple]], list]


def one_after_the_other(function: Callable, arguments: Iterable[tuple]) -> list:
    """The results of a function for each of several arguments."""
    return [function(*each) for each in arguments]


@dataclass(frozen=True)
class Each:
    """Learn the scales that are free from all targets, then fit each target by `inner`.

    Parameters
    ----------
    inner : the fit of one target
    map : calls a function for each target: one after the other, or in several processes
    weight : of the rows while scales are learned; see `scaled`
    """

    inner: Procedure
    map: Map = one_after_the_other
    weight: np.ndarray | None = field(default=None, compare=False)

    def fit(self, problem: Problem, report: Report) -> list[Fit]:
        """A fit for each column of the targets (n, k)."""
        problem, found = scaled(problem, report, self.weight)
        problems = [_with_target(problem, target) for target in problem.data.target.T]
        known = [NOTHING] * len(problems)
        if found is not None:
            latents = [None] * len(problems) if found.latents is None else found.latents[:, None]
            known = list(map(Known, found.settings[:, None], found.following, latents))
        tasks = [(self.inner, each, report, own) for each, own in zip(problems, known, strict=True)]
        return [fit for fits in self.map(_fit_one, tasks) for fit in fits]


def _with_target(problem: Problem, target: np.ndarray) -> Problem:
    """The problem of one target, laid out in memory as it is in another process."""
    data = problem.data._replace(target=np.ascontiguousarray(target))
    return problem.changed(data=data)


def _fit_one(inner: Procedure, problem: Problem, report: Report, known: Known) -> list[Fit]:
    return inner.fit(problem, report, known)
