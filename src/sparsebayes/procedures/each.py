"""Several targets, each fitted for itself at scales that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.procedures.with_scales import scaled

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
