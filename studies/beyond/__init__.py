"""Comparisons that no paper has: inferences, scales, calibration, classes, outputs, sampling."""
