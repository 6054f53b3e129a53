"""A climb by L-BFGS within bounds, which survives points that cannot be evaluated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

MEMORY = 20
# Relative to the value, and absolute, at which a further rise or a gradient is no longer worth it.
LEAST_RISE = 1e-11
LEAST_GRADIENT = 1e-3
# What a point that cannot be evaluated is taken to lie below the start.
DROP = 1e6


def ascend(
    function: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray,
    limits: np.ndarray,
    max_steps: int,
    least_gradient: float = LEAST_GRADIENT,
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
    floor = best_value - DROP

    def negative(point):
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
            "maxiter": max_steps,
            "maxcor": MEMORY,
            "ftol": LEAST_RISE,
            "gtol": least_gradient,
        },
    )
    return best_point, best_value
