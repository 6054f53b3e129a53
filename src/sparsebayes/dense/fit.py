"""The dense model of one target: its precisions, its posterior, what it expects at the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes._cached import cached_property
from sparsebayes._linear_algebra import Factor, factorise
from sparsebayes.columns import JoinedColumns, WhitenedColumns, whitened
from sparsebayes.dense.labels.leaving_out import LeftOut
from sparsebayes.dense.matching import latents_of, matched, quadratic_factors, with_factors
from sparsebayes.dense.model import precisions_of
from sparsebayes.dense.parts import group_starts, groups
from sparsebayes.dense.rows import BUDGET, Budget
from sparsebayes.dense.settings import find_settings, known_settings
from sparsebayes.evidence import log_evidence
from sparsebayes.inference.loop import interpolates
from sparsebayes.posterior import Posterior, find_posterior, precision_matrix
from sparsebayes.problem import Problem
from sparsebayes.statistics import expansion

# The variance of a process given its data may have errors of rounding of this part of the noise.
MOST_ROUNDING = 2e-3


@dataclass(frozen=True)
class DenseFit:
    """A dense model of one latent value, or of several that share precisions.

    Attributes
    ----------
    columns : its columns, whitened
    prior_variance : of the weights of each of them (n_columns,)
    posterior : over all of their weights
    latents : mean of the latent values at the training rows (n_samples, k)
    row_precision : what the target of each row adds to the precision of its latent value, counted
        with its weight (n_samples,)
    energy : mean square of each column at the training rows (n_columns,)
    process_variance : mean variance of each kind of columns there, where it is a process (n_kinds,)
    log_evidence : of the targets
    noise_variance : what variances of the latent value are compared with
    noise_vanished : whether its noise was estimated, and is at its floor or no row is left to it
    between : of several latent values their covariance, relative to the variance of one (k, k)
    left_out : of classes in a softmax, what the rows tell when each is left out
    doubts : weights of what the mean may change by, as scales and settings are known roughly
        (n_columns, r)
    """

    columns: JoinedColumns
    prior_variance: np.ndarray
    posterior: Posterior
    latents: np.ndarray
    row_precision: np.ndarray
    energy: np.ndarray
    process_variance: np.ndarray
    log_evidence: float
    noise_variance: float
    noise_vanished: bool = False
    between: np.ndarray | None = None
    left_out: LeftOut | None = None
    doubts: np.ndarray | None = None

    @classmethod
    def of(cls, problem: Problem, posterior: Posterior, **own: Any) -> DenseFit:
        """The dense model of a problem, whose columns are looked at once more at its rows.

        Parameters
        ----------
        own : all that neither the problem nor the posterior says
        """
        columns: Any = problem.columns  # joined, of whitened kinds
        total, data = problem.total_weight, problem.data
        process = [data.weight @ part.process_variance(data.inputs) for part in columns.parts]
        return cls(
            columns=columns,
            prior_variance=1.0 / posterior.weight_precision,
            posterior=posterior,
            energy=problem.rows.fold(column_energy)[0] / total,
            process_variance=np.array(process) / total,
            **own,
        )

    @cached_property
    def precision(self) -> np.ndarray:
        """Precision of the weights given the targets, A + beta V' W V (n_columns, n_columns)."""
        return precision_matrix(self.posterior.gram, self.posterior.precisions)

    @property
    def spread_root(self) -> np.ndarray:
        """A root of the covariance of the weights, with what the mean may change by (m, r)."""
        root = self.posterior.factor.whitener.T
        return root if self.doubts is None else np.hstack([root, self.doubts])

    @property
    def spread_energy(self) -> float:
        """tr(S V'WV), S the covariance of the weights, with what the mean may change by."""
        energy = float(self.posterior.well_determined.sum())
        if self.doubts is None:
            return energy
        gram = self.posterior.noise_precision * self.posterior.gram
        return energy + float(np.vdot(self.doubts, gram @ self.doubts))

    @property
    def spread_is_rounding(self) -> bool:
        """Whether too much of the error bars is rounding.

        What data leave of the variance of a process is a difference of numbers that are as large as
        its variance before there were data.
        """
        ends = self.columns.starts[1:]
        pairs = zip(np.split(self.prior_variance, ends), self.process_variance, strict=True)
        before = max((prior[0] * variance for prior, variance in pairs if len(prior)), default=0.0)
        rounding = np.finfo(float).eps * before
        return bool(rounding > MOST_ROUNDING * self.noise_variance)

    def restricted_to(self, kept: np.ndarray) -> Factor:
        """The factor of the precision of these weights alone, the other columns left out."""
        return factorise(self.precision[np.ix_(kept, kept)])


