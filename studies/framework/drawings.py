"""Pictures of fits from results that were read from a file, where arrays are lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sparsebayes.plots import PredictiveBandDisplay, ProbabilityDisplay


def draw_band(axes, grid, mean, inputs, target, vectors, *, std=None, n_std: float = 2.0) -> None:
    """A curve with its data, vectors circled, and a band of `n_std` standard deviations."""
    PredictiveBandDisplay(
        grid=np.array(grid),
        mean=np.array(mean),
        std=None if std is None else np.array(std),
        inputs=np.array(inputs),
        target=np.array(target),
        vectors=np.array(vectors, int),
    ).plot(ax=axes, n_std=n_std)


class Boundary(NamedTuple):
    """The response of a classifier on a grid, its contours to be drawn, and its vectors."""

    response: Sequence[float]
    levels: Sequence[float]
    vectors: Sequence[int]


# Contours of a decision function and of a probability.
DECISION = (0.0,)
QUARTILES = (0.25, 0.5, 0.75)


def draw_boundaries(figure, sides, inputs, labels, boundaries: Mapping[str, Boundary]) -> None:
    """Classifiers of the plane side by side, by title."""
    grid = np.meshgrid(*map(np.array, sides))
    axes = figure.subplots(1, len(boundaries), sharey=True)
    for ax, (title, one) in zip(axes, boundaries.items(), strict=True):
        ProbabilityDisplay(
            grid=grid,
            response=np.reshape(one.response, grid[0].shape),
            levels=list(one.levels),
            inputs=np.array(inputs),
            labels=np.array(labels) == 1,
            vectors=np.array(one.vectors, int),
        ).plot(ax=ax)
        ax.set_title(title, fontsize=10)
