"""The evidence of a dense model: one precision for all columns of a kernel.

The weights w of a positive definite kernel with centres c get the prior N(0, (alpha K_cc)^-1), so
that the function values Phi w have the covariance K_xc K_cc^-1 K_cx / alpha: a Gaussian process,
exactly so where every row is a centre. In terms of whitened columns this is a model with one
precision, and the formulas for columns serve. Kernels that are no covariance, and plain columns,
enter as they are, the former with one precision, the latter with one each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns import JoinedColumns, spread
from sparsebayes.dense.whitened import (
    WhitenedColumns,
    column_gradients,
    groups,
    not_covariance,
    whitened,
)
from sparsebayes.evidence import log_evidence, sensitivity
from sparsebayes.likelihoods import Likelihood
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions, Problem
from sparsebayes.rows import Data


@dataclass(frozen=True)
class Budget:
    """How large a dense model may be.

    Attributes
    ----------
    rows, centres : that precisions and scales are found with; of more, these many, spread evenly.
        The cost of an evaluation is rows times squared centres
    most_centres : of the dense model that a projection follows
    work : rows times squared centres that it may take, some ten seconds
    """

    rows: int = 2000
    centres: int = 256
    most_centres: int = 2000
    work: float = 3e10


@dataclass(frozen=True)
class FirstSettings:
    """Where precisions start, and how far they may go.

    Attributes
    ----------
    noise : variance of the noise, relative to the target's
    latent : variance of the latent value of classes
    reach : how far log precisions may go from where they start
    """

    noise: float = 0.1
    latent: float = 4.0
    reach: float = 30.0


BUDGET = Budget()
FIRST = FirstSettings()


class Evaluation(NamedTuple):
    """Log evidence, summed over targets, and its gradient.

    Attributes
    ----------
    value : the log evidence
    by_setting : for the settings of all targets (k, n_settings)
    by_scale : for the log scales (n_scales,)
    """

    value: float
    by_setting: np.ndarray
    by_scale: np.ndarray


class _OneTarget(NamedTuple):
    """Log evidence of a target, and its derivatives for the design matrix and the settings."""

    value: float
    by_design: np.ndarray
    by_setting: np.ndarray


class DenseModel:
    """The log evidence of dense models of several targets that share their scales.

    The *settings* of a target are the log precisions of the groups of columns, and then the log
    noise precision where that is estimated.

    Parameters
    ----------
    columns : bound columns
    data : inputs, targets (n,) or (n, k), and weight; of many rows some, spread evenly
    likelihood : of the targets, whatever it says they are one by one
    """

    def __init__(
        self, columns: Any, data: Data, likelihood: Likelihood, budget: Budget = BUDGET
    ) -> None:
        targets, self.likelihood = likelihood.one_by_one(data.target)
        if data.inputs.shape[0] > budget.rows:
            chosen = some_rows(data.inputs, targets, budget.rows)
            data, targets = data.take(chosen), targets[:, chosen]
        self.data, self.targets = data, targets
        kinds = tuple(each.subset(budget.centres) for each in columns.kinds)
        self.columns = JoinedColumns(kinds)
        self.group = groups(kinds)
        self.not_covariance = not_covariance(kinds)

    def first_settings(
        self, log_scales: np.ndarray, least_noise: float, first: FirstSettings = FIRST
    ) -> tuple[np.ndarray, np.ndarray]:
        """Settings to start from (k, n_settings), and their limits (k, n_settings, 2).

        Parameters
        ----------
        least_noise : the least variance of the noise, relative to the target's
        """
        design = self.design(log_scales)
        share = self.data.weight / self.data.weight.sum()
        energy = np.bincount(self.group, share @ design**2)
        log_energy = np.log(np.where(energy > 0.0, energy, 1.0))  # columns of zeros have no unit
        each = [self._first_of(target, log_energy, least_noise, first) for target in self.targets]
        points, limits = zip(*each, strict=True)
        return np.array(points), np.array(limits)

    def _first_of(
        self, target: np.ndarray, log_energy: np.ndarray, least_noise: float, first: FirstSettings
    ) -> tuple[np.ndarray, np.ndarray]:
        """Settings of a target, and their limits."""
        problem = self._problem(np.empty((len(target), 0)), target)
        log_variance = np.log(first.latent)
        if self.likelihood.has_units:
            log_variance = 2.0 * np.log(problem.target_scale)
        point = log_energy - log_variance
        limits = np.column_stack([point - first.reach, point + first.reach])
        if not self.likelihood.noise.estimated:
            return point, limits
        noise = -log_variance
        return (
            np.append(point, noise - np.log(first.noise)),
            np.vstack([limits, [noise - first.reach, noise - np.log(least_noise)]]),
        )

    def evaluate(self, settings: np.ndarray, log_scales: np.ndarray) -> Evaluation:
        """The log evidence at these settings (k, n_settings) and scales."""
        kinds = self.columns.rescaled(log_scales).kinds
        parts = [whitened(kind) for kind in kinds]
        designs = [part.evaluate(self.data.inputs) for part in parts]
        results = self._all_targets(np.hstack(designs), settings)
        ends = np.cumsum([kind.n_columns for kind in kinds])[:-1]
        shares = np.split(sum(result.by_design for result in results), ends, axis=1)
        by_scale = [
            scale_gradient(part, self.data.inputs, own, share)
            for part, own, share in zip(parts, designs, shares, strict=True)
        ]
        value, by_setting = _summed(results)
        return Evaluation(value, by_setting, np.concatenate(by_scale))

    def evaluate_settings(
        self, settings: np.ndarray, design: np.ndarray
    ) -> tuple[float, np.ndarray]:
        """Log evidence and its gradient for the settings (k, n_settings), the columns given."""
        return _summed(self._all_targets(design, settings))

    def design(self, log_scales: np.ndarray) -> np.ndarray:
        """All columns at these scales, whitened (n_samples, m)."""
        kinds = self.columns.rescaled(log_scales).kinds
        return np.hstack([whitened(kind).evaluate(self.data.inputs) for kind in kinds])

    def precisions(self, settings: np.ndarray, group: np.ndarray) -> Precisions:
        """What the settings of one target (n_settings,) say, for columns of these groups."""
        noise = self.likelihood.noise
        return Precisions(np.exp(settings)[group], noise.settle(float(np.exp(settings[-1]))))

    def _all_targets(self, design: np.ndarray, settings: np.ndarray) -> list[_OneTarget]:
        return [
            self._one_target(design, target, own)
            for target, own in zip(self.targets, settings, strict=True)
        ]

    def _one_target(
        self, design: np.ndarray, target: np.ndarray, settings: np.ndarray
    ) -> _OneTarget:
        problem = self._problem(design, target)
        everything = np.arange(design.shape[1])
        posterior = find_posterior(problem, everything, self.precisions(settings, self.group))
        found = sensitivity(posterior, design)
        by_setting = np.bincount(self.group, found.weight_precision)
        if self.likelihood.noise.estimated:
            by_setting = np.append(by_setting, found.noise_precision)
        return _OneTarget(log_evidence(posterior), found.columns, by_setting)

    def _problem(self, design: np.ndarray, target: np.ndarray) -> Problem:
        return Problem.of_design(design, self.data._replace(target=target), self.likelihood)


def _summed(results: list[_OneTarget]) -> tuple[float, np.ndarray]:
    """Log evidence of all targets, and its gradient for the settings of each (k, n_settings)."""
    return sum(result.value for result in results), np.array([r.by_setting for r in results])


def some_rows(inputs: Any, targets: np.ndarray, most: int) -> np.ndarray:
    """At most `most` rows, spread evenly in their order by inputs, or by targets if sparse."""
    keys = [*targets] if issparse(inputs) else [*targets, *inputs.T[::-1]]
    return spread(np.lexsort(keys), most)


def scale_gradient(
    part: WhitenedColumns, inputs: Any, design: np.ndarray, by_design: np.ndarray
) -> np.ndarray:
    """From derivatives for the whitened columns to those for the log scales."""
    kind = part.kind
    if kind.free is None:
        return np.empty(0)
    if part.whitener is None:
        return kind.scale_gradient(inputs, by_design)
    by_column, by_covariance = column_gradients(part.whitener, design, by_design)
    return kind.scale_gradient(inputs, by_column) + kind.scale_gradient(kind.items, by_covariance)