def fit_dense(
    problem: Problem,
    settings: np.ndarray | None = None,
    latent: np.ndarray | None = None,
    budget: Budget = BUDGET,
) -> DenseFit:
    """The dense model of one latent value, at the scales that the columns have.

    Parameters
    ----------
    settings : its precisions, where they are known (n_settings,)
    latent : the mode of the latent value at the rows, or nearly, where it is known (n_samples,)
    """
    found = (
        find_settings(problem, budget) if settings is None else known_settings(problem, settings)
    )
    at_mode = dense_posterior(problem, found.settings, latent, budget)
    posterior = matched(at_mode)
    latents = latents_of(posterior)
    return DenseFit.of(
        at_mode.problem,
        posterior,
        latents=latents,
        row_precision=row_precision(posterior, latents),
        log_evidence=log_evidence(at_mode),
        noise_variance=noise_variance(problem, found.settings),
        noise_vanished=found.noise_vanished or interpolates(at_mode),
    )


def dense_posterior(
    problem: Problem,
    settings: np.ndarray,
    latent: np.ndarray | None = None,
    budget: Budget = BUDGET,
) -> Posterior:
    """The posterior of the dense model at these settings: Laplace's, unless it is exact.

    Parameters
    ----------
    latent : the mode of the latent value at the rows, or nearly, where that is known (n_samples,)
    """
    columns = JoinedColumns(chosen_columns(problem, settings, budget))
    kinds = tuple(white.kind for white in columns.parts)
    precisions = precisions_of(settings, groups(kinds), problem.noise)
    whole = Problem(problem.data, columns, problem.likelihood, cache_size=problem.cache_size)
    every = np.arange(columns.n_columns)
    if latent is None or problem.likelihood.constant_curvature:
        return find_posterior(whole, every, precisions)
    near = with_factors(whole, every, precisions, quadratic_factors(whole, latent[:, None]))
    there, nothing = (
        expansion(whole, every, mean).value - 0.5 * float(precisions.weight @ mean[:, 0] ** 2)
        for mean in (near.mean, whole.no_weights(len(every)))
    )
    return find_posterior(whole, every, precisions, near.mean if there >= nothing else None)


def row_precision(posterior: Posterior, latents: np.ndarray) -> np.ndarray:
    """Curvature of the log density of each row, times its weight and the noise precision (n,)."""
    problem = posterior.problem
    curvature = quadratic_factors(problem, latents).precision
    return posterior.noise_precision * problem.data.weight * curvature


def column_energy(design: np.ndarray, target: np.ndarray, weight: np.ndarray) -> tuple:
    """Sum over rows of the squares of each column."""
    return (weight @ design**2,)


def chosen_columns(
    problem: Problem, settings: np.ndarray, budget: Budget
) -> tuple[WhitenedColumns, ...]:
    """The columns of each kind that the dense model has.

    More of a covariance describe the same process in more detail, until what they leave of its
    variance is far below the noise. Columns that are none have a precision that goes with their
    number, so they must be those that it was found with.
    """
    unseen = budget.unseen * noise_variance(problem, settings)
    affordable = (budget.work / len(problem.data.target)) ** 0.5
    most = int(np.clip(affordable, budget.centres, budget.most_centres))
    kinds = problem.columns.kinds
    return tuple(
        whitened(
            kind.subset(most if kind.subset(1).positive_definite else budget.centres),
            unseen * float(np.exp(settings[min(group, len(settings) - 1)])),
        )
        for kind, group in zip(kinds, group_starts(kinds), strict=True)
    )


def noise_variance(problem: Problem, settings: np.ndarray) -> float:
    """What a variance of the latent value is compared with: that of the noise.

    That of classes is 1, as the logarithm of odds has about that scale.
    """
    noise = problem.noise.settle(float(np.exp(settings[-1])))
    return problem.likelihood.noise_scale**2 / noise
