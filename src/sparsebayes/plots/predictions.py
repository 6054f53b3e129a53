"""What a model predicts: a curve with its band, and contours of a probability."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any, Self

import numpy as np

from sparsebayes.plots._axes import axes_or_new


def _vectors(estimator: Any, X: np.ndarray) -> np.ndarray:
    """Rows of X that are relevance or support vectors; none where centres were given as points."""
    if not hasattr(estimator, "relevance_"):
        return np.asarray(getattr(estimator, "support_", []), dtype=np.intp)
    rows = np.asarray(estimator.relevance_)
    vectors = getattr(estimator, "relevance_vectors_", X[rows[rows < len(X)]])
    on_rows = len(vectors) == len(rows) and np.array_equal(X[rows % len(X)], vectors)
    return rows if on_rows else rows[:0]


class PredictiveBandDisplay:
    """A regression of one input: mean, band of standard deviations, data, vectors circled.

    Made by `from_estimator`.

    Parameters
    ----------
    grid, mean : arrays of shape (n_points,)
    std : array of shape (n_points,) or None
        None for an estimator without error bars.
    inputs, target : arrays of shape (n_samples,)
    vectors : indices of the circled rows

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure, after `plot`
    """

    def __init__(
        self,
        *,
        grid: np.ndarray,
        mean: np.ndarray,
        std: np.ndarray | None,
        inputs: np.ndarray,
        target: np.ndarray,
        vectors: np.ndarray,
    ) -> None:
        self.grid = grid
        self.mean = mean
        self.std = std
        self.inputs = inputs
        self.target = target
        self.vectors = vectors

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_points: int = 400,
        n_std: float = 2.0,
        margin: float = 0.0,
        ax: Any = None,
    ) -> Self:
        """Predict along the range of the training data, and plot.

        Parameters
        ----------
        estimator : fitted regressor
            The band is drawn if its `predict` takes `return_std`.
        X : array of shape (n_samples, 1)
            Training inputs.
        y : array of shape (n_samples,)
        n_points : int, default=400
        n_std : float, default=2.0
            Half width of the band in standard deviations.
        margin : float, default=0.0
            How far to go beyond the data on both sides, as a part of their range.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : PredictiveBandDisplay
        """
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != 1:
            raise ValueError(f"X must have one feature to be drawn as a curve, got {X.shape}.")
        if np.ndim(y) != 1:
            raise ValueError(f"y must have one output to be drawn as a curve, got {np.shape(y)}.")
        beyond = margin * np.ptp(X)
        grid = np.linspace(X.min() - beyond, X.max() + beyond, n_points)
        if "return_std" in signature(estimator.predict).parameters:
            mean, std = estimator.predict(grid[:, None], return_std=True)
        else:
            mean, std = estimator.predict(grid[:, None]), None
        display = cls(
            grid=grid,
            mean=mean,
            std=std,
            inputs=X[:, 0],
            target=np.asarray(y),
            vectors=_vectors(estimator, X),
        )
        return display.plot(ax=ax, n_std=n_std)

    def plot(self, *, ax: Any = None, n_std: float = 2.0) -> Self:
        """Draw on `ax`.

        Parameters
        ----------
        ax : matplotlib axes, default=None
        n_std : float, default=2.0

        Returns
        -------
        self : PredictiveBandDisplay
        """
        ax = axes_or_new(ax)
        if self.std is not None:
            low, high = self.mean - n_std * self.std, self.mean + n_std * self.std
            ax.fill_between(
                self.grid, low, high, alpha=0.2, lw=0, label=f"mean ± {n_std:g} std", color="C0"
            )
        ax.plot(self.inputs, self.target, ".", color="0.4", ms=4, label="data")
        ax.plot(self.grid, self.mean, color="C0", label="mean")
        if len(self.vectors):
            circled = self.inputs[self.vectors], self.target[self.vectors]
            label = f"{len(self.vectors)} vectors"
            ax.plot(*circled, "o", mfc="none", mec="C3", ms=9, label=label)
        self.ax_, self.figure_ = ax, ax.figure
        return self


class ProbabilityDisplay:
    """A classification of two inputs: probability contours, data, vectors circled.

    Made by `from_estimator`.

    Parameters
    ----------
    grid : pair of arrays of shape (n_points, n_points)
    response : array of shape (n_points, n_points)
    levels : list of float
    inputs : array of shape (n_samples, 2)
    labels : array of shape (n_samples,)
    vectors : indices of the circled rows

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure, after `plot`
    """

    def __init__(
        self,
        *,
        grid: Sequence[np.ndarray],
        response: np.ndarray,
        levels: Sequence[float],
        inputs: np.ndarray,
        labels: np.ndarray,
        vectors: np.ndarray,
    ) -> None:
        self.grid = grid
        self.response = response
        self.levels = levels
        self.inputs = inputs
        self.labels = labels
        self.vectors = vectors

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        levels: Sequence[float] = (0.25, 0.5, 0.75),
        n_points: int = 200,
        ax: Any = None,
    ) -> Self:
        """Predict over the range of the training data, and plot.

        Parameters
        ----------
        estimator : fitted RVC or SparseBayesClassifier; of an SVC the decision boundary is drawn
        X : array of shape (n_samples, 2)
            Training inputs.
        y : array of shape (n_samples,)
        levels : sequence of float, default=(0.25, 0.5, 0.75)
            Probabilities of `classes_[1]` to draw.
        n_points : int, default=200
            Along each side of the grid.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : ProbabilityDisplay
        """
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != 2:
            raise ValueError(f"X must have two features to be drawn in the plane, got {X.shape}.")
        if len(estimator.classes_) != 2:
            raise ValueError(
                "the probability of one class is drawn: expected an estimator of two classes, got "
                f"{len(estimator.classes_)}."
            )
        margin = 0.05 * np.ptp(X, axis=0)
        sides = np.linspace(X.min(axis=0) - margin, X.max(axis=0) + margin, n_points).T
        grid = np.meshgrid(*sides)
        points = np.column_stack([side.ravel() for side in grid])
        if hasattr(estimator, "predict_proba"):
            response = estimator.predict_proba(points)[:, 1]
        else:
            response, levels = estimator.decision_function(points), (0.0,)
        display = cls(
            grid=grid,
            response=response.reshape(grid[0].shape),
            levels=levels,
            inputs=X,
            labels=np.asarray(y) == estimator.classes_[1],
            vectors=_vectors(estimator, X),
        )
        return display.plot(ax=ax)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw on `ax`.

        Parameters
        ----------
        ax : matplotlib axes, default=None

        Returns
        -------
        self : ProbabilityDisplay
        """
        ax = axes_or_new(ax)
        for label, colour, mark in ((False, "C0", "x"), (True, "C1", ".")):
            ax.plot(*self.inputs[self.labels == label].T, mark, color=colour, ms=5)
        lines = ax.contour(*self.grid, self.response, levels=self.levels, colors="0.3")
        if len(self.levels) > 1:
            ax.clabel(lines, fontsize=8)
        circled = self.inputs[self.vectors].T
        ax.plot(*circled, "o", mfc="none", mec="C3", ms=10, label=f"{len(self.vectors)} vectors")
        self.ax_, self.figure_ = ax, ax.figure
        return self
