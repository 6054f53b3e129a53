"""The evidence of a dense model: one precision for all columns of a kernel.

The weights w of a positive definite kernel with centres c get the prior N(0, (alpha K_cc)^-1), so
that the function values Phi w have the covariance K_xc K_cc^-1 K_cx / alpha: a Gaussian process,
exactly so where every row is a centre. In terms of whitened columns this is a model with one
precision, and the formulas for columns serve. Kernels that are no covariance, and plain columns,
enter as they are, the former with one precision, the latter with one each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns import NO_ROW, Columns, JoinedColumns, spread
from sparsebayes.evidence import log_evidence
from sparsebayes.posterior import find
from sparsebayes.problem import Problem
from sparsebayes.scales.ascent import ascend
from sparsebayes.scales.design_rows import design_rows
from sparsebayes.scales.prior import STEP, ScalePrior
from sparsebayes.scales.whitened import WhitenedColumns, column_gradients, whitened
from sparsebayes.sensitivity import sensitivity

# Rows and centres that scales are learned from; of more, so many, spread evenly.
MOST_ROWS, MOST_CENTRES = 2000, 256
MAX_STEPS = 100
# Variance of the noise at the start, and the least, relative to the target's: scales are not to be
# learned from details below a hundredth of its standard deviation. Of the latent value of classes.
FIRST_NOISE, LEAST_NOISE, FIRST_LATENT = 0.1, 1e-4, 4.0
# The least where scales are given.
LEAST_GIVEN_NOISE = 1e-6
# How far log precisions may go from where they start.
REACH = 30.0
# Log precisions of kernels that are no covariance are tried this much below the first.
WEAKER = (0.0, 5.0, 10.0, 15.0, 20.0)
# Gradient at which precisions are found, where nothing else is sought.
FINE_GRADIENT = 1e-6


def dense_scales(columns, inputs, targets, weight, likelihood) -> np.ndarray:
    """The log scales of `columns` at a maximum of the evidence of the dense model.

    Parameters
    ----------
    columns : bound columns, some scales of which are free
    inputs, weight : of the rows
    targets : one or more (k, n_samples); the evidence is summed over them
    likelihood : of each of them
    """
    model = _model_of_some(columns, inputs, targets, weight, likelihood)
    point, _ = ascend(model, *model.start(columns.log_spreads), MAX_STEPS)
    return model.prior.rounded(model.prior.widest(point[-model.n_scales :]))


class Settings(NamedTuple):
    """Precisions of a dense model: of its columns (n_columns,), and of the noise.

    `noise_vanished` says whether the latter was held at the most that it may be.
    """

    weight_precision: np.ndarray
    noise_precision: float
    noise_vanished: bool


def dense_settings(columns, rows: tuple, likelihood, group: np.ndarray) -> Settings:
    """Precisions at a maximum of the evidence of the dense model, for the scales of `columns`.

    They are rounded as scales are, for the same reason.

    Parameters
    ----------
    columns : bound columns
    rows : inputs, one target, and weight
    likelihood : of the target
    group : which of the precisions each column of the result has, see `groups`
    """
    inputs, target, weight = rows
    model = _model_of_some(columns, inputs, target[None], weight, likelihood)
    first, limits = model.start(columns.log_scales, LEAST_GIVEN_NOISE)
    n_settings = len(first) - model.n_scales
    first, limits = first[:n_settings], limits[:n_settings]
    function = model.at_scales(columns.log_scales)
    start = _best_start(function, first, model.loose)
    point, _ = ascend(function, start, limits, MAX_STEPS, FINE_GRADIENT)
    point = np.clip(first + STEP * np.round((point - first) / STEP), *limits.T)
    fixed = likelihood.fixed_noise_precision
    return Settings(
        np.exp(point)[group],
        float(np.exp(point[-1])) if fixed is None else fixed,
        fixed is None and bool(point[-1] > limits[-1, 1] - STEP),
    )


def _best_start(function, first: np.ndarray, loose: np.ndarray) -> np.ndarray:
    """The settings to climb from: the best of several precisions of kernels that are `loose`.

    Most of what columns that are no covariance can do together may lie in directions of little
    energy. From a precision that goes with their whole energy, a climb may end with none of them.
    """

    def value(settings):
        try:
            return function(settings)[0]
        except FloatingPointError:
            return -np.inf

    moved = np.zeros(len(first))
    moved[: len(loose)] = loose
    steps = WEAKER if loose.any() else WEAKER[:1]
    return max((first - step * moved for step in steps), key=value)


def _model_of_some(columns, inputs, targets, weight, likelihood) -> DenseModel:
    """The dense model of all rows, or of some spread evenly where there are many."""
    if inputs.shape[0] > MOST_ROWS:
        rows = _some_rows(inputs, targets, MOST_ROWS)
        inputs, targets, weight = inputs[rows], targets[:, rows], weight[rows]
    return DenseModel(columns, inputs, targets, weight, likelihood)


class DenseModel:
    """The log evidence of the dense model, summed over targets, and its gradient.

    A point holds log precisions and the log noise precision for every target, then the log scales.
    """

    def __init__(self, columns, inputs, targets, weight, likelihood):
        self.columns = JoinedColumns(tuple(each.subset(MOST_CENTRES) for each in columns.kinds))
        self.inputs, self.targets, self.weight = inputs, targets, weight
        self.likelihood = likelihood
        self.group = groups(self.columns.kinds)
        self.loose = _loose(self.columns.kinds)
        self.prior = ScalePrior(columns.kinds)
        self.n_scales = len(columns.log_scales)

    def start(
        self, log_scales: np.ndarray, least_noise: float = LEAST_NOISE
    ) -> tuple[np.ndarray, np.ndarray]:
        """A point with these scales, and limits to move in."""
        design = self._design(log_scales)
        share = self.weight / self.weight.sum()
        energy = np.bincount(self.group, share @ design**2)
        energy = np.log(np.where(energy > 0.0, energy, 1.0))  # columns of zeros have no unit
        settings = [self._first_settings(target, energy, least_noise) for target in self.targets]
        point = np.concatenate([*(each for each, _ in settings), log_scales])
        limits = [limits for _, limits in settings]
        return point, np.concatenate([*limits, self.prior.limits])

    def _first_settings(self, target, log_energy, least_noise) -> tuple[np.ndarray, np.ndarray]:
        """Log precisions and log noise precision of a target, and their limits."""
        problem = self._problem(np.empty((len(target), 0)), target)
        log_variance = np.log(FIRST_LATENT)
        if self.likelihood.constant_curvature:
            log_variance = 2.0 * np.log(problem.target_scale)
        first = log_energy - log_variance
        limits = np.column_stack([first - REACH, first + REACH])
        if self.likelihood.fixed_noise_precision is not None:
            return first, limits
        noise = -log_variance
        return (
            np.append(first, noise - np.log(FIRST_NOISE)),
            np.vstack([limits, [noise - REACH, noise - np.log(least_noise)]]),
        )

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Log evidence and log prior of the scales, and their gradient."""
        settings, log_scales = np.split(point, [len(point) - self.n_scales])
        kinds = self.columns.rescaled(log_scales).kinds
        parts = [whitened(kind) for kind in kinds]
        designs = [part.evaluate(self.inputs) for part in parts]
        results = self._all_targets(np.hstack(designs), settings)
        value = sum(result.value for result in results) + self.prior.log_density(log_scales)
        ends = np.cumsum([kind.n_columns for kind in kinds])[:-1]
        shares = np.split(sum(result.by_design for result in results), ends, axis=1)
        by_scale = np.concatenate(
            [
                _scale_gradient(part, self.inputs, own, share)
                for part, own, share in zip(parts, designs, shares, strict=True)
            ]
        )
        by_setting = [result.by_setting for result in results]
        return value, np.concatenate([*by_setting, by_scale + self.prior.gradient(log_scales)])

    def at_scales(self, log_scales: np.ndarray) -> Callable:
        """The log evidence and its gradient as a function of the settings alone."""
        design = self._design(log_scales)

        def function(settings):
            results = self._all_targets(design, settings)
            value = sum(result.value for result in results)
            return value, np.concatenate([result.by_setting for result in results])

        return function

    def _design(self, log_scales: np.ndarray) -> np.ndarray:
        """All columns at these scales, whitened (n_samples, m)."""
        kinds = self.columns.rescaled(log_scales).kinds
        return np.hstack([whitened(kind).evaluate(self.inputs) for kind in kinds])

    def _all_targets(self, design: np.ndarray, settings: np.ndarray) -> list[_OneTarget]:
        each = settings.reshape(len(self.targets), -1)
        return [self._one_target(design, k, own) for k, own in enumerate(each)]

    def _one_target(self, design, k: int, settings: np.ndarray) -> _OneTarget:
        problem = self._problem(design, self.targets[k])
        fixed = self.likelihood.fixed_noise_precision
        noise_precision = float(np.exp(settings[-1])) if fixed is None else fixed
        precision = np.exp(settings)[self.group]
        active = np.arange(design.shape[1])
        posterior = find(problem, active, precision, noise_precision, np.zeros(len(active)))
        found = sensitivity(problem, posterior, design)
        by_setting = np.bincount(self.group, found.weight_precision)
        if fixed is None:
            by_setting = np.append(by_setting, found.noise_precision)
        return _OneTarget(log_evidence(problem, posterior), found.columns, by_setting)

    def _problem(self, design, target) -> Problem:
        rows = design_rows(design, target, self.weight)
        return Problem(rows, design.shape[1], self.likelihood)


