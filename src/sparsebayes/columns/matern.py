"""Matérn kernels: of functions that are not smooth, or can be differentiated once or twice.

With s = sum_k gamma_k (x_k - c_k)^2 and r = (2 nu s)^1/2 they are exp(-r) times a polynomial of r.
A slope takes the derivative for s.
"""

from __future__ import annotations

import numpy as np

from sparsebayes.columns.geometry import Inputs, Scale, squared_distance, squared_distance_slope


def matern12(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """exp(-r), nu = 1/2."""
    return np.exp(-_radius(inputs, centres, gamma, 1.0))


def matern32(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """(1 + r) exp(-r), nu = 3/2."""
    radius = _radius(inputs, centres, gamma, 3.0)
    return (1.0 + radius) * np.exp(-radius)


def matern52(inputs: Inputs, centres: Inputs, gamma: Scale) -> np.ndarray:
    """(1 + r + r^2 / 3) exp(-r), nu = 5/2."""
    radius = _radius(inputs, centres, gamma, 5.0)
    return (1.0 + radius * (1.0 + radius / 3.0)) * np.exp(-radius)


def matern12_slope(
    inputs: Inputs, centres: Inputs, sensitivity: np.ndarray, values: np.ndarray, gamma: Scale
) -> np.ndarray:
    """The slope for nu = 1/2: d/ds = -exp(-r) / (2 r). A distance of zero has no part in it."""
    radius = _radius(inputs, centres, gamma, 1.0)
    fall = np.divide(0.5 * values, radius, out=np.zeros_like(radius), where=radius > 0.0)
    return squared_distance_slope(inputs, centres, gamma, sensitivity * fall)


def matern32_slope(
    inputs: Inputs, centres: Inputs, sensitivity: np.ndarray, values: np.ndarray, gamma: Scale
) -> np.ndarray:
    """The slope for nu = 3/2: d/ds = -3/2 exp(-r)."""
    fall = 1.5 * np.exp(-_radius(inputs, centres, gamma, 3.0))
    return squared_distance_slope(inputs, centres, gamma, sensitivity * fall)


def matern52_slope(
    inputs: Inputs, centres: Inputs, sensitivity: np.ndarray, values: np.ndarray, gamma: Scale
) -> np.ndarray:
    """The slope for nu = 5/2: d/ds = -5/6 (1 + r) exp(-r)."""
    radius = _radius(inputs, centres, gamma, 5.0)
    fall = 5.0 / 6.0 * (1.0 + radius) * np.exp(-radius)
    return squared_distance_slope(inputs, centres, gamma, sensitivity * fall)


def _radius(inputs: Inputs, centres: Inputs, gamma: Scale, twice_nu: float) -> np.ndarray:
    """r = (2 nu sum_k gamma_k (x_k - c_k)^2)^1/2."""
    distance = squared_distance(inputs, centres, gamma)
    distance *= twice_nu
    return np.sqrt(distance, out=distance)
