"""Where to look for the parameters of a kernel object, as the inputs suggest."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import DotProduct, ExpSineSquared

from sparsebayes.basis.kernel import input_variances
from sparsebayes.basis.object_parts import free_names, leaves
from sparsebayes.basis.usual import usual_inputs

# Lengths to start from, in parts of the spread of the inputs.
PARTS = (1.0, 0.2, 0.04)
# Lengths that are all equal start apart by this factor: kernels that are the same stay so.
APART = 5.0
# Periods that are tried have half a cycle in the inputs, one, ..., at most so many. More are not
# to be told apart by the rows that a search begins with.
MOST_CYCLES = 100


def starts(kernel: Any, inputs: np.ndarray, weight: np.ndarray) -> list[np.ndarray]:
    """Values of theta whose lengths go with the spread of the inputs.

    Lengths that are numbers keep their ratios. Those of single inputs go with the spread of each.
    """
    names, theta = free_names(kernel), kernel.theta
    spread = np.sqrt(input_variances(usual_inputs(inputs, weight), weight))
    whole = float(np.log(np.linalg.norm(spread)))
    lengths = _lengths(kernel)
    places = [np.flatnonzero(names == name) for name in lengths if (names == name).any()]
    single = np.array([place[0] for place in places if len(place) == 1], dtype=np.intp)
    several = [place for place in places if len(place) == len(spread) > 1]
    if not len(single) and not several:
        return []
    relative = theta[single] - theta[single].mean() if len(single) else theta[single]
    if len(single) > 1 and not np.ptp(relative):
        relative = np.log(APART) * (0.5 * (len(single) - 1) - np.arange(len(single)))
    found = []
    for part in PARTS:
        point = theta.copy()
        point[single] = whole + np.log(part) + relative
        for place in several:
            own = place[spread > 0.0]
            point[own] = np.log(part * spread[spread > 0.0] * np.sqrt(len(place)))
        found.append(point)
    return found


def cramped(names: np.ndarray, kernel: Any, limits: np.ndarray, suggested: np.ndarray) -> list[int]:
    """Places of lengths whose upper limit is below a fifth of the spread of the inputs.

    Parameters
    ----------
    names : of the parameters (n,)
    limits : of their logarithms (n, 2)
    suggested : logarithms that go with the spread (n,)
    """
    below = suggested + np.log(PARTS[1]) > limits[:, 1]
    return np.flatnonzero(np.isin(names, _lengths(kernel)) & below).tolist()


def _lengths(kernel: Any) -> list[str]:
    """Names of parameters that are a length in the space of the inputs."""
    return [
        prefix + ("sigma_0" if isinstance(leaf, DotProduct) else "length_scale")
        for prefix, leaf in leaves(kernel)
        if not isinstance(leaf, ExpSineSquared)
    ]


def periods(kernel: Any) -> list[str]:
    """Names of parameters that are a period."""
    every = leaves(kernel)
    return [f"{prefix}periodicity" for prefix, leaf in every if isinstance(leaf, ExpSineSquared)]


def log_periods(inputs: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Logarithms of periods that are tried, within limits."""
    span = float(np.linalg.norm(np.ptp(inputs, axis=0)))
    if not span:
        return np.empty(0)
    cycles = np.arange(1.0, min(len(inputs), 2 * MOST_CYCLES)) / 2.0
    found = np.log(span / cycles[::-1])
    return found[(found >= limits[0]) & (found <= limits[1])]
