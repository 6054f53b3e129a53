"""How far data leave scales and settings open: Laplace's approximation about the ones found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsebayes.dense import learning_model
from sparsebayes.scales.objective import ScaleObjective


@dataclass(frozen=True)
class CurvatureRule:
    """How the curvature about scales and settings is found.

    Attributes
    ----------
    many_rows : with so many rows for each scale, averaging over scales changes nothing
    rows : of more, these many stand for all
    most : scales and settings, of which more would take longer than to find them
    step : of the differences of gradients, in a logarithm
    least : curvatures below this are taken for it, since what is linear about the scales that were
        found holds no farther than some powers of e
    """

    many_rows: int = 20
    rows: int = 128
    most: int = 140
    step: float = 0.1
    least: float = 0.05


RULE = CurvatureRule()


class Curvature(NamedTuple):
    """The curvature of minus the log evidence and the log prior, in its principal directions.

    Attributes
    ----------
    values : in each direction (k,)
    vectors : the directions (k, k); settings first, then log scales
    of_prior : sum of the logarithms of the curvatures of the prior of log scales, where all inputs
        matter alike
    """

    values: np.ndarray
    vectors: np.ndarray
    of_prior: float

    @property
    def root(self) -> np.ndarray:
        """A root of the covariance of settings and log scales (k, k)."""
        return self.vectors / np.sqrt(self.values)

    @property
    def price(self) -> float:
        """What settings and scales cost that are fitted, in log evidence.

        Laplace's approximation to the integral over them has |H|^-1/2, and the prior of log scales
        |H_0|^1/2. What is the same for all kernels is left out.
        """
        return 0.5 * (float(np.log(self.values).sum()) - self.of_prior)


def curvature_about(
    objective: ScaleObjective, point: np.ndarray, rule: CurvatureRule = RULE
) -> Curvature | None:
    """The curvature about a point of an objective; None where it is not to be had.

    Where some rows stand for others, the evidence counts as that of all of them.
    """
    if len(point) > rule.most:
        return None
    model = objective.model
    some = learning_model(model.columns, model.rows.thinned(rule.rows))
    share = float(model.rows.weight.sum() / some.rows.weight.sum())
    near = ScaleObjective(some, objective.report, point, share=share)
    try:
        found = _falls(lambda each: near.measure(each)[1], point, rule.step)
        if not np.isfinite(found).all():
            return None
    except FloatingPointError:
        return None
    values, vectors = np.linalg.eigh(found)
    prior = objective.prior
    of_prior = np.linalg.eigvalsh(_falls(prior.gradient, prior.middle, rule.step))
    least = rule.least
    return Curvature(
        np.maximum(values, least), vectors, float(np.log(np.maximum(of_prior, least)).sum())
    )


def _falls(
    gradient: Callable[[np.ndarray], np.ndarray], point: np.ndarray, step: float
) -> np.ndarray:
    """How gradients fall with each coordinate (k, k), from differences."""
    base = gradient(point)
    rows = [(base - gradient(point + step * unit)) / step for unit in np.eye(len(point))]
    found = np.array(rows).reshape(len(point), len(point))
    return 0.5 * (found + found.T)
