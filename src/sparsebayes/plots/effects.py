"""What each input does, as curves, and pairs of inputs as maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.plots.display import Display

# Panels beside each other.
N_BESIDE = 3
# Inputs of at most so many values have a point with a bar for each.
MOST_LEVELS = 15


@dataclass(kw_only=True, eq=False, repr=False)
class EffectsDisplay(Display):
    """The largest effects of inputs and of pairs of inputs, each with its share and its error band.

    Make it with `from_estimator`.

    Parameters
    ----------
    names : list of tuple of str
        The names of the one or two inputs of each effect, the largest effect first.
    shares : list of float
        The share of each in the variance of the prediction.
    effects : list of tuple of array
        For each what `InputEffects.curve` or `InputEffects.surface` gives.

    Attributes
    ----------
    ax_, figure_ : array of matplotlib Axes, and Figure
        What it was drawn on, after `plot`.

    See Also
    --------
    InputRelevanceDisplay : One bar for each input.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/effects.html

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from sparsebayes import RVR
    >>> from sparsebayes.plots import EffectsDisplay
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(-2, 2, size=(120, 3))
    >>> y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(0, 0.1, 120)
    >>> display = EffectsDisplay.from_estimator(RVR(kernel="effects").fit(X, y), max_effects=2)
    >>> display.names
    [('x1', 'x2'), ('x0',)]
    >>> plt.show()  # doctest: +SKIP
    >>> plt.close()
    """

    names: list[tuple[str, ...]]
    shares: list[float]
    effects: list[tuple[np.ndarray, ...]]

    @classmethod
    @without_numpy_errors
    def from_estimator(
        cls, estimator: Any, *, max_effects: int = 6, output: int = 0, ax: Any = None
    ) -> Self:
        """Draw the largest effects of a fitted estimator.

        Parameters
        ----------
        estimator : estimator
            Fitted with the kernel of effects.
        max_effects : int, default=6
            The most effects to show.
        output : int, default=0
            Which of several outputs or classes.
        ax : array of matplotlib Axes, default=None
            What to draw on, one for each effect. None makes a new figure.

        Returns
        -------
        display : EffectsDisplay
            The display, drawn.
        """
        if max_effects < 1:
            raise ValueError(f"max_effects must be 1 or more, got {max_effects!r}.")
        found = estimator.effects(output)
        shares = {key: share for key, share in found.shares.items() if key}
        names = list(shares)[:max_effects]
        effects = [found.curve(*key) if len(key) == 1 else found.surface(*key) for key in names]
        return cls(names=names, shares=[shares[key] for key in names], effects=effects).plot(ax=ax)

    @property
    def n_axes(self) -> int:
        """How many axes the picture has."""
        return len(self.names)

    @property
    def layout(self) -> dict[str, Any]:  # type: ignore[override]
        """How a new figure has its axes."""
        beside = min(N_BESIDE, self.n_axes)
        below = -(-self.n_axes // beside)
        size = (3.4 * beside, 2.8 * below)
        return {"nrows": below, "ncols": beside, "figsize": size, "layout": "constrained"}

    def _draw(self, ax: Any) -> None:
        """Draw each effect on axes of its own; axes that are left over stay empty."""
        for one, names, share, found in zip(
            ax, self.names, self.shares, self.effects, strict=False
        ):
            (_curve if len(names) == 1 else _map)(one, found, names)
            one.set_title(f"{share:.1%}", fontsize="medium")
        for one in ax[len(self.names) :]:
            one.set_axis_off()


def _curve(ax: Any, found: tuple[np.ndarray, ...], names: tuple[str, ...]) -> None:
    """A curve with a band of two standard deviations; bars where the values are few."""
    values, mean, std = found
    if len(values) <= MOST_LEVELS:
        ax.errorbar(values, mean, 2.0 * std, fmt="o", capsize=3.0)
    else:
        ax.plot(values, mean)
        ax.fill_between(values, mean - 2.0 * std, mean + 2.0 * std, alpha=0.25, linewidth=0.0)
    ax.axhline(0.0, color="grey", linewidth=0.5)
    ax.set_xlabel(names[0])


def _map(ax: Any, found: tuple[np.ndarray, ...], names: tuple[str, ...]) -> None:
    """A map of a surface, white where it is zero."""
    first, second, mean, _ = found
    largest = float(np.abs(mean).max()) or 1.0
    drawn = ax.pcolormesh(
        first, second, mean.T, cmap="RdBu_r", vmin=-largest, vmax=largest, shading="nearest"
    )
    ax.figure.colorbar(drawn, ax=ax)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
