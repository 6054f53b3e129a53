"""A climb by L-BFGS within bounds, which survives points that cannot be evaluated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize


@dataclass(frozen=True)
class Ascent:
    """How far a climb goes.

    Attributes
    ----------
    max_steps : of L-BFGS
    least_gradient : at which it ends
    least_rise : relative to the value, at which it ends; near rounding
    memory : pairs of steps and gradients, as many as there are parameters to learn as a rule
    drop : how far a point that cannot be evaluated is taken to lie below the start
    """

    max_steps: int = 100
    least_gradient: float = 1e-3
    least_rise: float = 1e-11
    memory: int = 20
    drop: float = 1e6


def climb(
    function: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray,
    limits: np.ndarray,
    ascent: Ascent,
) -> tuple[np.ndarray, float]:
    """The end of the climb and the value there; the start where that cannot be evaluated.

    Parameters
    ----------
    function : point -> value and gradient; FloatingPointError where there is none
    limits : least and largest value of each coordinate (k, 2)
    """
    best_point = np.clip(start, *limits.T)
    try:
        best_value, _ = function(best_point)
    except FloatingPointError:
        return best_point, -np.inf
    floor = best_value - ascent.drop

    def negative(point: np.ndarray) -> tuple[float, np.ndarray]:
        nonlocal best_point, best_value
        try:
            value, gradient = function(point)
        except FloatingPointError:
            return -floor, np.zeros_like(point)
        if not np.isfinite(value) or not np.isfinite(gradient).all():
            return -floor, np.zeros_like(point)
        if value > best_value:
            best_point, best_value = point.copy(), value
        return -value, -gradient

    minimize(
        negative,
        best_point,
        jac=True,
        method="L-BFGS-B",
        bounds=limits,
        options={
            "maxiter": ascent.max_steps,
            "maxcor": ascent.memory,
            "ftol": ascent.least_rise,
            "gtol": ascent.least_gradient,
        },
    )
    return best_point, best_value
