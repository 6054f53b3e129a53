"""Whether a model knows how sure it is: what it predicts, against what happened."""

from sparsebayes.diagnostics.classification import ClassificationCalibration
from sparsebayes.diagnostics.displays import (
    ClassificationCalibrationDisplay,
    RegressionCalibrationDisplay,
)
from sparsebayes.diagnostics.regression import RegressionCalibration
from sparsebayes.diagnostics.report import calibration_report

__all__ = [
    "ClassificationCalibration",
    "ClassificationCalibrationDisplay",
    "RegressionCalibration",
    "RegressionCalibrationDisplay",
    "calibration_report",
]
