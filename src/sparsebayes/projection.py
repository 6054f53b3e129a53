"""A few columns that say what a dense model says.

1. `dense_model`: all columns, with one precision for those of a kernel, which is a Gaussian
   process. It predicts well and needs every centre.
2. A sparse fit, by whoever calls, to the `Goal`: what the dense model expects of the targets at the
   training rows, E[t | f], as though that had been observed `fidelity` times at each row. The
   weights of some columns that fit it best are those whose model is nearest to the dense one,

       min_w sum_n KL(p(t | f_n) || p(t | phi_n' w)),

   and the evidence asks for as many columns as so many observations could tell from fewer.
3. `projected`: the posterior of the dense model, carried over to these columns. Every function that
   it draws has a nearest one in their span, and what that misses counts as noise.

docs/projection.md says what was measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import qr

from sparsebayes import statistics
from sparsebayes.columns import JoinedColumns
from sparsebayes.evidence import log_evidence
from sparsebayes.inference import Fit, Outcome
from sparsebayes.inference.loop import interpolates
from sparsebayes.posterior import Posterior, find
from sparsebayes.problem import Problem
from sparsebayes.rows import make_rows
from sparsebayes.scales import MOST_CENTRES as FEWEST_CENTRES
from sparsebayes.scales import dense_settings, groups, whitened

# Centres of the dense model: at least as many as its precisions are found with, and more as work
# allows, which is rows times squared centres.
MOST_CENTRES = 2000
WORK = 3e10


@dataclass(frozen=True)
class DenseFit:
    """A dense model of one target.

    Attributes
    ----------
    columns : its columns, whitened
    posterior : over all of their weights
    latent : mean of the latent value at the training rows (n_samples,)
    log_evidence : of the targets
    noise_vanished : whether its noise was estimated, and is at its floor or no row is left to it
    """

    columns: JoinedColumns
    posterior: Posterior
    latent: np.ndarray
    log_evidence: float
    noise_vanished: bool


@dataclass(frozen=True)
class Goal:
    """What a sparse fit is to reproduce.

    Attributes
    ----------
    dense : the dense model
    rows : inputs, expected targets and weights, to be fitted with
    likelihood : of these, its noise given
    fidelity : how often each row counts
    noise_is_free : whether the noise of the targets was estimated
    """

    dense: DenseFit
    rows: tuple
    likelihood: Any
    fidelity: float
    noise_is_free: bool


def find_goal(columns, rows: tuple, likelihood, fidelity: float, cache_size: float) -> Goal:
    """The `Goal` for these columns and rows (inputs, target and weight)."""
    dense = dense_model(columns, rows, likelihood, cache_size)
    inputs, _, weight = rows
    return Goal(
        dense,
        (inputs, likelihood.expected(dense.latent), fidelity * weight),
        likelihood.with_noise(dense.posterior.noise_precision),
        fidelity,
        likelihood.fixed_noise_precision is None,
    )


def dense_model(columns, rows: tuple, likelihood, cache_size: float) -> DenseFit:
    """The dense model at the scales that `columns` have.

    Parameters
    ----------
    columns : bound columns
    rows : inputs, target and weight
    likelihood : of the target
    cache_size : megabytes for the columns of all rows
    """
    kinds = tuple(_stand_ins(kind, len(rows[1])) for kind in columns.kinds)
    settings = dense_settings(columns, rows, likelihood, groups(kinds))
    white = JoinedColumns(tuple(map(whitened, kinds)))
    problem = Problem(make_rows(white, rows, cache_size), white.n_columns, likelihood)
    active = np.arange(white.n_columns)
    precisions = settings.weight_precision, settings.noise_precision
    posterior = find(problem, active, *precisions, np.zeros(len(active)))
    return DenseFit(
        white,
        posterior,
        problem.rows.map(lambda design: design @ posterior.mean),
        log_evidence(problem, posterior),
        settings.noise_vanished or interpolates(problem, posterior),
    )


def _stand_ins(kind, n_rows: int):
    """The columns of one kind that the dense model has.

    More of a covariance describe the same process in more detail. Columns that are none have a
    precision that goes with their number.
    """
    few = kind.subset(FEWEST_CENTRES)
    if not few.positive_definite:
        return few
    return kind.subset(int(np.clip((WORK / n_rows) ** 0.5, FEWEST_CENTRES, MOST_CENTRES)))


def projected(goal: Goal, columns, fit: Fit, cache_size: float) -> Fit:
    """A sparse fit to the goal, with the posterior, noise and evidence of the dense model.

    Parameters
    ----------
    columns : all candidates
    """
    dense, posterior = goal.dense, fit.posterior
    spread = _carry_over(goal, columns.keep(posterior.active), posterior, cache_size)
    noise_precision = dense.posterior.noise_precision
    if goal.noise_is_free:
        missed = posterior.residual_energy + spread.missed_energy
        noise_precision = 1.0 / (1.0 / noise_precision + missed / float(goal.rows[2].sum()))
    vanished = dense.noise_vanished and fit.outcome.converged
    return replace(
        fit,
        posterior=replace(posterior, noise_precision=noise_precision),
        log_evidence=dense.log_evidence,
        root=spread.root,
        outcome=Outcome.NOISE_VANISHED if vanished else fit.outcome,
    )


class Spread(NamedTuple):
    """How draws of the dense model differ from their mean, in terms of the kept columns.

    Attributes
    ----------
    root : a square root of the covariance of the weights (m, m)
    missed_energy : mean of ||V v - Phi w||^2 about the mean, rows weighted as in the goal
    """

    root: np.ndarray
    missed_energy: float


def _carry_over(goal: Goal, kept, posterior: Posterior, cache_size: float) -> Spread:
    """The `Spread` of the dense posterior, v ~ N(., S).

    A function V v that it draws is nearest to the weights w = Sigma Phi' W V v with
    Sigma^-1 = A + Phi' W Phi, where W is the curvature of the rows at the mode, times noise
    precision and fidelity. With S = R' R, U = Phi' W V R' and B = Sigma U, the covariance of w is
    B B', and what is missed of V v has the energy tr(S V'WV) - 2 tr(U'B) + tr(B' Phi'W Phi B).
    """
    size = len(posterior.active)
    both = JoinedColumns((kept, goal.dense.columns))
    problem = Problem(make_rows(both, goal.rows, cache_size), both.n_columns, goal.likelihood)
    products = statistics.candidates(problem, np.arange(size), posterior.mean).cross_gram[size:]
    over = posterior.noise_precision * products.T @ goal.dense.posterior.factor.whitener.T
    wide = posterior.factor.solve(over)
    spanned = 2.0 * np.vdot(over, wide)
    spanned -= posterior.noise_precision * np.vdot(wide, posterior.gram @ wide)
    energy = goal.fidelity * goal.dense.posterior.well_determined.sum() - spanned
    return Spread(_square(wide), max(float(energy), 0.0) / posterior.noise_precision)


def _square(wide: np.ndarray) -> np.ndarray:
    """A matrix (m, m) with the same product with its transpose as one of (m, k)."""
    root = np.zeros((len(wide), len(wide)))
    if wide.size:
        (upper,) = qr(wide.T, mode="r")
        root[:, : min(wide.shape)] = upper[: min(wide.shape)].T
    return root
