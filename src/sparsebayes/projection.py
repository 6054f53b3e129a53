"""The fewest columns that say what a dense model says.

1. `dense_model`: all columns, with one precision for those of a kernel, which is a Gaussian
   process. It predicts well and needs every centre.
2. A sparse fit, by whoever calls, to the `Goal`: what the dense model expects of the targets at the
   training rows, E[t | f], as though that had been observed `fidelity` times at each row. The
   weights of some columns that fit it best are those whose model is nearest to the dense one,

       min_w sum_n KL(p(t | f_n) || p(t | phi_n' w)),

   and the evidence asks for as many columns as so many observations could tell from fewer.
3. `projected`: the posterior of the dense model, carried over to these columns.

docs/projection.md says what was measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import qr

from sparsebayes import statistics
from sparsebayes.basis import JoinedColumns
from sparsebayes.evidence import log_evidence
from sparsebayes.inference import Fit, Outcome
from sparsebayes.posterior import Posterior, find
from sparsebayes.problem import Problem
from sparsebayes.rows import make_rows
from sparsebayes.scales.dense import MOST_CENTRES as FEWEST_CENTRES
from sparsebayes.scales.dense import dense_settings, groups
from sparsebayes.scales.whitened import whitened

# Centres of the dense model: at least as many as its precisions are found with, and more as work
# allows, which is rows times squared centres.
MOST_CENTRES = 1024
WORK = 2e9


@dataclass(frozen=True)
class DenseFit:
    """A dense model of one target.

    Attributes
    ----------
    columns : its columns, whitened
    posterior : over all of their weights
    latent : mean of the latent value at the training rows (n_samples,)
    log_evidence : of the targets
    noise_vanished : whether its noise was estimated, and is at its floor
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
    noise_is_free : whether the noise of the targets was estimated
    """

    dense: DenseFit
    rows: tuple
    likelihood: Any
    noise_is_free: bool


def goal(columns, rows: tuple, likelihood, fidelity: float, cache_size: float) -> Goal:
    """The `Goal` for these columns and rows (inputs, target and weight)."""
    dense = dense_model(columns, rows, likelihood, cache_size)
    inputs, _, weight = rows
    return Goal(
        dense,
        (inputs, likelihood.expected(dense.latent), fidelity * weight),
        likelihood.with_noise(dense.posterior.noise_precision),
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
    kinds = tuple(kind.stand_ins(_n_centres(kind, len(rows[1]))) for kind in columns.kinds)
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
        settings.noise_vanished,
    )


def _n_centres(kind, n_rows: int) -> int:
    """How many columns of a kernel the dense model has at most.

    More of a covariance describe the same process in more detail. Columns that are none have a
    precision that goes with their number.
    """
    if not kind.positive_definite:
        return FEWEST_CENTRES
    return int(np.clip((WORK / n_rows) ** 0.5, FEWEST_CENTRES, MOST_CENTRES))


def projected(aim: Goal, columns, fit: Fit, cache_size: float) -> Fit:
    """A sparse fit to the goal, with the posterior, noise and evidence of the dense model.

    What the sparse model misses of the dense one is added to a noise that was estimated:
    sigma^2 + mean_n (f_n - phi_n' w)^2, which is the nearest in the same sense.

    Parameters
    ----------
    columns : all candidates
    """
    posterior, dense = fit.posterior, aim.dense
    noise_precision = dense.posterior.noise_precision
    if aim.noise_is_free:
        missed = posterior.residual_energy / float(aim.rows[2].sum())
        noise_precision = 1.0 / (1.0 / noise_precision + missed)
    vanished = dense.noise_vanished and fit.outcome.converged
    return replace(
        fit,
        posterior=replace(posterior, noise_precision=noise_precision),
        log_evidence=dense.log_evidence,
        root=_projected_root(aim, columns.keep(posterior.active), posterior, cache_size),
        outcome=Outcome.NOISE_VANISHED if vanished else fit.outcome,
    )


def _projected_root(aim: Goal, kept, posterior: Posterior, cache_size: float) -> np.ndarray:
    """A square root of the covariance of the weights (m, m).

    A function f = V v that the dense model draws is nearest to the weights

        w = (A + Phi' W Phi)^-1 Phi' W V v,    v ~ N(., S),

    with W the curvature of the rows at the mode, times noise precision and fidelity.
    """
    size, dense = len(posterior.active), aim.dense
    both = JoinedColumns((kept, dense.columns))
    rows = make_rows(both, aim.rows, cache_size)
    problem = Problem(rows, both.n_columns, aim.likelihood)
    products = statistics.candidates(problem, np.arange(size), posterior.mean).cross_gram[size:]
    wide = products.T @ dense.posterior.factor.whitener.T
    wide = posterior.factor.solve(posterior.noise_precision * wide)
    root = np.zeros((size, size))
    (upper,) = qr(wide.T, mode="r")
    root[:, : min(wide.shape)] = upper[: min(wide.shape)].T
    return root
