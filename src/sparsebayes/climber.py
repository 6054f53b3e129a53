"""A climb by limited-memory BFGS within limits, which survives points that cannot be evaluated.

SciPy's L-BFGS-B climbs as well, but it forgets. A climb here can go on with what an earlier one
has learned of the curvature on fewer rows, and it stops by what the next step promises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

Function = Callable[[np.ndarray], tuple[float, np.ndarray]]


@dataclass(frozen=True)
class Ascent:
    """How far a climb goes.

    Attributes
    ----------
    least_rise : it ends when the next step promises less than this
    max_steps : the most steps
    memory : pairs of steps and changes of the gradient that are kept
    longest : no coordinate changes by more in one step
    enough : of what the slope promises, a step must gain this part
    shortest : a step that is shortened below this part is given up
    """

    least_rise: float = 1e-2
    max_steps: int = 100
    memory: int = 30
    longest: float = 2.0
    enough: float = 1e-4
    shortest: float = 1e-6


class Pair(NamedTuple):
    """A step, and the fall of the gradient over it: the curvature in that direction."""

    step: np.ndarray
    fall: np.ndarray


NO_PAIRS: tuple[Pair, ...] = ()


class Summit(NamedTuple):
    """Where a climb ended.

    Attributes
    ----------
    point, value : of the end
    pairs : what was learned of the curvature, oldest first
    """

    point: np.ndarray
    value: float
    pairs: tuple[Pair, ...]


def of_more_rows(pairs: tuple[Pair, ...], ratio: float) -> tuple[Pair, ...]:
    """The pairs for a sum over `ratio` times as many rows, as far as these are alike."""
    return tuple(Pair(step, ratio * fall) for step, fall in pairs)


class _Here(NamedTuple):
    point: np.ndarray
    value: float
    gradient: np.ndarray


def climb(
    function: Function,
    start: np.ndarray,
    limits: np.ndarray,
    ascent: Ascent,
    pairs: tuple[Pair, ...] = NO_PAIRS,
) -> Summit:
    """Climb from a start; the end is the start where that cannot be evaluated.

    Parameters
    ----------
    function : point -> value and gradient; FloatingPointError where there is none
    limits : least and largest value of each coordinate (k, 2)
    pairs : what is known of the curvature
    """
    point = np.clip(start, *limits.T)
    here = _evaluate(function, point)
    if here is None:
        return Summit(point, -np.inf, pairs)
    for _ in range(ascent.max_steps):
        direction = uphill(here.gradient, free(here, limits), pairs)
        if pairs and 0.5 * float(direction @ here.gradient) < ascent.least_rise:
            break
        there = _line_search(function, here, direction, limits, ascent)
        if there is None:
            break
        new = Pair(there.point - here.point, here.gradient - there.gradient)
        pairs = (*pairs, new)[-ascent.memory :]
        here = there
    return Summit(here.point, here.value, pairs)


def free(here: _Here, limits: np.ndarray) -> np.ndarray:
    """Which coordinates are not at a limit and pressing against it (k,)."""
    low, high = limits.T
    below, above = here.gradient < 0.0, here.gradient > 0.0
    return ~(((here.point <= low) & below) | ((here.point >= high) & above))


def uphill(gradient: np.ndarray, free: np.ndarray, pairs: tuple[Pair, ...]) -> np.ndarray:
    """The quasi-Newton step of the free coordinates, by the two loops of Nocedal.

    Pairs along which the function was not curved downwards do not count. Without any, the gradient
    is scaled to a largest entry of one.
    """
    direction = np.where(free, gradient, 0.0)
    masked = [(step * free, fall * free) for step, fall in pairs]
    used = [(step, fall, inner) for step, fall in masked if (inner := float(step @ fall)) > 0.0]
    if not used:
        return direction / max(float(np.abs(direction).max(initial=0.0)), np.finfo(float).tiny)
    shares = []
    for step, fall, inner in reversed(used):
        shares.append(float(step @ direction) / inner)
        direction = direction - shares[-1] * fall
    _, fall, inner = used[-1]
    direction *= inner / float(fall @ fall)
    for (step, fall, inner), share in zip(used, reversed(shares), strict=True):
        direction += (share - float(fall @ direction) / inner) * step
    return direction


def _line_search(
    function: Function, here: _Here, direction: np.ndarray, limits: np.ndarray, ascent: Ascent
) -> _Here | None:
    """The first of shorter and shorter steps that gains enough, or None."""
    longest = float(np.abs(direction).max(initial=0.0))
    length = min(1.0, ascent.longest / longest) if longest else 0.0
    shortest = ascent.shortest * length
    while length > shortest:
        point = np.clip(here.point + length * direction, *limits.T)
        there = _evaluate(function, point)
        promised = float(here.gradient @ (point - here.point))
        gained = -np.inf if there is None else there.value - here.value
        if there is not None and gained >= ascent.enough * promised:
            return there
        # The maximum of the parabola through both values and the slope here.
        share = 0.5 * promised / (promised - gained)
        length *= float(np.clip(share, 0.1, 0.5))
    return None


def _evaluate(function: Function, point: np.ndarray) -> _Here | None:
    """Value and gradient at a point; None where there are none."""
    try:
        value, gradient = function(point)
    except FloatingPointError:
        return None
    finite = np.isfinite(value) and np.isfinite(gradient).all()
    return _Here(point, float(value), gradient) if finite else None
