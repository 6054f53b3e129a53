"""Which inputs a model makes use of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from sparsebayes.model.numpy_errors import without_numpy_errors
from sparsebayes.plots.display import Display


@dataclass(kw_only=True, eq=False, repr=False)
class InputRelevanceDisplay(Display):
    """How much each input matters to a model, as bars, the most relevant on top.

    Make it with `from_estimator`.

    Parameters
    ----------
    names : list of str
        Names of the inputs.
    relevance : array of shape (n_shown,)
        Their relevance, in descending order.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        What it was drawn on, after `plot`.

    See Also
    --------
    CoefficientDisplay : The coefficients of a linear model.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/scales.html

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from sparsebayes import RVR
    >>> from sparsebayes.plots import InputRelevanceDisplay
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(-2, 2, (80, 3))
    >>> y = np.sin(2 * X[:, 1]) + random.normal(0, 0.1, 80)
    >>> display = InputRelevanceDisplay.from_estimator(RVR().fit(X, y))
    >>> display.names[0]
    'x1'
    >>> plt.show()  # doctest: +SKIP
    >>> plt.close()
    """

    names: list[str]
    relevance: np.ndarray

    @classmethod
    @without_numpy_errors
    def from_estimator(cls, estimator: Any, *, max_inputs: int = 20, ax: Any = None) -> Self:
        """Plot `input_relevance_` of a fitted estimator.

        Parameters
        ----------
        estimator : estimator
            Fitted with a learned scale for each input, such as ``RVR(gamma="ard")``, or linear.
        max_inputs : int, default=20
            The most inputs to show.
        ax : matplotlib Axes, default=None
            What to draw on. None makes a new figure.

        Returns
        -------
        display : InputRelevanceDisplay
            The display, drawn.
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

    def _draw(self, ax: Any) -> None:
        """Draw the bars."""
        position = np.arange(len(self.names))
        ax.barh(position, self.relevance, color="C0")
        ax.set_yticks(position, self.names)
        ax.invert_yaxis()
        ax.set_xlabel("share of the prediction's variance that the input has a part in")
