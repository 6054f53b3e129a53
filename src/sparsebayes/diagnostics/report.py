"""The report on any estimator, whether it is a classifier or a regressor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.base import is_classifier

from sparsebayes.diagnostics.classification import (
    N_BINS,
    ClassificationCalibration,
    classification_calibration,
)
from sparsebayes.diagnostics.regression import RegressionCalibration, regression_calibration
from sparsebayes.model.arrays import without_numpy_errors

LEVELS = (0.5, 0.8, 0.9, 0.95)


@without_numpy_errors
def calibration_report(
    estimator: Any, X: Any, y: Any, *, levels: Sequence[float] = LEVELS, n_bins: int = N_BINS
) -> RegressionCalibration | ClassificationCalibration:
    """Compare predicted uncertainties with what happened. Use rows that were not trained on.

    Where samples or units were measured several times, use samples of which no row was trained on.

    A regressor is taken to predict a Gaussian with its mean and standard deviation. If it has
    `predict_quantiles`, coverage is that of its own quantiles, which may have heavier tails. If it
    also has `log_density`, as RVR has, `pit` and `nlpd` are those of its own distribution too.
    Counts are whole numbers, so an interval can hold more of them than its level says; the excess
    is taken off. A pipeline passes `return_std` on, but none of the others.

    A standard deviation of zero is taken as certainty. A target off the mean is then in no
    interval, has a `pit` of 0 or 1, and makes `nlpd` infinite. A target that equals the mean is in
    all intervals, has a `pit` of 0.5, and makes `nlpd` minus infinity, unless another row makes it
    infinite.

    Parameters
    ----------
    estimator : estimator
        A fitted regressor whose `predict` takes ``return_std=True``, or a fitted classifier with
        `predict_proba`.
    X : array-like or data frame of n_samples rows
        Inputs that the estimator takes.
    y : array-like of shape (n_samples,)
        What happened: numbers, or labels of classes that the estimator knows.
    levels : sequence of float, default=(0.5, 0.8, 0.9, 0.95)
        Probabilities of central intervals, between 0 and 1. For regressors.
    n_bins : int, default=10
        The number of bins from 0 to 1. For classifiers.

    Returns
    -------
    report : RegressionCalibration or ClassificationCalibration
        Numbers and arrays; `print` shows them as a table.

    See Also
    --------
    RegressionCalibrationDisplay : The same as a picture, for regressors.
    ClassificationCalibrationDisplay : The same as a picture, for classifiers.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/uncertainty.html

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

    A classifier of this package:

    >>> from sparsebayes import RVC
    >>> model = RVC(gamma=4.0).fit(*ripley_mixture(250, random_state=0))
    >>> report = calibration_report(model, *ripley_mixture(1000, random_state=1), n_bins=5)
    >>> report.error < 0.15, report.expected_calibration_error < 0.1
    (True, True)
    >>> int(report.count.sum())
    1000
    """
    if is_classifier(estimator) or hasattr(estimator, "predict_proba"):
        return classification_calibration(estimator, X, y, n_bins)
    return regression_calibration(estimator, X, y, levels)
