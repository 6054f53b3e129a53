"""What displays have in common: the axes that they draw on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from sparsebayes.model.arrays import without_numpy_errors


class Display(ABC):
    """A picture of numbers, after the manner of scikit-learn's displays."""

    # How a new figure has two axes; empty for a picture of one.
    layout: ClassVar[dict[str, Any]] = {}

    @property
    def n_axes(self) -> int:
        """How many axes the picture has."""
        return 2 if self.layout else 1

    @abstractmethod
    def _draw(self, ax: Any, *options: Any) -> None:
        """Draw on the axes."""

    def plot(self, *, ax: Any = None) -> Self:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            What to draw on; an array of them if it is several pictures. None makes a new figure.

        Returns
        -------
        self : object
            The display.
        """
        return self._on(ax)

    @without_numpy_errors
    def _on(self, ax: Any, *options: Any) -> Self:
        """Draw on the axes that are given, or on new ones."""
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError(
                "plots need matplotlib, which is not installed: pip install 'sparsebayes[plot]'."
            ) from error
        if ax is None:
            ax = pyplot.subplots(**self.layout)[1]
        elif self.layout and np.size(ax) < self.n_axes:
            raise ValueError(
                f"ax must be None or {self.n_axes} axes, such as "
                f"pyplot.subplots({self.n_axes})[1]; got {ax!r}."
            )
        self.ax_ = np.ravel(ax) if self.layout else ax
        self._draw(self.ax_, *options)
        self.figure_ = np.ravel(ax)[0].figure
        return self
