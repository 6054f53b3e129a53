"""How far data leave scales and settings open: Laplace's approximation about the ones found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.dense import learning_model
from sparsebayes.scales.objective import ScaleObjective


@dataclass(frozen=True)
class CurvatureRule:
    """When it is asked how far scales are open, and how.

    Attributes
    ----------
    many_rows : with so many rows for each scale, averaging over scales changes nothing
    rows : of more, these many stand for all
    step : of the differences of gradients, in a logarithm
    least : curvatures below this are taken for it, since what is linear about the scales that were
        found holds no farther than a factor of e^2 or so
    """

    many_rows: int = 20
    rows: int = 128
    step: float = 0.1
    least: float = 0.25


RULE = CurvatureRule()


def doubt_about(
    objective: ScaleObjective,
    settings: np.ndarray,
    log_scales: np.ndarray,
    rule: CurvatureRule = RULE,
) -> np.ndarray | None:
    """A root of the covariance of the settings of a target, and of log scales (k, k).

    It is H^-1/2 with H the curvature of minus the log evidence and the log prior. None where it does
    not matter, as where rows are many for the scales, or is not known.

    Parameters
    ----------
    objective : of one target
    settings, log_scales : that were found, (1, n_settings) and (n_scales,)
    """
    model = objective.model
    if len(settings) != 1 or model.judges or objective.prior.limited.any():
        return None
    if model.rows.weight.sum() >= rule.many_rows * len(log_scales):
        return None
    some = learning_model(model.columns, model.rows.thinned(rule.rows))
    point = np.concatenate([settings[0], log_scales])
    share = float(model.rows.weight.sum() / some.rows.weight.sum())
    try:
        curvature = _curvature(
            ScaleObjective(some, objective.report, point, share=share), point, rule.step
        )
    except FloatingPointError:
        return None
    values, vectors = np.linalg.eigh(curvature)
    return vectors / np.sqrt(np.maximum(values, rule.least))


def _curvature(objective: ScaleObjective, point: np.ndarray, step: float) -> np.ndarray:
    """Minus the second derivatives at a point (k, k), from differences of gradients."""
    base = objective.evaluate(point)[1]
    rows = [
        (base - objective.evaluate(point + step * unit)[1]) / step for unit in np.eye(len(point))
    ]
    curvature = np.array(rows)
    return 0.5 * (curvature + curvature.T)
