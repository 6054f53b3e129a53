"""The evidence of a dense model: one precision for all columns of a kernel.

A kernel that is a covariance makes a Gaussian process of the latent values, whatever its centres.
Kernels that are none, and plain columns, enter by their columns, the former with one precision,
the latter with one each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.columns import JoinedColumns
from sparsebayes.dense.latent import (
    LATENT_SEARCH,
    Evidence,
    LatentSearch,
    Mode,
    Observed,
    evidence_at,
    find_mode,
)
from sparsebayes.dense.parts import Part, groups, kernel_groups, part_of, prior_covariance
from sparsebayes.dense.rows import BUDGET, Budget, DenseRows
from sparsebayes.likelihoods import Noise
from sparsebayes.problem import Precisions, target_scale


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


# The least variance of the noise, relative to the target's, that a climb may go to at once, and
# where it goes on if it ends there. From far away it would step over the maximum to noise that is
# so small that rounding leads it.
LEAST_NOISES = (1e-4, 1e-6, 1e-8)
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


class DenseModel:
    """The log evidence of dense models of several targets that share their scales.

    The *settings* of a target are the log precisions of the groups of columns, and then the log
    noise precision where that is estimated, or the parameters of the likelihood that are open.

    Parameters
    ----------
    columns : bound columns
    rows : that the evidence is of

    Attributes
    ----------
    least_noises : the least variances of the noise, relative to the target's, one after the other
    judges : whether it can tell how well it predicts rows that are left out
    """

    least_noises: tuple[float, ...] = LEAST_NOISES
    judges = False

    def __init__(
        self,
        columns: Any,
        rows: DenseRows,
        budget: Budget = BUDGET,
        search: LatentSearch = LATENT_SEARCH,
    ) -> None:
        self.rows, self.search, self.most_rows = rows, search, budget.seen_rows
        kinds = tuple(each.subset(budget.centres) for each in columns.kinds)
        self.columns = JoinedColumns(kinds)
        self.group = groups(kinds)
        self.kernels = kernel_groups(kinds)
        # Where the last search for the mode of each target ended: the next one starts there.
        self._latents, self._pulls = np.zeros((2, *rows.targets.shape[:2]))

    @property
    def n_targets(self) -> int:
        """How many targets have settings."""
        return len(self.rows.targets)

    @property
    def common_settings(self) -> bool:
        """Whether all targets are to have the same settings: classes, which have no units."""
        return not self.rows.likelihood.has_units

    def first_settings(
        self, log_scales: np.ndarray, least_noise: float, first: FirstSettings = FIRST
    ) -> tuple[np.ndarray, np.ndarray]:
        """Settings to start from (k, n_settings), and their limits (k, n_settings, 2).

        Parameters
        ----------
        least_noise : the least variance of the noise, relative to the target's
        """
        share = self.rows.weight / self.rows.weight.sum()
        energy = np.concatenate([part.energy(share) for part in self.parts(log_scales)])
        log_energy = np.log(np.where(energy > 0.0, energy, 1.0))  # columns of zeros have no unit
        found = (
            self._first_of(target, log_energy, least_noise, first) for target in self.rows.targets
        )
        points, limits = zip(*found, strict=True)
        return np.array(points), np.array(limits)

    def _first_of(
        self, target: np.ndarray, log_energy: np.ndarray, least_noise: float, first: FirstSettings
    ) -> tuple[np.ndarray, np.ndarray]:
        """Settings of a target, and their limits."""
        likelihood, log_variance = self.rows.likelihood, np.log(first.latent)
        if likelihood.has_units:
            log_variance = 2.0 * np.log(target_scale(target, self.rows.weight))
        point = log_energy - log_variance
        least = np.maximum(point - first.reach, log_energy - np.log(likelihood.most_variance))
        limits = np.column_stack([least, point + first.reach])
        if not likelihood.noise.estimated:
            own = likelihood.free(target, self.rows.weight)
            return np.append(point, own.start), np.vstack([limits, own.limits])
        noise = -log_variance
        return (
            np.append(point, noise - np.log(first.noise)),
            np.vstack([limits, [noise - first.reach, noise - np.log(least_noise)]]),
        )

    def with_parameters(self, settings: np.ndarray, parameters: np.ndarray) -> np.ndarray:
        """Settings of one target with other parameters of its likelihood (n_settings,)."""
        return np.append(settings[: len(settings) - len(parameters)], parameters)

    def led(self, settings: np.ndarray) -> np.ndarray:
        """Settings to start from (n_settings,), where those of another likelihood lead there."""
        return np.append(settings[:-1], self.rows.likelihood.led(float(settings[-1])))

    def parameter_starts(self, k: int) -> list[np.ndarray]:
        """Parameters of the likelihood of target number k that a search should start from."""
        return self.rows.likelihood.free(self.rows.targets[k], self.rows.weight).starts

    def best_of(
        self,
        found: Sequence[tuple[np.ndarray, np.ndarray]],
        judge: Any = None,
        scales_too: bool = True,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The best of several settings (k, n_settings) and log scales: the first.

        The evidence has found them, and there is no other word.

        Parameters
        ----------
        judge : a model of more rows, which decides where models can judge
        scales_too : whether scales are widths, which one factor can adjust
        """
        return found[0]

    def at_least_noise(self, settings: np.ndarray, limits: np.ndarray, near: float = 0.1) -> bool:
        """Whether the noise of any target is the least that it may be.

        Parameters
        ----------
        settings : (k, n_settings)
        limits : their limits (k, n_settings, 2)
        near : how close counts, in a log precision
        """
        estimated = self.rows.likelihood.noise.estimated
        return estimated and bool(np.any(settings[:, -1] > limits[:, -1, 1] - near))

    def latents_at(
        self, inputs: Any, settings: np.ndarray, log_scales: np.ndarray
    ) -> np.ndarray | None:
        """Latent values of each target at all rows of the data (k, n), from the last modes found.

        None where the data have too many rows for that.

        Parameters
        ----------
        inputs : of all rows of the data
        settings, log_scales : that the modes were found with
        """
        if self.rows.place is not None:
            return self._latents[:, self.rows.place]
        if inputs.shape[0] > self.most_rows:
            return None
        parts = self.parts(log_scales)
        return np.array(
            [
                sum(
                    part.latent_at(inputs, own, pull)
                    for part, own in zip(parts, _variances(each, parts), strict=True)
                )
                for each, pull in zip(settings, self._pulls, strict=True)
            ]
        )

    @property
    def n_settings(self) -> int:
        """How many settings a target has."""
        likelihood = self.rows.likelihood
        return int(self.group.max()) + 1 + likelihood.noise.estimated + likelihood.n_free

    def parts(self, log_scales: np.ndarray) -> list[Part]:
        """The parts of the prior covariance at these scales."""
        kinds = self.columns.rescaled(log_scales).kinds
        return [part_of(kind, self.rows.inputs) for kind in kinds]

    def evaluate(self, settings: np.ndarray, log_scales: np.ndarray) -> Evaluation:
        """The log evidence at these settings (k, n_settings) and scales."""
        return self.evaluate_at(settings, self.parts(log_scales))

    def evaluate_at(self, settings: np.ndarray, parts: list[Part]) -> Evaluation:
        """The log evidence at these settings (k, n_settings), the parts of the prior given."""
        results = [self.evaluate_target(k, own, parts) for k, own in enumerate(settings)]
        return Evaluation(
            sum(result.value for result in results),
            np.array([result.by_setting for result in results]),
            np.sum([result.by_scale for result in results], axis=0),
        )

    def covariance(self, settings: np.ndarray, parts: list[Part]) -> np.ndarray:
        """The prior covariance of the latent values at the rows (n, n)."""
        return prior_covariance(parts, _variances(settings, parts))

    def find_mode(self, k: int, settings: np.ndarray, parts: list[Part]) -> Mode:
        """The mode of target number k at its settings (n_settings,)."""
        covariance = self.covariance(settings, parts)
        mode = find_mode(covariance, self._observed(k, settings), self._latents[k], self.search)
        self._latents[k], self._pulls[k] = mode.point.latent, mode.point.pull
        return mode

    def weighted_latents(
        self, k: int, settings: np.ndarray, parts: list[Part]
    ) -> tuple[np.ndarray, np.ndarray]:
        """The mode of target number k (n, 1), and how much each row counts there (n,)."""
        mode = self.find_mode(k, settings, parts).point
        return mode.latent[:, None], mode.rows.curvature

    def evaluate_target(self, k: int, settings: np.ndarray, parts: list[Part]) -> Evaluation:
        """The log evidence of one target, and its gradient."""
        found = evidence_at(self.find_mode(k, settings, parts), self._observed(k, settings))
        return self.chained(found, settings, parts)

    def chained(self, found: Evidence, settings: np.ndarray, parts: list[Part]) -> Evaluation:
        """Derivatives for settings and scales, from those for the covariance."""
        pairs = list(zip(parts, _variances(settings, parts), strict=True))
        by_setting = [-own * part.by_variance(found.by_covariance) for part, own in pairs]
        if self.rows.likelihood.noise.estimated:
            by_setting.append(np.array([found.by_noise]))
        by_setting.append(found.by_parameter)
        by_scale = [part.by_scale(own, found.by_covariance) for part, own in pairs]
        return Evaluation(
            found.value,
            np.concatenate(by_setting),
            np.concatenate(by_scale),
        )

    def _observed(self, k: int, settings: np.ndarray) -> Observed:
        """The rows of one target."""
        rows, likelihood = self.rows, self.rows.likelihood
        noise = likelihood.noise.settle(float(np.exp(settings[-1])))
        parameters = settings[len(settings) - likelihood.n_free :]
        return Observed(
            likelihood.at(parameters), rows.targets[k], rows.weight, noise, likelihood, parameters
        )


def _variances(settings: np.ndarray, parts: list[Part]) -> list[np.ndarray]:
    """The inverse precisions of each part, from the settings of one target."""
    ends = np.cumsum([part.n_groups for part in parts])
    return np.split(np.exp(-settings[: ends[-1]]), ends[:-1])


def precisions_of(settings: np.ndarray, group: np.ndarray, noise: Noise) -> Precisions:
    """What the settings of one target (n_settings,) say, for columns of these groups."""
    return Precisions(np.exp(settings)[group], noise.settle(float(np.exp(settings[-1]))))
