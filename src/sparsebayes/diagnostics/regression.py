"""Error bars against errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from sparsebayes.diagnostics._rows import checked_target, table
from sparsebayes.diagnostics.judging import judged, knows_itself


@dataclass(frozen=True, eq=False)
class RegressionCalibration:
    """How well the error bars of a regressor match its errors. `calibration_report` makes it.

    Parameters
    ----------
    levels : array of shape (n_levels,)
        Probabilities of the central intervals.
    coverage : array of shape (n_levels,)
        The share of targets in the interval of each level. For a calibrated model it is about the
        level.
    coverage_error : array of shape (n_levels,)
        Standard error of the coverage of a calibrated model,
        ``sqrt(level (1 - level) / n_samples)``. A coverage more than two of them from its level is
        hardly chance.
    pit : array of shape (n_samples,)
        Probability integral transform: the predicted probability of a smaller target. For a
        calibrated model it is uniform. For a Gaussian it is ``Phi((y - mean) / std)``.
    nlpd : float
        Negative log predictive density: minus the mean of log p(y), in nats. For a Gaussian p(y) is
        ``N(y | mean, std^2)``.
    sharpness : float
        Mean of the predicted standard deviations. Of two calibrated models the one with the smaller
        sharpness is better.
    rmse : float
        Root of the mean squared error of the predicted means.
    n_samples : int
        Number of rows.
    gaussian : bool, default=True
        Whether `pit` and `nlpd` are those of the Gaussian of mean and standard deviation, and not
        those of a distribution that the estimator has itself.

    See Also
    --------
    RegressionCalibrationDisplay : Draws it.

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.diagnostics import calibration_report
    >>> model = RVR().fit(*noisy_sinc(100, random_state=0))
    >>> report = calibration_report(model, *noisy_sinc(500, random_state=1), levels=[0.9])
    >>> bool(abs(report.coverage[0] - 0.9) < 0.1)
    True
    """

    levels: np.ndarray
    coverage: np.ndarray
    coverage_error: np.ndarray
    pit: np.ndarray = field(repr=False)
    nlpd: float
    sharpness: float
    rmse: float
    n_samples: int
    gaussian: bool = True

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
            + table(("level", "coverage", "standard error", "off by"), rows)
        )


def regression_calibration(
    estimator: Any, X: Any, y: Any, levels: Sequence[float]
) -> RegressionCalibration:
    """What `calibration_report` says of a regressor."""
    level = _checked_levels(levels)
    y = checked_target(estimator, X, y, np.float64)
    mean, std = _mean_and_std(estimator, X, len(y))
    if knows_itself(estimator):
        own = judged(estimator, X, y.reshape(mean.shape), mean, std, level)
        nlpd = -float(own.log_density.mean())
        inside, pit = own.inside[:, :, 0], own.pit[:, 0]
        return summarised(y, mean.ravel(), std.ravel(), level, inside, pit, nlpd)
    mean, std = mean.ravel(), std.ravel()
    score = standard_score(y - mean, std)
    if hasattr(estimator, "predict_quantiles"):
        low, high = _interval_ends(estimator, X, level, len(y))
        inside = (low <= y[:, None]) & (y[:, None] <= high)
    else:
        inside = np.abs(score[:, None]) <= ndtri(0.5 + 0.5 * level)
    found = summarised(y, mean, std, level, inside, ndtr(score), _nlpd(score, std))
    return replace(found, gaussian=True)


def summarised(
    y: np.ndarray,
    mean: np.ndarray,
    std: np.ndarray,
    level: np.ndarray,
    inside: np.ndarray,
    pit: np.ndarray,
    nlpd: float,
) -> RegressionCalibration:
    """The report of targets that were judged row by row; see `Judged`, with one output."""
    return RegressionCalibration(
        levels=level,
        coverage=inside.mean(axis=0),
        coverage_error=coverage_error(level, len(y)),
        pit=pit,
        nlpd=nlpd,
        sharpness=float(std.mean()),
        rmse=float(np.sqrt(np.mean((y - mean) ** 2))),
        n_samples=len(y),
        gaussian=False,
    )


def _checked_levels(levels: Any) -> np.ndarray:
    array = np.asarray(levels, dtype=np.float64)
    if array.ndim != 1 or not len(array) or not np.all((array > 0.0) & (array < 1.0)):
        raise ValueError(f"levels must be a list of numbers between 0 and 1, got {levels!r}.")
    return array


def _mean_and_std(estimator: Any, X: Any, n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Predicted mean and standard deviation, (n,) or (n, 1)."""
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
    return mean, std


def standard_score(residual: np.ndarray, std: np.ndarray) -> np.ndarray:
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


def coverage_error(level: Any, n_samples: int) -> Any:
    """Standard deviation of the share of n_samples draws, each of probability level."""
    return np.sqrt(level * (1.0 - level) / n_samples)
