"""Whether a model knows how sure it is: what it predicts, against what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Self

import numpy as np
from scipy.special import ndtr, ndtri
from sklearn.base import is_classifier
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    check_scalar,
)

LEVELS = (0.5, 0.8, 0.9, 0.95)

# How far probabilities may be from a sum of 1: those in single precision are rounded.
ROUNDING = 1e-3


@dataclass(frozen=True, eq=False)
class RegressionCalibration:
    """How well the error bars of a regressor match its errors. Made by `calibration_report`.

    Parameters
    ----------
    levels : array of shape (n_levels,)
        Probabilities that central intervals were asked for.
    coverage : array of shape (n_levels,)
        The share of targets in the interval of each level; of a calibrated model, about the level.
    coverage_error : array of shape (n_levels,)
        Standard error of the coverage of a calibrated model, sqrt(level (1 - level) / n_samples).
        A coverage more than two of them from its level is hardly chance.
    pit : array of shape (n_samples,)
        Probability integral transform, Phi((y - mean) / std); of a calibrated model, uniform.
    nlpd : float
        Negative log predictive density, minus the mean of log N(y | mean, std^2), in nats.
    sharpness : float
        Mean of the predicted standard deviations. Of two calibrated models the sharper is better.
    rmse : float
        Root of the mean squared error of the predicted means.
    n_samples : int
    """

    levels: np.ndarray
    coverage: np.ndarray
    coverage_error: np.ndarray
    pit: np.ndarray = field(repr=False)
    nlpd: float
    sharpness: float
    rmse: float
    n_samples: int

    def __str__(self) -> str:
        difference = (self.coverage - self.levels) / self.coverage_error
        columns = (self.levels, self.coverage, self.coverage_error, difference)
        rows = [
            (f"{level:g}", f"{share:.3f}", f"{error:.3f}", f"{off:+.1f} errors")
            for level, share, error, off in zip(*columns, strict=True)
        ]
        return (
            f"{self.n_samples} rows: rmse {self.rmse:.4g}, sharpness (mean std) "
            f"{self.sharpness:.4g}, nlpd {self.nlpd:.4g}\n"
            + _table(("level", "coverage", "standard error", "off by"), rows)
        )


@dataclass(frozen=True, eq=False)
class ClassificationCalibration:
    """How well the probabilities of a classifier match its hits. Made by `calibration_report`.

    Of two classes, `confidence` is the probability of `classes[1]` and `accuracy` the share of rows
    that are of this class, as in scikit-learn's `calibration_curve`. Of more classes, `confidence`
    is the probability of the most probable class, and `accuracy` the share of rows that are of it.
    Bins have equal widths. One without rows has a confidence and an accuracy of NaN.

    Parameters
    ----------
    classes : array of shape (n_classes,)
        As the estimator orders them.
    edges : array of shape (n_bins + 1,)
        Where bins begin and end, from 0 to 1. A confidence on an edge is in the bin below it.
    confidence, accuracy : arrays of shape (n_bins,)
        Mean of each bin; of a calibrated model, about the same.
    accuracy_error : array of shape (n_bins,)
        Standard error of the accuracy of a calibrated model, sqrt(sum p (1 - p)) / count, p the
        confidences in the bin. A difference of more than two of them is hardly chance.
    count : array of shape (n_bins,)
        The number of rows in each bin.
    log_loss : float
        Minus the mean log probability of the true class, in nats. A probability of zero counts as
        2.2e-16, as in scikit-learn.
    brier : float
        Mean square of probability minus outcome; of more than two classes, summed over them.
    expected_calibration_error : float
        The mean over rows of |accuracy - confidence| of their bin.
    error : float
        The share of rows whose most probable class is wrong.
    n_samples : int
    """

    classes: np.ndarray
    edges: np.ndarray = field(repr=False)
    confidence: np.ndarray
    accuracy: np.ndarray
    accuracy_error: np.ndarray
    count: np.ndarray
    log_loss: float
    brier: float
    expected_calibration_error: float
    error: float
    n_samples: int

    def __str__(self) -> str:
        filled = self.count > 0
        columns = (self.confidence, self.accuracy, self.accuracy_error, self.count)
        rows = [
            (f"{confidence:.3f}", f"{accuracy:.3f}", f"{error:.3f}", f"{count}")
            for confidence, accuracy, error, count in zip(
                *(column[filled] for column in columns), strict=True
            )
        ]
        return (
            f"{self.n_samples} rows, {len(self.classes)} classes: error {self.error:.4g}, log loss "
            f"{self.log_loss:.4g}, brier {self.brier:.4g}, "
            f"expected calibration error {self.expected_calibration_error:.4g}\n"
            + _table((*_what_is_binned(self.classes), "standard error", "rows"), rows)
        )


def _what_is_binned(classes: np.ndarray) -> tuple[str, str]:
    """Names of `confidence` and `accuracy`."""
    if len(classes) == 2:
        return f"probability of {classes[1]}", f"share of {classes[1]}"
    return "confidence", "accuracy"


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Plain text, columns right-aligned below their names."""
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    return "\n".join(
        "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        for line in (names, *rows)
    )


