"""Coefficients of a model that is linear in its inputs, and which inputs a model makes use of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.plots.display import Display

# From this share of inputs that are used, coefficients are a line; below, they stand alone.
DENSE = 0.9


@dataclass(kw_only=True, eq=False, repr=False)
class CoefficientDisplay(Display):
    """Coefficients with error bars along an axis, such as wavelength, frequency or time.

    If the model uses few of its inputs, each coefficient is drawn by itself, otherwise they are a
    line with a band. Make it with `from_estimator`.

    Parameters
    ----------
    axis : array of shape (n_features,)
        The position of each input, in ascending order.
    coefficients : array of shape (n_features,)
        The coefficients. Complex ones are drawn by their magnitude.
    std : array of shape (n_features,) or None
        Their standard deviations; None for an estimator without error bars.
    selected : array of bool of shape (n_features,)
        Which inputs the model uses for this output.
    axis_name : str
        A label for the axis.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        What it was drawn on, after `plot`.

    See Also
    --------
    InputRelevanceDisplay : How much each input matters, in any model.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/columns.html

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from sparsebayes import Linear, SparseBayesRegressor
    >>> from sparsebayes.plots import CoefficientDisplay
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(40, 30))
    >>> y = X[:, 3] - X[:, 7] + random.normal(0, 0.1, 40)
    >>> model = SparseBayesRegressor(Linear()).fit(X, y)
    >>> display = CoefficientDisplay.from_estimator(model, axis_name="number of the input")
    >>> plt.show()  # doctest: +SKIP
    >>> plt.close()
    """

    axis: np.ndarray
    coefficients: np.ndarray
    std: np.ndarray | None
    selected: np.ndarray
    axis_name: str

    @classmethod
    @without_numpy_errors
    def from_estimator(
        cls,
        estimator: Any,
        axis: Any = None,
        *,
        n_std: float = 2.0,
        ax: Any = None,
        axis_name: str | None = None,
        output: int = 0,
    ) -> Self:
        """Plot `coef_` of a fitted estimator, with error bars if it has `coef_std_`.

        Parameters
        ----------
        estimator : estimator
            A fitted model that is linear in its inputs, such as ``SparseBayesRegressor(Linear())``.
        axis : array of shape (n_features,), default=None
            The position of each input; its number by default.
        n_std : float, default=2.0
            Length of an error bar to either side, in standard deviations.
        ax : matplotlib Axes, default=None
            What to draw on. None makes a new figure.
        axis_name : str, default=None
            A label for the axis.
        output : int, default=0
            Which output or class to draw, if there are several.

        Returns
        -------
        display : CoefficientDisplay
            The display, drawn.
        """
        coefficients = _of_output(estimator, "coef_", output)
        if coefficients is None:
            raise ValueError(
                f"{type(estimator).__name__} has no coef_: expected a fitted model that is linear "
                'in its inputs, such as SparseBayesRegressor(Linear()) or RVR(kernel="linear").'
            )
        places = _places(axis, len(coefficients))
        order = np.argsort(places, kind="stable")
        std = _of_output(estimator, "coef_std_", output)
        selected = (coefficients != 0.0) & getattr(estimator, "selected_", True)
        display = cls(
            axis=places[order],
            coefficients=coefficients[order],
            std=None if std is None else std[order],
            selected=selected[order],
            axis_name=axis_name or ("input" if axis is None else ""),
        )
        return display.plot(ax=ax, n_std=n_std)

    def plot(self, *, ax: Any = None, n_std: float = 2.0) -> Self:
        """Draw the coefficients.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            What to draw on. None makes a new figure.
        n_std : float, default=2.0
            Length of an error bar to either side, in standard deviations.

        Returns
        -------
        self : CoefficientDisplay
            The display.
        """
        return self._on(ax, n_std)

    def _draw(self, ax: Any, n_std: float) -> None:
        """Draw the coefficients."""
        ax.axhline(0.0, color="0.6", lw=0.8, zorder=1)
        magnitude = np.iscomplexobj(self.coefficients)
        values = np.abs(self.coefficients) if magnitude else self.coefficients
        bars = None if self.std is None else n_std * self.std
        label = "coefficient" if bars is None else f"coefficient ± {n_std:g} std"
        draw = self._line if np.mean(self.selected) >= DENSE else self._stems
        draw(ax, values, bars, label)
        if self.axis_name:
            ax.set_xlabel(self.axis_name)
        ax.set_ylabel("magnitude of the coefficient" if magnitude else "coefficient")

    def _line(self, ax: Any, values: np.ndarray, bars: np.ndarray | None, label: str) -> None:
        """Draw coefficients as a line with a band."""
        if bars is not None:
            ax.fill_between(
                self.axis, values - bars, values + bars, alpha=0.25, lw=0, color="C0", label=label
            )
        ax.plot(self.axis, values, color="C0", lw=1.2, label=None if bars is not None else label)
        ax.margins(x=0.02)

    def _stems(self, ax: Any, values: np.ndarray, bars: np.ndarray | None, label: str) -> None:
        """Draw a stem with an error bar for each input that is used, over the whole axis."""
        used = self.selected
        place, height = self.axis[used], values[used]
        ax.vlines(place, 0.0, height, color="C0", lw=1.2, alpha=0.6)
        error = None if bars is None else bars[used]
        ax.errorbar(
            place, height, error, fmt="o", ms=4, color="C0", ecolor="0.2", capsize=2.5, label=label
        )
        ends = self.axis[[0, -1]]
        margin = 0.02 * (ends[1] - ends[0]) or 0.5
        ax.set_xlim(ends[0] - margin, ends[1] + margin)


def _of_output(estimator: Any, name: str, output: int) -> np.ndarray | None:
    """An attribute of shape (n_features,), of one output where there are several."""
    values = getattr(estimator, name, None)
    if values is None or np.ndim(values) < 2:
        return values
    if not 0 <= output < len(values):
        raise ValueError(
            f"output must be a whole number from 0 to {len(values) - 1}, as {name} has "
            f"{len(values)} rows; got {output!r}."
        )
    return values[output]


def _places(axis: Any, n_features: int) -> np.ndarray:
    """Where each input stands."""
    if axis is None:
        return np.arange(n_features)
    places = np.asarray(axis)
    if places.shape != (n_features,):
        raise ValueError(
            f"axis must have a value for each of the {n_features} inputs, got shape {places.shape}."
        )
    return places


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
