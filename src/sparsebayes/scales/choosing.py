"""Which of several kernels the evidence prefers, the scales of each learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sparsebayes.inference.state import Report
from sparsebayes.problem import Problem
from sparsebayes.scales.learning import Climbs, LearnedScales, ScaleSearch


@dataclass(frozen=True)
class Comparison:
    """How kernels are compared.

    Attributes
    ----------
    search : how the scales of each are learned. Scales of several kernels are learned, and a few
        hundred rows tell kernels apart
    behind : a kernel is given up that is this far behind after the first stage, in log evidence,
        times how many more rows there are to come, relative to those of that stage
    least_behind : and at least this far
    """

    search: ScaleSearch = field(default_factory=lambda: ScaleSearch(rows=(128, 256, 512)))
    behind: float = 4.0
    least_behind: float = 2.0


COMPARISON = Comparison()


class Chosen(NamedTuple):
    """The number of the problem whose kernel is preferred, and its scales."""

    number: int
    scales: LearnedScales


def choose(problems: Sequence[Problem], report: Report, how: Comparison = COMPARISON) -> Chosen:
    """The most likely of problems that differ in their columns, with its scales.

    Where learning is stopped, it is the first.
    """
    climbs: list[Climbs] = []
    for problem in problems:
        climbs.append(Climbs(problem, report, how.search))
        climbs[-1].climb(1)
        if climbs[-1].stopped:
            return Chosen(0, climbs[0].learned())
    worth = [each.rough_worth() for each in climbs]
    least = max(worth) - max(how.behind * climbs[0].to_come, how.least_behind)
    found = {}
    for k, each in enumerate(climbs):
        if worth[k] >= least:
            each.climb()
            found[k] = each.learned()
    best = max(found, key=lambda k: found[k].worth) if len(found) > 1 else next(iter(found))
    return Chosen(best, found[best])