def calibration_report(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    levels: Sequence[float] = LEVELS,
    n_bins: int = 10,
) -> RegressionCalibration | ClassificationCalibration:
    """Compare predicted uncertainties with what happened. Use rows that were not trained on.

    A regressor predicts a Gaussian with its mean and standard deviation. Where it has
    `predict_quantiles`, coverage is that of its own quantiles, which may have heavier tails; `pit`
    and `nlpd` stay those of the Gaussian. A pipeline passes `return_std` on, but no quantiles.

    A standard deviation of zero is taken at its word, as certainty: the interval of every level is
    the mean alone. A target off the mean is in none of them, has a `pit` of 0 or 1, and makes
    `nlpd` infinite. One that equals the mean is in all, has a `pit` of 0.5, and makes `nlpd` minus
    infinity, unless another row makes it infinite.

    Parameters
    ----------
    estimator : fitted scikit-learn estimator
        A regressor whose `predict` takes `return_std=True`, or a classifier with `predict_proba`.
    X : inputs that the estimator takes, of n_samples rows
    y : array-like of shape (n_samples,)
        What happened: numbers, or labels of the classes the estimator knows.
    levels : sequence of float, default=(0.5, 0.8, 0.9, 0.95)
        Probabilities of central intervals, between 0 and 1. For regressors.
    n_bins : int, default=10
        The number of bins from 0 to 1. For classifiers.

    Returns
    -------
    report : RegressionCalibration or ClassificationCalibration
        Numbers and arrays; `print` shows them as a table.

    Examples
    --------
    A regressor with error bars, and rows that it has not seen:

    >>> from sklearn.gaussian_process import GaussianProcessRegressor
    >>> from sklearn.gaussian_process.kernels import RBF, WhiteKernel
    >>> from sparsebayes.datasets import noisy_sinc, ripley_mixture
    >>> from sparsebayes.diagnostics import calibration_report
    >>> model = GaussianProcessRegressor(RBF(2.0) + WhiteKernel(0.01), optimizer=None)
    >>> model = model.fit(*noisy_sinc(100, random_state=0))
    >>> print(calibration_report(model, *noisy_sinc(500, random_state=1)))
    500 rows: rmse 0.1015, sharpness (mean std) 0.1067, nlpd -0.8661
    level  coverage  standard error       off by
      0.5     0.528           0.022  +1.3 errors
      0.8     0.828           0.018  +1.6 errors
      0.9     0.920           0.013  +1.5 errors
     0.95     0.958           0.010  +0.8 errors

    A classifier of our own:

    >>> from sparsebayes import RVC
    >>> model = RVC(gamma=4.0).fit(*ripley_mixture(250, random_state=0))
    >>> report = calibration_report(model, *ripley_mixture(1000, random_state=1), n_bins=5)
    >>> report.error < 0.15, report.expected_calibration_error < 0.1
    (True, True)
    >>> int(report.count.sum())
    1000
    """
    if is_classifier(estimator) or hasattr(estimator, "predict_proba"):
        return _classification_calibration(estimator, X, y, n_bins)
    return _regression_calibration(estimator, X, y, levels)


