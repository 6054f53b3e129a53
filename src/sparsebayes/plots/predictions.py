"""What a model predicts: a curve with its band, and contours of a probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Self

import numpy as np

from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.plots.display import Display


def _vectors(estimator: Any, X: np.ndarray) -> np.ndarray:
    """Rows of X that are relevance or support vectors; none where centres were given as points."""
    if not hasattr(estimator, "relevance_"):
        return np.asarray(getattr(estimator, "support_", []), dtype=np.intp)
    rows = np.asarray(estimator.relevance_)
    vectors = getattr(estimator, "relevance_vectors_", X[rows[rows < len(X)]])
    on_rows = len(vectors) == len(rows) and np.array_equal(X[rows % len(X)], vectors)
    return rows if on_rows else rows[:0]


@dataclass(kw_only=True, eq=False, repr=False)
class PredictiveBandDisplay(Display):
    """A regression of one input: the mean, a band of standard deviations, and the data.

    The vectors of the model are circled. Make it with `from_estimator`.

    Parameters
    ----------
    grid, mean : array of shape (n_points,)
        Where the mean is drawn, and the predicted means.
    std : array of shape (n_points,) or None
        The predicted standard deviations; None for an estimator without error bars.
    inputs, target : array of shape (n_samples,)
        Training inputs and targets.
    vectors : array of int of shape (n_vectors,)
        Indices of the rows to circle.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        What it was drawn on, after `plot`.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/uncertainty.html

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.plots import PredictiveBandDisplay
    >>> X, y = noisy_sinc(60, random_state=0)
    >>> display = PredictiveBandDisplay.from_estimator(RVR().fit(X, y), X, y, margin=0.5)
    >>> plt.show()  # doctest: +SKIP
    >>> plt.close()
    """

    grid: np.ndarray
    mean: np.ndarray
    std: np.ndarray | None
    inputs: np.ndarray
    target: np.ndarray
    vectors: np.ndarray

    @classmethod
    @without_numpy_errors
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
        estimator : estimator
            A fitted regressor. The band is drawn if its `predict` takes `return_std`.
        X : array of shape (n_samples, 1)
            Training inputs.
        y : array of shape (n_samples,)
            Training targets.
        n_points : int, default=400
            Number of points of the curve.
        n_std : float, default=2.0
            Half width of the band, in standard deviations.
        margin : float, default=0.0
            How far to go beyond the data on both sides, as a part of their range.
        ax : matplotlib Axes, default=None
            What to draw on. None makes a new figure.

        Returns
        -------
        display : PredictiveBandDisplay
            The display, drawn.
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
        """Draw the curve, the band and the data.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            What to draw on. None makes a new figure.
        n_std : float, default=2.0
            Half width of the band, in standard deviations.

        Returns
        -------
        self : PredictiveBandDisplay
            The display.
        """
        return self._on(ax, n_std)

    def _draw(self, ax: Any, n_std: float) -> None:
        """Draw the curve, the band and the data."""
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


@dataclass(kw_only=True, eq=False, repr=False)
class ProbabilityDisplay(Display):
    """A classification of two inputs: contours of the probability, and the data.

    The vectors of the model are circled. Make it with `from_estimator`.

    Parameters
    ----------
    grid : pair of arrays of shape (n_points, n_points)
        Where the probability is computed: both coordinates.
    response : array of shape (n_points, n_points)
        The probabilities there.
    levels : list of float
        Which contours to draw.
    inputs : array of shape (n_samples, 2)
        Training inputs.
    labels : array of bool of shape (n_samples,)
        Which rows are of the second class.
    vectors : array of int of shape (n_vectors,)
        Indices of the rows to circle.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        What it was drawn on, after `plot`.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/uncertainty.html

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sparsebayes import RVC
    >>> from sparsebayes.datasets import ripley_mixture
    >>> from sparsebayes.plots import ProbabilityDisplay
    >>> X, y = ripley_mixture(100, random_state=0)
    >>> display = ProbabilityDisplay.from_estimator(RVC().fit(X, y), X, y, n_points=50)
    >>> plt.show()  # doctest: +SKIP
    >>> plt.close()
    """

    grid: Sequence[np.ndarray]
    response: np.ndarray
    levels: Sequence[float]
    inputs: np.ndarray
    labels: np.ndarray
    vectors: np.ndarray

    @classmethod
    @without_numpy_errors
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
        estimator : estimator
            A fitted classifier of two classes. If it has no `predict_proba`, as an SVC, its
            decision boundary is drawn.
        X : array of shape (n_samples, 2)
            Training inputs.
        y : array of shape (n_samples,)
            Training labels.
        levels : sequence of float, default=(0.25, 0.5, 0.75)
            Probabilities of ``classes_[1]`` to draw.
        n_points : int, default=200
            Number of points along each side of the grid.
        ax : matplotlib Axes, default=None
            What to draw on. None makes a new figure.

        Returns
        -------
        display : ProbabilityDisplay
            The display, drawn.
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

    def _draw(self, ax: Any) -> None:
        """Draw the contours and the data."""
        for label, colour, mark in ((False, "C0", "x"), (True, "C1", ".")):
            ax.plot(*self.inputs[self.labels == label].T, mark, color=colour, ms=5)
        lines = ax.contour(*self.grid, self.response, levels=self.levels, colors="0.3")
        if len(self.levels) > 1:
            ax.clabel(lines, fontsize=8, fmt="%.2g")
        circled = self.inputs[self.vectors].T
        ax.plot(*circled, "o", mfc="none", mec="C3", ms=10, label=f"{len(self.vectors)} vectors")
