"""The latent values f = phi'w of some rows, each computed when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.model.columns import PlainColumns, evaluate_all, n_columns
from sparsebayes.model.spread import Spread, side_by_side

NOT_FINITE = (
    "the columns of the model are infinite or NaN at these inputs X. Expected finite values: "
    "please check X for extreme values."
)


@dataclass(frozen=True)
class Plain:
    """What gives latent values: columns, the mean of their weights (m, k), and their spread."""

    columns: tuple[PlainColumns, ...]
    weights: np.ndarray
    spread: Spread

    @property
    def n_columns(self) -> int:
        """How many columns are evaluated for a row."""
        return n_columns(self.columns) + n_columns(self.spread.columns or ())

    @property
    def width(self) -> int:
        """How many numbers a row has: columns, latent values, and products with roots."""
        return self.n_columns + self.weights.shape[1] + self.spread.width

    def at(self, inputs: np.ndarray) -> Latent:
        """The latent values at inputs (n, d)."""
        return Latent(self, inputs, evaluate_all(self.columns, inputs))

    def check(self, n_features: int) -> None:
        """An error unless all shapes go together."""
        for columns in self.columns:
            columns.check(n_features)
        m, weights = n_columns(self.columns), self.weights
        if weights.ndim != 2 or len(weights) != m or not np.isfinite(weights).all():
            raise ValueError("weights do not go with the columns.")
        if not weights.shape[1]:
            raise ValueError("there must be a latent value.")
        self.spread.check(self.weights.shape[1], m, n_features)


@dataclass(frozen=True)
class Latent:
    """f of n rows, k values each."""

    plain: Plain
    inputs: np.ndarray
    design: list[np.ndarray]

    @property
    def mean(self) -> np.ndarray:
        """(n, k)."""
        return finite(side_by_side(self.design, len(self.inputs)) @ self.plain.weights)

    @property
    def variance(self) -> np.ndarray:
        """(n, k)."""
        return finite(self.plain.spread.variance(self.inputs, self.design))

    @property
    def process_variance(self) -> np.ndarray:
        """Of the processes that latent values are made of (n, p)."""
        return finite(self.plain.spread.of_processes(self.inputs, self.design))

    @property
    def covariance(self) -> np.ndarray:
        """Between the latent values of a row (n, k, k)."""
        return finite(self.plain.spread.covariance(self.inputs, self.design))

    @property
    def novelty(self) -> np.ndarray:
        """How unlike the training data rows are (n,)."""
        return finite(self.plain.spread.novelty(self.inputs))


def finite(values: np.ndarray) -> np.ndarray:
    """The values, or an error if one of them is not finite."""
    if not np.isfinite(values).all():
        raise ValueError(NOT_FINITE)
    return values