def _checked_target(estimator: Any, X: Any, y: Any, dtype: Any) -> np.ndarray:
    """y (n,), one for each row of X."""
    check_is_fitted(estimator)
    y = check_array(y, ensure_2d=False, dtype=dtype, input_name="y")
    check_consistent_length(X, y)
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f"calibration_report takes one output, got y of shape {y.shape}: fit and report each "
            "column of y by itself."
        )
    return y.ravel()


# Regression.


def _regression_calibration(
    estimator: Any, X: Any, y: Any, levels: Sequence[float]
) -> RegressionCalibration:
    level = _checked_levels(levels)
    y = _checked_target(estimator, X, y, np.float64)
    mean, std = _mean_and_std(estimator, X, len(y))
    score = _standard_score(y - mean, std)
    if hasattr(estimator, "predict_quantiles"):
        low, high = _interval_ends(estimator, X, level, len(y))
        inside = (low <= y[:, None]) & (y[:, None] <= high)
    else:
        inside = np.abs(score[:, None]) <= ndtri(0.5 + 0.5 * level)
    return RegressionCalibration(
        levels=level,
        coverage=inside.mean(axis=0),
        coverage_error=_coverage_error(level, len(y)),
        pit=ndtr(score),
        nlpd=_nlpd(score, std),
        sharpness=float(std.mean()),
        rmse=float(np.sqrt(np.mean((y - mean) ** 2))),
        n_samples=len(y),
    )


def _checked_levels(levels: Any) -> np.ndarray:
    array = np.asarray(levels, dtype=np.float64)
    if array.ndim != 1 or not len(array) or not np.all((array > 0.0) & (array < 1.0)):
        raise ValueError(f"levels must be a list of numbers between 0 and 1, got {levels!r}.")
    return array