def _some_rows(inputs, targets: np.ndarray, most: int) -> np.ndarray:
    """So many rows, spread evenly over their order by inputs, and of sparse ones by targets."""
    keys = [*targets] if issparse(inputs) else [*targets, *inputs.T[::-1]]
    return spread(np.lexsort(keys), most)


class _OneTarget(NamedTuple):
    """Log evidence of a target, and its derivatives for the design matrix and the settings."""

    value: float
    by_design: np.ndarray
    by_setting: np.ndarray


def _loose(kinds: tuple[Columns, ...]) -> np.ndarray:
    """Which of the groups are kernels that are no covariance (n_groups,)."""
    flags: list[bool] = []
    for kind in kinds:
        plain = int(np.sum(kind.centre_rows == NO_ROW))
        flags += [False] * plain if plain else [not kind.positive_definite]
    return np.array(flags)


def groups(kinds: tuple[Columns, ...]) -> np.ndarray:
    """Which columns have a precision in common: those of a kernel (n_columns,)."""
    labels: list[np.ndarray] = []
    n_groups = 0
    for kind in kinds:
        plain = kind.centre_rows == NO_ROW
        labels.append(n_groups + np.where(plain, np.cumsum(plain) - 1, 0))
        n_groups += max(int(plain.sum()), 1)
    return np.concatenate(labels)


def _scale_gradient(part: WhitenedColumns, inputs, design, by_design: np.ndarray) -> np.ndarray:
    """From derivatives for the whitened columns to those for the log scales."""
    kind = part.kind
    if kind.free is None:
        return np.empty(0)
    if part.whitener is None:
        return kind.scale_gradient(inputs, by_design)
    by_column, by_covariance = column_gradients(part.whitener, design, by_design)
    return kind.scale_gradient(inputs, by_column) + kind.scale_gradient(kind.items, by_covariance)
