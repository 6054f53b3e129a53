"""Which inputs a model makes use of."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from sparsebayes.plots._axes import axes_or_new


class InputRelevanceDisplay:
    """Which inputs a model makes use of, as bars, the most relevant on top.

    Made by `from_estimator`.

    Parameters
    ----------
    names : list of str
    relevance : array of shape (n_shown,)
        In descending order.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure, after `plot`
    """

    def __init__(self, *, names: list[str], relevance: np.ndarray) -> None:
        self.names = names
        self.relevance = relevance

    @classmethod
    def from_estimator(cls, estimator: Any, *, max_inputs: int = 20, ax: Any = None) -> Self:
        """Plot `input_relevance_` of a fitted estimator.

        Parameters
        ----------
        estimator : fitted with a scale for each input, such as RVR(gamma="ard"), or linear
        max_inputs : int, default=20
            How many inputs are shown at most.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : InputRelevanceDisplay
        """
        relevance = getattr(estimator, "input_relevance_", None)
        if relevance is None:
            raise ValueError(
                f"{type(estimator).__name__} has no input_relevance_: expected an estimator fitted "
                'with gamma="ard", or a kernel with input_scale="learn", and at most 1000 inputs; '
                "or a model that is linear in its inputs."
            )
        names = getattr(estimator, "feature_names_in_", [f"x{k}" for k in range(len(relevance))])
        shown = np.argsort(-relevance, kind="stable")[:max_inputs]
        return cls(names=[names[k] for k in shown], relevance=relevance[shown]).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw on `ax`.

        Parameters
        ----------
        ax : matplotlib axes, default=None

        Returns
        -------
        self : InputRelevanceDisplay
        """
        ax = axes_or_new(ax)
        position = np.arange(len(self.names))
        ax.barh(position, self.relevance, color="C0")
        ax.set_yticks(position, self.names)
        ax.invert_yaxis()
        ax.set_xlabel("share of the prediction's variance that the input has a part in")
        self.ax_, self.figure_ = ax, ax.figure
        return self
