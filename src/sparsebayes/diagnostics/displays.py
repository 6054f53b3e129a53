"""Pictures of calibration, after the manner of scikit-learn's displays."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_scalar

from sparsebayes.diagnostics.classification import (
    ClassificationCalibration,
    classification_calibration,
    what_is_binned,
)
from sparsebayes.diagnostics.regression import (
    RegressionCalibration,
    coverage_error,
    regression_calibration,
)
from sparsebayes.diagnostics.report import LEVELS
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.plots.display import Display

# A dot at 0 or 1 is drawn whole.
MARGIN = (-0.02, 1.02)
BAR = "#79aed3"


class RegressionCalibrationDisplay(Display):
    """Coverage against level, and a histogram of the probability integral transform.

    Grey is where a calibrated model would be, within two standard errors, in 19 of 20 places. Error
    bars are too small if the curve is below the diagonal, or the histogram has high ends. They are
    too large if the curve is above it, or the histogram has a hump in the middle. Means are off if
    the histogram has a slope. Make it with `from_estimator` or `from_report`.

    The curve and the histogram are of the distribution that the estimator has itself, or else of
    the Gaussian of mean and standard deviation. The dots are the coverage of the report, which may
    be that of quantiles of the estimator's own.

    Parameters
    ----------
    report : RegressionCalibration
        What to draw.

    Attributes
    ----------
    ax_, figure_ : array of two matplotlib Axes, and their Figure
        What it was drawn on, after `plot`.

    See Also
    --------
    calibration_report : The numbers.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/uncertainty.html

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.diagnostics import RegressionCalibrationDisplay
    >>> model, (X, y) = RVR().fit(*noisy_sinc(60, random_state=0)), noisy_sinc(200, random_state=1)
    >>> display = RegressionCalibrationDisplay.from_estimator(model, X, y)
    >>> plt.show()  # doctest: +SKIP
    >>> plt.close()
    """

    layout: ClassVar[dict[str, Any]] = {"layout": "constrained", "ncols": 2, "figsize": (9.0, 4.2)}

    def __init__(self, *, report: RegressionCalibration) -> None:
        self.report = report

    @classmethod
    @without_numpy_errors
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        levels: Sequence[float] = LEVELS,
        n_bins: int = 10,
        ax: Any = None,
    ) -> Self:
        """Make the report of a fitted regressor, and plot it.

        Parameters
        ----------
        estimator : estimator
            A fitted regressor whose `predict` takes ``return_std=True``.
        X : array-like or data frame of n_samples rows
            Inputs that it was not trained on.
        y : array-like of shape (n_samples,)
            Their targets.
        levels : sequence of float, default=(0.5, 0.8, 0.9, 0.95)
            Where the dots are.
        n_bins : int, default=10
            Number of bins of the histogram.
        ax : two matplotlib Axes, default=None
            What to draw on. None makes a new figure.

        Returns
        -------
        display : RegressionCalibrationDisplay
            The display, drawn.
        """
        report = regression_calibration(estimator, X, y, levels)
        return cls.from_report(report, n_bins=n_bins, ax=ax)

    @classmethod
    def from_report(
        cls, report: RegressionCalibration, *, n_bins: int = 10, ax: Any = None
    ) -> Self:
        """Plot a report that was made before.

        Parameters
        ----------
        report : RegressionCalibration
            What `calibration_report` gave.
        n_bins : int, default=10
            Number of bins of the histogram.
        ax : two matplotlib Axes, default=None
            What to draw on. None makes a new figure.

        Returns
        -------
        display : RegressionCalibrationDisplay
            The display, drawn.
        """
        return cls(report=report).plot(ax=ax, n_bins=n_bins)

    def plot(self, *, ax: Any = None, n_bins: int = 10) -> Self:
        """Draw both pictures.

        Parameters
        ----------
        ax : two matplotlib Axes, default=None
            What to draw on. None makes a new figure.
        n_bins : int, default=10
            Number of bins of the histogram.

        Returns
        -------
        self : RegressionCalibrationDisplay
            The display.
        """
        check_scalar(n_bins, "n_bins", Integral, min_val=1)
        return self._on(ax, n_bins)

    def _draw(self, ax: Any, n_bins: int) -> None:
        """Draw both pictures."""
        self._plot_coverage(ax[0])
        self._plot_histogram(ax[1], n_bins)

    def _plot_coverage(self, ax: Any) -> None:
        """Shares of rows with |2 pit - 1| <= level, which is to be in the central interval."""
        report, grid = self.report, np.linspace(0.0, 1.0, 201)
        covered = np.searchsorted(np.sort(np.abs(2.0 * report.pit - 1.0)), grid, side="right")
        width = 2.0 * coverage_error(grid, report.n_samples)
        band = np.clip([grid - width, grid + width], 0.0, 1.0)
        ax.fill_between(grid, *band, color="0.85", lw=0, label="calibrated ± 2 standard errors")
        ax.plot(grid, grid, "--", color="0.4", lw=1)
        of = "Gaussian of mean and std" if report.gaussian else "predicted distribution"
        ax.plot(grid, covered / report.n_samples, color="C0", label=of)
        ax.plot(report.levels, report.coverage, "o", color="C3", ms=5, label="levels of the report")
        ax.set(xlim=MARGIN, ylim=MARGIN, aspect="equal")
        ax.set(xlabel="level of the central interval", ylabel="share of targets in it")
        ax.legend(loc="best", fontsize="small")

    def _plot_histogram(self, ax: Any, n_bins: int) -> None:
        """Density of pit, which is 1 everywhere for a calibrated model."""
        width = 2.0 * n_bins * coverage_error(1.0 / n_bins, self.report.n_samples)
        edges = np.linspace(0.0, 1.0, n_bins + 1)
        ax.hist(self.report.pit, edges, density=True, color=BAR, edgecolor="white")
        ax.axhspan(max(1.0 - width, 0.0), 1.0 + width, color="0.5", alpha=0.3, lw=0)
        ax.axhline(1.0, ls="--", color="0.4", lw=1)
        what = "Φ((y - mean) / std)" if self.report.gaussian else "probability of a smaller y"
        ax.set(xlim=MARGIN, xlabel=f"PIT: {what}", ylabel="density")


class ClassificationCalibrationDisplay(Display):
    """Reliability diagram of a classifier, and how many rows are in each bin.

    Bars are two standard errors: if the model is calibrated, 19 in 20 of them reach the diagonal.
    Dots below it say that probabilities are too high. Make it with `from_estimator` or
    `from_report`.

    Parameters
    ----------
    report : ClassificationCalibration
        What to draw.

    Attributes
    ----------
    ax_, figure_ : array of two matplotlib Axes, and their Figure
        What it was drawn on, after `plot`.

    See Also
    --------
    calibration_report : The numbers.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/uncertainty.html

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sparsebayes import RVC
    >>> from sparsebayes.datasets import ripley_mixture
    >>> from sparsebayes.diagnostics import ClassificationCalibrationDisplay
    >>> model = RVC(gamma=4.0).fit(*ripley_mixture(100, random_state=0))
    >>> X, y = ripley_mixture(500, random_state=1)
    >>> display = ClassificationCalibrationDisplay.from_estimator(model, X, y)
    >>> plt.show()  # doctest: +SKIP
    >>> plt.close()
    """

    layout: ClassVar[dict[str, Any]] = {
        "layout": "constrained",
        "nrows": 2,
        "figsize": (4.8, 5.6),
        "sharex": True,
        "height_ratios": (3, 1),
    }

    def __init__(self, *, report: ClassificationCalibration) -> None:
        self.report = report

    @classmethod
    @without_numpy_errors
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, n_bins: int = 10, ax: Any = None
    ) -> Self:
        """Make the report of a fitted classifier, and plot it.

        Parameters
        ----------
        estimator : estimator
            A fitted classifier with `predict_proba`.
        X : array-like or data frame of n_samples rows
            Inputs that it was not trained on.
        y : array-like of shape (n_samples,)
            Their labels.
        n_bins : int, default=10
            The number of bins from 0 to 1.
        ax : two matplotlib Axes, default=None
            What to draw on. None makes a new figure.

        Returns
        -------
        display : ClassificationCalibrationDisplay
            The display, drawn.
        """
        return cls.from_report(classification_calibration(estimator, X, y, n_bins), ax=ax)

    @classmethod
    def from_report(cls, report: ClassificationCalibration, *, ax: Any = None) -> Self:
        """Plot a report that was made before.

        Parameters
        ----------
        report : ClassificationCalibration
            What `calibration_report` gave.
        ax : two matplotlib Axes, default=None
            What to draw on. None makes a new figure.

        Returns
        -------
        display : ClassificationCalibrationDisplay
            The display, drawn.
        """
        return cls(report=report).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        """Draw the diagram and the bars."""
        report, (confidence, accuracy) = self.report, what_is_binned(self.report.classes)
        filled = report.count > 0
        ax[0].plot([0.0, 1.0], [0.0, 1.0], "--", color="0.4", lw=1)
        x, height = report.confidence[filled], report.accuracy[filled]
        error = 2.0 * report.accuracy_error[filled]
        ax[0].errorbar(x, height, error, fmt="none", ecolor="0.6", label="± 2 standard errors")
        ax[0].plot(x, height, "o-", color="C0", ms=5)
        ax[0].set(xlim=MARGIN, ylim=MARGIN, ylabel=accuracy)
        ax[0].legend(loc="best", fontsize="small")
        width = np.diff(report.edges)
        ax[1].bar(
            report.edges[:-1], report.count, width, align="edge", color=BAR, edgecolor="white"
        )
        ax[1].set(xlim=MARGIN, xlabel=confidence, ylabel="rows")
