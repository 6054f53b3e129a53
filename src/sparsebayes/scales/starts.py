"""Where a search for the parameters of kernel objects starts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sparsebayes.columns import Columns

# So many of the highest values on a grid are climbed from.
MOST_PEAKS = 3

Value = Callable[[np.ndarray], float]


def object_starts(first: np.ndarray, kinds: tuple[Columns, ...], value: Value) -> list[np.ndarray]:
    """Log scales to start from besides the first: those of other sizes, and peaks on grids.

    A grid is looked at from the most likely point so far, one parameter after the other.

    Parameters
    ----------
    first : log scales of all kinds (n_scales,)
    value : log evidence at log scales; minus infinity where there is none
    """
    points: list[np.ndarray] = []
    base, start = first, 0
    for kind in kinds:
        places = start + np.arange(len(kind.log_scales))
        start += len(places)
        if kind.free is None:
            continue
        others = [_with(first, places, each) for each in kind.free.starts]
        points += others
        if kind.free.grids:
            base = max([base, *others], key=value)
        for place, values in kind.free.grids:
            peaks = _peaks([_with(base, places[place], each) for each in values], value)
            points += peaks
            base = max([base, *peaks], key=value)
    return points


def _with(point: np.ndarray, places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The point with some of its coordinates replaced."""
    point = point.copy()
    point[places] = values
    return point


def _peaks(points: list[np.ndarray], value: Value) -> list[np.ndarray]:
    """The highest of points in a row that are no lower than the ones beside them."""
    values = np.array([value(point) for point in points])
    around = np.concatenate([[-np.inf], values, [-np.inf]])
    highest = np.isfinite(values) & (values >= around[:-2]) & (values >= around[2:])
    found = np.flatnonzero(highest)
    return [points[i] for i in found[np.argsort(-values[found], kind="stable")][:MOST_PEAKS]]