def _mean_and_std(estimator: Any, X: Any, n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Predicted mean and standard deviation (n,)."""
    name = type(estimator).__name__
    try:
        mean, std = estimator.predict(X, return_std=True)
    except (AttributeError, TypeError, ValueError) as error:
        estimator.predict(X)  # an error that has nothing to do with return_std comes as it is
        raise TypeError(
            f"calibration_report needs predict(X, return_std=True), which {name} does not answer "
            "with a mean and a standard deviation. Give it the regressor that does, such as RVR, "
            "GaussianProcessRegressor or BayesianRidge, a Pipeline that ends with one, or the "
            "best_estimator_ of a search."
        ) from error
    mean, std = np.asarray(mean, dtype=np.float64), np.asarray(std, dtype=np.float64)
    if mean.size != n_samples or std.size != n_samples:
        raise ValueError(
            f"calibration_report takes one output, got a mean of shape {mean.shape} and a std of "
            f"shape {std.shape} from {name} for {n_samples} rows: fit and report each output by "
            "itself."
        )
    if not (np.isfinite(mean).all() and np.isfinite(std).all() and (std >= 0.0).all()):
        raise ValueError(
            f"{name} predicts a mean or a standard deviation that is not finite, or is negative; "
            "expected finite numbers. Look at predict(X, return_std=True)."
        )
    return mean.ravel(), std.ravel()


def _standard_score(residual: np.ndarray, std: np.ndarray) -> np.ndarray:
    """residual / std (n,), and 0 for no residual, be std 0 or not."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(residual == 0.0, 0.0, residual / std)


def _interval_ends(
    estimator: Any, X: Any, level: np.ndarray, n_samples: int
) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles (1 - level) / 2 and (1 + level) / 2 of each row, (n, n_levels) each."""
    both = np.concatenate([0.5 - 0.5 * level, 0.5 + 0.5 * level])
    quantiles = np.asarray(estimator.predict_quantiles(X, both)).reshape(n_samples, len(both))
    return quantiles[:, : len(level)], quantiles[:, len(level) :]


def _nlpd(score: np.ndarray, std: np.ndarray) -> float:
    """Minus the mean of log N(y | mean, std^2) = -(score^2 + log(2 pi)) / 2 - log(std)."""
    with np.errstate(divide="ignore", over="ignore"):
        square, log_std = score**2, np.log(std)
    if np.isinf(square).any():  # beside a log(0) this would be no number
        return np.inf
    return float(np.mean(0.5 * (square + np.log(2.0 * np.pi)) + log_std))


def _coverage_error(level: Any, n_samples: int) -> Any:
    """Standard deviation of the share of n_samples draws, each of probability level."""
    return np.sqrt(level * (1.0 - level) / n_samples)


# Classification.


def _classification_calibration(
    estimator: Any, X: Any, y: Any, n_bins: int
) -> ClassificationCalibration:
    check_scalar(n_bins, "n_bins", Integral, min_val=1)
    y = _checked_target(estimator, X, y, None)
    probability = _probabilities(estimator, X, len(y))
    truth = _positions(estimator, y)
    two = probability.shape[1] == 2
    hit = probability.argmax(axis=1) == truth
    confidence = probability[:, 1] if two else probability.max(axis=1)
    squares = ((probability - np.eye(probability.shape[1])[truth]) ** 2).sum(axis=1)
    of_truth = np.maximum(probability[np.arange(len(y)), truth], np.finfo(np.float64).eps)
    return ClassificationCalibration(
        classes=np.asarray(estimator.classes_),
        **_bins(confidence, truth == 1 if two else hit, n_bins),
        log_loss=float(-np.log(of_truth).mean()),
        brier=float(squares.mean()) / (2.0 if two else 1.0),
        error=float(np.mean(~hit)),
        n_samples=len(y),
    )


def _positions(estimator: Any, y: np.ndarray) -> np.ndarray:
    """Of each label its place in `classes_` (n,)."""
    place = {label: k for k, label in enumerate(np.asarray(estimator.classes_).tolist())}
    labels = y.tolist()
    unseen = {label for label in labels if label not in place}
    if unseen:
        raise ValueError(
            f"y holds labels that {type(estimator).__name__} has not seen: "
            f"{sorted(unseen, key=str)[:5]}; expected some of {list(place)}. Leave these rows out, "
            "or fit with rows of these classes."
        )
    return np.array([place[label] for label in labels])


def _probabilities(estimator: Any, X: Any, n_samples: int) -> np.ndarray:
    """Predicted probabilities (n, n_classes)."""
    name = type(estimator).__name__
    if not hasattr(estimator, "predict_proba"):
        raise TypeError(
            f"calibration_report needs predict_proba, which {name} does not have. Give it a "
            "classifier that does, such as RVC, or wrap this one in CalibratedClassifierCV."
        )
    probability = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    if probability.shape != (n_samples, len(estimator.classes_)):
        raise ValueError(
            f"predict_proba of {name} gives an array of shape {probability.shape}; expected a row "
            f"for each of {n_samples} samples and a column for each of "
            f"{len(estimator.classes_)} classes."
        )
    excess = np.abs(probability.sum(axis=1) - 1.0)
    if not (excess.max() < ROUNDING and probability.min() > -ROUNDING):
        raise ValueError(
            f"predict_proba of {name} gives numbers that are no probabilities; expected numbers of "
            "0 or more that sum to 1 in each row."
        )
    return np.clip(probability, 0.0, 1.0)


def _bins(confidence: np.ndarray, outcome: np.ndarray, n_bins: int) -> dict[str, Any]:
    """Means of confidence and outcome in bins of equal width, and how far they are apart."""
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    place = np.searchsorted(edges[1:-1], confidence)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(place, values, minlength=n_bins)

    count = np.bincount(place, minlength=n_bins)
    expected, happened = total(confidence), total(outcome)
    with np.errstate(invalid="ignore"):
        return {
            "edges": edges,
            "confidence": expected / count,
            "accuracy": happened / count,
            "accuracy_error": np.sqrt(total(confidence * (1.0 - confidence))) / count,
            "count": count,
            "expected_calibration_error": float(np.abs(expected - happened).sum() / len(place)),
        }


# Pictures. A dot at 0 or 1 is drawn whole.

MARGIN = (-0.02, 1.02)
BAR = "#79aed3"


def _two_axes(ax: Any, **layout: Any) -> np.ndarray:
    """The pair of axes to draw on; new ones by default."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            "plots need matplotlib, which is not installed: pip install 'sparsebayes[plot]'."
        ) from error
    if ax is None:
        return pyplot.subplots(layout="constrained", **layout)[1]
    axes = np.ravel(ax)
    if len(axes) != 2:
        raise ValueError(f"ax must be None or two axes, such as pyplot.subplots(2)[1]; got {ax!r}.")
    return axes


class RegressionCalibrationDisplay:
    """Coverage against level, and a histogram of the probability integral transform.

    Grey is where a calibrated model would be: within two standard errors in 19 of 20 places. A
    curve below the diagonal, or a histogram with high ends, says that error bars are too small;
    above it, or a hump in the middle, that they are too large; a slope, that means are off. Made by
    `from_estimator` or `from_report`.

    The curve and the histogram are of the Gaussian of mean and standard deviation. The dots are
    the coverage of the report, which may be that of quantiles of the estimator's own.

    Parameters
    ----------
    report : RegressionCalibration

    Attributes
    ----------
    ax_ : array of two matplotlib axes, after `plot`
    figure_ : matplotlib figure, after `plot`
    """

    def __init__(self, *, report: RegressionCalibration) -> None:
        self.report = report

    @classmethod
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
        estimator, X, y : see `calibration_report`
        levels : sequence of float, default=(0.5, 0.8, 0.9, 0.95)
            Where the dots are.
        n_bins : int, default=10
            Of the histogram.
        ax : two matplotlib axes, default=None

        Returns
        -------
        display : RegressionCalibrationDisplay
        """
        report = _regression_calibration(estimator, X, y, levels)
        return cls.from_report(report, n_bins=n_bins, ax=ax)

    @classmethod
    def from_report(
        cls, report: RegressionCalibration, *, n_bins: int = 10, ax: Any = None
    ) -> Self:
        """Plot a report that was made before.

        Parameters
        ----------
        report : RegressionCalibration
        n_bins : int, default=10
            Of the histogram.
        ax : two matplotlib axes, default=None

        Returns
        -------
        display : RegressionCalibrationDisplay
        """
        return cls(report=report).plot(ax=ax, n_bins=n_bins)

    def plot(self, *, ax: Any = None, n_bins: int = 10) -> Self:
        """Draw on the two axes `ax`.

        Parameters
        ----------
        ax : two matplotlib axes, default=None
        n_bins : int, default=10
            Of the histogram.

        Returns
        -------
        self : RegressionCalibrationDisplay
        """
        check_scalar(n_bins, "n_bins", Integral, min_val=1)
        axes = _two_axes(ax, ncols=2, figsize=(9.0, 4.2))
        self._plot_coverage(axes[0])
        self._plot_histogram(axes[1], n_bins)
        self.ax_, self.figure_ = axes, axes[0].figure
        return self

    def _plot_coverage(self, ax: Any) -> None:
        """Shares of rows with |2 pit - 1| <= level, which is to be in the central interval."""
        report, grid = self.report, np.linspace(0.0, 1.0, 201)
        covered = np.searchsorted(np.sort(np.abs(2.0 * report.pit - 1.0)), grid, side="right")
        width = 2.0 * _coverage_error(grid, report.n_samples)
        band = np.clip([grid - width, grid + width], 0.0, 1.0)
        ax.fill_between(grid, *band, color="0.85", lw=0, label="calibrated ± 2 standard errors")
        ax.plot(grid, grid, "--", color="0.4", lw=1)
        ax.plot(grid, covered / report.n_samples, color="C0", label="Gaussian of mean and std")
        ax.plot(report.levels, report.coverage, "o", color="C3", ms=5, label="levels of the report")
        ax.set(xlim=MARGIN, ylim=MARGIN, aspect="equal")
        ax.set(xlabel="level of the central interval", ylabel="share of targets in it")
        ax.legend(loc="best", fontsize="small")

    def _plot_histogram(self, ax: Any, n_bins: int) -> None:
        """Density of pit, which is 1 everywhere for a calibrated model."""
        width = 2.0 * n_bins * _coverage_error(1.0 / n_bins, self.report.n_samples)
        edges = np.linspace(0.0, 1.0, n_bins + 1)
        ax.hist(self.report.pit, edges, density=True, color=BAR, edgecolor="white")
        ax.axhspan(max(1.0 - width, 0.0), 1.0 + width, color="0.5", alpha=0.3, lw=0)
        ax.axhline(1.0, ls="--", color="0.4", lw=1)
        ax.set(xlim=MARGIN, xlabel="PIT: Φ((y - mean) / std)", ylabel="density")


class ClassificationCalibrationDisplay:
    """Reliability diagram, and how many rows are in each bin.

    Bars are two standard errors: of a calibrated model, 19 in 20 reach the diagonal. Dots below it
    say that probabilities are too high. Made by `from_estimator` or `from_report`.

    Parameters
    ----------
    report : ClassificationCalibration

    Attributes
    ----------
    ax_ : array of two matplotlib axes, after `plot`
    figure_ : matplotlib figure, after `plot`
    """

    def __init__(self, *, report: ClassificationCalibration) -> None:
        self.report = report

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, n_bins: int = 10, ax: Any = None
    ) -> Self:
        """Make the report of a fitted classifier, and plot it.

        Parameters
        ----------
        estimator, X, y, n_bins : see `calibration_report`
        ax : two matplotlib axes, default=None

        Returns
        -------
        display : ClassificationCalibrationDisplay
        """
        return cls.from_report(_classification_calibration(estimator, X, y, n_bins), ax=ax)

    @classmethod
    def from_report(cls, report: ClassificationCalibration, *, ax: Any = None) -> Self:
        """Plot a report that was made before.

        Parameters
        ----------
        report : ClassificationCalibration
        ax : two matplotlib axes, default=None

        Returns
        -------
        display : ClassificationCalibrationDisplay
        """
        return cls(report=report).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw on the two axes `ax`.

        Parameters
        ----------
        ax : two matplotlib axes, default=None

        Returns
        -------
        self : ClassificationCalibrationDisplay
        """
        layout = {"nrows": 2, "sharex": True, "height_ratios": (3, 1), "figsize": (4.8, 5.6)}
        axes = _two_axes(ax, **layout)
        report, (confidence, accuracy) = self.report, _what_is_binned(self.report.classes)
        filled = report.count > 0
        axes[0].plot([0.0, 1.0], [0.0, 1.0], "--", color="0.4", lw=1)
        x, height = report.confidence[filled], report.accuracy[filled]
        error = 2.0 * report.accuracy_error[filled]
        axes[0].errorbar(x, height, error, fmt="none", ecolor="0.6", label="± 2 standard errors")
        axes[0].plot(x, height, "o-", color="C0", ms=5)
        axes[0].set(xlim=MARGIN, ylim=MARGIN, ylabel=accuracy)
        axes[0].legend(loc="best", fontsize="small")
        width = np.diff(report.edges)
        axes[1].bar(
            report.edges[:-1], report.count, width, align="edge", color=BAR, edgecolor="white"
        )
        axes[1].set(xlim=MARGIN, xlabel=confidence, ylabel="rows")
        self.ax_, self.figure_ = axes, axes[0].figure
        return self
